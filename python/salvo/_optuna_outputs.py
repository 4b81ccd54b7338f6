"""The sampler's way with several directions, and with constraints: a study of Salvo's own beside Optuna's."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from optuna.study import StudyDirection
from optuna.trial import FrozenTrial

from .output import Constraint, Role
from .space import Space
from .study import Study

MOST_OBJECTIVES = 6
LARGEST = 1e100  # beyond, a fit would refuse: one value must not end a study


class Beside:
    """It has Optuna's trials with a value, and those that run as pending ones; what it asks for is what Optuna tries.

    limits are the names of the constraints, and constraints(trial) those numbers by name, which are to be 0 or less.
    """

    def __init__(
        self,
        space: Space,
        directions: Sequence[StudyDirection],
        limits: Sequence[str],
        seed: int,
        n_startup_trials: int,
        constraints: Callable[[FrozenTrial], Mapping[str, float]],
    ) -> None:
        if len(directions) > MOST_OBJECTIVES:
            raise ValueError(f"SalvoSampler: expected at most {MOST_OBJECTIVES} directions, got {len(directions)}")
        self.space, self.limits, self.constraints = space, tuple(limits), constraints
        outputs: dict[str, Role] = {f"y{i}": _word(direction) for i, direction in enumerate(directions)}
        outputs.update({f"c{i}": Constraint(max=0.0) for i in range(len(self.limits))})
        self.study = Study(space, outputs=outputs, seed=seed, batch=1, num_initial=n_startup_trials)
        self.told: set[int] = set()  # Optuna's numbers
        self.asked: dict[int, int] = {}  # of those that run, the number in the study beside

    def suggest(
        self,
        number: int,
        done: Iterable[tuple[FrozenTrial, Mapping[str, Any]]],
        running: Mapping[int, Mapping[str, Any]],
    ) -> Mapping[str, Any] | None:
        """A point for trial `number`; none where every point was tried."""
        self._learn(done)
        for gone in [other for other in self.asked if other not in running]:
            self.study.abandon(self.asked.pop(gone))  # it failed, or was told as a point of its own
        for other, point in running.items():
            if other not in self.asked and self.study.enqueue(point, again=True):
                self.asked[other] = self.study.ask(1)[0].id
        try:
            trial = self.study.ask(1)[0]
        except ValueError:
            return None
        self.asked[number] = trial.id
        return trial.params

    def _learn(self, done: Iterable[tuple[FrozenTrial, Mapping[str, Any]]]) -> None:
        points, values = [], []
        for trial, point in done:
            if trial.number in self.told:
                continue
            self.told.add(trial.number)
            value = self._values(trial)
            if trial.number in self.asked:
                self.study.tell(self.asked.pop(trial.number), value)
            else:
                points.append(point)
                values.append(value)
        if points:
            self.study.add(points, values)

    def _values(self, trial: FrozenTrial) -> dict[str, float]:
        found = {f"y{i}": float(np.clip(value, -LARGEST, LARGEST)) for i, value in enumerate(trial.values)}
        limits = self.constraints(trial)
        known = {f"c{i}": limits[name] for i, name in enumerate(self.limits) if name in limits and not np.isnan(limits[name])}
        return {**found, **{name: min(max(limit, -LARGEST), LARGEST) for name, limit in known.items()}}


def _word(direction: StudyDirection) -> str:
    return "maximize" if direction == StudyDirection.MAXIMIZE else "minimize"
