"""Salvo and other optimisers on COCO's bbob suite: 24 functions on [−5, 5]^dim, with or without Gaussian noise.

    experiments/bbob/run                                              # 5 d, 2,000 evaluations in batches of 100
    experiments/bbob/run --dims 5,10 --instances 1-3 --seeds 3 --noise 0,1 --jobs 8
    experiments/bbob/run --optimisers salvo --set model.kernel=matern32 --out out/bbob-rough
    experiments/bbob/run --evaluations 200 --batch 10 --optimisers salvo,cma,tpe,random
    experiments/bbob/run --problems push14,rover60 --evaluations 3000 --optimisers salvo,turbo   # Salvo's own problems instead

The figure is the true value above the optimum at the point that an optimiser recommends ("best tried" in brackets), the
median of instances × seeds. Ranks and wins are of these medians; an equal one counts half. With noise random search's choice
is the lowest value it saw. Instances 1 to 15 are for tuning. Every run is one line of OUT/runs.jsonl; what is there is not
run again, and an interrupted run of Salvo goes on from its store.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import resource
import statistics
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any, Iterable

for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(threads, "1")

HOW = """experiments/bbob/run: COCO's bbob suite is not installed. From the top of the sources:
  python3 -m venv build/bbob && build/bbob/bin/pip install -r experiments/bbob/requirements.txt"""
KEYS = ("dim", "noise", "batch", "evaluations", "optimiser", "function", "instance", "seed")


def numbers(text: str) -> list[int]:
    """1,3-5 → [1, 3, 4, 5]"""
    out: list[int] = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        out += range(int(first), int(last or first) + 1)
    return out


def reals(text: str) -> list[float]:
    return [float(part) for part in text.split(",")]


def words(text: str) -> list[str]:
    return text.split(",")


def arguments() -> argparse.Namespace:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="experiments/bbob/run", description=__doc__, formatter_class=raw)
    parser.add_argument("--dims", type=numbers, default=[5], metavar="LIST")
    parser.add_argument("--functions", type=numbers, default=list(range(1, 25)), metavar="LIST", help="1-24")
    parser.add_argument("--problems", type=words, default=[], metavar="LIST", help="built into Salvo, instead of functions")
    parser.add_argument("--instances", type=numbers, default=[1], metavar="LIST")
    parser.add_argument("--seeds", type=int, default=1, metavar="N", help="runs on each instance")
    parser.add_argument("--evaluations", type=int, default=2000, metavar="N")
    parser.add_argument("--batch", type=int, default=100, metavar="N")
    parser.add_argument("--noise", type=reals, default=[0.0], metavar="LIST", help="standard deviations")
    parser.add_argument("--optimisers", type=words, default=["salvo", "cma", "random"], metavar="LIST", help=",".join(OPTIMISERS))
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="an option of Salvo's study file")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N", help="runs side by side, each on one core")
    parser.add_argument("--limit", type=float, default=float("inf"), metavar="SECONDS", help="begin no run after so long")
    parser.add_argument("--again", action="store_true", help="ask Salvo's stores for their recommendations anew; run nothing of it")
    parser.add_argument("--out", type=Path, default=Path("out/bbob"), metavar="FOLDER")
    args = parser.parse_args()
    needed = {OPTIMISERS[who][1] for who in args.optimisers if who in OPTIMISERS} - {None}
    missing = sorted(package for package in needed if importlib.util.find_spec(package) is None)
    unknown = [who for who in args.optimisers if who not in OPTIMISERS]
    if unknown:
        parser.error(f"--optimisers: expected some of {', '.join(OPTIMISERS)}, got {', '.join(unknown)}")
    if missing:
        parser.error(f"--optimisers: {', '.join(missing)} is not installed; build/bbob/bin/pip install {' '.join(missing)}")
    return args


def cpu_seconds() -> float:
    spent = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in spent)


def run(which: dict[str, Any], folder: Path, settings: list[str], again: bool) -> dict[str, Any]:
    import numpy as np

    p, optimum = function(which["function"], which["dim"], which["instance"])
    began, cpu = time.perf_counter(), cpu_seconds()
    same = {key: which[key] for key in ("dim", "batch", "evaluations", "noise")}
    task = Task(**same, seed=100 * which["instance"] + which["seed"], folder=folder, settings=settings)
    optimiser = OPTIMISERS[which["optimiser"]][0](task)
    tried = folder / "tried.jsonl"  # the true values of a run that can go on
    done = optimiser.told() if hasattr(optimiser, "told") else 0
    best = min((json.loads(line) for line in tried.read_text().splitlines()), default=float("inf")) if done else float("inf")
    while done < which["evaluations"] and not again:
        X = optimiser.ask()
        true = [float(p(np.asarray(x)) - optimum) for x in X]
        best = min(best, *true)
        # The same for all optimisers, and for a run that goes on.
        luck = [which["instance"], which["seed"], number_of(which["function"])]
        draws = [np.random.default_rng([*luck, done + i]).standard_normal() for i in range(len(X))]
        if hasattr(optimiser, "told"):
            with tried.open("a") as file:
                file.write(json.dumps(min(true)) + "\n")
        optimiser.tell([value + which["noise"] * draw for value, draw in zip(true, draws)])
        done += len(X)
    at = optimiser.recommend()
    value = float(p(np.clip(np.asarray(at), -5, 5)) - optimum)
    spent = {"seconds": round(time.perf_counter() - began, 2), "cpu": round(cpu_seconds() - cpu, 2)}
    return which | {"recommended": value, "best_tried": best, "at": [float(x) for x in at]} | spent


def name_of(which: dict[str, Any]) -> str:
    return "-".join(f"{which[key]:g}" if key == "noise" else str(which[key]) for key in KEYS)


def planned(args: argparse.Namespace) -> Iterable[dict[str, Any]]:
    if args.problems:
        for name in args.problems:
            for noise in args.noise:
                for seed in range(args.seeds):
                    for who in args.optimisers:
                        settings = (dimensions(name), noise, args.batch, args.evaluations, who, name, args.instances[0], seed)
                        yield dict(zip(KEYS, settings))
        return
    for dim in args.dims:
        for noise in args.noise:
            for seed in range(args.seeds):
                for instance in args.instances:
                    for optimiser in args.optimisers:
                        for function in args.functions:
                            yield dict(zip(KEYS, (dim, noise, args.batch, args.evaluations, optimiser, function, instance, seed)))


def measure(args: argparse.Namespace) -> list[dict[str, Any]]:
    args.out.mkdir(parents=True, exist_ok=True)
    kept = args.out / "runs.jsonl"
    lines = [json.loads(line) for line in kept.read_text().splitlines()] if kept.exists() else []
    runs = {name_of(line): line for line in lines if not (args.again and line["optimiser"] == "salvo")}
    began = time.perf_counter()
    due = [which for which in planned(args) if name_of(which) not in runs]
    with ProcessPoolExecutor(args.jobs) as workers, kept.open("a") as file:
        jobs = [workers.submit(run_before, began + args.limit, which, args) for which in due]
        for number, job in enumerate(as_completed(jobs), 1):
            line = job.result()
            if line is None:
                continue
            file.write(json.dumps(line) + "\n")
            file.flush()
            runs[name_of(line)] = line
            print(f"\r{number} of {len(due)} runs", end="", file=sys.stderr, flush=True)
    if due:
        print(file=sys.stderr)
    return [runs[name_of(which)] for which in planned(args) if name_of(which) in runs]


def run_before(limit: float, which: dict[str, Any], args: argparse.Namespace) -> dict[str, Any] | None:
    if time.perf_counter() > limit:  # the clock since the machine's start: the same in every process
        return None
    return run(which, args.out / "stores" / name_of(which), args.set, args.again)


def ranks(values: list[float]) -> list[float]:
    return [1 + sum(other < mine for other in values) + (sum(other == mine for other in values) - 1) / 2 for mine in values]


def table(runs: list[dict[str, Any]], dim: int, noise: float) -> str:
    these = [line for line in runs if (line["dim"], line["noise"]) == (dim, noise)]
    who = list(dict.fromkeys(line["optimiser"] for line in these))
    if not these:
        return ""

    def median(key: str, optimiser: str, function: int) -> float:
        values = [line[key] for line in these if (line["optimiser"], line["function"]) == (optimiser, function)]
        return statistics.median(values) if values else float("nan")

    functions = sorted({line["function"] for line in these})
    functions = [f for f in functions if all(median("recommended", each, f) == median("recommended", each, f) for each in who)]
    per = len({(line["instance"], line["seed"]) for line in these})
    budget = f"{these[0]['evaluations']} evaluations in batches of {these[0]['batch']}"
    out = [f"\n### {dim} d, {budget}, noise {noise:g}, medians of {per}\n"]
    out += ["| f | " + " | ".join(who) + " | rank of " + who[0] + " |", "|---" * (len(who) + 2) + "|"]
    total = {each: 0.0 for each in who}
    for f in functions:
        values = [median("recommended", each, f) for each in who]
        places = ranks(values)
        for each, place in zip(who, places):
            total[each] += place
        cells = [f"{value:.3g} ({median('best_tried', each, f):.3g})" for value, each in zip(values, who)]
        out.append(f"| {f} | " + " | ".join(cells) + f" | {places[0]:g} |")
    out.append("| mean rank | " + " | ".join(f"{total[each] / max(1, len(functions)):.2f}" for each in who) + " | |")
    seconds = [statistics.median(line["seconds"] for line in these if line["optimiser"] == each) for each in who]
    out.append("| seconds a run | " + " | ".join(f"{value:.1f}" for value in seconds) + " | |")
    for each in who[1:]:
        pairs = [(median("recommended", who[0], f), median("recommended", each, f)) for f in functions]
        wins = sum(1.0 if a < b else 0.5 if a == b else 0.0 for a, b in pairs)
        lost = [f if isinstance(f, str) else f"f{f}" for f, (mine, other) in zip(functions, pairs) if mine > other]
        out.append(f"\n{who[0]} beats {each} on {wins:g} of {len(functions)}" + (f"; it loses on {', '.join(lost)}" if lost else ""))
    return "\n".join(out)


def main() -> int:
    args = arguments()
    runs = measure(args)
    dims = sorted({line["dim"] for line in runs})
    text = "\n".join(filter(None, (table(runs, dim, noise) for dim in dims for noise in args.noise)))
    (args.out / "table.md").write_text(text + "\n")
    print(text)
    return 0


if __name__ == "__main__":
    if importlib.util.find_spec("numpy") is None or importlib.util.find_spec("cocoex") is None:
        sys.exit(HOW)
    from functions import dimensions, function, number_of
    from optimisers import OPTIMISERS
    from task import Task

    sys.exit(main())
