"""What may vary: parameters, and the space they span."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
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
    """One of several values without an order: bools, numbers or texts.

    Choice({"Pd": [0.12, 46], "Pt": [0.05, 78]}) says numbers of each (or numbers=[[0.12, 46], [0.05, 78]] beside a list):
    choices with like numbers are expected to do alike, and of thousands those are tried that the numbers lead to.
    """

    choices: Union[Sequence[Value], Mapping[Any, Union[float, Sequence[float]]]]
    numbers: Sequence[Union[float, Sequence[float]]] | None = None

    def __post_init__(self) -> None:
        if isinstance(self.choices, Mapping):
            if self.numbers is not None:
                raise TypeError("Choice: numbers: expected none beside a mapping, which has those of each choice")
            object.__setattr__(self, "numbers", list(self.choices.values()))
            object.__setattr__(self, "choices", list(self.choices))
        object.__setattr__(self, "choices", _values(self.choices))
        if self.numbers is not None:
            rows = [np.atleast_1d(np.asarray(row)) for row in self.numbers]
            if any(row.ndim != 1 or row.dtype.kind not in "iuf" for row in rows):
                raise TypeError("Choice: numbers: expected a number, or a sequence of numbers, for each choice")
            object.__setattr__(self, "numbers", tuple(tuple(float(x) for x in row) for row in rows))

    def _domain(self, name: str) -> tuple[Any, ...]:
        if self.numbers is None:
            return ("choice", list(self.choices))
        return ("choice", list(self.choices), [list(row) for row in self.numbers])  # type: ignore[arg-type]


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
    Conditions among the parameters are added by where: Space(a=Float(0, 1), b=Float(0, 1)).where("a + b <= 1").
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
        self._conditions: tuple[str, ...] = ()
        self._settle()

    def _settle(self) -> None:
        parameters = [(name, domain._domain(name)) for name, domain in self._domains.items()]
        self._core = _core.Space(parameters, list(self._conditions))
        self._coded: _core.Encoding | None = None

    @classmethod
    def _from_core(cls, core: _core.Space) -> Space:
        return _restricted({name: _domain_of(kind, rest) for name, (kind, *rest) in core.parameters}, tuple(core.where))

    @property
    def _encoding(self) -> _core.Encoding:
        if self._coded is None:
            self._coded = self._core.encoding()
        return self._coded

    def where(self, *conditions: str) -> Space:
        """The same space with conditions beside those that it has: points are handed out where all of them hold.

        >>> Space(a=Float(0, 1), b=Float(0, 1), c=Float(0, 1)).where("a + b + c == 1", "a <= 2 * b")

        The last number of an equality follows from the others (here c): it takes no coordinate of its own and may be left out
        wherever a point is given. What may be written is in docs/study-file.md#where. ValueError where a condition is none, or
        where they leave nothing.
        """
        return _restricted(self._domains, self._conditions + as_conditions("where", conditions))

    @property
    def conditions(self) -> tuple[str, ...]:
        """The conditions among the parameters, as they are written."""
        return self._conditions

    @property
    def follows(self) -> tuple[str, ...]:
        """Names of the numbers that follow from the others by an equality."""
        return tuple(self._core.follow)

    @property
    def share(self) -> float:
        """How much of the box the conditions allow, about: 1 where there are none, 0 where no random point keeps them."""
        return self._encoding.share

    def __getitem__(self, name: str) -> Domain:
        return self._domains[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._domains)

    def __len__(self) -> int:
        return len(self._domains)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Space) and list(self.items()) == list(other.items()) and self._conditions == other._conditions
        )

    def __hash__(self) -> int:
        return hash((tuple(self._domains.items()), self._conditions))

    def __reduce__(self) -> tuple[Any, ...]:
        return (_restricted, (self._domains, self._conditions))

    def __repr__(self) -> str:
        where = f".where({', '.join(map(repr, self._conditions))})" if self._conditions else ""
        return f"Space({self._domains!r}){where}"

    @property
    def num_dims(self) -> int:
        """Coordinates of the encoding: a Choice takes one for each of its choices, a Fixed and what follows from others none."""
        return self._encoding.num_dims

    @property
    def num_points(self) -> float:
        """Distinct points; infinity when a Float is among the parameters. Those that conditions allow, up to a million points of
        the box; beyond that all of them.
        """
        return self._encoding.num_points if self._conditions else self._core.num_points

    def check(self, params: Mapping[str, Any]) -> Params:
        """The point with every value typed as its parameter wants it; ValueError when it is not in the space. What is fixed or
        follows from the others may be left out, and is filled in.
        """
        return self._core.check(params)

    def encode(self, points: Any) -> _check.FloatArray:
        """Points (mappings, trials or a data frame) as rows of the unit cube: [n, num_dims]."""
        return self._encoding.encode(rows(points, self))

    def decode(self, X: ArrayLike) -> list[Params]:
        """The nearest points of the space to rows of the unit cube; where there are conditions, points near by that keep them."""
        return self._encoding.decode(_check.points("X", X))

    def sample(self, count: int, seed: int | None = None) -> list[Params]:
        """Random points: uniform in each parameter's own scale, among those that the conditions allow."""
        count = _check.whole("count", count, 0, 10**7)
        random = np.random.default_rng(seed)
        if self._conditions:
            return self._encoding.decode(self._encoding.draw(count, int(random.integers(2**63))))
        return self._encoding.decode(self._encoding.from_unit(random.random((count, self._core.num_free))))


def _restricted(domains: Mapping[str, Domain], conditions: tuple[str, ...]) -> Space:
    space = Space(domains)
    if not conditions:
        return space
    if any(isinstance(domain, Candidate) for domain in domains.values()):
        raise ValueError("where: expected a space of parameters, got the candidates of a pool, which are what they are")
    space._conditions = conditions
    space._settle()
    _ = space._encoding  # looks for points: conditions that leave nothing are a mistake now
    return space


def as_conditions(name: str, given: str | Iterable[str]) -> tuple[str, ...]:
    if isinstance(given, str):
        return (given,)
    try:
        conditions = tuple(given)
    except TypeError:
        raise TypeError(f'{name}: expected texts such as "a + b <= 1", got {type(given).__name__}') from None
    for each in conditions:
        if not isinstance(each, str):
            raise TypeError(f'{name}: expected texts such as "a + b <= 1", got {type(each).__name__} {each!r}')
    return conditions


def as_space(value: Any, where: str | Iterable[str] | None = None) -> Space:
    if isinstance(value, Mapping):
        space = value if isinstance(value, Space) else Space(value)
        return space if where is None else space.where(*as_conditions("where", where))
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
