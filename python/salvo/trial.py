"""Trials, and sequences of them."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, overload

import numpy as np

from . import _check
from .output import Estimate
from .space import MEASURED, SAID, Candidate, Choice, Fixed, Ordinal, Params, Space


@dataclasses.dataclass(frozen=True)
class Trial:
    """One point of a study, and what came of it."""

    id: int
    params: Params
    state: str = "pending"  # or done, failed, abandoned
    origin: str = "initial"  # or model, local (around the best point), repeat (a second look), queue (enqueued), told (evaluated elsewhere)
    value: float | None = None
    error: str = ""  # why it failed: the traceback when a function raised
    asked_at: float = 0.0  # seconds since 1970
    told_at: float = 0.0  # 0 while pending
    measured: dict[str, float] = dataclasses.field(default_factory=dict)  # whatever else was told with the value
    outside: bool = False  # of the study's space as it is now: history, which teaches nothing
    said: dict[str, str] = dataclasses.field(default_factory=dict)  # texts that were told with the value
    tags: tuple[str, ...] = ()  # words that people put on it: Study.tag
    values: dict[str, float | None] = dataclasses.field(default_factory=dict)  # of the outputs by name; None: it was not measured

    def __getitem__(self, name: str) -> Any:
        return self.params[name]

    def __hash__(self) -> int:
        return hash(self.id)


@dataclasses.dataclass(frozen=True)
class Amendment:
    """An outcome that was put right: what it was, what it is since, and why."""

    trial: int
    at: float  # seconds since 1970
    reason: str
    old_state: str  # done, failed, abandoned
    old_value: float | None
    old_error: str
    state: str  # or pending
    value: float | None
    error: str
    old_sd: float | None = None  # the standard error of the value, if it had one
    sd: float | None = None
    old_values: dict[str, float | None] = dataclasses.field(default_factory=dict)  # of the outputs by name
    values: dict[str, float | None] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(frozen=True)
class SpaceChange:
    """A change of a study's space: when, and what changed, parameter by parameter."""

    at: float  # seconds since 1970
    words: list[str]


@dataclasses.dataclass(frozen=True)
class Prior:
    """What a study expects before it looks: since when, where it came from, and from how many values."""

    at: float  # seconds since 1970
    source: str
    num_trials: int


@dataclasses.dataclass(frozen=True)
class Best:
    """The recommended point: the evaluated one with the best mean of the model, which noise fools least.

    With constraints it is the best of those that keep to each with its probability. feasible is the probability that all hold
    there; allowed is False when nothing is known to be allowed yet, and this is the point that comes nearest.
    """

    trial: Trial
    mean: float  # of the first output
    std: float
    feasible: float = 1.0
    allowed: bool = True
    outputs: dict[str, Estimate] = dataclasses.field(default_factory=dict)  # mean and std of each, by name

    @property
    def params(self) -> Params:
        return self.trial.params


@dataclasses.dataclass(frozen=True)
class Front:
    """The trials that no other allowed one beats in every objective, as the model knows them: by the first objective, best first."""

    points: list[Best]
    reference: dict[str, float]  # of each objective, told or learned
    hypervolume: float  # of what the points' means dominate, down to the reference

    def __len__(self) -> int:
        return len(self.points)

    def __iter__(self) -> Iterator[Best]:
        return iter(self.points)


@dataclasses.dataclass(frozen=True)
class Counts:
    pending: int
    done: int
    failed: int
    abandoned: int

    @property
    def total(self) -> int:
        return self.pending + self.done + self.failed + self.abandoned


