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


def test_points_from_elsewhere_have_every_outcome(box):
    study = salvo.Study(box, direction="minimize")
    names = list(box)
    points = [dict.fromkeys(names, x) for x in (0.25, 0.5, 0.75, 1.0)]
    study.add(points, [1.0, salvo.FAILED("the pump"), {"value": 2.0, "seconds": 30, "who": "Ann", "sd": 0.5}, ValueError("no")])
    first, second, third, last = study.trials
    assert first.value == 1 and (second.state, second.error) == ("failed", "the pump") and last.state == "failed"
    assert third.value == 2 and third.measured == {"seconds": 30, "sd": 0.5} and third.said == {"who": "Ann"}
    for values, sd, words in ([[salvo.FAILED, 1.0], 0.1, "sd"], [[salvo.FAILED], None, "one"], [[{"value": 1.0}, "x"], None, "value"]):
        with pytest.raises((TypeError, ValueError), match=words):
            study.add(points[:2], values, sd=sd)
    several = salvo.Study(box, outputs={"cost": "minimize", "yield": "maximize"})
    several.add(points[:2], [{"cost": 1.0}, salvo.FAILED("the pump")])
    assert several.trials[0].values == {"cost": 1.0, "yield": None} and several.trials[1].error == "the pump"
    assert len(study.trials) == 4


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
    assert shares.total == shares and 0.9 < shares.first["a"] <= shares["a"] + 0.05
    assert 0 < shares.total_std["a"] < 0.1 and shares.first_std.keys() == shares.keys()
    assert study.importance(256) == shares and study.importance(256, seed=1) != shares
    for wrong in ({"num_points": 3}, {"num_paths": 0}, {"seed": -1}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            study.importance(**wrong)
    frame = pytest.importorskip("pandas") and study.importance(256).to_pandas()
    assert list(frame.columns) == ["total", "total_std", "first", "first_std"] and list(frame.index) == ["a", "b"]
    assert study.model_report["num_observations"] == 40


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
        ({"value": 1.0, 3: 1.0}, TypeError, "key"),
    ]:
        with pytest.raises(error, match=words):
            study.tell(waiting, value)
    assert study.counts.pending == 1
    pandas = pytest.importorskip("pandas")
    frame = study.trials_dataframe()
    assert frame["measured.seconds"].tolist()[:2] == [30.0, 2.0] and frame["measured.gigabytes"].isna().sum() == 4
    assert isinstance(frame, pandas.DataFrame) and len(study.add(frame, np.arange(5.0))) == 5  # columns that are ours
