"""One trust region over BoTorch's exact GP, as its makers describe it (Eriksson and others, 2019): TuRBO-1."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from task import HIGH, LOW, Task

SHORTEST, LONGEST, FIRST = 0.5**7, 1.6, 0.8  # sides of the region, as shares of the box
SUCCESSES = 3  # batches in a row that must be better before it doubles


class Turbo:
    """Recommends the lowest value seen; with noise, the lowest posterior mean among the points of its region's model."""

    def __init__(self, task: Task) -> None:
        import torch

        torch.manual_seed(task.seed)
        torch.set_num_threads(1)
        self.dim, self.batch, self.seed, self.noise = task.dim, task.batch, task.seed, task.noise
        self.failures_allowed = math.ceil(max(4, task.dim) / task.batch)
        self.all_X, self.all_y = np.empty((0, task.dim)), np.empty(0)
        self.restart()

    def restart(self) -> None:
        self.X, self.y = np.empty((0, self.dim)), np.empty(0)
        self.length, self.successes, self.failures = FIRST, 0, 0

    def ask(self) -> list[list[float]]:
        import torch
        from torch.quasirandom import SobolEngine

        sobol = SobolEngine(self.dim, scramble=True, seed=self.seed + len(self.all_y))
        if len(self.y) < 2 * self.dim:
            self.asked = sobol.draw(self.batch).double().numpy()
        else:
            self.asked = self.sampled(self.fitted(), sobol, torch)
        return (LOW + (HIGH - LOW) * self.asked).tolist()

    def fitted(self) -> Any:
        import torch
        from botorch.fit import fit_gpytorch_mll
        from botorch.models import SingleTaskGP
        from gpytorch.constraints import Interval
        from gpytorch.kernels import MaternKernel, ScaleKernel
        from gpytorch.likelihoods import GaussianLikelihood
        from gpytorch.mlls import ExactMarginalLogLikelihood

        y = torch.tensor(-self.y).unsqueeze(-1)
        y = (y - y.mean()) / y.std().clamp_min(1e-12)
        kernel = ScaleKernel(MaternKernel(nu=2.5, ard_num_dims=self.dim, lengthscale_constraint=Interval(0.005, 4.0)))
        model = SingleTaskGP(torch.tensor(self.X), y, covar_module=kernel, outcome_transform=None,
                             likelihood=GaussianLikelihood(noise_constraint=Interval(1e-8, 1e-1 if self.noise == 0 else 1.0)))
        try:
            fit_gpytorch_mll(ExactMarginalLogLikelihood(model.likelihood, model), optimizer_kwargs={"options": {"maxiter": 50}})
        except Exception:  # as its notebook does: a fit that fails keeps the starting values
            pass
        return model.eval()

    def sampled(self, model: Any, sobol: Any, torch: Any) -> np.ndarray:
        from botorch.generation import MaxPosteriorSampling

        scales = model.covar_module.base_kernel.lengthscale.squeeze().detach().reshape(-1)
        weights = scales / scales.mean()
        weights = weights / weights.log().mean().exp()
        centre = torch.tensor(self.X[self.favourite(model)])
        low, high = ((centre + sign * weights * self.length / 2).clamp(0, 1) for sign in (-1, 1))
        count = min(5000, max(2000, 200 * self.dim))
        moved = low + (high - low) * sobol.draw(count).double()
        which = torch.rand(count, self.dim) <= min(1.0, 20 / self.dim)
        still = torch.where(~which.any(1))[0]
        which[still, torch.randint(0, self.dim, (len(still),))] = True
        candidates = torch.where(which, moved, centre.expand(count, self.dim))
        with torch.no_grad():
            return MaxPosteriorSampling(model, replacement=False)(candidates, num_samples=self.batch).numpy()

    def favourite(self, model: Any) -> int:
        import torch

        if self.noise == 0:
            return int(self.y.argmin())
        with torch.no_grad():
            return int(model.posterior(torch.tensor(self.X)).mean.argmax())

    def tell(self, values: list[float]) -> None:
        y = np.asarray(values)
        if len(self.y) >= 2 * self.dim:
            better = y.min() < self.y.min() - 1e-3 * abs(self.y.min())
            self.successes, self.failures = (self.successes + 1, 0) if better else (0, self.failures + 1)
            if self.successes == SUCCESSES:
                self.length, self.successes = min(LONGEST, 2 * self.length), 0
            elif self.failures >= self.failures_allowed:
                self.length, self.failures = self.length / 2, 0
        self.X, self.y = np.vstack([self.X, self.asked]), np.concatenate([self.y, y])
        self.all_X, self.all_y = np.vstack([self.all_X, self.asked]), np.concatenate([self.all_y, y])
        if self.length < SHORTEST:
            self.restart()

    def recommend(self) -> list[float]:
        at = self.all_X[self.all_y.argmin()]
        if self.noise > 0 and len(self.y) >= 2 * self.dim:
            at = self.X[self.favourite(self.fitted())]
        return (LOW + (HIGH - LOW) * at).tolist()
