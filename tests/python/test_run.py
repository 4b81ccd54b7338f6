import concurrent.futures as cf
import contextlib
import itertools
import os
import re
import signal
import subprocess
import sys
import threading
import time
import warnings

import pytest
import salvo


def bowl(params):
    return (params["a"] - 0.3) ** 2 + (params["b"] - 0.6) ** 2


def fragile(params):
    if params["a"] > 0.5:
        raise ValueError(f"too hot: {params['a']:.1f}")
    return bowl(params)


def deadly(params):
    """Kills its process for one corner of the box, once the others have had the time to come to their end."""
    if params["a"] > 0.9:
        time.sleep(0.3)
        os._exit(1)
    return bowl(params)


def broken(params):
    raise ZeroDivisionError("always")


@pytest.mark.parametrize("executor", [None, cf.ThreadPoolExecutor, cf.ProcessPoolExecutor])
@pytest.mark.parametrize("schedule", ["async", "batch"])
def test_every_executor_finds_the_minimum(box, executor, schedule):
    pool = executor(2) if executor else None
    study = salvo.minimize(bowl, box, 60, batch=10, executor=pool, schedule=schedule, seed=1)
    if pool:
        pool.shutdown()
    assert study.counts == salvo.Counts(pending=0, done=60, failed=0, abandoned=0)
    assert study.best.params == pytest.approx({"a": 0.3, "b": 0.6}, abs=0.05)


def test_maximize(box):
    study = salvo.maximize(lambda p: -bowl(p), box, 40, batch=10, seed=1)
    assert study.best.mean == pytest.approx(0, abs=0.01)


def test_asynchronous_means_that_no_worker_waits_for_a_slow_one(box):
    gate = threading.Event()
    started = []

    def f(params):
        started.append(params)
        if len(started) == 1:
            gate.wait(30)
        return bowl(params)

    def release(study, trial):
        if study.counts.done == 29:
            gate.set()

    with cf.ThreadPoolExecutor(4) as pool:
        study = salvo.minimize(f, box, 30, batch=4, executor=pool, callbacks=release)
    told = [trial.id for trial in sorted(study.trials, key=lambda t: t.told_at)]
    assert told[-1] == 1 and study.counts.done == 30


def test_an_exception_is_a_failed_trial_with_its_traceback(box):
    with cf.ProcessPoolExecutor(2) as pool:
        study = salvo.minimize(fragile, box, 40, batch=10, executor=pool, seed=2)
    failed = [trial for trial in study.trials if trial.state == "failed"]
    assert failed and all(trial.params["a"] > 0.5 for trial in failed)
    assert "ValueError: too hot" in failed[0].error and "in fragile" in failed[0].error
    assert study.best.params["a"] < 0.5


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "text", "0.5", None, [1, 2]])
def test_a_value_that_is_no_number_is_a_failure(box, value):
    study = salvo.minimize(lambda p: value if p["a"] < 0.5 else 1.0, box, 20, batch=5)
    assert study.counts.failed > 0 and study.counts.done > 0


def test_a_function_may_measure_more_than_its_value(box):
    study = salvo.minimize(lambda params: {"value": params["a"], "seconds": 2}, box, evaluations=6)
    assert all(trial.value == trial["a"] and trial.measured == {"seconds": 2.0} for trial in study.trials)
    wrong = [{"seconds": 1.0}, {"value": 1.0, "seconds": float("nan")}, {"value": "1"}, {1: 2.0}, {"value": 1.0}]
    study = salvo.minimize(lambda params: wrong.pop(0), box, evaluations=5, batch=5)
    assert [trial.state for trial in study.trials] == ["failed"] * 4 + ["done"]
    assert "expected a mapping with the key 'value'" in study.trial(1).error


