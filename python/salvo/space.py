"""What may vary: parameters, and the space they span."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Union

import numpy as np
from numpy.typing import ArrayLike

from . import _check, _core

Value = Union[bool, int, float, str]
Params = dict[str, Value]


@dataclasses.dataclass(frozen=True)
class Float:
    """A number from low to high, both included; log=True for one that is best thought of in orders of magnitude.

    step=5 hands out low, low + 5, … only; digits=2 numbers with two decimals, on a log scale with two significant digits.
    """

    low: float
    high: float
    log: bool = False
    step: float | None = None
    digits: int | None = None

    def _domain(self, name: str) -> tuple[Any, ...]:
        low, high = (_check.real(f"parameter {name!r}: {end}", getattr(self, end)) for end in ("low", "high"))
        step = 0.0 if self.step is None else _check.real(f"parameter {name!r}: step", self.step)
        if self.step is not None and not step > 0:
            raise ValueError(f"parameter {name!r}: step: expected a number above 0, got {self.step!r}")
        digits = 0 if self.digits is None else _check.whole(f"parameter {name!r}: digits", self.digits, 1, 8)
        return ("float", low, high, _log(name, self.log), step, digits)


@dataclasses.dataclass(frozen=True)
class Int:
    """A whole number from low to high, both included; step=16 hands out low, low + 16, … only."""

    low: int
    high: int
    log: bool = False
    step: int = 1

    def _domain(self, name: str) -> tuple[Any, ...]:
        ends = (getattr(self, end) for end in ("low", "high"))
        low, high = (_check.whole(f"parameter {name!r}", end, -(2**63), 2**63 - 1) for end in ends)
        step = _check.whole(f"parameter {name!r}: step", self.step, 1, 2**62)
        return ("int", low, high, _log(name, self.log), step)


@dataclasses.dataclass(frozen=True)
class Choice:
    """One of several values without an order: bools, numbers or texts."""

    choices: Sequence[Value]

    def __post_init__(self) -> None:
        object.__setattr__(self, "choices", _values(self.choices))

    def _domain(self, name: str) -> tuple[Any, ...]:
        return ("choice", list(self.choices))


def Bool() -> Choice:
    """False or True."""
    return Choice([False, True])


@dataclasses.dataclass(frozen=True)
class Ordinal:
    """One of several values in the order given: "small", "medium", "large"."""

    choices: Sequence[Value]

    def __post_init__(self) -> None:
        object.__setattr__(self, "choices", _values(self.choices))

    def _domain(self, name: str) -> tuple[Any, ...]:
        return ("ordinal", list(self.choices))


@dataclasses.dataclass(frozen=True)
class Fixed:
    """A parameter that does not vary and is handed on with every point."""

    value: Value

    def _domain(self, name: str) -> tuple[Any, ...]:
        return ("fixed", self.value)


@dataclasses.dataclass(frozen=True)
class Candidate:
    """One of the candidates of a pool, by its id: the one parameter of a study over a pool."""

    count: int

    def _domain(self, name: str) -> tuple[Any, ...]:
        return ("candidate", _check.whole(f"parameter {name!r}", self.count, 1, 2**62))


Domain = Union[Float, Int, Choice, Ordinal, Fixed, Candidate]
_KINDS: dict[str, type] = {
    "float": Float, "int": Int, "choice": Choice, "ordinal": Ordinal, "fixed": Fixed, "candidate": Candidate
}  # fmt: skip


def _domain_of(kind: str, fields: Sequence[Any]) -> Domain:
    if kind == "float":
        low, high, log, step, digits = fields
        return Float(low, high, log, step or None, digits or None)
    domain: Domain = _KINDS[kind](*fields)
    return domain


class Space(Mapping[str, Domain]):
    """A search space: a mapping from names to what each may be.

    >>> Space(rate=Float(1e-5, 1e-1, log=True), layers=Int(1, 8), method=Choice(["adam", "sgd"]))

    Names that are no Python names go into a dictionary: Space({"learning-rate": Float(0, 1)}).
    """

    def __init__(self, parameters: Mapping[str, Domain] | None = None, /, **more: Domain) -> None:
        if parameters is not None and not isinstance(parameters, Mapping):
            raise TypeError(f"Space: expected a mapping from names to parameters, got {type(parameters).__name__}")
        domains: dict[str, Domain] = dict(parameters or {})
        for name, domain in more.items():
            if name in domains:
                raise ValueError(f'parameter "{name}" is there twice')
            domains[name] = domain
        for name, domain in domains.items():
            if not isinstance(name, str):
                raise TypeError(f"Space: expected names that are texts, got {type(name).__name__}")
            if not isinstance(domain, (Float, Int, Choice, Ordinal, Fixed, Candidate)):
                kind = type(domain).__name__
                raise TypeError(f'parameter "{name}": expected Float, Int, Choice, Ordinal or Fixed, got {kind}')
        self._domains = domains
        self._core = _core.Space([(name, domain._domain(name)) for name, domain in domains.items()])

    @classmethod
    def _from_core(cls, core: _core.Space) -> Space:
        return cls({name: _domain_of(kind, rest) for name, (kind, *rest) in core.parameters})

    def __getitem__(self, name: str) -> Domain:
        return self._domains[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._domains)

    def __len__(self) -> int:
        return len(self._domains)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Space) and list(self.items()) == list(other.items())

    def __hash__(self) -> int:
        return hash(tuple(self._domains.items()))

    def __reduce__(self) -> tuple[Any, ...]:
        return (Space, (self._domains,))

    def __repr__(self) -> str:
        return f"Space({self._domains!r})"

    @property
    def num_dims(self) -> int:
        """Coordinates of the encoding: a Choice takes one for each of its choices, a Fixed none."""
        return self._core.num_dims

    @property
    def num_points(self) -> float:
        """Distinct points; infinity when a Float is among the parameters."""
        return self._core.num_points

    def check(self, params: Mapping[str, Any]) -> Params:
        """The point with every value typed as its parameter wants it; ValueError when it is not in the space."""
        return self._core.check(params)

    def encode(self, points: Any) -> _check.FloatArray:
        """Points (mappings, trials or a data frame) as rows of the unit cube: [n, num_dims]."""
        return self._core.encode(rows(points, self))

    def decode(self, X: ArrayLike) -> list[Params]:
        """The nearest points of the space to rows of the unit cube."""
        return self._core.decode(_check.points("X", X))

    def sample(self, count: int, seed: int | None = None) -> list[Params]:
        """Random points: uniform in each parameter's own scale."""
        count = _check.whole("count", count, 0, 10**7)
        U = np.random.default_rng(seed).random((count, self._core.num_free))
        return self._core.decode(self._core.from_unit(U))


