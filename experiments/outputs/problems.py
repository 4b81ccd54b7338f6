"""The problems for everybody but Salvo, which has them built in: written anew from the literature that src/problems names, so
that `--check` compares two of each."""

from __future__ import annotations

import math
from typing import Callable, NamedTuple

import numpy as np

Array = np.ndarray
TOLERANCE = 1e-6  # a bound may be missed by so much of itself, as salvo bench has it (src/bench/truth.h)


class Bound(NamedTuple):
    """One constraint: value ≤ bound, or ≥ bound where `least`."""

    bound: float
    least: bool = False

    def violation(self, value: Array) -> Array:
        """At most 0 where it holds; in shares of the bound, so that those who add violations up can."""
        scale = abs(self.bound) or 1.0
        return (self.bound - value if self.least else value - self.bound) / scale


class Problem(NamedTuple):
    name: str
    low: Array
    high: Array
    outputs: Callable[[Array], Array]  # [n,d] → [n, objectives + constraints]; all objectives are minimised
    objectives: int
    bounds: tuple[Bound, ...] = ()
    whole: tuple[int, ...] = ()  # parameters that are whole numbers
    optimum: float = math.nan  # of one objective
    reference: tuple[float, ...] = ()  # of several
    best: float = math.nan  # hypervolume above it
    noise: tuple[float, ...] = ()  # deviation of each output

    @property
    def dim(self) -> int:
        return len(self.low)

    def point(self, u: Array) -> Array:
        """From the unit cube [n,d]."""
        x = self.low + np.clip(u, 0, 1) * (self.high - self.low)
        for j in self.whole:
            x[:, j] = np.round(x[:, j])
        return x

    def violations(self, Y: Array) -> Array:
        """[n, constraints], at most 0 where they hold."""
        return np.stack([b.violation(Y[:, self.objectives + i]) for i, b in enumerate(self.bounds)], axis=1) if self.bounds else np.zeros((len(Y), 0))

    def allowed(self, Y: Array) -> Array:
        slack = np.array([TOLERANCE if b.bound else 0.0 for b in self.bounds])
        return np.all(self.violations(Y) <= slack, axis=1)


def ackley(X: Array) -> Array:
    d = X.shape[1]
    squares = (X**2).sum(1)
    f = -20 * np.exp(-0.2 * np.sqrt(squares / d)) - np.exp(np.cos(2 * np.pi * X).sum(1) / d) + 20 + np.e
    return np.stack([f, X.sum(1), np.sqrt(squares)], 1)


def keane(X: Array) -> Array:
    c = np.cos(X) ** 2
    length = np.sqrt((np.arange(1, X.shape[1] + 1) * X**2).sum(1))
    f = -np.abs((c**2).sum(1) - 2 * c.prod(1)) / np.where(length > 0, length, np.inf)
    return np.stack([f, X.prod(1), X.sum(1)], 1)


def speed_reducer(X: Array) -> Array:
    b, m, z, l1, l2, d1, d2 = X.T
    f = 0.7854 * b * m**2 * (3.3333 * z**2 + 14.9334 * z - 43.0934) - 1.508 * b * (d1**2 + d2**2)
    f = f + 7.4777 * (d1**3 + d2**3) + 0.7854 * (l1 * d1**2 + l2 * d2**2)
    g = [27 / (b * m**2 * z), 397.5 / (b * m**2 * z**2), 1.93 * l1**3 / (m * z * d1**4), 1.93 * l2**3 / (m * z * d2**4)]
    g += [np.sqrt((745 * l1 / (m * z)) ** 2 + 16.9e6) / (110 * d1**3), np.sqrt((745 * l2 / (m * z)) ** 2 + 157.5e6) / (85 * d2**3)]
    g += [m * z / 40, 5 * m / b, b / (12 * m), (1.5 * d1 + 1.9) / l1, (1.1 * d2 + 1.9) / l2]
    return np.stack([f, *g], 1)


