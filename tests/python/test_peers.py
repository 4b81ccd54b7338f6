"""The comparison with other optimisers, experiments/peers: the same problems as Salvo's, and a report of whatever happens."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import salvo

BENCH = Path(__file__).resolve().parents[2] / "experiments/peers"


@pytest.fixture
def problems(monkeypatch):
    monkeypatch.syspath_prepend(BENCH)
    import problems

    return problems.PROBLEMS


def test_its_problems_are_salvos(problems):
    for name, mine in problems.items():
        problem = salvo.problem(name)
        U = np.random.default_rng(0).random((20, mine.num_dims))
        points = [{f"x{i + 1}": mine.low + (mine.high - mine.low) * u for i, u in enumerate(row)} for row in U.tolist()]
        np.testing.assert_allclose(mine.truth(U), [problem(point) for point in points], rtol=1e-12)
        assert (mine.noise_variance, mine.optimum) == pytest.approx((problem.noise_variance, problem.optimum), rel=1e-9)
        assert list(problem.space.values()) == [salvo.Float(mine.low, mine.high)] * mine.num_dims


def test_noise_and_first_batch_belong_to_the_seed(problems):
    problem = problems["hartmann6"]
    U = problem.first(10, seed=3)
    assert (np.sort(np.floor(10 * U), axis=0) == np.arange(10)[:, None]).all()  # one in each tenth of each side
    np.testing.assert_array_equal(U, problem.first(10, seed=3))
    noise = problem.observe(U, 3, 1) - problem.truth(U)
    np.testing.assert_allclose(noise, problem.observe(U[::-1], 3, 1) - problem.truth(U[::-1]), atol=1e-12)
    assert np.abs(noise - (problem.observe(U, 3, 2) - problem.truth(U))).min() > 0


def test_the_report_says_who_finished_who_failed_and_who_was_stopped(tmp_path):
    pytest.importorskip("optuna")
    pytest.importorskip("matplotlib")
    here = f'exec {sys.executable} "$@"'
    scripts = {"salvo": here, "optuna": here, "trieste": "echo no such luck >&2; exit 3"}
    # Comes as far as one batch, and hangs.
    batch = {"evaluations": 5, "seconds": 2.0, "cpu_seconds": 2.0, "regret": 1.0, "best_queried": 1.0}
    scripts["botorch"] = f"""test "$1" = -c && exit 1
        echo '{json.dumps({"import_cpu_seconds": -20.0})}'
        echo '{json.dumps(batch)}'
        exec sleep 60"""
    for name, script in scripts.items():
        python = tmp_path / name / "bin/python"
        python.parent.mkdir(parents=True)
        python.write_text(f"#!/bin/sh\n{script}\n")
        python.chmod(0o755)
    command = [sys.executable, BENCH / "compare.py", "--environments", tmp_path, "--out", tmp_path / "out"]
    command += ["--peers", "salvo,optuna_tpe,botorch,trieste", "--evaluations", 15, "--batch", 5, "--seeds", 1, "--limit", "60,botorch=3"]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    report = json.loads((tmp_path / "out/peers.json").read_text())
    ended = {run["peer"]: (run["ended"], len(run["batches"])) for run in report["runs"]}
    assert ended == {
        "salvo": ("finished", 3),
        "optuna_tpe": ("finished", 3),
        "botorch": ("stopped after 3 s", 1),
        "trieste": ("failed: no such luck", 0),
    }
    rows = {line[:14].strip(): line for line in done.stdout.splitlines()}
    assert "at least" in rows["BoTorch"] and "at least" not in rows["Optuna, TPE"] and "failed: no such luck" in rows["trieste"]
    assert report["runs"][2]["cpu_seconds"] >= 20  # what it spent after its import, the unfinished batch included
    assert [batch["evaluations"] for batch in report["runs"][0]["batches"]] == [5, 10, 15]
    again = subprocess.run([*map(str, command[:6]), "--from", tmp_path / "out/peers.json"], capture_output=True, text=True)
    assert again.stdout == done.stdout
    (tmp_path / "other.json").write_text(json.dumps({**report, "runs": report["runs"][1:2]}))
    files = [tmp_path / "out/peers.json", tmp_path / "other.json"]  # the same run in both counts once
    again = subprocess.run([*map(str, command[:6]), "--from", *map(str, files)], capture_output=True, text=True)
    assert again.stdout == done.stdout
    (tmp_path / "other.json").write_text(json.dumps({**report, "settings": {"evaluations": 20}}))
    again = subprocess.run([*map(str, command[:6]), "--from", *map(str, files)], capture_output=True, text=True)
    assert again.returncode == 1 and "cannot be compared" in again.stderr
    assert (tmp_path / "out/peers.svg").read_text().startswith("<?xml")


def test_mistakes_in_the_arguments():
    for words, message in [(["--peers", "spearmint"], "expected names among salvo"), (["--seeds", "0"], "above 0"), (["--batch", "7"], "multiple of --batch"), (["--limit", "botorch=3"], "one number for all"), (["--limit", "3,x=3"], "names among")]:
        done = subprocess.run([sys.executable, BENCH / "compare.py", *words], capture_output=True, text=True)
        assert done.returncode == 2 and message in done.stderr
