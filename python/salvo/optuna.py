"""Salvo as a sampler of Optuna: study = optuna.create_study(sampler=salvo.optuna.SalvoSampler())."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import optuna
from optuna.distributions import BaseDistribution, CategoricalDistribution, FloatDistribution, IntDistribution
from optuna.samplers import BaseSampler, RandomSampler
from optuna.samplers._base import _process_constraints_after_trial
from optuna.search_space import IntersectionSearchSpace
from optuna.study import StudyDirection
from optuna.study._constrained_optimization import _CONSTRAINTS_KEY
from optuna.trial import FrozenTrial, TrialState

from . import _check
from ._optuna_outputs import Beside
from .gp import SparseGP
from .space import Choice, Domain, Float, Int, Space
from .study import Study


class SalvoSampler(BaseSampler):
    """Thompson sampling from a sparse Gaussian process: every trial maximises a sample path of its own.

    Any number of threads (n_jobs) and processes may work on one study: two trials with the same data still get different
    paths, and a point that is known to be running elsewhere is not suggested again. No constant liar is needed. The model is
    fitted by one thread of a process at a time.

    A study may have up to six directions, and constraints_func(trial), as Optuna's own samplers take it, gives numbers that are to
    be 0 or less (so does trial.set_constraint of Optuna 5): then each trial is what a salvo.Study with these outputs asks for, and alpha and num_inducing are that study's own.

    n_startup_trials: quasi-random trials before the model takes over. seed: with it one worker repeats itself exactly.
    num_inducing, alpha: as salvo.ModelOptions has them. alpha is smaller than a study's: with trials one by one, 0.5 had
    a fifth of the regret of 1.5 after 80 of them (Hartmann-6, Ackley-5). Raise it for noise or hundreds of workers.
    Trials that failed or were pruned do not count, so where most are pruned early (Hyperband) the search is nearly random; and
    parameters that only some trials have, or categories of more than 1000 values, are sampled by independent_sampler, which is
    random unless given.
    """

    def __init__(
        self,
        *,
        seed: int | None = None,
        n_startup_trials: int = 10,
        num_inducing: int = 500,
        alpha: float = 0.5,
        independent_sampler: BaseSampler | None = None,
        constraints_func: Callable[[FrozenTrial], Sequence[float]] | None = None,
    ) -> None:
        if constraints_func is not None and not callable(constraints_func):
            raise TypeError(f"constraints_func: expected a function of a trial, got {type(constraints_func).__name__}")
        self._constraints_func = constraints_func
        self._seed = secrets.randbits(64) if seed is None else _check.seed_of(seed)
        self._n_startup_trials = _check.whole("n_startup_trials", n_startup_trials, 2, 100_000)
        self._num_inducing = _check.whole("num_inducing", num_inducing, 1, 100_000)
        self._alpha = _check.real("alpha", alpha)
        self._independent = independent_sampler or RandomSampler(seed=self._seed % 2**32)
        self._intersection = IntersectionSearchSpace()
        self._forget()

    def _forget(self) -> None:
        self._lock = threading.Lock()
        self._study: Any = None
        self._model: _Model | None = None
        self._design: tuple[Any, list[Any]] | None = None
        self._beside: Beside | None = None

    def _turn_to(self, study: optuna.Study) -> None:
        """What was learned of one study is nothing to another, whose values have other units or another direction."""
        key = (study._storage, study._study_id, tuple(study.directions))
        if self._study != key:
            self._study, self._model, self._beside = key, None, None
            self._intersection = IntersectionSearchSpace()

    def __getstate__(self) -> dict[str, Any]:
        return {key: value for key, value in self.__dict__.items() if key not in ("_lock", "_study", "_model", "_design", "_beside")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._forget()

    def reseed_rng(self) -> None:
        self._independent.reseed_rng()

    def infer_relative_search_space(self, study: optuna.Study, trial: FrozenTrial) -> dict[str, BaseDistribution]:
        with self._lock:
            self._turn_to(study)
            known = self._intersection.calculate(study)
        return {name: d for name, d in known.items() if not d.single() and _can_model(d)}

    def sample_independent(
        self, study: optuna.Study, trial: FrozenTrial, param_name: str, param_distribution: BaseDistribution
    ) -> Any:
        return self._independent.sample_independent(study, trial, param_name, param_distribution)

    def sample_relative(
        self, study: optuna.Study, trial: FrozenTrial, search_space: dict[str, BaseDistribution]
    ) -> dict[str, Any]:
        if not search_space:
            return {}
        coder = _Coder(search_space)
        done = study._get_trials(deepcopy=False, states=(TrialState.COMPLETE,), use_cache=True)
        limits = next((tuple(sorted(known)) for t in done if (known := _constraints_of(t))), ())
        if len(study.directions) > 1 or limits or self._constraints_func is not None:
            return self._sample_outputs(study, trial, coder, done, limits)
        usable = [t for t in done if t.value is not None and np.isfinite(t.value) and coder.holds(t.params)]
        if trial.number < self._n_startup_trials or len(usable) < 2:
            return coder.decode(self._startup_point(coder, trial.number))
        sign = 1.0 if study.direction == StudyDirection.MAXIMIZE else -1.0
        with self._lock:
            self._turn_to(study)
            gp = self._fitted(coder, usable, sign)
        running = study._get_trials(deepcopy=False, states=(TrialState.RUNNING,), use_cache=False)  # as of now, after the fit
        taken = [t.params for t in running if t.number != trial.number and coder.holds(t.params)]
        return coder.decode(self._maximiser(gp, coder, taken, trial.number))

    def after_trial(
        self, study: optuna.Study, trial: FrozenTrial, state: TrialState, values: Sequence[float] | None
    ) -> None:
        if self._constraints_func is not None:
            _process_constraints_after_trial(self._constraints_func, study, trial, state)
        self._independent.after_trial(study, trial, state, values)

    def _sample_outputs(
        self, study: optuna.Study, trial: FrozenTrial, coder: _Coder, done: Sequence[FrozenTrial], limits: tuple[str, ...]
    ) -> dict[str, Any]:
        """With several directions, or constraints of these names."""
        usable = [t for t in done if np.isfinite(t.values).all() and coder.holds(t.params)]
        running = study._get_trials(deepcopy=False, states=(TrialState.RUNNING,), use_cache=False)
        taken = {t.number: coder.encode(t.params) for t in running if t.number != trial.number and coder.holds(t.params)}
        with self._lock:
            self._turn_to(study)
            if self._beside is None or self._beside.space != coder.space or self._beside.limits != limits:
                self._beside = Beside(coder.space, study.directions, limits, self._seed, self._n_startup_trials, _constraints_of)
            point = self._beside.suggest(trial.number, [(t, coder.encode(t.params)) for t in usable], taken)
        if point is None:  # every point was tried: one of them again
            point = coder.space.sample(1, (self._seed + trial.number) % 2**64)[0]
        return coder.decode(point)

    def _startup_point(self, coder: _Coder, number: int) -> Mapping[str, Any]:
        """One design for all workers with this seed: each trial takes the point of its number."""
        with self._lock:
            if self._design is None or self._design[0] != coder.space:
                count = int(min(self._n_startup_trials, coder.space.num_points))
                with Study(coder.space, direction="minimize", seed=self._seed, num_initial=count) as study:
                    self._design = (coder.space, study.ask(count).to_dicts())
            points = self._design[1]
        return points[number] if number < len(points) else coder.space.sample(1, (self._seed + number) % 2**64)[0]

    def _fitted(self, coder: _Coder, trials: Sequence[FrozenTrial], sign: float) -> SparseGP:
        """The model of these trials; its hyperparameters are learned again when they have grown by a twentieth."""
        numbers = tuple(t.number for t in trials)
        known = self._model if self._model is not None and self._model.space == coder.space else None
        if known and known.numbers == numbers:
            return known.gp
        X = coder.space.encode([coder.encode(t.params) for t in trials])
        y = _without_absurd(sign * np.array([t.value for t in trials]))
        factor = max(1.0, (coder.space.num_dims / 6) ** 0.5)
        learn = known is None or len(trials) >= 1.05 * known.learned_from
        gp = SparseGP(
            known.gp.kernel_ if known else "matern52",
            self._num_inducing,
            noise=known.gp.noise_ if known else None,
            mean=known.gp.mean_ if known else None,
            fit_hyperparameters=learn,
            # A study's own limits (docs/study-file.md), for the same reasons.
            fit_options={
                "max_evaluations": 15 if known else 50,
                "absolute_tolerance": 0.02,
                "min_lengthscale": 0.01,
                "max_lengthscale": 0.7 * factor,
                "min_variance": 1.0,
                "min_noise": 1e-4,
            },
            seed=self._seed,
        ).fit(X, y)
        self._model = _Model(coder.space, numbers, gp, len(trials) if learn or known is None else known.learned_from)
        return gp

    def _maximiser(self, gp: SparseGP, coder: _Coder, taken: Sequence[Mapping[str, Any]], number: int) -> Mapping[str, Any]:
        seed = (self._seed + (number + 1) * _check.SPREAD) % 2**64
        path = gp.sample_paths(1, alpha=self._alpha, seed=seed)[0]
        points = np.unique(coder.space.encode([coder.encode(params) for params in taken]), axis=0) if taken else None
        if points is not None and len(points) >= coder.space.num_points:
            points = None  # every point is running: one of them again
        point: Mapping[str, Any] = path.maximize(coder.space, taken=points, seed=seed)
        return point


def _constraints_of(trial: FrozenTrial) -> Mapping[str, float]:
    """By name, where a trial was given them so, otherwise by their places; empty: none are known."""
    listed: Sequence[float] = trial.system_attrs.get(_CONSTRAINTS_KEY) or ()
    named: Mapping[str, float] = getattr(trial, "constraints", None) or {}  # Optuna 5
    return named or {f"{i:03}": float(limit) for i, limit in enumerate(listed)}


class _Model:
    def __init__(self, space: Space, numbers: tuple[int, ...], gp: SparseGP, learned_from: int) -> None:
        self.space, self.numbers, self.gp, self.learned_from = space, numbers, gp, learned_from


class _Coder:
    """Between Optuna's parameters and a space of Salvo's, whose names are x0, x1, …"""

    def __init__(self, search_space: Mapping[str, BaseDistribution]) -> None:
        self.distributions = dict(search_space)
        self.names = {name: f"x{i}" for i, name in enumerate(self.distributions)}
        self.space = Space({self.names[name]: _domain(name, d) for name, d in self.distributions.items()})

    def holds(self, params: Mapping[str, Any]) -> bool:
        """Whether a trial has all parameters, each of a value that its distribution has now."""
        return all(name in params and d._contains(d.to_internal_repr(params[name])) for name, d in self.distributions.items())

    def encode(self, params: Mapping[str, Any]) -> dict[str, Any]:
        return {self.names[name]: _to_salvo(d, params[name]) for name, d in self.distributions.items()}

    def decode(self, point: Mapping[str, Any]) -> dict[str, Any]:
        return {name: _from_salvo(d, point[self.names[name]]) for name, d in self.distributions.items()}


def _can_model(d: BaseDistribution) -> bool:
    """Whether a space takes it: not more than 1000 categories, integers not beyond what doubles tell apart, no hair's breadth."""
    if isinstance(d, FloatDistribution) and d.high - d.low < 1e-9 * max(abs(d.low), abs(d.high)):
        return False
    try:
        Space({"x": _domain("x", d)})
    except (ValueError, TypeError):
        return False
    return True


