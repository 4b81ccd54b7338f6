"""The problems of the comparison, for environments that have NumPy and no Salvo: the unit cube in, the true value out.

tests/python/test_peers.py holds them to Salvo's own.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[np.float64]]


def hartmann6(X: Array) -> Array:
    A = np.array([[10, 3, 17, 3.5, 1.7, 8], [0.05, 10, 17, 0.1, 8, 14], [3, 3.5, 1.7, 10, 17, 8], [17, 8, 0.05, 10, 0.1, 14]])
    P = 1e-4 * np.array([
        [1312, 1696, 5569, 124, 8283, 5886],
        [2329, 4135, 8307, 3736, 1004, 9991],
        [2348, 1451, 3522, 2883, 3047, 6650],
        [4047, 8828, 8732, 5743, 1091, 381],
    ])  # fmt: skip
    distance = (A * (X[:, None] - P) ** 2).sum(-1)
    return -np.exp(-distance) @ np.array([1.0, 1.2, 3.0, 3.2])


def shekel(X: Array) -> Array:
    beta = np.array([1, 2, 2, 4, 4, 6, 3, 7, 5, 5]) / 10
    A = np.array([[4, 1, 8, 6, 3, 2, 5, 8, 6, 7], [4, 1, 8, 6, 7, 9, 3, 1, 2, 3.6]] * 2).T  # [10,4]
    return -(1 / (beta + ((X[:, None] - A) ** 2).sum(-1))).sum(-1)


def ackley(X: Array) -> Array:
    spread, ripple = np.sqrt((X**2).mean(-1)), np.cos(2 * np.pi * X).mean(-1)
    return -20 * np.exp(-0.2 * spread) - np.exp(ripple) + 20 + np.e


@dataclasses.dataclass(frozen=True)
class Problem:
    name: str
    num_dims: int
    low: float
    high: float
    noise_variance: float
    optimum: float
    f: Callable[[Array], Array]

    def truth(self, U: Array) -> Array:
        """The true value at rows of the unit cube."""
        return self.f(self.low + (self.high - self.low) * np.atleast_2d(np.asarray(U, dtype=np.float64)))

    def observe(self, U: Array, seed: int, batch: int) -> Array:
        """What is told: the noise belongs to the seed, the number of the batch and the place in it, whoever asks."""
        noise = np.random.default_rng([seed, 1 + batch]).normal(0, self.noise_variance**0.5, len(U))
        return self.truth(U) + noise

    def first(self, count: int, seed: int) -> Array:
        """The first batch of everyone: a Latin hypercube."""
        rng = np.random.default_rng([seed, 0])
        strata = np.stack([rng.permutation(count) for _ in range(self.num_dims)], axis=1)
        return (strata + rng.random((count, self.num_dims))) / count


PROBLEMS = {
    p.name: p
    for p in (
        Problem("hartmann6", 6, 0, 1, 0.5, -3.322368011415515, hartmann6),
        Problem("shekel", 4, 0, 10, 0.1, -10.536443153483525, shekel),
        Problem("ackley5", 5, -2, 1, 0.5, 0.0, ackley),
    )
}
