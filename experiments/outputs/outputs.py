"""Salvo and other optimisers on problems with constraints and with several objectives.

    experiments/outputs/run                                                    # every line of goals.py, 30 seeds: days
    experiments/outputs/run --quick                                            # all of it in small, minutes
    experiments/outputs/run --problems dtlz2_10,zdt1 --optimisers salvo,pymoo-nsga2 --seeds 5
    experiments/outputs/run --check                                            # the two versions of each problem agree

The figure is the true objective at the recommended point (infeasible where it truly breaks a constraint by more than a
millionth of its bound); of several objectives what the hypervolume of the true values of the recommended front lacks of the
best. Salvo's runs are `salvo bench`'s. Every other run is one line of OUT/runs.jsonl; what is there is not run again.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import math
import os
import shutil
import statistics
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any

for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(threads, "1")

ROOT = Path(__file__).resolve().parents[2]
HOW = """experiments/outputs/run: {missing} not installed. From the top of the sources:
  python3 -m venv build/outputs && build/outputs/bin/pip install -r experiments/outputs/requirements.txt
scbo, qlognehvi and optuna-gp need some GB more: build/outputs/bin/pip install torch botorch"""


def words(text: str) -> list[str]:
    return text.split(",")


def arguments() -> argparse.Namespace:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="experiments/outputs/run", description=__doc__, formatter_class=raw)
    parser.add_argument("--problems", type=words, metavar="LIST", help=",".join(dict.fromkeys(line.problem for line in LINES)))
    parser.add_argument("--optimisers", type=words, metavar="LIST", help=f"salvo,{','.join(RIVALS)}; default: those installed")
    parser.add_argument("--seeds", type=int, metavar="N", help="runs of each (30; with --quick 2)")
    parser.add_argument("--first-seed", type=int, default=0, metavar="N")
    parser.add_argument("--quick", action="store_true", help="every line with 40 or 60 evaluations")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="an option of Salvo's study files")
    parser.add_argument("--method", default="auto", metavar="NAME", help="Salvo's")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N", help="runs side by side, each on one core")
    parser.add_argument("--limit", type=float, default=math.inf, metavar="SECONDS", help="give a rival's run up after so long")
    parser.add_argument("--check", action="store_true", help="compare the problems with Salvo's; run nothing else")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="(out/outputs, or out/outputs-quick)")
    args = parser.parse_args()
    args.seeds = args.seeds or (2 if args.quick else 30)
    args.out = args.out or Path("out/outputs-quick" if args.quick else "out/outputs")
    args.lines = [line for line in (QUICK if args.quick else LINES) if not args.problems or line.problem in args.problems]
    known = {line.problem for line in LINES}
    if unknown := [name for name in args.problems or [] if name not in known]:
        parser.error(f"--problems: expected some of {', '.join(sorted(known))}, got {', '.join(unknown)}")
    installed = ["salvo", *(who for who in RIVALS if not missing(who))]
    if args.optimisers is None:
        args.optimisers = installed
        if absent := [who for who in RIVALS if who not in installed]:
            print(f"left out, since what they need is not installed: {', '.join(absent)}", file=sys.stderr)
    for who in args.optimisers:
        if who != "salvo" and who not in RIVALS:
            parser.error(f"--optimisers: expected some of salvo, {', '.join(RIVALS)}, got {who}")
        if who not in installed:
            sys.exit(HOW.format(missing=", ".join(missing(who)) + " is"))
    return args


def missing(who: str) -> list[str]:
    return [package for package in RIVALS[who][1] if importlib.util.find_spec(package) is None]


def salvo(*command: str) -> str:
    program = os.environ.get("SALVO", str(ROOT / "build" / "salvo"))
    done = subprocess.run([program, *command], stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"experiments/outputs/run: salvo {' '.join(command)} ended with {done.returncode}")
    return done.stdout


# Salvo's own runs: a benchmark for every line, which keeps what is finished and goes on.
def run_salvo(args: argparse.Namespace, line: Line) -> list[dict[str, Any]]:
    folder = args.out / "salvo" / line.name
    options = [f"budget.evaluations={line.evaluations}", f"budget.batch={line.batch}", *args.set]
    command = ["bench", "--problems", line.problem, "--methods", args.method, "--seeds", str(args.seeds), "--seed", str(args.first_seed)]
    command += [word for each in options for word in ("--set", each)]
    print(f"salvo: {line.name}", file=sys.stderr)
    salvo(*command, "--jobs", str(args.jobs), "--json", "-o", str(folder))
    shift = PROBLEMS[line.problem].optimum if PROBLEMS[line.problem].objectives == 1 else 0.0
    runs = []
    wanted = {f"budget.evaluations = {line.evaluations}", f"budget.batch = {line.batch}"}
    for text in (folder / "runs.jsonl").read_text().splitlines():
        run = json.loads(text)
        seed_wanted = args.first_seed <= run["seed"] < args.first_seed + args.seeds
        if not seed_wanted or run["method"] != args.method or not wanted <= set(run["settings"].splitlines()):
            continue
        regret = run["regret"][-1]
        figure = math.inf if regret == "infeasible" else regret + shift
        runs.append({"line": line.name, "optimiser": "salvo", "seed": run["seed"], "figure": figure, "seconds": run["seconds"]})
    return runs


class OverTime(Exception):
    pass


def run_rival(line: Line, who: str, seed: int, limit: float) -> dict[str, Any]:
    import numpy as np

    problem, began = PROBLEMS[line.problem], time.perf_counter()
    noise = np.random.default_rng([seed, 7])  # one stream for a run, whoever asks

    def evaluate(U: Any) -> Any:
        if time.perf_counter() - began > limit:
            raise OverTime
        Y = problem.outputs(problem.point(U))
        return Y + noise.standard_normal(Y.shape) * np.array(problem.noise) if problem.noise else Y

    told = Told(problem, evaluate, line.evaluations, line.batch)
    kept = {"line": line.name, "optimiser": who, "seed": seed}
    try:
        at = RIVALS[who][0](told, seed)
    except OverTime:
        return kept | {"figure": None, "seconds": round(time.perf_counter() - began, 2)}
    return kept | {"figure": judged(problem, at), "seconds": round(time.perf_counter() - began, 2)}


def judged(problem: Problem, U: Any) -> float:
    Y = problem.outputs(problem.point(U))
    allowed = problem.allowed(Y)
    if problem.objectives == 1:
        return float(Y[0, 0]) if allowed[0] else math.inf
    import moocore

    front = Y[allowed][:, : problem.objectives]
    return problem.best - (float(moocore.hypervolume(front, ref=list(problem.reference))) if len(front) else 0.0)


def takes_part(who: str, line: Line) -> bool:
    return RIVALS[who][2 if PROBLEMS[line.problem].objectives == 1 else 3]


# JSON has no infinity.
def to_line(run: dict[str, Any]) -> str:
    return json.dumps(run | {"figure": "infeasible" if run["figure"] == math.inf else run["figure"]})


def of_line(text: str) -> dict[str, Any]:
    run = json.loads(text)
    return run | {"figure": math.inf if run["figure"] == "infeasible" else run["figure"]}


def run_rivals(args: argparse.Namespace) -> list[dict[str, Any]]:
    args.out.mkdir(parents=True, exist_ok=True)
    kept = args.out / "runs.jsonl"
    text = kept.read_text() if kept.exists() else ""
    runs = [of_line(line) for line in text.splitlines(keepends=True) if line.endswith("\n")]  # one that was cut off is run again
    if text and not text.endswith("\n"):
        kept.write_text(text[: text.rfind("\n") + 1])
    seeds = range(args.first_seed, args.first_seed + args.seeds)
    wanted = [(line, who, seed) for seed in seeds for line in args.lines for who in args.optimisers if who != "salvo" and takes_part(who, line)]
    have = {(run["line"], run["optimiser"], run["seed"]) for run in runs}
    due = [(line, who, seed) for line, who, seed in wanted if (line.name, who, seed) not in have]
    with ProcessPoolExecutor(args.jobs) as workers, kept.open("a") as file:
        jobs = [workers.submit(run_rival, *each, args.limit) for each in due]
        for number, job in enumerate(as_completed(jobs), 1):
            runs.append(job.result())
            file.write(to_line(runs[-1]) + "\n")
            file.flush()
            print(f"\r{number} of {len(due)} runs of others", end="", file=sys.stderr, flush=True)
    if due:
        print(file=sys.stderr)
    names = {(line.name, who, seed) for line, who, seed in wanted}
    return [run for run in runs if (run["line"], run["optimiser"], run["seed"]) in names]


def quantile(values: list[float], share: float) -> float:
    at = share * (len(values) - 1)
    low, high = values[math.floor(at)], values[math.ceil(at)]
    return low if low == high or math.isinf(low) else low + (at - math.floor(at)) * (high - low)


def shown(value: float) -> str:
    return "infeasible" if math.isinf(value) else f"{value:.5g}"


def table(args: argparse.Namespace, runs: list[dict[str, Any]]) -> str:
    out = ["| problem | budget | optimiser | runs | median | quartiles | worst | goal | holds | seconds |", "|---|---|---|---|---|---|---|---|---|---|"]
    for line in args.lines:
        figures: dict[str, list[float]] = {}
        for who in args.optimisers:
            these = [run for run in runs if (run["line"], run["optimiser"]) == (line.name, who)]
            figures[who] = sorted(run["figure"] for run in these if run["figure"] is not None)
        rival = quantile(figures.get("qlognehvi") or [math.nan], 0.5)
        for who in args.optimisers:
            these = [run for run in runs if (run["line"], run["optimiser"]) == (line.name, who)]
            if not these:
                continue
            seconds = statistics.median(run["seconds"] for run in these)
            head = f"| {line.problem} | {line.evaluations}, {line.batch} | {who} | {len(figures[who])} | "
            goal = shown(line.goal) if not math.isnan(line.goal) else f"qlognehvi's{'' if math.isnan(rival) else f' {rival:.5g}'}"
            if not figures[who]:
                out.append(f"{head}not within {args.limit:g} s | – | – | {goal} | – | {seconds:.1f} |")
                continue
            low, median, high = (quantile(figures[who], share) for share in (0.25, 0.5, 0.75))
            holds = {None: "–", True: "yes", False: "no"}[line.holds(median, rival)]
            quartiles = f"{shown(low)} to {shown(high)}"
            out.append(f"{head}{shown(median)} | {quartiles} | {shown(figures[who][-1])} | {goal} | {holds} | {seconds:.1f} |")
    return "\n".join(out)


# A hundred random points with Salvo's values, and with several objectives Salvo's hypervolume of them: `salvo bench` of the same
# seed tries the same points, and keeps nine digits of what they lack of the best.
def check(args: argparse.Namespace) -> int:
    wrong = 0
    for problem in [PROBLEMS[name] for name in dict.fromkeys(line.problem for line in args.lines)] + list(MORE.values()):
        words = [f"{problem.name}:", *check_values(problem, args.out / "check")]
        wrong += words[-1] != "the same"
        print(" ".join(words), flush=True)
    return 1 if wrong else 0


def check_values(problem: Problem, folder: Path) -> list[str]:
    import moocore
    import numpy as np

    folder.mkdir(parents=True, exist_ok=True)
    study, store = folder / f"{problem.name}.toml", folder / f"{problem.name}.db"
    store.unlink(missing_ok=True)
    budget = ["budget.batch=100", "budget.evaluations=100", "objective.noise_variance=0"]
    lines = ['method = "random"', "[objective]", f'builtin = "{problem.name}"', "[storage]", f'path = "{store.name}"', ""]
    study.write_text("\n".join(lines))
    settings = [word for each in budget for word in ("--set", each)]
    salvo("run", str(study), "--quiet", *settings)
    rows = [json.loads(row) for row in salvo("export", str(study), "--format", "json").splitlines()]
    X = np.array([list(row["params"].values()) for row in rows], float)
    theirs = np.array([list(row["values"].values()) for row in rows], float)
    Y = problem.outputs(X)
    if theirs.shape != Y.shape:
        return [f"Salvo has {theirs.shape[1]} outputs, this has {Y.shape[1]}:", "NOT the same"]
    apart = float(np.max(np.abs(theirs - Y) / (1e-9 + np.abs(Y))))
    inside = bool(np.all((X >= problem.low) & (X <= problem.high)))
    said = [f"{len(rows)} points, outputs at most {apart:.1e} apart,"]
    same = apart < 1e-9 and inside
    if problem.objectives > 1:
        shutil.rmtree(folder / problem.name, ignore_errors=True)
        salvo("bench", "--problems", problem.name, "--methods", "random", "--seeds", "1", "--quiet", *settings, "-o", str(folder / problem.name))
        lacks = json.loads((folder / problem.name / "runs.jsonl").read_text())["queried"][-1]
        front = Y[problem.allowed(Y)][:, : problem.objectives]
        volume = float(moocore.hypervolume(front, ref=list(problem.reference))) if len(front) else 0.0
        difference = abs(problem.best - volume - lacks) / problem.best
        said.append(f"hypervolume {volume:.6g}, {difference:.1e} of the best apart,")
        same = same and difference < 1e-8
    return [*said, "the same" if same else "NOT the same"]


def main() -> int:
    args = arguments()
    if args.check:
        return check(args)
    runs = [run for line in args.lines for run in run_salvo(args, line)] if "salvo" in args.optimisers else []
    runs += run_rivals(args)
    text = table(args, runs)
    (args.out / "table.md").write_text(text + "\n")
    print(text)
    return 0


if __name__ == "__main__":
    if absent := [package for package in ("numpy", "moocore") if importlib.util.find_spec(package) is None]:
        sys.exit(HOW.format(missing=" and ".join(absent) + (" is" if len(absent) == 1 else " are")))
    from goals import LINES, QUICK, Line
    from problems import MORE, PROBLEMS, Problem
    from rivals import RIVALS, Told

    sys.exit(main())
