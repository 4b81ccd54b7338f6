"""Runs every optimiser on the same problems, budgets and seeds; prints a table, keeps the numbers, draws the picture.

    experiments/peers/run [--problems hartmann6,ackley5] [--evaluations 5000] [--batch 100] [--seeds 3] [--limit 600]
    experiments/peers/run --seeds 3,trieste=1 --limit 600,trieste=4200      # for all, and for one of them

Runs take turns, one at a time, on --cores cores. Who is not done after --limit seconds is stopped, and reported with how
far it came; nothing is guessed beyond that. Seconds are the optimiser's own: taking in values, recommending, choosing the
next batch. What decides is CPU seconds, user and system, of the whole process: they do not depend on what else the machine
is doing, as those of the clock do. Regret is the true value at the point the optimiser would recommend, without the noise,
above the least value there is. --from FILE… prints and draws earlier runs again, all of them together.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import resource
import shutil
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

from problems import PROBLEMS

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
# Name, environment, packages whose versions matter, colour.
PEERS = {
    "salvo": ("Salvo", "salvo", ["salvo"], "#2563eb"),
    "optuna_tpe": ("Optuna, TPE", "optuna", ["optuna"], "#16a34a"),
    "optuna_gp": ("Optuna, GP", "botorch", ["optuna", "torch"], "#84cc16"),
    "botorch": ("BoTorch", "botorch", ["botorch", "torch"], "#dc2626"),
    "trieste": ("trieste", "trieste", ["trieste", "tensorflow"], "#f59e0b"),
    "trieste_light": ("trieste, light", "trieste", ["trieste", "tensorflow"], "#b45309"),
}


def main() -> int:
    args = arguments()
    args.out.mkdir(parents=True, exist_ok=True)
    report = measure(args) if args.earlier is None else together(args.earlier)
    (args.out / "peers.json").write_text(text_of(report))
    for problem in dict.fromkeys(run["problem"] for run in report["runs"]):
        print(table(report, problem))
    draw(report, args.out)
    print(f"\n{args.out / 'peers.json'} and {args.out / 'peers.svg'}")
    return 0


def measure(args: argparse.Namespace) -> dict[str, Any]:
    report: dict[str, Any] = {"machine": machine(args.cores), "settings": settings(args), "versions": versions(args), "runs": []}
    for problem in args.problems:
        for seed in range(max(args.seeds[peer] for peer in args.peers)):
            for peer in (peer for peer in args.peers if seed < args.seeds[peer]):
                run = one(peer, problem, seed, args)
                report["runs"].append(run)
                (args.out / "peers.json").write_text(text_of(report))  # nothing is lost when this is stopped
                print(f"{problem}, seed {seed}, {PEERS[peer][0]}: {told(run)}", file=sys.stderr)
    return report


def together(files: list[Path]) -> dict[str, Any]:
    """One report of several: each run once, where two have it the later file's."""
    reports = [json.loads(file.read_text()) for file in files]
    first = reports[0]
    for file, report in zip(files, reports):
        for key in ("machine", "settings"):
            if report[key] != first[key]:
                sys.exit(f"{file}: its {key} are {report[key]}, and those of {files[0]} are {first[key]}: they cannot be compared")
    runs = {(run["problem"], run["peer"], run["seed"]): run for report in reports for run in report["runs"]}
    order = list(PEERS)
    listed = sorted(runs.values(), key=lambda run: (run["problem"], run["seed"], order.index(run["peer"])))
    return {**first, "versions": {name: v for report in reports for name, v in report["versions"].items()}, "runs": listed}


def text_of(report: dict[str, Any]) -> str:
    """JSON with a line for each batch."""
    runs = []
    for run in report["runs"]:
        rounded = [{k: v if k == "evaluations" else float(f"{v:.6g}") for k, v in batch.items()} for batch in run["batches"]]
        batches = ",\n   ".join(map(json.dumps, rounded))
        head = json.dumps({key: value for key, value in run.items() if key != "batches"})
        runs.append(f'{head[:-1]}, "batches": [\n   {batches}]}}')
    head = json.dumps({key: value for key, value in report.items() if key != "runs"}, indent=1)
    return head[:-2] + ',\n "runs": [\n  ' + ",\n  ".join(runs) + "]\n}\n"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = ", ".join(PROBLEMS)
    parser.add_argument("--problems", default="hartmann6", type=lambda text: listed("--problems", text, PROBLEMS), help=names)
    parser.add_argument("--peers", default=",".join(PEERS), type=lambda text: listed("--peers", text, PEERS), help=", ".join(PEERS))
    parser.add_argument("--evaluations", type=positive, default=5000)
    parser.add_argument("--batch", type=positive, default=100)
    parser.add_argument("--seeds", type=for_each, default="3", metavar="N[,PEER=N…]", help="seeds 0 to N − 1; 3")
    parser.add_argument("--limit", type=for_each, default="600", metavar="S[,PEER=S…]", help="seconds that one run may take; 600")
    parser.add_argument("--cores", type=positive, default=2)
    parser.add_argument("--out", type=Path, default=ROOT / "out/peers", help="folder of peers.json and peers.svg")
    parser.add_argument("--from", dest="earlier", type=Path, nargs="+", metavar="FILE", help="runs nothing: the peers.json of earlier runs")
    parser.add_argument("--environments", type=Path, default=ROOT / "build/peers")
    args = parser.parse_args()
    if args.evaluations % args.batch:
        parser.error(f"--evaluations: expected a multiple of --batch, {args.batch}; got {args.evaluations}")
    return args