def test_a_run_of_failures_gives_up_and_leaves_the_trials_pending(tmp_path, box):
    path = tmp_path / "run.db"
    with pytest.raises(RuntimeError, match="gave up(.|\n)*ZeroDivisionError"):
        salvo.minimize(broken, box, 100, batch=10, storage=path)
    assert salvo.Study.open(path).counts == salvo.Counts(pending=20, done=0, failed=0, abandoned=0)
    study = salvo.minimize(bowl, box, 40, batch=10, storage=path)
    assert study.counts == salvo.Counts(pending=0, done=40, failed=0, abandoned=0)


class Flaky:
    """Fails twice at each point, and always where a > 0.7."""

    def __init__(self):
        self.calls, self.lock = {}, threading.Lock()

    def __call__(self, params):
        with self.lock:
            count = self.calls[tuple(params.values())] = self.calls.get(tuple(params.values()), 0) + 1
        if count < 3 or params["a"] > 0.7:
            raise ValueError(f"attempt {count}")
        return bowl(params)


@pytest.mark.parametrize("executor", [None, cf.ThreadPoolExecutor])
@pytest.mark.parametrize("schedule", ["async", "batch"])
def test_a_trial_that_failed_is_tried_again(box, executor, schedule):
    flaky, seen = Flaky(), []
    pool = executor(2) if executor else None
    study = salvo.minimize(
        flaky, box, 20, batch=10, executor=pool, schedule=schedule, retries=2, seed=1, callbacks=lambda s, t: seen.append(t.id)
    )
    if pool:
        pool.shutdown()
    failed = [trial for trial in study.trials if trial.state == "failed"]
    assert failed and all(trial.params["a"] > 0.7 for trial in failed) and study.counts.done == 20 - len(failed)
    assert all(count == 3 for count in flaky.calls.values()) and len(flaky.calls) == 20
    assert failed[0].error.startswith("failed 3 times, at last: Traceback") and "attempt 3" in failed[0].error
    assert sorted(seen) == list(range(1, 21))


def test_a_run_that_gives_up_has_tried_each_again(box):
    flaky = Flaky()
    with pytest.raises(RuntimeError, match="all of its first 20 evaluations failed, and wait(.|\n)*failed 2 times, at last"):
        salvo.minimize(flaky, box, 100, batch=10, retries=1)
    assert list(flaky.calls.values()) == [2] * 20


def test_what_a_stopped_run_would_have_tried_again_stays_pending(box):
    def stop(study, trial):
        raise salvo.Stop

    def f(params):
        if next(calls) == 0:
            return 1.0
        time.sleep(0.2)  # fails when the other one has stopped the run
        raise ValueError

    calls = itertools.count()
    with cf.ThreadPoolExecutor(2) as pool:
        study = salvo.minimize(f, box, 10, batch=2, executor=pool, retries=5, callbacks=stop)
    assert study.counts == salvo.Counts(pending=1, done=1, failed=0, abandoned=0)


def test_a_function_that_cannot_be_sent_to_a_process(box):
    with cf.ProcessPoolExecutor(1) as pool, pytest.raises(TypeError, match="f: .*another process"):
        salvo.minimize(lambda p: 1.0, box, 30, batch=5, executor=pool)


def test_callbacks_see_trials_and_can_stop_the_run(box):
    seen = []

    def watch(study, trial):
        seen.append(trial.value)
        if len(seen) >= 12:
            raise salvo.Stop

    study = salvo.minimize(bowl, box, 1000, batch=5, callbacks=[watch])
    assert study.counts.done == 12 and seen == [trial.value for trial in study.trials if trial.value is not None]


def test_most_points_are_the_models_when_nobody_says_how_many_are_out(tmp_path, box):
    path = tmp_path / "run.db"
    study = salvo.minimize(bowl, box, 40, storage=path, seed=1)
    assert sum(trial.origin in ("model", "local", "repeat") for trial in study.trials) >= 30 and study.options["batch"] == 2
    assert study.best.params == pytest.approx({"a": 0.3, "b": 0.6}, abs=0.05)
    more = salvo.minimize(bowl, box, 200, storage=path)  # goes on as it was
    assert more.options["batch"] == 2 and more.options["num_initial"] == study.options["num_initial"]
    with cf.ThreadPoolExecutor(7) as pool:
        assert salvo.minimize(bowl, box, 20, executor=pool).options["batch"] == 7  # none of them idle


