"""What is run and what is hoped for: one line for each problem with its budget."""

from __future__ import annotations

import math
from typing import NamedTuple

from problems import PROBLEMS


class Line(NamedTuple):
    """The figure is the true objective at the recommended point, where that is allowed; of several objectives what the
    hypervolume of the front's true values lacks of the best. The median of it should be at most the goal."""

    problem: str
    evaluations: int
    batch: int
    goal: float  # NaN: not below qLogNEHVI's
    seconds: str = ""

    @property
    def name(self) -> str:
        return f"{self.problem}-{self.evaluations}-{self.batch}"

    def holds(self, figure: float, rival: float) -> bool | None:
        bound = rival if math.isnan(self.goal) else self.goal
        return None if math.isnan(bound) else figure <= bound


def short_of(problem: str, hypervolume: float) -> float:
    return PROBLEMS[problem].best - hypervolume


LINES = [
    Line("ackley10_constrained", 200, 4, 0.3),
    Line("ackley10_constrained", 1000, 50, 0.05),
    Line("keane30", 2000, 50, -0.70),
    # Within 1% of what the literature quotes.
    Line("speed_reducer", 200, 10, 1.01 * 2996.35),
    Line("welded_beam", 200, 10, 1.01 * 1.7282),
    Line("pressure_vessel", 200, 10, 1.01 * 6059.95),
    Line("spring", 200, 10, 1.01 * 0.012681),
    Line("dtlz2_10", 2000, 50, 0.005),
    Line("dtlz2_30", 2000, 50, 0.03),
    Line("dtlz2_100", 2000, 50, 0.5),
    Line("zdt1", 2000, 50, 0.05),
    Line("zdt2", 2000, 50, 0.05),
    Line("zdt3", 2000, 50, 0.05),
    Line("c2dtlz2_12", 2000, 50, short_of("c2dtlz2_12", 0.390)),
    Line("vehicle_safety", 200, 10, short_of("vehicle_safety", 245)),
    Line("vehicle_safety", 2000, 50, short_of("vehicle_safety", 245)),
    Line("dtlz2_10_noisy", 2000, 50, math.nan),
    Line("vehicle_safety_noisy", 200, 10, math.nan),
]
# The same in small, to see that everything runs: no goal is to be expected of it.
QUICK = [line._replace(evaluations=10 * (4 if line.batch == 4 else 6), batch=min(line.batch, 20)) for line in LINES]
QUICK = list({line.name: line for line in QUICK}.values())
