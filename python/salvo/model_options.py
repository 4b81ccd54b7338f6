"""How a study models the objective."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from . import _check


@dataclasses.dataclass(frozen=True)
class ModelOptions:
    """How the study models the objective; docs/study-file.md says what each does."""

    kernel: str = "auto"  # matern52 or matern32, by evidence; or se, matern12, matern32, matern52
    num_inducing: int | str = 500  # or "auto"
    num_features: int | str = 1000  # or "auto"
    inducing: str = "auto"  # coverage, kmeans, greedy, kdpp, uniform, sobol, gradient, quality
    alpha: float | str = "auto"  # 1 while the model is exact, 1.5 then; or a number, or "theory"
    max_lengthscale: float = 0.7
    refit_growth: float = 0.15
    exact_until: int = 1000  # observations up to which the model is an exact GP
    num_starts: int = 10
    num_candidates: int = 0  # 0: 500 for each dimension
    max_share: float = 0.5  # of a batch that may go to one basin; 1: all of it
    near_share: float = 0.5  # of those near the best point that look around it, once the model is sparse; 0: none
    scout_share: float = 0.1  # of a batch sent where little was looked at; 0: none
    type: str = "inducing-points"  # inducing-features
    features: str = "fourier"  # of the prior: auto, fourier-pairs, orthogonal, quasi-random, eigen
    eigenfunctions: str = "auto"  # box, gaussian
    fit: str = "collapsed"  # stochastic
    max_kl: float = 1.0  # of num_inducing = "auto"
    max_inducing: int = 2000
    max_variance_error: float = 0.05  # of num_features = "auto"
    max_features: int = 8000
    rkhs_norm: float = 0.0  # of alpha = "theory"; 0: estimated
    noise_bound: float = 1.0
    minibatch: int = 1000  # of fit = "stochastic"
    kdpp_steps: int = 0  # of inducing = "kdpp"; 0: what 2·10⁹ operations buy
    max_grid_gib: float = 2.0  # of method = "thompson-grid"

    def _checked(self) -> dict[str, Any]:
        by_rule = isinstance(self.alpha, str)
        if by_rule and self.alpha not in ("auto", "theory"):
            raise ValueError(f'model.alpha: expected a number, "auto" or "theory", got {self.alpha!r}')
        out: dict[str, Any] = {
            "num_inducing": _check.size("model.num_inducing", self.num_inducing, 100_000),
            "num_features": _check.size("model.num_features", self.num_features, 1_000_000),
            "max_inducing": _check.whole("model.max_inducing", self.max_inducing, 1, 100_000),
            "max_features": _check.whole("model.max_features", self.max_features, 1, 1_000_000),
            "alpha": None if by_rule else _check.real("model.alpha", self.alpha),
            "alpha_by_theory": by_rule and self.alpha == "theory",
            "num_starts": _check.whole("model.num_starts", self.num_starts, 1, 10_000),
            "num_candidates": _check.whole("model.num_candidates", self.num_candidates, 0, 10_000_000),
            "exact_until": _check.whole("model.exact_until", self.exact_until, 0, 10_000),
            "minibatch": _check.whole("model.minibatch", self.minibatch, 1, 1_000_000_000),
            "kdpp_steps": _check.whole("model.kdpp_steps", self.kdpp_steps, 0, 1_000_000_000),
        }
        for name in ("kernel", "inducing", "type", "features", "eigenfunctions", "fit"):
            out[name] = _check.text(f"model.{name}", getattr(self, name))
        reals = ("max_lengthscale", "refit_growth", "max_kl", "max_variance_error", "rkhs_norm", "noise_bound", "max_share")
        for name in (*reals, "near_share", "scout_share", "max_grid_gib"):
            out[name] = _check.real(f"model.{name}", getattr(self, name))
        return out


def model_options(value: Any, base: ModelOptions) -> ModelOptions:
    """A mapping says what differs from base."""
    if isinstance(value, ModelOptions):
        return value
    if not isinstance(value, Mapping):
        raise TypeError(f"model: expected salvo.ModelOptions or a mapping, got {type(value).__name__}")
    known = [field.name for field in dataclasses.fields(ModelOptions)]
    for key in value:
        if key not in known:
            raise ValueError(f"model: expected keys among {', '.join(known)}; got {key!r}")
    return dataclasses.replace(base, **value)
