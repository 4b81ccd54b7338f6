"""salvo bench: the paper's figures in small, resuming after a kill, one's own problem, bad input."""
import json
import os
import signal
import statistics

import harness
from harness import REPOSITORY, lines, wait_for

SMALL = """
problems = ["branin"]
seeds = 3
[study]
budget = { batch = 10, evaluations = 40 }
model = { num_inducing = 30, num_features = 200 }
"""


def runs_of(folder, name):
    return lines((folder / name / "runs.jsonl").read_text())


def medians(folder, name, method, which):
    """The median regret after the first (0) or the last (-1) batch, of every problem."""
    runs = [run for run in runs_of(folder, name) if run["method"] == method]
    return [statistics.median(run["regret"][which] for run in runs if run["problem"] == problem)
            for problem in sorted({run["problem"] for run in runs})]


def check_figure(folder, figure, sparse):
    path = REPOSITORY / "experiments/paper" / f"{figure}.toml"
    folder.good("bench", path, "--quick", "-o", figure, timeout=200)
    first, last = medians(folder, figure, sparse, 0), medians(folder, figure, sparse, -1)
    random = medians(folder, figure, "random", -1)
    assert all(end < begin for begin, end in zip(first, last)), f"more batches, lower regret: {first} {last}"
    assert all(ours < theirs for ours, theirs in zip(last, random)), f"S-GP-TS beats random: {last} {random}"
    assert (folder / figure / "regret.svg").read_text().startswith("<svg")


def test_figure_1_in_small(folder):
    check_figure(folder, "figure1", "S-GP-TS k-means m = 100")


@harness.slow
def test_the_ackley_figure_in_small(folder):
    check_figure(folder, "ackley", "S-GP-TS k-means m = 100")


@harness.slow
def test_the_batch_comparison_in_small(folder):
    check_figure(folder, "batch", "S-GP-TS k-means m = 100")


def test_every_file_of_the_paper_is_a_plan(folder):
    for path in sorted((REPOSITORY / "experiments/paper").glob("*.toml")):
        folder.good("bench", path, "--report", "-o", "none")


def test_list_names_problems_and_methods(folder):
    text = folder.good("bench", "list").stdout
    for word in ("shekel", "push14", "rover60", "best known", "thompson", "random"):
        assert word in text, word
    named = lines(folder.good("bench", "list", "--json").stdout)
    assert {line["event"] for line in named} == {"problem", "method"}
    assert all(line["proved"] for line in named if line.get("name") == "hartmann6")


def test_json_has_regret_after_every_batch_and_a_summary(folder):
    folder.write("b.toml", SMALL)
    events = lines(folder.good("bench", "b.toml", "--json").stdout)
    batches = [e for e in events if e["event"] == "batch" and e["method"] == "auto" and e["seed"] == 1]
    assert [e["evaluations"] for e in batches] == [10, 20, 30, 40]
    assert all(e["regret"] >= e["queried"] >= 0 for e in batches)
    assert batches[-1]["seconds"]["fit"] > 0
    summary = [e for e in events if e["event"] == "summary"]
    assert [s["method"] for s in summary] == ["auto", "random"] and all(s["runs"] == 3 for s in summary)
    final = sorted(run["regret"][-1] for run in runs_of(folder, "b-bench") if run["method"] == "auto")
    assert summary[0]["median"] == final[1] and abs(summary[0]["mean"] - sum(final) / 3) < 1e-12
    assert events[-1]["event"] == "finished" and events[-1]["missing"] == 0


def test_runs_do_not_depend_on_the_number_of_jobs(folder):
    folder.write("b.toml", SMALL)
    for jobs in (1, 3):
        folder.good("bench", "b.toml", "--jobs", jobs, "-o", f"j{jobs}")
    regrets = [sorted((r["method"], r["seed"], r["regret"]) for r in runs_of(folder, f"j{jobs}")) for jobs in (1, 3)]
    assert regrets[0] == regrets[1]


