"""Parameters that change under a study, and the trials of older ones."""
import csv
import io
import json

import harness

FILE = """
name = "s"
direction = "minimize"
[parameters]
x = { low = 0, high = 10 }
kind = { choices = ["a", "b", "c"] }
[objective]
command = "echo {x}"
[budget]
batch = 4
evaluations = 12
[model]
num_inducing = 12
num_features = 32
"""
POINTS = "x,kind,value\n1,a,1\n2,b,2\n3,c,3\n9,a,9\n"


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def begun(folder):
    """Four trials that were told, and two that are pending."""
    folder.write("s.toml", FILE)
    folder.write("points.csv", POINTS)
    folder.good("tell", "s.toml", "points.csv")
    folder.good("ask", "s.toml", "2")
    return "s.toml"


def edit(folder, *pairs):
    text = (folder / "s.toml").read_text(encoding="utf-8")
    for before, after in pairs:
        assert before in text
        text = text.replace(before, after)
    folder.write("s.toml", text)


def test_wider_bounds_are_said_in_words_and_taken_when_accepted(folder):
    name = begun(folder)
    edit(folder, ("high = 10", "high = 20"), ('"b", "c"]', '"b", "c", "d"]'))
    for command in (["ask", name, "1"], ["run", name], ["tell", name, "--trial", "5", "--value", "1"], ["enqueue", name, "x=1", "kind=a"]):
        folder.bad(2, *command, says=["x: 0 … 10 becomes 0 … 20; 6 trials keep their points", 'kind: "d" is new', "--accept-changes"])
    shown = folder.good("status", name)
    assert "0 … 10 becomes 0 … 20" in shown.stderr and "--accept-changes" in shown.stderr
    assert "changed" not in shown.stdout
    assert "0 … 10" not in folder.good("best", name, "--quiet").stderr
    assert len(rows(folder.good("ask", name, "3", "--accept-changes").stdout)) == 3
    folder.good("ask", name, "1")
    assert "changed once" in folder.good("status", name).stdout
    history = rows(folder.good("export", name, "--history").stdout)
    assert history[0]["trial"] == "" and "0 … 10 becomes 0 … 20" in history[0]["reason"]
    in_json = json.loads(folder.good("export", "s.db", "--history", "--json").stdout)
    assert in_json["changed_at"].endswith("Z") and len(in_json["parameters"]) == 2
    folder.good("check", name)
    folder.good("run", "s.db")
    assert json.loads(folder.good("status", "s.db", "--json").stdout)["space_changes"] == 1


def test_a_wrong_value_of_before_is_put_right(folder):
    name = begun(folder)
    edit(folder, ("[objective]", "pressure = { low = 1, high = 5, before = 1 }\n[objective]"))
    folder.good("ask", name, "1", "--accept-changes")
    edit(folder, ("before = 1", "before = 2"))
    folder.bad(2, "ask", name, says=["pressure: 6 earlier trials have 1; they become 2", "--accept-changes", "Nothing was changed"])
    assert "they become 2" in folder.good("status", name).stderr
    folder.good("ask", name, "1", "--accept-changes")
    folder.good("ask", name, "1")
    given = [row["pressure"] for row in rows(folder.good("export", name).stdout)]
    assert given[:6] == ["2"] * 6 and given[6] not in ("1", "2"), given
    history = rows(folder.good("export", name, "--history").stdout)
    assert history[-1]["reason"] == "pressure: 6 earlier trials have 1; they become 2"
    folder.good("check", name)
    folder.good("ask", "s.db", "1")


def test_what_is_outside_is_history(folder):
    name = begun(folder)
    folder.good("enqueue", name, "x=9.5", "kind=a")
    folder.good("enqueue", name, "x=1.5", "kind=b")
    edit(folder, ("low = 0, high = 10", "low = 1.5, high = 8"), ('["a", "b", "c"]', '["a", "b"]'))
    folder.bad(2, "ask", name, says=["outside the new space", '"c" is gone', "1 point of the queue"])
    folder.good("tell", name, "--trial", "5", "6", "--abandon", "--accept-changes")
    assert json.loads(folder.good("status", name, "--json").stdout)["observed_best"]["trial"] == 2
    assert " 1 " not in folder.good("best", name, "--top", "5").stdout.splitlines()[1]
    trials = [json.loads(line) for line in folder.good("export", name, "--json").stdout.splitlines()]
    assert [trial["trial"] for trial in trials if trial.get("outside")][:3] == [1, 3, 4]
    assert [trial["value"] for trial in trials[:4]] == [1, 2, 3, 9]  # kept
    status = json.loads(folder.good("status", name, "--json").stdout)
    assert status["outside"] >= 3 and status["queued"] == 1
    folder.bad(2, "revive", name, "--trial", "1", says=["outside"])
    asked = rows(folder.good("ask", name, "4").stdout)
    assert all(1.5 <= float(row["x"]) <= 8 and row["kind"] in "ab" for row in asked)
    folder.good("plot", name, "-o", "s.svg")
    folder.good("check", name)


