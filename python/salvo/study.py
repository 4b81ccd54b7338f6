"""Ask and tell."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from . import _check, _core
from .answers import Answers
from .model_options import ModelOptions, PoolModelOptions
from .outcome import by_row, each_of, has_no_sd, has_outcomes, is_by_name, outcome, with_sds
from .output import Role, as_given
from .pool import Pool
from .remarks import Remarks, trial_id, trial_ids
from .space import Candidate, Domain, Space, as_space, rows, split_frame
from .trial import Amendment, Counts, Prior, SpaceChange, Trial, Trials, frame_of, trial_of

if TYPE_CHECKING:
    from .interactive import InteractivePlots
    from .plot import Plots

MAX_ASK = 1_000_000


class Study(Remarks, Answers):
    """A study: what may vary, what has been tried, and what to try next.

    where has conditions among the parameters, "a + b <= 1" or several of them in a list: points are handed out where all of them
    hold, and those that the Space has by itself.
    direction is "minimize" or "maximize": a new study needs it, and one that is resumed has its own.
    outputs, in its place, says what each of several numbers is for: {"yield": "maximize", "cost": salvo.Objective("minimize",
    reference=20), "purity": salvo.Constraint(min=0.95), "sound": "passed"}. Values are then mappings of these names.
    storage is the file that keeps it: created when it is not there, resumed when it is; None keeps the study in memory.
    Over a salvo.Pool a trial's one parameter is `candidate`, an id, and no candidate is handed out twice.
    model is a salvo.ModelOptions, or a salvo.PoolModelOptions over a pool, or a mapping of some of their fields.
    method is how batches are chosen: "auto" (anywhere and around the best point, by what came of it), or another of
    salvo.methods().
    batch is the usual size of an ask, 100 unless given, and num_initial the number of points of the initial design, as many as
    batch unless given: say one of them when you ask for fewer at a time.
    Several processes may use one file at once, and several threads one Study. What is left out (None) is as it was
    in a study that is resumed, and the default in a new one; so is what a mapping given as model leaves out.
    A study that is resumed with another space refuses and says what would change; with accept_changes=True its space becomes this
    one. before has the value that earlier trials had of each parameter that is new. Trials outside the new space are history.
    stopped says, after minimize or maximize, which of time, target, patience and gain ended the run, in words; None: none of them.
    """

    stopped: str | None = None

    def __init__(
        self,
        space: Space | Mapping[str, Domain] | Pool,
        *,
        where: str | Iterable[str] | None = None,
        direction: str | None = None,
        outputs: Mapping[str, Role] | None = None,
        storage: str | os.PathLike[str] | None = None,
        seed: int | None = None,
        batch: int | None = None,
        num_initial: int | None = None,
        initial: str | None = None,
        name: str | None = None,
        method: str | None = None,
        model: ModelOptions | PoolModelOptions | Mapping[str, Any] | None = None,
        accept_changes: bool = False,
        before: Mapping[str, Any] | None = None,
    ) -> None:
        pool = space if isinstance(space, Pool) else None
        if pool is not None and where is not None:
            raise ValueError("where: expected none over a pool; leave the candidates that are not allowed out of it")
        self._space = Space(candidate=Candidate(len(pool))) if pool is not None else as_space(space, where)
        if pool is not None and initial is not None:
            raise ValueError(f"initial: expected none for a study over a pool, which begins at random, got {initial!r}")
        path = storage_path(storage)
        options: dict[str, Any] = {
            "direction": direction, "outputs": None if outputs is None else as_given(outputs), "batch": batch, "num_initial": num_initial, "initial": initial, "name": name, "method": method,
            "seed": None if seed is None else _check.seed_of(seed),
            "model": None if model is None else _mapping(model, ModelOptions if pool is None else PoolModelOptions),
        }  # fmt: skip
        if direction is not None and outputs is not None:
            raise ValueError("direction: expected it or outputs, which say what each output is for, got both")
        given = {key: value for key, value in options.items() if value is not None}
        if before is not None and not (isinstance(before, Mapping) and all(isinstance(key, str) for key in before)):
            raise TypeError(f"before: expected a mapping of new parameters' names to values, got {before!r}")
        self._core = _core.Study.open_or_create(
            self._space._core, given, path, None if pool is None else pool._core, bool(accept_changes), dict(before or {})
        )

    @classmethod
    def open(cls, storage: str | os.PathLike[str]) -> Study:
        """A study that is there, with everything as it was; StoreError (an OSError) when it is not."""
        study = cls.__new__(cls)
        study._core = _core.Study.open(storage_path(storage))
        study._space = Space._from_core(study._core.space)
        return study

    # Ask and tell

    def ask(self, size: int = 1, *, fixed: Mapping[str, Any] | None = None) -> Trials:
        """New points to evaluate: distinct, and none of them pending. First those of the queue, then the initial design, then
        the model's. With fixed, {"temperature": 450}, only points with these values: the others are chosen for them.
        """
        return self._ask(size, "", fixed)

    def _ask(self, size: int, owner: str, fixed: Mapping[str, Any] | None = None) -> Trials:
        size = _check.whole("ask", size, 1, MAX_ASK)
        if fixed is not None and not (isinstance(fixed, Mapping) and all(isinstance(name, str) for name in fixed)):
            raise TypeError(f"ask: fixed: expected a mapping of parameters' names to values, got {fixed!r}")
        self._require_memory(size)
        return self._trials(self._core.ask(size, owner, dict(fixed or {})))

    def enqueue(self, points: Any, *, again: bool = False) -> int:
        """Points (one mapping, several, or a frame) to be tried next: every ask hands them out first. How many came in: those
        that wait already, are pending or have a value are left out; with again=True a value is no hindrance.
        """
        return self._core.enqueue(rows([points] if isinstance(points, Mapping) else points, self._space), bool(again))

    def unqueue(self, numbers: Any = None) -> int:
        """Takes points out of the queue again, by the numbers that queue() has; all of them when none are given."""
        if numbers is None:
            numbers = list(self.queue())
        elif isinstance(numbers, (int, np.integer)):
            numbers = [numbers]
        return self._core.unqueue([_check.whole("unqueue", number, 1, 2**62) for number in _check.listed("unqueue: numbers", numbers)])

    def queue(self) -> dict[int, dict[str, Any]]:
        """What waits to be tried, in its order: points by their numbers in the queue."""
        return dict(self._core.queue())

    def _require_memory(self, size: int) -> None:
        """A path holds a weight for each feature and each inducing point, twice. A design has no paths."""
        options = self.options
        sizes = (options["model"][name] for name in ("num_features", "num_inducing"))
        needed = 2.0 * size * sum(2000 if one == "auto" else one for one in sizes)
        if needed > 10**7 and self.pool is None and options["method"] not in ("random", "sobol") and self.counts.done >= 2:
            _check.require_memory(f"ask({size})", needed)

    def tell(self, trials: Any, values: Any, *, sd: Any = None) -> None:
        """Values of trials, in any order and at any time: all are stored, or none.

        trials is one trial or its number, or a sequence of them; values is a number, salvo.FAILED, salvo.FAILED("why")
        or an exception, or a sequence of these. A mapping {"value": 1.2, "seconds": 30.0} is a value, too, and what else was
        measured: Trial.measured keeps numbers, Trial.said texts. In a study with outputs of their own names a mapping has a value
        for each of them; what is missing or None was not measured. Of several trials a mapping of names to sequences, or a frame, says the same. sd is the
        standard error of the value, or of each: the model weighs values by it; NaN or None: nobody knows. A mapping's "sd" says the same. A pandas series whose index is called "trial", as that of
        Trials.to_pandas() is, goes by its index and not by its order.
        """
        if isinstance(trials, (Trial, int, np.integer)) and not isinstance(trials, bool):
            self._core.tell([outcome(trial_id("tell", trials), with_sds("tell", [values], sd, 1)[0], outputs=self._names)])
            return
        ids = trial_ids("tell", trials)
        listed = each_of("tell", values, self._names)
        if len(ids) != len(listed):
            raise ValueError(f"tell: expected one value for each of {len(ids)} trials, got {len(listed)}")
        if getattr(getattr(values, "index", None), "name", None) == "trial":
            by_number = dict(zip((trial_id("tell", number) for number in values.index), listed))
            if len(by_number) < len(listed):
                raise ValueError("tell: expected one value for each trial, got a series with a trial twice")
            if by_number.keys() != set(ids):
                odd = sorted(by_number.keys() ^ set(ids))[0]
                raise ValueError(f"tell: expected values of the same trials, got trial {odd} in one of the two only")
            listed = [by_number[trial] for trial in ids]
        listed = with_sds("tell", listed, sd, len(ids))
        self._core.tell([outcome(trial, value, outputs=self._names) for trial, value in zip(ids, listed)])

    def abandon(self, trials: Any) -> None:
        """Trials that nobody will evaluate: their points may be asked for again."""
        self._core.tell([(trial, None) for trial in trial_ids("abandon", trials)])

    # Putting right

    def amend(self, trials: Any, values: Any, *, sd: Any = None, reason: str = "") -> None:
        """Other values (or failures) for trials that were told: a slip of the pen, a balance that was not calibrated.

        trials, values and sd are as for tell, but that a standard error stays when none is given: NaN takes it off. All are
        changed or none; amendments() says what was. The next ask learns anew.
        """
        ids = trial_ids("amend", trials)
        listed = [values] if isinstance(trials, (Trial, int, np.integer)) else each_of("amend", values, self._names)
        if len(ids) != len(listed):
            raise ValueError(f"amend: expected one value for each of {len(ids)} trials, got {len(listed)}")
        listed = with_sds("amend", listed, sd, len(ids))
        unknown = [trial for trial, value in zip(ids, listed) if has_no_sd(value)]
        told = [outcome(trial, value, "amend", self._names) for trial, value in zip(ids, listed)]
        self._core.amend(told, _check.text("amend: reason", reason), unknown)

    def forget(self, trials: Any, *, reason: str = "") -> None:
        """Values and failures taken back, as if they had never been told: their points may be asked for again."""
        self._core.forget(trial_ids("forget", trials), _check.text("forget: reason", reason))

    def revive(self, trials: Any, *, reason: str = "") -> None:
        """Trials that failed or were abandoned are pending again."""
        self._core.revive(trial_ids("revive", trials), _check.text("revive: reason", reason))

    def amendments(self) -> list[Amendment]:
        """What was put right, in the order it was."""
        return [Amendment(*fields) for fields in self._core.amendments()]

    def space_changes(self) -> list[SpaceChange]:
        """How the study's space has changed since it began, in the order it did."""
        return [SpaceChange(*fields) for fields in self._core.space_changes()]

    def backup(self, path: str | os.PathLike[str]) -> None:
        """A copy of the whole study in a file of its own, while others go on; OSError when something is there."""
        self._core.backup(storage_path(path))

    def add(self, points: Any, values: Any, *, sd: ArrayLike | None = None) -> list[int]:
        """Points evaluated elsewhere (mappings, or a pandas or polars frame) and their values: returns their numbers. Columns of a
        frame that are no parameters are kept beside the values: Trial.measured has numbers, Trial.said texts. Values are numbers, or
        what else tell takes: salvo.FAILED("why"), {"value": 1.2, "seconds": 30.0}.

        sd is the standard error of the values, or of each, as for tell. A pandas series goes with a pandas frame by its index. In a
        study with outputs of their own names values are mappings of these, or a mapping of them to sequences (or a frame).
        """
        points, beside = split_frame(points, self._space, self._names)
        if len(self._names) > 1 or is_by_name(values) or has_outcomes(values):
            listed = by_row(values, self._names)
            if sd is not None:
                raise ValueError("add: sd: expected none beside values by name, or failures: a mapping may have its own, {\"value\": 1.2, \"sd\": 0.1}")
            if beside and len(beside) == len(listed):
                listed = [{**more, **value} if isinstance(value, Mapping) else value for more, value in zip(beside, listed)]
            each = [outcome(i, value, "add", self._names)[1] for i, value in enumerate(listed, 1)]
            return self._core.add_outcomes(rows(points, self._space), each)
        numbers = _check.array("values", _check.in_order_of(points, values), 1)
        if any(beside) and len(beside) == len(numbers):
            listed = with_sds("add", [{**more, "value": value} for more, value in zip(beside, numbers)], self._sds(points, sd, numbers), len(numbers))
            return self._core.add_outcomes(rows(points, self._space), [outcome(i, value, "add")[1] for i, value in enumerate(listed, 1)])
        return self._core.add(rows(points, self._space), numbers, self._sds(points, sd, numbers))

    @staticmethod
    def _sds(points: Any, sd: ArrayLike | None, numbers: np.ndarray) -> np.ndarray | None:
        if sd is None:
            return None
        return np.ascontiguousarray(np.broadcast_to(np.asarray(_check.in_order_of(points, sd), dtype=float), numbers.shape))

    def set_prior(self, points: Any, values: ArrayLike, *, source: str, sd: ArrayLike | None = None) -> None:
        """Values of another function that is expected to be alike: another machine's, another material's, a simulation's.

        Its posterior mean becomes the prior mean of this study, with an offset and a scale that are learned. The points must be
        points of this study, and values better in the same direction. It takes the place of an earlier prior; source says
        where it came from, sd the standard errors of the values, as for add. model_report["prior"] says what it is worth.
        """
        numbers = _check.array("values", _check.in_order_of(points, values), 1)
        sds = self._sds(points, sd, numbers)
        self._core.set_prior(rows(points, self._space), numbers, _check.text("set_prior: source", source), sds)

    def remove_prior(self) -> bool:
        """Expects nothing any more; False when there was no prior."""
        return self._core.remove_prior()

    # What is known

    @property
    def prior(self) -> Prior | None:
        """Where the study's expectation came from, if it has one."""
        found: Any = self._core.prior()
        return None if found is None else Prior(*found)

    @property
    def trials(self) -> Trials:
        return self._trials(self._core.trials())

    @property
    def pending(self) -> Trials:
        return self._trials(self._core.pending())

    def trial(self, number: int) -> Trial:
        """The trial with this number; KeyError when there is none."""
        found: Any = self._core.trial(_check.whole("trial", number, -(2**63), 2**63 - 1))
        if found is None:
            raise KeyError(f"trial {number} is not in the study")
        return self._trial(found)

    def trials_dataframe(self) -> Any:
        """A pandas frame of all trials, by number: parameters, value (or a column for each output), measured.… and said.… (what else was told), state, origin,
        error, tags where there are any, times.
        """
        return frame_of(self.trials, self._names)

    @property
    def counts(self) -> Counts:
        return Counts(*self._core.counts())

    @property
    def space(self) -> Space:
        return self._space

    @property
    def pool(self) -> Pool | None:
        """The pool it is over, if it is over one."""
        found = self._core.pool()
        return None if found is None else Pool(found)

    @property
    def options(self) -> dict[str, Any]:
        """Name, direction, seed, batch, initial design, method and model."""
        return self._core.options()

    @property
    def direction(self) -> str:
        """Of the first objective."""
        return str(self.options["direction"])

    @property
    def storage(self) -> str:
        return self._core.path()

    @property
    def seconds(self) -> dict[str, float]:
        """Spent by this Study: fit, draw, maximise, store."""
        return self._core.seconds()

    @property
    def plot(self) -> Plots:
        """Pictures with matplotlib: progress, slices, parallel, importance."""
        from .plot import Plots

        return Plots(self)

    @property
    def plotly(self) -> InteractivePlots:
        """The same pictures with plotly."""
        from .interactive import InteractivePlots

        return InteractivePlots(self)

    def close(self) -> None:
        self._core.close()

    def __enter__(self) -> Study:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __len__(self) -> int:
        return self.counts.total

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        counts = self.counts
        return f"Study({self.options['name']!r}, storage={self.storage!r}, done={counts.done}, pending={counts.pending})"

    def __reduce__(self) -> tuple[Any, ...]:
        if self.storage == ":memory:":
            raise TypeError("Study: one in memory cannot be pickled. Give it a storage")
        return (Study.open, (os.path.abspath(self.storage),))

    def _trials(self, found: Iterable[tuple[Any, ...]]) -> Trials:
        tags = self.tags()
        return Trials((trial_of(trial, tags.get(trial[0], ())) for trial in found), self._space)

    def _trial(self, found: tuple[Any, ...]) -> Trial:
        return trial_of(found, tuple(self._core.tags_of(found[0])))


def methods() -> dict[str, str]:
    """The ways to choose a batch, by name, each with a line that says what it does."""
    return dict(_core.methods())


def storage_path(storage: str | os.PathLike[str] | None) -> str:
    path = ":memory:" if storage is None else os.fspath(storage)
    if not isinstance(path, str):
        raise TypeError(f"storage: expected a path, got {type(storage).__name__}")
    return path


def _mapping(model: Any, options: type) -> dict[Any, Any]:
    if not isinstance(model, (options, Mapping)):
        raise TypeError(f"model: expected salvo.{options.__name__} or a mapping, got {type(model).__name__}")
    return dict(model if isinstance(model, Mapping) else vars(model))
