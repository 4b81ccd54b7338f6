import pickle
import threading

import numpy as np
import pytest
import salvo


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = rng.uniform(-5, 5, (300, 2))
    truth = np.sin(X[:, 0]) + 0.1 * X[:, 1] ** 2
    return X, 20 + 4 * truth + rng.normal(0, 0.2, 300)


def test_the_sparse_gp_with_the_data_as_inducing_points_is_the_exact_one(data):
    X, y = data
    exact = salvo.ExactGP().fit(X, y)
    options = {"noise": exact.noise_, "mean": exact.mean_, "fit_hyperparameters": False}
    same = salvo.SparseGP(exact.kernel_, X, **options).fit(X, y)
    grid = np.random.default_rng(1).uniform(-5, 5, (50, 2))
    for a, b in zip(exact.predict(grid, True), same.predict(grid, True)):
        np.testing.assert_allclose(a, b, rtol=1e-3, atol=1e-3)


def test_the_exact_gp_is_the_textbook_formula(data):
    X, y = data[0][:60], data[1][:60]
    kernel = salvo.Matern52(variance=9.0, lengthscales=[2.0, 3.0])
    gp = salvo.ExactGP(kernel, noise=0.5, mean=19.0, fit_hyperparameters=False).fit(X, y)
    grid = np.random.default_rng(1).uniform(-5, 5, (20, 2))
    K, k = kernel(X) + 0.5 * np.eye(60), kernel(grid, X)
    mean = 19 + k @ np.linalg.solve(K, y - 19)
    variance = 9 - np.einsum("ij,ji->i", k, np.linalg.solve(K, k.T))
    found, std = gp.predict(grid, return_std=True)
    np.testing.assert_allclose(found, mean, atol=1e-3)
    np.testing.assert_allclose(std, np.sqrt(variance), atol=1e-3)
    assert (gp.kernel_.variance, gp.noise_, gp.mean_) == pytest.approx((9, 0.5, 19))


@pytest.mark.parametrize("name, formula", [
    ("se", lambda r: np.exp(-(r**2) / 2)),
    ("matern12", lambda r: np.exp(-r)),
    ("matern32", lambda r: (1 + 3**0.5 * r) * np.exp(-(3**0.5) * r)),
    ("matern52", lambda r: (1 + 5**0.5 * r + 5 * r**2 / 3) * np.exp(-(5**0.5) * r)),
])  # fmt: skip
def test_kernels(name, formula):
    rng = np.random.default_rng(0)
    X, Z, scales = rng.random((7, 3)), rng.random((5, 3)), np.array([0.5, 1.0, 2.0])
    r = np.sqrt((((X[:, None] - Z[None]) / scales) ** 2).sum(-1))
    np.testing.assert_allclose(salvo.Kernel(name, 2.0, scales)(X, Z), 2 * formula(r), rtol=1e-10)


def test_units_do_not_matter(data):
    X, y = data
    first = salvo.SparseGP(inducing=50).fit(X, y)
    second = salvo.SparseGP(inducing=50).fit(1000 * X + 7, 1e-6 * y - 3)
    mean, std = first.predict(X[:20], True)
    scaled, scaled_std = second.predict(1000 * X[:20] + 7, True)
    np.testing.assert_allclose(1e6 * (scaled + 3), mean, rtol=1e-3)
    np.testing.assert_allclose(1e6 * scaled_std, std, rtol=0.05)


def test_more_inducing_points_give_a_tighter_bound(data):
    X, y = data
    few, many = (salvo.SparseGP(inducing=m).fit(X, y) for m in (10, 80))
    assert many.bound > few.bound and many.kl_bound < few.kl_bound


def test_noise_is_found(data):
    gp = salvo.SparseGP(inducing=100).fit(*data)
    assert gp.noise_**0.5 == pytest.approx(0.2, rel=0.2)
    assert "converged" in gp.summary_["message"] or "stopped" in gp.summary_["message"]


def test_paths_have_the_posterior_as_their_mean_and_spread(data):
    # Rough enough that the posterior is no sliver of the prior: Fourier features err in proportion to the prior.
    kernel = salvo.Matern52(variance=9.0, lengthscales=[1.0, 1.0])
    gp = salvo.SparseGP(kernel, 60, noise=0.5, mean=20, fit_hyperparameters=False).fit(*data)
    grid = np.random.default_rng(2).uniform(-5, 5, (25, 2))
    mean, std = gp.predict(grid, True)
    count = 2000
    V = gp.sample_paths(count, num_features=2000)(grid)
    assert V.shape == (25, count)
    assert np.abs((V.mean(axis=1) - mean) / std).max() < 6 / count**0.5 + 0.05
    assert np.abs(V.std(axis=1) / std - 1).max() < 0.25


