from __future__ import annotations

from . import _check, _core


def set_num_threads(num_threads: int) -> None:
    """Threads that Salvo computes with; 0: one for each core this process may use. Results do not depend on it."""
    _core.set_num_threads(_check.whole("num_threads", num_threads, 0, 4096))
