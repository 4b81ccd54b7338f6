import dataclasses
import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
import salvo


def test_ask_and_tell_find_the_minimum(space, objective):
    study = salvo.Study(space, direction="minimize", seed=1, batch=30)
    for _ in range(5):
        trials = study.ask(30)
        study.tell(trials, [objective(params) for params in trials.to_dicts()])
    assert study.best.mean < 0.5 and study.best.std >= 0
    assert study.best.params["method"] == "adam"
    assert study.observed_best.value == min(trial.value for trial in study.trials)
    assert study.counts == salvo.Counts(pending=0, done=150, failed=0, abandoned=0)


def test_maximising_is_minimising_the_negative(box):
    values = []
    for direction, sign in (("minimize", 1), ("maximize", -1)):
        study = salvo.Study(box, direction=direction, seed=4, batch=10)
        for _ in range(3):
            trials = study.ask(10)
            study.tell(trials, [sign * (p["a"] - 0.3) ** 2 for p in trials.to_dicts()])
        values.append([trial.params for trial in study.trials])
    assert values[0] == values[1]


def test_a_study_is_resumed_where_it_was(tmp_path, space, objective):
    path = tmp_path / "tune.db"
    with salvo.Study(space, direction="minimize", storage=path, seed=7, batch=20, name="tuning") as study:
        trials = study.ask(20)
        study.tell(trials[:15], [objective(trial.params) for trial in trials[:15]])
    again = salvo.Study(space, storage=path)
    assert again.options["seed"] == 7 and again.options["batch"] == 20 and again.options["name"] == "tuning"
    assert [trial.id for trial in again.pending] == [16, 17, 18, 19, 20]
    again.tell(again.pending, np.zeros(5))
    assert salvo.Study.open(path).space == space
    assert len(pickle.loads(pickle.dumps(again)).trials) == 20
    with pytest.raises(ValueError, match="closed"):
        study.ask(1)


def test_another_study_in_the_same_file_is_refused(tmp_path, space, box):
    path = tmp_path / "tune.db"
    salvo.Study(space, direction="minimize", storage=path, seed=1)
    with pytest.raises(ValueError, match="direction"):
        salvo.Study(space, storage=path, direction="maximize")
    with pytest.raises(ValueError, match="seed"):
        salvo.Study(space, storage=path, seed=2)
    with pytest.raises(ValueError):
        salvo.Study(box, storage=path)


def test_the_same_seed_gives_the_same_points(box):
    def points(seed):
        study = salvo.Study(box, direction="minimize", seed=seed, batch=5)
        for _ in range(3):
            trials = study.ask(5)
            study.tell(trials, trials.to_numpy().sum(axis=1))
        return study.trials.to_dicts()

    assert points(3) == points(3) != points(4)


def test_values_come_in_every_form(box):
    study = salvo.Study(box, direction="minimize")
    trials = study.ask(12)
    study.tell(trials[0], 1)
    study.tell(trials[1].id, 2.5)
    study.tell([trials[2], trials[3].id], (3, salvo.FAILED))
    study.tell(trials[4], salvo.FAILED("out of memory"))
    study.tell(trials[5], RuntimeError("diverged"))
    study.tell(trials[6:8], np.array([6.0, 7.0], dtype=np.float32))
    study.tell(np.array([trials[8].id]), [np.float64(8)])
    study.tell(trials[9], np.array([9.0]))
    study.abandon(trials[10:])
    states = {trial.id: trial for trial in study.trials}
    assert [states[i].value for i in range(1, 11)] == [1, 2.5, 3, None, None, None, 6, 7, 8, 9]
    assert [states[i].error for i in (4, 5)] == ["failed", "out of memory"]
    assert "RuntimeError: diverged" in states[6].error
    assert study.counts == salvo.Counts(pending=0, done=7, failed=3, abandoned=2)


