"""Every command on good input, by files and by pipes."""
import csv
import io
import json
import os
import sqlite3
import subprocess

import harness
from harness import BINARY, MIXED, lines

COMMANDS = ["init", "run", "ask", "tell", "amend", "forget", "revive", "backup", "status", "best", "export", "check", "plot", "completion"]


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_every_help_shows_an_example(folder):
    for command in COMMANDS:
        text = folder.good(command, "--help").stdout
        assert "Example" in text and f"salvo {command}" in text or "salvo completion" in text, command
        assert "--json" in text
    assert all(command in folder.good("--help").stdout for command in COMMANDS)
    assert folder.good("help").stdout == folder.good("--help").stdout
    assert folder.good("help", "run").stdout == folder.good("run", "--help").stdout
    assert folder.good("--version").stdout.startswith("salvo ")


def test_init_writes_a_file_that_runs_and_never_overwrites(folder):
    folder.good("init", "reactor")
    text = (folder / "reactor.toml").read_text()
    assert "#" in text and "[parameters]" in text and '"reactor"' in text
    folder.good("ask", "reactor.toml", "2")
    (folder / "reactor.toml").write_text("mine")
    folder.bad(2, "init", "reactor", says=["reactor.toml", "--force"])
    assert (folder / "reactor.toml").read_text() == "mine"
    folder.good("init", "reactor.toml", "--force")
    assert (folder / "reactor.toml").read_text() == text
    folder.bad(2, "init", ".hidden", says=["name", ".hidden"])
    assert not (folder / ".hidden.toml").exists()
    assert "salvo run 'my study.toml'" in folder.good("init", "my study").stdout
    folder.good("init")
    assert (folder / "study.toml").exists()
    assert lines(folder.good("init", "other", "--json").stdout)[0]["file"] == "other.toml"


def test_values_that_differ_little_are_told_apart(folder):
    folder.write("s.toml", 'direction = "minimize"\n[parameters]\nx = { low = 0.0, high = 1.0 }\n')
    points = "".join(f"{i / 20},{11.34 + 0.01 * (i / 20 - 0.52) ** 2}\n" for i in range(21))
    folder.good("tell", "s.toml", "-", input="x,value\n" + points)
    (observed,) = [line for line in folder.good("best", "s.toml", "--top", "3").stdout.splitlines() if "observed" in line]
    assert len(set(observed.split()[1:])) == 3, observed


def test_ask_and_tell_by_csv(folder):
    folder.write("m.toml", MIXED)
    folder.good("ask", "m.toml", "7", "-o", "batch.csv")
    asked = rows((folder / "batch.csv").read_text())
    assert [int(r["trial"]) for r in asked] == list(range(1, 8))
    for r in asked:
        assert 300 <= float(r["temperature"]) <= 900 and 1e-4 <= float(r["rate"]) <= 1
        assert 1 <= int(r["stages"]) <= 8 and r["catalyst"] in ("Pd", "Pt", "Ni")
        r["value"] = str(float(r["temperature"]) / 100)
        r["state"] = ""
    out = io.StringIO()
    writer = csv.DictWriter(out, asked[0].keys())
    writer.writeheader()
    writer.writerows(asked)
    folder.write("batch.csv", out.getvalue())
    assert "7 values" in folder.good("tell", "m.toml", "batch.csv").stdout
    status = folder.status("m.toml")
    assert (status["done"], status["pending"]) == (7, 0)
    exported = rows(folder.good("export", "m.toml").stdout)
    assert len(exported) == 7 and all(float(r["value"]) == float(r["temperature"]) / 100 for r in exported)


def test_ask_and_tell_through_a_json_pipe(folder):
    folder.write("m.toml", MIXED)
    evaluate = """import json, sys
for line in sys.stdin:
    trial = json.loads(line)
    print(json.dumps({"trial": trial["trial"], "value": trial["params"]["stages"]}))"""
    folder.write("evaluate.py", evaluate)
    pipe = f"'{BINARY}' ask m.toml 4 --format json | python3 evaluate.py | '{BINARY}' tell m.toml - --json"
    result = subprocess.run(["bash", "-o", "pipefail", "-c", pipe], cwd=folder.path, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout)["values"] == 4
    assert all(t["value"] == t["params"]["stages"] for t in folder.trials("m.toml"))


