"""What a study measures: objectives and constraints."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, NamedTuple, Union

from . import _check

DIRECTIONS = ("minimize", "maximize")


@dataclasses.dataclass(frozen=True)
class Objective:
    """An output that is to be as large or as small as can be. reference is for several objectives: a value that is worse is worth
    nothing, however good the others are; None: learned from the values.
    """

    direction: str
    reference: float | None = None

    def __post_init__(self) -> None:
        if self.direction not in DIRECTIONS:
            raise ValueError(f'Objective: direction: expected "minimize" or "maximize", got {self.direction!r}')
        if self.reference is not None:
            object.__setattr__(self, "reference", _check.real("Objective: reference", self.reference))


@dataclasses.dataclass(frozen=True)
class Constraint:
    """An output that has to be at least min and at most max, with this probability where a point is recommended. passed=True: it is
    told as passed or failed (True or False, "passed" or "failed", 1 or 0) and has no bounds.
    """

    min: float | None = None
    max: float | None = None
    probability: float = 0.95
    passed: bool = False

    def __post_init__(self) -> None:
        for name in ("min", "max", "probability"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, _check.real(f"Constraint: {name}", getattr(self, name)))
        bounds = [bound for bound in (self.min, self.max) if bound is not None]
        if self.passed and bounds:
            raise ValueError(f"Constraint: expected no bounds of what is told as passed or failed, got {bounds[0]}")
        if not self.passed and not bounds:
            raise ValueError("Constraint: expected a bound, min or max or both (or passed=True), got none")
        if len(bounds) == 2 and bounds[0] >= bounds[1]:
            raise ValueError(f"Constraint: expected a min below its max, got {bounds[0]} and {bounds[1]}")
        if not 0 < self.probability < 1:
            raise ValueError(f"Constraint: probability: expected a number between 0 and 1, got {self.probability}")

    def holds(self, value: float | None) -> bool:
        """Whether a value keeps to it; None, not measured, is not known to."""
        low = 0.5 if self.passed else self.min
        return value is not None and (low is None or value >= low) and (self.max is None or value <= self.max)


Role = Union[str, Objective, Constraint]  # "minimize", "maximize" or "passed" in short


class Estimate(NamedTuple):
    """Of an output at a point, by the model, without the noise."""

    mean: float
    std: float


def as_given(outputs: Mapping[str, Role]) -> list[dict[str, Any]]:
    """As the extension takes them."""
    if not isinstance(outputs, Mapping) or not outputs:
        raise TypeError(f"outputs: expected a mapping of names to what each is for, got {outputs!r:.60}")
    return [{"name": _check.text("outputs: a name", name), **dataclasses.asdict(_role(name, role))} for name, role in outputs.items()]


def _role(name: str, role: Any) -> Objective | Constraint:
    if isinstance(role, (Objective, Constraint)):
        return role
    if role == "passed":
        return Constraint(passed=True)
    if isinstance(role, str) and role in DIRECTIONS:
        return Objective(role)
    words = ", ".join(f'"{word}"' for word in (*DIRECTIONS, "passed"))
    raise ValueError(f"outputs: {name}: expected {words}, salvo.Objective(…) or salvo.Constraint(…), got {role!r:.60}")


def from_core(outputs: list[dict[str, Any]]) -> dict[str, Objective | Constraint]:
    """As people read them, by name."""
    return {
        each["name"]: Objective(each["direction"], each["reference"])
        if "direction" in each
        else Constraint(each["min"], each["max"], each["probability"], each["passed"])
        for each in outputs
    }