def test_killed_it_keeps_what_was_finished_and_goes_on(folder):
    folder.write("b.toml", SMALL.replace("evaluations = 40", "evaluations = 200"))
    reference = folder.good("bench", "b.toml", "-o", "whole").stdout
    process = folder.start("bench", "b.toml", "-o", "o", "--jobs", 1)
    runs = folder / "o/runs.jsonl"
    wait_for(lambda: runs.exists() and runs.read_text().count("\n") >= 2, 60)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    kept = runs_of(folder, "o")
    assert 2 <= len(kept) < 6
    with open(runs, "a") as file:
        file.write('{"problem":"branin","met')  # as a crash in the middle of a line would leave it
    again = folder.good("bench", "b.toml", "-o", "o").stdout
    after = runs_of(folder, "o")
    assert after[:len(kept)] == kept and len(after) == 6, "what was finished is not run again"
    def without_time(text):
        return [line.split("|")[1:-2] for line in text.splitlines() if line.startswith("|")]
    assert without_time(again) == without_time(reference), "the same numbers as without the interruption"


def test_ctrl_c_finishes_what_runs_and_says_how_to_go_on(folder):
    folder.write("b.toml", SMALL.replace("evaluations = 40", "evaluations = 400"))
    process = folder.start("bench", "b.toml", "--jobs", 1)
    runs = folder / "b-bench/runs.jsonl"
    wait_for(lambda: runs.exists() and "\n" in runs.read_text(), 60)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60 * harness.PATIENCE)
    assert process.returncode == 130, (process.returncode, out, err)
    assert "missing; go on with" in out and "finishing the runs under way" in err


def test_of_constraints_a_run_is_infeasible_until_something_is_allowed(folder):
    options = ["--seeds", 3, "--methods", "random,auto", "--set", "budget.batch=5", "--set", "budget.evaluations=20"]
    events = lines(folder.good("bench", "--problems", "spring", *options, "--json", "-o", "o").stdout)
    summary = [event for event in events if event["event"] == "summary"]
    for line in summary:
        runs = [run["regret"][-1] for run in runs_of(folder, "o") if run["method"] == line["method"]]
        broken = [regret for regret in runs if regret == "infeasible"]
        assert line["infeasible"] == len(broken)
        assert (line["median"] == "infeasible") == (len(broken) >= 2), "two of three"
    first = [event["regret"] for event in events if event["event"] == "batch" and event["batch"] == 1]
    assert "infeasible" in first, "one of a hundred random points is allowed"
    assert all(event["cumulative"] is None for event in events if event["event"] == "batch")
    table = (folder / "o/table.md").read_text()
    assert "keep to the constraints" in table and "infeasible" in table
    assert (folder / "o/regret.svg").read_text().startswith("<svg")
    again = folder.good("bench", "--problems", "spring", *options, "-o", "o").stdout
    assert [row.split("|")[2:-2] for row in again.splitlines() if row.startswith("|")] == \
        [row.split("|")[2:-2] for row in table.splitlines() if row.startswith("|")], "what was kept reads back"


# Two objectives that a line trades, so that the best hypervolume above (1, 1) is one half.
LINE = r'''
[parameters]
x = { low = 0.0, high = 1.0 }
[outputs]
a = { direction = "minimize", REFERENCE }
b = { direction = "minimize", reference = 1.0 }
[objective]
command = ["awk", 'BEGIN {{ printf "a %.17g\nb %.17g\n", {x}, 1 - {x} }}']
optimum = 0.5
[budget]
batch = 5
evaluations = 15
'''


def test_of_several_objectives_it_is_what_the_hypervolume_lacks(folder):
    folder.write("line.toml", LINE.replace(", REFERENCE", ""))
    folder.bad(2, "bench", "--problems", "line.toml", says=["line.toml", "outputs.a.reference"])
    folder.write("line.toml", LINE.replace("REFERENCE", "reference = 1.0"))
    table = folder.good("bench", "--problems", "line.toml", "--seeds", 1, "--methods", "random", "-o", "o").stdout
    assert "short of the best; that is 0.5" in table
    lacks = runs_of(folder, "o")[0]["queried"]
    # n points of a line leave n + 1 triangles whose widths are 1 together: 1/2 Σ w², at least 1/(2(n + 1)).
    assert all(1 / (2 * (n + 1)) <= lack < 0.5 for n, lack in zip((5, 10, 15), lacks)), lacks
    assert lacks == sorted(lacks, reverse=True)
    assert runs_of(folder, "o")[0]["regret"][-1] >= lacks[-1] - 1e-9


