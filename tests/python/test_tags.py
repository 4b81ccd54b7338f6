import pytest
import salvo


@pytest.fixture
def study(box):
    return salvo.Study(box, direction="minimize", seed=3, batch=4)


def test_trials_carry_tags(study, tmp_path):
    trials = study.ask(4)
    study.tag(trials[0], "pilot", "oven-2")
    study.tag([1, trials[2]], "pilot")
    assert [trial.tags for trial in study.trials] == [("oven-2", "pilot"), (), ("pilot",), ()]
    assert study.tags() == {1: ("oven-2", "pilot"), 3: ("pilot",)}
    study.untag(trials, "pilot", "never")
    assert study.trial(1).tags == ("oven-2",) and study.tags() == {1: ("oven-2",)}
    study.tell(trials, [1.0, 2.0, 3.0, 4.0])
    assert study.observed_best.tags == ("oven-2",)
    for bad in ("a b", "a,b", "", "x" * 65):
        with pytest.raises(ValueError, match="tag: expected"):
            study.tag(2, bad)
    with pytest.raises(ValueError, match="there is no trial 9"):
        study.tag([2, 9], "pilot")
    with pytest.raises(TypeError, match="at least one name"):
        study.tag(2)
    assert study.tags() == {1: ("oven-2",)}


def test_frames_have_tags_and_texts(study):
    pytest.importorskip("pandas")
    trials = study.ask(2)
    assert "tags" not in study.trials_dataframe()
    study.tag(trials[1], "pilot", "dry")
    study.tell(trials, [{"value": 1.0, "by": "Anna", "seconds": 2.0}, 3.0])
    frame = study.trials_dataframe()
    assert frame["tags"].tolist() == ["", "dry pilot"]
    assert frame["said.by"].tolist() == ["Anna", ""] and frame["measured.seconds"].tolist()[0] == 2.0
    assert study.enqueue(frame, again=True) == 2  # these columns are no parameters


def test_texts_are_kept_beside_a_value(study):
    trials = study.ask(3)
    study.tell(trials[0], {"value": 1.0, "seconds": 2.0, "compiler": "gcc 12"})
    trial = study.trials[0]
    assert trial.measured == {"seconds": 2.0} and trial.said == {"compiler": "gcc 12"}
    study.amend(1, 4.0)
    assert study.trials[0].said == {"compiler": "gcc 12"}
    with pytest.raises(ValueError, match="at most 1000 bytes"):
        study.tell(trials[1], {"value": 1.0, "log": "x" * 1001})
    with pytest.raises(TypeError, match="value: expected a number"):
        study.tell(trials[1], {"value": "high"})


def test_a_function_may_say_something_beside_its_value(box):
    study = salvo.minimize(lambda p: {"value": p["a"], "log": "€" * 400}, box, evaluations=4, batch=2, seed=1)
    assert study.counts.done == 4 and study.trials[0].said == {"log": "€" * 333}


def test_a_standard_error_is_taken_off(study):
    study.tell(study.ask(2), [1.0, {"value": 2.0, "seconds": 7.0}], sd=[0.5, 0.1])
    study.amend(1, 1.0)
    assert study.trials[0].measured == {"sd": 0.5}  # it stays
    study.amend([1, 2], [1.0, 2.5], sd=[float("nan"), 0.3], reason="one sample")
    assert [trial.measured for trial in study.trials] == [{}, {"seconds": 7.0, "sd": 0.3}]
    study.amend(2, {"value": 2.5, "sd": float("nan")})
    assert study.trials[1].measured == {"seconds": 7.0}
    assert [(each.old_sd, each.sd) for each in study.amendments()] == [(0.5, 0.5), (0.5, None), (0.1, 0.3), (0.3, None)]


def test_errors_begin_with_the_name_of_what_was_tried(study):
    study.tell(study.ask(1), [1.0])
    with pytest.raises(ValueError, match="^forget: there is no trial 9"):
        study.forget(9)
    with pytest.raises(ValueError, match="^revive: trial 1 has the value"):
        study.revive(1)
    with pytest.raises(ValueError, match="^amend: trial 1: expected a finite"):
        study.amend(1, float("nan"))