def test_a_path_is_a_function_with_a_gradient(data):
    gp = salvo.SparseGP(inducing=60).fit(*data)
    paths = gp.sample_paths(5, seed=3)
    X = data[0][:4]
    np.testing.assert_allclose(paths[2].value(X), paths.value(X)[:, 2], rtol=1e-6)
    np.testing.assert_array_equal(paths[2](X), paths[2].value(X))
    step = 1e-4
    for j in range(2):
        e = step * np.eye(2)[j]
        numeric = (paths[2](X + e) - paths[2](X - e)) / (2 * step)
        np.testing.assert_allclose(paths[2].gradient(X)[:, j], numeric, rtol=1e-3, atol=1e-3)
    assert paths.gradient(X).shape == (4, 5, 2)
    np.testing.assert_allclose(paths.gradient(X)[:, 2], paths[2].gradient(X), rtol=1e-9)
    assert len(paths[1:4]) == 3 and len(list(paths)) == 5


def test_seeds(data):
    gp = salvo.SparseGP(inducing=20).fit(*data)
    X = data[0][:3]
    np.testing.assert_array_equal(gp.sample_paths(4, seed=1)(X), gp.sample_paths(4, seed=1)(X))
    assert np.abs(gp.sample_paths(4, seed=1)(X) - gp.sample_paths(4, seed=2)(X)).max() > 0


def test_maximisers_beat_random_points(data):
    paths = salvo.SparseGP(inducing=60).fit(*data).sample_paths(8)
    bounds = [(-5, 5), (-4, 2)]
    best = paths.maximize(bounds)
    assert best.shape == (8, 2)
    random = np.random.default_rng(0).uniform([-5, -4], [5, 2], (2000, 2))
    assert (np.diag(paths(best)) >= paths(random).max(axis=0) - 1e-6).all()
    assert (best >= [-5, -4]).all() and (best <= [5, 2]).all()
    one = paths[3].maximize(bounds)
    assert paths[3](one[None])[0] == pytest.approx(paths[3](best[3:4])[0], rel=1e-3)


def test_maximising_over_a_space(space):
    points = space.sample(200, seed=0)
    y = [p["x"] + 3 * (p["method"] == "sgd") - abs(p["layers"] - 4) for p in points]
    paths = salvo.SparseGP(inducing=100).fit(space.encode(points), y).sample_paths(10)
    best = paths.maximize(space)
    assert len(best) == 10 and all(space.check(point) == point for point in best)
    assert np.mean([p["method"] == "sgd" and p["x"] > 3 for p in best]) > 0.7
    taken = space.encode(best)
    again = paths.maximize(space, taken=taken)
    assert not any(point in best for point in again)


@pytest.mark.parametrize("how", ["auto", "coverage", "kmeans", "greedy", "kdpp", "uniform", "sobol", "gradient", "quality"])
def test_choosing_inducing_points(data, how):
    X, y = data
    Z = salvo.choose_inducing(X, y, 25, how=how)
    assert Z.shape == (25, 2) and len(np.unique(Z, axis=0)) == 25
    assert (Z >= X.min(axis=0) - 1e-9).all() and (Z <= X.max(axis=0) + 1e-9).all()


def test_a_model_can_be_pickled_and_used_by_many_threads(data):
    gp = pickle.loads(pickle.dumps(salvo.SparseGP(inducing=40).fit(*data)))
    expected = gp.predict(data[0])
    wrong = []

    def work():
        for _ in range(10):
            if not np.array_equal(gp.predict(data[0]), expected):
                wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@pytest.mark.parametrize("kernel, inputs", [("matern52", 2), ("se", 2), ("se", 3)])  # the last by a Gaussian measure
def test_paths_of_eigenfunctions_are_maximised_where_they_hold(kernel, inputs):
    rng = np.random.default_rng(3)
    X = rng.uniform(-5, 5, (200, inputs))
    gp = salvo.SparseGP(kernel, inducing=60).fit(X, np.cos(X).sum(1) + rng.normal(0, 0.1, 200))
    paths = gp.sample_paths(4, num_features=800, features="eigen")
    bounds = [(-3.0, 4.0)] * inputs
    grid = rng.uniform(-3, 4, (20_000, inputs))
    tops = [path(path.maximize(bounds)[None])[0] for path in paths]
    np.testing.assert_array_less(paths(grid).max(0) - 1e-3, tops)


def test_paths_of_eigenfunctions_say_where_they_do_not_hold(data, recwarn):
    gp = salvo.SparseGP(inducing=50).fit(*data)
    paths = gp.sample_paths(2, features="eigen")
    everywhere = gp.sample_paths(2)
    everywhere([[30.0, 0.0]])
    paths(data[0])
    paths[0].maximize([(-4, 4)] * 2)
    assert not recwarn.list
    for beyond in (
        lambda: paths([[30.0, 0.0]]),
        lambda: paths[0].gradient([[0.0, -9.0]]),
        lambda: paths.maximize([(-4, 4), (-40, 40)]),
    ):
        with pytest.warns(RuntimeWarning, match='box of the fitted data alone.*"fourier"') as told:
            beyond()
        assert told[0].filename == __file__


