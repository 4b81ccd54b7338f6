"""The same pictures with plotly, to be hovered over and zoomed into. Every function returns a plotly Figure."""

from __future__ import annotations

from typing import Any

import numpy as np

from .plot import BLUE, GREY, RED, Plots, _along, _heights, _pieces
from .space import Candidate, Choice, Fixed, Float, Int, Ordinal


class InteractivePlots(Plots):
    """study.plotly: pictures of one study."""

    def progress(self) -> Any:  # type: ignore[override]
        """Every value as a point with its parameters, and the best one so far as a line."""
        go = _graphs()
        trials = self._done()
        values = np.array([trial.value for trial in trials])
        numbers = np.arange(1, len(values) + 1)
        texts = [f"trial {t.id}<br>" + "<br>".join(f"{name} = {value}" for name, value in t.params.items()) for t in trials]
        figure = go.Figure(layout=_layout(self._study.options["name"]))
        figure.add_scatter(x=numbers, y=values, mode="markers", name="values", text=texts, marker={"color": GREY, "size": 5})
        best = self._best_so_far(values, self._allowed(trials))
        figure.add_scatter(x=numbers, y=best, mode="lines", name="best so far", line={"color": BLUE, "shape": "hv"})
        return figure.update_xaxes(title="evaluations").update_yaxes(title=self._value_name)

    def slices(self, params: Any = None, num_points: int = 100) -> Any:
        """The model's mean, and two standard deviations around it, along each parameter through the recommended point; nothing
        where conditions do not hold. What follows from other parameters moves along with them.
        """
        _graphs()
        from plotly.subplots import make_subplots

        study, names = self._study, self._free(self._names(params))
        columns = min(len(names), 4)
        figure = make_subplots(-(-len(names) // columns), columns, shared_yaxes=True)
        best = study.best
        for i, name in enumerate(names):
            place = {"row": 1 + i // columns, "col": 1 + i % columns}
            domain = study.space[name]
            ticks, labels, log = _along(domain, num_points)
            mean, std = self._along_slice(best.params, name, labels)
            if isinstance(domain, (Float, Int)):
                for piece in _pieces(mean):
                    x, m, s = ticks[piece], mean[piece], std[piece]
                    band = {"x": np.r_[x, x[::-1]], "y": np.r_[m + 2 * s, (m - 2 * s)[::-1]]}
                    figure.add_scatter(**band, fill="toself", line={"width": 0}, fillcolor="rgba(37,99,235,0.15)", hoverinfo="skip", **place)
                figure.add_scatter(x=ticks, y=mean, mode="lines", line={"color": BLUE}, name=name, **place)
            else:
                bars = {"type": "data", "array": 2 * std}
                texts = [str(label) for label in labels]
                figure.add_scatter(x=texts, y=mean, mode="markers", error_y=bars, marker={"color": BLUE}, name=name, **place)
            position = best.params[name] if isinstance(domain, (Float, Int)) else str(best.params[name])
            value = [best.mean]
            figure.add_scatter(x=[position], y=value, mode="markers", marker={"color": RED, "size": 9}, name="recommended", **place)
            figure.update_xaxes(title=name, type="log" if log else None, **place)
        return figure.update_layout(showlegend=False, **_layout(study.options["name"]))

    def parallel(self, params: Any = None) -> Any:  # type: ignore[override]
        """Every trial as a line over all parameters and the value; axes can be dragged over to choose among them."""
        go = _graphs()
        trials = self._done()
        values = np.array([trial.value for trial in trials])
        dimensions = [self._dimension(name, [trial.params[name] for trial in trials]) for name in self._names(params)]
        dimensions.append({"label": "value", "values": values})
        line = {"color": values, "colorscale": "Viridis", "reversescale": self._study.direction == "maximize", "showscale": True}
        return go.Figure(go.Parcoords(line=line, dimensions=dimensions), layout=_layout(self._study.options["name"]))

    def importance(self) -> Any:  # type: ignore[override]
        """Each parameter's share of the variance of the model's mean, in total and by itself, ± 2 standard deviations."""
        go = _graphs()
        shares = self._study.importance()
        names = list(shares)[::-1]
        figure = go.Figure(layout=_layout(self._study.options["name"]))
        for what, std, colour, label in ((shares.first, shares.first_std, GREY, "by itself"), (shares.total, shares.total_std, BLUE, "total")):
            errors = {"type": "data", "array": [2 * std[name] for name in names]}
            values = [what[name] for name in names]
            figure.add_bar(x=values, y=names, orientation="h", name=label, marker={"color": colour}, error_x=errors)
        return figure.update_xaxes(title="share of the variance over the space")

    def _dimension(self, name: str, values: list[Any]) -> dict[str, Any]:
        domain = self._study.space[name]
        if isinstance(domain, Candidate):
            raise ValueError("plot: a study over a pool has no parameters to draw along")
        heights = _heights(domain, values)
        if isinstance(domain, (Choice, Ordinal, Fixed)):
            choices = [domain.value] if isinstance(domain, Fixed) else list(domain.choices)
            ticks = [(i + 0.5) / len(choices) for i in range(len(choices))]
            texts = [str(choice) for choice in choices]
        else:
            ticks = np.linspace(0, 1, 5).tolist()
            scale, back = (np.log, np.exp) if domain.log else (float, float)
            low, high = scale(domain.low), scale(domain.high)
            texts = [f"{back(low + tick * (high - low)):.3g}" for tick in ticks]
        return {"label": name, "values": heights, "range": [0, 1], "tickvals": ticks, "ticktext": texts}


def _graphs() -> Any:
    try:
        import plotly.graph_objects
    except ImportError as error:
        raise ImportError("study.plotly needs plotly: pip install plotly. study.plot draws with matplotlib") from error
    return plotly.graph_objects


def _layout(title: str) -> dict[str, Any]:
    return {"title": title, "template": "plotly_white"}
