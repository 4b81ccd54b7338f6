"""Kernels: how alike two points are."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import _check, _core

KERNEL_TYPES = _core.kernel_types()


@dataclasses.dataclass(frozen=True)
class Kernel:
    """A stationary kernel: variance · φ(r), with r the distance after dividing each input by its length-scale.

    lengthscales is one number for all inputs or one for each; None lets a fit begin where it thinks best.
    """

    type: str = "matern52"
    variance: float = 1.0
    lengthscales: Any = None

    def __post_init__(self) -> None:
        if _check.text("kernel", self.type) not in KERNEL_TYPES:
            raise ValueError(f"kernel: expected one of {', '.join(KERNEL_TYPES)}; got {self.type!r}")
        object.__setattr__(self, "variance", _check.real("variance", self.variance))
        if self.lengthscales is not None:
            scales = np.asarray(self.lengthscales)
            if scales.ndim == 0:
                object.__setattr__(self, "lengthscales", _check.real("lengthscales", self.lengthscales))
            else:
                object.__setattr__(self, "lengthscales", tuple(_check.array("lengthscales", scales, 1).tolist()))
        if not 0 < self.variance < np.inf:
            raise ValueError(f"variance: expected a finite number > 0, got {self.variance}")
        for scale in np.atleast_1d(self.lengthscales if self.lengthscales is not None else 1.0):
            if not 0 < scale < np.inf:
                raise ValueError(f"lengthscales: expected finite numbers > 0, got {scale}")

    def scales(self, num_inputs: int, default: float = 1.0) -> _check.FloatArray:
        """One length-scale for each input."""
        if self.lengthscales is None or isinstance(self.lengthscales, float):
            return np.full(num_inputs, default if self.lengthscales is None else self.lengthscales)
        if len(self.lengthscales) != num_inputs:
            raise ValueError(f"lengthscales: expected {num_inputs}, one for each input, got {len(self.lengthscales)}")
        return np.array(self.lengthscales)

    def __call__(self, X: Any, Z: Any = None) -> Any:
        """The matrix of the kernel between rows of X and of Z (X again when left out); a tensor when X is one."""
        rows = _check.points("X", X)
        others = rows if Z is None else _check.points("Z", Z, rows.shape[1])
        _check.require_memory("The kernel's matrix", float(len(rows)) * len(others))
        return _check.like(X, _core.gram(self.type, self.variance, self.scales(rows.shape[1]), rows, others))


def SE(variance: float = 1.0, lengthscales: Any = None) -> Kernel:
    """Squared exponential: infinitely smooth."""
    return Kernel("se", variance, lengthscales)


def Matern12(variance: float = 1.0, lengthscales: Any = None) -> Kernel:
    """Rough: continuous, nowhere differentiable."""
    return Kernel("matern12", variance, lengthscales)


def Matern32(variance: float = 1.0, lengthscales: Any = None) -> Kernel:
    """Once differentiable."""
    return Kernel("matern32", variance, lengthscales)


def Matern52(variance: float = 1.0, lengthscales: Any = None) -> Kernel:
    """Twice differentiable: the usual choice."""
    return Kernel("matern52", variance, lengthscales)


def as_kernel(value: Any) -> Kernel:
    if isinstance(value, Kernel):
        return value
    if isinstance(value, str):
        return Kernel(value)
    raise TypeError(f"kernel: expected a salvo.Kernel or its name, got {type(value).__name__}")


SELECTORS = _core.selectors()


def choose_inducing(
    X: ArrayLike,
    y: ArrayLike | None = None,
    num_inducing: int = 500,
    *,
    how: str = "auto",
    kernel: Kernel | str = "matern52",
    seed: int = 0,
) -> _check.FloatArray:
    """At most num_inducing distinct points that stand for X: rows of X, or k-means centres.

    how: "coverage" (half spread out, half k-means), which "auto" is, "kmeans", "greedy" (conditional variance), "kdpp",
      "uniform", "sobol", "gradient" or "quality" (greedy weighted by expected improvement).
    """
    X = _check.points("X", X)
    if len(X) == 0 or X.shape[1] == 0:
        raise ValueError(f"X: expected at least one row and one column, got shape {X.shape}")
    values = np.zeros(len(X)) if y is None else _check.array("y", y, 1)
    low, width = box(X)
    kernel = as_kernel(kernel)
    scales = kernel.scales(X.shape[1]) / width if kernel.lengthscales is not None else np.full(X.shape[1], 0.3)
    num_inducing = _check.whole("num_inducing", num_inducing, 1, 100_000)
    seed = _check.seed_of(seed)
    unit = _check.scaled(X, low, width)
    Z = _core.choose_inducing(_check.text("how", how), kernel.type, scales, unit, values, num_inducing, seed)
    return low + width * Z


def box(X: _check.FloatArray) -> tuple[_check.FloatArray, _check.FloatArray]:
    """The corner and the widths of the box around the rows of X; 1 where they do not vary."""
    low = X.min(axis=0)
    with np.errstate(over="ignore"):
        width = X.max(axis=0) - low
    if not (width <= 1e150).all():
        raise ValueError("X: expected columns whose range squared is finite")
    tiny = width <= 1e-150
    return low, np.where(tiny, 1.0, width)
