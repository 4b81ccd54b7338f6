"""Optuna's TPE and Gaussian-process samplers as they come, in memory. Recommends study.best_params, the best value seen."""

import warnings

import optuna
from optuna.distributions import FloatDistribution
from optuna.trial import create_trial

optuna.logging.set_verbosity(optuna.logging.WARNING)
warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)


class Optuna:
    def __init__(self, num_dims, batch, sampler):
        self.space = {f"x{i}": FloatDistribution(0, 1) for i in range(num_dims)}
        self.batch = batch
        self.study = optuna.create_study(sampler=sampler)
        self.asked = None

    def ask(self):
        self.asked = [self.study.ask(self.space) for _ in range(self.batch)]
        return [[trial.params[name] for name in self.space] for trial in self.asked]

    def tell(self, U, y):
        if self.asked is None:
            for row, value in zip(U.tolist(), y.tolist()):
                self.study.add_trial(create_trial(params=dict(zip(self.space, row)), distributions=self.space, value=value))
        else:
            for trial, value in zip(self.asked, y.tolist()):
                self.study.tell(trial, value)

    def recommend(self):
        return [self.study.best_params[name] for name in self.space]


def make(num_dims, batch, seed, variant):
    if variant == "gp":
        return Optuna(num_dims, batch, optuna.samplers.GPSampler(seed=seed, deterministic_objective=False))
    return Optuna(num_dims, batch, optuna.samplers.TPESampler(seed=seed, constant_liar=True))
