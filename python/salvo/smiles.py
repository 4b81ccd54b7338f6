"""Molecules from SMILES, by the user's own rdkit."""

from __future__ import annotations

import csv
import gzip
import zlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import _check

Bits = NDArray[np.uint8]


def fingerprints(texts: Iterable[str], radius: Any, num_bits: Any) -> Iterator[Bits | None]:
    """Morgan fingerprints [num_bits], one for each SMILES; None for one that cannot be read."""
    radius, num_bits = _check.whole("radius", radius, 0, 20), _check.whole("num_bits", num_bits, 8, 1 << 20)
    chem, base, generators = _rdkit()
    generator = generators.GetMorganGenerator(radius=radius, fpSize=num_bits)
    with base.BlockLogs():  # the caller names the bad ones
        for text in texts:
            molecule = chem.MolFromSmiles(text)
            known = molecule is not None and molecule.GetNumAtoms() > 0
            yield generator.GetFingerprintAsNumPy(molecule) if known else None


class Library(NamedTuple):
    """A library with fingerprints that was made of one with SMILES: what its columns are."""

    hex: str
    id: str
    keep: list[str]


def write_library(
    path: str, into: str, smiles: str, id: str, keep: Sequence[str], radius: Any, num_bits: Any, skip_bad: bool
) -> Library:
    """A library of SMILES as one of fingerprints in hexadecimal, which Salvo's own reader takes from there.

    Every row begins in the line that it had, after empty ones where need be, so that what is said of lines holds for both."""
    rows = _rows(path)
    _, header = next(rows)
    name = id or ("id" if "id" in header else smiles)
    kept = list(dict.fromkeys([smiles, *keep]))
    for option, column in (("smiles", smiles), ("id", name), *(("keep", column) for column in keep)):
        if column not in header:
            raise ValueError(f"{path}: {option}: there is no column {column!r}. There are: {', '.join(header)}")
    written = list(dict.fromkeys([name, *kept]))
    at, taken = header.index(smiles), [header.index(column) for column in written]
    hex = f"Morgan fingerprints of radius {radius} by rdkit {_rdkit()[1].rdkitVersion}"
    while hex in header:
        hex += "'"
    next_line, count = 2 + sum(column.count("\n") for column in written), 0
    with open(into, "w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow([hex, *written])
        for chunk in _chunks(rows, 4096):
            for (line, cells), bits in zip(chunk, fingerprints([cells[at] for _, cells in chunk], radius, num_bits)):
                if bits is None and not skip_bad:
                    raise ValueError(f"{path}:{line}: {smiles}: cannot be read: {cells[at]!r}. skip_bad=True leaves such rows out")
                if bits is not None:
                    file.write("\n" * (line - next_line))
                    out.writerow([np.packbits(bits, bitorder="little").tobytes().hex(), *(cells[i] for i in taken)])
                    next_line = line + 1 + sum(cells[i].count("\n") for i in taken)
                    count += 1
    if not count:
        raise ValueError(f"{path}: expected at least one SMILES that can be read, got none. Is {smiles!r} the right column?")
    return Library(hex, name, kept)


def _rdkit() -> tuple[Any, Any, Any]:
    modules = [_check.need("A library of SMILES", f"rdkit.{name}") for name in ("Chem", "rdBase", "Chem.rdFingerprintGenerator")]
    return modules[0], modules[1], modules[2]


def _rows(path: str) -> Iterator[tuple[int, list[str]]]:
    """The header and the rows of a CSV file, each with its line; ValueError that names the line of what is wrong."""
    opened: Any = gzip.open if path.endswith(".gz") else open
    line = 0
    try:
        with opened(path, "rt", encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file, strict=True)
            header: list[str] | None = None
            for cells in reader:
                begin, line = line + 1, reader.line_num
                if not cells:
                    continue
                if header is None:
                    header = cells
                    if len(set(header)) < len(header) or "" in header:
                        raise ValueError(f"{path}:{begin}: expected distinct names of columns, got {', '.join(header)}")
                elif len(cells) != len(header):
                    raise ValueError(f"{path}:{begin}: expected {len(header)} cells, got {len(cells)}")
                if any("\0" in cell for cell in cells):
                    raise ValueError(f"{path}:{begin}: expected text, got a NUL byte")
                yield begin, cells
    except csv.Error as error:
        raise ValueError(f"{path}:{line + 1}: {error}") from None
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: after line {line}: expected text in UTF-8, got other bytes ({error.reason})") from None
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise OSError(f"{path}: {error}") from None
    if header is None:
        raise ValueError(f"{path}: expected a header, got an empty file")


def _chunks(rows: Iterator[Any], size: int) -> Iterator[list[Any]]:
    chunk: list[Any] = []
    for row in rows:
        chunk.append(row)
        if len(chunk) == size:
            yield chunk
            chunk = []
    if chunk:
        yield chunk