@pytest.mark.parametrize("callbacks", [[], [lambda study, trial: None]])
def test_what_came_before_an_exception_is_kept(tmp_path, box, callbacks):
    calls = []

    def f(params):
        calls.append(1)
        if len(calls) == 8:
            raise KeyboardInterrupt
        return bowl(params)

    path = tmp_path / "run.db"
    with pytest.raises(KeyboardInterrupt):
        salvo.minimize(f, box, 30, batch=10, storage=path, callbacks=callbacks)
    assert salvo.Study.open(path).counts == salvo.Counts(pending=3, done=7, failed=0, abandoned=0)
    study = salvo.minimize(bowl, box, 30, batch=10, storage=path)
    assert study.counts.done == 30 and study.counts.pending == 0


@pytest.mark.parametrize("schedule", ["async", "batch"])
def test_a_worker_that_dies_takes_no_finished_values_along(tmp_path, box, schedule):
    path = tmp_path / "run.db"
    with cf.ProcessPoolExecutor(2) as pool, pytest.raises(cf.BrokenExecutor):
        salvo.minimize(deadly, box, 60, batch=20, num_initial=20, executor=pool, schedule=schedule, storage=path)
    counts = salvo.Study.open(path).counts
    assert counts.done > 0 and counts.pending > 0 and counts.failed == 0
    assert salvo.minimize(bowl, box, 60, storage=path).counts.done == 60


@pytest.mark.parametrize("executor", [None, cf.ThreadPoolExecutor])
def test_what_the_machine_failed_at_is_tried_again_and_teaches_nothing(tmp_path, box, executor):
    path, calls = tmp_path / "run.db", []

    def unsteady(params):
        calls.append(params["a"])
        if calls.count(params["a"]) <= (2 if len(calls) % 3 == 0 else 0):
            raise salvo.MachineFailure("the licence server is away")
        return bowl(params)

    with contextlib.nullcontext() if executor is None else executor(2) as pool:
        study = salvo.minimize(unsteady, box, 20, batch=5, storage=path, executor=pool)
    assert study.counts == salvo.Counts(pending=0, done=20, failed=0, abandoned=0) and len(calls) > 20

    def broken(params):
        raise salvo.MachineFailure("no disk")

    with pytest.raises(RuntimeError, match="(?s)the machine failed again and again.*no disk"):
        salvo.minimize(broken, box, 40, storage=path)
    assert salvo.Study.open(path).counts.failed == 0
    assert salvo.minimize(bowl, box, 40, storage=path).counts.done == 40


def test_a_worker_that_dask_or_ray_lost_is_the_machines(box):
    class KilledWorker(Exception):
        __module__ = "distributed.scheduler"

    class Cluster(cf.Executor):
        lost = 0

        def submit(self, fn, /, *args, **kwargs):
            future = cf.Future()
            if self.lost < 3:
                self.lost += 1
                future.set_exception(KilledWorker("a node is gone"))
            else:
                future.set_result(fn(*args, **kwargs))
            return future

    counts = salvo.minimize(bowl, box, 12, batch=4, executor=Cluster()).counts
    assert counts.done == 12 and counts.failed == 0


def test_what_an_executor_cancels_stays_pending(box):
    class Fickle(cf.Executor):
        def submit(self, fn, /, *args, **kwargs):
            future = cf.Future()
            if args[1]["a"] > 0.9:
                future.cancel()
            else:
                future.set_result(fn(*args, **kwargs))
            return future

    with pytest.raises(cf.CancelledError, match="cancelled trial"):
        salvo.minimize(bowl, box, 60, batch=20, executor=Fickle())


