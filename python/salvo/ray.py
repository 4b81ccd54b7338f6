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
    Joins the Ray that runs (ray.init or RAY_ADDRESS), or begins one on this machine. shutdown waits for the tasks and leaves
    Ray as it is. The function and its module must be at hand on the workers: what a script or a notebook defines is sent.
    """

    def __init__(self, options: Mapping[str, Any] | None = None) -> None:
        ray = _check.need("RayExecutor", "ray")
        if not ray.is_initialized():
            ray.init()
        self._ray = ray
        self._options = dict(options or {})
        self._lock = threading.Lock()
        self._tasks: dict[cf.Future[Any], Any] = {}
        self._sent: tuple[Any, Any] | None = None  # the last function, and where Ray keeps it
        self._call = ray.remote(_call).options(**self._options) if self._options else ray.remote(_call)
        self._closed = False

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> cf.Future[Any]:
        with self._lock:
            if self._closed:
                raise RuntimeError("RayExecutor: cannot submit after shutdown")
            if self._sent is None or self._sent[0] is not fn:
                self._sent = (fn, self._ray.put(fn))
            out: cf.Future[Any] = cf.Future()
            task = self._tasks[out] = self._call.remote(self._sent[1], *args, **kwargs)
        task.future().add_done_callback(lambda done: self._finish(out, done))
        return out

    def _finish(self, out: cf.Future[Any], done: cf.Future[Any]) -> None:
        with self._lock:
            self._tasks.pop(out, None)
        if not out.set_running_or_notify_cancel():  # nobody waits for it any more
            return
        error = done.exception()
        if error is None:
            out.set_result(done.result())
        else:
            out.set_exception(getattr(error, "cause", None) or error)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        with self._lock:
            self._closed = True
            tasks = dict(self._tasks)
        for future, task in tasks.items() if cancel_futures else ():
            if future.cancel():
                self._ray.cancel(task)
        if wait:
            cf.wait(tasks)
