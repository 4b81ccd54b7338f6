"""Pools from CSV files."""

import gzip
import pickle

import numpy as np
import pytest
import salvo

NUMBERS = "name,mass,size,note\na,1,2.5,first\nb,3,4,\"x, y\"\nc,1,2.5,again\n"


def write(tmp_path, text, name="library.csv"):
    path = tmp_path / name
    path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    return path


@pytest.mark.parametrize("name", ["library.csv", "library.csv.gz"])
def test_numbers(tmp_path, name):
    path = write(tmp_path, NUMBERS, name)
    pool = salvo.Pool.from_csv(path, id="name", keep=["note"])
    assert (len(pool), pool.kind, pool.columns) == (2, "numbers", ["mass", "size"])
    np.testing.assert_array_equal(pool.to_numpy(), [[1, 2.5], [3, 4]])
    assert list(pool) == ["a", "b"] and pool.ids(0) == ["a", "c"] and pool.index("c") == 0  # rows alike are one candidate
    assert pool.text_columns == ["note"] and pool.text("note") == ["first", "x, y"]
    assert salvo.Pool.from_csv(path, features=["size"]).columns == ["size"]
    assert salvo.Pool.from_csv(path, features=["size"])[1] == "2"  # no column of ids: numbers of the rows


def test_a_pool_without_a_file_is_in_memory_and_one_with_a_file_in_it(tmp_path, monkeypatch):
    library = write(tmp_path, NUMBERS)
    kept = tmp_path / "tmp"
    kept.mkdir()
    monkeypatch.setenv("TMPDIR", str(kept))
    pool = salvo.Pool.from_csv(library, id="name")
    assert not list(kept.iterdir()) and pool.to_numpy().shape == (2, 2)
    with pytest.raises(TypeError, match="Save it"):
        pickle.dumps(pool)
    saved = salvo.Pool.from_csv(library, id="name", save=tmp_path / "a.pool")
    assert saved == pool == salvo.Pool.open(tmp_path / "a.pool") == pickle.loads(pickle.dumps(saved))
    study = salvo.minimize(lambda params: float(params["candidate"] == "a"), pool, evaluations=9, batch=1)
    assert study.best.params == {"candidate": "b"}


def test_fingerprints_in_hexadecimal(tmp_path):
    bits = np.random.default_rng(0).random((5, 20)) < 0.5
    digits = [np.packbits(row, bitorder="little").tobytes().hex() for row in bits]
    path = write(tmp_path, "id,fp\n" + "".join(f"m{i},{text}\n" for i, text in enumerate(digits)))
    pool = salvo.Pool.from_csv(path, hex="fp", num_bits=20)
    np.testing.assert_array_equal(pool.to_numpy(), bits)
    assert list(pool) == [f"m{i}" for i in range(5)]


SMILES = 'id,SMILES,price\na,CCO,3\nb,c1ccccc1,4\nc,OCC,5\n'


@pytest.mark.parametrize("name", ["library.csv", "library.csv.gz"])
def test_smiles(tmp_path, name):
    pytest.importorskip("rdkit")
    path = write(tmp_path, "\ufeff" + SMILES.replace("\n", "\r\n"), name)
    pool = salvo.Pool.from_csv(path, smiles="SMILES", keep=["price"], radius=2, num_bits=256)
    np.testing.assert_array_equal(pool.to_numpy(), salvo.Pool.from_smiles(["CCO", "c1ccccc1"], radius=2, num_bits=256).to_numpy())
    assert list(pool) == ["a", "b"] and pool.ids(0) == ["a", "c"]  # CCO and OCC are one molecule
    assert pool.text("SMILES") == ["CCO", "c1ccccc1"] and pool.text("price") == ["3", "4"]
    by_smiles = salvo.Pool.from_csv(path, smiles="SMILES", id="SMILES", save=tmp_path / "s.pool")
    assert list(by_smiles) == ["CCO", "c1ccccc1"] and by_smiles.num_features == 512


def test_smiles_that_cannot_be_read(tmp_path):
    pytest.importorskip("rdkit")
    path = write(tmp_path, "smiles\nCCO\nnonsense\nCCN\n")
    with pytest.raises(ValueError, match=r"library.csv:3: smiles: cannot be read: 'nonsense'"):
        salvo.Pool.from_csv(path, smiles="smiles")
    assert list(salvo.Pool.from_csv(path, smiles="smiles", skip_bad=True)) == ["CCO", "CCN"]


