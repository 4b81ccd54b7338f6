import pytest
import salvo


@pytest.fixture
def told(box):
    study = salvo.Study(box, direction="minimize", seed=3, batch=4)
    trials = study.ask(4)
    study.tell(trials[:3], [410.0, {"value": 2.0, "seconds": 7.0}, salvo.FAILED("the pump")])
    return study


def test_outcomes_are_put_right_and_what_they_were_is_kept(told):
    told.amend(1, 4.1, reason="a slip")
    told.amend([2, 3], [-2.5, 1.0])
    assert [trial.value for trial in told.trials[:3]] == [4.1, -2.5, 1.0]
    assert told.trials[1].measured == {"seconds": 7.0}  # what else was measured stays
    assert told.observed_best.id == 2
    told.forget(told.trials[1], reason="another oven")
    assert told.observed_best.id == 3 and told.trials[1].state == "abandoned"
    told.revive([2])
    told.tell(2, 0.5)
    assert told.observed_best.value == 0.5
    first, *_, last = told.amendments()
    assert (first.trial, first.old_value, first.value, first.reason) == (1, 410.0, 4.1, "a slip")
    assert (last.trial, last.old_state, last.state, last.value) == (2, "abandoned", "pending", None)
    assert len(told.amendments()) == 5


def test_what_cannot_be_put_right_is_refused_and_nothing_is_changed(told):
    with pytest.raises(ValueError, match="trial 4 is pending"):
        told.amend([1, 4], [1.0, 2.0])
    with pytest.raises(ValueError, match="there is no trial 9"):
        told.forget([1, 9])
    with pytest.raises(ValueError, match="trial 1 has the value 410"):
        told.revive(1)
    with pytest.raises(ValueError, match="one value for each of 2 trials"):
        told.amend([1, 2], [1.0])
    with pytest.raises(ValueError, match="finite"):
        told.amend(1, float("nan"))
    assert told.trials[0].value == 410.0 and told.amendments() == []


def test_a_backup_is_a_study_of_its_own(tmp_path, box):
    with salvo.Study(box, direction="minimize", storage=tmp_path / "a.db", batch=4) as study:
        study.tell(study.ask(2), [1.0, 2.0])
        study.backup(tmp_path / "b.db")
        study.tell(study.ask(1), [3.0])
        with pytest.raises(OSError, match="is there already"):
            study.backup(tmp_path / "b.db")
    assert salvo.Study.open(tmp_path / "b.db").counts.done == 2
    with pytest.raises(OSError, match="in memory"):
        salvo.Study(box, direction="minimize").backup(tmp_path / "c.db")


def test_values_with_their_standard_errors(box):
    study = salvo.Study(box, direction="minimize", seed=3, batch=4)
    trials = study.ask(4)
    study.tell(trials[0], 1.0, sd=0.5)
    study.tell(trials[1:], [2.0, {"value": 3.0, "seconds": 7.0}, salvo.FAILED], sd=[0.1, float("nan"), 0.2])
    assert [trial.measured for trial in study.trials] == [{"sd": 0.5}, {"sd": 0.1}, {"seconds": 7.0}, {}]
    numbers = study.add([{"a": 0.5, "b": 0.5}] * 2, [1.0, 2.0], sd=[0.3, float("nan")])
    assert [study.trials[number - 1].measured for number in numbers] == [{"sd": 0.3}, {}]
    (trial,) = study.ask(1)
    for bad, says in ((-1.0, "not negative"), ([1.0, 2.0], "one standard error for each of 1"), ("much", "number")):
        with pytest.raises((ValueError, TypeError), match=says):
            study.tell(trial, 1.0, sd=bad)
    with pytest.raises(ValueError, match="not negative"):
        study.add([{"a": 0.5, "b": 0.5}], [1.0], sd=-1)
    assert study.trials[-1].state == "pending"