@pytest.mark.parametrize("workers", [0, 2])
def test_a_run_that_mostly_fails_says_so_at_once(box, workers):
    def seldom(params):
        if params["a"] > 0.2:
            raise OSError("the licence server is away")
        return bowl(params)

    with warnings.catch_warnings(record=True) as said, cf.ThreadPoolExecutor(2) as pool:
        warnings.simplefilter("always")
        salvo.minimize(seldom, box, 40, batch=20, initial="sobol", executor=pool if workers else None, seed=1)
    told = [each for each in said if "failed" in str(each.message)]
    assert told and re.match(r"\d+ of the last 2\d evaluations failed", str(told[0].message)) and "licence server" in str(told[0].message)
    assert told[0].filename == __file__


def test_what_others_hold_is_said(tmp_path, box):
    path = tmp_path / "run.db"
    with salvo.Study(box, direction="minimize", storage=path) as study:
        study.ask(3)  # nobody's: they may be in somebody's hands
    with pytest.warns(UserWarning, match="17 of 20 evaluations.*3 trials"):
        salvo.minimize(bowl, box, 20, storage=path)


def test_callbacks_see_what_was_told_and_nothing_else(box):
    seen = []

    def drop_the_next(study, trial):
        seen.append(trial.state)
        if study.pending and len(seen) < 5:
            study.abandon(study.pending[0])

    with cf.ThreadPoolExecutor(2) as pool, pytest.warns(UserWarning, match="abandoned"):
        salvo.minimize(lambda p: time.sleep(0.02) or bowl(p), box, 20, batch=4, executor=pool, callbacks=drop_the_next)
    assert set(seen) == {"done"} and len(seen) == 20


def test_stopping_does_not_wait_for_what_has_not_begun(box):
    calls = []

    def slow(params):
        calls.append(1)
        time.sleep(0.05)
        return bowl(params)

    def stop(study, trial):
        raise salvo.Stop

    with cf.ThreadPoolExecutor(2) as pool:
        study = salvo.minimize(slow, box, 1000, batch=50, executor=pool, callbacks=stop)
    assert len(calls) < 20 and study.counts.done == len(calls) and study.counts.pending == 50 - len(calls)