def positive(text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"expected a whole number above 0, got {text!r}")
    return int(text)


def for_each(text: str) -> dict[str, int]:
    """A number for every optimiser: "600" or "600,trieste=4200"."""
    words = [word.rpartition("=") for word in text.split(",")]
    plain = [positive(number) for name, _, number in words if not name]
    if len(plain) != 1:
        raise argparse.ArgumentTypeError(f"expected one number for all, and PEER=NUMBER for some; got {text!r}")
    named = {listed("", name, PEERS)[0]: positive(number) for name, _, number in words if name}
    return {**dict.fromkeys(PEERS, plain[0]), **named}


def listed(option: str, text: str, known: Any) -> list[str]:
    for name in text.split(","):
        if name not in known:
            raise argparse.ArgumentTypeError(f"expected names among {', '.join(known)}; got {name!r}")
    return text.split(",")


def settings(args: argparse.Namespace) -> dict[str, Any]:
    return {key: getattr(args, key) for key in ("evaluations", "batch", "cores")}


def machine(cores: int) -> dict[str, Any]:
    names = [line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")]
    return {"cpu": names[0] if names else platform.processor(), "cores_used": min(cores, len(os.sched_getaffinity(0)))}


def python_of(peer: str, args: argparse.Namespace) -> str:
    return str(args.environments / PEERS[peer][1] / "bin/python")


def versions(args: argparse.Namespace) -> dict[str, str]:
    """Of each package, as its own environment says."""
    found: dict[str, str] = {}
    code = "import importlib.metadata, sys; print(importlib.metadata.version(sys.argv[1]))"
    for peer in args.peers:
        for package in PEERS[peer][2]:
            done = subprocess.run([python_of(peer, args), "-c", code, package], capture_output=True, text=True)
            found[package] = done.stdout.strip() or "?"
    if "salvo" in found and (commit := commit_of_sources()):
        found["salvo"] += f" ({commit})"
    return found


def commit_of_sources() -> str:
    """Empty where there is no git, or the sources did not come by it."""
    if not shutil.which("git"):
        return ""
    asked = subprocess.run(["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
    return asked.stdout.strip()


def one(peer: str, problem: str, seed: int, args: argparse.Namespace) -> dict[str, Any]:
    """One run: its batches as far as it came, and how it ended."""
    cores = sorted(os.sched_getaffinity(0))[: args.cores]
    threads = {name: str(len(cores)) for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")}
    command = [python_of(peer, args), HERE / "loop.py", peer, problem, seed, args.batch, args.evaluations // args.batch]
    process = subprocess.Popen(
        [str(word) for word in command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **threads, "CUDA_VISIBLE_DEVICES": "", "TF_CPP_MIN_LOG_LEVEL": "3"},
        preexec_fn=lambda: os.sched_setaffinity(0, cores),
    )
    stopped = threading.Event()

    def stop() -> None:
        stopped.set()
        process.kill()

    timer = threading.Timer(args.limit[peer], stop)
    timer.start()
    begin, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    out, errors = process.communicate()
    timer.cancel()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    said = [json.loads(line) for line in out.splitlines() if line.endswith("}")]
    run: dict[str, Any] = {"peer": peer, "problem": problem, "seed": seed, "batches": said[1:]}
    # Of the whole process but for the import: what an unfinished batch took is in here and in no batch.
    run["seconds"] = round(time.monotonic() - begin, 1)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    run["cpu_seconds"] = round(spent - (said[0]["import_cpu_seconds"] if said else 0), 1)
    if process.returncode == 0:
        run["ended"] = "finished"
    elif stopped.is_set():
        run["ended"] = f"stopped after {args.limit[peer]} s"
    else:
        lines = [line for line in errors.splitlines() if line.strip()]
        named = [i for i, line in enumerate(lines) if re.match(r"[\w.]*(Error|Exception|Killed)\b", line)]  # of a traceback
        words = " ".join(line.strip() for line in lines[named[-1] :][:4]) if named else (lines or [f"status {process.returncode}"])[-1]
        run["ended"] = "failed: " + words.strip()[:300]
    return run


def told(run: dict[str, Any]) -> str:
    if not run["batches"]:
        return run["ended"]
    last = run["batches"][-1]
    return f"{run['ended']}, {last['evaluations']} evaluations, {last['cpu_seconds']:.1f} CPU s, {last['seconds']:.1f} s, regret {last['regret']:.4f}"


def table(report: dict[str, Any], problem: str) -> str:
    """Medians over the seeds; beside them what Salvo needed for as many evaluations, on the same seeds."""
    total = report["settings"]["evaluations"]
    runs = [run for run in report["runs"] if run["problem"] == problem]
    lines = [
        f"\n{problem}: {total} evaluations in batches of {report['settings']['batch']}, medians over the seeds",
        f"{'':<14}{'seeds':>6}{'evaluations':>12}{'regret':>9}{'queried':>9}{'seconds':>10}{'CPU s':>9}"
        f"   {'as far, times Salvo':<26}{'whole run, CPU':<19}Salvo's regret there",
    ]
    for peer in dict.fromkeys(run["peer"] for run in runs):
        mine = [run for run in runs if run["peer"] == peer]
        some = [run for run in mine if run["batches"]]
        if not some:
            lines.append(f"{PEERS[peer][0]:<14}{mine[0]['ended']}")
            continue
        reached = min(run["batches"][-1]["evaluations"] for run in some)
        line = f"{PEERS[peer][0]:<14}{len(some):>6}{reached:>12}{median(some, reached, 'regret'):>9.4f}"
        line += f"{median(some, reached, 'best_queried'):>9.4f}{median(some, reached, 'seconds'):>10.1f}"
        line += f"{median(some, reached, 'cpu_seconds'):>9.1f}"
        seeds = {run["seed"] for run in some}
        salvo = [run for run in runs if run["peer"] == "salvo" and run["ended"] == "finished" and run["seed"] in seeds]
        if salvo and peer != "salvo":
            cpu, clock = (median(some, reached, key) / median(salvo, reached, key) for key in ("cpu_seconds", "seconds"))
            line += f"   {f'{cpu:.0f}× CPU, {clock:.0f}× clock':<26}{whole(some, salvo, total):<19}{median(salvo, reached, 'regret'):.4f}"
        lines.append(line)
        failed = [run["ended"] for run in mine if run["ended"].startswith("failed")]
        lines += [f"{'':<14}{len(failed)} of {len(mine)} runs {failed[0]}"] if failed else []
    return "\n".join(lines)


def median(runs: list[Any], at: int, key: str) -> float:
    return statistics.median(batch[key] for run in runs for batch in run["batches"] if batch["evaluations"] == at)


def whole(runs: list[Any], salvo: list[Any], total: int) -> str:
    """The whole run beside Salvo's. Of those who did not get there what they had spent when they were stopped, which is
    the least it can be."""
    mine = statistics.median(run["batches"][-1]["cpu_seconds"] for run in salvo)
    if all(run["batches"][-1]["evaluations"] == total for run in runs):
        return f"{statistics.median(run['batches'][-1]['cpu_seconds'] for run in runs) / mine:.1f}×"
    return f"at least {statistics.median(run['cpu_seconds'] for run in runs) / mine:.1f}×"


def draw(report: dict[str, Any], out: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "salvo"
    import matplotlib.pyplot as plt

    problems = list(dict.fromkeys(run["problem"] for run in report["runs"]))
    figure, axes = plt.subplots(len(problems), 2, figsize=(10, 4 * len(problems)), squeeze=False, layout="constrained")
    for row, problem in zip(axes, problems):
        for ax, key, label in zip(row, ("cpu_seconds", "evaluations"), ("CPU seconds of the optimiser", "evaluations")):
            for peer, (name, _, _, colour) in PEERS.items():
                runs = [r["batches"] for r in report["runs"] if r["peer"] == peer and r["problem"] == problem and r["batches"]]
                for i, batches in enumerate(runs):
                    x, y = [b[key] for b in batches], [max(b["regret"], 1e-4) for b in batches]
                    ax.plot(x, y, color=colour, linewidth=1.2, alpha=0.8, label=name if i == 0 else None)
                    ax.plot(x[-1], y[-1], "o", color=colour, markersize=5)
            ax.set(yscale="log", xscale="linear" if key == "evaluations" else "log", xlabel=label, title=problem)
            ax.grid(alpha=0.25)
        row[0].set_ylabel("regret of the recommended point")
        row[0].legend(frameon=False, fontsize=9)
    figure.savefig(out / "peers.svg", metadata={"Date": None})


if __name__ == "__main__":
    sys.exit(main())
