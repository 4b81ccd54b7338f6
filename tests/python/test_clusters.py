"""Runs on real executors of other makers: a local Dask cluster, mpi4py under mpirun."""

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
