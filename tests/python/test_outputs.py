"""Studies with several outputs: constraints, several objectives, what was not measured."""

import math

import numpy as np
import pytest
import salvo

OUTPUTS = {"yield": "maximize", "purity": salvo.Constraint(min=0.9), "sound": "passed"}


@pytest.fixture
def oven():
    return salvo.Space(x=salvo.Float(0, 1), y=salvo.Float(0, 1))


def bake(params):
    x, y = params["x"], params["y"]
    return {"yield": x * (1 - y), "purity": 1 - 0.2 * x * x, "sound": x + y > 0.2, "seconds": 3.0, "by": "Ann"}


def baked(oven, count=12, **options):
    study = salvo.Study(oven, outputs=OUTPUTS, seed=1, batch=count, **options)
    trials = study.ask(count)
    study.tell(trials, [bake(params) for params in trials.to_dicts()])
    return study


def test_outputs_are_what_was_said_objectives_first(oven):
    study = salvo.Study(oven, outputs={"purity": salvo.Constraint(0.9, 1), "cost": salvo.Objective("minimize", 20), "yield": "maximize"})
    assert study.outputs == {
        "cost": salvo.Objective("minimize", 20.0),
        "yield": salvo.Objective("maximize"),
        "purity": salvo.Constraint(0.9, 1.0),
    }
    assert list(study.outputs) == ["cost", "yield", "purity"]
    assert salvo.Study(oven, direction="minimize").outputs == {"value": salvo.Objective("minimize")}


def test_what_was_told_comes_back_by_name(oven):
    study = baked(oven)
    trial = study.trials[0]
    assert trial.values == {"yield": trial.value, "purity": bake(trial.params)["purity"], "sound": float(bake(trial.params)["sound"])}
    assert trial.measured == {"seconds": 3.0} and trial.said == {"by": "Ann"}
    one = salvo.Study(oven, direction="minimize")
    one.tell(one.ask(1), [2.5])
    assert one.trials[0].values == {"value": 2.5}


def test_what_was_not_measured_is_none(oven):
    study = salvo.Study(oven, outputs=OUTPUTS)
    first, second, third = study.ask(3)
    study.tell(first, values={"purity": 0.8})
    study.tell([second, third], [{"yield": None, "purity": 0.95, "sound": "failed"}, {"sound": "PASSED", "yield": 1}])
    assert study.trial(1).values == {"yield": None, "purity": 0.8, "sound": None}
    assert study.trial(1).value is None and study.trial(1).state == "done"
    assert study.trial(2).values == {"yield": None, "purity": 0.95, "sound": 0.0}
    assert study.trial(3).values == {"yield": 1.0, "purity": None, "sound": 1.0}
    study.amend(1, {"yield": 0.5}, reason="later")
    assert study.trial(1).values == {"yield": 0.5, "purity": 0.8, "sound": None}, "what is not said stays"
    change = study.amendments()[0]
    assert change.old_values["yield"] is None and change.values["yield"] == 0.5


def test_a_batch_is_told_by_columns(oven):
    pandas = pytest.importorskip("pandas")
    study = salvo.Study(oven, outputs=OUTPUTS)
    trials = study.ask(3)
    study.tell(trials, {"yield": np.arange(3.0), "purity": [0.5, None, 0.7]})
    assert [trial.values["yield"] for trial in study.trials] == [0, 1, 2]
    assert study.trial(2).values["purity"] is None
    study.amend([1, 2], {"yield": [5, 6]})
    assert [trial.values["yield"] for trial in study.trials] == [5, 6, 2]
    more = study.ask(2)
    study.tell(more, pandas.DataFrame({"yield": [8.0, 7.0], "sound": [True, False]}, index=pandas.Index([5, 4], name="trial")))
    assert [study.trial(number).values["yield"] for number in (4, 5)] == [7, 8], "a frame goes by its trials"
    with pytest.raises(ValueError, match="tell: values: expected sequences of one length"):
        study.tell(study.ask(2), {"yield": [1, 2], "purity": [1]})
    with pytest.raises(ValueError, match="expected one value for each of 2 trials, got 1"):
        study.tell(study.ask(2), {"yield": [1]})


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0.5, "a mapping of .*yield.* to values, got a number"),
        ({"yield": math.nan, "purity": 1}, "yield: expected a finite value, got nan"),
        ({"purity": math.inf}, "purity: expected a finite value"),
        ({"yield": "much"}, "yield: expected a number, got .*much"),
        ({"sound": "perhaps"}, "sound: expected passed or failed"),
        ({"sound": 0.5}, "sound: expected 1 .passed. or 0"),
        ({"yeild": 1}, "one of 3 outputs at least, got none"),
        ({"yield": None}, "one of 3 outputs at least, got none"),
        ({"yield": 1, "sd": 0.1}, "standard errors are for a study with one output"),
    ],
)
def test_mistakes_are_words_and_change_nothing(oven, value, words):
    study = salvo.Study(oven, outputs=OUTPUTS)
    trials = study.ask(2)
    with pytest.raises(ValueError, match=words):
        study.tell(trials, [{"yield": 1}, value])
    assert study.counts.pending == 2


