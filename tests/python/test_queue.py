import pytest
import salvo


@pytest.fixture
def study(box):
    return salvo.Study(box, direction="minimize", seed=3, batch=4)


def corner(share):
    return {"a": share, "b": share}


def test_points_of_ones_own_are_tried_first(study):
    first, second, third = (corner(share) for share in (0.25, 0.5, 0.75))
    assert study.enqueue(first) == 1
    assert study.enqueue([second, first, third]) == 2
    assert list(study.queue().values()) == [first, second, third]
    assert study.unqueue(2) == 1
    trials = study.ask(3)
    assert [trial.params for trial in trials[:2]] == [first, third]
    assert trials[0].origin == "queue" and study.queue() == {}
    study.tell(trials[:1], [1.0])
    assert study.enqueue(first) == 0 and study.enqueue(first, again=True) == 1
    assert study.unqueue() == 1


def test_a_batch_with_values_given(study):
    trials = study.ask(5, fixed={"a": 0.3})
    assert {trial.params["a"] for trial in trials} == {0.3}
    with pytest.raises(ValueError, match="nonsense"):
        study.ask(1, fixed={"nonsense": 1.0})
    with pytest.raises(ValueError, match='"a"'):
        study.ask(1, fixed={"a": 1e9})
    with pytest.raises(TypeError, match="fixed"):
        study.ask(1, fixed=["a"])
    with pytest.raises(ValueError, match='"a"'):
        study.enqueue({"a": 1e9, "b": 0.5})


def test_what_was_remembered_about_trials(study):
    first, second = study.ask(2)
    study.annotate(first, "foam")
    study.annotate(second.id, "fine")
    study.annotate(second, "")
    assert study.annotations() == {first.id: "foam"}
    assert study.note == ""
    study.note = "new oven since Monday"
    assert study.note == "new oven since Monday" and study.annotations() == {first.id: "foam"}
    with pytest.raises(ValueError, match="there is no trial 9"):
        study.annotate(9, "nobody")
