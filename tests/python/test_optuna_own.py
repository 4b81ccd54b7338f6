"""Optuna's own tests of samplers, where this version of it has them, for Salvo's with one direction, several and constraints."""

import functools

import pytest

optuna = pytest.importorskip("optuna")
cases = pytest.importorskip("optuna.testing.pytest_samplers")
from salvo.optuna import SalvoSampler

optuna.logging.set_verbosity(optuna.logging.ERROR)
few = {"seed": 1, "n_startup_trials": 2}


class TestOneDirection(cases.BasicSamplerTestCase):
    @pytest.fixture
    def sampler(self):
        return functools.partial(SalvoSampler, **few)


class TestWithConstraints(cases.BasicSamplerTestCase, cases.MultiObjectiveSamplerTestCase):
    @pytest.fixture
    def sampler(self):
        return functools.partial(SalvoSampler, **few, constraints_func=lambda trial: (-0.5, -0.1))


@pytest.mark.parametrize("directions", [["minimize", "maximize"], ["maximize"] * 3])
def test_any_space_with_several_directions(directions):
    """What BasicSamplerTestCase asks of one direction."""

    def f(trial):
        x = trial.suggest_float("x", 0, 10, step=0.5)
        i = trial.suggest_int("i", 1, 100, log=True)
        c = trial.suggest_categorical("c", ["a", 1, None])
        extra = trial.suggest_float("extra", -1, 1) if c == "a" else 0.0  # only some trials have it
        return [x + extra, i / 10 - x, float(c == 1)][: len(directions)]

    study = optuna.create_study(directions=directions, sampler=SalvoSampler(**few))
    study.optimize(f, n_trials=12)
    assert all(trial.state.is_finished() and trial.values is not None for trial in study.trials)
    again = optuna.create_study(directions=directions, sampler=SalvoSampler(**few))
    again.optimize(f, n_trials=12)
    assert [trial.params for trial in again.trials] == [trial.params for trial in study.trials], "one worker repeats itself"
