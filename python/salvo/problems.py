"""Built-in test problems."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import _check, _core
from .output import from_core
from .space import Space


class Problem:
    """A function over a space whose best value is known: to be minimised, or as its outputs say. Call it with the parameters.

    outputs has what each is for, by name, as Study and optimise take them; of several objectives hypervolume is the best there is,
    and optimum is NaN.
    """

    def __init__(self, core: _core.Problem) -> None:
        self._core = core
        self.name: str = core.name
        self.space = Space._from_core(core.space)
        self.noise_variance: float = core.noise_variance
        self.optimum: float = core.optimum
        self.outputs = from_core(core.outputs)
        self.hypervolume: float = core.hypervolume

    def __call__(self, params: Mapping[str, Any]) -> float | dict[str, float]:
        """The true value, without noise; of several outputs a mapping of each name to its value."""
        if len(self.outputs) == 1:
            return self._core.value(params)
        return dict(zip(self.outputs, self._core.values(params)))

    def __reduce__(self) -> tuple[Any, ...]:
        return (problem, (self.name,))

    def __repr__(self) -> str:
        return f"salvo.problem({self.name!r})"


def problem(name: str) -> Problem:
    """hartmann6, shekel, ackley5, levy3, welded_beam, …: problem_names() lists them."""
    return Problem(_core.problem(_check.text("problem", name)))


def problem_names() -> list[str]:
    return _core.problem_names()
