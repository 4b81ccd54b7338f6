import pickle

import numpy as np
import pytest
import salvo


@pytest.fixture(scope="module")
def bits():
    return np.random.default_rng(0).random((300, 70)) < 0.3


@pytest.fixture(scope="module")
def pool(bits):
    return salvo.Pool.from_numpy(bits, [f"c{i}" for i in range(300)])


def test_bits_come_back_as_they_went_in(pool, bits):
    assert (len(pool), pool.kind, pool.num_features) == (300, "bits", 70)
    np.testing.assert_array_equal(pool.to_numpy(), bits)
    packed = salvo.Pool.from_numpy(np.packbits(bits[:, :64], axis=1), packed=True)
    np.testing.assert_array_equal(packed.to_numpy(), bits[:, :64])


def test_a_pool_is_a_sequence_of_ids(pool):
    assert pool[0] == "c0" and pool[-1] == "c299" and pool[2:4] == ["c2", "c3"] and list(pool)[7] == "c7"
    assert "c5" in pool and "nobody" not in pool and 5 not in pool and pool.index("c5") == 5
    assert pool.rows(["c3", 1]).tolist() == [3, 1]
    assert salvo.Pool.from_numpy(np.eye(3, dtype=bool))[1] == "2"
    with pytest.raises(IndexError):
        pool[300]


@pytest.mark.parametrize("make", [np.asarray, lambda X: X.astype(">f4"), lambda X: np.asfortranarray(X), lambda X: X.tolist()])
def test_numbers_of_any_layout(make):
    X = np.random.default_rng(1).random((20, 3)).astype(np.float32)
    pool = salvo.Pool.from_numpy(make(X), columns=["a", "b", "c"])
    np.testing.assert_array_equal(pool.to_numpy(), X)
    assert pool.columns == ["a", "b", "c"]


def test_numbers_are_looked_at_where_they_lie():
    pool = salvo.Pool.from_numpy(np.random.default_rng(1).random((20, 3)))
    first, second = pool.to_numpy(), pool.to_numpy()
    assert np.shares_memory(first, second) and not first.flags.writeable
    kept = first.copy()
    del pool
    np.testing.assert_array_equal(second, kept)  # the array keeps the pool


def test_frames_bring_their_names():
    for library in ("pandas", "polars"):
        frame = pytest.importorskip(library).DataFrame({"mass": [1.0, 2.0], "size": [3.0, 4.5]})
        pool = salvo.Pool.from_numpy(frame, ids=[10, 20])
        assert pool.columns == ["mass", "size"] and list(pool) == ["10", "20"] and pool.to_numpy()[1, 1] == 4.5


def test_files(tmp_path, pool):
    path = tmp_path / "a.pool"
    pool.save(path)
    opened = salvo.Pool.open(path)
    assert opened == pool and list(opened) == list(pool)
    assert pickle.loads(pickle.dumps(opened)) == pool
    with pytest.raises(TypeError, match="Save it"):
        pickle.dumps(pool)
    path.write_bytes(path.read_bytes()[:-7])
    with pytest.raises(salvo.StoreError, match="a.pool"):
        salvo.Pool.open(path)
    with pytest.raises(OSError, match="missing"):
        salvo.Pool.open(tmp_path / "missing.pool")


@pytest.mark.parametrize("kernel", ["arccosine", "tanimoto"])
def test_a_model_finds_the_best_of_a_library(pool, bits, kernel):
    values = bits[:, :10].sum(axis=1).astype(float)
    known = list(range(40))
    for step in range(4):
        gp = salvo.PoolGP(pool, kernel, inducing=100, seed=step).fit(known, values[known])
        batch = gp.choose(20)
        assert len(set(batch)) == 20 and not set(pool.rows(batch)) & set(known)
        known += pool.rows(batch).tolist()
    assert values[known].max() == values.max()
    mean, std = gp.predict(list(pool), return_std=True)
    assert np.corrcoef(mean, values)[0, 1] > 0.7 and (std > 0).all()


def test_a_model_of_numbers_in_any_units():
    X = np.random.default_rng(1).uniform(-5, 5, (400, 2))
    pool = salvo.Pool.from_numpy(X)
    truth = 1e6 * np.sin(pool.to_numpy()[:, 0])
    gp = salvo.PoolGP(pool).fit(np.arange(200), truth[:200])
    assert np.abs(gp.predict(np.arange(200, 400)) - truth[200:]).max() < 1e5
    assert gp.choose(5) == gp.choose(5) != gp.choose(5, seed=1)
    taken = gp.choose(5)
    assert not set(taken) & set(gp.choose(5, taken=taken))


def test_a_pool_runs_out():
    pool = salvo.Pool.from_numpy(np.arange(6.0)[:, None])
    gp = salvo.PoolGP(pool).fit([0, 1], [0.0, 1.0])
    assert sorted(gp.choose(10, taken=["3"])) == ["4", "5", "6"]


