#!/usr/bin/env python3
"""Compresses a text with given settings of xz's filter and prints what that cost.

    python3 compress.py --dict-log 23 --lc 3 --lp 0 --pb 2 --nice 64 --finder bt4 --depth 0 [FILE]

The value is log(bytes) + 0.1 log(seconds): twice the time must save 7% of the bytes. Without a FILE the text is the sources of
Python's own standard library, about half a megabyte of them.
"""
import argparse
import json
import lzma
import math
import pathlib
import time

FINDERS = {"hc3": lzma.MF_HC3, "hc4": lzma.MF_HC4, "bt2": lzma.MF_BT2, "bt3": lzma.MF_BT3, "bt4": lzma.MF_BT4}


def sample():
    library = pathlib.Path(json.__file__).parent.parent
    texts = [path.read_bytes() for path in sorted(library.glob("*.py"))[:25]]
    return b"".join(texts)[: 1 << 19]


def main():
    parser = argparse.ArgumentParser(description="Compress with given settings of xz's filter.")
    for name in ("dict-log", "lc", "lp", "pb", "nice", "depth"):
        parser.add_argument(f"--{name}", type=int, required=True)
    parser.add_argument("--finder", choices=FINDERS, required=True)
    parser.add_argument("file", nargs="?", type=pathlib.Path)
    given = parser.parse_args()
    text = given.file.read_bytes() if given.file else sample()
    settings = {
        "id": lzma.FILTER_LZMA2, "dict_size": 1 << given.dict_log, "lc": given.lc, "lp": given.lp, "pb": given.pb,
        "mode": lzma.MODE_NORMAL, "nice_len": given.nice, "mf": FINDERS[given.finder], "depth": given.depth,
    }
    began = time.process_time()
    try:
        size = len(lzma.compress(text, format=lzma.FORMAT_XZ, filters=[settings]))
    except lzma.LZMAError as error:
        raise SystemExit(f"xz refuses these settings: {error}")
    seconds = time.process_time() - began
    value = math.log(size) + 0.1 * math.log(max(seconds, 1e-3))
    print(json.dumps({"value": value, "bytes": size, "seconds": seconds}))


if __name__ == "__main__":
    main()
