"""Salvo where BoTorch's loop has optimize_acqf: tensors in BoTorch's shapes in and out, everything maximised.

Torch is not imported here: the tensors that come in bring what is needed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _check
from .gp import ExactGP, SparseGP
from .kernel import Kernel


def fit(train_X: Any, train_Y: Any, *, kernel: Kernel | str = "matern52", inducing: int = 500, seed: int = 0) -> SparseGP:
    """A Gaussian process of train_X [n, d] and train_Y [n, 1] (or [n]): exact while n ≤ inducing, sparse beyond."""
    X, Y = _check.points("train_X", train_X), _values("train_Y", train_Y)
    inducing = _check.whole("inducing", inducing, 1, 100_000)
    model = ExactGP(kernel, seed=seed) if len(X) <= inducing else SparseGP(kernel, inducing, seed=seed)
    return model.fit(X, Y)


def candidates(
    train_X: Any,
    train_Y: Any,
    bounds: Any,
    q: int,
    *,
    X_pending: Any = None,
    kernel: Kernel | str = "matern52",
    inducing: int = 500,
    alpha: float = 1.0,
    seed: int | None = None,
) -> Any:
    """[q, d]: the next batch, each point the maximiser of its own sample path of a model fitted to the data.

    bounds is [2, d], lower ends above upper ends. The points are distinct, and none is in X_pending. alpha scales the
    spread of the paths around the mean. Without a seed the paths go with the number of observations: each round has others.
    For a loop that keeps what it has learned between batches, take salvo.Study.
    """
    box = _check.points("bounds", bounds)
    if box.shape[0] != 2:
        raise ValueError(f"bounds: expected [2, d], lower ends above upper ends, got shape {box.shape}")
    seed = len(_check.points("train_X", train_X)) if seed is None else _check.seed_of(seed)
    gp = fit(train_X, train_Y, kernel=kernel, inducing=inducing, seed=seed)
    paths = gp.sample_paths(q, alpha=alpha, seed=seed)
    found = paths.maximize(np.ascontiguousarray(box.T), taken=None if X_pending is None else _check.points("X_pending", X_pending))
    return _check.like(train_X, found)


def _values(name: str, given: Any) -> _check.FloatArray:
    """One value a row, whether it comes as [n, 1] or as [n]."""
    if getattr(given, "ndim", 1) == 2:
        column = _check.array(name, given, 2)
        if column.shape[1] != 1:
            raise ValueError(f"{name}: expected one outcome, [n, 1], got shape {column.shape}")
        return np.ascontiguousarray(column[:, 0])
    return _check.array(name, given, 1)
