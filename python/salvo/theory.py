"""How large the model must be for the theory to speak, and what it promises then (docs/theory.md)."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from . import _check, _core

if TYPE_CHECKING:
    from .study import Study


@dataclasses.dataclass(frozen=True)
class Approximation:
    """How far the sparse posterior may be from the exact one: σ/a_low − ε ≤ σ̃ ≤ a_high·σ + ε, |μ̃ − μ| ≤ c·σ."""

    kappa: float
    a_low: float
    a_high: float
    c: float
    epsilon: float
    speaks: bool  # κ < 1/3; otherwise there is no a_low


@dataclasses.dataclass(frozen=True)
class RegretBound:
    """The theorem's bound of the cumulative regret, and its three parts."""

    alpha: float
    b: float
    beta: float
    exploring: float
    approximating: float
    constant: float
    total: float


@dataclasses.dataclass(frozen=True)
class GainBound:
    """The maximal information gain: reached by a greedy choice, bounded from above in two ways, and the one used."""

    greedy: float
    over_guarantee: float
    spectral: float
    value: float


@dataclasses.dataclass(frozen=True)
class RulePlan:
    """One way to build the model: what it needs, what that costs, what the m and M given are worth."""

    rule: str  # "inducing points", "inducing features", "vanilla GP-TS"
    m: float  # needed; infinity when no number is enough
    M: float
    more_than_data: bool
    approximation: Approximation
    cost: float  # operations, constants left out
    bound: RegretBound | None
    m_order: str
    M_order: str
    cost_order: str
    given: Approximation  # at the m and M given
    m_to_speak: float
    given_bound: RegretBound | None


@dataclasses.dataclass(frozen=True)
class Plan:
    """What salvo.plan found."""

    num_observations: int
    gamma_steps: GainBound
    gamma_all: GainBound
    inverse_norm: float
    trivial: float  # no regret is larger
    rules: tuple[RulePlan, ...]
    notes: tuple[str, ...]  # where the theory asks for the impossible, in words

    def __getitem__(self, rule: str) -> RulePlan:
        """The plan of a rule: "inducing points", "inducing features", "vanilla GP-TS"."""
        for each in self.rules:
            if each.rule == rule:
                return each
        raise KeyError(f"expected one of {', '.join(each.rule for each in self.rules)}; got {rule!r}")


@dataclasses.dataclass(frozen=True)
class Quality:
    """The least constants for which the theory's assumptions hold at the points compared."""

    a_low: float
    a_high: float
    c: float
    epsilon: float


@dataclasses.dataclass(frozen=True)
class Place:
    """Points of one kind: anywhere, at observations, near the best."""

    where: str
    num_points: int
    worst: Quality  # of all points
    usual: Quality  # of 95% of them


@dataclasses.dataclass(frozen=True)
class Diagnosis:
    """What salvo.diagnose found: how far the sparse model and its sample paths are from the exact model."""

    trust: str  # "yes", "mostly", "no"
    verdict: str
    advice: tuple[str, ...]
    places: tuple[Place, ...]
    num_observations: int
    num_compared: int
    type: str  # "inducing-points", "inducing-features"
    num_inducing: int
    num_features: int
    sizes: str  # how automatic sizes and a k-DPP's points were found
    theta_over_tau: float
    promised: Approximation
    jitter: float
    lost_mean: float
    lost_worst: float


@dataclasses.dataclass(frozen=True)
class Forecast:
    """What salvo.forecast found: what a run will cost besides its evaluations, on this machine. Times are in seconds, sizes in bytes."""

    evaluations: int
    batch: int
    batches: int
    learning: float
    choosing: float
    storing: float  # a batch at a time
    storing_one_by_one: float  # where outcomes come so, which is while others are evaluated
    mean_batch: float
    longest_batch: float
    num_fits: int  # of hyperparameters
    memory: float
    base_memory: float  # of the process, before there was a study
    disk: float
    bytes_per_trial: float
    num_inducing: int  # in the end
    num_features: int
    theta_over_tau: float
    whole: bool  # nothing was extrapolated
    measuring: float  # what it took

    @property
    def seconds(self) -> float:
        """Of learning, choosing and storing."""
        return self.learning + self.choosing + self.storing


