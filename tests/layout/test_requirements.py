#!/usr/bin/env python3
"""What the tests take from PyPI is pinned by version and hash, all of it: scripts/lock_python was run."""

import pathlib
import re
import unittest

LISTS = pathlib.Path(__file__).resolve().parents[1] / "python" / "requirements"


def named(text: str) -> set[str]:
    names = re.findall(r"^([A-Za-z0-9][A-Za-z0-9._-]*)", text, re.MULTILINE)
    return {re.sub(r"[._-]+", "-", name).lower() for name in names}


class Requirements(unittest.TestCase):
    def test_every_list_is_locked(self):
        for path in sorted(LISTS.glob("*.txt")):
            with self.subTest(path=path.name):
                self.assertLessEqual(named(path.read_text()), named((LISTS / "locked" / path.name).read_text()))

    def test_every_version_has_its_hashes_and_is_the_same_everywhere(self):
        versions: dict[str, str] = {}
        for path in sorted((LISTS / "locked").glob("*.txt")):
            for entry in re.split(r"\n(?=\S)", path.read_text().strip()):
                with self.subTest(path=path.name, entry=entry.partition("\n")[0]):
                    self.assertRegex(entry, r"^\S+==\S+")
                    self.assertIn("--hash=sha256:", entry)
                    name, _, rest = entry.partition("\n")
                    key = re.sub(r"==\S+", "", name)
                    self.assertEqual(versions.setdefault(key, name), name)


if __name__ == "__main__":
    unittest.main()
