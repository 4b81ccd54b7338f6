"""What came of a trial: a value, with whatever else was measured, or a failure."""

from __future__ import annotations

import traceback
from collections.abc import Collection, Mapping
from typing import Any, Union

import numpy as np

from . import _check

Measured = Union[float, dict[str, Union[float, str]]]  # a value, or what was measured and said by name
Outcome = tuple[int, Union[Measured, str, None]]  # as the extension takes it: a text says why it failed, None abandons


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


class MachineFailure(Exception):
    """Raised by a function that is run: the machine failed (a licence server, a lost connection, a full disk), not the point. The
    trial is tried again, twice or `retries` times, after what else waits, and then left pending for a run to come. The same holds
    for workers that Dask or Ray lost."""


SD = "sd"  # what is measured under this name is the standard error of the value


def describe(error: BaseException) -> str:
    """An exception with its traceback, as text that a database takes."""
    return clean("".join(traceback.format_exception(type(error), error, error.__traceback__)).rstrip())


def clean(text: str) -> str:
    return text.replace("\0", "\\0").encode("utf-8", "backslashreplace").decode("utf-8")


def shortened(text: str) -> str:
    """As much of a text as is kept beside a value: a long one does not end a run."""
    return text.encode()[:1000].decode("utf-8", "ignore")


def outcome(trial: int, value: Any, where: str = "tell", outputs: Collection[str] = ()) -> Outcome:
    """A trial's outcome as the extension takes it, from whatever stands for one."""
    if isinstance(value, Failed):
        return (trial, clean(value.error))
    if isinstance(value, BaseException):
        return (trial, describe(value))
    try:
        return (trial, measured(value, outputs))
    except (TypeError, ValueError) as error:
        raise type(error)(f"{where}: trial {trial}: {error}") from None


def measured(value: Any, outputs: Collection[str] = ()) -> Measured:
    """A number, or a mapping from names: the study's output, "value", and whatever else was measured or said (texts). Of several
    outputs None says that one was not measured, as leaving it out does.
    """
    if isinstance(value, Mapping):
        known = {name: each for name, each in value.items() if not (each is None and len(outputs) > 1 and name in outputs)}
        return without_nan_sd({_check.text("a mapping's key", name): _entry(name, each) for name, each in known.items()})
    return _number(value, "expected a number, a mapping or salvo.FAILED")


def _entry(name: str, each: Any) -> float | str:
    if isinstance(each, str) and name not in ("value", SD):
        return clean(each)
    return _number(each, f"{name}: expected a number")


def without_nan_sd(found: dict[str, float | str]) -> dict[str, float | str]:
    """One measurement has no standard error: NaN says that nobody knows."""
    sd = float(found.get(SD, 0.0))
    if sd < 0:
        raise ValueError(f"{SD}: expected the standard error of the value, which is not negative, got {sd}")
    return {name: each for name, each in found.items() if name != SD or not np.isnan(sd)}


def has_no_sd(value: Any) -> bool:
    """Whether somebody says that nobody knows its standard error."""
    given = value.get(SD, 0.0) if isinstance(value, Mapping) else 0.0
    return isinstance(given, (float, np.floating)) and bool(np.isnan(given))


def with_sds(where: str, values: Any, sd: Any, count: int) -> list[Any]:
    """Values, each with its standard error; NaN or None: it has none."""
    sds = [sd] * count if sd is None or np.ndim(sd) == 0 else _check.listed(f"{where}: sd", sd)
    if len(sds) != count:
        raise ValueError(f"{where}: expected one standard error for each of {count} values, got {len(sds)}")
    return [_with_sd(value, each) for value, each in zip(values, sds)]


def _with_sd(value: Any, sd: Any) -> Any:
    if sd is None or isinstance(value, (Failed, BaseException)):
        return value
    return {**(value if isinstance(value, Mapping) else {"value": value}), SD: sd}


def _number(value: Any, expected: str) -> float:
    try:
        if value is None or isinstance(value, (str, bytes, complex)):
            raise TypeError
        return float(value.item() if isinstance(value, np.ndarray) and value.size == 1 else value)
    except OverflowError:
        raise ValueError(f"{expected}, got one too large") from None
    except (TypeError, ValueError):
        raise TypeError(f"{expected}, got {type(value).__name__}") from None


def is_by_name(values: Any) -> bool:
    """Whether they are mappings, a mapping of sequences or a frame, rather than numbers."""
    if isinstance(values, Mapping) or hasattr(values, "columns"):
        return True
    return isinstance(values, (list, tuple)) and len(values) > 0 and isinstance(values[0], Mapping)


def each_of(what: str, values: Any, names: tuple[str, ...]) -> list[Any]:
    """A value for each trial: of a mapping of sequences, or a frame, the mappings of its rows."""
    columns = isinstance(values, Mapping) or hasattr(values, "columns")
    return by_row(values, names, what) if columns else _check.listed(f"{what}: values", values)


def has_outcomes(values: Any) -> bool:
    """Whether some are more than numbers: failures, or mappings of what else was measured."""
    return isinstance(values, (list, tuple)) and any(isinstance(value, (Mapping, Failed, BaseException)) for value in values)


def by_row(values: Any, names: tuple[str, ...], what: str = "add") -> list[Any]:
    """A mapping, or a failure, for each point."""
    if hasattr(values, "columns"):
        values = {str(name): values[name] for name in values.columns}
    if not isinstance(values, Mapping):
        each = list(values)
        if len(names) == 1:
            each = [value if has_outcomes([value]) else {names[0]: value} for value in each]
        if not has_outcomes(each) or not all(isinstance(value, (Mapping, Failed, BaseException)) for value in each):
            raise TypeError(f"{what}: values: expected mappings of {', '.join(map(repr, names))} to values, got {each[0]!r:.60}")
        return each
    columns = {name: _check.listed(f"{what}: values: {name}", column) for name, column in values.items()}
    if len({len(column) for column in columns.values()}) > 1:
        raise ValueError(f"{what}: values: expected sequences of one length, got several")
    return [dict(zip(columns, row)) for row in zip(*columns.values())]
