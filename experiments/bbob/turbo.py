"""TuRBO-1 (Eriksson et al. 2019) on BoTorch's exact GP, with the constants of the paper: one region, Thompson samples at
candidates inside it, a fresh start where it has shrunk to nothing. On a GPU where there is one."""

from __future__ import annotations

import math

import numpy as np
import torch
from botorch.exceptions.errors import ModelFittingError
from botorch.fit import fit_gpytorch_mll
from botorch.generation import MaxPosteriorSampling
from botorch.models import SingleTaskGP
from gpytorch.constraints import Interval
from gpytorch.kernels import MaternKernel, ScaleKernel
from gpytorch.likelihoods import GaussianLikelihood
from gpytorch.mlls import ExactMarginalLogLikelihood
from task import HIGH, LOW, Task
from torch.quasirandom import SobolEngine

LARGEST, FIRST, SMALLEST = 1.6, 0.8, 0.5**7  # sides of the region
SUCCESSES = 3  # batches that better the best, before it doubles
BETTER = 1e-3  # what counts as better, as a share of the best value


class Turbo:
    """Recommends the lowest value seen; with noise the point whose mean is lowest, of each start by its own model."""

    def __init__(self, task: Task) -> None:
        self.task, self.starts = task, 0
        self.place = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.leaders: list[tuple[float, list[float]]] = []  # of the starts that ended
        torch.manual_seed(task.seed)
        self.begin()

    def begin(self) -> None:
        self.X = torch.empty(0, self.task.dim, dtype=torch.double, device=self.place)
        self.y = torch.empty(0, 1, dtype=torch.double, device=self.place)  # larger is better
        self.length, self.won, self.lost = FIRST, 0, 0
        self.starts += 1

    def fitted(self) -> SingleTaskGP:
        noise = GaussianLikelihood(noise_constraint=Interval(1e-8, 1e-3 if self.task.noise == 0 else 1.0))
        kernel = ScaleKernel(MaternKernel(nu=2.5, ard_num_dims=self.task.dim, lengthscale_constraint=Interval(0.005, 4.0)))
        scaled = (self.y - self.y.mean()) / self.y.std().clamp_min(1e-300)
        model = SingleTaskGP(self.X, scaled, covar_module=kernel, likelihood=noise, outcome_transform=None)
        try:
            fit_gpytorch_mll(ExactMarginalLogLikelihood(model.likelihood, model))
        except ModelFittingError:  # values over many decades: it goes on with the hyperparameters it began with
            model.eval()
        return model

    def leader(self, model: SingleTaskGP) -> int:
        if self.task.noise == 0:
            return int(self.y.argmax())
        with torch.no_grad():
            return int(model.posterior(self.X).mean.argmax())

    def candidates(self, model: SingleTaskGP) -> torch.Tensor:
        dim, count = self.task.dim, min(5000, max(2000, 200 * self.task.dim))
        lengths = model.covar_module.base_kernel.lengthscale.detach().flatten()
        sides = lengths / lengths.log().mean().exp() * self.length
        centre = self.X[self.leader(model)]
        low, high = (centre - sides / 2).clamp(0, 1), (centre + sides / 2).clamp(0, 1)
        draws = SobolEngine(dim, scramble=True, seed=int(torch.randint(2**31, (1,)))).draw(count, dtype=torch.double)
        moved = torch.rand(count, dim, device=self.place) <= min(20 / dim, 1)
        moved[torch.arange(count), torch.randint(dim, (count,))] = True
        return torch.where(moved, low + (high - low) * draws.to(self.place), centre)

    def ask(self) -> list[list[float]]:
        if len(self.X) == 0:
            seed = 1000 * self.task.seed + self.starts
            self.asked = SobolEngine(self.task.dim, scramble=True, seed=seed).draw(self.task.batch, dtype=torch.double)
        else:
            model = self.fitted()
            with torch.no_grad():
                self.asked = MaxPosteriorSampling(model, replacement=False)(self.candidates(model), self.task.batch).cpu()
        return (LOW + (HIGH - LOW) * self.asked).tolist()

    def tell(self, values: list[float]) -> None:
        y = -torch.tensor(values, dtype=torch.double, device=self.place).unsqueeze(1)
        if len(self.y) > 0:
            self.judge(bool(y.max() > self.y.max() + BETTER * self.y.max().abs()))
        self.X, self.y = torch.cat([self.X, self.asked.to(self.place)]), torch.cat([self.y, y])
        if self.length < SMALLEST:
            self.leaders.append(self.own())
            self.begin()

    def judge(self, better: bool) -> None:
        self.won, self.lost = (self.won + 1, 0) if better else (0, self.lost + 1)
        if self.won == SUCCESSES:
            self.length, self.won = min(2 * self.length, LARGEST), 0
        if self.lost == math.ceil(max(4, self.task.dim) / self.task.batch):
            self.length, self.lost = self.length / 2, 0

    def own(self) -> tuple[float, list[float]]:
        if self.task.noise == 0:
            row = int(self.y.argmax())
            return float(self.y[row]), self.X[row].tolist()
        model = self.fitted()
        with torch.no_grad():
            means = model.posterior(self.X).mean.flatten()
        row = int(means.argmax())
        return float(self.y.mean() + self.y.std() * means[row]), self.X[row].tolist()

    def recommend(self) -> list[float]:
        ended = self.leaders + ([self.own()] if len(self.y) > 0 else [])
        return list(LOW + (HIGH - LOW) * np.asarray(max(ended)[1]))