def test_tell_single_outcomes(folder):
    folder.write("m.toml", MIXED)
    folder.good("ask", "m.toml", "4")
    folder.good("tell", "m.toml", "--trial", "2", "--value", "-1.5")
    folder.good("tell", "m.toml", "--trial", "1", "--fail", "the pump stopped")
    folder.good("tell", "m.toml", "--trial", "3", "--abandon")
    states = {t["trial"]: t for t in folder.trials("m.toml")}
    assert states[2]["value"] == -1.5 and states[2]["state"] == "done"
    assert states[1]["state"] == "failed" and states[1]["error"] == "the pump stopped"
    assert states[3]["state"] == "abandoned" and states[4]["state"] == "pending"
    folder.bad(2, "tell", "m.toml", "--trial", "2", "--value", "3", says=["2"])
    assert {t["trial"]: t for t in folder.trials("m.toml")}[2]["value"] == -1.5
    again = lines(folder.good("ask", "m.toml", "--pending", "--json").stdout)
    assert [t["trial"] for t in again] == [4]


def test_points_evaluated_elsewhere(folder):
    folder.write("m.toml", MIXED)
    folder.write("old.csv", "temperature,rate,stages,catalyst,value\n400,0.1,3,Pt,7\n500,0.01,4,Ni,8\n")
    assert "2 points evaluated elsewhere" in folder.good("tell", "m.toml", "old.csv").stdout
    point = {"params": {"temperature": 600, "rate": 0.5, "stages": 2, "catalyst": "Pd"}, "value": 9}
    folder.good("tell", "m.toml", "-", input=json.dumps(point))
    assert [t["value"] for t in folder.trials("m.toml")] == [7, 8, 9]
    best = lines(folder.good("best", "m.toml", "--json").stdout)
    assert len(best) == 1 and "mean" in best[0]["point"]
    assert [b["rank"] for b in lines(folder.good("best", "m.toml", "--top", "3", "--json").stdout)] == [1, 2, 3]


def test_store_and_file_are_the_same_study(folder):
    folder.write("m.toml", MIXED)
    folder.good("ask", "m.toml", "3", "--storage", "elsewhere.db")
    assert not (folder / "mixed.db").exists() and not (folder / "m.db").exists()
    assert folder.status("elsewhere.db") == json.loads(folder.good("status", "m.toml", "--json", "--storage", "elsewhere.db").stdout)
    assert folder.good("export", "elsewhere.db").stdout.count("\n") == 4


def test_check_says_what_is_damaged_and_saves_the_rest(folder):
    folder.write("m.toml", MIXED)
    folder.bad(1, "check", "m.toml", says=["m.toml has not been started", "salvo run m.toml"])
    folder.good("ask", "m.toml", "5")
    for trial in range(1, 5):
        folder.good("tell", "m.toml", "--trial", str(trial), "--value", str(trial))
    assert "5 trials, nothing is damaged" in folder.good("check", "m.toml").stdout
    good = json.loads(folder.good("check", "mixed.db", "--json").stdout)
    assert good["damaged"] is False and good["whole"] == 5 and good["damage"] == []
    with sqlite3.connect(folder / "mixed.db") as database:
        database.execute("UPDATE trial SET value = 17 WHERE id = 2")
    database.close()
    for command in ("export", "status", "best"):
        folder.bad(1, command, "m.toml", says=["mixed.db", "trial 2", "checksum", "salvo check"])
    result = folder.salvo("check", "m.toml", "-o", "whole.jsonl")
    assert result.returncode == 1
    assert "trial 2: its checksum is wrong" in result.stdout and "4 of 5 trials are whole" in result.stdout
    found = json.loads(folder.salvo("check", "m.toml", "--json").stdout)
    assert found["damaged"] is True and found["whole"] == 4 and found["trials"] == 5
    folder.write("new.toml", MIXED.replace('"mixed"', '"new"'))
    assert "Took 3 outcomes" in folder.good("tell", "new.toml", "whole.jsonl").stdout
    folder.bad(2, "check", "m.toml", "-o", "mixed.db", says=["--output mixed.db", "file of the store"])
    folder.bad(1, "check", "none.db", says=["none.db", "No such file"])


def test_questions_about_very_many_values_learn_nothing_long(folder):
    folder.study(objective='command = "echo 1"')
    many = [f"{(i % 4001) / 1000.5 - 2},{0.001 + (i % 997) / 1000},{(i * 7919) % 20001}" for i in range(20001)]
    folder.write("many.csv", "\n".join(["x,y,value", *many]) + "\n")
    folder.good("tell", "s.toml", "many.csv")
    assert "no model has been learned" in folder.good("status", "s.toml").stdout
    status = folder.status("s.toml")
    assert status["model"] is None and status["model_due"] is True and status["recommended"] is None
    assert status["observed_best"]["value"] == 0 and status["observed_best"]["mean"] is None
    best = folder.good("best", "s.toml", "--top", "3")
    assert "3." in best.stdout and "--model" in best.stderr
    assert json.loads(folder.good("best", "s.toml", "--json", "--model").stdout)["point"]["mean"] is not None
    folder.good("ask", "s.toml", "1")
    assert folder.status("s.toml")["model_due"] is False