def test_a_parameter_comes_with_the_value_that_trials_had_and_goes_with_one(folder):
    name = begun(folder)
    edit(folder, ("[objective]", "pressure = { low = 1, high = 5 }\n[objective]"))
    folder.bad(2, "ask", name, says=["pressure is new", "expected the value that 6 earlier trials had",
                                     "pressure = { low = 1, high = 5, before = … }"])
    edit(folder, ("high = 5 }", "high = 5, before = 1 }"))
    folder.bad(2, "ask", name, says=["pressure is new: 1 … 5; 6 earlier trials had 1", "--accept-changes"])
    folder.good("ask", name, "2", "--accept-changes")
    exported = rows(folder.good("export", name).stdout)
    assert [row["pressure"] for row in exported[:6]] == ["1"] * 6 and float(exported[6]["pressure"]) >= 1
    edit(folder, ("pressure = { low = 1, high = 5, before = 1 }\n", ""))
    folder.bad(2, "ask", name, says=["pressure is gone, and it varied", "pressure = { value = … }"])
    edit(folder, ("[objective]", "pressure = { value = 1 }\n[objective]"))
    folder.good("ask", name, "1", "--accept-changes")
    edit(folder, ("pressure = { value = 1 }\n", ""))
    folder.good("ask", name, "1", "--accept-changes")
    assert "pressure" not in folder.good("export", name).stdout
    edit(folder, ('"minimize"', '"maximize"'))
    folder.bad(2, "ask", name, "--accept-changes", says=["direction differs"])


def test_a_parameter_of_another_scale_by_set(folder):
    name = begun(folder)
    edit(folder, ("low = 0,", "low = 1,"))
    folder.good("ask", name, "1", "--accept-changes")
    folder.bad(2, "ask", name, "--set", 'parameters.x.scale="log"', says=["1 … 10 becomes 1 … 10 (log scale)"])
    folder.good("ask", name, "1", "--set", 'parameters.x.scale="log"', "--accept-changes")


def test_another_process_that_has_the_study_open_stops_with_words(folder):
    folder.write("s.toml", FILE.replace("echo {x}", "sleep 0.3; echo {x}").replace("evaluations = 12", "evaluations = 400"))
    run = folder.start("run", "s.toml")
    harness.wait_for(lambda: (folder / "s.db").exists() and json.loads(
        folder.salvo("status", "s.db", "--json").stdout or "{}").get("done", 0) >= 1)
    edit(folder, ("high = 10", "high = 20"))
    folder.good("ask", "s.toml", "1", "--accept-changes")
    _, error = run.communicate(timeout=30 * harness.PATIENCE)
    assert run.returncode == 1 and "another process has changed the parameters" in error, error


def test_a_sheet_is_imported_as_a_spreadsheet_saves_it(folder):
    """Empty rows and columns, rows without their last cells, columns that differ in their case alone."""
    folder.write("s.toml", FILE)
    folder.write("old.csv", ";;;;;\nX ;Kind;Value;said.who;said.Who;;\n1,5;a;2;Ann;Bob;;\n;;;;;;\n2,5;b;3\n")
    assert "Imported 2 trials" in folder.good("import", "s.toml", "old.csv").stdout
    first, second = folder.trials("s.toml")
    assert first["params"] == {"x": 1.5, "kind": "a"} and first["said"] == {"who": "Ann", "Who": "Bob"} and second["value"] == 3
    folder.good("export", "s.toml", "-o", "all.csv")
    folder.bad(2, "import", "s.toml", "all.csv", says=["all 2 trials are in the study already"])
    for text, line in (("x,kind,value\n1,a\n", 2), ("x,kind,value\n1,a,2,3\n", 2)):
        folder.write("cut.csv", text)
        folder.bad(2, "import", "s.toml", "cut.csv", says=[f"cut.csv:{line}: expected 3 cells"])


