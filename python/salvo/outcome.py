"""What came of a trial: a value, or a failure."""

from __future__ import annotations

import traceback
from typing import Any

import numpy as np

from . import _check


class Failed:
    """A trial that has no value. salvo.FAILED is one without a reason; salvo.FAILED("out of memory") has one."""

    __slots__ = ("error",)

    def __init__(self, error: str = "failed") -> None:
        self.error = _check.text("FAILED", error) or "failed"

    def __call__(self, error: str) -> Failed:
        return Failed(error)

    def __repr__(self) -> str:
        return "salvo.FAILED" if self.error == "failed" else f"salvo.FAILED({self.error!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Failed) and self.error == other.error

    def __hash__(self) -> int:
        return hash(self.error)


FAILED = Failed()


def describe(error: BaseException) -> str:
    """An exception with its traceback, as text that a database takes."""
    return clean("".join(traceback.format_exception(type(error), error, error.__traceback__)).rstrip())


def clean(text: str) -> str:
    return text.replace("\0", "\\0").encode("utf-8", "backslashreplace").decode("utf-8")


def outcome(trial: int, value: Any) -> tuple[int, float | None, str, bool]:
    """(id, value or None, error, abandoned), as the extension takes it."""
    if isinstance(value, Failed):
        return (trial, None, clean(value.error), False)
    if isinstance(value, BaseException):
        return (trial, None, describe(value), False)
    if value is None or isinstance(value, (str, bytes, complex)):
        kind = type(value).__name__
        raise TypeError(f"tell: trial {trial}: expected a number or salvo.FAILED, got {kind}")
    try:
        return (trial, float(value.item() if isinstance(value, np.ndarray) and value.size == 1 else value), "", False)
    except OverflowError:
        raise ValueError(f"tell: trial {trial}: expected a finite value, got one too large") from None
    except (TypeError, ValueError):
        kind = type(value).__name__
        raise TypeError(f"tell: trial {trial}: expected a number or salvo.FAILED, got {kind}") from None