def welded_beam(X: Array) -> Array:
    h, l, t, b = X.T
    load, length, young, shear_modulus = 6000.0, 14.0, 30e6, 12e6
    arm = np.hypot(l / 2, (h + t) / 2)
    first = load / (math.sqrt(2) * h * l)
    second = load * (length + l / 2) * arm / (2 * math.sqrt(2) * h * l * (l**2 / 12 + ((h + t) / 2) ** 2))
    shear = np.sqrt(first**2 + first * second * l / arm + second**2)
    bending = 6 * load * length / (b * t**2)
    deflection = 4 * load * length**3 / (young * t**3 * b)
    buckling = 4.013 * young * t * b**3 / 6 / length**2 * (1 - t / (2 * length) * math.sqrt(young / (4 * shear_modulus)))
    beam = 0.04811 * t * b * (14 + l)
    return np.stack([1.10471 * h**2 * l + beam, shear, bending, h - b, 0.10471 * h**2 + beam, h, deflection, buckling], 1)


def pressure_vessel(X: Array) -> Array:
    shell, head, r, l = X[:, 0] / 16, X[:, 1] / 16, X[:, 2], X[:, 3]
    f = 0.6224 * shell * r * l + 1.7781 * head * r**2 + 3.1661 * shell**2 * l + 19.84 * shell**2 * r
    return np.stack([f, 0.0193 * r - shell, 0.00954 * r - head, math.pi * (r**2 * l + 4 / 3 * r**3), l], 1)


def spring(X: Array) -> Array:
    d, D, N = X.T
    room = D * d**3 - d**4
    shear = np.where(room == 0, 1e9, (4 * D**2 - d * D) / (12566 * np.where(room == 0, 1, room)) + 1 / (5108 * d**2))
    return np.stack([(N + 2) * D * d**2, D**3 * N / (71785 * d**4), shear, 140.45 * d / (D**2 * N), (D + d) / 1.5], 1)


def sphere(objectives: int) -> Callable[[Array], Array]:
    """DTLZ2: all cosines for the first objective, one more sine and one cosine less for each of the others."""

    def outputs(X: Array) -> Array:
        g = 1 + ((X[:, objectives - 1 :] - 0.5) ** 2).sum(1)
        angles = X[:, : objectives - 1] * np.pi / 2
        cosines = np.cumprod(np.column_stack([np.ones(len(X)), np.cos(angles)]), axis=1)[:, ::-1]
        sines = np.column_stack([np.ones(len(X)), np.sin(angles)[:, ::-1]])
        return g[:, None] * cosines * sines

    return outputs


dtlz2 = sphere(2)


def c2dtlz2(X: Array) -> Array:
    F, r = dtlz2(X), 0.2
    ends = np.minimum((F[:, 0] - 1) ** 2 + F[:, 1] ** 2, (F[:, 1] - 1) ** 2 + F[:, 0] ** 2) - r**2
    return np.column_stack([F, np.minimum(ends, ((F - math.sqrt(0.5)) ** 2).sum(1) - 2 * r**2)])


def arcs(r: float = 0.2) -> float:
    """The best hypervolume of C2-DTLZ2: 1.1² less what lies under three arcs of the circle and the steps between them."""
    end, half = 2 * math.asin(r / 2), 2 * math.asin(r / math.sqrt(2))
    low, high = math.pi / 4 - half, math.pi / 4 + half
    under = sum((b - a) / 2 - (math.sin(2 * b) - math.sin(2 * a)) / 4 for a, b in ((0, end), (low, high), (math.pi / 2 - end, math.pi / 2)))
    return 1.21 - under - math.cos(end) * (math.cos(high) - math.sin(end)) - math.sin(low) * (math.cos(end) - math.cos(low))


def zdt(number: int) -> Callable[[Array], Array]:
    def outputs(X: Array) -> Array:
        f, g = X[:, 0], 1 + 9 * X[:, 1:].mean(1)
        share = f / g
        shape = {1: 1 - np.sqrt(share), 2: 1 - share**2, 3: 1 - np.sqrt(share) - share * np.sin(10 * np.pi * f)}[number]
        return np.stack([f, g * shape], 1)

    return outputs


