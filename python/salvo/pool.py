"""Libraries of candidates: fixed sets to choose from, each candidate with an id and features."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _check, _core
from .gp import _units
from .smiles import fingerprints, write_library

Self = TypeVar("Self", bound="PoolGP")
Rows = NDArray[np.int64]


class Pool(Sequence[str]):
    """A sequence of candidates, by their ids: fingerprints of bits, or numbers. It never changes.

    Made by from_numpy, from_smiles or from_csv, or opened from a file that `save` or the command `salvo pool` wrote, which is mapped
    into memory and not read: many processes share one copy.
    """

    def __init__(self, core: _core.Pool) -> None:
        if not isinstance(core, _core.Pool):
            raise TypeError("Pool: expected Pool.open, Pool.from_numpy, Pool.from_smiles or Pool.from_csv")
        self._core = core

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Pool:
        """A pool in a file; StoreError (an OSError) when it is missing, damaged or no pool."""
        return cls(_core.Pool.open(_path(path)))

    @classmethod
    def from_numpy(
        cls, X: ArrayLike, ids: Any = None, *, columns: Sequence[str] | None = None, packed: bool = False
    ) -> Pool:
        """Rows of X as candidates: of bools as fingerprints, of other numbers as they are (kept as 32-bit floats).

        packed: rows of uint8 are bits, as numpy.packbits makes them. ids: one for each row, distinct; None numbers them
        from 1. columns: names of the numbers; a pandas or polars frame brings its own.
        """
        if columns is None and hasattr(X, "columns"):
            columns = [str(name) for name in X.columns]
        given = np.asarray(X.detach().cpu() if _check.is_tensor(X) else X)  # type: ignore[union-attr]
        if given.ndim != 2 or 0 in given.shape:
            raise ValueError(f"X: expected rows and columns, got shape {given.shape}")
        names = _ids(ids, len(given))
        if packed:
            if given.dtype != np.uint8:
                raise TypeError(f"X: expected packed bits as uint8, got {given.dtype}")
            return cls(_core.Pool.from_bits(_words(np.unpackbits(given, axis=1)), 8 * given.shape[1], names))
        if given.dtype.kind == "b":
            return cls(_core.Pool.from_bits(_words(given), given.shape[1], names))
        numbers = _check.points("X", X)
        with np.errstate(over="ignore"):
            floats = np.ascontiguousarray(numbers, dtype=np.float32)
        if not np.isfinite(floats).all():
            raise ValueError("X: expected numbers that fit into 32-bit floats, got one too large")
        listed = [f"x{i}" for i in range(1, given.shape[1] + 1)] if columns is None else [_check.text("columns", c) for c in columns]
        if len(listed) != given.shape[1]:
            raise ValueError(f"columns: expected {given.shape[1]} names, got {len(listed)}")
        return cls(_core.Pool.from_numbers(floats, listed, names))

    @classmethod
    def from_smiles(
        cls, smiles: Sequence[str], ids: Any = None, *, radius: int = 3, num_bits: int = 512, skip_bad: bool = False
    ) -> Pool:
        """Molecules by their Morgan fingerprints, made by your own rdkit. ids: their SMILES when there are none.

        skip_bad: leaves out SMILES that cannot be read, instead of ValueError that names the first.
        """
        if isinstance(smiles, (str, bytes)):
            raise TypeError("smiles: expected a sequence of texts, got one text")
        texts = [_check.text("smiles", text) for text in smiles]
        names = texts if ids is None else _ids(ids, len(texts))
        rows, kept = [], []
        for number, (name, row) in enumerate(zip(names, fingerprints(texts, radius, num_bits)), 1):
            if row is not None:
                rows.append(_words(row[None])[0])
                kept.append(name)
            elif not skip_bad:
                raise ValueError(f"smiles: row {number} cannot be read: {texts[number - 1]!r}. skip_bad=True leaves such rows out")
        if not rows:
            raise ValueError("smiles: expected at least one that can be read, got none")
        return cls(_core.Pool.from_bits(np.array(rows), num_bits, kept))

    @classmethod
    def from_csv(
        cls,
        path: str | os.PathLike[str],
        *,
        features: Sequence[str] | None = None,
        smiles: str | None = None,
        hex: str | None = None,
        id: str | None = None,
        keep: Sequence[str] = (),
        radius: int = 3,
        num_bits: int | None = None,
        skip_bad: bool = False,
        save: str | os.PathLike[str] | None = None,
    ) -> Pool:
        """A library in a CSV file with a header, plain or as .gz. Rows with equal features are one candidate with several ids.

        features: columns of numbers; every column whose first cell is a number when neither smiles nor hex is given.
        smiles: the column of SMILES, made into Morgan fingerprints of radius and num_bits (512) by your own rdkit.
        hex: the column of fingerprints in hexadecimal, the low bit of each byte first.
        id: the column of ids; "id" if there is one, else the SMILES, else the number of the row.
        keep: columns kept as text, for `text`. The SMILES are kept anyway.
        skip_bad: leaves out SMILES that cannot be read, instead of ValueError that names the line of the first.
        save: the pool file to write and to open; without it the pool is in memory alone.
        """
        library, target = _path(path), "" if save is None else _path(save)
        if save is not None and not target:
            raise ValueError("save: expected a path, got an empty text")
        if sum(given is not None for given in (features, smiles, hex)) > 1:
            raise ValueError("from_csv: expected one of features, smiles and hex, got several")
        if isinstance(features, (str, bytes)) or isinstance(keep, (str, bytes)):
            raise TypeError("features, keep: expected sequences of names, got one text")
        numbers = [] if features is None else [_check.text("features", name) for name in features]
        if features is not None and not numbers:
            raise ValueError("features: expected at least one name, got none")
        texts = [_check.text("keep", name) for name in keep]
        name = "" if id is None else _check.text("id", id)
        os.stat(library)  # FileNotFoundError and its like are Python's own
        if smiles is not None:
            _check.text("smiles", smiles)
            with tempfile.TemporaryDirectory(prefix="salvo-") as folder:
                made = os.path.join(folder, "library.csv")
                bits = 512 if num_bits is None else num_bits
                written = write_library(library, made, smiles, name, texts, radius, bits, skip_bad)
                return cls(_core.Pool.read(made, library, written.hex, [], written.id, written.keep, bits, target))
        if num_bits is not None and features is not None:
            raise ValueError("num_bits: expected smiles or hex with it, got features")
        bits = 0 if num_bits is None else _check.whole("num_bits", num_bits, 1, 1 << 20)
        column = "" if hex is None else _check.text("hex", hex)
        return cls(_core.Pool.read(library, library, column, numbers, name, texts, bits, target))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a pool file, whole or not at all."""
        self._core.save(_path(path))

    def __len__(self) -> int:
        return self._core.size

    def __getitem__(self, index: Any) -> Any:
        """The id of a row, or the ids of some."""
        found = range(len(self))[index]
        rows = np.array([found] if isinstance(found, int) else found, dtype=np.int64)
        ids = self._core.ids(rows)
        return ids[0] if isinstance(found, int) else ids

    def __iter__(self) -> Iterator[str]:
        for begin in range(0, len(self), 10_000):
            yield from self[begin : begin + 10_000]

    def __contains__(self, id: object) -> bool:
        return isinstance(id, str) and self._core.find(id) >= 0

    def index(self, id: Any, *_: Any) -> int:
        """The row of an id; ValueError when none has it."""
        row = self._core.find(_check.text("id", id))
        if row < 0:
            raise ValueError(f"id: no candidate has {id!r}")
        return row

    def rows(self, ids: Any) -> Rows:
        """The rows of ids, or of what are rows already."""
        return _rows(self, ids)

    def to_numpy(self) -> Any:
        """[N, d] numbers as they lie in memory, read only and not copied; of fingerprints [N, bits] bools, a copy."""
        stored: Any = self._core.features()
        if self.kind == "numbers":
            return stored
        _check.require_memory("The bits", self.num_features / 8 * len(self))
        return np.unpackbits(stored.view(np.uint8), axis=1, count=self.num_features, bitorder="little").astype(bool)

    def ids(self, index: int) -> list[str]:
        """All ids of a row: several when rows of the library had equal features."""
        return self._core.all_ids(_check.whole("index", index, 0, len(self) - 1))

    def text(self, column: str) -> list[str]:
        """A column of the library that was kept as text, row by row; text_columns has the names."""
        return self._core.text(_check.text("column", column))

    @property
    def text_columns(self) -> list[str]:
        return self._core.texts

    @property
    def kind(self) -> str:
        """"bits" or "numbers"."""
        return self._core.kind

    @property
    def num_features(self) -> int:
        return self._core.num_features

    @property
    def columns(self) -> list[str]:
        """Names of the numbers."""
        return self._core.columns

    @property
    def checksum(self) -> str:
        return self._core.checksum

    def __repr__(self) -> str:
        return f"Pool({len(self)} candidates, {self.num_features} {self.kind})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pool) and self.checksum == other.checksum

    def __hash__(self) -> int:
        return hash(self.checksum)

    def __reduce__(self) -> tuple[Any, ...]:
        if not self._core.path:
            raise TypeError("Pool: one in memory cannot be pickled. Save it and open the file")
        return (Pool.open, (os.path.abspath(self._core.path),))


