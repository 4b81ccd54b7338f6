"""Conditions among parameters."""

import pickle

import numpy as np
import pytest
import salvo
from salvo.space import Candidate


@pytest.fixture
def mixture():
    space = salvo.Space(
        a=salvo.Float(0, 1), b=salvo.Float(0, 1), c=salvo.Float(0, 1), kind=salvo.Choice(["fast", "slow"]), unit=salvo.Fixed("kg")
    )
    return space.where("a + b + c == 1", "a <= 2 * b").where("kind != 'slow' or a <= 0.25")


def keeps(point):
    a, b, c = point["a"], point["b"], point["c"]
    return abs(a + b + c - 1) < 1e-12 and a <= 2 * b and (point["kind"] != "slow" or a <= 0.25)


def worth(point):
    return point["a"] - point["b"] * point["c"]


def test_a_space_says_what_its_conditions_are(mixture):
    assert mixture.conditions == ("a + b + c == 1", "a <= 2 * b", "kind != 'slow' or a <= 0.25")
    assert mixture.follows == ("c",) and mixture.num_dims == 4  # a, b and two choices
    assert 0.1 < mixture.share < 0.6
    plain = salvo.Space(dict(mixture))
    assert plain.conditions == () and plain.follows == () and plain.share == 1 and plain.num_dims == 5
    assert plain != mixture and plain.where(*mixture.conditions) == mixture
    assert len({plain, mixture, plain.where(*mixture.conditions)}) == 2
    assert pickle.loads(pickle.dumps(mixture)) == mixture
    assert eval(repr(mixture), {"Space": salvo.Space, **vars(salvo)}) == mixture
    assert salvo.Space(where=salvo.Float(0, 1), x=salvo.Float(0, 1)).where("where <= x").conditions == ("where <= x",)


def test_finite_spaces_are_counted():
    space = salvo.Space(n=salvo.Int(0, 9), m=salvo.Int(0, 9))
    assert space.where("n <= m").num_points == 55 and space.num_points == 100
    assert salvo.Space(a=salvo.Float(0, 1), b=salvo.Float(0, 1)).where("a <= b").num_points == np.inf


def test_points_are_allowed(mixture):
    points = mixture.sample(200, seed=1)
    assert all(keeps(point) and point["unit"] == "kg" for point in points)
    assert points == mixture.sample(200, seed=1) != mixture.sample(200, seed=2)
    assert mixture.sample(3) != mixture.sample(3)
    X = mixture.encode(points)
    assert X.shape == (200, 4) and mixture.decode(X) == points
    assert all(keeps(point) for point in mixture.decode(np.random.default_rng(0).random((200, 4))))
    without = [{name: value for name, value in point.items() if name not in ("c", "unit")} for point in points]
    assert np.array_equal(mixture.encode(without), X)


def test_a_random_mixture_is_uniform():
    """A part above t has the probability (1 - t)^3: 2000 draws, 6 standard deviations."""
    space = salvo.Space({name: salvo.Float(0, 1) for name in "abcd"}).where("a + b + c + d == 1")
    points = space.sample(2000, seed=3)
    for name in "abcd":
        share = np.mean([point[name] > 0.5 for point in points])
        assert abs(share - 0.125) < 6 * np.sqrt(0.125 * 0.875 / 2000)


def test_what_follows_is_filled_in(mixture):
    assert mixture.check({"a": 0.25, "b": 0.5, "kind": "fast"})["c"] == 0.25
    assert mixture.check({"a": 0.25, "b": 0.5, "c": None, "kind": "fast"})["c"] == 0.25
    assert mixture.check({"a": 0.3333, "b": 0.3333, "c": 0.3333, "kind": "fast"})["c"] == 0.3333  # as people round
    for point, words in (
        ({"a": 0.5, "b": 0.125}, r'"a <= 2 \* b" does not hold with a = 0.5, b = 0.125'),
        ({"a": 0.5, "b": 0.5, "c": 0.5}, r'"a \+ b \+ c == 1" does not hold'),
        ({"a": 0.5, "b": 0.75}, r'"c" follows from the others by "a \+ b \+ c == 1".*got -0.25'),
        ({"a": 0.5}, '"b" has no value'),
    ):
        with pytest.raises(ValueError, match=words):
            mixture.check({**point, "kind": "fast"})


def test_a_study_keeps_to_them_and_its_file_has_them(mixture, tmp_path):
    storage = tmp_path / "s.db"
    study = salvo.Study(mixture, direction="maximize", storage=storage, seed=1, batch=6)
    study.enqueue({"a": 0.25, "b": 0.5, "kind": "slow"})
    study.add([{"a": 0.5, "b": 0.25, "kind": "fast"}], [1.0])
    for _ in range(3):
        trials = study.ask(6)
        assert all(keeps(trial.params) for trial in trials)
        study.tell(trials, [worth(trial.params) for trial in trials])
    again = salvo.Study.open(storage)
    assert again.space == mixture and again.space.follows == ("c",)
    assert all(keeps(trial.params) for trial in again.ask(3, fixed={"kind": "slow"}))
    assert again.ask(1)[0].params["c"] == pytest.approx(1 - sum(again.trials[-1].params[name] for name in "ab"))
    with pytest.raises(ValueError, match='"c" follows from the others; fix those instead'):
        again.ask(1, fixed={"c": 0.5})
    with pytest.raises(ValueError, match="does not hold"):
        again.enqueue({"a": 0.5, "b": 0.125, "kind": "fast"})
    assert set(study.importance()) == {"a", "b", "kind"}
    mean, std = again.predict([{"a": 0.25, "b": 0.5, "kind": "fast"}])
    assert np.isfinite(mean).all() and np.isfinite(std).all()
    with pytest.raises(ValueError, match="does not hold"):
        again.predict([{"a": 0.5, "b": 0.125, "kind": "fast"}])
    assert study.ask(2).encoded().shape == (2, 4)


