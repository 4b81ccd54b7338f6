"""Who takes part: each is made for one task and has ask() → points [batch][dim] in [−5, 5], tell(values), recommend() → a point."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
from task import HIGH, LOW, Task

ROOT = Path(__file__).resolve().parents[2]


class Salvo:
    """The built command over a study file and a store of its own: what was told before an interruption is told."""

    def __init__(self, task: Task) -> None:
        self.names = [f"x{i}" for i in range(task.dim)]
        self.study, self.store = task.folder / "study.toml", task.folder / "study.db"
        self.batch, self.resumed = task.batch, False
        self.options = ["--threads", "1", *(word for each in task.settings for word in ("--set", each))]
        if self.study.exists():
            return
        task.folder.mkdir(parents=True, exist_ok=True)
        lines = ['name = "bbob"', 'direction = "minimize"', f"seed = {task.seed}", "[parameters]"]
        lines += [f"{name} = {{ low = {LOW}, high = {HIGH} }}" for name in self.names]
        self.study.write_text("\n".join([*lines, "[budget]", f"batch = {task.batch}", "[storage]", 'path = "study.db"', ""]))

    def call(self, *words: str, given: str | None = None) -> str:
        command = [os.environ.get("SALVO", str(ROOT / "build" / "salvo")), words[0], str(self.study), *words[1:], *self.options]
        done = subprocess.run(command, input=given, capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip()}")
        return done.stdout

    def told(self) -> int:
        if not self.store.exists():
            return 0
        self.resumed = True
        return sum(row["value"] != "" for row in csv.DictReader(io.StringIO(self.call("export", "--format", "csv"))))

    def ask(self) -> list[list[float]]:
        rows = self.points("--pending") if self.resumed else []
        rows, self.resumed = rows or self.points(str(self.batch)), False
        self.trials = [row["trial"] for row in rows]
        return [[float(row[name]) for name in self.names] for row in rows]

    def points(self, which: str) -> list[dict[str, str]]:
        return list(csv.DictReader(io.StringIO(self.call("ask", which, "--format", "csv"))))

    def tell(self, values: list[float]) -> None:
        lines = [json.dumps({"trial": int(trial), "value": value}) for trial, value in zip(self.trials, values)]
        self.call("tell", "-", "--format", "json", given="\n".join(lines) + "\n")

    def recommend(self) -> list[float]:
        best = json.loads(self.call("best", "--json"))["point"]
        return [best["params"][name] for name in self.names]


class Cma:
    """pycma as it comes, the population a batch; it never stops by itself. With noise its mean is its favourite."""

    def __init__(self, task: Task) -> None:
        import cma

        start = np.random.default_rng([task.seed, 1]).uniform(-4, 4, task.dim)
        never: dict[str, Any] = {"tolfun": 0, "tolx": 0, "tolfunhist": 0, "tolstagnation": 10**9, "tolflatfitness": 10**9}
        never["tolconditioncov"] = 1e300
        self.noise = task.noise
        options = {"popsize": task.batch, "bounds": [LOW, HIGH], "seed": task.seed + 1, "verbose": -9}
        self.search = cma.CMAEvolutionStrategy(list(start), 2.0, options | never)

    def ask(self) -> list[list[float]]:
        self.asked = self.search.ask()
        return [list(x) for x in self.asked]

    def tell(self, values: list[float]) -> None:
        self.search.tell(self.asked, values)

    def recommend(self) -> list[float]:
        result = self.search.result
        return list(np.clip(result.xfavorite if self.noise > 0 else result.xbest, LOW, HIGH))


class Random:
    """Uniform points; recommends that of the lowest value seen."""

    def __init__(self, task: Task) -> None:
        self.rng, self.shape = np.random.default_rng([task.seed, 2]), (task.batch, task.dim)
        self.lowest, self.best = float("inf"), [0.0] * task.dim

    def ask(self) -> list[list[float]]:
        self.asked = self.rng.uniform(LOW, HIGH, self.shape).tolist()
        return self.asked

    def tell(self, values: list[float]) -> None:
        for x, value in zip(self.asked, values):
            if value < self.lowest:
                self.lowest, self.best = value, x

    def recommend(self) -> list[float]:
        return self.best


class Optuna:
    """A sampler of Optuna over trials in memory; recommends study.best_params, the lowest value seen."""

    def __init__(self, task: Task, sampler: Any) -> None:
        import optuna

        optuna.logging.set_verbosity(optuna.logging.ERROR)
        self.space = {f"x{i}": optuna.distributions.FloatDistribution(LOW, HIGH) for i in range(task.dim)}
        self.study, self.batch = optuna.create_study(sampler=sampler), task.batch

    def ask(self) -> list[list[float]]:
        self.asked = [self.study.ask(self.space) for _ in range(self.batch)]
        return [[trial.params[name] for name in self.space] for trial in self.asked]

    def tell(self, values: list[float]) -> None:
        for trial, value in zip(self.asked, values):
            self.study.tell(trial, value)

    def recommend(self) -> list[float]:
        return [self.study.best_params[name] for name in self.space]


def tpe(task: Task) -> Optuna:
    import optuna

    return Optuna(task, optuna.samplers.TPESampler(seed=task.seed, multivariate=True, constant_liar=True))


def gp(task: Task) -> Optuna:
    import optuna

    return Optuna(task, optuna.samplers.GPSampler(seed=task.seed, deterministic_objective=task.noise == 0))


class Nevergrad:
    """Nevergrad's own choice of an optimiser for the budget; it is asked for a batch before it is told."""

    def __init__(self, task: Task) -> None:
        import nevergrad

        box = nevergrad.p.Array(shape=(task.dim,), lower=LOW, upper=HIGH)
        box.random_state.seed(task.seed)
        self.search = nevergrad.optimizers.NGOpt(box, budget=task.evaluations, num_workers=task.batch)
        self.batch = task.batch

    def ask(self) -> list[list[float]]:
        self.asked = [self.search.ask() for _ in range(self.batch)]
        return [list(map(float, candidate.value)) for candidate in self.asked]

    def tell(self, values: list[float]) -> None:
        for candidate, value in zip(self.asked, values):
            self.search.tell(candidate, value)

    def recommend(self) -> list[float]:
        return list(map(float, self.search.provide_recommendation().value))


def turbo(task: Task) -> Any:
    from turbo import Turbo

    return Turbo(task)


# Name, what makes it, the package it needs.
OPTIMISERS: dict[str, tuple[Any, str | None]] = {
    "salvo": (Salvo, None),
    "cma": (Cma, "cma"),
    "random": (Random, None),
    "tpe": (tpe, "optuna"),
    "gp": (gp, "torch"),
    "turbo": (turbo, "botorch"),
    "nevergrad": (Nevergrad, "nevergrad"),
}
