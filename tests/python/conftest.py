import numpy as np
import pytest
import salvo


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