def test_runs_at_the_same_time_share_the_budget(tmp_path, box):
    def run():
        salvo.minimize(bowl, box, 60, batch=5, storage=tmp_path / "run.db")

    threads = [threading.Thread(target=run) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    counts = salvo.Study.open(tmp_path / "run.db").counts
    assert 60 <= counts.done < 75 and counts.pending == 0


def test_an_exception_in_a_callback_is_the_callers(box):
    with pytest.raises(KeyError):
        salvo.minimize(bowl, box, 20, batch=5, callbacks=lambda study, trial: {}["no"])


def test_a_finished_run_is_not_repeated(tmp_path, box):
    calls = []
    for _ in range(2):
        salvo.minimize(lambda p: calls.append(1) or bowl(p), box, 20, batch=7, storage=tmp_path / "run.db")
    assert len(calls) == 20


def test_a_small_space_is_enough_for_a_large_batch():
    space = salvo.Space(n=salvo.Int(1, 5))
    with cf.ThreadPoolExecutor(2) as pool:
        study = salvo.minimize(lambda p: abs(p["n"] - 2), space, 12, batch=50, executor=pool)
    assert study.counts.done == 12 and study.best.params == {"n": 2}


def test_a_killed_run_goes_on_with_what_it_left(tmp_path):
    path = tmp_path / "run.db"
    code = f"""
import salvo, time, sys
def f(p):
    if p["a"] > 0.8: print("slow", flush=True); time.sleep(60)
    return p["a"]
salvo.minimize(f, {{"a": salvo.Float(0, 1)}}, 50, batch=10, storage={str(path)!r})
"""
    run = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert run.stdout.readline() == "slow\n"
    run.kill()
    run.wait()
    left = salvo.Study.open(path).pending
    assert len(left) > 0
    study = salvo.minimize(lambda p: p["a"], {"a": salvo.Float(0, 1)}, 50, batch=10, storage=path)
    assert study.counts == salvo.Counts(pending=0, done=50, failed=0, abandoned=0)


def test_ctrl_c_ends_a_run_and_the_next_goes_on(tmp_path):
    path = tmp_path / "run.db"
    code = f"""
import salvo, signal, time, concurrent.futures as cf
signal.signal(signal.SIGINT, signal.default_int_handler)  # a test in the background of a shell would ignore it
def f(p):
    time.sleep(0.02)
    return p["a"]
space = {{"a": salvo.Float(0, 1)}}
try:
    with cf.ThreadPoolExecutor(2) as pool:
        salvo.minimize(f, space, 10000, batch=4, executor=pool, storage={str(path)!r}, callbacks=lambda s, t: print(t.id, flush=True))
except KeyboardInterrupt:
    left = salvo.Study.open({str(path)!r}).counts
    study = salvo.minimize(f, space, left.total + 6, batch=4, storage={str(path)!r})
    print("interrupted", left.pending > 0, study.counts.pending, flush=True)
"""
    run = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    for _ in range(6):
        run.stdout.readline()
    run.send_signal(signal.SIGINT)
    out, _ = run.communicate(timeout=60)
    assert out.splitlines()[-1] == "interrupted True 0", out


def test_progress_bar(box, capsys):
    pytest.importorskip("tqdm")
    salvo.minimize(bowl, box, 20, batch=5, progress=True)
    assert "20/20" in capsys.readouterr().err


@pytest.mark.parametrize(
    "change, error",
    [
        ({"f": 5}, TypeError),
        ({"space": [1]}, TypeError),
        ({"evaluations": 0}, ValueError),
        ({"batch": -1}, ValueError),
        ({"schedule": "now"}, ValueError),
        ({"retries": -1}, ValueError),
        ({"retries": 1.5}, TypeError),
        ({"executor": 3}, TypeError),
        ({"executor": cf.ThreadPoolExecutor}, TypeError),
        ({"callbacks": [5]}, TypeError),
        ({"colour": 1}, TypeError),
    ],
)
def test_mistakes(box, change, error):
    with pytest.raises(error):
        salvo.minimize(**{"f": bowl, "space": box, "evaluations": 10, **change})


@pytest.mark.parametrize("executor", [None, cf.ThreadPoolExecutor])
def test_the_target_ends_a_run_and_the_next_one_at_once(box, executor, tmp_path):
    pool = executor(2) if executor else None
    how = {"batch": 10, "executor": pool, "seed": 1, "storage": tmp_path / "s.db", "target": 0.05}
    study = salvo.minimize(bowl, box, 500, **how)
    assert study.stopped.startswith("the target 0.05 was reached (")
    assert study.counts.done < 500
    done = study.counts.done
    again = salvo.minimize(bowl, box, 500, **how)
    assert "already" in again.stopped and again.counts.done == done
    if pool:
        pool.shutdown()


def test_time_and_patience_end_a_run(box):
    def slow(params):
        time.sleep(0.05)
        return bowl(params)

    study = salvo.minimize(slow, box, 100, batch=50, time=0.3, seed=1)
    assert study.stopped == "the time of 0.3 s for a run is over"
    assert 0 < study.counts.done < 50
    study = salvo.minimize(lambda p: 1.0, box, 500, batch=10, patience=20, seed=1)
    assert "last 20 evaluations" in study.stopped and study.counts.done < 100
    assert salvo.minimize(bowl, box, 20, batch=10, time="1 h", seed=1).stopped is None


@pytest.mark.parametrize(("option", "value"), [("time", "soon"), ("time", 0), ("target", float("nan")), ("patience", -1)])
def test_rules_of_stopping_are_checked(box, option, value):
    with pytest.raises(ValueError, match=option):
        salvo.minimize(bowl, box, 10, **{option: value})