def test_frames_may_leave_out_what_follows(mixture):
    pandas = pytest.importorskip("pandas")
    study = salvo.Study(mixture, direction="maximize", seed=1)
    study.add(pandas.DataFrame({"a": [0.25, 0.5], "b": [0.5, 0.25], "kind": ["fast", "fast"]}), [1.0, 2.0])
    study.add(pandas.DataFrame({"a": [0.125], "b": [0.5], "c": [None], "kind": ["fast"]}), [1.0])
    study.add(pandas.DataFrame({"a": [0.0, 0.0], "b": [0.5, 0.25], "c": [np.nan, 0.75], "kind": ["fast", "fast"]}), [1.0, 2.0])
    assert [trial.params["c"] for trial in study.trials] == [0.25, 0.25, 0.375, 0.5, 0.75]


def test_another_condition_is_another_space(mixture, tmp_path):
    storage = tmp_path / "s.db"
    parameters = dict(mixture)
    study = salvo.Study(parameters, direction="maximize", storage=storage, seed=1)
    study.add([{"a": 0.5, "b": 0.25, "c": 0.25, "kind": "fast"}, {"a": 0.9, "b": 0.9, "c": 0.9, "kind": "fast"}], [1.0, 9.0])
    with pytest.raises(ValueError, match='a new condition: "a \\+ b \\+ c == 1"'):
        salvo.Study(parameters, where="a + b + c == 1", storage=storage)
    study = salvo.Study(parameters, where="a + b + c == 1", storage=storage, accept_changes=True)
    assert [trial.outside for trial in study.trials] == [False, True]
    assert study.best.trial.id == 1 and study.space.conditions == ("a + b + c == 1",)
    assert "new condition" in " ".join(study.space_changes()[0].words)


def test_minimize_and_maximize_take_conditions():
    seen = []

    def f(params):
        seen.append(dict(params))
        return params["n"] - params["m"]

    space = {"n": salvo.Int(0, 20), "m": salvo.Int(0, 20)}
    study = salvo.minimize(f, space, where=["n >= m", "n + m <= 30"], evaluations=24, batch=6, seed=1)
    assert all(point["m"] <= point["n"] and point["n"] + point["m"] <= 30 for point in seen)
    assert study.space.conditions == ("n >= m", "n + m <= 30")
    study = salvo.maximize(f, salvo.Space(space).where("n >= m"), where="n + m <= 30", evaluations=6, batch=3, seed=1)
    assert study.space.conditions == ("n >= m", "n + m <= 30")


def test_pictures(mixture):
    pytest.importorskip("matplotlib").use("Agg")
    study = salvo.Study(mixture, direction="maximize", seed=1)
    points = study.ask(12)
    study.tell(points, [worth(point.params) for point in points])
    axes = study.plot.slices()
    assert [ax.get_xlabel() for ax in axes] == ["a", "b", "kind"]
    drawn = axes[0].lines[0].get_ydata()
    assert np.isnan(drawn).any() and np.isfinite(drawn).any()  # nothing where the conditions do not hold
    study.plot.parallel()
    study.plot.importance()
    if pytest.importorskip("plotly"):
        study.plotly.slices()


def test_the_paths_of_a_model_are_climbed_within(mixture):
    points = mixture.sample(30, seed=1)
    gp = salvo.SparseGP(salvo.Matern52(), inducing=10).fit(mixture.encode(points), np.array([worth(point) for point in points]))
    assert all(keeps(point) for point in gp.sample_paths(5, seed=1).maximize(mixture, seed=1))


@pytest.mark.parametrize(
    "make, error, words",
    [
        (lambda space: space.where("a + z <= 1"), ValueError, 'no parameter "z"'),
        (lambda space: space.where("a + b"), ValueError, "a \\+ b"),
        (lambda space: space.where(""), ValueError, "expected"),
        (lambda space: space.where("a + b >= 3"), ValueError, "holds nowhere"),
        (lambda space: space.where("a ** 2 + b ** 2 <= 0.25 and a * b >= 0.2"), ValueError, "no point was found"),
        (lambda space: space.where("a == 0.5", "b == 0.5"), ValueError, "at least one that varies"),
        (lambda space: space.where(["a <= b"]), TypeError, "expected texts such as .*, got list"),
        (lambda space: space.where(3), TypeError, "expected texts such as .*, got int"),
        (lambda space: space.where("a <= b\ud800"), UnicodeEncodeError, "surrogate"),
        (lambda space: salvo.Study(space, where=5, direction="minimize"), TypeError, "where: expected texts"),
        (lambda space: salvo.Study(dict(space), where=[None], direction="minimize"), TypeError, "where: expected texts"),
        (lambda space: salvo.minimize(worth, dict(space), where="a <= z"), ValueError, 'no parameter "z"'),
        (lambda space: salvo.Space(candidate=Candidate(5)).where("candidate <= 3"), ValueError, "pool"),
        (lambda space: salvo.Study(salvo.Pool.from_numpy(np.eye(4)), where="a <= b", direction="minimize"), ValueError, "over a pool"),
    ],
)
def test_mistakes(box, make, error, words):
    with pytest.raises(error, match=words):
        make(box)


def test_no_condition_more_is_the_same_space(box):
    assert box.where() == box
    assert salvo.Study(box, where=[], direction="minimize").space == box
