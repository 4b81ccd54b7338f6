"""Who takes part beside Salvo. Each gets a problem, what it may spend and a seed, asks `evaluate` (unit cube [n,d] → what is
observed [n, outputs]) for one batch after the other, and returns the points it recommends, in the unit cube: of one objective
one, of several a front; by what was observed where it has no model of its own."""

from __future__ import annotations

import importlib.util
import warnings
from typing import Any, Callable

import numpy as np
from problems import Problem

Array = np.ndarray
Evaluate = Callable[[Array], Array]


def best_seen(problem: Problem, U: Array, Y: Array) -> Array:
    """Of one objective the best allowed point, or the one that breaks least; of several the allowed ones that none beats."""
    allowed = problem.allowed(Y)
    if problem.objectives == 1:
        if allowed.any():
            return U[[np.flatnonzero(allowed)[Y[allowed, 0].argmin()]]]
        return U[[np.maximum(problem.violations(Y), 0).sum(1).argmin()]]
    import moocore

    if not allowed.any():
        return U[:0]
    front = moocore.is_nondominated(Y[allowed][:, : problem.objectives])
    return U[allowed][front]


class Told:
    """All that was evaluated so far."""

    def __init__(self, problem: Problem, evaluate: Evaluate, evaluations: int, batch: int) -> None:
        self.problem, self.evaluate, self.evaluations, self.batch = problem, evaluate, evaluations, batch
        self.U, self.Y = np.empty((0, problem.dim)), np.empty((0, problem.objectives + len(problem.bounds)))

    @property
    def left(self) -> int:
        return self.evaluations - len(self.U)

    def add(self, U: Array) -> Array:
        U = np.clip(U[: self.left], 0, 1)
        Y = self.evaluate(U)
        self.U, self.Y = np.vstack([self.U, U]), np.vstack([self.Y, Y])
        return Y

    def recommended(self) -> Array:
        return best_seen(self.problem, self.U, self.Y)


def random_search(told: Told, seed: int) -> Array:
    random = np.random.default_rng(seed)
    while told.left > 0:
        told.add(random.random((min(told.batch, told.left), told.problem.dim)))
    return told.recommended()


def optuna_by(make: Callable[..., Any]) -> Callable[[Told, int], Array]:
    def run(told: Told, seed: int) -> Array:
        import optuna

        optuna.logging.set_verbosity(optuna.logging.ERROR)
        warnings.simplefilter("ignore")
        problem = told.problem
        constraints = {"constraints_func": lambda trial: trial.user_attrs["broken"]} if problem.bounds else {}
        sampler = make(optuna.samplers, seed=seed, batch=told.batch, **constraints)
        study = optuna.create_study(directions=["minimize"] * problem.objectives, sampler=sampler)
        while told.left > 0:
            trials = [study.ask() for _ in range(min(told.batch, told.left))]
            U = np.array([[trial.suggest_float(f"x{j}", 0, 1) for j in range(problem.dim)] for trial in trials])
            Y = told.add(U)
            for trial, y, broken in zip(trials, Y, problem.violations(Y)):
                trial.set_user_attr("broken", [float(v) for v in broken])
                study.tell(trial, [float(v) for v in y[: problem.objectives]])
        return told.recommended()

    return run


def pymoo_by(name: str) -> Callable[[Told, int], Array]:
    def run(told: Told, seed: int) -> Array:
        from pymoo.algorithms.moo.nsga2 import NSGA2
        from pymoo.algorithms.soo.nonconvex.ga import GA
        from pymoo.core.evaluator import Evaluator
        from pymoo.core.problem import Problem as Box
        from pymoo.core.termination import NoTermination
        from pymoo.problems.static import StaticProblem

        problem = told.problem
        box = Box(n_var=problem.dim, n_obj=problem.objectives, n_ieq_constr=len(problem.bounds), xl=0.0, xu=1.0)
        size = max(20, told.batch)
        algorithm = {"nsga2": NSGA2, "ga": GA}[name](pop_size=size, n_offsprings=told.batch)
        algorithm.setup(box, termination=NoTermination(), seed=seed, verbose=False)
        while told.left > 0:
            asked = algorithm.ask()
            Y = told.add(asked.get("X"))
            asked = asked[: len(Y)]
            values = {"F": Y[:, : problem.objectives]} | ({"G": problem.violations(Y)} if problem.bounds else {})
            Evaluator().eval(StaticProblem(box, **values), asked)
            algorithm.tell(infills=asked)
        return told.recommended()

    return run


def needs(package: str) -> bool:
    return importlib.util.find_spec(package) is not None


def by_botorch(name: str) -> Callable[[Told, int], Array]:
    def run(told: Told, seed: int) -> Array:
        import botorch_rivals

        return getattr(botorch_rivals, name)(told, seed)

    return run


# Name: how it runs, what it needs, whether it takes one objective, several.
RIVALS: dict[str, tuple[Callable[[Told, int], Array], tuple[str, ...], bool, bool]] = {
    "optuna-nsga2": (optuna_by(lambda s, batch, **k: s.NSGAIISampler(population_size=max(20, batch), **k)), ("optuna",), True, True),
    "optuna-tpe": (optuna_by(lambda s, batch, **k: s.TPESampler(**k)), ("optuna",), True, True),
    "optuna-gp": (optuna_by(lambda s, batch, **k: s.GPSampler(**k)), ("optuna", "torch"), True, True),
    "pymoo-nsga2": (pymoo_by("nsga2"), ("pymoo",), False, True),
    "pymoo-ga": (pymoo_by("ga"), ("pymoo",), True, False),
    "scbo": (by_botorch("scbo"), ("torch", "botorch"), True, False),
    "qlognehvi": (by_botorch("qlognehvi"), ("torch", "botorch"), False, True),
    "random": (random_search, (), True, True),
}