@pytest.mark.parametrize("array", [
    lambda X: np.asfortranarray(X), lambda X: X[::-1][::-1], lambda X: np.repeat(X, 2, axis=1)[:, ::2],
    lambda X: X.tolist(), lambda X: X.astype(">f8"), lambda X: X.astype(np.longdouble), lambda X: X.astype(object),
])  # fmt: skip
def test_any_layout_gives_the_same_answer(data, array):
    gp = salvo.SparseGP(inducing=20).fit(*data)
    np.testing.assert_allclose(gp.predict(array(data[0])), gp.predict(data[0]), rtol=1e-12)


def test_constant_columns_and_values():
    X = np.column_stack([np.linspace(0, 1, 20), np.full(20, 3.0)])
    gp = salvo.SparseGP().fit(X, np.full(20, 5.0))
    np.testing.assert_allclose(gp.predict(X), 5.0, atol=1e-3)
    assert np.isfinite(salvo.SparseGP().fit([[1.0]], [2.0]).predict([[1.0]])).all()


@pytest.mark.parametrize("call, error, words", [
    (lambda g, X, y: salvo.SparseGP(salvo.Matern32(1, 0.05)).fit(X, y).sample_paths(2, num_features=4, features="eigen"), ValueError, "carry"),
    (lambda g, X, y: salvo.SparseGP("rbf"), ValueError, "matern52"),
    (lambda g, X, y: salvo.SparseGP(5), TypeError, "kernel"),
    (lambda g, X, y: salvo.SparseGP(inducing=0).fit(X, y), ValueError, "inducing"),
    (lambda g, X, y: salvo.SparseGP(inducing=np.zeros((3, 5))).fit(X, y), ValueError, "2 columns"),
    (lambda g, X, y: salvo.SparseGP(selector="best"), ValueError, "kmeans"),
    (lambda g, X, y: salvo.SparseGP(noise=-1), ValueError, "noise"),
    (lambda g, X, y: salvo.SparseGP(fit_options={"speed": 1}), ValueError, "speed"),
    (lambda g, X, y: salvo.SparseGP().fit(X, y[:-1]), ValueError, "rows"),
    (lambda g, X, y: salvo.SparseGP().fit(X, y * np.nan), ValueError, "finite"),
    (lambda g, X, y: salvo.SparseGP().fit(X[:0], y[:0]), ValueError, "at least one row"),
    (lambda g, X, y: salvo.SparseGP().fit(X[0], y), ValueError, "2 dimensions"),
    (lambda g, X, y: salvo.SparseGP().fit(X.astype(complex), y), TypeError, "complex"),
    (lambda g, X, y: salvo.SparseGP().fit([["1", "2"]], [1]), TypeError, "numbers"),
    (lambda g, X, y: salvo.SparseGP().predict(X), RuntimeError, "fit first"),
    (lambda g, X, y: g.predict(X[:, :1]), ValueError, "2 columns"),
    (lambda g, X, y: g.predict(np.full((1, 2), np.inf)), ValueError, "finite"),
    (lambda g, X, y: g.sample_paths(0), ValueError, "count"),
    (lambda g, X, y: g.sample_paths(2**31 - 1), MemoryError, "GB"),
    (lambda g, X, y: g.sample_paths(2, num_features=2**31 - 1), MemoryError, "GB"),
    (lambda g, X, y: g.sample_paths(2, alpha=np.nan), ValueError, "alpha"),
    (lambda g, X, y: g.sample_paths(2)[2], IndexError, "range"),
    (lambda g, X, y: g.sample_paths(2).maximize([(0, 1)]), ValueError, "2 pairs"),
    (lambda g, X, y: g.sample_paths(2).maximize([(0, 1), (1, 0)]), ValueError, "low < high"),
    (lambda g, X, y: g.sample_paths(2).maximize(salvo.Space(a=salvo.Float(0, 1))), ValueError, "coordinates"),
    (lambda g, X, y: g.sample_paths(9).maximize(salvo.Space(a=salvo.Int(0, 1), b=salvo.Int(0, 1))), ValueError, "distinct"),
    (lambda g, X, y: salvo.SE(lengthscales=[1, 2, 3])(X), ValueError, "lengthscales"),
    (lambda g, X, y: salvo.SE(variance=-1)(X), ValueError, "variance"),
    (lambda g, X, y: salvo.choose_inducing(X, y, 0), ValueError, "num_inducing"),
    (lambda g, X, y: salvo.choose_inducing(X, y[:3]), ValueError, "rows"),
    (lambda g, X, y: salvo.ExactGP(max_points=10).fit(X, y), ValueError, "max_points"),
])  # fmt: skip
def test_mistakes(data, call, error, words):
    gp = salvo.SparseGP(inducing=10).fit(*data)
    with pytest.raises(error, match=words):
        call(gp, *data)


def test_arrays_in_order_are_not_copied():
    from salvo import _check

    X = np.random.default_rng(0).random((5, 3))
    assert _check.points("X", X) is X
    assert np.shares_memory(_check.array("y", X[2], 1), X)
    frozen = X.copy()
    frozen.setflags(write=False)
    assert _check.points("X", frozen) is frozen
    gp = salvo.ExactGP().fit(frozen, frozen[:, 0])  # and nothing writes into what it is given
    gp.predict(frozen)
    gp.sample_paths(2)(frozen)
    gp.kernel_(frozen)
