"""salvo run: built-in problems, commands, JSON events, overrides, resuming after the budget."""
import json
import sqlite3

import harness
from harness import MIXED, lines

COMMAND = "command = \"python3 -c 'import sys; x, y = map(float, sys.argv[1:]); print((x - 1) ** 2 + y)' {x} {y}\""


def builtin(folder, problem="branin", batch=10, evaluations=30):
    return folder.write("b.toml", f'''
name = "b"
direction = "minimize"
[objective]
builtin = "{problem}"
[budget]
batch = {batch}
evaluations = {evaluations}
[model]
num_inducing = 30
num_features = 200
''')


def some_problem(folder):
    """A built-in problem whatever their names: hartmann6 is in the issue of every version."""
    return builtin(folder, "hartmann6")


def test_json_events(folder):
    some_problem(folder)
    events = lines(folder.good("run", "b.toml", "--json").stdout)
    assert [e["event"] for e in events] == ["started", "batch", "batch", "batch", "finished"]
    assert [e["evaluations"] for e in events[1:4]] == [10, 20, 30]
    last = events[-1]
    assert last["evaluations"] == 30 and last["regret"] >= 0
    assert set(last["recommended"]["params"]) == set(last["observed_best"]["params"]) and len(last["recommended"]["params"]) == 6
    assert last["observed_best"]["value"] <= last["recommended"]["value"]
    seconds = last["seconds"]
    assert all(seconds[k] >= 0 for k in ("total", "fit", "draw", "maximise", "store", "evaluating"))
    assert sum(seconds[k] for k in ("fit", "draw", "maximise")) <= seconds["total"]


def test_trial_events(folder):
    some_problem(folder)
    events = lines(folder.good("run", "b.toml", "--json", "--trials").stdout)
    assert sum(e["event"] == "trial" for e in events) == 30 and events[-1]["event"] == "finished"


def test_plain_lines_when_not_on_a_terminal(folder):
    some_problem(folder)
    result = folder.good("run", "b.toml")
    assert [l.split()[1] for l in result.stderr.splitlines()] == ["1/3", "2/3", "3/3"], result.stderr
    assert "\x1b" not in result.stderr + result.stdout
    for word in ("recommended", "raw best", "±", "regret", "fit", "maximise", "b.db", "salvo plot b.toml"):
        assert word in result.stdout, word
    assert folder.good("run", "b.toml", "--quiet", "--storage", "q.db").stderr == ""


def test_a_budget_that_the_design_spends_alone_is_noted(folder):
    builtin(folder, "hartmann6", batch=30, evaluations=30)
    assert "all 30 evaluations" in folder.good("run", "b.toml").stderr
    assert "note" not in folder.good("run", "b.toml", "--storage", "c.db", "--set", "budget.initial=5").stderr
    assert "note" not in folder.good("run", "b.toml", "--storage", "d.db", "--set", "method=sobol").stderr


def test_progress_on_a_terminal(folder):
    import os
    import pty
    import subprocess
    some_problem(folder)
    try:
        ours, theirs = pty.openpty()
    except OSError as error:  # a bare chroot without /dev/pts
        print(f"skipped: no terminal to be had here ({error})")
        return
    process = subprocess.Popen([harness.BINARY, "run", "b.toml"], cwd=folder.path, stdin=theirs, stdout=subprocess.PIPE, stderr=theirs,
                               env=dict(os.environ, TERM="xterm"))
    os.close(theirs)
    seen = b""
    while True:
        try:
            block = os.read(ours, 4096)
        except OSError:
            break
        if not block:
            break
        seen += block
    os.close(ours)
    process.communicate()
    assert process.returncode == 0 and b"\r\x1b[K" in seen and "█".encode() in seen and b"\n" not in seen, seen


def test_command_and_resuming_with_a_larger_budget(folder):
    folder.study(objective=COMMAND + "\nworkers = 2", batch=4, evaluations=8)
    first = lines(folder.good("run", "s.toml", "--json").stdout)[-1]
    assert first["evaluations"] == 8 and first["regret"] is None
    again = lines(folder.good("run", "s.toml", "--json").stdout)[-1]
    assert again["evaluations"] == 8
    more = lines(folder.good("run", "s.db", "--json", "--set", "budget.evaluations=12").stdout)
    assert more[0]["evaluations"] == 8 and more[-1]["evaluations"] == 12
    assert lines(folder.good("run", "s.db", "--json").stdout)[-1]["evaluations"] == 12
    for t in folder.trials("s.db"):
        assert abs(t["value"] - ((t["params"]["x"] - 1) ** 2 + t["params"]["y"])) < 1e-9


def test_the_same_points_on_any_number_of_threads_and_in_two_parts(folder):
    some_problem(folder)
    folder.good("run", "b.toml", "--threads", "1", "--storage", "one.db")
    folder.good("run", "b.toml", "--threads", "2", "--storage", "two.db")
    folder.good("run", "b.toml", "--storage", "parts.db", "--set", "budget.evaluations=20")
    folder.good("run", "b.toml", "--storage", "parts.db")
    points = [[(t["params"], t["value"]) for t in folder.trials(db)] for db in ("one.db", "two.db", "parts.db")]
    assert points[0] == points[1] == points[2]


def test_overrides_reach_the_study(folder):
    some_problem(folder)
    folder.good("run", "b.toml", "--set", "model.num_inducing=12", "--set", "model.exact_until=0", "--set", "budget.evaluations=20", "--seed", "3")
    status = folder.status("b.toml")
    assert status["done"] == 20 and status["seed"] == 3 and status["model"]["inducing"] <= 12
    folder.bad(2, "run", "b.toml", "--set", "model.num_inducin=12", says=["num_inducin"])
    folder.bad(2, "run", "b.toml", "--set", "nonsense", says=["key=value"])


