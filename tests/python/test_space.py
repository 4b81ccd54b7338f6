import math
import pickle

import numpy as np
import pytest
import salvo


def test_what_is_encoded_comes_back(space):
    points = space.sample(50, seed=1)
    X = space.encode(points)
    assert X.shape == (50, space.num_dims)
    assert X.min() >= 0 and X.max() <= 1
    for point, back in zip(points, space.decode(X)):
        assert all(_close(point[name], back[name]) for name in space)


def _close(a, b):
    return math.isclose(a, b, rel_tol=1e-9) if isinstance(a, float) else a == b and type(a) is type(b)


def test_values_are_typed_as_their_parameter_wants_them(space):
    point = space.check(
        {"x": np.float32(1), "rate": 1e-3, "layers": np.int64(4), "method": np.str_("sgd"), "size": 32.0}
    )
    assert point == {"x": 1.0, "rate": 1e-3, "layers": 4, "method": "sgd", "size": 32, "unit": "kg"}
    assert [type(value) for value in point.values()] == [float, float, int, str, int, str]


def test_bools_stay_bools():
    space = salvo.Space(flag=salvo.Choice([True, False]), n=salvo.Int(0, 3))
    assert space.check({"flag": np.bool_(True), "n": 1})["flag"] is True
    with pytest.raises(ValueError, match="n"):
        space.check({"flag": True, "n": True})


def test_a_space_is_a_mapping_that_can_be_pickled_and_compared(space):
    assert list(space) == ["x", "rate", "layers", "method", "size", "unit"]
    assert space["layers"] == salvo.Int(1, 8)
    assert pickle.loads(pickle.dumps(space)) == space
    assert space != salvo.Space(x=salvo.Float(-5, 5))
    assert len({space, pickle.loads(pickle.dumps(space))}) == 1


def test_number_of_points():
    assert salvo.Space(a=salvo.Int(1, 4), b=salvo.Choice(["x", "y"])).num_points == 8
    assert salvo.Space(a=salvo.Float(0, 1)).num_points == math.inf


def test_true_or_false():
    space = salvo.Space(shuffle=salvo.Bool(), x=salvo.Float(0, 1))
    assert space["shuffle"] == salvo.Choice([False, True])
    assert {point["shuffle"] for point in space.sample(20, seed=1)} == {False, True}


def test_steps():
    space = salvo.Space(
        t=salvo.Float(300, 900, step=5), r=salvo.Float(1e-4, 1, log=True, digits=2), n=salvo.Int(8, 256, step=8), x=salvo.Float(0, 1)
    )
    for point in space.sample(200, seed=3):
        assert point["t"] % 5 == 0 and point["n"] % 8 == 0 and point["r"] == float(f"{point['r']:.1e}")
    assert pickle.loads(pickle.dumps(space)) == space
    study = salvo.Study(space, direction="minimize", seed=1)
    assert study.space == space
    assert study.ask(1)[0]["t"] % 5 == 0
    study.add([{"t": 611.5, "r": 0.1234, "n": 9, "x": 0.5}], [1.0])  # measured elsewhere: any number between the bounds
    assert study.trials[-1].params["t"] == 611.5
    with pytest.raises(ValueError, match="steps of 5, got 611.5; 610 is the nearest"):
        study.enqueue([{"t": 611.5, "r": 0.12, "n": 16, "x": 0.5}])


def test_names_that_are_no_python_names():
    assert list(salvo.Space({"learning-rate": salvo.Float(0, 1)}, b=salvo.Int(0, 2))) == ["learning-rate", "b"]


