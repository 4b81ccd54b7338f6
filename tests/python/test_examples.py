"""The jobs of examples/ that need packages of Python's, in small."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def run(*words, cwd, **more):
    done = subprocess.run([str(word) for word in words], cwd=cwd, capture_output=True, text=True, timeout=120, **more)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_learning(tmp_path):
    pytest.importorskip("sklearn")
    program = ROOT / "examples" / "learning" / "tune.py"
    for evaluations in (4, 6):  # the second call goes on
        said = run(sys.executable, program, "--evaluations", evaluations, cwd=tmp_path)
    assert "by itself" in said and "recommended" in said


def test_molecules(tmp_path):
    """Eight of the library's molecules; the command is that of the page."""
    pytest.importorskip("rdkit")
    folder = tmp_path / "molecules"
    shutil.copytree(ROOT / "examples" / "molecules", folder)
    library = run(sys.executable, "library.py", cwd=folder).splitlines()
    assert len(library) == len({line.split()[1] for line in library}) == 10000
    scores = {}
    for line in library[:: len(library) // 8][:8]:
        scores[line] = float(run(sys.executable, "score.py", line.split()[0], cwd=folder).split()[1].rstrip(","))
    assert all(-2 < score < 1 for score in scores.values()) and len(set(scores.values())) > 4
    salvo = os.environ.get("SALVO_COMMAND", str(ROOT / "build" / "salvo"))
    if not pathlib.Path(salvo).exists() or "without RDKit" in subprocess.run([salvo, "pool", "--help"], capture_output=True, text=True).stdout:
        pytest.skip("there is no built command with RDKit")
    (folder / "library.smi").write_text("\n".join(library[::50]) + "\n")
    path = {**os.environ, "PATH": f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}"}
    run(salvo, "screen", "library.smi", "--command", '["python3", "score.py", "{smiles}"]', "--maximize", "--batch", 4,
        "--evaluations", 8, "--workers", 2, "--quiet", cwd=folder, env=path)
    assert "measured.logp" in run(salvo, "export", "library.toml", cwd=folder)
