"""The jobs of examples/, each in small; those that need packages of Python's are in tests/python/test_examples.py."""
import csv
import io
import shutil
import subprocess
import sys

import harness
from harness import BINARY, REPOSITORY


def copied(folder, name):
    shutil.copytree(REPOSITORY / "examples" / name, folder / name)
    return harness.Folder(folder / name)


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_compressor(folder):
    job = copied(folder, "compressor")
    small = ["--set", "budget.batch=4", "--set", "budget.evaluations=12", "--set", "objective.command=" + str(
        ["python3", "compress.py", "--dict-log", "{dict_log}", "--lc", "{lc}", "--lp", "{lp}", "--pb", "{pb}", "--nice", "{nice}",
         "--finder", "{finder}", "--depth", "{depth}", "compress.py"]).replace("'", '"')]
    job.good("run", "compressor.toml", *small, "--quiet")
    trials = rows(job.good("export", "compressor.toml").stdout)
    assert len(trials) == 12 and trials[0]["origin"] == "queue" and trials[0]["finder"] == "bt4"
    done = [trial for trial in trials if trial["state"] == "done"]
    assert done and all(int(trial["measured.bytes"]) > 500 and float(trial["measured.seconds"]) > 0 for trial in done)
    for trial in trials:  # what xz refuses, and nothing else
        assert (trial["state"] == "failed") == (int(trial["lc"]) + int(trial["lp"]) > 4), trial


def test_laboratory(folder):
    job = copied(folder, "laboratory")
    for day in ("monday", "tuesday"):
        job.good("ask", "laboratory.toml", "-o", f"{day}.csv")
        subprocess.run([sys.executable, "play.py", f"{day}.csv"], cwd=job.path, check=True)
        assert "Took 8 outcomes" in job.good("tell", "laboratory.toml", f"{day}.csv").stdout
    job.good("enqueue", "laboratory.toml", "temperature=90", "time=4", "equivalents=2", "solvent=dioxane")
    today = rows(job.good("ask", "laboratory.toml", "4", "--fix", "solvent=dioxane").stdout)
    assert {row["solvent"] for row in today} == {"dioxane"} and today[0]["temperature"] == "90"
    assert "temperature / °C" in job.good("best", "laboratory.toml").stdout


def test_simulator(folder):
    job = copied(folder, "simulator")
    job.good("run", "simulator.toml", "--set", "budget.batch=4", "--set", "budget.evaluations=12", "--quiet")
    assert [trial["state"] for trial in job.trials("simulator.toml")] == ["done"] * 12


def test_beam(folder):
    job = copied(folder, "beam")
    small = ["--set", "budget.batch=5", "--set", "budget.evaluations=20", "--quiet"]
    job.good("run", "lightest.toml", *small)
    trials = job.trials("lightest.toml")
    assert {trial["state"] for trial in trials} == {"done"}
    for trial in trials:  # what stops early says no more than it knows
        assert (trial["values"]["bend"] is None) == (trial["values"]["walls"] == 0), trial
    job.good("run", "front.toml", *small)
    assert "hypervolume" in job.good("best", "front.toml").stdout
    job.good("plot", "front.toml", "--kind", "front", "-o", "front.svg")


if __name__ == "__main__":
    harness.main(globals())
