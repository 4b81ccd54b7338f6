"""What the package says about its types: clean under mypy's strictest rules, for itself and for those who use it."""

import subprocess
import sys
from pathlib import Path

import pytest
import salvo

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """
import numpy as np
import salvo

space = salvo.Space(x=salvo.Float(0, 1), n=salvo.Int(1, 3), c=salvo.Choice(["a", "b"]))
study = salvo.Study(space, direction="maximize", storage=None, seed=1, model={"num_inducing": 100})
model = salvo.ModelOptions(num_inducing="auto", alpha=1.0)
screen = salvo.PoolModelOptions(floor=None)
slow: dict[str, float] = study.trials[0].measured
trials = study.ask(10)
study.tell(trials, [float(trial.id) for trial in trials])
mean: float = study.best.mean
first: salvo.Trial = trials[0]
some: salvo.Trials = trials[1:3]
value: float | None = first.value
done: int = study.counts.done
study = salvo.minimize(lambda params: float(params["x"]), space, evaluations=10, batch=5)
gp = salvo.SparseGP(salvo.Matern52(), inducing=10).fit(np.zeros((3, 2)), np.zeros(3))
path: salvo.Path = gp.sample_paths(3)[0]
phi = salvo.Features("se", 100, num_inputs=2)
pool: salvo.Pool = salvo.Pool.from_csv("library.csv", features=["a"])
"""
MISTAKES = """
import salvo

salvo.Float("a", 1)
salvo.ModelOptions(near_share="half")
salvo.ModelOptions(kernels="se")
study = salvo.Study({"x": salvo.Float(0, 1)}, seeds=1)
text: str = study.best.mean
study.best.mean = 3.0
"""


@pytest.fixture
def mypy(tmp_path):
    """mypy in a folder with nothing but the package: beside others, as pip installs it, it would look at those as well."""
    pytest.importorskip("mypy")
    folder = tmp_path / "only"
    folder.mkdir()
    (folder / "salvo").symlink_to(Path(salvo.__file__).parent)
    command = [sys.executable, "-m", "mypy", "--config-file", str(ROOT / "pyproject.toml"), "--cache-dir", str(ROOT / "build/mypy")]
    return lambda *arguments: subprocess.run([*command, *map(str, arguments)], capture_output=True, text=True, cwd=folder)


def test_the_package_is_clean(mypy):
    done = mypy("-p", "salvo")
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_program_that_is_right_and_one_that_is_not(tmp_path, mypy):
    right, wrong = tmp_path / "right.py", tmp_path / "wrong.py"
    right.write_text(PROGRAM)
    wrong.write_text(MISTAKES)
    done = mypy(right)
    assert done.returncode == 0, done.stdout + done.stderr
    found = [line for line in mypy(wrong).stdout.splitlines() if line.startswith(str(wrong)) or "wrong.py" in line]
    assert len([line for line in found if "error:" in line]) == 6, found


def test_the_reference_is_current():
    """docs/python-api.md says what the package says."""
    pytest.importorskip("optuna")
    pytest.importorskip("sklearn")
    done = subprocess.run([sys.executable, ROOT / "scripts/python_reference.py", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