class PoolGP:
    """A sparse Gaussian process over the candidates of a pool, and batches from it by Thompson sampling.

    kernel: "tanimoto" or "arccosine" over bits, "matern52", "matern32", "matern12" or "se" over numbers; None takes the
        first that suits the pool.
    inducing: how many observed candidates the model keeps; "auto": 500 to 2000, the fewer the more candidates there are.
    selector: "uniform", "greedy" or "leaders".
    subset: candidates looked at for each sample, drawn anew each time; 0: all.
    floor: values below it count as it, in standard deviations above the mean of those given to fit. A study over a pool has 0.5:
        what is not well above average need not be told apart, and the best are then found sooner. None, as here: all count.
    """

    def __init__(
        self,
        pool: Pool,
        kernel: str | None = None,
        inducing: int | str = "auto",
        *,
        selector: str = "uniform",
        num_features: int = 1000,
        alpha: float = 0.1,
        subset: int = 0,
        floor: float | None = None,
        seed: int = 0,
    ) -> None:
        if not isinstance(pool, Pool):
            raise TypeError(f"pool: expected a salvo.Pool, got {type(pool).__name__}")
        self.pool = pool
        self.seed = _check.seed_of(seed)
        _check.size("inducing", inducing, 100_000)
        if _check.text("selector", selector) not in _core.pool_selectors():
            raise ValueError(f"selector: expected one of {', '.join(_core.pool_selectors())}; got {selector!r}")
        self._options = {
            "inducing": selector, "num_inducing": inducing, "num_features": num_features, "alpha": alpha, "subset": subset, "floor": floor
        }  # fmt: skip
        if kernel is not None:
            self._options["kernel"] = kernel
        _core.check_pool_model(pool._core, self._options)
        self._model: _core.PoolModel | None = None

    def fit(self: Self, candidates: Any, values: ArrayLike) -> Self:
        """Learns from candidates (ids or rows) and their values; larger is better."""
        rows, y = _rows(self.pool, candidates), _check.array("values", values, 1)
        if len(rows) != len(y):
            raise ValueError(f"fit: {len(rows)} candidates but {len(y)} values")
        if len(rows) == 0:
            raise ValueError("fit: expected at least one candidate, got none")
        if not np.isfinite(y).all():
            raise ValueError("values: expected finite numbers, got NaN or infinity")
        centre, scale = _units(y)
        self._model = _core.fit_pool(self.pool._core, self._options, rows, (y - centre) / scale, self.seed)
        self._centre, self._scale, self._seen = centre, scale, np.unique(rows)
        return self

    def choose(self, count: int = 1, *, taken: Any = (), seed: int | None = None) -> list[str]:
        """Ids of the next batch: for each the best of its own sample. None that was fitted, none in taken, no two alike.

        Fewer than asked for when fewer are left. Without a seed the samples are of the model's and of the number of candidates
        known: another batch has others.
        """
        model = self._fitted()
        out = np.union1d(self._seen, _rows(self.pool, taken)).astype(np.int64)
        seed = (self.seed + _check.SPREAD * len(self._seen)) % 2**64 if seed is None else _check.seed_of(seed)
        rows, _ = model.choose(_check.whole("count", count, 1, 1_000_000), out, seed)
        return list(self.pool._core.ids(rows))

    def predict(self, candidates: Any, return_std: bool = False) -> Any:
        """The mean at candidates (ids or rows); with return_std also the standard deviation, without the noise."""
        mean, variance = self._fitted().predict(_rows(self.pool, candidates))
        mean = self._centre + self._scale * mean
        return (mean, self._scale * np.sqrt(variance)) if return_std else mean

    def _fitted(self) -> _core.PoolModel:
        if self._model is None:
            raise RuntimeError("PoolGP: not fitted yet. Call fit first")
        return self._model


