"""Small jobs of whole numbers: seven settings of zstd, 57,600 in all, each measured once (zstd.csv.gz, record_zstd.cc).

    experiments/tables/run                               # 150 evaluations in tens, 30 seeds: Salvo, TPE, random
    experiments/tables/run --evaluations 60 --batch 1 --seeds 10
    experiments/tables/run --weight 0                    # bytes alone

What is minimised is bytes × seconds^weight: with a weight of 0.1 twice the time must save 7% of the bytes. The figure is how much
that is above the best of the table, in percent, at the best setting tried: the table has no noise. An objective of one's
own machine would have: it is measured once, so that a run can be repeated.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import math
import os
import statistics
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, Callable

for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(threads, "1")

HERE = Path(__file__).resolve().parent
LEVELS: dict[str, list[int]] = {  # in the order of the table's rows, the last one fastest
    "strategy": list(range(1, 10)),
    "window": [12, 15, 18, 21],
    "hash": [8, 12, 16, 20],
    "chain": [8, 12, 16, 20],
    "search": [1, 2, 4, 6, 8],
    "match": [3, 4, 5, 6, 7],
    "target": [4, 16, 64, 256],
}


class Table:
    """The cost of every setting, as a logarithm."""

    def __init__(self, weight: float) -> None:
        with gzip.open(HERE / "zstd.csv.gz", "rt") as file:
            rows = csv.DictReader(file)
            self.cost = [math.log(int(row["bytes"])) + weight * math.log(max(1, int(row["microseconds"]))) for row in rows]
        self.best = min(self.cost)

    def __call__(self, point: dict[str, Any]) -> float:
        row = 0
        for name, levels in LEVELS.items():
            row = row * len(levels) + levels.index(point[name])
        return self.cost[row]


def salvo_run(table: Table, evaluations: int, batch: int, seed: int, settings: list[str]) -> list[float]:
    import salvo

    space = salvo.Space({name: salvo.Ordinal(levels) for name, levels in LEVELS.items()})
    model = {key: json.loads(value) for key, _, value in (each.partition("=") for each in settings)}
    study = salvo.Study(space, direction="minimize", seed=seed, batch=batch, model=model)
    seen: list[float] = []
    while len(seen) < evaluations:
        trials = study.ask(min(batch, evaluations - len(seen)))
        values = [table(trial.params) for trial in trials]
        study.tell(trials, values)
        seen += values
    return seen


def tpe_run(table: Table, evaluations: int, batch: int, seed: int, settings: list[str]) -> list[float]:
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=seed, multivariate=True, constant_liar=batch > 1))
    seen: list[float] = []
    while len(seen) < evaluations:
        trials = [study.ask() for _ in range(min(batch, evaluations - len(seen)))]
        for trial in trials:  # the place of the level, as TPE knows order among whole numbers alone
            point = {name: levels[trial.suggest_int(name, 0, len(levels) - 1)] for name, levels in LEVELS.items()}
            seen.append(table(point))
            trial.set_user_attr("value", seen[-1])
        for trial in trials:
            study.tell(trial, trial.user_attrs["value"])
    return seen


def random_run(table: Table, evaluations: int, batch: int, seed: int, settings: list[str]) -> list[float]:
    import random

    draw = random.Random(seed)
    return [table({name: draw.choice(levels) for name, levels in LEVELS.items()}) for _ in range(evaluations)]


RUNS: dict[str, Callable[..., list[float]]] = {"salvo": salvo_run, "tpe": tpe_run, "random": random_run}


def one(job: tuple[str, float, int, int, int, list[str]]) -> tuple[list[float], float]:
    who, weight, evaluations, batch, seed, settings = job
    table, began = Table(weight), time.process_time()
    seen = RUNS[who](table, evaluations, batch, seed, settings)
    spent = time.process_time() - began
    above, lowest = [], math.inf
    for cost in seen:
        lowest = min(lowest, cost)
        above.append(100 * math.expm1(lowest - table.best))
    return above, spent


def main() -> None:
    parser = argparse.ArgumentParser(prog="experiments/tables/run", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--evaluations", type=int, default=150)
    parser.add_argument("--batch", type=int, default=10)
    parser.add_argument("--seeds", type=int, default=30)
    parser.add_argument("--weight", type=float, default=0.1, help="of the time (default: 0.1)")
    parser.add_argument("--optimisers", default="salvo,tpe,random", metavar="LIST")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="an option of Salvo's model, in JSON")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    args = parser.parse_args()
    marks = [m for m in (args.evaluations // 3, 2 * args.evaluations // 3, args.evaluations) if m > 0]
    print(f"| optimiser | {' | '.join(f'after {m}' for m in marks)} | quartiles | best setting found | CPU seconds |")
    print("|---" * (len(marks) + 4) + "|")
    with ProcessPoolExecutor(args.jobs) as pool:
        for who in args.optimisers.split(","):
            jobs = [(who, args.weight, args.evaluations, args.batch, seed, args.set) for seed in range(args.seeds)]
            done = list(pool.map(one, jobs))
            at = {m: sorted(above[m - 1] for above, _ in done) for m in marks}
            last = at[marks[-1]]
            medians = " | ".join(f"{statistics.median(at[m]):.2f}%" for m in marks)
            low, _, high = statistics.quantiles(last, n=4) if len(last) > 1 else (last[0],) * 3
            found = sum(each < 1e-9 for each in last)
            print(f"| {who} | {medians} | {low:.2f} to {high:.2f} | {found} of {len(last)} "
                  f"| {statistics.median(spent for _, spent in done):.1f} |", flush=True)


if __name__ == "__main__":
    main()
