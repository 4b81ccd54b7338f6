"""Optimise a Python function: ask, evaluate on any executor, tell."""

from __future__ import annotations

import concurrent.futures as cf
import contextlib
import itertools
import os
import pickle
import queue
import time
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Union

import numpy as np

from . import _check, _core
from .model_options import ModelOptions, PoolModelOptions
from .outcome import MachineFailure, Measured, Outcome, clean, describe, measured, shortened
from .output import Role
from .pool import Pool
from .space import Domain, Params, Space, as_space
from .study import MAX_ASK, Study, storage_path
from .trial import Trial

Function = Callable[[Params], Union[float, Mapping[str, float]]]
Callback = Callable[[Study, Trial], Any]


class Stop(Exception):
    """Raised by a callback, it ends the run: what is running is finished, and nothing new begins. (What Dask or Ray were handed is
    finished, too: nobody outside knows whether they have begun it.)"""


def minimize(f: Function, space: Space | Mapping[str, Domain] | Pool, evaluations: int = 1000, **options: Any) -> Study:
    """Minimise f(params) and return the study, whose .best is the answer.

    f: gives a number, or a mapping {"value": 1.2, "seconds": 30.0} of it and whatever else was measured.
    where: conditions among the parameters, "a + b <= 1" or several of them in a list: f is called where all of them hold.
    evaluations: of the whole study, those of earlier runs with the same storage included.
    batch: points that are out at the same time. Left out: a twentieth of the evaluations (100 at most), but at least one for each
        worker of a pool of threads or processes; for other executors, whose workers cannot be counted, 100 (a quarter of the
        evaluations, if that is less). A study that is resumed keeps its own.
    executor: any concurrent.futures executor: threads, processes, Dask's client.get_executor(), mpi4py's
        MPIPoolExecutor, salvo.ray.RayExecutor. None evaluates in this thread.
    schedule: "async" asks for new points as results arrive; "batch" waits for a whole batch.
    retries: attempts after the first, when it failed. MachineFailure says that it was not the point's fault.
    progress: True for a tqdm bar, False for none; None shows one on a terminal when tqdm is installed.
    time: how long the run may take, in seconds or as "90 min" or "2h": then nothing new begins, and what runs is waited for.
    target: stop when the recommended value is as good: the trial's own where there is no noise, else the model's mean there.
    patience: stop when so many evaluations have not improved the recommendation by more than its uncertainty (docs: when to stop).
    gain: stop when going on is expected to improve the recommended value by less than this, as the model has it.
        Which of the four ended the run is in the study's .stopped, in words.
    callbacks: functions of (study, trial), called after each trial (after failures that come first, once there is a value);
        salvo.Stop ends the run.
    num_initial: points of the initial design; left out: the batch, or one for each parameter and 4 more if the batch is smaller
        (and a third of the evaluations at most).
    storage, seed, initial, name, method, model: as Study takes them.

    An exception in f, or a value that is no finite number, is a failed trial that keeps the traceback. When nothing but
    failures comes at first (20 of them, or all), the run gives up and raises RuntimeError; in a study without any value
    these trials stay pending, and the next run evaluates them again. Results are stored as they come: a run that is
    killed loses what was being evaluated, and without an executor the results of the half second before that began.
    """
    return optimize(f, space, evaluations, direction="minimize", **options)


def maximize(f: Function, space: Space | Mapping[str, Domain] | Pool, evaluations: int = 1000, **options: Any) -> Study:
    """Maximise f(params) and return the study: see minimize."""
    return optimize(f, space, evaluations, direction="maximize", **options)


