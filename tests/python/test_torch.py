"""Tensors in, tensors out. What needs torch itself runs where it is installed: SALVO_TEST_TORCH=1 tests/python/run."""

import subprocess
import sys

import numpy as np
import pytest
import salvo
import salvo.botorch


class Tensor:
    """What Salvo asks of a tensor, and no more: of floats, on a device."""

    requires_grad = False

    def __init__(self, numbers, dtype=np.float32, device="gpu"):
        self.numbers, self.dtype, self.device = np.array(numbers, dtype=dtype), dtype, device
        self.ndim, self.shape = self.numbers.ndim, self.numbers.shape

    def detach(self):
        return self

    def cpu(self):
        return self.numbers

    def is_floating_point(self):
        return np.issubdtype(self.dtype, np.floating)

    def double(self):
        return Tensor(self.numbers, np.float64, self.device)

    def new_tensor(self, numbers):
        return Tensor(numbers, self.dtype, self.device)


@pytest.fixture(params=["likeness", "torch"])
def tensor(request):
    if request.param == "likeness":
        return Tensor
    torch = pytest.importorskip("torch")
    return lambda numbers: torch.tensor(np.asarray(numbers), dtype=torch.float32)


def back(made, tensor):
    assert type(made) is type(tensor([0.0])) and made.dtype == tensor([0.0]).dtype
    return np.asarray(made.detach().cpu())


@pytest.fixture(scope="module")
def data():
    X = np.random.default_rng(0).random((40, 2))
    return X, -((X - 0.4) ** 2).sum(axis=1)


def test_a_tensor_gives_tensors(tensor, data):
    X, y = data
    gp = salvo.SparseGP(inducing=20).fit(tensor(X), tensor(y))
    given = tensor(X[:5])
    plain = np.asarray(given.detach().cpu(), dtype=float)
    for made, wanted in zip(gp.predict(given, return_std=True), gp.predict(plain, return_std=True)):
        np.testing.assert_allclose(back(made, tensor), wanted, rtol=1e-5, atol=1e-6)
    paths = gp.sample_paths(3)
    for call in (paths, paths.gradient, paths[1], paths[1].gradient, gp.kernel_, salvo.Features("se", 20, num_inputs=2)):
        np.testing.assert_allclose(back(call(given), tensor), call(plain), rtol=1e-4, atol=1e-5)
    assert back(paths.maximize(tensor([[0, 1], [0, 1]])), tensor).shape == (3, 2)


def test_whole_numbers_give_doubles(data):
    gp = salvo.SparseGP(inducing=20).fit(*data)
    assert gp.predict(Tensor([[0, 1]], np.int64)).dtype == np.float64


def test_trials_become_tensors(box, tensor):
    trials = salvo.Study(box, direction="minimize").ask(4)
    np.testing.assert_allclose(back(trials.to_torch(like=tensor([0.0])), tensor), trials.to_numpy(), rtol=1e-6)
    with pytest.raises(TypeError, match="torch tensor"):
        trials.to_torch(like=np.zeros(1))


def test_candidates_in_botorchs_shapes(tensor, data):
    X, y = data
    bounds, pending = tensor([[0, 0], [1, 1]]), tensor([[0.4, 0.4]])
    batch = back(salvo.botorch.candidates(tensor(X), tensor(y[:, None]), bounds, 10, X_pending=pending), tensor)
    assert batch.shape == (10, 2) and len(np.unique(batch, axis=0)) == 10
    assert (batch >= 0).all() and (batch <= 1).all() and np.median(np.abs(batch - 0.4)) < 0.1
    sparse = salvo.botorch.candidates(X, y, [[0, 0], [1, 1]], 10, inducing=10)
    assert isinstance(sparse, np.ndarray) and np.median(np.abs(sparse - 0.4)) < 0.1


@pytest.mark.parametrize("change, words", [
    ({"bounds": [[0, 1], [0, 1], [0, 1]]}, "lower ends above upper"),
    ({"train_Y": np.zeros((40, 2))}, "one outcome"),
    ({"train_Y": np.zeros(39)}, "39"),
    ({"q": 0}, "count"),
    ({"X_pending": [[0.5]]}, "2 columns"),
])  # fmt: skip
def test_mistakes_are_explained(data, change, words):
    with pytest.raises(ValueError, match=words):
        salvo.botorch.candidates(**{"train_X": data[0], "train_Y": data[1], "bounds": [[0, 0], [1, 1]], "q": 2, **change})


def test_torch_is_no_dependency():
    code = "import sys; sys.modules['torch'] = None; import salvo.botorch"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_path_has_the_gradient_that_autograd_wants(data):
    torch = pytest.importorskip("torch")
    path = salvo.SparseGP(inducing=20).fit(*data).sample_paths(2)
    X = torch.rand(5, 2, dtype=torch.float64, requires_grad=True)
    path(X).sum().backward()
    np.testing.assert_allclose(X.grad.numpy(), path.gradient(X).sum(axis=1).numpy(), rtol=1e-12)
    torch.testing.assert_close(path(X), path(X.detach()), rtol=1e-12, atol=1e-12)
    assert torch.autograd.gradcheck(path[0], X.detach().requires_grad_(), eps=1e-5, atol=1e-4)


def test_a_path_is_an_objective_for_botorch(data):
    pytest.importorskip("botorch")
    import torch
    from botorch.optim import optimize_acqf

    path = salvo.SparseGP(inducing=20).fit(*data).sample_paths(1)[0]
    bounds = torch.tensor([[0.0, 0.0], [1.0, 1.0]], dtype=torch.float64)
    found, value = optimize_acqf(lambda X: path(X[:, 0]), bounds, q=1, num_restarts=4, raw_samples=64)
    best = path.maximize(bounds.T)
    assert value.item() == pytest.approx(path(best[None]).item(), abs=1e-3)
