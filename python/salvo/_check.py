"""Checks of what a caller hands in: the extension gets nothing but arrays and numbers that it can take."""

from __future__ import annotations

import importlib
import operator
import os
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.float64]
SPREAD = 0x9E3779B97F4A7C15  # spreads small numbers over the seeds
PIP_NAMES = {"sklearn": "scikit-learn"}  # where it is not the module's own


def need(what: str, module: str) -> Any:
    """A package that Salvo does without until someone asks for what it is for; ImportError that says what to install."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = module.split(".")[0]
        raise ImportError(f"{what} needs {package}: pip install {PIP_NAMES.get(package, package)}") from error


def whole(name: str, value: Any, low: int, high: int) -> int:
    """A whole number from low to high."""
    try:
        if isinstance(value, (bool, np.bool_)):
            raise TypeError
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}: expected a whole number, got {type(value).__name__}") from None
    if not low <= number <= high:
        raise ValueError(f"{name}: expected {low} to {high}, got {number}")
    return number


def real(name: str, value: Any) -> float:
    """A number that is finite."""
    if isinstance(value, (str, bytes, bool, np.bool_)):
        raise TypeError(f"{name}: expected a number, got {type(value).__name__}")
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name}: expected a number, got {type(value).__name__}") from None
    except OverflowError:
        raise ValueError(f"{name}: expected a finite number, got one too large") from None
    if not np.isfinite(number):
        raise ValueError(f"{name}: expected a finite number, got {number}")
    return number


def text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{name}: expected a text, got {type(value).__name__}")
    return value


def seed_of(value: Any) -> int:
    return whole("seed", value, 0, 2**64 - 1)


def is_tensor(value: Any) -> bool:
    """Whether this is a tensor of torch's, told by what it can do: torch is not imported for it."""
    return hasattr(value, "detach") and hasattr(value, "new_tensor")


def like(given: Any, numbers: FloatArray) -> Any:
    """The numbers as what came in: a tensor of the same type on the same device for a tensor, else the array itself."""
    if not is_tensor(given):
        return numbers
    return (given.detach() if given.is_floating_point() else given.detach().double()).new_tensor(numbers)


def array(name: str, value: ArrayLike, ndim: int) -> FloatArray:
    """C-ordered doubles; the very same memory when they are that already."""
    given = np.asarray(value.detach().cpu() if is_tensor(value) else value)  # type: ignore[union-attr]
    if given.dtype.kind not in "biufO":
        raise TypeError(f"{name}: expected numbers, got an array of {given.dtype}")
    if given.dtype.kind == "O" and any(isinstance(item, (str, bytes, complex)) for item in given.ravel().tolist()):
        raise TypeError(f"{name}: expected numbers, got other objects")
    try:
        numbers = np.ascontiguousarray(given, dtype=np.float64) if given.ndim else given.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise type(error)(f"{name}: expected numbers, got {type(value).__name__} ({error})") from None
    if numbers.ndim != ndim:
        raise ValueError(f"{name}: expected an array of {ndim} dimension{'s' * (ndim > 1)}, got shape {given.shape}")
    return numbers


def points(name: str, value: ArrayLike, columns: int | None = None) -> FloatArray:
    """Rows of finite numbers."""
    X = array(name, value, 2)
    if columns is not None and X.shape[1] != columns:
        raise ValueError(f"{name}: expected {columns} columns, got {X.shape[1]}")
    if not np.isfinite(X).all():
        raise ValueError(f"{name}: expected finite numbers, got NaN or infinity")
    return X


def scaled(X: FloatArray, low: FloatArray, width: FloatArray) -> FloatArray:
    """(X − low) / width in one new array; X itself is not copied."""
    out: FloatArray = np.subtract(X, low)
    out /= width
    return out


def require_memory(what: str, num_doubles: float) -> None:
    """Refuses what this machine cannot hold, before the system would kill the process for trying."""
    needed = 8.0 * num_doubles
    have = min(float(os.sysconf("SC_PHYS_PAGES")) * os.sysconf("SC_PAGE_SIZE"), _container_limit())
    if needed > have:
        raise MemoryError(f"{what} needs {needed / 1e9:.3g} GB, and this machine has {have / 1e9:.3g} GB. Ask for less")


def _container_limit() -> float:
    """Bytes that the container or job may use; infinity where there is no limit."""
    for path in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        try:
            with open(path, encoding="ascii") as file:
                return float(file.read())
        except (OSError, ValueError):  # not there, or the word "max"
            continue
    return float("inf")


def size(name: str, value: int | str, most: int) -> int:
    """A number of points or features; 0 stands for "auto"."""
    if isinstance(value, str):
        if value != "auto":
            raise ValueError(f'{name}: expected 1 to {most} or "auto", got {value!r}')
        return 0
    return whole(name, value, 1, most)


def in_order_of(points: Any, values: Any) -> Any:
    """A pandas series in the order of a pandas frame's index, where both have the same one in another order."""
    ours: Any = getattr(points, "index", None)
    theirs: Any = getattr(values, "index", None)
    if not hasattr(points, "columns") or not hasattr(ours, "equals") or not hasattr(theirs, "equals") or ours.equals(theirs):
        return values
    if ours.is_unique and theirs.is_unique and set(ours) == set(theirs):
        return values.reindex(ours)
    if len(set(ours) & set(theirs)) > 0 and list(theirs) != list(range(len(theirs))):
        raise ValueError("add: the indices of the points and of the values differ. Give values.to_numpy() to go by their order")
    return values


def listed(name: str, items: Any) -> list[Any]:
    if isinstance(items, (str, bytes, Mapping)) or hasattr(items, "columns"):  # a frame would give its column names
        raise TypeError(f"{name}: expected a sequence, got {type(items).__name__}")
    if isinstance(items, np.ndarray) and items.ndim != 1:
        raise ValueError(f"{name}: expected an array of 1 dimension, got shape {items.shape}")
    try:
        return list(items)
    except TypeError:
        raise TypeError(f"{name}: expected a sequence, got {type(items).__name__}") from None
