import numpy as np
import pytest
import salvo

SPACE = {"x": salvo.Float(0, 1), "y": salvo.Float(0, 1)}


def hill(point):
    return -((point["x"] - 0.7) ** 2) - (point["y"] - 0.2) ** 2


@pytest.fixture
def old():
    points = [{"x": x, "y": y} for x in np.linspace(0, 1, 11) for y in np.linspace(0, 1, 11)]
    return points, [40 * hill(point) - 3 for point in points]


def test_an_old_study_is_expected_and_not_data(old, tmp_path):
    with salvo.Study(SPACE, direction="maximize", storage=tmp_path / "s.db", seed=1, batch=6) as study:
        assert study.prior is None and not study.remove_prior()
        study.set_prior(*old, source="the pilot plant")
        assert study.prior.source == "the pilot plant" and study.prior.num_trials == 121 and study.prior.at > 1.6e9
        assert len(study) == 0 and study.model_report is None
        trials = study.ask(6)
        assert trials[0]["x"] == pytest.approx(0.7) and trials[0]["y"] == pytest.approx(0.2)
        study.tell(trials, [hill(trial) for trial in trials])
        known = study.model_report["prior"]
        assert known["source"] == "the pilot plant" and known["num_points"] == 121
        assert known["explained"] > 0.9 and known["slope"] == pytest.approx(1 / 40, rel=0.4)  # six values, and an expectation of its own
        expected, _ = study.predict([{"x": 0.1, "y": 0.9}])
        assert expected[0] == pytest.approx(hill({"x": 0.1, "y": 0.9}), abs=0.3)  # nobody looked there
    with salvo.Study.open(tmp_path / "s.db") as study:
        assert study.prior.num_trials == 121 and study.remove_prior()
        assert study.prior is None and study.model_report["prior"] is None


def test_what_is_no_prior_is_refused(old):
    study = salvo.Study(SPACE, direction="maximize")
    with pytest.raises(ValueError, match="one value per point"):
        study.set_prior(old[0], old[1][:-1], source="x")
    with pytest.raises(ValueError, match="at least two values"):
        study.set_prior(old[0][:1], old[1][:1], source="x")
    with pytest.raises(ValueError, match="where it comes from"):
        study.set_prior(*old, source="")
    with pytest.raises(TypeError, match="source"):
        study.set_prior(*old, source=3)
    with pytest.raises(ValueError, match="y"):
        study.set_prior([{"x": 0.1, "y": 7.0}, {"x": 0.2, "y": 0.1}], [1.0, 2.0], source="x")