def test_smiles():
    pytest.importorskip("rdkit")
    smiles = ["CCO", "c1ccccc1", "CC(=O)O", "CCN"]
    pool = salvo.Pool.from_smiles(smiles)
    assert list(pool) == smiles and (pool.kind, pool.num_features) == ("bits", 512)
    from rdkit.Chem import MolFromSmiles, rdFingerprintGenerator

    morgan = rdFingerprintGenerator.GetMorganGenerator(radius=3, fpSize=512)
    for row, text in zip(pool.to_numpy(), smiles):
        np.testing.assert_array_equal(row, morgan.GetFingerprintAsNumPy(MolFromSmiles(text)))
    with pytest.raises(ValueError, match="row 2.*nonsense"):
        salvo.Pool.from_smiles(["CCO", "nonsense"])
    assert list(salvo.Pool.from_smiles(["CCO", "nonsense", "CCN"], ids=["a", "b", "c"], skip_bad=True)) == ["a", "c"]


@pytest.mark.parametrize("call, error, words", [
    (lambda p: salvo.Pool.from_numpy([1, 2]), ValueError, "shape"),
    (lambda p: salvo.Pool.from_numpy(np.empty((0, 3))), ValueError, "shape"),
    (lambda p: salvo.Pool.from_numpy([[np.nan]]), ValueError, "finite"),
    (lambda p: salvo.Pool.from_numpy([[1e300]]), ValueError, "32-bit"),
    (lambda p: salvo.Pool.from_numpy([["a"]]), TypeError, "numbers"),
    (lambda p: salvo.Pool.from_numpy([[1.0], [2.0]], ids=["a", "a"]), ValueError, "a"),
    (lambda p: salvo.Pool.from_numpy([[1.0], [2.0]], ids=["a"]), ValueError, "ids: expected 2"),
    (lambda p: salvo.Pool.from_numpy([[1.0]], ids="a"), TypeError, "ids"),
    (lambda p: salvo.Pool.from_numpy([[1.0]], columns=["a", "b"]), ValueError, "columns"),
    (lambda p: salvo.Pool.from_numpy([[1.0]], packed=True), TypeError, "uint8"),
    (lambda p: salvo.Pool.from_smiles("CCO"), TypeError, "sequence"),
    (lambda p: salvo.Pool(3), TypeError, "Pool.open"),
    (lambda p: p.index("nobody"), ValueError, "nobody"),
    (lambda p: p.rows([300]), ValueError, "0 to 299"),
    (lambda p: p.rows([1.5]), TypeError, "whole number"),
    (lambda p: salvo.PoolGP(p, "matern52").fit([0, 1], [0, 1]), ValueError, "matern52"),
    (lambda p: salvo.PoolGP(p, "rbf"), ValueError, "tanimoto"),
    (lambda p: salvo.PoolGP(p, alpha="much"), TypeError, "^alpha: expected a finite number ≥ 0, got str$"),
    (lambda p: salvo.PoolGP(p, inducing=0), ValueError, "inducing"),
    (lambda p: salvo.PoolGP(p, selector="magic"), ValueError, "^selector: .*leaders"),
    (lambda p: salvo.PoolGP(p).fit([0, 1], [0]), ValueError, "2 candidates but 1"),
    (lambda p: salvo.PoolGP(p).fit([], []), ValueError, "at least one"),
    (lambda p: salvo.PoolGP(p).fit([0], [np.inf]), ValueError, "finite"),
    (lambda p: salvo.PoolGP(p).choose(1), RuntimeError, "not fitted"),
    (lambda p: salvo.PoolGP("x"), TypeError, "salvo.Pool"),
])  # fmt: skip
def test_mistakes_are_explained(pool, call, error, words):
    if "from_smiles" in call.__code__.co_names:
        pytest.importorskip("rdkit")
    with pytest.raises(error, match=words):
        call(pool)


def test_a_study_over_a_pool(tmp_path, pool, bits):
    values = dict(zip(pool, bits[:, :10].sum(axis=1).astype(float)))
    file, path = tmp_path / "a.pool", tmp_path / "s.db"
    pool.save(file)
    study = salvo.Study(salvo.Pool.open(file), direction="maximize", storage=path, batch=40, model={"kernel": "tanimoto"})
    for _ in range(3):
        trials = study.ask(40)
        study.tell(trials, [values[trial["candidate"]] for trial in trials])
    assert len({trial["candidate"] for trial in study.trials}) == 120
    assert study.best.params["candidate"] in pool and study.observed_best.value >= sorted(values.values())[-10]
    mean, std = study.predict([{"candidate": "c1"}])
    assert np.isfinite(mean).all() and (std >= 0).all()
    kept = study.options
    study.close()
    again = salvo.Study(salvo.Pool.open(file), direction="maximize", storage=path)
    assert again.options == kept and again.pool == pool and kept["model"]["kernel"] == "tanimoto"
    opened = salvo.Study.open(path)
    assert opened.space == again.space and opened.counts.done == 120
    assert kept["model"]["floor"] == 0.5 and kept["model"]["refit_growth"] == 0.02
    again.close(), opened.close()
    changed = salvo.Study(salvo.Pool.open(file), storage=path, model={"floor": None, "refit_growth": 0.1})
    assert changed.options["model"] == {**kept["model"], "floor": None, "refit_growth": 0.1}
    changed.close()
    whole = salvo.Study(salvo.Pool.open(file), storage=path, model=salvo.PoolModelOptions(alpha=0.3))
    assert whole.options["model"] == {**kept["model"], "alpha": 0.3}


