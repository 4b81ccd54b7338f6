"""BoTorch the way its tutorials draw large batches: an exact Gaussian process, fitted anew for every batch, and Thompson
samples on Sobol' candidates. Recommends the evaluated point with the best mean of the model."""

import warnings

import torch
from botorch.fit import fit_gpytorch_mll
from botorch.generation import MaxPosteriorSampling
from botorch.models import SingleTaskGP
from gpytorch.mlls import ExactMarginalLogLikelihood
from torch.quasirandom import SobolEngine

warnings.simplefilter("ignore")


class BoTorch:
    def __init__(self, num_dims, batch, seed):
        torch.manual_seed(seed)
        torch.set_default_dtype(torch.float64)
        self.batch, self.num_dims = batch, num_dims
        self.sobol = SobolEngine(num_dims, scramble=True, seed=seed)
        self.num_candidates = min(5000, max(2000, 200 * num_dims))
        self.X, self.Y = torch.empty(0, num_dims), torch.empty(0, 1)

    def ask(self):
        candidates = self.sobol.draw(self.num_candidates, dtype=torch.float64)
        with torch.no_grad():
            return MaxPosteriorSampling(self.model, replacement=False)(candidates, num_samples=self.batch).numpy()

    def tell(self, U, y):
        self.X = torch.cat([self.X, torch.as_tensor(U)])
        self.Y = torch.cat([self.Y, -torch.as_tensor(y)[:, None]])  # BoTorch maximises
        self.model = SingleTaskGP(self.X, self.Y)
        fit_gpytorch_mll(ExactMarginalLogLikelihood(self.model.likelihood, self.model))

    def recommend(self):
        with torch.no_grad():
            mean = self.model.posterior(self.X).mean[:, 0]
        return self.X[mean.argmax()].numpy()


def make(num_dims, batch, seed):
    return BoTorch(num_dims, batch, seed)