BAD = [
    ("", {}, ValueError, "library.csv"),
    ("a,b\n", {}, ValueError, "library.csv"),
    ("a,a\n1,2\n", {}, ValueError, "library.csv"),
    ("a,b\n1\n", {}, ValueError, "library.csv:2"),
    ("a,b\n1,x\n", {"features": ["b"]}, ValueError, r'library.csv:2: b: expected a finite number, got "x"'),
    ("a,b\n1,nan\n", {"features": ["b"]}, ValueError, "finite"),
    ("a,b\n1,2\n", {"features": ["c"]}, ValueError, 'library.csv: features: there is no column "c"'),
    ("a,b\nx,y\n", {}, ValueError, "say smiles=COLUMN, hex=COLUMN or features=A,B"),
    ("a,Smiles\n1,CC\n", {}, ValueError, "say smiles=Smiles for fingerprints of it, or features=A,B"),
    ("a,b\n1,2\n", {"features": "a"}, TypeError, "sequences of names"),
    ("a,b\n1,2\n", {"features": []}, ValueError, "at least one name"),
    ("a,b\n1,2\n", {"features": ["a"], "hex": "b"}, ValueError, "one of features, smiles and hex"),
    ("a,b\n1,2\n", {"features": ["a"], "num_bits": 8}, ValueError, "num_bits"),
    ("a,b\n1,2\n", {"save": ""}, ValueError, "save"),
    ("a,b\n1,2\n", {"id": 3}, TypeError, "id"),
    ("a,b\n1,zz\n", {"hex": "b"}, ValueError, "hexadecimal"),
    ("id,b\nx,1\nx,2\n", {}, ValueError, "x"),
    ('a,b\n1,"2\n', {}, ValueError, "library.csv"),
    ("a\0b\n1\n", {}, ValueError, "library.csv"),
]
BAD_SMILES = [
    ("", {}, ValueError, "library.csv: expected a header"),
    ("smiles\n", {}, ValueError, "at least one SMILES"),
    ("a\nCC\n", {}, ValueError, "library.csv: smiles: there is no column 'smiles'. There are: a"),
    ("smiles,b\nCC\n", {}, ValueError, "library.csv:2: expected 2 cells, got 1"),
    ("smiles,smiles\nCC,CC\n", {}, ValueError, "distinct names"),
    ("smiles,id\nCC,\n", {}, ValueError, "library.csv:2: expected an id"),
    ("smiles,id\nCC,x\n\nCO,x\n", {}, ValueError, 'library.csv:4: the id "x" is also in line 2, with other features'),
    ('smiles,id\nCN,"y\nz"\n?,bad\nCC,x\nCO,x\n', {"skip_bad": True}, ValueError, 'library.csv:6: the id "x" is also in line 5,'),
    ('smiles,b\nCC,"\n', {}, ValueError, "library.csv"),
    ("smiles\nCC\n", {"num_bits": 4}, ValueError, "num_bits"),
    ("smiles\nCC\n", {"radius": -1}, ValueError, "radius"),
    ("smiles\nCC\n", {"keep": ["z"]}, ValueError, "keep: there is no column 'z'"),
]  # fmt: skip


@pytest.mark.parametrize("text, options, error, words", BAD + [(t, {"smiles": "smiles", **o}, e, w) for t, o, e, w in BAD_SMILES])
def test_mistakes_are_explained(tmp_path, text, options, error, words):
    if "smiles" in options:
        pytest.importorskip("rdkit")
    path = write(tmp_path, text)
    with pytest.raises(error, match=words):
        salvo.Pool.from_csv(path, **options)


def test_files_that_are_none(tmp_path):
    for options in ({}, {"smiles": "smiles"}):
        with pytest.raises(FileNotFoundError):
            salvo.Pool.from_csv(tmp_path / "missing.csv", **options)
    (tmp_path / "cut.csv.gz").write_bytes(gzip.compress(b"smiles\n" + b"CC\n" * 10000)[:-20])
    (tmp_path / "not.csv.gz").write_bytes(b"smiles\nCC\n")
    (tmp_path / "latin.csv").write_bytes(b"smiles,b\nCC,\xe9\n")
    for name in ("cut.csv.gz", "not.csv.gz", "latin.csv"):
        for options in ({}, {"smiles": "smiles"}):
            if options:
                pytest.importorskip("rdkit")
            with pytest.raises((OSError, ValueError, RuntimeError), match=name):
                salvo.Pool.from_csv(tmp_path / name, **options)