def test_a_study_over_a_pool_in_memory_goes_on_with_the_same_pool(tmp_path, pool, bits):
    path = tmp_path / "s.db"
    with salvo.Study(pool, direction="maximize", storage=path, batch=20) as study:
        first = study.ask(20)
        study.tell(first, np.arange(20.0))
        with pytest.raises(TypeError, match="ids"):
            first.to_numpy()
    with salvo.Study(pool, storage=path) as again:
        assert again.direction == "maximize" and again.options["batch"] == 20 and again.counts.done == 20
        assert not {t["candidate"] for t in again.ask(20)} & {t["candidate"] for t in first}
    with pytest.raises(OSError, match="changed"):
        salvo.Study(salvo.Pool.from_numpy(~bits), direction="maximize", storage=path)


def test_a_pool_is_searched_for_several_outputs(tmp_path):
    side = np.arange(400.0)
    pool = salvo.Pool.from_numpy(np.stack([side % 20, side // 20], axis=1))
    outputs = {"gain": "maximize", "save": salvo.Objective("maximize", reference=2), "load": salvo.Constraint(max=20)}

    def values(trials):
        at = np.array([int(trial["candidate"]) for trial in trials])
        return {"gain": at % 20, "save": at // 20, "load": at % 20 + at // 20}

    with salvo.Study(pool, outputs=outputs, storage=tmp_path / "s.db", batch=10, seed=2) as study:
        for _ in range(6):
            trials = study.ask(10)
            study.tell(trials, values(trials))
    with salvo.Study(pool, storage=tmp_path / "s.db") as again:
        front = again.front()
        assert len(front) > 2 and front.hypervolume > 0
        assert all(sum(divmod(int(point.params["candidate"]), 20)) <= 20 and point.outputs["save"].mean > 2 for point in front)
        best = again.recommend({"gain": 1.0})
        assert best.outputs["gain"].mean == max(point.outputs["gain"].mean for point in front)
        assert not {t["candidate"] for t in again.ask(10)} & {t["candidate"] for t in again.trials if t.state != "pending"}


def test_rounds_draw_samples_of_their_own(pool):
    model = salvo.PoolGP(pool, alpha=1.0).fit(range(20), np.arange(20.0))
    assert model.choose(20) == model.choose(20)
    later = salvo.PoolGP(pool, alpha=1.0).fit(range(21), [*np.arange(20.0), 9.5])
    assert len(set(model.choose(20, taken=[20])) & set(later.choose(20))) < 18


def test_a_run_over_a_pool_ends_when_it_is_used_up():
    pool = salvo.Pool.from_numpy(np.arange(12.0)[:, None])
    study = salvo.minimize(lambda params: float(params["candidate"]), pool, evaluations=100, batch=5)
    assert study.counts.done == 12 and study.best.params == {"candidate": "1"}


def test_a_candidate_with_two_values_takes_no_others_place(tmp_path):
    pool = salvo.Pool.from_numpy(np.arange(12.0)[:, None])
    with salvo.Study(pool, direction="minimize", storage=tmp_path / "s.db") as study:
        study.add([{"candidate": "3"}] * 4, [1.0, 2.0, 3.0, 2.0])
    study = salvo.minimize(lambda params: float(params["candidate"]), pool, 100, batch=5, storage=tmp_path / "s.db")
    assert {trial["candidate"] for trial in study.trials} == set(pool) and study.counts.done == 15


def test_mistakes_in_a_study_over_a_pool(pool):
    study = salvo.Study(pool, direction="minimize", batch=5)
    trials = study.ask(5)
    study.tell(trials, np.arange(5.0))
    for call, error in [
        (lambda: study.add([{"candidate": "nobody"}], [1.0]), ValueError),
        (lambda: study.add([{"candidate": 3}], [1.0]), (ValueError, TypeError)),
        (lambda: study.space.encode([{"candidate": "c1"}]), ValueError),
        (lambda: study.space.sample(2), ValueError),
        (lambda: study.importance(), ValueError),
        (lambda: salvo.Study(pool, direction="minimize", model={"kernels": "se"}), ValueError),
        (lambda: salvo.Study(pool, direction="minimize", model={"kernel": "matern52"}), ValueError),
        (lambda: salvo.Study(pool, direction="minimize", model=salvo.ModelOptions()), TypeError),
        (lambda: salvo.Study(pool, direction="minimize", model={"refit_growth": -1}), ValueError),
        (lambda: salvo.Study(pool, direction="minimize", model={"floor": "none"}), TypeError),
        (lambda: salvo.Study(pool, direction="minimize", initial="sobol"), ValueError),
        (lambda: salvo.Study(pool), TypeError),
    ]:
        with pytest.raises(error):
            call()
