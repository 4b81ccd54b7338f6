"""The options of a study: what they may be, what is said of them, what a study that is resumed keeps."""

import dataclasses
import pickle

import numpy as np
import pytest
import salvo


@pytest.mark.parametrize(
    "options, error, words",
    [
        ({"direction": "down"}, ValueError, "minimize"),
        ({"direction": 1}, TypeError, "minimize"),
        ({"seed": -1}, ValueError, "seed"),
        ({"seed": 2**64}, ValueError, "seed"),
        ({"batch": 0}, ValueError, "batch"),
        ({"initial": "grid"}, ValueError, "sobol"),
        ({"model": {"kernel": "rbf"}}, ValueError, "matern52"),
        ({"model": {"kernels": "se"}}, ValueError, "kernels"),
        ({"model": {"num_inducing": 0}}, ValueError, "num_inducing"),
        ({"model": {"num_features": 10**18}}, ValueError, "num_features"),
        ({"model": {"alpha": -1}}, ValueError, "alpha"),
        ({"model": {"alpha": "magic"}}, ValueError, "theory"),
        ({"model": {"num_inducing": "many"}}, ValueError, "auto"),
        ({"model": {"type": "magic"}}, ValueError, "inducing-features"),
        ({"model": {"features": "magic"}}, ValueError, "fourier"),
        ({"model": {"fit": "magic"}}, ValueError, "collapsed"),
        ({"model": {"max_kl": 0}}, ValueError, "max_kl"),
        ({"model": {"near_share": 2}}, ValueError, "^model.near_share: expected a number from 0 to 1, got 2$"),
        ({"model": {"near_share": "half"}}, TypeError, "^model.near_share: expected a number from 0 to 1, got str$"),
        ({"model": {"near_share": True}}, TypeError, "bool"),
        ({"model": {"near_share": float("nan")}}, ValueError, "got nan"),
        ({"model": {"near_share": 10**400}}, ValueError, "too large"),
        ({"model": {"num_starts": 2.0}}, TypeError, "^model.num_starts: expected a whole number from 1 to 1000000, got float$"),
        ({"model": {"minibatch": 2.0}}, TypeError, "^model.minibatch: expected a whole number, 1 or more, got float$"),
        ({"model": {"minibatch": 2**40}}, ValueError, "from 1 to 2147483647, got 1099511627776"),
        ({"model": {"num_starts": 2**40}}, ValueError, "from 1 to 1000000, got 1099511627776"),
        ({"model": {"kernel": None}}, TypeError, 'expected one of "auto", "se".*got NoneType'),
        ({"model": {3: 4}}, ValueError, "keys among kernel.*; got 3"),
        ({"model": 5}, TypeError, "model"),
        ({"storage": b"x.db"}, TypeError, "path"),
        ({"storage": "/nowhere/at/all/x.db"}, OSError, "nowhere"),
        ({"name": ""}, ValueError, "name"),
        ({"method": "magic"}, ValueError, "thompson"),
        ({"method": 1}, TypeError, "method"),
    ],
)
def test_mistakes_in_the_options(box, options, error, words):
    with pytest.raises(error, match=words):
        salvo.Study(box, **{"direction": "minimize", **options})


def test_a_study_that_is_resumed_keeps_its_direction(tmp_path, box):
    path = tmp_path / "s.db"
    salvo.Study(box, direction="maximize", storage=path).close()
    assert salvo.Study(box, storage=path).direction == "maximize"
    assert salvo.Study(box, direction="minimize").direction == "minimize"
    for new in ({}, {"storage": tmp_path / "new.db"}):
        with pytest.raises(TypeError, match='direction="minimize" or direction="maximize"'):
            salvo.Study(box, **new)
    assert not (tmp_path / "new.db").exists()
    with pytest.raises(TypeError, match="direction"):
        salvo.optimize(lambda params: params["a"], box, 4)
    with pytest.raises(ValueError, match="direction"):
        salvo.Study(box, direction="minimize", storage=path)


@pytest.mark.parametrize(
    "model",
    [
        {"num_inducing": "auto", "max_kl": 0.5, "max_inducing": 50},
        {"num_features": "auto", "max_variance_error": 0.1, "max_features": 500},
        {"type": "inducing-features", "num_inducing": 30, "num_features": 60, "eigenfunctions": "box"},
        {"features": "quasi-random"},
        {"alpha": "theory", "rkhs_norm": 2.0, "noise_bound": 0.5},
        {"alpha": "auto"},
        {"fit": "stochastic"},
    ],
)
def test_models_of_every_kind_choose_and_are_kept(tmp_path, box, model):
    path = tmp_path / "m.db"
    study = salvo.Study(box, direction="minimize", storage=path, batch=8, model=model)
    for _ in range(2):
        trials = study.ask(8)
        study.tell(trials, trials.to_numpy().sum(axis=1))
    kept = study.options
    assert {key: kept["model"][key] for key in model} == model
    study.close()
    assert salvo.Study(box, storage=path).options == kept  # what is left out stays
    assert salvo.Study.open(path).model_report["num_observations"] == 16


@pytest.mark.parametrize("method", salvo.methods())
def test_every_method_chooses(box, method):
    study = salvo.Study(box, direction="minimize", method=method, batch=4)
    for _ in range(3):
        trials = study.ask(4)
        assert len(np.unique(trials.to_numpy(), axis=0)) == 4
        study.tell(trials, trials.to_numpy().sum(axis=1))
    assert study.options["method"] == method


def test_a_study_keeps_its_method(tmp_path, box):
    path = tmp_path / "m.db"
    salvo.Study(box, direction="minimize", storage=path, method="sobol").close()
    assert salvo.Study(box, storage=path).options["method"] == "sobol"
    assert salvo.Study(box, storage=path, method="thompson").options["method"] == "thompson"


def test_a_mapping_says_what_differs_from_the_study_as_it_was(tmp_path, box):
    path = tmp_path / "s.db"
    salvo.Study(box, direction="minimize", storage=path, model={"kernel": "matern12", "alpha": 1.0}).close()
    model = salvo.Study(box, storage=path, model={"alpha": 2.0}).options["model"]
    assert (model["kernel"], model["alpha"]) == ("matern12", 2.0)
    assert salvo.Study(box, direction="minimize").options["model"]["kernel"] == "auto"


def test_options_are_those_of_the_library():
    """What C++ has is in Python, with its default, and is explained."""
    from salvo import _core

    for options, listed in ((salvo.ModelOptions, _core.model_fields()), (salvo.PoolModelOptions, _core.pool_model_fields())):
        fields = {field.name: field for field in dataclasses.fields(options)}
        assert list(fields) == [key for key, *_ in listed]
        for key, kind, default, *_ in listed:
            assert (fields[key].type, fields[key].default) == (kind, default)
            assert f"\n{key}: " in options.__doc__
        assert "`" not in options.__doc__ and ".md#" not in options.__doc__
        assert pickle.loads(pickle.dumps(options())) == options()
        with pytest.raises(dataclasses.FrozenInstanceError):
            options().alpha = 2.0
    box = {"a": salvo.Float(0, 1)}
    assert salvo.Study(box, direction="minimize").options["model"] == dataclasses.asdict(salvo.ModelOptions())
    changed = salvo.ModelOptions(alpha="theory", num_inducing="auto", near_share=0.25)
    assert salvo.Study(box, direction="minimize", model=changed).options["model"] == dataclasses.asdict(changed)
    for number in (np.int64(7), np.uint8(7)):
        assert salvo.Study(box, direction="minimize", model={"num_starts": number}).options["model"]["num_starts"] == 7
