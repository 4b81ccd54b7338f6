"""What a study knows: its recommendation, its front, what its model says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from . import _check
from ._core import Study as Core
from .importance import Importance
from .output import Constraint, Estimate, Objective, from_core
from .space import rows
from .trial import Best, Front, Trial

if TYPE_CHECKING:
    from .space import Space
    from .trial import Counts, Trials


class Answers:
    """The part of a study that answers questions."""

    _core: Core
    _space: Space

    if TYPE_CHECKING:

        @property
        def counts(self) -> Counts: ...

        @property
        def trials(self) -> Trials: ...

        def _trial(self, found: tuple[Any, ...]) -> Trial: ...

    @property
    def outputs(self) -> dict[str, Objective | Constraint]:
        """What is measured and what for, by name: objectives, then constraints. A study with a direction has one, "value"."""
        return from_core(self._core.outputs)

    @property
    def _names(self) -> tuple[str, ...]:
        return tuple(self.outputs)

    @property
    def _num_objectives(self) -> int:
        return sum(isinstance(role, Objective) for role in self.outputs.values())

    @property
    def best(self) -> Best:
        """The recommended point; of several objectives the one that suits all alike. ValueError before the first value."""
        return self.recommend()

    def recommend(self, weights: Mapping[str, float] | None = None) -> Best:
        """The recommended point. Of several objectives the point of the front that suits the weights, {"yield": 0.7, "cost": 0.3}:
        those left out count for nothing, and none at all: all alike. ValueError before the first value.
        """
        if weights is not None and not isinstance(weights, Mapping):
            raise TypeError(f"weights: expected a mapping of objectives' names to numbers, got {weights!r:.60}")
        wanted = {name: _check.real(f"weights: {name}", each) for name, each in (weights or {}).items()}
        found: Any = self._core.recommend(wanted)
        if found is None:
            raise ValueError(f"best: {self._nothing_told()}")
        return self._best(found)

    def front(self) -> Front:
        """The trials that no other allowed one beats in every objective; with one objective the recommended one alone."""
        points, reference, hypervolume = self._core.front()
        return Front([self._best(point) for point in points], dict(reference), hypervolume)

    def _best(self, found: tuple[Any, ...]) -> Best:
        trial, mean, std, feasible, allowed, outputs = found
        return Best(self._trial(trial), mean, std, feasible, allowed, {name: Estimate(*each) for name, each in outputs.items()})

    @property
    def observed_best(self) -> Trial:
        """The trial with the best single value, which in noise is luck as much as merit; with constraints of those whose values keep
        to them."""
        found: Any = self._core.observed_best()
        if found is None and self._num_objectives > 1:
            raise ValueError("observed_best: several objectives have no best value. front() has the points that none beats")
        if found is None and any(trial.value is not None for trial in self.trials):
            raise ValueError("observed_best: no trial's values keep to all constraints yet")
        if found is None:
            raise ValueError(f"observed_best: {self._nothing_told()}")
        return self._trial(found)

    def _nothing_told(self) -> str:
        """Of the objectives: with several outputs trials may have values of the others."""
        told = [trial for trial in self.trials if trial.state == "done"]
        never = [name for name in self._names if told and all(trial.values.get(name) is None for trial in told)]
        return f"no trial has a value{' of ' if never else ''}{' or '.join(map(repr, never))} yet. Tell one first"

    def predict(self, points: Any, output: str | None = None) -> tuple[_check.FloatArray, _check.FloatArray]:
        """Mean and standard deviation of an output (the first, unless it is named) at points, by the model, without the noise."""
        mean, std = self._core.predict(rows(points, self._space), self._place(output))
        return mean, std

    def _place(self, output: str | None) -> int:
        if output is not None and output not in self._names:
            raise ValueError(f"output: expected one of {', '.join(map(repr, self._names))}, got {output!r:.60}")
        return 0 if output is None else self._names.index(output)

    def importance(self, num_points: int = 1024, seed: int = 0, *, num_paths: int = 16, output: str | None = None) -> Importance:
        """Shares of the variance of the model's mean over the space (Sobol' indices): total effects, and more beside them. Of several
        outputs that of the first, unless another is named; there num_paths has no say.

        num_points times the number of parameters is what it costs; num_paths sample paths of the posterior say how sure it is.
        """
        points = _check.whole("num_points", num_points, 16, 1_000_000)
        paths = _check.whole("num_paths", num_paths, 1, 1000)
        key = _check.whole("seed", seed, 0, 2**64 - 1)
        return Importance(self._core.importance(points, paths, key, self._place(output)))

    def expected_gain(self) -> float | None:
        """How much better the best point there is may be expected to be than the recommended one, as the model has it: what going
        on can bring at most. None before the first value.
        """
        return self._core.expected_gain()

    @property
    def model_report(self) -> dict[str, Any] | None:
        """What the model has learned; None before the first value."""
        report: Any = self._core.model_report()
        return report if report is None else dict(report)

    @property
    def model_reports(self) -> dict[str, dict[str, Any]]:
        """What the model of each output has learned, by name; empty before the first value."""
        return dict(zip(self._names, map(dict, self._core.model_reports())))
