"""Features of a kernel's prior: finitely many functions whose products are about the kernel."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import _check, _core
from .kernel import Kernel, as_kernel

FEATURE_TYPES = _core.feature_types()


class Features:
    """Functions Φ with Φ(X) @ Φ(Z).T ≈ kernel(X, Z): call it. A function of the prior is Φ(X) @ weights, weights normal.

    kernel: a Kernel or its name. Without a length-scale for each input, num_inputs says how many there are.
    type: "fourier" (cosines of random frequencies and phases), "fourier-pairs" (sine and cosine of each), "orthogonal" or
        "quasi-random" frequencies, "eigen" (eigenfunctions of the kernel over the box, for few inputs); "auto" is that of
        least error among the random ones.
    box: pairs (low, high), where eigenfunctions are to hold; the unit box when not given. Others hold everywhere.
    """

    def __init__(
        self,
        kernel: Kernel | str = "matern52",
        num_features: int = 1000,
        *,
        type: str = "auto",
        num_inputs: int | None = None,
        box: ArrayLike | None = None,
        seed: int = 0,
    ) -> None:
        self.kernel = as_kernel(kernel)
        self.num_features = _check.whole("num_features", num_features, 1, 1_000_000)
        self.type = _check.text("type", type)
        if type not in FEATURE_TYPES:
            raise ValueError(f"type: expected one of {', '.join(FEATURE_TYPES)}; got {type!r}")
        self.seed = _check.seed_of(seed)
        self._low: Any = 0.0
        self._width: Any = 1.0
        bounds = None if box is None else _check.points("box", box, 2)
        self.num_inputs = self._count(num_inputs, bounds)
        scales = self.kernel.scales(self.num_inputs)
        if bounds is not None:
            self._low, self._width = bounds[:, 0], bounds[:, 1] - bounds[:, 0]
            if not ((self._width > 0) & np.isfinite(self._width)).all():
                raise ValueError("box: expected pairs (low, high) with low below high")
        if type != "eigen":  # the same functions whatever the box: a frequency is per unit of X
            self._low, self._width = 0.0, 1.0
        _check.require_memory("The features", float(self.num_features) * (self.num_inputs + 2))
        self._given = (self.kernel.type, self.kernel.variance, scales / self._width, self.num_features)
        self._core = self._make()

    def _make(self) -> Any:
        if self.type == "eigen":
            return _core.eigenfunctions(*self._given)
        return _core.fourier_features(*self._given, self.type, self.seed)

    def _count(self, num_inputs: Any, bounds: Any) -> int:
        """Of the inputs, from whatever says it."""
        given = {
            "num_inputs": None if num_inputs is None else _check.whole("num_inputs", num_inputs, 1, 100_000),
            "lengthscales": len(self.kernel.lengthscales) if isinstance(self.kernel.lengthscales, tuple) else None,
            "box": None if bounds is None else len(bounds),
        }
        said = {name: count for name, count in given.items() if count is not None}
        if not said:
            raise ValueError("num_inputs: expected it, or a kernel with a length-scale for each input")
        if len(set(said.values())) > 1:
            raise ValueError("Features: expected one number of inputs, got " + ", ".join(f"{n} of {c}" for n, c in said.items()))
        return next(iter(said.values()))

    def __call__(self, X: Any) -> Any:
        """[n, num_features] at the rows of X; a tensor when X is one."""
        rows = _check.points("X", X, self.num_inputs)
        _check.require_memory("The features", float(len(rows)) * self.num_features)
        with np.errstate(over="ignore"):
            unit = rows if self.type != "eigen" else _check.scaled(rows, self._low, self._width)
        if not np.isfinite(unit).all():
            raise ValueError("X: numbers too far from the box")
        return _check.like(X, self._core.features(unit))

    @property
    def frequencies(self) -> _check.FloatArray:
        """[num_features, num_inputs] of the Fourier kinds: Φ_j(x) = √(2 variance / num_features) cos(frequencies[j] @ x + phases[j])."""
        return self._waves().frequencies()

    @property
    def phases(self) -> _check.FloatArray:
        """[num_features] of the Fourier kinds."""
        return self._waves().phases()

    @property
    def captured(self) -> float:
        """Of the eigenfunctions: the share of the prior's variance in the box that they carry."""
        if not isinstance(self._core, _core.Eigenfunctions):
            raise AttributeError(f'Features: captured is of type="eigen", and these are "{self.type}"')
        return self._core.captured

    def _waves(self) -> _core.FourierFeatures:
        if not isinstance(self._core, _core.FourierFeatures):
            raise AttributeError("Features: eigenfunctions have no frequencies")
        return self._core

    def __repr__(self) -> str:
        return f"Features({self.kernel!r}, {self.num_features}, type={self.type!r}, num_inputs={self.num_inputs})"

    def __getstate__(self) -> dict[str, Any]:
        return {key: value for key, value in self.__dict__.items() if key != "_core"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._core = self._make()
