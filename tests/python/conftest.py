import importlib.util
import os
from pathlib import Path

import numpy as np
import pytest
import salvo

os.environ.setdefault("HYPOTHESIS_STORAGE_DIRECTORY", str(Path(__file__).parents[2] / "build/hypothesis"))
IMPORT_NAMES = {"scikit-learn": "sklearn", "mpich": "mpi4py"}


def pytest_configure():
    """Tests skip what needs a package that is not installed. Under ./test none of those it installs may be missing."""
    if os.environ.get("SALVO_TEST_PEERS") != "required":
        return
    for line in (Path(__file__).parent / "requirements/test.txt").read_text().splitlines():
        name = line.split("#")[0].split(">")[0].strip()
        if name and importlib.util.find_spec(IMPORT_NAMES.get(name, name)) is None:
            raise pytest.UsageError(f"{name} is not installed, and SALVO_TEST_PEERS=required says it must be")


@pytest.fixture
def space():
    return salvo.Space(
        x=salvo.Float(-5, 5),
        rate=salvo.Float(1e-5, 1e-1, log=True),
        layers=salvo.Int(1, 8),
        method=salvo.Choice(["adam", "sgd"]),
        size=salvo.Ordinal([16, 32, 64]),
        unit=salvo.Fixed("kg"),
    )


@pytest.fixture
def objective():
    """Lowest, at 0, for x = 1, rate = 1e-3, layers = 3, method = adam."""

    def f(params):
        return (
            (params["x"] - 1) ** 2
            + (np.log10(params["rate"]) + 3) ** 2
            + (params["layers"] - 3) ** 2 / 4
            + (params["method"] == "sgd")
        )

    return f


@pytest.fixture
def box():
    return salvo.Space(a=salvo.Float(0, 1), b=salvo.Float(0, 1))