def optimize(
    f: Function,
    space: Space | Mapping[str, Domain] | Pool,
    evaluations: int = 1000,
    *,
    where: str | Iterable[str] | None = None,
    direction: str | None = None,
    outputs: Mapping[str, Role] | None = None,
    batch: int | None = None,
    executor: cf.Executor | None = None,
    schedule: str = "async",
    retries: int = 0,
    time: float | str | None = None,
    target: float | None = None,
    patience: int | None = None,
    gain: float | None = None,
    progress: bool | None = None,
    callbacks: Callback | Iterable[Callback] | None = (),
    storage: str | os.PathLike[str] | None = None,
    seed: int | None = None,
    num_initial: int | None = None,
    initial: str | None = None,
    name: str | None = None,
    method: str | None = None,
    model: ModelOptions | PoolModelOptions | Mapping[str, Any] | None = None,
) -> Study:
    """Minimise or maximise f, as direction says, or as outputs do where f gives several numbers by name: see minimize and Study.

    An output that f leaves out of its mapping, or gives as None, was not measured; one that is NaN is a failure.
    """
    if not callable(f):
        raise TypeError(f"f: expected a function of the parameters, got {type(f).__name__}")
    evaluations = _check.whole("evaluations", evaluations, 1, 2**40)
    if schedule not in ("async", "batch"):
        raise ValueError(f'schedule: expected "async" or "batch", got {schedule!r}')
    retries = _check.whole("retries", retries, 0, 2**31 - 2)
    seconds = _seconds(time)
    target = None if target is None else _check.real("target", target)
    patience = 0 if patience is None else _check.whole("patience", patience, 0, 2**40)
    gain = 0.0 if gain is None else _check.real("gain", gain)
    if executor is not None and (isinstance(executor, type) or not callable(getattr(executor, "submit", None))):
        raise TypeError(f"executor: expected one with submit, as in concurrent.futures, got {type(executor).__name__}")
    if isinstance(executor, cf.ProcessPoolExecutor):
        _require_pickle(f)
    listed = [callbacks] if callable(callbacks) else list(callbacks or ())
    for callback in listed:
        if not callable(callback):
            raise TypeError(f"callbacks: expected functions of (study, trial), got {type(callback).__name__}")
    if where is not None and not isinstance(space, Pool):
        space, where = as_space(space, where), None
    resumed = _core.store_exists(storage_path(storage))
    if batch is not None:
        batch = _check.whole("batch", batch, 1, MAX_ASK)
    elif not resumed:
        batch = _batch_for(evaluations, executor)
    if num_initial is None and batch is not None and not resumed:
        dims = 0 if isinstance(space, Pool) else as_space(space)._core.num_free
        num_initial = max(batch, min(dims + 4, evaluations // 3))
    study = Study(
        space, where=where, direction=direction, outputs=outputs, storage=storage, seed=seed, batch=batch, num_initial=num_initial, initial=initial, name=name,
        method=method, model=model
    )
    if target is not None and study._num_objectives > 1:
        raise ValueError(f"target: expected none with {study._num_objectives} objectives, which have a front, got {target}")
    at_once = batch or int(study.options["batch"])
    refill = schedule == "async" and executor is not None
    policy = _core.RunPolicy(study._core, evaluations, at_once, refill, retries)
    failing = _core.FailureWatch(refill)
    stopping = _core.Stopping(study._core, seconds, target, patience, gain)
    with contextlib.closing(policy), _bar(progress, evaluations) as bar:
        run = _Run(study, f, executor, evaluations, policy, failing, stopping, at_once, listed, bar)
        run.run()
    study.stopped = run.stopped
    return study


def _seconds(time: float | str | None) -> float:
    """Of a run; 0 where it has no end."""
    if time is None:
        return 0.0
    seconds = _core.seconds_of(time) if isinstance(time, str) else _check.real("time", time)
    if seconds is None or not 0 < seconds <= 1e9:
        raise ValueError(f'time: expected seconds or a duration like "90s", "10m" or "1h30m", more than 0, got {time!r}')
    return float(seconds)


def _batch_for(evaluations: int, executor: cf.Executor | None) -> int:
    """How many points are out at a time when nobody says: few enough that most of them are chosen by the model."""
    workers = 1 if executor is None else getattr(executor, "_max_workers", None)
    if not isinstance(workers, int):
        return max(1, min(100, evaluations // 4))
    return max(1, min(evaluations, max(workers, min(100, evaluations // 20))))


def _require_pickle(f: Function) -> None:
    """Says at once what a pool of processes cannot be sent. Python 3.11's own would fail later, and may then hang."""
    try:
        pickle.dumps(f)
    except Exception as error:
        raise TypeError(
            f"f: expected a function that can be sent to another process, got one that cannot: {error}. Define it at the top of a "
            "module (no lambda, no function inside a function), or use a ThreadPoolExecutor"
        ) from error


class _Run:
    """One run of a study. What to ask for, to try again, to tell and when to give up is the policy's, as for `salvo run`."""

    TELL_EVERY = 0.5  # seconds, without an executor

    def __init__(
        self,
        study: Study,
        f: Function,
        executor: cf.Executor | None,
        evaluations: int,
        policy: _core.RunPolicy,
        failing: _core.FailureWatch,
        stopping: _core.Stopping,
        batch: int,
        callbacks: list[Callback],
        bar: Any,
    ) -> None:
        self.study, self.f, self.executor, self.evaluations = study, f, executor, evaluations
        self.policy, self.failing, self.callbacks, self.bar = policy, failing, callbacks, bar
        self.rules, self.batch, self.unseen = stopping, batch, 0
        self.stopped: str | None = None  # by which of the rules
        self.waiting: deque[Trial] = deque()
        self.outputs = tuple(study.outputs)  # their names
        self.stopping = False

    def run(self) -> None:
        self.begun = time.time()
        counts = self.study.counts
        self.bar.update(counts.done + counts.failed)
        waiting = self.waiting
        waiting.extend(self.study._trials(self.study._core.claim_orphans(self.policy.owner)))
        running: dict[cf.Future[Any], Trial] = {}
        ended: queue.SimpleQueue[cf.Future[Any]] = queue.SimpleQueue()  # cf.wait would not see one that somebody cancelled
        self._stop_if(self.rules.look(self.study._core))
        try:
            while True:
                self._stop_if(self.rules.clock())
                self._give_up(nothing_left=False)
                room = 0 if self.stopping else self._room(len(running) + len(waiting))
                if room > 0:
                    waiting.extend(self.study._ask(room, self.policy.owner))
                if self.stopping:  # what has not begun stays pending, for a run to come
                    waiting.clear()
                    running = {future: trial for future, trial in running.items() if not self._cancel(future)}
                if self.executor is None:
                    self._evaluate_here()
                    self._warn_of_failures(batch_done=True)
                while self.executor is not None and waiting:
                    future = self.executor.submit(_evaluate, self.f, dict(waiting[0].params), self.outputs)
                    running[future] = waiting.popleft()
                    future.add_done_callback(ended.put)
                if running:
                    done = [ended.get()]
                    while not ended.empty():
                        done.append(ended.get())
                    self._collect([(running.pop(future), future) for future in done if future in running])
                    self._warn_of_failures(batch_done=not running and not waiting)
                elif self.stopping or self._room(0) == 0:
                    break
        except BaseException:
            for future in running:
                future.cancel()
            done_ones = [(trial, future) for future, trial in running.items() if future.done() and not future.cancelled()]
            self._rescue([_outcome(trial, *future.result()) for trial, future in done_ones if future.exception() is None])
            raise
        self._give_up(nothing_left=not self.stopping)
        self._warn_of_others()

    def _cancel(self, future: cf.Future[Any]) -> bool:
        """False for what has begun. Dask says True of that as well, and goes on with it unheard."""
        return not type(self.executor).__module__.startswith("distributed") and future.cancel()

    def _evaluate_here(self) -> None:
        waiting = self.waiting
        outcomes: list[Outcome] = []
        told = time.monotonic()
        try:
            while waiting and not self.stopping and not self._machine()[3]:
                trial = waiting.popleft()
                outcomes += self._outcomes(trial, *_evaluate(self.f, dict(trial.params), self.outputs))
                if self.callbacks or not waiting or time.monotonic() - told >= self.TELL_EVERY:
                    now, outcomes = outcomes, []
                    self._finish(now)
                    told = time.monotonic()
                self._stop_if(self.rules.clock())
            now, outcomes = outcomes, []
            if now:
                self._finish(now)
        except BaseException:
            self._rescue(outcomes)
            raise

    def _room(self, num_out: int) -> int:
        return self.policy.room(self.study._core, num_out)

    def _outcomes(self, trial: Trial, value: Measured | None, error: str) -> list[Outcome]:
        """What came of an attempt; nothing when there will be another."""
        if isinstance(error, _ByMachine):
            if self.policy.retry_machine(trial.id, error):
                self.waiting.append(trial)
            return []
        if value is None and self.policy.retry(trial.id):
            self.waiting.appendleft(trial)  # not begun when the run is stopping: then it stays pending
            return []
        return [_outcome(trial, value, error)]

    def _collect(self, finished: list[tuple[Trial, cf.Future[Any]]]) -> None:
        """Tells what came out. What the executor lost stays pending, and is an error of this run once all else is told."""
        outcomes: list[Outcome] = []
        lost: BaseException | None = None
        for trial, future in finished:
            if future.cancelled():
                lost = cf.CancelledError(f"the executor cancelled trial {trial.id}, which stays pending. Run again to go on")
                continue
            error = future.exception()
            if isinstance(error, cf.BrokenExecutor):
                lost = error
            else:
                why = _ByMachine(describe(error)) if error and _is_lost(error) else describe(error) if error else ""
                outcomes += self._outcomes(trial, *((None, why) if error else future.result()))
        if outcomes:
            self._finish(outcomes)
        if lost is not None:
            raise lost

    def _rescue(self, outcomes: list[Outcome]) -> None:
        """The run ends by an exception: the values that came before are told, and nothing more."""
        with contextlib.suppress(Exception):  # the first one is the one to be seen
            self._taken(self.policy.tell(self.study._core, [outcome for outcome in outcomes if not isinstance(outcome[1], str)]))

    def _finish(self, outcomes: list[Outcome]) -> None:
        """Tells what came out, all of it at once, or holds it back."""
        for _, outcome in outcomes:
            self.failing.count(outcome if isinstance(outcome, str) else None)
        taken = self._taken(self.policy.record(self.study._core, outcomes))
        self.bar.update(len(taken))
        self.unseen += len(taken)
        if self.unseen >= self.batch or any(self._is_good(outcome) for outcome in outcomes):
            self.unseen = 0
            self._stop_if(self.rules.look(self.study._core))
        if self.callbacks:
            self._call_back([self.study.trial(number) for number in taken])
        self._give_up(nothing_left=False)

    def _is_good(self, outcome: Outcome) -> bool:
        value = outcome[1].get(self.outputs[0]) if isinstance(outcome[1], Mapping) else outcome[1]
        return isinstance(value, (int, float)) and self.rules.reaches(value)

    def _stop_if(self, why: str | None) -> None:
        if why is not None and not self.stopping:
            self.stopping, self.stopped = True, why

    def _taken(self, recorded: tuple[Any, ...]) -> list[int]:
        """The trials whose outcomes the study took: somebody else may have told or abandoned one meanwhile."""
        taken, refused = recorded
        for why in refused:
            warnings.warn(why, stacklevel=3)
        return list(taken)

    def _warn_of_failures(self, batch_done: bool) -> None:
        """A run goes on when most evaluations fail, but not without a word."""
        found: Any = self.failing.look(batch_done)
        if found is not None:
            failed, of, reason = found
            warnings.warn(f"{failed} of the last {of} evaluations failed. The last of them:\n{reason}", stacklevel=5)

    def _warn_of_others(self) -> None:
        """Short of its evaluations: somebody else has them, or had them and died on another machine."""
        counts = self.study.counts
        if self.stopping or counts.pending == 0 or counts.done + counts.failed >= self.evaluations:
            return
        if old := [trial.id for trial in self.study.pending if trial.asked_at < self.begun]:
            ids = ", ".join(map(str, old[:10])) + ", …" * (len(old) > 10)
            warnings.warn(
                f"{counts.done + counts.failed} of {self.evaluations} evaluations are done, and {len(old)} trials were pending before "
                f"this run began: with another run or machine, or with none that lives. If nobody is at them, study.abandon([{ids}]) "
                "and run again",
                stacklevel=5,  # who called minimize or maximize
            )

    def _machine(self) -> tuple[int, list[int], str, bool]:
        """Attempts that the machine ended, trials that are pending for it, why, and whether it stays broken."""
        found: Any = self.policy.machine()
        attempts, left, why, broken = found
        return attempts, left, why, broken

    def _give_up(self, nothing_left: bool) -> None:
        attempts, left, why, broken = self._machine()
        if broken or (nothing_left and left and self.study.counts.done == 0):
            raise RuntimeError(
                f"the run gave up: the machine failed again and again, {attempts} times. Its trials wait for the next run. At last:\n{why}"
            )
        if nothing_left and left:
            ids = ", ".join(map(str, left[:10])) + ", …" * (len(left) > 10)
            warnings.warn(
                f"the machine failed at each attempt at trials {ids}, which wait for the next run. At last:\n{why}", stacklevel=5
            )
        found: Any = self.policy.all_failed(nothing_left)
        if found is not None:
            count, error, held = found
            wait = ", and wait for the next run" if held else ""
            raise RuntimeError(f"the run gave up: all of its first {count} evaluations failed{wait}. The last of them:\n{error}")

    def _call_back(self, trials: list[Trial]) -> None:
        for trial, callback in itertools.product(trials, self.callbacks):
            try:
                callback(self.study, trial)
            except Stop:
                self.stopping = True


class _ByMachine(str):
    """An error that says nothing of the point."""


def _is_lost(error: BaseException) -> bool:
    """A worker that Dask or Ray lost, with what it was doing."""
    lost = {
        "distributed": ("KilledWorker", "CommClosedError", "NoValidWorkerError"),
        "ray": ("WorkerCrashedError", "NodeDiedError", "ActorDiedError", "ObjectLostError", "OwnerDiedError"),
    }
    return isinstance(error, MachineFailure) or any(
        each.__name__ in lost.get(each.__module__.partition(".")[0], ()) for each in type(error).__mro__
    )


def _outcome(trial: Trial, value: Measured | None, error: str) -> Outcome:
    return (trial.id, error if value is None else value)


def _evaluate(f: Function, params: Params, outputs: tuple[str, ...]) -> tuple[Measured | None, str]:
    """What was measured, or None and why: the traceback is made here, where it happened. Runs in the executor."""
    try:
        value = f(params)
        if isinstance(value, (str, bytes)):
            raise TypeError(f"expected a number, got the text {value!r:.60}")
        found = measured(value, outputs)
        if isinstance(found, dict):
            if not any(output in found for output in outputs):
                wanted = f"the key {outputs[0]!r}" if len(outputs) == 1 else f"one of the keys {', '.join(map(repr, outputs))} at least"
                raise KeyError(f"expected a mapping with {wanted}, got one without")
            found = {name: shortened(each) if isinstance(each, str) else each for name, each in found.items()}
        if not isinstance(found, dict) and len(outputs) > 1:
            raise TypeError(f"expected a mapping of {', '.join(map(repr, outputs))} to values, got a number")
    except MachineFailure as error:
        return None, _ByMachine(describe(error))
    except Exception as error:
        return None, describe(error)
    numbers = {name: each for name, each in (found if isinstance(found, dict) else {outputs[0]: found}).items() if not isinstance(each, str)}
    wrong = [f"{name + ': ' if len(outputs) > 1 else ''}expected a finite value, got {each}" for name, each in numbers.items() if not np.isfinite(each)]
    if wrong:  # what was measured all the same stands in the reason: nobody has to measure it again
        right = ", ".join(f"{name} {each!r}" for name, each in numbers.items() if np.isfinite(each))
        return None, clean("; ".join(wrong) + (f"; measured: {right}" if right else ""))
    return found, ""


class _NoBar:
    def update(self, count: int) -> None:
        pass


@contextlib.contextmanager
def _bar(progress: bool | None, total: int) -> Iterator[Any]:
    if progress is False:
        yield _NoBar()
        return
    try:
        tqdm = _check.need("progress=True", "tqdm.auto")
    except ImportError:
        if progress:
            raise
        yield _NoBar()
        return
    with tqdm.tqdm(total=total, unit="trial", disable=None if progress is None else False) as bar:
        yield bar
