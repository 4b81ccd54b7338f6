"""What an optimiser is made for: one run on one function."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

LOW, HIGH = -5.0, 5.0  # of every parameter


class Task(NamedTuple):
    dim: int
    batch: int
    evaluations: int
    seed: int
    noise: float
    folder: Path
    settings: list[str]
