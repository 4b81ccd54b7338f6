"""The comparison on several outputs, experiments/outputs: its problems are Salvo's, as far as one output shows it (its own
--check compares all of them), and it judges as salvo bench does."""

import importlib.util
import math
from pathlib import Path

import numpy as np
import pytest
import salvo

BENCH = Path(__file__).resolve().parents[2] / "experiments/outputs"


@pytest.fixture(scope="module")
def problems():
    spec = importlib.util.spec_from_file_location("outputs_problems", BENCH / "problems.py")  # experiments/peers has a problems, too
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_its_problems_are_salvos(problems):
    for name, mine in (problems.PROBLEMS | problems.MORE).items():
        problem = salvo.problem(name)
        X = mine.point(np.random.default_rng(0).random((20, mine.dim)))
        names = list(problem.space)
        points = [dict(zip(names, row)) for row in X.tolist()]
        for point in points:
            point.update({names[j]: int(point[names[j]]) for j in mine.whole})
        several = len(problem.outputs) > 1
        values = [list(problem(point).values()) if several else [problem(point)] for point in points]
        np.testing.assert_allclose(mine.outputs(X), values, rtol=1e-9, atol=1e-9)
        bounds = [(domain.low, domain.high) for domain in problem.space.values()]
        np.testing.assert_array_equal(bounds, np.stack([mine.low, mine.high], 1))
        assert problem.optimum == pytest.approx(mine.optimum, rel=1e-9, nan_ok=True)
        assert mine.outputs(X).shape[1] == mine.objectives + len(mine.bounds)
        assert math.isnan(mine.optimum) == (mine.objectives > 1)


def test_a_bound_may_be_missed_by_a_millionth_of_itself_and_one_of_0_by_nothing(problems):
    vessel = problems.PROBLEMS["pressure_vessel"]  # thickness ≤ 0, twice, volume ≥ 1,296,000, length ≤ 240
    good = [1e9, 0.0, 0.0, 1296000 * (1 - 0.9e-6), 240 * (1 + 0.9e-6)]
    bad = [[1, 1e-300, 0, 2e6, 1], [1, 0, 0, 1296000 * (1 - 1.1e-6), 1], [1, 0, 0, 2e6, 240 * (1 + 1.1e-6)]]
    assert vessel.allowed(np.array([good, *bad])).tolist() == [True, False, False, False]
