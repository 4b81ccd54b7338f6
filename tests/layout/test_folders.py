#!/usr/bin/env python3
"""The arrows between the folders of src/, types included: what a file may include is what its folder links.

The linker finds a call in the wrong direction; a type that lives in a header alone it does not. So: `#include "b/…"` in
src/a needs b among the folders that the line salvo_folder(a …) of CMakeLists.txt names, or that those name. Programs over the
library (app, python) see the public headers, their own and text. Public headers are the standard library's, and Eigen's where
there are matrices.
"""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
INCLUDE = re.compile(r'^\s*#include\s+([<"])([^>"]+)[>"]', re.MULTILINE)
WITHOUT_EIGEN = {
    "study.h", "options.h", "model_options.h", "trial.h", "output.h", "space.h", "fields.h", "rules.h", "kinds.h", "names.h",
    "method.h", "mistakes.h", "pool.h", "records.h", "study_file.h", "run.h", "run_policy.h", "stopping.h", "error.h", "threads.h",
    "check.h",
}  # fmt: skip


def includes(path: pathlib.Path) -> list[tuple[bool, str]]:
    """(in quotes, name) of every include."""
    return [(mark == '"', name) for mark, name in INCLUDE.findall(path.read_text())]


def sources(folder: pathlib.Path) -> list[pathlib.Path]:
    return sorted(path for path in folder.rglob("*") if path.suffix in (".h", ".cpp"))


def folders() -> dict[str, set[str]]:
    """Each folder of src/ with all that it may use, itself included."""
    direct = {}
    for line in re.findall(r"^salvo_folder\(([^)]*)\)", (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE):
        name, *uses = line.split()
        direct[name] = {use.removeprefix("salvo_") for use in uses if use.startswith("salvo_")}
    reached = {}
    for name, uses in direct.items():  # a folder stands below those that it uses
        reached[name] = {name}.union(*(reached[use] for use in uses if use in direct))
    return reached


class Folders(unittest.TestCase):
    def test_every_folder_has_its_line(self):
        self.assertEqual(set(folders()), {path.name for path in (ROOT / "src").iterdir() if path.is_dir()})

    def test_includes_follow_the_arrows(self):
        for folder, may_use in folders().items():
            for path in sources(ROOT / "src" / folder):
                for quoted, name in includes(path):
                    with self.subTest(path=str(path.relative_to(ROOT)), include=name):
                        if quoted:
                            self.assertIn(name.partition("/")[0], may_use, "its line in CMakeLists.txt does not link it")
                            self.assertTrue((ROOT / "src" / name).exists(), "no such header of src/")
                        elif name.startswith("salvo/"):
                            self.assertTrue((ROOT / "include" / name).exists(), "no such public header")

    def test_programs_see_the_public_headers_their_own_and_text(self):
        for program, own in (("app", ROOT / "app"), ("python", ROOT / "python" / "src")):
            for path in sources(ROOT / program):
                for quoted, name in includes(path):
                    if not quoted:
                        continue
                    with self.subTest(path=str(path.relative_to(ROOT)), include=name):
                        is_own = (own / name).exists() or (path.parent / name).exists()
                        self.assertTrue(is_own or name.startswith("text/"), "neither its own nor of text/")


class PublicHeaders(unittest.TestCase):
    def reached(self, header: str) -> set[str]:
        """All that a public header includes, and what that includes."""
        found, waiting = set(), [header]
        while waiting:
            for _, name in includes(ROOT / "include" / "salvo" / waiting.pop()):
                if name not in found:
                    found.add(name)
                    if name.startswith("salvo/"):
                        waiting.append(name.removeprefix("salvo/"))
        return found

    def test_use_the_standard_library_eigen_and_each_other(self):
        for path in sources(ROOT / "include"):
            for quoted, name in includes(path):
                with self.subTest(path=path.name, include=name):
                    self.assertFalse(quoted, "a public header is included as <salvo/…>")
                    if name.startswith("salvo/"):
                        self.assertTrue((ROOT / "include" / name).exists(), "no such public header")
                    elif name.startswith("Eigen/"):
                        self.assertEqual(path.name, "matrix.h", "Eigen comes by matrix.h")
                    else:
                        self.assertNotIn("/", name, "neither the standard library's nor ours")

    def test_of_studies_do_without_eigen(self):
        for header in sorted(WITHOUT_EIGEN):
            with self.subTest(header=header):
                self.assertNotIn("salvo/matrix.h", self.reached(header))


if __name__ == "__main__":
    unittest.main()