@pytest.mark.parametrize(
    "tell, error, words",
    [
        (lambda s, t: s.tell(t, [1, 2]), ValueError, "one value for each of 3"),
        (lambda s, t: s.tell(t, [1, 2, np.nan]), ValueError, "finite"),
        (lambda s, t: s.tell(t, [1, 2, "3"]), TypeError, "str"),
        (lambda s, t: s.tell(t, [1, 2, None]), TypeError, "NoneType"),
        (lambda s, t: s.tell(t, 5), TypeError, "sequence"),
        (lambda s, t: s.tell(t, "abc"), TypeError, "sequence"),
        (lambda s, t: s.tell(t, np.zeros((3, 1))), ValueError, "1 dimension"),
        (lambda s, t: s.tell(t[0], np.zeros(2)), TypeError, "number"),
        (lambda s, t: s.tell(t[0], 10**400), ValueError, "too large"),
        (lambda s, t: s.tell(99, 1.0), ValueError, "99"),
        (lambda s, t: s.tell(2**70, 1.0), ValueError, "expected"),
        (lambda s, t: s.tell([t[0], t[0]], [1, 2]), ValueError, "1"),
        (lambda s, t: s.tell(True, 1.0), TypeError, "sequence"),
        (lambda s, t: s.tell({1: 2}, [1]), TypeError, "sequence"),
        (lambda s, t: s.tell([object()], [1]), TypeError, "whole number"),
        (lambda s, t: s.ask(0), ValueError, "ask"),
        (lambda s, t: s.ask(10**12), ValueError, "ask"),
        (lambda s, t: s.ask(1.5), TypeError, "ask"),
        (lambda s, t: s.add([{"a": 0.5, "b": 2}], [1]), ValueError, "b"),
        (lambda s, t: s.add([{"a": 0.5, "b": 0.5}], [1, 2]), ValueError, "one value per point"),
        (lambda s, t: s.add({"a": 0.5, "b": 0.5}, [1]), TypeError, "list"),
        (lambda s, t: s.add([{"a": 0.5, "b": 0.5}], [np.inf]), ValueError, "finite"),
        (lambda s, t: s.predict([{"a": 0.5, "b": 0.5}]), ValueError, "at least one value"),
        (lambda s, t: s.best, ValueError, "no trial has a value"),
        (lambda s, t: s.observed_best, ValueError, "no trial has a value"),
        (lambda s, t: s.trial(77), KeyError, "77"),
        (lambda s, t: s.plot.progress(), ValueError, "no trial has a value"),
        (lambda s, t: pickle.dumps(s), TypeError, "memory"),
    ],
)
def test_a_mistake_is_explained_and_changes_nothing(box, tell, error, words):
    study = salvo.Study(box, direction="minimize")
    trials = study.ask(3)
    with pytest.raises(error, match=words):
        tell(study, trials)
    assert study.counts == salvo.Counts(pending=3, done=0, failed=0, abandoned=0)


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
        ({"model": {"num_starts": 2.0}}, TypeError, "^model.num_starts: expected a whole number, 1 or more, got float$"),
        ({"model": {"num_starts": 2**40}}, ValueError, "from 1 to 2147483647, got 1099511627776"),
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


def test_a_file_that_is_no_study(tmp_path, box):
    path = tmp_path / "notes.txt"
    path.write_text("not a database at all, but long enough to look like one" * 20)
    with pytest.raises(salvo.StoreError, match="notes.txt"):
        salvo.Study(box, direction="minimize", storage=path)
    with pytest.raises(OSError, match="missing.db"):
        salvo.Study.open(tmp_path / "missing.db")


def test_a_finite_space_runs_out():
    study = salvo.Study(salvo.Space(n=salvo.Int(1, 4)), direction="minimize")
    assert sorted(p["n"] for p in study.ask(4).to_dicts()) == [1, 2, 3, 4]
    with pytest.raises(ValueError, match="pending"):
        study.ask(1)


def test_trials_are_a_sequence(space):
    trials = salvo.Study(space, direction="minimize").ask(5)
    assert len(trials) == 5 and len(trials[1:3]) == 2 and trials[-1].id == 5
    assert trials[0]["layers"] == trials[0].params["layers"]
    X = trials.to_numpy()
    assert X.shape == (5, 6) and X.dtype == np.float64 and X.flags.c_contiguous
    assert X[:, 0].tolist() == [p["x"] for p in trials.to_dicts()]
    assert X[:, 3].tolist() == [["adam", "sgd"].index(p["method"]) for p in trials.to_dicts()]
    assert X[:, 4].tolist() == [p["size"] for p in trials.to_dicts()]
    assert trials.encoded().shape == (5, space.num_dims)
    assert trials[:0].to_numpy().shape == (0, 6)


def test_frames_go_out_and_come_in(space, objective):
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    study = salvo.Study(space, direction="minimize")
    trials = study.ask(6)
    frame = trials.to_pandas()
    assert frame.index.tolist() == trials.ids and list(frame.columns) == list(space)
    study.tell(trials[:4], pandas.Series([objective(p) for p in trials[:4].to_dicts()]))
    study.tell(trials[4], salvo.FAILED)
    whole = study.trials_dataframe()
    assert whole.loc[5, "state"] == "failed" and np.isnan(whole.loc[5, "value"])
    assert whole["told_at"].isna().tolist() == [False] * 5 + [True]
    assert study.add(frame, np.arange(6.0)) == list(range(7, 13))
    assert study.add(trials.to_polars(), polars.Series(np.arange(6.0))) == list(range(13, 19))
    assert len(salvo.Study(space, direction="minimize").add(whole, np.arange(6.0))) == 6  # with the columns that are ours
    assert study.trial(13).params == trials[0].params and study.trial(13).origin == "told"