def vehicle_safety(X: Array) -> Array:
    a, b, c, d, e = X.T
    mass = 1640.2823 + X @ np.array([2.3573285, 2.3220035, 4.5688768, 7.7213633, 4.4559504])
    acceleration = 6.5856 + 1.15 * a - 1.0427 * b + 0.9738 * c + 0.8364 * d - 0.3695 * a * d + 0.0861 * a * e
    acceleration += 0.3628 * b * d - 0.1106 * a**2 - 0.3437 * c**2 + 0.1764 * d**2
    intrusion = -0.0551 + 0.0181 * a + 0.1024 * b + 0.0421 * c - 0.0073 * a * b + 0.024 * b * c - 0.0118 * b * d
    intrusion += -0.0204 * c * d - 0.008 * c * e - 0.0241 * b**2 + 0.0109 * d**2
    return np.stack([mass, acceleration, intrusion], 1)


def cube(name: str, d: int, low: float, high: float, *rest: object, **more: object) -> Problem:
    return Problem(name, np.full(d, low), np.full(d, high), *rest, **more)  # type: ignore[arg-type]


def sides(*pairs: tuple[float, float]) -> tuple[Array, Array]:
    return np.array([p[0] for p in pairs], float), np.array([p[1] for p in pairs], float)


CRASH = (1864.72022, 11.81993945, 0.2903999384)
GEARS = sides((2.6, 3.6), (0.7, 0.8), (17, 28), (7.3, 8.3), (7.8, 8.3), (2.9, 3.9), (5, 5.5))
VESSEL = sides((1, 99), (1, 99), (10, 200), (10, 200))
SPRING = (Bound(1, True), Bound(1), Bound(1, True), Bound(1))
BEAM = (Bound(13600), Bound(30000), Bound(0), Bound(5), Bound(0.125, True), Bound(0.25), Bound(6000, True))
NOISY = {"dtlz2_10": (0.05, 0.05), "vehicle_safety": (0.05 * 33.49, 0.05 * 4.60, 0.05 * 0.2245)}
PROBLEMS = {
    p.name: p
    for p in [
        cube("ackley10_constrained", 10, -5, 10, ackley, 1, (Bound(0), Bound(5)), optimum=0),
        cube("keane30", 30, 0, 10, keane, 1, (Bound(0.75, True), Bound(225)), optimum=-0.8199345196664812),
        Problem("speed_reducer", *GEARS, speed_reducer, 1, (Bound(1),) * 11, (2,), optimum=2996.3481649685295),
        Problem("welded_beam", *sides((0.1, 2), (0.1, 10), (0.1, 10), (0.1, 2)), welded_beam, 1, BEAM, optimum=1.7248523086),
        Problem("pressure_vessel", *VESSEL, pressure_vessel, 1, (Bound(0), Bound(0), Bound(1296000, True), Bound(240)), (0, 1), optimum=6059.714335),
        Problem("spring", *sides((0.05, 2), (0.25, 1.3), (2, 15)), spring, 1, SPRING, optimum=0.0126652327853),
        *(cube(f"dtlz2_{d}", d, 0, 1, dtlz2, 2, reference=(6, 6), best=36 - math.pi / 4) for d in (10, 30, 100)),
        cube("zdt1", 30, 0, 1, zdt(1), 2, reference=(11, 11), best=120 + 2 / 3),
        cube("zdt2", 30, 0, 1, zdt(2), 2, reference=(11, 11), best=120 + 1 / 3),
        cube("zdt3", 30, 0, 1, zdt(3), 2, reference=(11, 11), best=128.77811613069076),
        cube("c2dtlz2_12", 12, 0, 1, c2dtlz2, 2, (Bound(0),), reference=(1.1, 1.1), best=arcs()),
        cube("vehicle_safety", 5, 1, 3, vehicle_safety, 3, reference=CRASH, best=246.81607081187002),
    ]
}
PROBLEMS |= {f"{name}_noisy": PROBLEMS[name]._replace(name=f"{name}_noisy", noise=noise) for name, noise in NOISY.items()}
# To compare hypervolumes of more objectives.
MORE = {
    f"dtlz2_10_{m}": cube(f"dtlz2_10_{m}", 10, 0, 1, sphere(m), m, reference=(6,) * m, best=6**m - ball)
    for m, ball in ((3, math.pi / 6), (4, math.pi**2 / 32))
}