def test_a_store_remembers_overrides_of_any_text(folder):
    folder.study(batch=5, evaluations=5)
    folder.good("run", "s.toml", "--storage", "s.db", "--set", "objective.command=case {x} in\n-*) echo '\"2\"' | tr -d '\"';;\n*) echo 3\nesac", "--set", "name=a=b é")
    folder.good("run", "s.db", "--set", "budget.evaluations=15")
    assert folder.status("s.db")["study"] == "a=b é"
    trials = folder.trials("s.db")
    assert len(trials) == 15 and all(t["value"] == (2 if t["params"]["x"] < 0 else 3) for t in trials), trials


def row_hash(*texts):
    """The checksum of a row of texts, as the store writes it: FNV-1a of each one's type, length and bytes."""
    value = 0xCBF29CE484222325
    for text in texts:
        data = text.encode()
        for byte in (3).to_bytes(4, "little") + len(data).to_bytes(8, "little") + data:
            value = (value ^ byte) * 0x100000001B3 % 2**64
    return value - 2**64 if value >= 2**63 else value


def set_overrides(folder, store, text):
    database = sqlite3.connect(folder / store)
    checksum = row_hash("overrides", text)
    database.execute("update note set value = ?, checksum = ? where key = 'overrides'", (text, checksum))
    database.commit()
    database.close()


def test_overrides_that_an_older_version_kept(folder):
    folder.study(batch=5, evaluations=5)
    folder.good("run", "s.toml", "--set", "budget.evaluations=5")
    for budget, end in ((7, "\n"), (9, "")):
        set_overrides(folder, "s.db", f"objective.command=a=4; echo $a\nbudget.evaluations={budget}{end}")
        folder.good("run", "s.db")
        assert [t["value"] for t in folder.trials("s.db")][5:] == [4] * (budget - 5)


def test_overrides_that_are_damaged(folder):
    folder.study(batch=5, evaluations=5)
    folder.good("run", "s.toml", "--set", "budget.evaluations=5")
    for text in ("x", "=1", "name=n\nx", "[", '[["name"]]', '[["name", 1]]', "[1]", '["name", "n"] x'):
        set_overrides(folder, "s.db", text)
        for command in ("status", "run", "best"):
            folder.bad(1, command, "s.db", timeout=20, says=["s.db", '"overrides"', "salvo run", "s.toml --storage s.db"])
    folder.good("run", "s.toml", "--storage", "s.db")  # as it says
    folder.good("run", "s.db", "--set", "budget.evaluations=7")
    assert folder.status("s.db")["done"] == 7


def test_plots_at_the_end(folder):
    some_problem(folder)
    events = lines(folder.good("run", "b.toml", "--json", "--plot", "out/b.svg", "--plot", "out/b.html").stdout)
    assert events[-1]["event"] == "finished"
    assert (folder / "out/b.svg").read_text().startswith("<svg") and "<html" in (folder / "out/b.html").read_text()
    folder.bad(2, "run", "b.toml", "--plot", "b.pdf", says=[".svg"])


def test_some_evaluations_fail(folder):
    folder.study(objective="command = \"case {x} in -*) echo below >&2; exit 4;; *) echo {x};; esac\"", batch=10, evaluations=20)
    last = lines(folder.good("run", "s.toml", "--json").stdout)[-1]
    assert 0 < last["failed"] < 20 and last["evaluations"] == 20
    failed = [t for t in folder.trials("s.toml") if t["state"] == "failed"]
    assert len(failed) == last["failed"] and all("below" in t["error"] and "4" in t["error"] for t in failed)


def test_all_evaluations_fail(folder):
    folder.study(objective='command = "echo broken >&2; exit 7"', batch=5, evaluations=30)
    result = folder.bad(3, "run", "s.toml", says=["broken"])
    assert "recommended" not in result.stdout
    events = lines(folder.salvo("run", "s.toml", "--json").stdout)
    assert events[-1]["event"] == "finished" and events[-1]["end"] == "all_failed" and events[-1]["recommended"] is None


def test_what_the_machine_ended_is_told_apart(folder):
    folder.study(objective='command = "[ {trial} = 3 ] && exit 75; [ {trial} = 4 ] && exit 1; echo {x}"', batch=5, evaluations=10)
    done = folder.good("run", "s.toml")
    assert "The machine ended 3 attempts, 1 trial pending for it; the last: exit code 75" in done.stdout
    folder.write("s.toml", (folder / "s.toml").read_text().replace("exit 75", "true"))
    last = lines(folder.good("run", "s.toml", "--json").stdout)[-1]
    assert last["evaluations"] == 10 and last["failed"] == 1 and last["run"]["machine_failures"] == 0
    assert [t["state"] for t in folder.trials("s.toml") if t["trial"] in (3, 4)] == ["done", "failed"]


def test_mixed_parameters_as_json_on_standard_input(folder):
    command = "python3 -c 'import json, sys; p = json.load(sys.stdin)[\\\"params\\\"]; print(p[\\\"temperature\\\"] + p[\\\"stages\\\"])'"
    folder.write("m.toml", MIXED.replace('command = "echo 1"', f'command = "{command}"\ninput = "json"\nworkers = 2'))
    last = lines(folder.good("run", "m.toml", "--json").stdout)[-1]
    assert last["evaluations"] == 20 and last["failed"] == 0
    for t in folder.trials("m.toml"):
        assert t["value"] == t["params"]["temperature"] + t["params"]["stages"]
    assert json.loads(folder.good("status", "m.toml", "--json").stdout)["pending"] == 0


harness.main(globals())
