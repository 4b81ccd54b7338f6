"""Gaussian processes on their own: fit, predict, draw functions."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar, overload

import numpy as np
from numpy.typing import ArrayLike

from . import _check, _core
from .features import FEATURE_TYPES
from .kernel import SELECTORS, Kernel, as_kernel, box
from .space import Float, Space

Self = TypeVar("Self", bound="SparseGP")

# Of X scaled to the unit box and y to mean 0 and deviation 1. Wider than a study's own, which knows what it models.
FIT_OPTIONS: dict[str, Any] = {
    "max_evaluations": 100,
    "absolute_tolerance": 1e-3,
    "min_lengthscale": 0.005,
    "max_lengthscale": 1000.0,  # an input that does not matter, or only linearly, wants a long one
    "min_variance": 1e-2,
    "max_variance": 1e3,
    "min_noise": 1e-6,
    "max_noise": 2.0,
    "max_mean": 5.0,
}

MARGIN = 0.05  # of the data's box, that eigenfunctions reach beyond it


class SparseGP:
    """A sparse Gaussian process by Titsias' collapsed bound: O(n m²) for n observations and m inducing points.

    kernel: a Kernel or its name; what it holds is where the fit begins, or what stays when fit_hyperparameters is False.
    inducing: how many inducing points, or the points themselves [m, d].
    selector: how they are chosen: a word of `choose_inducing`, "auto" when not given.
    noise: the variance of the noise, in y's units squared; None begins at a tenth of y's variance.
    mean: the constant mean; None begins at y's own.
    fit_options: limits of the fit in the units that FIT_OPTIONS is in.

    After fit: kernel_, noise_, mean_ (in the units of X and y), Z_, summary_.
    """

    def __init__(
        self,
        kernel: Kernel | str = "matern52",
        inducing: int | ArrayLike = 500,
        *,
        selector: str = "auto",
        noise: float | None = None,
        mean: float | None = None,
        fit_hyperparameters: bool = True,
        fit_options: Mapping[str, Any] | None = None,
        seed: int = 0,
    ) -> None:
        self.kernel = as_kernel(kernel)
        self.inducing = inducing
        self.selector = _check.text("selector", selector)
        if selector not in SELECTORS:
            raise ValueError(f"selector: expected one of {', '.join(SELECTORS)}; got {selector!r}")
        self.noise = None if noise is None else _check.real("noise", noise)
        if self.noise is not None and self.noise <= 0:
            raise ValueError(f"noise: expected a variance above 0, got {self.noise}")
        self.mean = None if mean is None else _check.real("mean", mean)
        self.fit_hyperparameters = bool(fit_hyperparameters)
        self.fit_options = _fit_options(fit_options)
        self.seed = _check.seed_of(seed)
        self._core: _core.SparseGp | None = None

    def fit(self: Self, X: ArrayLike, y: ArrayLike) -> Self:
        """Chooses inducing points, learns the hyperparameters by the bound, and conditions on the data."""
        X, y = _data(X, y)
        low, width = box(X)
        centre, scale = _units(y)
        unit, anchored = _check.scaled(X, low, width), (y - centre) / scale
        d = X.shape[1]
        options = self.fit_options
        given = self.kernel.lengthscales is not None or not self.fit_hyperparameters
        scales = self.kernel.scales(d) / width if given else np.full(d, 0.3 * max(1, d / 6) ** 0.5)
        variance = self.kernel.variance / scale**2 if given else 1.0
        noise = 0.1 if self.noise is None else self.noise / scale**2
        mean = 0.0 if self.mean is None else (self.mean - centre) / scale
        Z = self._choose(unit, anchored, scales, low, width)
        _check.require_memory("The model", 6.0 * len(Z) ** 2)
        summary: dict[str, Any] = {"message": "hyperparameters as given"}
        if self.fit_hyperparameters:
            scales = np.clip(scales, options["min_lengthscale"], options["max_lengthscale"])
            variance = float(np.clip(variance, options["min_variance"], options["max_variance"]))
            noise = float(np.clip(noise, options["min_noise"], options["max_noise"]))
            mean = float(np.clip(mean, -options["max_mean"], options["max_mean"]))
            variance, scales, noise, mean, summary = _core.fit(
                self.kernel.type, variance, scales, noise, mean, Z, unit, anchored, options
            )
        # The same model in the user's units: a stationary kernel scales with its inputs.
        kernel = Kernel(self.kernel.type, variance * scale**2, scales * width)
        given_to_core = (self.kernel.type, variance, scales, noise, mean, Z, unit, anchored)
        self._core = _core.condition(*given_to_core)
        # From here on nothing fails: the model is the new one, or it is as it was.
        self._given = given_to_core
        self._units = (low, width, centre, scale)
        self.kernel_, self.noise_, self.mean_ = kernel, noise * scale**2, centre + scale * mean
        self.Z_, self.summary_ = low + width * Z, summary
        return self

    def __getstate__(self) -> dict[str, Any]:
        return {key: value for key, value in self.__dict__.items() if key != "_core"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._core = _core.condition(*state["_given"]) if "_given" in state else None

    def _choose(self, unit: Any, y: Any, scales: Any, low: Any, width: Any) -> _check.FloatArray:
        if isinstance(self.inducing, (int, np.integer)) and not isinstance(self.inducing, bool):
            count = _check.whole("inducing", self.inducing, 1, 100_000)
            return _core.choose_inducing(self.selector, self.kernel.type, scales, unit, y, count, self.seed)
        Z = _check.points("inducing", self.inducing, unit.shape[1])
        if len(Z) == 0:
            raise ValueError("inducing: expected at least one point, got none")
        return _check.scaled(Z, low, width)

    def _fitted(self) -> _core.SparseGp:
        if self._core is None:
            raise RuntimeError(f"{type(self).__name__}: not fitted yet. Call fit first")
        return self._core

    def _unit(self, X: ArrayLike) -> _check.FloatArray:
        low, width, _, _ = self._units
        with np.errstate(over="ignore"):
            unit = _check.scaled(_check.points("X", X, len(low)), low, width)
        if not np.isfinite(unit).all():
            raise ValueError("X: numbers too far from those of the fit")
        return unit

    def predict(self, X: Any, return_std: bool = False) -> Any:
        """The posterior mean at the rows of X; with return_std also the standard deviation of f, without the noise.

        A torch tensor gives tensors, anything else arrays.
        """
        gp = self._fitted()
        unit = self._unit(X)
        _, _, centre, scale = self._units
        if not return_std:
            return _check.like(X, centre + scale * gp.predict_mean(unit))
        mean, variance = gp.predict(unit)
        return _check.like(X, centre + scale * mean), _check.like(X, scale * np.sqrt(variance))

    def sample_paths(
        self,
        count: int = 1,
        *,
        num_features: int = 1000,
        features: str = "fourier",
        alpha: float = 1.0,
        seed: int | None = None,
    ) -> Paths:
        """Functions drawn from the posterior. Each can be evaluated and differentiated anywhere, at the same cost.

        features: of the prior, a type of `Features`; "eigen" holds in the box of the data alone, and says so when it is asked
        beyond. alpha scales the spread around the mean; another seed gives others.
        """
        gp = self._fitted()
        count = _check.whole("count", count, 1, 2**31 - 1)
        num_features = _check.whole("num_features", num_features, 1, 2**31 - 1)
        alpha = _check.real("alpha", alpha)
        if _check.text("features", features) not in FEATURE_TYPES:
            raise ValueError(f"features: expected one of {', '.join(FEATURE_TYPES)}; got {features!r}")
        m, d = self.Z_.shape
        _check.require_memory("Drawing these paths", 2.0 * count * (num_features + 3 * m) + 3.0 * num_features * (d + m))
        seed = self.seed if seed is None else _check.seed_of(seed)
        return Paths(gp.draw_paths(count, num_features, alpha, features, seed), self._units, seed)

    @property
    def bound(self) -> float:
        """The evidence lower bound of the data, of y scaled to deviation 1."""
        return self._fitted().bound

    @property
    def kl_bound(self) -> float:
        """An upper bound of how far the model is from the exact posterior (θ/τ); 0 when it is exact."""
        gp = self._fitted()
        _, _, _, scale = self._units
        return gp.theta / (self.noise_ / scale**2)


class ExactGP(SparseGP):
    """The exact Gaussian process: a sparse one whose inducing points are the data. O(n³): for some thousands."""

    def __init__(
        self,
        kernel: Kernel | str = "matern52",
        *,
        noise: float | None = None,
        mean: float | None = None,
        fit_hyperparameters: bool = True,
        fit_options: Mapping[str, Any] | None = None,
        seed: int = 0,
        max_points: int = 20_000,
    ) -> None:
        super().__init__(kernel, noise=noise, mean=mean, fit_hyperparameters=fit_hyperparameters, fit_options=fit_options, seed=seed)
        self.max_points = _check.whole("max_points", max_points, 1, 100_000)

    def _choose(self, unit: Any, y: Any, scales: Any, low: Any, width: Any) -> _check.FloatArray:
        Z = np.unique(unit, axis=0)
        if len(Z) > self.max_points:
            raise ValueError(f"ExactGP: expected at most {self.max_points} distinct points, got {len(Z)}. Use SparseGP, or raise max_points")
        return np.ascontiguousarray(Z)


class Path:
    """One function drawn from a Gaussian process: call it."""

    def __init__(self, paths: Paths, number: int) -> None:
        self._paths = paths
        self._number = number

    def value(self, X: Any) -> Any:
        """[n] at the rows of X. A tensor that requires a gradient gives one that has it."""
        values, gradients = self._paths._evaluate(X, [self._number])
        return _with_gradient(X, values[:, 0], gradients[:, 0])

    __call__ = value

    def gradient(self, X: Any) -> Any:
        """[n, d] at the rows of X."""
        return _check.like(X, self._paths._evaluate(X, [self._number])[1][:, 0])

    def maximize(self, space: Space | ArrayLike, **options: Any) -> Any:
        """Where this function is largest: see Paths.maximize."""
        return self._paths._maximize(space, [self._number], **options)[0]


class Paths(Sequence[Path]):
    """Functions drawn from one Gaussian process, one Path each."""

    def __init__(self, core: _core.Paths, units: tuple[Any, ...], seed: int) -> None:
        self._core = core
        self._low, self._width, self._centre, self._scale = units
        self._seed = seed

    @overload
    def __getitem__(self, index: int) -> Path: ...
    @overload
    def __getitem__(self, index: slice) -> list[Path]: ...
    def __getitem__(self, index: int | slice) -> Path | list[Path]:
        numbers = range(len(self))[index]
        return Path(self, numbers) if isinstance(numbers, int) else [Path(self, i) for i in numbers]

    def __len__(self) -> int:
        return self._core.size

    def __iter__(self) -> Iterator[Path]:
        return (Path(self, i) for i in range(len(self)))

    def value(self, X: Any) -> Any:
        """[n, paths]: every path at every row of X. A tensor that requires a gradient gives one that has it."""
        if getattr(X, "requires_grad", False):
            return _with_gradient(X, *self._evaluate(X, range(len(self))))
        unit = self._unit(X)
        _check.require_memory("The values", float(len(unit)) * len(self))
        return _check.like(X, self._centre + self._scale * self._core.values(unit))

    __call__ = value

    def gradient(self, X: Any) -> Any:
        """[n, paths, d]: the gradient of every path at every row of X."""
        return _check.like(X, self._evaluate(X, range(len(self)))[1])

    def maximize(self, space: Space | ArrayLike, **options: Any) -> Any:
        """Where each path is largest: as many distinct points as there are paths.

        space: a Space, when the inputs of the fit were space.encode(points): gives points of it, as dictionaries.
               Or pairs (low, high), one for each input: gives rows [paths, d].
        options: num_candidates, num_starts, max_iterations, seed, and taken: rows of the encoding not to be given.
        """
        return self._maximize(space, [], **options)

    def _unit(self, X: ArrayLike, depth: int = 4) -> _check.FloatArray:
        with np.errstate(over="ignore"):
            unit = _check.scaled(_check.points("X", X, len(self._low)), self._low, self._width)
        if not np.isfinite(unit).all():
            raise ValueError("X: numbers too far from those of the fit")
        if len(unit):
            self._warn_beyond(unit.min(axis=0), unit.max(axis=0), depth)
        return unit

    def _warn_beyond(self, low: Any, high: Any, depth: int) -> None:
        """Eigenfunctions vanish at the edge of a box a little larger than the data's, and go on as mirror images behind it.

        depth: of the calls between the user's line, which the warning names, and this one.
        """
        if self._core.everywhere or ((low >= -MARGIN).all() and (high <= 1 + MARGIN).all()):
            return
        warnings.warn(
            "paths of eigenfunctions hold in the box of the fitted data alone, and these points lie beyond it: values there are no "
            'draws from the model. Use features="fourier", which hold everywhere',
            RuntimeWarning,
            stacklevel=depth,
        )

    def _evaluate(self, X: ArrayLike, numbers: Sequence[int]) -> tuple[Any, Any]:
        unit = self._unit(X, depth=5)
        n, d = unit.shape
        _check.require_memory("The gradients", 3.0 * n * len(numbers) * (d + 1))
        repeated = np.repeat(unit, len(numbers), axis=0)
        values, gradients = self._core.evaluate(repeated, np.tile(numbers, n).tolist())
        shape = (n, len(numbers))
        return self._centre + self._scale * values.reshape(shape), self._scale / self._width * gradients.reshape(*shape, d)

    def _maximize(
        self,
        space: Any,
        numbers: list[int],
        *,
        num_candidates: int = 0,
        num_starts: int = 10,
        max_iterations: int = 20,
        seed: int | None = None,
        taken: ArrayLike | None = None,
    ) -> Any:
        d = len(self._low)
        low: _check.FloatArray
        high: _check.FloatArray
        if isinstance(space, Space):
            over, low, high = space, np.zeros(d), np.ones(d)
            if space.num_dims != d:
                raise ValueError(f"maximize: the paths have {d} inputs, and the space has {space.num_dims} coordinates")
        else:
            bounds = _check.points("bounds", space, 2)
            if len(bounds) != d:
                raise ValueError(f"bounds: expected {d} pairs, one for each input, got {len(bounds)}")
            low, high = bounds[:, 0], bounds[:, 1]
            over = Space({f"x{i}": Float(a, b) for i, (a, b) in enumerate(bounds.tolist())})
        num_starts = _check.whole("num_starts", num_starts, 1, 10_000)
        num_candidates = _check.whole("num_candidates", num_candidates, 0, 10_000_000)
        max_iterations = _check.whole("max_iterations", max_iterations, 0, 1_000_000)
        seed = self._seed if seed is None else _check.seed_of(seed)
        rows = np.empty((0, d)) if taken is None else _check.points("taken", taken, d)
        if taken is not None and not isinstance(space, Space):
            rows = _check.scaled(rows, low, high - low)
        # The paths live in the box of the fit: there the space begins at `corner` and is `width` wide.
        corner, width = (low - self._low) / self._width, (high - low) / self._width
        self._warn_beyond(corner, corner + width, depth=4)
        best = self._core.maximise(
            over._core, rows, corner, width, numbers, num_candidates, num_starts, max_iterations, seed
        )
        return over.decode(best) if isinstance(space, Space) else _check.like(space, low + (high - low) * best)


def _with_gradient(X: Any, values: _check.FloatArray, gradients: _check.FloatArray) -> Any:
    """The values; for a tensor that requires a gradient plus a term that is 0 and whose derivative is theirs."""
    out = _check.like(X, values)
    if not getattr(X, "requires_grad", False):
        return out
    nothing = X - X.detach()  # [n, d]
    return out + ((nothing if values.ndim == 1 else nothing[:, None]) * _check.like(X, gradients)).sum(-1)


def _fit_options(options: Mapping[str, Any] | None) -> dict[str, Any]:
    out = dict(FIT_OPTIONS)
    for key, value in (options or {}).items():
        if key not in out:
            raise ValueError(f"fit_options: expected keys among {', '.join(out)}; got {key!r}")
        name = f"fit_options[{key!r}]"
        out[key] = _check.whole(name, value, 1, 2**31 - 1) if key == "max_evaluations" else _check.real(name, value)
    return out


def _data(X: ArrayLike, y: ArrayLike) -> tuple[_check.FloatArray, _check.FloatArray]:
    X, y = _check.points("X", X), _check.array("y", y, 1)
    if X.shape[0] == 0 or X.shape[1] == 0:
        raise ValueError(f"X: expected at least one row and one column, got shape {X.shape}")
    if len(X) != len(y):
        raise ValueError(f"fit: X has {len(X)} rows but y has {len(y)}")
    if not np.isfinite(y).all():
        raise ValueError("y: expected finite numbers, got NaN or infinity")
    return X, y


def _units(y: _check.FloatArray) -> tuple[float, float]:
    """Centre and scale of y; 1 when it does not vary."""
    largest = float(np.abs(y).max())
    if largest > 1e150:
        raise ValueError(f"y: expected numbers whose squares are finite, got one of {largest:.3g}")
    if largest == 0:
        return 0.0, 1.0
    relative = y / largest  # squares of huge numbers would overflow
    centre, scale = float(relative.mean()) * largest, float(relative.std()) * largest
    return centre, scale if scale > 1e-12 * largest and np.isfinite(1 / scale) else largest