def test_trials_of_another_study_are_imported_once(folder):
    begun(folder)
    folder.write("new.toml", FILE.replace('"s"', '"new"').replace("high = 10", "high = 8"))
    out = folder.good("import", "new.toml", "s.toml")
    assert "Imported 3 trials from s.toml: 3 values." in out.stdout
    assert "2 trials of s.toml have no outcome" in out.stderr and "trial 4" in out.stderr and "from 0 to 8" in out.stderr
    got = rows(folder.good("export", "new.toml").stdout)
    assert [(row["x"], row["kind"], row["value"], row["origin"]) for row in got] == [
        ("1", "a", "1", "told"), ("2", "b", "2", "told"), ("3", "c", "3", "told")]
    folder.bad(2, "import", "new.toml", "s.db", says=["all 3 trials are in the study already"])
    folder.good("tell", "s.toml", "--trial", "5", "--fail", "the pump")
    assert json.loads(folder.good("import", "new.toml", "s.db", "--json").stdout) == {
        "event": "imported", "from": "s.db", "taken": 1, "values": 0, "failed": 1, "known": 3, "left_out": 2}
    assert rows(folder.good("export", "new.toml").stdout)[3]["error"] == "the pump"
    folder.good("check", "new.toml")
    folder.write("max.toml", FILE.replace("minimize", "maximize").replace('"s"', '"max"'))
    folder.bad(2, "import", "max.toml", "s.db", says=["not of one objective"])


def test_what_the_two_do_not_share_must_be_said(folder):
    folder.write("new.toml", FILE.replace('"s"', '"new"').replace("[objective]", "pressure = { low = 1, high = 5 }\nsite = { value = 3 }\n[objective]"))
    folder.write("old.csv", "trial;X;kind;operator;room;value;state;error\n1;1,5;a;Ann;2;7,5;done;\n2;2,5;b;Bob;2;;failed;no\n3;3;a;Ann;2;;pending;\n")
    folder.bad(2, "import", "new.toml", "old.csv", says=["pressure is not in old.csv", "--fill pressure=VALUE", "operator is not in the study",
                                                          "--drop operator"])
    folder.bad(2, "import", "new.toml", "old.csv", "--fill", "pressure=9", says=["--fill", "from 1 to 5"])
    folder.bad(2, "import", "new.toml", "old.csv", "--drop", "nobody", says=["--drop"])
    folder.bad(2, "import", "new.toml", "old.csv", "--fill", "pressure=2", "--drop", "operator", "--keep", "operator", says=["got both"])
    folder.bad(2, "import", "new.toml", "old.csv", "--keep", "X", says=["X: --keep is for what the study does not have"])
    folder.write("kept.toml", (folder / "new.toml").read_text().replace('"new"', '"kept"'))
    kept = folder.good("import", "kept.toml", "old.csv", "--fill", "pressure=2", "--keep", "operator", "--keep", "room")
    assert "operator is kept as said.operator" in kept.stderr and "room is kept as measured.room" in kept.stderr
    first = folder.trials("kept.toml")[0]
    assert first["said"] == {"operator": "Ann"} and first["measured"] == {"room": 2}
    out = folder.good("import", "new.toml", "old.csv", "--fill", "pressure=2", "--drop", "operator")
    assert "room is left out: it was 2 throughout" in out.stderr and "site is taken to have been 3" in out.stderr
    got = rows(folder.good("export", "new.toml").stdout)
    assert [(row["x"], row["pressure"], row["site"], row["value"], row["state"], row["error"]) for row in got] == [
        ("1.5", "2", "3", "7.5", "done", ""), ("2.5", "2", "3", "", "failed", "no")]
    folder.write("s.toml", FILE)
    folder.write("export.jsonl", folder.good("export", "new.toml", "--json").stdout)
    assert "Imported 2 trials" in folder.good("import", "s.toml", "export.jsonl").stdout  # pressure and site were constant


def old_hill(folder, scale=1, offset=0):
    """An old study of (x - 7)² with kinds of which b is best, in units of its own."""
    lines = [f"{x},{kind},{offset + scale * ((x - 7) ** 2 + 5 * (kind != 'b'))}" for x in range(11) for kind in "abc"]
    folder.write("old.csv", "x,kind,value\n" + "\n".join(lines) + "\n")


