"""Putting right what was told, and copies while a study is in use."""
import csv
import io
import json
import subprocess

import harness
from harness import BINARY


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def told(folder):
    """Four trials of which three are told: 410 was 4.10."""
    name = folder.study(batch=4)
    folder.good("ask", name, "4")
    folder.write("told.csv", "trial,value,error\n1,410,\n2,2,\n3,,the pump\n")
    folder.good("tell", name, "told.csv")
    return name


def values(folder, name):
    return [(row["state"], row["value"]) for row in rows(folder.good("export", name).stdout)]


def test_a_slip_is_put_right_and_kept_in_the_history(folder):
    name = told(folder)
    assert "salvo amend" in folder.bad(2, "tell", name, "--trial", "1", "--value", "4.1").stderr
    out = folder.good("amend", name, "--trial", "1", "--value", "4.10", "--reason", "a slip, of the pen").stdout
    assert "trial 1: 410 → 4.1" in out
    assert values(folder, name) == [("done", "4.1"), ("done", "2"), ("failed", ""), ("pending", "")]
    folder.good("forget", name, "--trial", "2", "3", "--reason", "another oven")
    folder.good("revive", name, "--trial", "3")
    assert values(folder, name) == [("done", "4.1"), ("abandoned", ""), ("pending", ""), ("pending", "")]
    history = rows(folder.good("export", name, "--history").stdout)
    assert [(row["trial"], row["old_value"], row["value"], row["state"]) for row in history] == [
        ("1", "410", "4.1", "done"), ("2", "2", "", "abandoned"), ("3", "", "", "abandoned"), ("3", "", "", "pending")]
    assert history[0]["reason"] == "a slip, of the pen" and history[0]["amended_at"].endswith("Z")
    assert history[2]["old_error"] == "the pump"
    for kind in ("csv", "json"):
        folder.write("h." + kind, folder.good("export", name, "--history", "--format", kind).stdout)
        folder.bad(2, "tell", name, "h." + kind, says=["history", "amended_at"])
    in_json = [json.loads(line) for line in folder.good("export", name, "--history", "--json").stdout.splitlines()]
    assert in_json[0]["before"] == {"state": "done", "value": 410} and in_json[0]["after"]["value"] == 4.1
    assert "4 outcomes, last trial 3: abandoned → pending" in folder.good("status", name).stdout
    assert json.loads(folder.good("status", name, "--json").stdout)["amended"] == 4
    folder.good("check", name)


def test_a_standard_error_is_put_right_and_taken_off(folder):
    name = told(folder)
    folder.good("amend", name, "--trial", "1", "--sd", "0.5")
    assert "trial 1: 410 (sd 0.5) → 410" in folder.good("amend", name, "--trial", "1", "2", "--sd", "none", "--reason", "one sample").stdout
    assert all("measured" not in trial for trial in folder.trials(name))
    folder.good("amend", name, "--trial", "1", "--value", "4.1", "--sd", "0.25")
    folder.good("amend", name, "--trial", "1", "--value", "4.2", "--sd", "none")
    history = rows(folder.good("export", name, "--history").stdout)
    assert [(row["old_value"], row["old_sd"], row["value"], row["sd"]) for row in history] == [
        ("410", "", "410", "0.5"), ("410", "0.5", "410", ""), ("410", "", "4.1", "0.25"), ("4.1", "0.25", "4.2", "")]
    in_json = [json.loads(line) for line in folder.good("export", name, "--history", "--json").stdout.splitlines()]
    assert in_json[1]["before"] == {"state": "done", "value": 410, "sd": 0.5} and "sd" not in in_json[1]["after"]
    folder.bad(2, "amend", name, "--trial", "3", "--sd", "none", says=["trial 3 has no value that could have a standard error"])
    folder.bad(2, "amend", name, "--trial", "1", "--sd", "nobody", says=["--sd"])
    folder.bad(2, "amend", name, "--trial", "1", "--sd", "1", "--fail", "why", says=["needs one of"])


def test_errors_begin_with_the_name_of_the_command(folder):
    name = told(folder)
    for command in ("amend", "forget", "revive"):
        value = ["--value", "1"] if command == "amend" else []
        said = folder.bad(2, command, name, "--trial", "9", *value, says=["there is no trial 9"]).stderr
        assert said.startswith(f"salvo: {command}: "), said


def test_what_else_was_measured_is_put_right_too(folder):
    name = folder.study(batch=2)
    folder.good("ask", name, "2")
    folder.write("told.csv", "trial,value,measured.seconds,measured.bytes\n1,1.5,10,7\n")
    folder.good("tell", name, "told.csv")
    for value in ("1.5", "2.5"):
        folder.write("right.csv", f"trial,value,measured.seconds\n1,{value},99\n")
        folder.good("amend", name, "right.csv")
        row = rows(folder.good("export", name).stdout)[0]
        assert (row["value"], row["measured.seconds"], row["measured.bytes"]) == (value, "99", "7")


