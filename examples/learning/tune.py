#!/usr/bin/env python3
"""Hyperparameters of scikit-learn's gradient boosting, by five-fold cross-validation on several processes.

    python3 tune.py                                  60 evaluations, kept in learning.db: run it again and it goes on
    python3 tune.py --evaluations 100 --workers 4

Needs scikit-learn beside Salvo.
"""
import argparse
import concurrent.futures
import warnings

import salvo
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.model_selection import StratifiedKFold, cross_val_score

SPACE = salvo.Space(
    learning_rate=salvo.Float(0.01, 1.0, log=True),
    max_iter=salvo.Int(10, 200, log=True),
    max_leaf_nodes=salvo.Int(3, 64, log=True),
    min_samples_leaf=salvo.Int(1, 60),
    l2_regularization=salvo.Float(1e-6, 10.0, log=True),
    max_features=salvo.Float(0.2, 1.0),
)
GUESS = {"learning_rate": 0.1, "max_iter": 100, "max_leaf_nodes": 31, "min_samples_leaf": 20, "l2_regularization": 1e-6, "max_features": 1.0}


def loss(params):
    """The mean log loss of five folds, always the same ones."""
    X, y = load_breast_cancer(return_X_y=True)
    model = HistGradientBoostingClassifier(random_state=0, **params)
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return -cross_val_score(model, X, y, cv=folds, scoring="neg_log_loss").mean()


def main():
    parser = argparse.ArgumentParser(description="Tune gradient boosting with Salvo.")
    parser.add_argument("--evaluations", type=int, default=60)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--storage", default="learning.db")
    given = parser.parse_args()
    options = {"storage": given.storage, "seed": 1, "batch": given.workers}
    with salvo.Study(SPACE, direction="minimize", **options) as study:
        study.enqueue(GUESS)  # what the library would take by itself; left out when it was tried before
    with concurrent.futures.ProcessPoolExecutor(given.workers) as pool:
        study = salvo.minimize(loss, SPACE, evaluations=given.evaluations, executor=pool, **options)
    print(f"by itself     {study.trials[0].value:.4f}")
    print(f"recommended   {study.best.trial.value:.4f}  {study.best.params}")


if __name__ == "__main__":
    main()
