"""Salvo: large-batch Bayesian optimisation by Thompson sampling from sparse Gaussian processes.

    import salvo
    space = salvo.Space(x=salvo.Float(-5, 10), y=salvo.Float(0, 15))
    study = salvo.minimize(f, space, evaluations=500, batch=20)
    study.best.params
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from . import _check, _core
from ._core import StoreError, num_threads
from .features import Features
from .gp import ExactGP, Path, Paths, SparseGP
from .kernel import SE, Kernel, Matern12, Matern32, Matern52, choose_inducing
from .model_options import ModelOptions, PoolModelOptions
from .outcome import FAILED, Failed, MachineFailure
from .output import Constraint, Estimate, Objective
from .pool import Pool, PoolGP
from .problems import Problem, problem, problem_names
from .run import Stop, maximize, minimize, optimize
from .space import Bool, Choice, Fixed, Float, Int, Ordinal, Space
from .study import Study, methods
from .theory import Diagnosis, Forecast, Plan, diagnose, forecast, plan
from .threads import set_num_threads
from .trial import Amendment, Best, Counts, Front, Prior, SpaceChange, Trial, Trials

StoreError.__doc__ = "A file that is no study, is damaged, cannot be written, or was made by a later Salvo: an OSError."

__version__: str = getattr(_core, "__version__")

if TYPE_CHECKING:
    from .sklearn import SparseGPRegressor

__all__ = [
    "FAILED", "SE", "Amendment", "Best", "Bool", "Choice", "Constraint", "Counts", "Diagnosis", "Estimate", "ExactGP", "Failed", "Features", "Fixed", "Float", "Forecast", "Front", "Int", "Kernel", "MachineFailure", "Matern12",
    "Matern32", "Matern52", "ModelOptions", "Objective", "Ordinal", "Path", "Paths", "Plan", "Pool", "PoolGP", "PoolModelOptions", "Prior", "Problem", "Space", "SpaceChange", "SparseGP",
    "Stop", "StoreError", "Study", "Trial", "Trials", "__version__", "choose_inducing", "diagnose", "forecast", "maximize",
    "methods", "minimize", "num_threads", "optimize", "plan", "problem", "problem_names", "set_num_threads",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name == "SparseGPRegressor":  # scikit-learn is imported by those who use it
        _check.need("SparseGPRegressor", "sklearn")
        from .sklearn import SparseGPRegressor

        return SparseGPRegressor
    if name in ("botorch", "optuna", "ray", "sklearn"):  # salvo.optuna.SalvoSampler without another import
        if name in ("optuna", "sklearn"):
            _check.need(f"salvo.{name}", name)
        return importlib.import_module(f".{name}", __name__)
    raise AttributeError(f"module 'salvo' has no attribute {name!r}")
