import numpy as np
import pytest

pytest.importorskip("sklearn")
import salvo
from sklearn.model_selection import GridSearchCV
from sklearn.utils.estimator_checks import check_estimator


@pytest.mark.filterwarnings("ignore:Skipping check")  # of arrays that are not NumPy's
def test_scikit_learns_own_checks_pass():
    results = check_estimator(salvo.SparseGPRegressor(), on_fail=None)
    assert len(results) > 40
    assert [r["check_name"] for r in results if r["status"] not in ("passed", "skipped")] == []


def test_grid_search():
    rng = np.random.default_rng(0)
    X = rng.random((150, 1))
    y = np.sin(10 * X[:, 0]) + rng.normal(0, 0.05, 150)
    search = GridSearchCV(salvo.SparseGPRegressor(random_state=0), {"num_inducing": [2, 30], "kernel": ["se", "matern52"]}, cv=2)
    assert search.fit(X, y).best_params_["num_inducing"] == 30
    assert search.best_score_ > 0.95
