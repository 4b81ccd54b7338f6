import pytest
import salvo

NARROW = {"x": salvo.Float(0, 10), "kind": salvo.Choice(["a", "b", "c"])}


@pytest.fixture
def told(tmp_path):
    path = tmp_path / "s.db"
    with salvo.Study(NARROW, direction="minimize", storage=path, seed=3, batch=4) as study:
        study.add([{"x": 1.0, "kind": "a"}, {"x": 9.0, "kind": "c"}], [1.0, 0.5])
        study.ask(2)
    return path


def test_another_space_needs_a_yes_and_says_what_it_does(told):
    space = {**NARROW, "x": salvo.Float(0, 8), "pressure": salvo.Float(1, 5)}
    with pytest.raises(ValueError, match=r'pressure is new(.|\n)*before=\{"pressure"'):
        salvo.Study(space, storage=told)
    with pytest.raises(ValueError, match=r"0 … 10 becomes 0 … 8(.|\n)*accept_changes=True"):
        salvo.Study(space, storage=told, before={"pressure": 2.0})
    with salvo.Study(space, storage=told, before={"pressure": 2.0}, accept_changes=True) as study:
        assert study.trials[0].params == {"x": 1.0, "kind": "a", "pressure": 2.0}
        assert study.trials[1].outside and not study.trials[0].outside
        assert study.best.trial.id == 1 and study.observed_best.id == 1
        assert all(trial["x"] <= 8 for trial in study.ask(3))
        (change,) = study.space_changes()
        assert change.at > 1.6e9 and len(change.words) == 2
    with salvo.Study(space, storage=told) as study:  # the same space: nothing to accept
        assert len(study.space_changes()) == 1
    with pytest.raises(ValueError, match=r"x is gone(.|\n)*x=salvo.Fixed"):
        salvo.Study({name: domain for name, domain in space.items() if name != "x"}, storage=told, accept_changes=True)
    with pytest.raises(TypeError, match="before"):
        salvo.Study(space, storage=told, before=[1])


def test_a_study_that_was_open_may_tell_and_nothing_else(told):
    with salvo.Study.open(told) as old:
        pending = old.pending
        with salvo.Study({**NARROW, "x": salvo.Float(0, 20)}, storage=told, accept_changes=True) as study:
            with pytest.raises(salvo.StoreError, match="open the study again"):
                old.ask(1)
            old.tell(pending[0], 7.0)
            assert study.trial(pending[0].id).value == 7.0


def test_a_wrong_value_of_before_is_put_right(told):
    space = {**NARROW, "pressure": salvo.Float(1, 5)}
    salvo.Study(space, storage=told, before={"pressure": 1.0}, accept_changes=True).close()
    with pytest.raises(ValueError, match=r"pressure: 4 earlier trials have 1; they become 2(.|\n)*accept_changes=True"):
        salvo.Study(space, storage=told, before={"pressure": 2})
    with salvo.Study(space, storage=told, before={"pressure": 2}, accept_changes=True) as study:
        assert {trial["pressure"] for trial in study.trials} == {2.0}
        assert study.space_changes()[-1].words == ["pressure: 4 earlier trials have 1; they become 2"]
    salvo.Study(space, storage=told, before={"pressure": 2.0}).close()  # the same: nothing to accept
