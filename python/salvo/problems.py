"""Built-in test problems."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import _check, _core
from .space import Space


class Problem:
    """A function to minimise over a space, whose least value is known. Call it with the parameters."""

    def __init__(self, core: _core.Problem) -> None:
        self._core = core
        self.name: str = core.name
        self.space = Space._from_core(core.space)
        self.noise_variance: float = core.noise_variance
        self.optimum: float = core.optimum

    def __call__(self, params: Mapping[str, Any]) -> float:
        """The true value, without noise."""
        return self._core.value(params)

    def __reduce__(self) -> tuple[Any, ...]:
        return (problem, (self.name,))

    def __repr__(self) -> str:
        return f"salvo.problem({self.name!r})"


def problem(name: str) -> Problem:
    """hartmann6, shekel, ackley5, levy3, …: problem_names() lists them."""
    return Problem(_core.problem(_check.text("problem", name)))


def problem_names() -> list[str]:
    return _core.problem_names()
