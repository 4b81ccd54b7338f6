"""Ray as an executor: `salvo.minimize(f, space, executor=salvo.ray.RayExecutor())`."""

from __future__ import annotations

import concurrent.futures as cf
import threading
from collections.abc import Callable, Mapping
from typing import Any

from . import _check


def _call(fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    """What Ray runs: it takes functions of Python's own alone, and fn may be anything that can be called."""
    return fn(*args, **kwargs)


class RayExecutor(cf.Executor):
    """An executor of concurrent.futures whose calls are tasks of Ray's, on this machine or on a cluster.

    options: of each task, as Ray's own .options(...) takes them: num_cpus, num_gpus, resources, max_retries, ….
    Joins the Ray that runs (ray.init or RAY_ADDRESS), or begins one on this machine. What was handed to Ray is finished: nobody
    outside knows whether a task has begun, so none counts as one that can be cancelled, but for shutdown(cancel_futures=True).
    shutdown waits for the tasks and leaves Ray as it is. The function and its module must be at hand on the workers: what a
    script or a notebook defines is sent, once, so what changes in it later is not seen.
    """

    def __init__(self, options: Mapping[str, Any] | None = None) -> None:
        ray = _check.need("RayExecutor", "ray")
        if not ray.is_initialized():
            ray.init()
        self._ray = ray
        self._options = dict(options or {})
        self._lock = threading.Lock()
        self._tasks: dict[cf.Future[Any], Any] = {}
        self._sent: list[tuple[Any, Any]] = []  # the last functions, and where Ray keeps them
        self._call = ray.remote(_call).options(**self._options) if self._options else ray.remote(_call)
        self._closed = False

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> cf.Future[Any]:
        with self._lock:
            if self._closed:
                raise RuntimeError("RayExecutor: cannot submit after shutdown")
            out: cf.Future[Any] = cf.Future()
            out.set_running_or_notify_cancel()
            sent = (self._put(each) if callable(each) else each for each in args)
            task = self._tasks[out] = self._call.remote(self._put(fn), *sent, **kwargs)
        task.future().add_done_callback(lambda done: self._finish(out, done))
        return out

    def _put(self, function: Any) -> Any:
        """Functions travel once, not with every call: they may hold a data set."""
        for known, reference in self._sent:
            if known is function:
                return reference
        self._sent = [(function, self._ray.put(function)), *self._sent[:3]]
        return self._sent[0][1]

    def _finish(self, out: cf.Future[Any], done: cf.Future[Any]) -> None:
        with self._lock:
            self._tasks.pop(out, None)
        error = done.exception()
        if isinstance(error, self._ray.exceptions.TaskCancelledError):  # nothing is known of what it would have given
            out.set_exception(cf.BrokenExecutor("RayExecutor: the task was cancelled"))
        elif error is None:
            out.set_result(done.result())
        else:
            out.set_exception(getattr(error, "cause", None) or error)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        with self._lock:
            self._closed = True
            tasks = dict(self._tasks)
        for task in tasks.values() if cancel_futures else ():
            self._ray.cancel(task)
        if wait:
            cf.wait(tasks)