def as_space(value: Any) -> Space:
    if isinstance(value, Space):
        return value
    if isinstance(value, Mapping):
        return Space(value)
    raise TypeError(f"space: expected a salvo.Space or a mapping of parameters, got {type(value).__name__}")


# Columns that frames of trials have beside the parameters.
_OURS = ("trial", "value", "state", "origin", "error", "asked_at", "told_at", "tags")
MEASURED, SAID = "measured.", "said."  # and the name


def rows(points: Any, space: Space) -> list[Mapping[str, Any]]:
    """Mappings from whatever holds points of the space: mappings, trials, a pandas or polars frame."""
    if isinstance(points, Mapping):
        raise TypeError("points: expected a sequence of mappings, got one mapping. Put it into a list")
    if hasattr(points, "columns"):
        if kept := [name for name in points.columns if name in space or not (name in _OURS or str(name).startswith((MEASURED, SAID)))]:
            points = points[kept]
        if hasattr(points, "to_dicts"):  # polars
            return list(points.to_dicts())
        if hasattr(points, "to_dict"):  # pandas
            return list(points.to_dict(orient="records"))
    try:
        items = list(points)
    except TypeError:
        raise TypeError(f"points: expected a sequence of mappings, got {type(points).__name__}") from None
    return [getattr(item, "params", item) for item in items]


def split_frame(points: Any, space: Space, outputs: Collection[str]) -> tuple[Any, list[dict[str, float | str]]]:
    """A frame without the columns that are somebody's own, and what these say of each row: numbers where a column has nothing
    else, texts otherwise. Anything but a frame as it is.
    """
    if not hasattr(points, "columns"):
        return points, []
    own = [name for name in points.columns if name not in space and name not in _OURS and name not in outputs]
    table = {name: list(points[name]) for name in own}
    missing = {name: [each is None or each != each or each == "" for each in column] for name, column in table.items()}
    said: list[dict[str, float | str]] = [{} for _ in range(len(points))]
    for name, column in table.items():
        short = str(name).removeprefix(MEASURED).removeprefix(SAID)
        present = [each for each, gone in zip(column, missing[name]) if not gone]
        numbers = all(isinstance(each, (bool, int, float, np.number, np.bool_)) for each in present)
        for row, each, gone in zip(said, column, missing[name]):
            if not gone:
                row[short] = float(each) if numbers else str(each)
    return points[[name for name in points.columns if name in space]], said


def _log(name: str, given: Any) -> bool:
    if not isinstance(given, (bool, np.bool_)):  # elsewhere the third number is a step
        raise TypeError(
            f"parameter {name!r}: log: expected True or False, got {given!r}. Steps are written step={given!r}"
        )
    return bool(given)


def _values(choices: Any) -> tuple[Value, ...]:
    if isinstance(choices, (str, bytes, Mapping, set, frozenset)):  # a set has another order in the next process
        raise TypeError(f"choices: expected a sequence of values, got {type(choices).__name__}")
    try:
        items = tuple(choices)
    except TypeError:
        raise TypeError(f"choices: expected a sequence of values, got {type(choices).__name__}") from None
    return tuple(item.item() if isinstance(item, np.generic) else item for item in items)