def test_an_old_study_is_what_a_new_one_expects(folder):
    old_hill(folder, scale=3, offset=100)
    folder.write("s.toml", FILE)
    out = folder.good("import", "s.toml", "old.csv", "--as", "prior")
    assert "The prior is 33 values of old.csv." in out.stdout
    assert "33 values of old.csv, since" in folder.good("status", "s.toml").stdout
    first = rows(folder.good("ask", "s.toml", "4").stdout)
    assert (round(float(first[0]["x"]), 9), first[0]["kind"]) == (7, "b")  # floats are coded in steps
    assert not folder.trials("s.toml")[0]["value"] and len(folder.trials("s.toml")) == 4  # it is no data
    folder.write("told.csv", "trial,value\n" + "".join(f"{row['trial']},{(float(row['x']) - 7) ** 2 + 5 * (row['kind'] != 'b')}\n" for row in first))
    folder.good("tell", "s.toml", "told.csv")
    folder.good("ask", "s.toml", "2")
    told = json.loads(folder.good("status", "s.toml", "--json").stdout)["prior"]
    assert told["from"] == "old.csv" and told["trials"] == 33 and told["points"] == 33
    assert told["explained"] > 0.5 and 0.1 < told["slope"] < 0.6, told
    assert "of the variance of the values" in folder.good("status", "s.toml").stdout
    # Another one takes its place, none is left, and the history has them all; a copy has it, too.
    folder.write("more.jsonl", folder.good("export", "s.toml", "--json").stdout)
    assert json.loads(folder.good("import", "s.toml", "more.jsonl", "--as", "prior", "--json").stdout) == {
        "event": "prior", "from": "more.jsonl", "taken": 4, "failed": 0, "left_out": 2, "replaced": "old.csv"}
    folder.good("backup", "s.toml", "copy.db")
    assert "4 values of more.jsonl" in folder.good("status", "copy.db").stdout
    folder.good("check", "copy.db")
    assert "the prior from more.jsonl is gone" in folder.good("import", "s.toml", "--remove-prior").stdout
    folder.bad(2, "import", "s.toml", "--remove-prior", says=["has no prior"])
    history = rows(folder.good("export", "s.toml", "--history").stdout)
    assert [row["reason"] for row in history] == ["prior: 33 values from old.csv", "prior: 4 values from more.jsonl", "prior: none"]
    assert json.loads(folder.good("export", "s.toml", "--history", "--json").stdout.splitlines()[0])["prior"] == {"from": "old.csv", "trials": 33}
    assert json.loads(folder.good("status", "s.toml", "--json").stdout)["prior"] is None


def test_a_prior_that_cannot_be_one_is_refused(folder):
    begun(folder)
    folder.write("new.toml", FILE.replace('"s"', '"new"').replace("[objective]", "pressure = { low = 1, high = 5 }\n[objective]"))
    folder.bad(2, "import", "new.toml", "s.db", "--as", "prior", says=["pressure is not in s.db", "--fill pressure=VALUE"])
    assert "The prior is 4 values of s.db." in folder.good("import", "new.toml", "s.db", "--as", "prior", "--fill", "pressure=2").stdout
    folder.write("max.toml", FILE.replace("minimize", "maximize").replace('"s"', '"max"'))
    folder.bad(2, "import", "max.toml", "s.db", "--as", "prior", says=["not expected to be good here"])
    folder.write("far.toml", FILE.replace('"s"', '"far"').replace("low = 0, high = 10", "low = 20, high = 30"))
    folder.bad(2, "import", "far.toml", "s.db", "--as", "prior", says=["at least two trials with a value", "got 0"])
    folder.write("failed.csv", "x,kind,error\n1,a,no\n2,b,no\n")
    folder.bad(2, "import", "s.toml", "failed.csv", "--as", "prior", says=["at least two trials with a value", "got 0"])
    folder.bad(2, "import", "s.toml", "points.csv", "--as", "priors", says=["--as", "data", "prior"])
    folder.bad(2, "import", "s.toml", says=["OLD"])
    folder.bad(2, "import", "s.toml", "points.csv", "--remove-prior", says=["--remove-prior: expected nothing else"])
    folder.write("sobol.toml", FILE.replace('"s"', '"sobol"').replace("[parameters]", 'method = "sobol"\n[parameters]', 1))
    folder.bad(2, "import", "sobol.toml", "points.csv", "--as", "prior", says=["expected a method with a model"])
    assert json.loads(folder.good("status", "s.toml", "--json").stdout)["prior"] is None