@pytest.mark.parametrize(
    "make, error, words",
    [
        (lambda: salvo.Space(), ValueError, "empty"),
        (lambda: salvo.Space(a=salvo.Float(1, 0)), ValueError, "a.*low < high"),
        (lambda: salvo.Space(a=salvo.Float(0, 1, log=True)), ValueError, "a.*low > 0"),
        (lambda: salvo.Space(a=salvo.Float(0, float("nan"))), ValueError, "a.*finite"),
        (lambda: salvo.Space(a=salvo.Float("0", 1)), TypeError, "a.*number"),
        (lambda: salvo.Space(a=salvo.Int(0, 2**70)), ValueError, "a"),
        (lambda: salvo.Space(a=salvo.Int(0.5, 2)), TypeError, "whole number"),
        (lambda: salvo.Space(a=salvo.Choice(["one"])), ValueError, "at least 2"),
        (lambda: salvo.Space(a=salvo.Choice(["x", "x"])), ValueError, "twice"),
        (lambda: salvo.Space(a=salvo.Choice([object(), 1])), TypeError, "object"),
        (lambda: salvo.Space(a=salvo.Choice(["\ud800", "b"])), UnicodeEncodeError, "surrogate"),
        (lambda: salvo.Choice("ab"), TypeError, "sequence"),
        (lambda: salvo.Choice({"adam", "sgd"}), TypeError, "sequence"),
        (lambda: salvo.Space(a=salvo.Float(1, 10, 2)), TypeError, "a.*log.*True or False, got 2.*step=2"),
        (lambda: salvo.Space(a=salvo.Float(1, 10, step=0)), ValueError, "a.*step.*above 0, got 0"),
        (lambda: salvo.Space(a=salvo.Float(1, 10, step="2")), TypeError, "a.*step"),
        (lambda: salvo.Space(a=salvo.Float(1, 10, step=20)), ValueError, "a.*at least two numbers"),
        (lambda: salvo.Space(a=salvo.Float(1, 10, digits=0)), ValueError, "a.*digits"),
        (lambda: salvo.Space(a=salvo.Float(1, 10, step=1, digits=1)), ValueError, "a.*keep one"),
        (lambda: salvo.Space(a=salvo.Int(1, 100, step=0)), ValueError, "a.*step"),
        (lambda: salvo.Space(a=salvo.Int(1, 100, 10)), TypeError, "a.*log.*True or False, got 10"),
        (lambda: salvo.Choice(5), TypeError, "sequence"),
        (lambda: salvo.Space(a=(0, 1)), TypeError, "a.*Float"),
        (lambda: salvo.Space({1: salvo.Float(0, 1)}), TypeError, "names"),
        (lambda: salvo.Space([1]), TypeError, "mapping"),
        (lambda: salvo.Space(id=salvo.Float(0, 1)), ValueError, "id"),
        (lambda: salvo.Space({"a b": salvo.Float(0, 1)}), ValueError, "letters"),
    ],
)
def test_mistakes_in_a_space(make, error, words):
    with pytest.raises(error, match=words):
        make()


@pytest.mark.parametrize(
    "point, error, words",
    [
        ({"a": 2.0, "b": 0}, ValueError, "a.*0 to 1"),
        ({"a": 0.5}, ValueError, "b.*no value"),
        ({"a": 0.5, "b": 0, "c": 1}, ValueError, "c.*not in the space"),
        ({"a": "x", "b": 0}, ValueError, "a"),
        ({"a": None, "b": 0}, TypeError, "a.*NoneType"),
        ({"a": float("nan"), "b": 0}, ValueError, "a"),
        ({"a": 0.5, "b": 2**80}, ValueError, "b.*64 bits"),
        ({"a": 1j, "b": 0}, TypeError, "complex"),
        ([0.5, 0.5], TypeError, "mapping"),
        ("ab", TypeError, "mapping"),
    ],
)
def test_mistakes_in_a_point(box, point, error, words):
    with pytest.raises(error, match=words):
        box.check(point)


def test_decode_checks_its_rows(box):
    with pytest.raises(ValueError, match="2 columns"):
        box.decode(np.zeros((3, 5)))
    with pytest.raises(ValueError, match="finite"):
        box.decode([[0, np.nan]])


def test_choices_may_be_described_by_numbers():
    solvents = {f"s{i}": [i / 60, (i * 37) % 60 / 60] for i in range(60)}
    space = salvo.Space(x=salvo.Float(0, 1), solvent=salvo.Choice(solvents))
    assert space["solvent"] == salvo.Choice(list(solvents), numbers=list(solvents.values()))
    assert space.num_dims == 3
    assert salvo.Choice({"a": 1, "b": 2}).numbers == ((1.0,), (2.0,))

    study = salvo.Study(space, direction="minimize", seed=1, batch=10)
    for _ in range(6):
        for trial in study.ask(10):
            a, b = solvents[trial.params["solvent"]]
            study.tell(trial, (a - 0.4) ** 2 + (b - 0.3) ** 2 + (trial.params["x"] - a) ** 2)
    a, b = solvents[study.best.params["solvent"]]
    assert (a - 0.4) ** 2 + (b - 0.3) ** 2 <= sorted((p - 0.4) ** 2 + (q - 0.3) ** 2 for p, q in solvents.values())[2]

    with pytest.raises(ValueError, match='the choices "a" and "b" have the same numbers'):
        salvo.Space(s=salvo.Choice({"a": [1], "b": [1]}))
    with pytest.raises(TypeError, match="expected a number"):
        salvo.Choice({"a": ["x"], "b": [1]})
    with pytest.raises(TypeError, match="expected none beside a mapping"):
        salvo.Choice({"a": [1], "b": [2]}, numbers=[[1], [2]])