def _path(path: str | os.PathLike[str]) -> str:
    out = os.fspath(path)
    if not isinstance(out, str):
        raise TypeError(f"path: expected a path, got {type(path).__name__}")
    return out


def _ids(ids: Any, count: int) -> list[str]:
    if ids is None:
        return []
    if isinstance(ids, (str, bytes)):
        raise TypeError("ids: expected a sequence of texts or whole numbers, got one text")
    names = [str(id) if isinstance(id, (int, np.integer)) else _check.text("ids", id) for id in ids]
    if len(names) != count:
        raise ValueError(f"ids: expected {count}, one for each row, got {len(names)}")
    return names


def _rows(pool: Pool, candidates: Any) -> Rows:
    """Rows of the pool from ids, which are texts, or rows, which are whole numbers."""
    if isinstance(candidates, (str, bytes)):
        raise TypeError("candidates: expected a sequence of ids or rows, got one text")
    if isinstance(candidates, np.ndarray) and candidates.dtype.kind in "iu" and candidates.ndim == 1:
        listed: list[Any] = candidates.tolist()
    else:
        try:
            listed = list(candidates)
        except TypeError:
            raise TypeError(f"candidates: expected a sequence of ids or rows, got {type(candidates).__name__}") from None
    size = len(pool)
    return np.array(
        [pool.index(one) if isinstance(one, str) else _check.whole("candidates: row", one, 0, size - 1) for one in listed],
        dtype=np.int64,
    )


def _words(bits: Any) -> NDArray[np.uint64]:
    """[N, ⌈bits/64⌉]: bit j of a row is bit j mod 64 of word j div 64."""
    packed = np.packbits(bits, axis=1, bitorder="little")
    padded = np.zeros((len(packed), -(-packed.shape[1] // 8) * 8), dtype=np.uint8)
    padded[:, : packed.shape[1]] = packed
    return padded.view("<u8").astype(np.uint64, copy=False)