class Trials(Sequence[Trial]):
    """A sequence of trials: a list that turns into arrays and frames."""

    def __init__(self, trials: Iterable[Trial], space: Space) -> None:
        self._trials = list(trials)
        self._space = space

    @overload
    def __getitem__(self, index: int) -> Trial: ...
    @overload
    def __getitem__(self, index: slice) -> Trials: ...
    def __getitem__(self, index: int | slice) -> Trial | Trials:
        if isinstance(index, slice):
            return Trials(self._trials[index], self._space)
        return self._trials[index]

    def __len__(self) -> int:
        return len(self._trials)

    def __iter__(self) -> Iterator[Trial]:
        return iter(self._trials)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Trials) and self._trials == other._trials

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Trials({self._trials!r})"

    @property
    def space(self) -> Space:
        return self._space

    @property
    def ids(self) -> list[int]:
        return [trial.id for trial in self._trials]

    def to_dicts(self) -> list[Params]:
        """The parameters of every trial."""
        return [dict(trial.params) for trial in self._trials]

    def to_numpy(self) -> _check.FloatArray:
        """[n, parameters] in the parameters' own units; choices with a text among them as their position."""
        columns = [_column(domain, [trial.params[name] for trial in self._trials]) for name, domain in self._space.items()]
        return np.ascontiguousarray(np.array(columns, dtype=np.float64).reshape(len(columns), len(self)).T)

    def to_torch(self, like: Any = None) -> Any:
        """What to_numpy gives, as a torch tensor: of the type and on the device of the tensor `like`, or of doubles."""
        if like is None:
            torch = _check.need("to_torch", "torch")

            like = torch.empty(0, dtype=torch.float64)
        if not _check.is_tensor(like):
            raise TypeError(f"like: expected a torch tensor, got {type(like).__name__}")
        return _check.like(like, self.to_numpy())

    def encoded(self) -> _check.FloatArray:
        """[n, space.num_dims] rows of the unit cube, as the model sees them."""
        return self._space.encode(self._trials)

    def to_pandas(self) -> Any:
        """A pandas frame: the trial's number as index, one column for each parameter."""
        pandas = _check.need("to_pandas", "pandas")

        return pandas.DataFrame(self.to_dicts(), index=pandas.Index(self.ids, name="trial"), columns=list(self._space))

    def to_polars(self) -> Any:
        """A polars frame: the column `trial`, then one for each parameter."""
        polars = _check.need("to_polars", "polars")

        columns: dict[str, Any] = {"trial": self.ids}
        columns.update({name: [trial.params[name] for trial in self._trials] for name in self._space})
        return polars.DataFrame(columns, strict=False)


def trial_of(found: tuple[Any, ...], tags: tuple[str, ...]) -> Trial:
    """As the extension gives it."""
    return Trial(*(*found[:-1], tags, found[-1]))


def frame_of(trials: Trials, outputs: Iterable[str]) -> Any:
    """What Study.trials_dataframe says."""
    pandas = _check.need("trials_dataframe", "pandas")

    frame = trials.to_pandas()
    for name in outputs:
        found = [trial.values.get(name) for trial in trials]
        frame[name] = np.array([np.nan if value is None else value for value in found])
    for name in sorted({name for trial in trials for name in trial.measured}):
        frame[MEASURED + name] = np.array([trial.measured.get(name, np.nan) for trial in trials])
    for name in sorted({name for trial in trials for name in trial.said}):
        frame[SAID + name] = [trial.said.get(name, "") for trial in trials]
    if "tags" not in trials.space and any(trial.tags for trial in trials):
        frame["tags"] = [" ".join(trial.tags) for trial in trials]
    for column in ("state", "origin", "error"):
        frame[column] = [getattr(trial, column) for trial in trials]
    for column in ("asked_at", "told_at"):
        seconds = [getattr(trial, column) or None for trial in trials]
        frame[column] = pandas.to_datetime(pandas.Series(seconds, index=frame.index, dtype="float64"), unit="s", utc=True)
    return frame


def _column(domain: Any, values: list[Any]) -> list[float]:
    choices: Sequence[Any] = ()
    if isinstance(domain, Candidate):
        raise TypeError("to_numpy: candidates of a pool have ids, no numbers. Take to_dicts(), and pool.rows(ids) for their rows")
    if isinstance(domain, (Choice, Ordinal)):
        choices = list(domain.choices)
    elif isinstance(domain, Fixed):
        choices = (domain.value,)
    if any(isinstance(choice, str) for choice in choices):
        position = {choice: i for i, choice in enumerate(choices)}
        return [position[value] for value in values]
    return [float(value) for value in values]
