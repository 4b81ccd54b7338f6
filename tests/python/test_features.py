"""Features of the prior: their products are the kernel, up to an error that is known."""

import pickle

import numpy as np
import pytest
import salvo

RANDOM = ["auto", "fourier", "fourier-pairs", "orthogonal", "quasi-random"]
KERNELS = ["se", "matern12", "matern32", "matern52"]
X = np.random.default_rng(0).random((20, 2))


@pytest.mark.parametrize("type", RANDOM)
@pytest.mark.parametrize("name", KERNELS)
def test_products_of_random_features_are_the_kernel(type, name):
    kernel = salvo.Kernel(name, 2.0, [0.5, 0.8])
    M = 4000
    phi = salvo.Features(kernel, M, type=type, seed=3)
    F = phi(X)
    assert F.shape == (20, M)
    # An entry is a mean of M bounded terms of variance at most 2 · 2² / M (docs/math.md §2): five deviations.
    assert np.abs(F @ F.T - kernel(X)).max() < 5 * 2 * (2 / M) ** 0.5
    np.testing.assert_allclose(F, (2 * 2 / M) ** 0.5 * np.cos(X @ phi.frequencies.T + phi.phases), atol=1e-9)


def test_pairs_have_the_variance_exactly():
    phi = salvo.Features(salvo.Matern32(1.5, [0.3, 0.3]), 100, type="fourier-pairs")
    np.testing.assert_allclose((phi(X) ** 2).sum(axis=1), 1.5, rtol=1e-9)


@pytest.mark.parametrize("bounds", [None, [(-10, 30), (5, 6)]])
def test_eigenfunctions_carry_the_kernel_over_their_box(bounds):
    low, high = (np.zeros(2), np.ones(2)) if bounds is None else np.array(bounds).T
    kernel = salvo.SE(2.0, 0.4 * (high - low))
    phi = salvo.Features(kernel, 400, type="eigen", box=bounds)
    Y = low + (high - low) * X
    assert phi.captured > 0.999
    np.testing.assert_allclose(phi(Y) @ phi(Y).T, kernel(Y), atol=1e-3 * 2)


def test_seeds_and_pickles():
    make = lambda seed: salvo.Features("matern52", 50, num_inputs=2, seed=seed)
    np.testing.assert_array_equal(make(1)(X), make(1)(X))
    assert np.abs(make(1)(X) - make(2)(X)).max() > 0.01
    for phi in (make(1), salvo.Features("se", 50, type="eigen", num_inputs=2)):
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(phi))(X), phi(X))
    assert "quasi-random" in repr(salvo.Features("se", 5, type="quasi-random", num_inputs=2))


def test_paths_of_every_type_pass_through_the_posterior():
    y = np.sin(5 * X[:, 0])
    gp = salvo.SparseGP(salvo.SE(), inducing=20, noise=1e-4).fit(X, y)
    mean, std = gp.predict(X, return_std=True)
    for type in [*RANDOM, "eigen"]:
        values = gp.sample_paths(200, features=type, num_features=400)(X)
        # Far nearer than the prior's spread: five deviations of a mean of 200, and what the features miss.
        assert np.abs(values.mean(axis=1) - mean).max() < 5 * std.max() / 200**0.5 + 0.02
    assert gp.sample_paths(2, features="orthogonal").maximize([(0, 1), (0, 1)]).shape == (2, 2)


@pytest.mark.parametrize("call, error, words", [
    (lambda: salvo.Features("se"), ValueError, "num_inputs"),
    (lambda: salvo.Features("se", 0, num_inputs=2), ValueError, "num_features"),
    (lambda: salvo.Features("rbf", num_inputs=2), ValueError, "matern52"),
    (lambda: salvo.Features("se", type="wavelets", num_inputs=2), ValueError, "orthogonal"),
    (lambda: salvo.Features(salvo.SE(lengthscales=[1, 1]), num_inputs=3), ValueError, "num_inputs of 3, lengthscales of 2"),
    (lambda: salvo.Features("se", box=[(1, 0)]), ValueError, "low below high"),
    (lambda: salvo.Features("se", box=[(0, 1, 2)]), ValueError, "2 columns"),
    (lambda: salvo.Features("se", type="eigen", num_inputs=50), ValueError, "eigenfunctions"),
    (lambda: salvo.Features("se", type="quasi-random", num_inputs=50_000, num_features=4), ValueError, "orthogonal"),
    (lambda: salvo.Features("se", num_inputs=2)([[1, 2, 3]]), ValueError, "2 columns"),
    (lambda: salvo.Features("se", num_inputs=2)([[1, np.nan]]), ValueError, "finite"),
    (lambda: salvo.Features(salvo.SE(-1.0), num_inputs=2), ValueError, "variance"),
    (lambda: salvo.Features("se", num_inputs=2).captured, AttributeError, "eigen"),
    (lambda: salvo.Features("se", 4, type="eigen", num_inputs=2).phases, AttributeError, "frequencies"),
])  # fmt: skip
def test_mistakes_are_explained(call, error, words):
    with pytest.raises(error, match=words):
        call()