def test_export_to_a_reader_that_leaves(folder):
    folder.write("m.toml", MIXED)
    folder.good("ask", "m.toml", "3000", "-o", "all.csv")
    pipe = f"'{BINARY}' export m.toml | head -1"
    result = subprocess.run(["bash", "-c", pipe], cwd=folder.path, capture_output=True, text=True)
    assert result.returncode == 0 and result.stderr == "" and result.stdout.startswith("trial")


def test_status_and_best_for_people(folder):
    folder.write("m.toml", MIXED)
    folder.write("old.csv", "temperature,rate,stages,catalyst,value\n400,0.1,3,Pt,7\n500,0.01,4,Ni,8\n")
    folder.good("tell", "m.toml", "old.csv")
    status = folder.good("status", "m.toml").stdout
    for word in ("recommended", "raw best", "length-scales", "catalyst=Pt", "noise", "θ/τ"):
        assert word in status, word
    assert "±" in folder.good("best", "m.toml").stdout
    text = folder.good("status", "m.toml", "--json").stdout
    assert text.count("\n") == 1 and json.loads(text)["model"]["lengthscales"]["catalyst=Ni"] > 0


def test_status_says_how_much_goes_to_the_best_points_neighbourhood(folder):
    folder.write("many.toml", 'direction = "minimize"\n[parameters]\nx = { low = 0, high = 1 }\ny = { low = 0, high = 1 }\n'
                 '[objective]\ncommand = "echo {x}"\n[budget]\nbatch = 5\nevaluations = 20\n')
    for method, is_local in (("auto", True), ("thompson", False)):
        folder.good("run", "many.toml", "--storage", f"{method}.db", "--set", f"method={method}")
        assert ("around the best point: " in folder.good("status", f"{method}.db").stdout) == is_local
        status = folder.status(f"{method}.db")
        assert status["method"] == method and (status["model"]["local"] is not None) == is_local
        origins = {trial["origin"] for trial in folder.trials(f"{method}.db")}
        assert origins == ({"initial", "model", "local"} if is_local else {"initial", "model"})
    assert 0 < folder.status("auto.db")["model"]["local"]["share"] < 1


def test_one_trial_has_one_prediction(folder):
    folder.study(objective='command = "echo {x}"', batch=7, evaluations=60)
    folder.good("run", "s.toml")
    status = folder.status("s.toml")
    first = lines(folder.good("best", "s.toml", "--top", "4", "--json").stdout)
    assert [p["rank"] for p in first] == [1, 2, 3, 4] and first[0]["point"] == status["recommended"]
    if status["recommended"]["trial"] == status["observed_best"]["trial"]:
        assert status["recommended"] == status["observed_best"]


def test_parameters_can_be_copied(folder):
    folder.write("m.toml", MIXED.replace("low = 300", "low = -300"))
    folder.write("old.csv", "temperature,rate,stages,catalyst,value\n-200.5,0.1,3,Pt,7\n")
    folder.good("tell", "m.toml", "old.csv")
    assert "-200.5" in folder.good("best", "m.toml").stdout


def test_common_options_go_before_or_after_the_command(folder):
    folder.write("m.toml", MIXED)
    folder.good("--seed", "5", "ask", "m.toml", "2")
    assert json.loads(folder.good("--json", "status", "m.toml").stdout)["seed"] == 5


def test_a_study_keeps_its_seed(folder):
    folder.write("m.toml", MIXED)
    first = folder.good("ask", "m.toml", "3", "--seed", "9", "--storage", "a.db").stdout
    assert rows(first)[0]["temperature"] == rows(folder.good("ask", "m.toml", "3", "--seed", "9", "--storage", "b.db").stdout)[0]["temperature"]
    folder.bad(2, "ask", "m.toml", "3", "--seed", "8", "--storage", "a.db", says=["seed"])
    folder.good("ask", "m.toml", "3", "--storage", "a.db")
    folder.write("m.toml", "seed = 8\n" + MIXED)
    changed = folder.good("ask", "m.toml", "1", "--storage", "a.db").stderr
    assert "seed 8" in changed and "seed 9" in changed
    assert folder.good("ask", "m.toml", "1", "--storage", "a.db").stderr == ""


def test_closed_standard_streams_harm_nothing(folder):
    folder.write("m.toml", MIXED)
    command = f"'{BINARY}' ask m.toml 2 0<&- 1>&- 2>&-"
    assert subprocess.run(["bash", "-c", command], cwd=folder.path).returncode == 1
    folder.good("ask", "m.toml", "2")
    environment = dict(os.environ, LC_ALL="C", LANG="C")
    folder.good("status", "m.toml", env=environment)


harness.main(globals())
