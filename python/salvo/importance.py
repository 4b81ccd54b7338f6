"""Which parameters matter."""

from __future__ import annotations

from typing import Any


class Importance(dict[str, float]):
    """What each parameter's share of the variance of the model's mean is: a dict of the total effects, the largest first.

    first is the share of each by itself, total (what the dict holds) adds its part of all interactions: the totals may sum to
    more than 1. first_std and total_std say how far they may be off, by what the model does not know and by chance.
    """

    def __init__(self, found: list[tuple[str, tuple[float, float], tuple[float, float]]]) -> None:
        super().__init__({name: total for name, _, (total, _) in found})
        self.first: dict[str, float] = {name: first for name, (first, _), _ in found}
        self.total: dict[str, float] = dict(self)
        self.first_std: dict[str, float] = {name: std for name, (_, std), _ in found}
        self.total_std: dict[str, float] = {name: std for name, _, (_, std) in found}

    def to_pandas(self) -> Any:
        """A pandas frame: a row for each parameter, the columns total, total_std, first and first_std."""
        from . import _check

        pandas = _check.need("to_pandas", "pandas")
        columns = {"total": self.total, "total_std": self.total_std, "first": self.first, "first_std": self.first_std}
        return pandas.DataFrame(columns, index=pandas.Index(list(self), name="parameter"))