@pytest.mark.parametrize(
    ("outputs", "error", "words"),
    [
        ({}, TypeError, "expected a mapping of names"),
        ({"yield": "maximise"}, ValueError, "yield: expected .*maximize"),
        ({"purity": salvo.Constraint(min=1)}, ValueError, "an objective"),
        ({"trial": "minimize", "b": "minimize"}, ValueError, "a column of the results"),
        ({"x": "minimize", "b": "minimize"}, ValueError, "a parameter has this name"),
        ({"a": "minimize", "A": "minimize"}, ValueError, "different names"),
        ({f"y{i}": "minimize" for i in range(7)}, ValueError, "at most 6 objectives"),
    ],
)
def test_outputs_that_make_no_sense(oven, outputs, error, words):
    with pytest.raises(error, match=words):
        salvo.Study(oven, outputs=outputs)


def test_constraints_that_make_no_sense():
    with pytest.raises(ValueError, match="a bound"):
        salvo.Constraint()
    with pytest.raises(ValueError, match="min below its max"):
        salvo.Constraint(2, 1)
    with pytest.raises(ValueError, match="between 0 and 1"):
        salvo.Constraint(2, probability=1)
    with pytest.raises(ValueError, match="no bounds"):
        salvo.Constraint(max=1, passed=True)
    with pytest.raises(ValueError, match="minimize"):
        salvo.Objective("up")


def test_direction_and_outputs_exclude_each_other(oven):
    with pytest.raises(ValueError, match="got both"):
        salvo.Study(oven, direction="minimize", outputs=OUTPUTS)


def test_a_study_keeps_its_outputs_and_follows_its_bounds(oven, tmp_path):
    path = tmp_path / "oven.db"
    with baked(oven, storage=path):
        pass
    with salvo.Study(oven, storage=path) as again:
        assert list(again.outputs) == ["yield", "purity", "sound"]
    moved = {**OUTPUTS, "purity": salvo.Constraint(min=0.95)}
    with salvo.Study(oven, outputs=moved, storage=path) as again:
        assert again.outputs["purity"].min == 0.95 and again.counts.done == 12
    with pytest.raises(ValueError, match="purity: it was there"):
        salvo.Study(oven, outputs={"yield": "maximize", "sound": "passed"}, storage=path)
    with salvo.Study.open(path) as same:
        assert same.outputs["purity"].min == 0.95 and same.counts.done == 12


def test_the_best_keeps_to_the_constraints(oven):
    study = baked(oven, 30)
    best = study.best
    assert set(best.outputs) == {"yield", "purity", "sound"}
    assert best.outputs["yield"].mean == best.mean and 0 <= best.feasible <= 1
    assert best.allowed
    assert best.trial.values["purity"] >= 0.9
    mean, std = study.predict([best.params], "purity")
    assert mean[0] == pytest.approx(bake(best.params)["purity"], abs=6 * std[0] + 0.02)
    assert study.predict([best.params])[0][0] == pytest.approx(bake(best.params)["yield"], abs=0.1)
    with pytest.raises(ValueError, match="output: expected one of"):
        study.predict([best.params], "cost")
    assert study.observed_best.values["purity"] >= 0.9
    assert set(study.model_reports) == {"yield", "purity", "sound"}
    shares = study.importance(64, output="purity")
    assert shares["x"] > 0.8 > shares["y"]
    with pytest.raises(ValueError, match="output: expected one of"):
        study.importance(64, output="cost")


def test_nothing_feasible_is_said(oven):
    study = salvo.Study(oven, outputs={"yield": "maximize", "purity": salvo.Constraint(min=5)}, seed=1, batch=12)
    trials = study.ask(12)
    study.tell(trials, [{"yield": p["x"], "purity": p["y"]} for p in trials.to_dicts()])
    assert not study.best.allowed and study.best.feasible < 0.95
    with pytest.raises(ValueError, match="keep to all constraints"):
        _ = study.observed_best


