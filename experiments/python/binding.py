"""What Python costs: the same study from Python and from C++, and single calls that return at once.

    ./test && PYTHONPATH=build/python/package build/python-venv/bin/python experiments/python/binding.py

Fails when a study takes more than 5% longer, or a call more than 0.2 ms longer, than from C++. Studies are compared by
the CPU time of their processes, which other programs on the machine disturb least; seconds by the clock are shown, too.
Calls are compared by the clock: the median of 500.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

import salvo

ROOT = Path(__file__).resolve().parents[2]


def from_cpp(program: Path, *arguments: object) -> list[float]:
    command = [str(program), "drive", *map(str, arguments)]
    return [float(word) for word in subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()]


def study(name: str, evaluations: int, batch: int, seed: int) -> tuple[float, float, float]:
    problem = salvo.problem(name)
    begin, cpu = time.perf_counter(), time.process_time()
    study = salvo.Study(problem.space, direction="minimize", seed=seed, batch=batch)
    for _ in range(0, evaluations, batch):
        trials = study.ask(batch)
        study.tell(trials, [problem(trial.params) for trial in trials])
    best = study.observed_best.value
    return time.perf_counter() - begin, time.process_time() - cpu, best


def calls(count: int) -> tuple[float, float]:
    study = salvo.Study(salvo.problem("hartmann6").space, direction="minimize", num_initial=count)
    asking, telling = [], []
    for _ in range(count):
        start = time.perf_counter()
        trial = study.ask(1)[0]
        asked = time.perf_counter()
        study.tell(trial, 1.0)
        telling.append(time.perf_counter() - asked)
        asking.append(asked - start)
    return statistics.median(asking), statistics.median(telling)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problem", default="hartmann6")
    parser.add_argument("--evaluations", type=int, default=1000)
    parser.add_argument("--batch", type=int, default=100)
    parser.add_argument("--repeats", type=int, default=5, help="pairs of runs, taken in turn")
    parser.add_argument("--build", type=Path, default=ROOT / "build", help="folder of the build, with the program experiments in it")
    args = parser.parse_args()

    program = args.build / "experiments"
    if not program.exists():
        parser.error(f"--build: there is no {program}. ./test builds it")
    runs = []
    for seed in range(args.repeats):
        size = ["--problem", args.problem, "--evaluations", args.evaluations, "--batch", args.batch]
        cpp, cpp_cpu, best = from_cpp(program, *size, "--seed", seed)
        python, python_cpu, same = study(args.problem, args.evaluations, args.batch, seed)
        assert best == same, f"C++ found {best}, Python {same}: not the same study"
        runs.append((python_cpu / cpp_cpu, python_cpu, cpp_cpu, python / cpp))
        print(f"seed {seed}: CPU {python_cpu:.3f} s from Python, {cpp_cpu:.3f} s from C++; clock {python:.3f} s, {cpp:.3f} s", file=sys.stderr)
    ratio, python_cpu, cpp_cpu, clock_ratio = (statistics.median(column) for column in zip(*runs))
    ask_cpp, tell_cpp = from_cpp(program, "--calls", 500)
    ask_python, tell_python = calls(500)
    result = {
        "ratio": ratio,
        "python_cpu_s": python_cpu,
        "cpp_cpu_s": cpp_cpu,
        "clock_ratio": clock_ratio,
        "ask_binding_ms": 1e3 * (ask_python - ask_cpp),
        "tell_binding_ms": 1e3 * (tell_python - tell_cpp),
    }
    print(json.dumps({key: round(value, 4) for key, value in result.items()}))
    good = result["ratio"] <= 1.05 and max(result["ask_binding_ms"], result["tell_binding_ms"]) < 0.2
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
