"""What BoTorch's documentation recommends: SCBO (Eriksson and Poloczek 2021) for constraints, noisy expected hypervolume
improvement (Daulton, Balandat and Bakshy 2021; its logarithm, Ament et al. 2023) for several objectives. On a GPU where there
is one."""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING

import numpy as np
import torch
from botorch.acquisition.multi_objective.logei import qLogNoisyExpectedHypervolumeImprovement
from botorch.acquisition.multi_objective.objective import IdentityMCMultiOutputObjective
from botorch.exceptions.warnings import BotorchWarning
from botorch.fit import fit_gpytorch_mll
from botorch.generation.sampling import ConstrainedMaxPosteriorSampling
from botorch.models import ModelListGP, SingleTaskGP
from botorch.models.transforms.outcome import Standardize
from botorch.optim import optimize_acqf
from botorch.sampling.normal import SobolQMCNormalSampler
from gpytorch.mlls import SumMarginalLogLikelihood
from torch.quasirandom import SobolEngine

if TYPE_CHECKING:
    from rivals import Told

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
warnings.simplefilter("ignore", BotorchWarning)


def tensor(values: np.ndarray) -> torch.Tensor:
    return torch.as_tensor(values, dtype=torch.double, device=DEVICE)


def models(U: np.ndarray, Y: np.ndarray) -> ModelListGP:
    X, T = tensor(U), tensor(Y)
    fitted = ModelListGP(*(SingleTaskGP(X, T[:, [j]], outcome_transform=Standardize(1)) for j in range(T.shape[1])))
    fit_gpytorch_mll(SumMarginalLogLikelihood(fitted.likelihood, fitted))
    return fitted


def first_design(told: Told, seed: int) -> None:
    count = min(told.left, max(told.batch, 2 * told.problem.dim))
    told.add(SobolEngine(told.problem.dim, scramble=True, seed=seed).draw(count).double().numpy())


def squeezed(values: np.ndarray) -> np.ndarray:
    return np.sign(values) * np.log1p(np.abs(values))


class Region:
    """A trust region: twice as long after some successes, half as long after some failures, and anew when it is too short."""

    def __init__(self, dim: int, batch: int) -> None:
        self.enough, self.too_many = max(3, math.ceil(dim / 10)), math.ceil(max(4 / batch, dim / batch))
        self.length, self.good, self.bad = 0.8, 0, 0

    def learn(self, better: bool) -> bool:
        """False: it is used up."""
        self.good, self.bad = (self.good + 1, 0) if better else (0, self.bad + 1)
        if self.good == self.enough:
            self.length, self.good = min(2 * self.length, 1.6), 0
        elif self.bad >= self.too_many:
            self.length, self.bad = self.length / 2, 0
        return self.length >= 0.5**7


def rank(objective: float, violations: np.ndarray) -> tuple[float, float]:
    """The smaller the better: what is allowed first, by its objective, then by what is broken."""
    broken = float(np.maximum(violations, 0).sum())
    return (broken, objective) if broken > 0 else (0.0, objective)


def scbo(told: Told, seed: int) -> np.ndarray:
    problem = told.problem
    torch.manual_seed(seed)
    restart = 0
    while told.left > 0:
        begin, region = len(told.U), Region(problem.dim, told.batch)
        first_design(told, seed + 1000 * restart)
        restart, going = restart + 1, True
        while told.left > 0 and going:
            U, Y = told.U[begin:], told.Y[begin:]
            V = problem.violations(Y)
            ranks = [rank(y, v) for y, v in zip(Y[:, 0], V)]
            best = min(range(len(ranks)), key=ranks.__getitem__)
            model = models(U, np.column_stack([-Y[:, 0], squeezed(V)]))
            X = scbo_batch(model, U[best], region.length, told, seed + len(told.U))
            Y = told.add(X)
            new = min(rank(y, v) for y, v in zip(Y[:, 0], problem.violations(Y)))
            going = region.learn(new < ranks[best])
    return told.recommended()


def scbo_batch(model: ModelListGP, centre: np.ndarray, length: float, told: Told, seed: int) -> np.ndarray:
    dim, count = told.problem.dim, min(5000, max(2000, 200 * told.problem.dim))
    low, high = np.clip(centre - length / 2, 0, 1), np.clip(centre + length / 2, 0, 1)
    candidates = low + (high - low) * SobolEngine(dim, scramble=True, seed=seed).draw(count).double().numpy()
    random = np.random.default_rng(seed)
    moved = random.random((count, dim)) <= min(20 / dim, 1)
    moved[np.arange(count), random.integers(0, dim, count)] = True
    candidates = np.where(moved, candidates, centre)
    sampling = ConstrainedMaxPosteriorSampling(model.subset_output([0]), model.subset_output(list(range(1, model.num_outputs))), replacement=False)
    with torch.no_grad():
        return sampling(tensor(candidates), num_samples=told.batch).cpu().numpy()


def qlognehvi(told: Told, seed: int) -> np.ndarray:
    problem, M = told.problem, told.problem.objectives
    torch.manual_seed(seed)
    first_design(told, seed)
    box = tensor(np.stack([np.zeros(problem.dim), np.ones(problem.dim)]))
    while True:
        model = models(told.U, np.column_stack([-told.Y[:, :M], problem.violations(told.Y)]))
        if told.left == 0:
            break
        acquisition = qLogNoisyExpectedHypervolumeImprovement(
            model=model,
            ref_point=[-r for r in problem.reference],
            X_baseline=tensor(told.U),
            prune_baseline=True,
            sampler=SobolQMCNormalSampler(torch.Size([64]), seed=seed),
            objective=IdentityMCMultiOutputObjective(outcomes=list(range(M))),
            constraints=[lambda Z, j=M + i: Z[..., j] for i in range(len(problem.bounds))] or None,
        )
        X, _ = optimize_acqf(acquisition, box, q=min(told.batch, told.left), num_restarts=4, raw_samples=128, sequential=True)
        told.add(X.detach().cpu().numpy())
    if not problem.noise:
        return told.recommended()
    with torch.no_grad():
        mean = model.posterior(tensor(told.U)).mean.cpu().numpy()
    from rivals import best_seen

    return best_seen(problem, told.U, np.column_stack([-mean[:, :M], told.Y[:, M:]]))