def test_a_series_of_a_frame_goes_by_its_index(box):
    pytest.importorskip("pandas")
    study = salvo.Study(box, direction="minimize")
    trials = study.ask(5)
    frame = trials.to_pandas()
    study.tell(trials, (frame["a"] + 10 * frame.index).sort_values(ascending=False))
    assert [trial.value for trial in study.trials] == [trial["a"] + 10 * trial.id for trial in study.trials]
    more = study.ask(3)
    with pytest.raises(ValueError, match="same trials"):
        study.tell(more, frame["a"][:3])
    with pytest.raises(TypeError, match="sequence"):
        study.tell(more.to_pandas(), [1, 2, 3])


def test_points_and_values_of_frames_go_together_by_their_index(box):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"a": [0.1, 0.2, 0.3], "b": [0.5, 0.5, 0.5]}, index=[5, 6, 7])
    study = salvo.Study(box, direction="minimize")
    study.add(frame, frame["a"].sort_values(ascending=False))
    study.add(frame, frame["a"].reset_index(drop=True))  # without an index of its own: by its order
    assert all(trial.value == trial["a"] for trial in study.trials)
    with pytest.raises(ValueError, match="indices"):
        study.add(frame, pandas.Series([1.0, 2.0, 3.0], index=[6, 7, 8]))
    trials = study.ask(2)
    for index in ([1.5, 2.0], [float("nan"), 1.0], ["a", "b"]):
        with pytest.raises(TypeError, match="whole number"):
            study.tell(trials, pandas.Series([1.0, 2.0], index=pandas.Index(index, name="trial")))
    with pytest.raises(ValueError, match="twice"):
        study.tell(trials, pandas.Series([1.0, 2.0], index=pandas.Index([trials[0].id] * 2, name="trial")))


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


def test_a_signal_handler_that_uses_the_study_is_refused_and_not_hung(box):
    problem = salvo.problem("hartmann6")
    study = salvo.Study(problem.space, direction="minimize", batch=100)
    trials = study.ask(100)
    study.tell(trials, [problem(p) for p in trials.to_dicts()])
    previous = signal.signal(signal.SIGALRM, lambda *_: study.counts)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        with pytest.raises(RuntimeError, match="signal handler"):
            study.ask(20_000)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
    assert study.counts.pending == 0


def test_an_ask_that_no_machine_can_hold_is_refused(box):
    study = salvo.Study(box, direction="minimize", model={"num_features": 1_000_000}, batch=4)
    study.tell(study.ask(4), [1, 2, 3, 4])
    with pytest.raises(MemoryError, match="ask"):
        study.ask(1_000_000)


def test_prediction_and_importance(box):
    study = salvo.Study(box, direction="minimize", seed=2, batch=40)
    trials = study.ask(40)
    study.tell(trials, [np.sin(5 * p["a"]) + 0.1 * p["b"] for p in trials.to_dicts()])
    points = box.sample(30, seed=9)
    mean, std = study.predict(points)
    truth = np.array([np.sin(5 * p["a"]) + 0.1 * p["b"] for p in points])
    assert np.abs(mean - truth).max() < 0.2 and (std >= 0).all()
    shares = study.importance(256)
    assert list(shares) == ["a", "b"] and shares["a"] > 0.9 and shares["b"] < 0.1
    assert study.model_report["num_observations"] == 40


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


def test_threads_share_a_study(box):
    study = salvo.Study(box, direction="minimize", batch=10)
    asked = []

    def work():
        for _ in range(5):
            trials = study.ask(2)
            asked.append(trials.ids)
            study.tell(trials, trials.to_numpy()[:, 0])

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert study.counts.done == 40
    assert sorted(sum(asked, [])) == list(range(1, 41))


def test_other_threads_run_while_a_study_computes():
    problem = salvo.problem("hartmann6")
    study = salvo.Study(problem.space, direction="minimize", batch=200)
    trials = study.ask(200)
    study.tell(trials, [problem(p) for p in trials.to_dicts()])
    asking = threading.Thread(target=study.ask, args=(200,))
    ticks = 0
    asking.start()
    while asking.is_alive():
        time.sleep(0.001)
        ticks += 1
    assert ticks > 5  # with the interpreter held there would be one or none


