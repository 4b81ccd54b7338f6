"""Pictures of a study, with matplotlib. Every function takes an Axes or makes a figure, and returns what it drew on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import _check
from .output import Constraint
from .space import Candidate, Fixed, Float, Int, Params

if TYPE_CHECKING:
    from .study import Study

BLUE, GREY, PALE, RED = "#2563eb", "#9ca3af", "#dddddd", "#dc2626"


class Plots:
    """study.plot: pictures of one study."""

    def __init__(self, study: Study) -> None:
        self._study = study

    def progress(self, ax: Any = None) -> Any:
        """Every value as a point, and the best one so far as a line."""
        trials = self._done()
        ax = ax or _new_axes()
        values = np.array([trial.value for trial in trials])
        numbers = np.arange(1, len(values) + 1)
        allowed = self._allowed(trials)
        ax.plot(numbers[allowed], values[allowed], ".", color=GREY, markersize=4, label="values")
        if not allowed.all():
            ax.plot(numbers[~allowed], values[~allowed], ".", color=PALE, markersize=4, label="not feasible")
        ax.step(numbers, self._best_so_far(values, allowed), where="post", color=BLUE, label="best so far")
        failed = self._study.counts.failed
        ax.set(xlabel="evaluations", ylabel=self._value_name, title=self._study.options["name"] + (f" ({failed} failed)" if failed else ""))
        ax.legend(frameon=False)
        return ax

    def slices(self, params: Any = None, num_points: int = 100) -> Any:
        """The model's mean, and two standard deviations around it, along each parameter through the recommended point; nothing
        where conditions do not hold. What follows from other parameters moves along with them.
        """
        study = self._study
        names = self._free(self._names(params))
        best = study.best
        values = np.array([trial.value for trial in self._done()])
        _, axes = _grid(len(names))
        for name, ax in zip(names, axes):
            domain = study.space[name]
            ticks, labels, log = _along(domain, num_points)
            mean, std = self._along_slice(best.params, name, labels)
            if isinstance(domain, (Float, Int)):
                ax.plot(ticks, mean, color=BLUE)
                ax.fill_between(ticks, mean - 2 * std, mean + 2 * std, color=BLUE, alpha=0.15, linewidth=0)
                position = best.params[name]
            else:
                ax.errorbar(ticks, mean, 2 * std, fmt="o", color=BLUE)
                ax.set_xticks(ticks, [str(label) for label in labels])
                position = labels.index(best.params[name])
            ax.axvline(position, color=RED, linewidth=1, linestyle="--")
            if log:
                ax.set_xscale("log")
            ax.set(xlabel=name)
        axes[0].set_ylabel(self._value_name)
        low, high = values.min(), values.max()
        axes[0].set_ylim(low - 0.05 * (high - low or 1), high + 0.05 * (high - low or 1))
        return axes

    def parallel(self, params: Any = None, ax: Any = None) -> Any:
        """Every trial as a line over all parameters, the better the darker."""
        matplotlib = _check.need("study.plot", "matplotlib")

        trials = self._done()
        names = self._names(params)
        ax = ax or _new_axes(width=max(6.0, 1.5 * len(names)))
        columns = np.array([_heights(self._study.space[name], [t.params[name] for t in trials]) for name in names])
        ranks = np.argsort(np.argsort([t.value for t in trials])) / max(1, len(trials) - 1)
        goodness = 1 - ranks if self._study.direction == "minimize" else ranks
        colours = matplotlib.colormaps["viridis_r"]
        for i in np.argsort(goodness):
            ax.plot(range(len(names)), columns[:, i], color=colours(goodness[i]), alpha=0.15 + 0.6 * goodness[i], linewidth=0.8)
        ax.set_xticks(range(len(names)), [_range_label(name, self._study.space[name]) for name in names])
        ax.set_yticks([])
        ax.set(title=f"{self._study.options['name']}: dark is good", xlim=(0, max(1, len(names) - 1)), ylim=(0, 1))
        for i in range(len(names)):
            ax.axvline(i, color=GREY, linewidth=0.5)
        return ax

    def importance(self, ax: Any = None) -> Any:
        """Each parameter's share of the variance of the model's mean, in total and by itself, ± 2 standard deviations."""
        shares = self._study.importance()
        ax = ax or _new_axes(height=max(2.0, 0.45 * len(shares) + 1.4))
        names = list(shares)[::-1]
        places = np.arange(len(names))
        for what, std, colour, label, shift in (
            (shares.total, shares.total_std, BLUE, "total, with interactions", 0.2),
            (shares.first, shares.first_std, GREY, "by itself", -0.2),
        ):
            values = np.array([what[name] for name in names])
            below = np.minimum(values, 2 * np.array([std[name] for name in names]))
            above = 2 * np.array([std[name] for name in names])
            ax.barh(places + shift, values, 0.38, color=colour, label=label, xerr=[below, above], error_kw={"elinewidth": 1, "capsize": 2})
        ax.set_yticks(places, names)
        ax.set(xlabel="share of the variance over the space", xlim=(0, max(1.0, *shares.values())))
        ax.legend(frameon=False)
        return ax

    def _done(self) -> Any:
        done = [trial for trial in self._study.trials if trial.value is not None and not trial.outside]
        if not done:
            raise ValueError(f"plot: {self._study._nothing_told()}")
        return done

    @property
    def _value_name(self) -> str:
        return next(iter(self._study.outputs))

    def _allowed(self, trials: Any) -> np.ndarray:
        """Which of them are known to keep to the constraints."""
        constraints = {name: role for name, role in self._study.outputs.items() if isinstance(role, Constraint)}
        return np.array([all(role.holds(trial.values.get(name)) for name, role in constraints.items()) for trial in trials])

    def _best_so_far(self, values: np.ndarray, allowed: np.ndarray) -> np.ndarray:
        """NaN before the first that is allowed."""
        minimize = self._study.direction == "minimize"
        fold, worst = (np.fmin, np.inf) if minimize else (np.fmax, -np.inf)
        best = fold.accumulate(np.where(allowed, values, worst))
        return np.where(np.isinf(best), np.nan, best)

    def _names(self, params: Any) -> list[str]:
        space = self._study.space
        if any(isinstance(domain, Candidate) for domain in space.values()):
            raise ValueError("plot: a study over a pool has no parameters to draw along")
        if params is None:
            return self._free([name for name, domain in space.items() if not isinstance(domain, Fixed)])
        names = [params] if isinstance(params, str) else list(params)
        for name in names:
            if name not in space:
                raise ValueError(f"plot: expected parameters among {', '.join(space)}; got {name!r}")
        return names

    def _free(self, names: list[str]) -> list[str]:
        """Without those that follow from others, which have no axis of their own."""
        return [name for name in names if name not in self._study.space.follows]

    def _along_slice(self, point: Params, name: str, labels: list[Any]) -> tuple[Any, Any]:
        """Mean and standard deviation where one parameter takes these values; NaN where the conditions do not hold."""
        space = self._study.space
        others = {key: value for key, value in point.items() if key not in space.follows}
        points, kept = [], np.zeros(len(labels), dtype=bool)
        for i, label in enumerate(labels):
            try:
                points.append(space.check({**others, name: label}))
                kept[i] = True
            except ValueError:
                continue
        mean, std = np.full(len(labels), np.nan), np.full(len(labels), np.nan)
        if points:
            mean[kept], std[kept] = self._study.predict(points)
        return mean, std


def _new_axes(width: float = 6.0, height: float = 4.0) -> Any:
    plt = _check.need("study.plot", "matplotlib.pyplot")

    return plt.subplots(figsize=(width, height), layout="constrained")[1]


def _grid(count: int) -> tuple[Any, list[Any]]:
    plt = _check.need("study.plot", "matplotlib.pyplot")

    columns = min(count, 4)
    rows = -(-count // columns)
    figure, axes = plt.subplots(rows, columns, figsize=(3 * columns, 2.6 * rows), sharey=True, squeeze=False, layout="constrained")
    for ax in axes.flat[count:]:
        ax.set_visible(False)
    return figure, list(axes.flat[:count])


def _along(domain: Any, num_points: int) -> tuple[Any, list[Any], bool]:
    """Places on the axis, the values there, and whether the axis is logarithmic."""
    if isinstance(domain, Float):
        space = np.geomspace if domain.log else np.linspace
        ticks = np.clip(space(domain.low, domain.high, num_points), domain.low, domain.high)
        return ticks, ticks.tolist(), domain.log
    if isinstance(domain, Int):
        space = np.geomspace if domain.log else np.linspace
        whole = np.clip(np.unique(np.rint(space(domain.low, domain.high, num_points)).astype(np.int64)), domain.low, domain.high)
        return whole, whole.tolist(), domain.log
    choices = [domain.value] if isinstance(domain, Fixed) else list(domain.choices)
    return np.arange(len(choices)), choices, False


def _pieces(values: Any) -> list[slice]:
    """Runs of numbers between which there is no NaN."""
    edges = np.flatnonzero(np.diff(np.r_[False, np.isfinite(values), False])).tolist()
    return [slice(begin, end) for begin, end in zip(edges[::2], edges[1::2])]


def _heights(domain: Any, values: list[Any]) -> Any:
    """Places of values on an axis from 0 to 1."""
    if isinstance(domain, (Float, Int)):
        scale = np.log if domain.log else np.asarray
        low, high, x = (scale(np.asarray(v, dtype=float)) for v in (domain.low, domain.high, values))
        return (x - low) / (high - low)
    choices = [domain.value] if isinstance(domain, Fixed) else list(domain.choices)
    return np.array([(choices.index(value) + 0.5) / len(choices) for value in values])


def _range_label(name: str, domain: Any) -> str:
    if isinstance(domain, (Float, Int)):
        return f"{name}\n{domain.low:g} … {domain.high:g}"
    choices = [domain.value] if isinstance(domain, Fixed) else domain.choices
    return name + "\n" + ", ".join(str(choice) for choice in choices[:3]) + (" …" if len(choices) > 3 else "")
