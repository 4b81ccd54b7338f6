"""One optimiser on one problem, in the environment it is installed in; compare.py starts it.

    loop.py PEER PROBLEM SEED BATCH BATCHES

Prints one JSON object when the optimiser is imported, with the CPU seconds of that, and one for each batch. A batch's
seconds are those the optimiser took since it was made, by the clock and of CPU (user and system, of all threads and of
processes that ended): to take in the values, to name its favourite, to choose the next batch. Importing it and evaluating
the problem do not count.
"""

from __future__ import annotations

import importlib
import json
import resource
import sys
import time
from typing import Any

from problems import PROBLEMS


def cpu_seconds() -> float:
    spent = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in spent)


class Meter:
    """Adds up the time of what runs through it."""

    def __init__(self) -> None:
        self.seconds = self.cpu = 0.0

    def __call__(self, function: Any, *arguments: Any) -> Any:
        begin, cpu = time.perf_counter(), cpu_seconds()
        out = function(*arguments)
        self.seconds += time.perf_counter() - begin
        self.cpu += cpu_seconds() - cpu
        return out


def main(peer: str, name: str, seed: int, batch: int, batches: int) -> None:
    problem, meter = PROBLEMS[name], Meter()
    module, _, variant = peer.partition("_")
    make = importlib.import_module(f"peer_{module}").make
    print(json.dumps({"import_cpu_seconds": cpu_seconds()}), flush=True)
    optimiser = meter(make, problem.num_dims, batch, seed, *filter(None, [variant]))
    queried = float("inf")
    for number in range(batches):
        U = problem.first(batch, seed) if number == 0 else meter(optimiser.ask)
        meter(optimiser.tell, U, problem.observe(U, seed, number))
        favourite = meter(optimiser.recommend)
        queried = min(queried, float(problem.truth(U).min()))
        line = {
            "evaluations": batch * (number + 1),
            "seconds": meter.seconds,
            "cpu_seconds": meter.cpu,
            "regret": float(problem.truth(favourite)[0]) - problem.optimum,
            "best_queried": queried - problem.optimum,
        }
        print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], *map(int, sys.argv[3:6]))
