import pytest

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
import salvo


@pytest.fixture
def study(space, objective):
    study = salvo.Study(space, direction="minimize", batch=30, seed=1, name="pictures")
    trials = study.ask(30)
    study.tell(trials[:29], [objective(p) for p in trials[:29].to_dicts()])
    study.tell(trials[29], salvo.FAILED)
    yield study
    matplotlib.pyplot.close("all")


def test_progress_shows_the_best_so_far(study):
    ax = study.plot.progress()
    best = ax.lines[1].get_ydata()
    assert len(best) == 29 and (best[1:] <= best[:-1]).all() and best[-1] == study.observed_best.value
    assert "1 failed" in ax.get_title()
    assert study.plot.progress(ax) is ax


def test_slices_show_every_parameter_that_varies(study):
    axes = study.plot.slices()
    assert [ax.get_xlabel() for ax in axes] == ["x", "rate", "layers", "method", "size"]
    assert [ax.get_xscale() for ax in axes] == ["linear", "log", "linear", "linear", "linear"]
    assert [label.get_text() for label in axes[3].get_xticklabels()] == ["adam", "sgd"]
    assert len(study.plot.slices("x")) == 1
    with pytest.raises(ValueError, match="colour"):
        study.plot.slices("colour")


def test_parallel_shows_every_trial(study):
    ax = study.plot.parallel()
    assert len(ax.lines) == 29 + 5
    heights = [line.get_ydata() for line in ax.lines[:29]]
    assert all(0 <= y <= 1 for line in heights for y in line)


def test_importance(study):
    ax = study.plot.importance()
    assert len(ax.patches) == 2 * 5 and len(ax.containers) >= 2
    study.plot.importance().figure.canvas.draw()


def test_plotly_draws_the_same(study):
    pytest.importorskip("plotly")
    progress = study.plotly.progress()
    best = progress.data[1].y
    assert len(best) == 29 and (best[1:] <= best[:-1]).all() and best[-1] == study.observed_best.value
    assert "layers = " in progress.data[0].text[0]
    slices = study.plotly.slices()
    assert [axis.title.text for axis in slices.select_xaxes() if axis.title.text] == ["x", "rate", "layers", "method", "size"]
    assert [axis.type for axis in slices.select_xaxes()][1] == "log"
    parallel = study.plotly.parallel().data[0].dimensions
    assert [d.label for d in parallel] == ["x", "rate", "layers", "method", "size", "value"]
    assert all(0 <= height <= 1 for d in parallel[:-1] for height in d["values"])
    assert parallel[1].ticktext[0] == "1e-05" and parallel[3].ticktext == ("adam", "sgd")
    assert set(study.plotly.importance().data[0].y) == {"x", "rate", "layers", "method", "size"}
    for figure in (progress, slices, study.plotly.parallel(), study.plotly.importance()):
        assert figure.to_json()
    with pytest.raises(ValueError, match="colour"):
        study.plotly.slices("colour")


def test_plotly_says_what_it_needs(study, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "plotly.graph_objects", None)
    with pytest.raises(ImportError, match="pip install plotly"):
        study.plotly.progress()