def test_what_people_said_of_the_old_trials_comes_along(folder):
    begun(folder)
    folder.good("note", "s.toml", "--trial", "1", "=foam, above\n450 K")
    for kind, old in (("csv", "old.csv"), ("json", "old.jsonl"), ("", "s.db")):
        if kind:
            folder.write(old, folder.good("export", "s.toml", "--format", kind).stdout)
        folder.write("new.toml", FILE.replace('"s"', f'"new{kind}"'))
        folder.good("import", "new.toml", old)
        assert [trial.get("note") for trial in folder.trials("new.toml")] == ["=foam, above\n450 K"] + [None] * (len(folder.trials("new.toml")) - 1), old


def test_states_and_standard_errors_of_an_old_sheet_are_read_or_refused(folder):
    folder.write("s.toml", FILE)
    folder.write("old.csv", "x,kind,value,state,SD\n1,a,2,Done,0.5\n2,b,,FAILED,\n3,c,,Pending,\n")
    out = folder.good("import", "s.toml", "old.csv")
    assert "Imported 2 trials from old.csv: 1 value, 1 failure." in out.stdout and "1 trial of old.csv has no outcome" in out.stderr
    folder.write("old.csv", "x,kind,value,state,SD\n4,a,2,failed,\n5,b,3,done,abc\n")
    folder.bad(2, "import", "s.toml", "old.csv", says=["old.csv:2", 'a value, but the state is "failed"'])
    folder.write("old.csv", "x,kind,value,state,SD\n4,a,2,done,abc\n5,b,3,done,0.1\n")
    folder.bad(2, "import", "s.toml", "old.csv", says=["old.csv:2: SD: expected the standard error", '"abc"', "Nothing was imported"])
    folder.write("old.jsonl", '{"params": {"x": 6, "kind": "a"}, "value": 1, "sd": "abc"}\n')
    folder.bad(2, "import", "s.toml", "old.jsonl", says=["old.jsonl:1: sd: expected a finite number"])
    assert len(folder.trials("s.toml")) == 2


def test_values_that_all_lie_outside_are_said(folder):
    begun(folder)
    edit(folder, ("low = 0, high = 10", "low = 20, high = 30"))
    folder.good("ask", "s.toml", "1", "--accept-changes")
    folder.bad(1, "best", "s.toml", says=["has no value yet that lies within the parameters as they are now"])


def test_what_is_wrong_in_a_file_is_not_imported(folder):
    name = folder.study()
    for wrong, says in {
        "x,y,value\n0,5,0.1,7.2\n": "expected 3 cells",
        "x,y,value\n0.5\n": "expected 3 cells",
        "x,X,y,value\n1,1,0.1,4\n": "is there twice",
        "x,y,value,error\n1,0.1,4,broken\n": "both a value and an error",
        "x,y,value,state\n1,0.1,4,weird\n": "state: expected",
        "x,y,value,measured.s\n1,0.1,4,oops\n": "measured.s",
        "x;y;value\n1,5;0,1;3,5\n1.5;0.1;3.0\n": "write them alike",
    }.items():
        folder.write("old.csv", wrong)
        folder.bad(2, "import", name, "old.csv", says=["old.csv", says])
    folder.write("old.jsonl", '{"params": {"x": 1')
    assert "json.exception" not in folder.bad(2, "import", name, "old.jsonl", says=["old.jsonl:1", "not JSON"]).stderr


def test_the_same_file_from_many_at_once_comes_in_once(folder):
    name = folder.study()
    folder.good("ask", name, "1")
    for command in ("import", "tell"):
        folder.write("old.csv", f"x,y,value\n0.5,0.{len(command)},1\n0.6,0.{len(command)},2\n")
        many = [folder.start(command, name, "old.csv") for _ in range(6)]
        for process in many:
            process.communicate()
        assert sorted(process.returncode for process in many) == [0, 2, 2, 2, 2, 2]
    assert len(folder.trials(name)) == 1 + 2 + 2


def test_a_value_that_a_parameter_cannot_have_had_is_refused(folder):
    name = folder.study()
    folder.good("tell", name, "-", input="x,y,value\n0.5,0.1,1\n")
    text = (folder / name).read_text()
    for domain in ('{ low = 1, high = 5, type = "int", before = 2.5 }', '{ choices = ["p", "q"], before = "nope" }',
                   '{ low = 1.0, high = 5.0, before = "x" }', "{ low = 1.0, high = 5.0, before = nan }"):
        folder.write(name, text.replace("[parameters]", f"[parameters]\nz = {domain}"))
        folder.bad(2, "ask", name, "--accept-changes", says=["before"])


harness.main(globals())