def test_a_file_of_corrections_is_taken_whole(folder):
    name = told(folder)
    folder.write("right.csv", "trial,value\n1,4.1\n2,2\n3,7\n")
    out = folder.good("amend", name, "right.csv", "--reason", "calibrated").stdout
    assert "2 outcomes put right" in out and "1 trial had that outcome already" in out
    assert json.loads(folder.good("amend", name, "right.csv", "--json").stdout) == {"event": "amended", "taken": 0, "same": 3}
    folder.write("wrong.csv", "trial,value\n1,5\n4,6\n")
    folder.bad(2, "amend", name, "wrong.csv", says=["trial 4 is pending"])
    point = rows(folder.good("export", name).stdout)
    folder.write("other.csv", f"trial,x,y,value\n1,{point[1]['x']},{point[1]['y']},5\n")
    folder.bad(2, "amend", name, "other.csv", says=["other.csv:2", "trial 1 was asked for at"])
    folder.write("twice.csv", "trial,value\n1,5\n1,6\n")
    folder.bad(2, "amend", name, "twice.csv", says=["twice.csv:3", "trial 1 is there twice"])
    assert values(folder, name)[0] == ("done", "4.1")


def test_all_that_is_wrong_with_a_file_of_corrections_is_said_at_once(folder):
    name = told(folder)
    folder.write("wrong.csv", "trial,value\n1,5\n4,6\n9,1\n2,abc\n1,7\n,8\n")
    said = folder.bad(2, "amend", name, "wrong.csv", says=["wrong.csv:3: trial 4 is pending", "wrong.csv:4: there is no trial 9", "wrong.csv:5: value",
                                                           "wrong.csv:6: trial 1 is there twice", "Nothing of the file was taken"]).stderr
    assert said.index("wrong.csv:3") < said.index("wrong.csv:6")
    assert rows(folder.good("export", name, "--history").stdout) == []


def test_a_sheet_that_is_amended_loses_nothing_beside_the_values(folder):
    name = told(folder)
    folder.write("sheet.csv", "trial;value;note;tags;operator\n1;4,1;the point;pilot;Ann\n2;2;;pilot;Bob\n4;;;;Cid\n")
    result = folder.good("amend", name, "sheet.csv", "--reason", "calibrated")
    assert result.stderr == "salvo: note: columns of your own are kept beside the values: said.operator\n"
    assert "1 note taken" in result.stdout and "Tags put on 2 trials" in result.stdout
    first, second = folder.trials(name)[:2]
    assert first["note"] == "the point" and first["tags"] == ["pilot"] and first["said"] == {"operator": "Ann"} and first["value"] == 4.1
    assert second["tags"] == ["pilot"] and second["said"] == {"operator": "Bob"} and "note" not in second
    again = json.loads(folder.good("amend", name, "sheet.csv", "--json", "-q").stdout)
    assert again == {"event": "amended", "taken": 0, "same": 2}
    folder.write("sheet.csv", "trial,value,note\n1,4.1,another\n")
    assert json.loads(folder.good("amend", name, "sheet.csv", "--json").stdout) == {"event": "amended", "taken": 0, "same": 1, "notes": 1}
    assert folder.trials(name)[0]["note"] == "another"


def test_what_is_pending_cannot_be_taken_back(folder):
    name = told(folder)
    folder.bad(2, "forget", name, "--trial", "4", says=["trial 4 is pending", "nothing was told that could be taken back"])
    folder.bad(2, "revive", name, "--trial", "4", says=["trial 4 is pending", "waits for its outcome already"])


def test_bad_corrections_are_refused_in_words(folder):
    name = told(folder)
    for words, says in [
        ([], "expected --trial N or a FILE"),
        (["--trial", "1"], "needs one of --value X or --fail WHY"),
        (["--trial", "1", "--value", "nan"], "--value"),
        (["--trial", "1", "2", "--value", "3"], "--value is for one trial"),
        (["--trial", "9", "--value", "3"], "there is no trial 9; the study has 4"),
        (["nothere.csv"], "nothere.csv"),
        (["--trial", "0", "--value", "3"], "--trial"),
    ]:
        done = subprocess.run([BINARY, "amend", name, *words], cwd=folder.path, capture_output=True, text=True)
        assert done.returncode in (1, 2) and says in done.stderr, (words, done)
    folder.bad(2, "revive", name, "--trial", "1", says=["trial 1 has the value 410"])
    folder.bad(2, "forget", name, says=["expected --trial N"])
    assert rows(folder.good("export", name, "--history").stdout) == []


def test_a_trial_of_a_run_that_is_revived_is_evaluated_by_the_next_run(folder):
    name = folder.study(objective='command = "test -e repaired && echo 1 || exit 3"\nretries = 0', batch=2, evaluations=3)
    folder.write("known.csv", "x,y,value\n0.5,0.5,1\n")  # before the first value failures are held back
    folder.good("tell", name, "known.csv")
    subprocess.run([BINARY, "run", name], cwd=folder.path, capture_output=True)
    assert [state for state, _ in values(folder, name)] == ["done", "failed", "failed"]
    folder.good("revive", name, "--trial", "2", "3")
    folder.write("repaired", "")
    folder.good("run", name)
    assert values(folder, name) == 3 * [("done", "1")]


def test_a_backup_is_a_study_of_its_own(folder):
    name = told(folder)
    out = folder.good("backup", name, "monday.db").stdout
    assert "4 trials in monday.db" in out
    folder.good("tell", name, "--trial", "4", "--value", "1")
    assert json.loads(folder.good("status", "monday.db", "--json").stdout)["pending"] == 1
    folder.good("check", "monday.db")
    folder.bad(2, "backup", name, "monday.db", says=["monday.db", "name another file"])
    folder.bad(1, "backup", name, "other.db-wal", says=["SQLite takes a file of this name"])
    folder.bad(1, "backup", name, "no/such/folder.db", says=["no/such"])


harness.main(globals())