def test_a_front_has_the_points_that_none_beats(oven):
    study = salvo.Study(oven, outputs={"a": "minimize", "b": salvo.Objective("minimize", 2)}, seed=1, batch=20)
    for _ in range(2):
        trials = study.ask(20)
        study.tell(trials, [{"a": p["x"], "b": (1 - p["x"]) ** 2 + p["y"]} for p in trials.to_dicts()])
    front = study.front()
    assert len(front) > 3 and set(front.reference) == {"a", "b"} and front.reference["b"] == 2
    means = np.array([[point.outputs["a"].mean, point.outputs["b"].mean] for point in front])
    for i, row in enumerate(means):
        assert not any((other < row).all() for j, other in enumerate(means) if j != i)
    assert (np.diff(means[:, 0]) >= 0).all(), "by the first objective, the best first"
    assert front.hypervolume > 0
    left, right = study.recommend({"a": 1}), study.recommend({"b": 1})
    assert left.outputs["a"].mean <= right.outputs["a"].mean
    with pytest.raises(ValueError, match="weights"):
        study.recommend({"c": 1})
    with pytest.raises(ValueError, match="weights"):
        study.recommend({"a": 0})
    with pytest.raises(ValueError, match="front"):
        _ = study.observed_best


def test_points_from_elsewhere_come_by_name(oven):
    study = salvo.Study(oven, outputs=OUTPUTS)
    points = [{"x": 0.1, "y": 0.2}, {"x": 0.3, "y": 0.4}]
    assert study.add(points, [bake(point) for point in points]) == [1, 2]
    assert study.add(points, {"yield": [1, 2], "purity": [0.5, None]}) == [3, 4]
    assert study.trial(4).values == {"yield": 2.0, "purity": None, "sound": None}
    with pytest.raises(TypeError, match="mappings of"):
        study.add(points, [1.0, 2.0])
    with pytest.raises(ValueError, match="point 2: yield"):
        study.add(points, [{"yield": 1}, {"yield": math.nan}])
    assert study.counts.done == 4


def test_a_frame_has_a_column_for_each_output(oven):
    pytest.importorskip("pandas")
    study = baked(oven, 3)
    study.tell(study.ask(1), [{"purity": 0.5}])
    frame = study.trials_dataframe()
    assert list(frame.columns[:5]) == ["x", "y", "yield", "purity", "sound"] and "value" not in frame
    assert np.isnan(frame["yield"][4]) and frame["purity"][4] == 0.5


def test_a_function_gives_a_mapping(oven):
    study = salvo.optimize(bake, oven, 20, outputs=OUTPUTS, batch=10, seed=1, progress=False)
    assert study.counts.done == 20 and study.best.allowed

    def early(params):
        return {"purity": 0.5} if params["x"] > 0.5 else bake(params)

    study = salvo.optimize(early, oven, 12, outputs=OUTPUTS, batch=6, seed=1, progress=False)
    assert study.counts.done == 12 and any(trial.value is None for trial in study.trials)

    def odd(params):
        return {"yield": params["x"], "purity": math.nan} if params["x"] > 0.5 else bake(params)

    study = salvo.optimize(odd, oven, 12, outputs=OUTPUTS, batch=6, seed=1, progress=False)
    failed = [trial for trial in study.trials if trial.state == "failed"]
    assert failed and all(trial.error == f"purity: expected a finite value, got nan; measured: yield {trial.params['x']!r}" for trial in failed)
    with pytest.raises(RuntimeError, match="expected a mapping of 'yield', 'purity', 'sound' to values, got a number"):
        salvo.optimize(lambda params: params["x"], oven, 6, outputs=OUTPUTS, batch=3, progress=False)


def test_a_target_is_refused_with_several_objectives(oven):
    with pytest.raises(ValueError, match="target: expected none with 2 objectives"):
        salvo.optimize(bake, oven, 6, outputs={"yield": "maximize", "purity": "maximize"}, target=1.0, progress=False)


def test_pictures_leave_out_what_is_not_feasible(oven):
    pytest.importorskip("matplotlib")
    study = baked(oven, 20)
    axes = study.plot.progress()
    assert axes.get_ylabel() == "yield"
    line = axes.get_lines()[-1].get_ydata()
    known = [v for v in line if not np.isnan(v)]
    assert known == sorted(known) and known[-1] == study.observed_best.value
    assert salvo.Constraint(min=1).holds(1) and not salvo.Constraint(min=1).holds(None)
    assert salvo.Constraint(passed=True).holds(1) and not salvo.Constraint(passed=True).holds(0)