MANY = 1_000_000_000


def plan(
    num_dims: int = 2,
    *,
    kernel: str = "matern52",
    steps: int = 50,
    batch: int = 100,
    noise: float = 0.1,
    lengthscale: float = 0.3,
    norm: float = 1.0,
    subgaussian: float | None = None,
    delta: float | None = None,
    epsilon0: float | None = None,
    kappa: float = 1 / 12,
    num_inducing: int = 500,
    num_features: int = 1000,
    num_candidates: int | None = None,
) -> Plan:
    """How large m and M must be for the regret bound, what they cost, and what the m and M given are worth.

    The kernel has variance 1 on the unit cube, and noise is a variance in that unit. What is None is what
    docs/theory.md says: √noise, 1/steps, 1/(steps² log steps), 500 candidates for each dimension.
    """
    options: dict[str, Any] = {
        "kernel": _check.text("kernel", kernel),
        "num_dims": _check.whole("num_dims", num_dims, 1, 100),
        "steps": _check.whole("steps", steps, 1, MANY),
        "batch": _check.whole("batch", batch, 1, MANY),
        "noise": _check.real("noise", noise),
        "lengthscale": _check.real("lengthscale", lengthscale),
        "norm": _check.real("norm", norm),
        "kappa": _check.real("kappa", kappa),
        "num_inducing": _check.whole("num_inducing", num_inducing, 1, MANY),
        "num_features": _check.whole("num_features", num_features, 1, MANY),
    }
    for name, value in (("subgaussian", subgaussian), ("delta", delta), ("epsilon0", epsilon0)):
        if value is not None:
            options[name] = _positive(name, value)
    if num_candidates is not None:
        options["num_candidates"] = _check.whole("num_candidates", num_candidates, 1, MANY)
    found = _core.plan(options)
    return Plan(
        num_observations=found["num_observations"],
        gamma_steps=GainBound(**found["gamma_steps"]),
        gamma_all=GainBound(**found["gamma_all"]),
        inverse_norm=found["inverse_norm"],
        trivial=found["trivial"],
        rules=tuple(_rule(rule) for rule in found["rules"]),
        notes=tuple(found["notes"]),
    )


def diagnose(study: Study, *, max_observations: int = 2000, num_points: int = 1500) -> Diagnosis:
    """May this study's model be trusted? Compares it, and its sample paths, with the exact one on the same data.

    The exact one costs n³: beyond max_observations both see a random subset. num_points: where they are compared.
    """
    from .study import Study

    if not isinstance(study, Study):
        raise TypeError(f"diagnose: expected a salvo.Study, got {type(study).__name__}")
    most = _check.whole("max_observations", max_observations, 2, 20_000)
    found = _core.diagnose(study._core, most, _check.whole("num_points", num_points, 3, 1_000_000))
    places = [Place(p["where"], p["num_points"], Quality(**p["worst"]), Quality(**p["usual"])) for p in found["places"]]
    typed = {"advice": tuple(found["advice"]), "places": tuple(places), "promised": Approximation(**found["promised"])}
    return Diagnosis(**{**found, **typed})


def forecast(study: Study, evaluations: int = 5000, *, seconds: float = 8.0) -> Forecast:
    """What a run of so many evaluations will cost besides them. Measures for about so many seconds, evaluates nothing.

    A study with these options is rehearsed in memory with made-up values; the study itself is left alone.
    """
    from .study import Study

    if not isinstance(study, Study):
        raise TypeError(f"forecast: expected a salvo.Study, got {type(study).__name__}")
    most = _check.whole("evaluations", evaluations, 1, 2**40)
    return Forecast(**_core.forecast(study._core, most, _positive("seconds", seconds)))


def _positive(name: str, value: Any) -> float:
    number = _check.real(name, value)
    if number <= 0:
        raise ValueError(f"{name}: expected a number above 0, got {number}")
    return number


def _rule(found: dict[str, Any]) -> RulePlan:
    bounds = {key: None if found[key] is None else RegretBound(**found[key]) for key in ("bound", "given_bound")}
    closeness = {key: Approximation(**found[key]) for key in ("approximation", "given")}
    return RulePlan(**{**found, **bounds, **closeness})