def test_ones_own_problem_is_a_study_file_with_an_optimum(folder):
    text = """
direction = "maximize"
[parameters]
x = { low = 0.0, high = 1.0 }
[objective]
command = "awk 'BEGIN {{ print 3 - ({x} - 0.5)^2 + 0.01 * ({trial} % 3 - 1) }}'"
EXTRA
[budget]
batch = 5
evaluations = 15
"""
    folder.write("mine.toml", text.replace("EXTRA", ""))
    folder.bad(2, "bench", "--problems", "mine.toml", says=["objective.optimum", "mine.toml"])
    folder.write("mine.toml", text.replace("EXTRA", "optimum = 3.0\ntruth = \"awk 'BEGIN {{ print 3 - ({x} - 0.5)^2 }}'\""))
    folder.good("bench", "--problems", "mine.toml", "--seeds", 1, "--methods", "random", "-o", "o")
    run = runs_of(folder, "o")[0]
    assert run["problem"] == "mine" and run["evaluations"] == [5, 10, 15]
    assert all(0 <= r <= 0.25 for r in run["regret"]), "the truth has no noise"
    folder.write("broken.toml", text.replace("EXTRA", "optimum = 3.0").replace("awk", "exit 3; awk"))
    folder.bad(3, "bench", "--problems", "broken.toml", "--seeds", 1, "--methods", "random", "-o", "p", says=["broken", "seed 0"])


def test_settings_are_varied_and_not_mixed(folder):
    folder.write("b.toml", SMALL)
    options = ["bench", "b.toml", "--methods", "thompson", "--seeds", 1, "-o", "o"]
    folder.good(*options, "--vary", "model.num_inducing=10,20")
    assert {r["method"] for r in runs_of(folder, "o")} == {"thompson, num_inducing = 10", "thompson, num_inducing = 20"}
    folder.good(*options, "--vary", "model.num_inducing=10,20", "--set", "model.alpha=1")
    assert len(runs_of(folder, "o")) == 4, "other settings are other runs"
    assert "of other settings" in folder.good(*options, "--vary", "model.num_inducing=10,20").stderr


def test_bad_input_is_told_with_its_place(folder):
    folder.bad(2, "bench", says=["problems"])
    folder.bad(2, "bench", "--problems", "hartman6", says=["did you mean", "hartmann6"])
    folder.bad(2, "bench", "--problems", "branin", "--methods", "tompson", says=["did you mean", "thompson"])
    folder.bad(2, "bench", "--problems", "branin,,x", says=["--problems"])
    folder.bad(2, "bench", "--problems", "branin", "--quick", says=["[quick]"])
    folder.bad(2, "bench", "--problems", "branin", "--vary", "model.num_inducing", says=["--vary"])
    folder.bad(2, "bench", "--problems", "branin", "--vary", "model.num_inducing=10,x", says=["num_inducing"])
    folder.bad(2, "bench", "missing.toml", says=["missing.toml"])
    folder.bad(2, "bench", "--problems", "branin", "--set", "seed=3", says=["first_seed"])
    folder.bad(2, "bench", "--problems", "branin", "--set", "objective.builtin=levy3", says=["levy3", "branin"])
    folder.write("b.toml", SMALL + "alfa = 1\n[method.mine]\nmodel.kernle = 'se'\n")
    folder.bad(2, "bench", "b.toml", says=["b.toml:7", "alfa"])
    folder.write("b.toml", SMALL + "[method.mine]\nmodel.kernle = 'se'\n")
    folder.bad(2, "bench", "b.toml", says=["b.toml:8", "kernle", "kernel"])
    folder.write("b.toml", SMALL + "seed = 1\n")
    folder.bad(2, "bench", "b.toml", says=["b.toml:7", "first_seed"])
    folder.write("b.toml", SMALL.replace("batch = 10,", "batch = 10, initial = 'd - 1',"))
    folder.bad(2, "bench", "b.toml", says=["b.toml:5", "d + 4"])
    folder.write("b.toml", SMALL)
    folder.write("o", "a file")
    folder.bad(1, "bench", "b.toml", "-o", "o", says=["o"])
    os.mkdir(folder / "q")
    folder.write("q/runs.jsonl", "rubbish\n")
    folder.bad(2, "bench", "b.toml", "-o", "q", says=["runs.jsonl:1"])


harness.main(globals())
