"""The sparse Gaussian process as a scikit-learn estimator."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from .gp import Paths, SparseGP


class SparseGPRegressor(RegressorMixin, BaseEstimator):
    """SparseGP for pipelines, cross-validation and grid searches.

    kernel: "matern52", "matern32", "matern12", "se" or a salvo.Kernel. num_inducing, selector, noise: as SparseGP
    takes them. random_state: of the choice of inducing points.
    """

    def __init__(
        self,
        kernel: Any = "matern52",
        num_inducing: int = 500,
        selector: str = "auto",
        noise: float | None = None,
        random_state: Any = None,
    ) -> None:
        self.kernel = kernel
        self.num_inducing = num_inducing
        self.selector = selector
        self.noise = noise
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> SparseGPRegressor:
        X, y = validate_data(self, X, y, dtype=np.float64, y_numeric=True)
        seed = int(check_random_state(self.random_state).randint(2**31 - 1)) if self.random_state is not None else 0
        model = SparseGP(self.kernel, self.num_inducing, selector=self.selector, noise=self.noise, seed=seed)
        self.gp_ = model.fit(X, np.asarray(y, dtype=np.float64))
        self.kernel_ = self.gp_.kernel_
        return self

    def predict(self, X: Any, return_std: bool = False) -> Any:
        """Mean, and with return_std the standard deviation of the function without the noise."""
        check_is_fitted(self)
        return self.gp_.predict(validate_data(self, X, dtype=np.float64, reset=False), return_std)

    def sample_paths(self, count: int = 1, **options: Any) -> Paths:
        """Functions drawn from the posterior."""
        check_is_fitted(self)
        return self.gp_.sample_paths(count, **options)