def test_ctrl_c_ends_an_ask_that_computes_and_changes_nothing():
    problem = salvo.problem("hartmann6")

    def begun():
        study = salvo.Study(problem.space, direction="minimize", batch=100)
        trials = study.ask(100)
        study.tell(trials, [problem(p) for p in trials.to_dicts()])
        return study

    study, calm = begun(), begun()
    previous = signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        with pytest.raises(KeyboardInterrupt):
            study.ask(20_000)
    finally:
        signal.signal(signal.SIGALRM, previous)
    assert study.counts.pending == 0  # it had not come to its end: then they would be handed out
    assert study.ask(10).to_dicts() == calm.ask(10).to_dicts()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_is_refused_and_harms_nothing(tmp_path, box):
    code = f"""
import os, salvo
study = salvo.Study({{"a": salvo.Float(0, 1)}}, direction="minimize", storage={str(tmp_path / "f.db")!r})
trials = study.ask(3)
child = os.fork()
if child == 0:
    try:
        study.ask(1)
    except RuntimeError as error:
        del study
        os._exit(7 if "fork" in str(error) else 1)
    os._exit(2)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
study.tell(trials, [1, 2, 3])
print(study.counts.done)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.stdout.strip(), done.returncode) == ("3", 0), done.stderr


@pytest.mark.parametrize("package, call", [
    ("pandas", "study.trials_dataframe()"),
    ("pandas", "study.trials.to_pandas()"),
    ("polars", "study.trials.to_polars()"),
    ("torch", "study.trials.to_torch()"),
    ("matplotlib", "study.plot.progress()"),
    ("plotly", "study.plotly.progress()"),
    ("tqdm", "salvo.minimize(lambda p: p['a'], study.space, 4, progress=True)"),
    ("rdkit", "salvo.Pool.from_smiles(['CC'])"),
    ("scikit-learn", "salvo.SparseGPRegressor()"),
])  # fmt: skip
def test_what_is_not_installed_is_named(box, monkeypatch, package, call):
    study = salvo.Study(box, direction="minimize", batch=4)
    trials = study.ask(4)
    study.tell(trials, [1, 2, 3, 4])
    module = {"scikit-learn": "sklearn"}.get(package, package)
    for name in [name for name in sys.modules if name.split(".")[0] == module]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ImportError, match=f"needs {module}: pip install {package}"):
        eval(call, {"salvo": salvo, "study": study})


def test_a_mapping_says_what_differs_from_the_study_as_it_was(tmp_path, box):
    path = tmp_path / "s.db"
    salvo.Study(box, direction="minimize", storage=path, model={"kernel": "matern12", "alpha": 1.0}).close()
    model = salvo.Study(box, storage=path, model={"alpha": 2.0}).options["model"]
    assert (model["kernel"], model["alpha"]) == ("matern12", 2.0)
    assert salvo.Study(box, direction="minimize").options["model"]["kernel"] == "auto"


@pytest.mark.parametrize("storage", [None, "m.db"])
def test_what_else_was_measured_is_kept(tmp_path, box, storage):
    study = salvo.Study(box, direction="minimize", storage=storage and tmp_path / storage)
    trials = study.ask(4)
    study.tell(trials[0], {"value": 1.2, "seconds": 30.0})
    study.tell(trials[1:3], [{"seconds": np.float32(2), "value": 0.5, "gigabytes": 7}, 3])
    study.tell(trials[3], salvo.FAILED)
    assert [trial.value for trial in study.trials] == [1.2, 0.5, 3.0, None]
    assert [trial.measured for trial in study.trials] == [{"seconds": 30.0}, {"seconds": 2.0, "gigabytes": 7.0}, {}, {}]
    assert study.observed_best.measured["seconds"] == 2.0
    if storage:
        assert salvo.Study.open(tmp_path / storage).trials == study.trials
    waiting = study.ask(1)[0]
    for value, error, words in [
        ({"seconds": 1.0}, ValueError, f'trial {waiting.id}: expected a mapping with the key "value"'),
        ({"value": 1.0, "seconds": np.inf}, ValueError, "seconds: expected a finite number"),
        ({"value": 1.0, "seconds": "1"}, TypeError, "seconds: expected a number, got str"),
        ({"value": 1.0, 3: 1.0}, TypeError, "key"),
    ]:
        with pytest.raises(error, match=words):
            study.tell(waiting, value)
    assert study.counts.pending == 1
    pandas = pytest.importorskip("pandas")
    frame = study.trials_dataframe()
    assert frame["measured.seconds"].tolist()[:2] == [30.0, 2.0] and frame["measured.gigabytes"].isna().sum() == 4
    assert isinstance(frame, pandas.DataFrame) and len(study.add(frame, np.arange(5.0))) == 5  # columns that are ours


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