def _domain(name: str, d: BaseDistribution) -> Domain:
    if isinstance(d, FloatDistribution):
        return Float(d.low, d.high, bool(d.log)) if d.step is None else Int(0, round((d.high - d.low) / d.step))
    if isinstance(d, IntDistribution):
        return Int(d.low, d.high, True) if d.log else Int(0, (d.high - d.low) // d.step)
    if isinstance(d, CategoricalDistribution):
        return Choice(range(len(d.choices)))
    raise ValueError(f"SalvoSampler: parameter {name!r}: expected a float, int or categorical, got {type(d).__name__}")


def _to_salvo(d: BaseDistribution, value: Any) -> Any:
    if isinstance(d, FloatDistribution):
        return value if d.step is None else round((value - d.low) / d.step)
    if isinstance(d, IntDistribution):
        return value if d.log else (value - d.low) // d.step
    return int(d.to_internal_repr(value))


def _from_salvo(d: BaseDistribution, value: Any) -> Any:
    if isinstance(d, FloatDistribution):
        return value if d.step is None else min(d.high, d.low + value * d.step)
    if isinstance(d, IntDistribution):
        return value if d.log else d.low + value * d.step
    return d.to_external_repr(value)


def _without_absurd(y: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Values absurdly bad (a penalty of 1e9, say) would blind the model: they count as a study's own would
    (docs/how-it-works.md), as twenty widths of the second-best quarter below the median."""
    out: np.ndarray[Any, Any] = np.clip(y, -1e100, 1e100)  # beyond, the fit would refuse: one value must not end a study
    if len(y) < 8:
        return out
    ordered = np.sort(out)
    middle, high = ordered[len(y) // 2], ordered[len(y) - 1 - len(y) // 4]
    return np.maximum(out, middle - 20 * (high - middle)) if high > middle else out
