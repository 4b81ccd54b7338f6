"""Runs on real executors of other makers: a local Dask cluster, mpi4py under mpirun, Ray where it is installed."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import salvo


def make_bowl():
    """A function of its own, so that it travels to the workers by value: they cannot import this file."""

    def bowl(params):
        if params["n"] == 5:
            raise ValueError("five")
        return (params["a"] - 0.3) ** 2 + abs(params["n"] - 2)

    return bowl


SPACE = {"a": salvo.Float(0, 1), "n": salvo.Int(0, 5)}


def check(study):
    assert study.counts.pending == 0 and study.counts.done + study.counts.failed == 60
    assert study.best.params["n"] == 2 and study.best.params["a"] == pytest.approx(0.3, abs=0.1)
    for trial in study.trials:
        assert (trial.state == "failed") == (trial.params["n"] == 5)
        assert trial.state == "done" or "ValueError: five" in trial.error


def test_dask():
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            check(salvo.minimize(make_bowl(), SPACE, 60, batch=12, executor=client.get_executor(), seed=1))


def test_mpi(tmp_path):
    pytest.importorskip("mpi4py")
    beside = Path(sys.executable).parent / "mpirun"
    mpirun = str(beside) if beside.exists() else shutil.which("mpirun")
    if mpirun is None:
        pytest.skip("no mpirun")
    script = tmp_path / "script.py"
    script.write_text(
        f"""
import sys
sys.path.insert(0, {str(Path(__file__).resolve().parent)!r})
from test_clusters import SPACE, check, make_bowl

bowl = make_bowl()

def f(params):
    return bowl(params)

if __name__ == "__main__":
    import salvo
    from mpi4py.futures import MPIPoolExecutor

    with MPIPoolExecutor() as pool:
        check(salvo.minimize(f, SPACE, 60, batch=12, executor=pool, seed=1))
    print("well done")
"""
    )
    command = [mpirun, "-n", "3", sys.executable, "-m", "mpi4py.futures", str(script)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert "well done" in done.stdout, done.stderr


@pytest.fixture
def ray():
    ray = pytest.importorskip("ray")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, ignore_reinit_error=True)
    yield ray
    ray.shutdown()


def test_ray(ray):
    from salvo.ray import RayExecutor

    with RayExecutor({"num_cpus": 0.5}) as executor:
        check(salvo.minimize(make_bowl(), SPACE, 60, batch=12, executor=executor, seed=1))
        assert executor.submit(pow, 2, 10).result() == 1024
        with pytest.raises(ZeroDivisionError):
            executor.submit(divmod, 1, 0).result()
        assert list(executor.map(abs, [-1, -2])) == [1, 2]
    with pytest.raises(RuntimeError, match="shutdown"):
        executor.submit(pow, 2, 10)
    assert ray.is_initialized()


def test_ray_tasks_that_nobody_waits_for(ray, tmp_path):
    import time

    from salvo.ray import RayExecutor

    executor = RayExecutor({"num_cpus": 2})
    futures = [executor.submit(time.sleep, 0.5) for _ in range(4)]
    begin = time.monotonic()
    executor.shutdown(cancel_futures=True)
    assert all(future.cancelled() or future.done() for future in futures)
    assert time.monotonic() - begin < 60

    def stop(study, trial):
        raise salvo.Stop

    with RayExecutor() as again:
        study = salvo.minimize(make_bowl(), SPACE, 60, batch=12, executor=again, seed=1, callbacks=stop)
    assert study.counts.total <= 24


def test_ray_that_is_not_installed():
    script = "import sys; sys.modules['ray'] = None\nfrom salvo.ray import RayExecutor\nRayExecutor()"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert "ImportError: RayExecutor needs ray: pip install ray" in done.stderr
