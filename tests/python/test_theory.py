import math

import pytest
import salvo


def test_a_plan_says_what_each_rule_needs():
    plan = salvo.plan(1, kernel="se", steps=20, batch=10, noise=0.5, num_inducing=60)
    assert plan.num_observations == 200
    assert [rule.rule for rule in plan.rules] == ["inducing points", "inducing features", "vanilla GP-TS"]
    points = plan["inducing points"]
    assert points.m > 0 and points.approximation.kappa <= 1 / 12 * (1 + 1e-9)
    assert plan["vanilla GP-TS"].m == 200
    for gain in (plan.gamma_steps, plan.gamma_all):
        assert gain.greedy <= gain.value == min(gain.over_guarantee, gain.spectral)
    assert plan.gamma_steps.value <= plan.gamma_all.value
    bound = plan["vanilla GP-TS"].bound
    assert bound is not None
    assert bound.total == pytest.approx(bound.exploring + bound.approximating + bound.constant)
    assert plan.trivial == pytest.approx(2 * 20 * 10)


def test_more_inducing_points_approximate_better():
    few, many = (salvo.plan(1, kernel="se", steps=20, batch=10, num_inducing=m)["inducing points"].given for m in (10, 200))
    assert many.kappa < few.kappa and many.speaks
    assert not few.speaks or few.a_low >= many.a_low


def test_what_is_left_out_is_as_documented():
    given = {"subgaussian": math.sqrt(0.1), "delta": 1 / 20, "num_candidates": 500}
    assert salvo.plan(1, steps=20) == salvo.plan(1, steps=20, **given)


@pytest.mark.parametrize("options, error, words", [
    ({"num_dims": 0}, ValueError, "num_dims"),
    ({"num_dims": 2.5}, TypeError, "num_dims"),
    ({"kernel": "rbf"}, ValueError, "matern52"),
    ({"noise": -1}, ValueError, "noise"),
    ({"noise": float("nan")}, ValueError, "noise"),
    ({"kappa": 0.5}, ValueError, "kappa"),
    ({"delta": 0}, ValueError, "delta"),
    ({"steps": 10**12}, ValueError, "steps"),
])  # fmt: skip
def test_mistakes_are_explained(options, error, words):
    with pytest.raises(error, match=words):
        salvo.plan(**{"num_dims": 1, "steps": 5, **options})


def test_an_unknown_rule():
    with pytest.raises(KeyError, match="inducing points"):
        salvo.plan(1, steps=5)["magic"]


def test_a_diagnosis_measures_a_study(box):
    study = salvo.Study(box, direction="minimize", batch=30, model={"num_inducing": 20, "num_features": 100, "exact_until": 0})
    for _ in range(3):
        trials = study.ask(30)
        study.tell(trials, [math.sin(5 * p["a"]) + p["b"] for p in trials.to_dicts()])
    found = salvo.diagnose(study, num_points=90)
    assert found.trust in ("yes", "mostly", "no") and found.verdict
    assert (found.num_observations, found.num_inducing, found.num_features) == (90, 20, 100)
    assert [place.where for place in found.places] == ["anywhere", "at observations", "near the best"]
    for place in found.places:
        assert place.usual.a_low <= place.worst.a_low and place.usual.c <= place.worst.c and place.worst.a_high >= 1
    exact = salvo.Study(box, direction="minimize", batch=30, model={"num_inducing": 500})
    exact.add([trial.params for trial in study.trials], [trial.value for trial in study.trials])
    assert salvo.diagnose(exact, num_points=90).theta_over_tau <= found.theta_over_tau


def test_mistakes_in_a_diagnosis(box):
    with pytest.raises(TypeError, match="salvo.Study"):
        salvo.diagnose("study.db")
    with pytest.raises(ValueError, match="value"):
        salvo.diagnose(salvo.Study(box, direction="minimize"))
    with pytest.raises(ValueError, match="num_points"):
        salvo.diagnose(salvo.Study(box, direction="minimize"), num_points=0)


def test_a_forecast_measures_and_leaves_the_study_alone(box):
    study = salvo.Study(box, direction="minimize", batch=10, model={"num_features": 100})
    found = salvo.forecast(study, 40, seconds=0.5)
    assert (found.evaluations, found.batch, found.batches) == (40, 10, 4)
    assert found.seconds == found.learning + found.choosing + found.storing > 0
    assert 0 < found.mean_batch <= found.longest_batch and found.memory > 0 and found.disk > 0
    assert len(study) == 0
    for wrong, words in (({"seconds": 0}, "seconds"), ({"seconds": float("nan")}, "seconds"), ({"evaluations": 0}, "evaluations")):
        with pytest.raises(ValueError, match=words):
            salvo.forecast(study, **wrong)
    with pytest.raises(TypeError, match="salvo.Study"):
        salvo.forecast(box)
