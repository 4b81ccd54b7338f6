"""Optimise a Python function: ask, evaluate on any executor, tell."""

from __future__ import annotations

import concurrent.futures as cf
import contextlib
import itertools
import os
import pickle
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from . import _check, _core
from .outcome import clean, describe
from .pool import Pool
from .space import Domain, Params, Space
from .study import MAX_ASK, ModelOptions, Study
from .trial import Trial

Function = Callable[[Params], float]
Callback = Callable[[Study, Trial], Any]


class Stop(Exception):
    """Raised by a callback, it ends the run: what is running is finished, and nothing new begins."""


def minimize(f: Function, space: Space | Mapping[str, Domain] | Pool, evaluations: int = 1000, **options: Any) -> Study:
    """Minimise f(params) and return the study, whose .best is the answer.

    evaluations: of the whole study, those of earlier runs with the same storage included.
    batch: points that are out at the same time (default 100, or as many as there are evaluations).
    executor: any concurrent.futures executor: threads, processes, Dask's client.get_executor(), mpi4py's
        MPIPoolExecutor, salvo.ray.RayExecutor. None evaluates in this thread.
    schedule: "async" asks for new points as results arrive; "batch" waits for a whole batch.
    progress: True for a tqdm bar, False for none; None shows one on a terminal when tqdm is installed.
    callbacks: functions of (study, trial), called after each trial; salvo.Stop ends the run.
    storage, seed, num_initial, initial, name, method, model: as Study takes them.

    An exception in f, or a value that is no finite number, is a failed trial that keeps the traceback. When nothing but
    failures comes at first (20 of them, or all), the run gives up and raises RuntimeError; in a study without any value
    these trials stay pending, and the next run evaluates them again.
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
    direction: str = "minimize",
    batch: int | None = None,
    executor: cf.Executor | None = None,
    schedule: str = "async",
    progress: bool | None = None,
    callbacks: Callback | Iterable[Callback] = (),
    storage: str | os.PathLike[str] | None = None,
    seed: int | None = None,
    num_initial: int | None = None,
    initial: str | None = None,
    name: str | None = None,
    method: str | None = None,
    model: ModelOptions | Mapping[str, Any] | None = None,
) -> Study:
    """Minimise or maximise f: see minimize."""
    if not callable(f):
        raise TypeError(f"f: expected a function of the parameters, got {type(f).__name__}")
    evaluations = _check.whole("evaluations", evaluations, 1, 2**40)
    batch = min(100, evaluations) if batch is None else _check.whole("batch", batch, 1, MAX_ASK)
    if schedule not in ("async", "batch"):
        raise ValueError(f'schedule: expected "async" or "batch", got {schedule!r}')
    if executor is not None and not callable(getattr(executor, "submit", None)):
        raise TypeError(f"executor: expected one with submit, as in concurrent.futures, got {type(executor).__name__}")
    if isinstance(executor, cf.ProcessPoolExecutor):
        _require_pickle(f)
    listed = [callbacks] if callable(callbacks) else list(callbacks)
    for callback in listed:
        if not callable(callback):
            raise TypeError(f"callbacks: expected functions of (study, trial), got {type(callback).__name__}")
    study = Study(
        space, direction=direction, storage=storage, seed=seed, batch=batch, num_initial=num_initial, initial=initial, name=name,
        method=method, model=model
    )
    with _owner() as owner, _bar(progress, evaluations) as bar:
        run = _Run(study, f, executor, evaluations, batch, schedule == "async" and executor is not None, listed, bar, owner)
        run.run()
    return study


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
    """One run of a study."""

    GIVE_UP_AFTER = 20

    def __init__(
        self,
        study: Study,
        f: Function,
        executor: cf.Executor | None,
        evaluations: int,
        batch: int,
        refill: bool,
        callbacks: list[Callback],
        bar: Any,
        owner: str,
    ) -> None:
        self.study, self.f, self.executor, self.refill = study, f, executor, refill
        self.evaluations, self.batch = evaluations, batch
        self.callbacks, self.bar, self.owner = callbacks, bar, owner
        self.any_value = study.counts.done > 0
        self.worked = False  # a value has come in this run
        self.withheld: list[tuple[Trial, str]] = []  # failures before the study's first value
        self.num_failed = 0
        self.stopping = False

    def run(self) -> None:
        counts = self.study.counts
        self.bar.update(counts.done + counts.failed)
        waiting = list(self.study._trials(self.study._core.claim_orphans(self.owner)))
        running: dict[cf.Future[Any], Trial] = {}
        try:
            while True:
                room = 0 if self.stopping else self._room(len(running) + len(waiting))
                if room > 0:
                    waiting += self.study._ask(room, self.owner)
                if self.stopping:  # what has not begun stays pending, for a run to come
                    waiting.clear()
                    running = {future: trial for future, trial in running.items() if not future.cancel()}
                for trial in waiting:
                    running[self._submit(trial)] = trial
                waiting.clear()
                if not running:
                    break
                when = cf.FIRST_COMPLETED if self.refill else cf.ALL_COMPLETED
                done, _ = cf.wait(running, return_when=when)
                self._finish([(running.pop(future), future) for future in list(running) if future in done])
        except BaseException:
            for future in running:
                future.cancel()
            raise
        if self.withheld:
            self._give_up()

    def _room(self, out: int) -> int:
        if out and not self.refill:
            return 0
        counts = self.study.counts  # other runs may ask and tell as well
        room = min(self.batch - out, self.evaluations - (counts.total - counts.abandoned))
        points = self.study.space.num_points
        if room > 0 and np.isfinite(points):  # a finite space may not have so many left
            spent = counts.pending if self.study.pool is None else counts.total - counts.abandoned
            room = min(room, int(points) - spent)
        return max(0, room)

    def _submit(self, trial: Trial) -> cf.Future[Any]:
        if self.executor is not None:
            return self.executor.submit(_evaluate, self.f, dict(trial.params))
        future: cf.Future[Any] = cf.Future()
        future.set_result(_evaluate(self.f, dict(trial.params)))
        return future

    def _finish(self, finished: list[tuple[Trial, cf.Future[Any]]]) -> None:
        """Tells what came out, all of it at once."""
        outcomes = []
        for trial, future in finished:
            error = future.exception()
            if isinstance(error, cf.BrokenExecutor):
                raise error
            outcomes.append((trial, *((None, describe(error)) if error else future.result())))
        if any(value is not None for _, value, _ in outcomes):
            outcomes = [(trial, None, error) for trial, error in self.withheld] + outcomes
            self.withheld.clear()
            self.any_value = self.worked = True
        elif not self.any_value:
            self.withheld += [(trial, error) for trial, _, error in outcomes]
            self.num_failed += len(outcomes)
            outcomes = []
        else:
            self.num_failed += len(outcomes)
        if outcomes:
            self.study._core.tell([(trial.id, value, error, False) for trial, value, error in outcomes])
        self.bar.update(len(outcomes))
        if self.callbacks:
            self._call_back([self.study.trial(trial.id) for trial, _, _ in outcomes])
        limit = self.GIVE_UP_AFTER if self.withheld else max(self.GIVE_UP_AFTER, self.batch)
        if not self.worked and self.num_failed >= limit:
            self._give_up(outcomes[-1][2] if outcomes else None)

    def _give_up(self, error: str | None = None) -> None:
        error = error or self.withheld[-1][1]
        raise RuntimeError(f"the run gave up: all of its first {self.num_failed} evaluations failed. The last of them:\n{error}")

    def _call_back(self, trials: list[Trial]) -> None:
        for trial, callback in itertools.product(trials, self.callbacks):
            try:
                callback(self.study, trial)
            except Stop:
                self.stopping = True


def _evaluate(f: Function, params: Params) -> tuple[float | None, str]:
    """The value, or None and why: the traceback is made here, where it happened. Runs in the executor."""
    try:
        value = f(params)
        number = float(value)
    except Exception as error:
        return None, describe(error)
    if not np.isfinite(number):
        return None, clean(f"expected a finite value, got {number}")
    return number, ""


_owners: set[int] = set()
_owners_lock = threading.Lock()


@contextlib.contextmanager
def _owner() -> Iterator[str]:
    """The name under which a run owns its trials. A later run of this process gets the same number again, and with it
    what the earlier one left pending."""
    with _owners_lock:
        number = next(i for i in itertools.count(1) if i not in _owners)
        _owners.add(number)
    try:
        yield f"{_core.owner_of_this_process()} py{number}"
    finally:
        with _owners_lock:
            _owners.discard(number)


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
