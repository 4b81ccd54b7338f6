"""Sheets in people's hands: filled in, told twice, saved by a spreadsheet, measured elsewhere, nearly written over."""
import csv
import io
import json
import os

import harness
from harness import MIXED, lines

LIBRARY = "name,x,y\n" + "".join(f"c{i},{i / 40},{(i * 7) % 40 / 40}\n" for i in range(40))


def study(folder):
    return folder.write("m.toml", MIXED)


def pool(folder):
    folder.write("lib.csv", LIBRARY)
    folder.good("pool", "build", "lib.csv", "--features", "x,y", "--id", "name")
    return folder.write("lab.toml", 'direction = "maximize"\n[pool]\npath = "lib.pool"\n[budget]\nbatch = 4\n')


def asked(folder, name, count):
    folder.good("ask", "m.toml", str(count), "-o", name)
    return list(csv.DictReader(io.StringIO((folder / name).read_text())))


def sheet(rows, delimiter=","):
    out = io.StringIO()
    writer = csv.DictWriter(out, rows[0].keys(), delimiter=delimiter, lineterminator="\r\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def refused(folder, says, *command, **options):
    """Ends with 2 and these words, and the study is as it was."""
    before = folder.trials(command[1])
    result = folder.bad(2, *command, says=says, **options)
    assert folder.trials(command[1]) == before
    return result.stderr


def test_ask_never_writes_over_what_somebody_filled_in(folder):
    study(folder)
    rows = asked(folder, "batch.csv", 3)
    unfilled = (folder / "batch.csv").read_bytes()
    refused(folder, ["batch.csv", "exists", "--force"], "ask", "m.toml", "2", "-o", "batch.csv")
    assert (folder / "batch.csv").read_bytes() == unfilled
    folder.good("ask", "m.toml", "2", "-o", "batch.csv", "--force")
    assert (folder / "batch.csv").read_bytes() != unfilled
    filled = {"value": lambda r: r.update(value="1.5"), "error": lambda r: r.update(error="broke"), "state": lambda r: r.update(state="failed")}
    for column, fill in filled.items():
        for delimiter in (",", ";"):
            changed = [dict(r) for r in rows]
            fill(changed[1])
            text = sheet(changed, delimiter)
            folder.write("batch.csv", text)
            for force in ([], ["--force"]):
                refused(folder, ["batch.csv", "never written over", "line 3", column, "salvo tell"], "ask", "m.toml", "2", "-o", "batch.csv", *force)
                refused(folder, ["never written over"], "ask", "m.toml", "--pending", "-o", "batch.csv", *force)
            assert (folder / "batch.csv").read_bytes().decode() == text
    folder.write("batch.jsonl", '{"trial": 1, "value": null, "state": "pending"}\n{"trial": 2, "value": 3}\n')
    refused(folder, ["never written over", "line 2", "value 3"], "ask", "m.toml", "1", "-o", "batch.jsonl", "--force")
    answer = folder.bad(2, "ask", "m.toml", "1", "-o", "batch.jsonl", "--json")
    assert json.loads(answer.stdout)["event"] == "error"


def test_ask_never_writes_over_other_measurements(folder):
    study(folder)
    rows = asked(folder, "batch.csv", 2)
    for column, text in (("measured.mass", "5.1"), ("said.operator", "Anna")):
        rows[1] = {**{k: v for k, v in rows[1].items() if k in rows[0]}, column: text}
        folder.write("batch.csv", sheet([{**rows[1], column: "", "trial": "1"}, rows[1]]))
        refused(folder, ["never written over", f"line 3: {column} {text}"], "ask", "m.toml", "2", "-o", "batch.csv", "--force")


def test_ask_writes_to_what_is_no_sheet(folder):
    study(folder)
    assert folder.good("ask", "m.toml", "1", "-o", "/dev/stdout").stdout.startswith("trial,")
    folder.good("ask", "m.toml", "1", "-o", "/dev/null")
    folder.write("empty.csv", "")
    folder.good("ask", "m.toml", "1", "-o", "empty.csv")
    os.symlink("empty.csv", folder / "link.csv")
    folder.bad(2, "ask", "m.toml", "1", "-o", "link.csv", says=["exists"])


def test_export_replaces_exports_but_no_values_of_people(folder):
    study(folder)
    rows = asked(folder, "batch.csv", 3)
    for name in ("all.csv", "all.jsonl"):
        kind = ["--format", "json"] if name.endswith("l") else []
        folder.good("export", "m.toml", "-o", name, *kind)
        folder.good("tell", "m.toml", "--trial", "1", "--value", "1")
        folder.good("export", "m.toml", "-o", name, *kind)
        folder.good("export", "m.toml", "-o", name, *kind)
    rows[1]["value"] = "12.5"
    folder.write("all.csv", sheet(rows))
    for force in ([], ["--force"]):
        refused(folder, ["all.csv", "line 3", "trial 2", "salvo tell"], "export", "m.toml", "-o", "all.csv", *force)
    folder.good("tell", "m.toml", "all.csv")
    folder.good("export", "m.toml", "-o", "all.csv")
    folder.write("notes.txt", "my notes\n")
    refused(folder, ["notes.txt", "--force"], "export", "m.toml", "-o", "notes.txt")
    folder.good("export", "m.toml", "-o", "notes.txt", "--force")


def test_a_sheet_is_told_again_with_more_rows(folder):
    study(folder)
    rows = asked(folder, "batch.csv", 5)
    rows[0]["value"], rows[1]["error"], rows[1]["state"] = "0.158880453291694", "the pump stopped", ""
    folder.write("batch.csv", sheet(rows))
    assert folder.good("tell", "m.toml", "batch.csv").stdout == "Took 2 outcomes: 1 value, 1 failure; 3 rows have no value yet.\n"
    rows[2]["value"] = "3"
    folder.write("batch.csv", sheet(rows))
    assert folder.good("tell", "m.toml", "batch.csv").stdout == "Took 1 outcome: 1 value; 2 were told before; 2 rows have no value yet.\n"
    told = json.loads(folder.good("tell", "m.toml", "batch.csv", "--json").stdout)
    assert (told["taken"], told["told_before"], told["open"]) == (0, 3, 2)
    rows[0]["value"], rows[1]["error"], rows[1]["value"], rows[3]["value"] = "7", "", "8", "9"
    folder.write("batch.csv", sheet(rows))
    said = refused(folder, ["batch.csv:2: trial 1 was told with the value 0.158880453291694", "the file has 7",
                            'batch.csv:3: trial 2 has failed ("the pump stopped")', "the file has 8",
                            "salvo amend m.toml --trial 1 --value 7 --reason"], "tell", "m.toml", "batch.csv")
    assert "trial 4" not in said
    assert "told before" in folder.good("tell", "m.toml", "--trial", "3", "--value", "3").stdout
    refused(folder, ["trial 3 was told with the value 3", "salvo amend m.toml --trial 3 --value 4"], "tell", "m.toml", "--trial", "3", "--value", "4")


def test_points_without_a_trial_are_told_once(folder):
    study(folder)
    old = "temperature,rate,stages,catalyst,value\n400,0.1,3,Pt,7\n400,0.1,3,Pt,7\n500,0.01,4,Ni,8\n"
    folder.write("old.csv", old)
    folder.good("tell", "m.toml", "old.csv")
    refused(folder, ["old.csv", "all 3 rows were told before", "--again"], "tell", "m.toml", "old.csv")
    folder.write("old.csv", old + "600,0.5,2,Pd,9\n")
    assert folder.good("tell", "m.toml", "old.csv").stdout == "Took 1 outcome: 1 point evaluated elsewhere; 3 were told before.\n"
    folder.good("tell", "m.toml", "old.csv", "--again")
    assert [t["value"] for t in folder.trials("m.toml")] == [7, 7, 8, 9, 7, 7, 8, 9]


def test_candidates_follow_the_same_rule(folder):
    pool(folder)
    ids = [t["params"]["candidate"] for t in lines(folder.good("ask", "lab.toml", "--format", "json").stdout)]
    folder.write("r.csv", f"Candidate;value;operator\n{ids[0]};1,5;Ann\n{ids[1]};;Bob\n")
    result = folder.good("tell", "lab.toml", "r.csv")
    assert "1 row has no value yet" in result.stdout and "said.operator" in result.stderr
    folder.write("r.csv", f"Candidate;value\n{ids[0]};1,5\n{ids[1]};2\n")
    assert "1 was told before" in folder.good("tell", "lab.toml", "r.csv").stdout
    assert folder.status("lab.toml")["done"] == 2
    assert "Took 0 outcomes; 2 were told before" in folder.good("tell", "lab.toml", "r.csv").stdout
    folder.write("r.csv", f"candidate,value\n{ids[0]},3\n{ids[2]},1\n{ids[1]},4\nnobody,1\n")
    refused(folder, [f"r.csv:2: trial 1 ({ids[0]}) was told with the value 1.5", "r.csv:4: trial 2", "r.csv:5", "nobody",
                     "salvo amend lab.toml", "--again"], "tell", "lab.toml", "r.csv")
    folder.write("r.csv", f"candidate,value\n{ids[0]},3\n")
    folder.good("tell", "lab.toml", "r.csv", "--again")
    folder.write("r.csv", f"trial,candidate,value\n3,c{(int(ids[2][1:]) + 1) % 40},3\n")
    refused(folder, ["candidate: trial 3 was asked for at", "--as-measured"], "tell", "lab.toml", "r.csv")


def test_a_spreadsheet_changes_nothing(folder):
    study(folder)
    rows = asked(folder, "batch.csv", 4)
    for i, row in enumerate(rows):
        for name in ("temperature", "rate"):
            row[name] = f"{float(row[name]):.4g}".replace(".", ",")
        row["value"], row["operator"], row["remark"] = f"{i},5", "Ann", 'said "fine"; left'
        del row["state"], row["stages"]
    saved = sheet([dict(reversed(r.items())) for r in rows], ";").replace("trial", "TRIAL")
    (folder / "batch.csv").write_bytes(saved.encode("utf-16"))
    result = folder.good("tell", "m.toml", "batch.csv")
    assert result.stdout == "Took 4 outcomes: 4 values.\n"
    assert result.stderr == "salvo: note: columns of your own are kept beside the values: said.remark, said.operator\n"
    assert folder.good("tell", "m.toml", "batch.csv").stderr == "", "what was told before is not kept again"
    trials = folder.trials("m.toml")
    assert [t["value"] for t in trials] == [0.5, 1.5, 2.5, 3.5]
    assert all(len(str(t["params"]["temperature"])) > 6 for t in trials), "the trial's own point stays"
    assert trials[0]["said"] == {"operator": "Ann", "remark": 'said "fine"; left'}


def test_what_people_keep_beside_a_value(folder):
    study(folder)
    rows = asked(folder, "batch.csv", 3)
    for i, row in enumerate(rows):
        row.update(value=str(i), seconds=str(30 + i), sample=f"00{i}", note="watch this" if i == 1 else "")
    rows[2].update(value="", error="the pump leaked")
    folder.write("batch.csv", sheet(rows))
    told = json.loads(folder.good("tell", "m.toml", "batch.csv", "--json").stdout)
    assert told["kept"] == ["measured.seconds", "said.sample"] and told["left_out"] == []
    trials = folder.trials("m.toml")
    assert trials[1]["measured"] == {"seconds": 31} and trials[1]["said"] == {"sample": "001"} and trials[1]["note"] == "watch this"
    folder.bad(2, "export", "m.toml", "-o", "batch.csv", says=["column of somebody's own", "measured.seconds"])
    rows[0]["note"] = "said later"
    folder.write("batch.csv", sheet(rows))
    assert "3 were told before" in folder.good("tell", "m.toml", "batch.csv").stdout
    assert folder.trials("m.toml")[0]["note"] == "said later"
    rows[0]["sample"] = "009"
    folder.write("batch.csv", sheet(rows))
    folder.good("amend", "m.toml", "batch.csv", "--reason", "the label")
    assert folder.trials("m.toml")[0]["said"] == {"sample": "009"}


def test_measured_elsewhere_than_asked(folder):
    study(folder)
    rows = asked(folder, "batch.csv", 3)
    for row in rows:
        row["value"] = "5"
    rows[1]["temperature"] = "444.4" if float(rows[1]["temperature"]) > 500 else "555.5"
    folder.write("batch.csv", sheet(rows))
    refused(folder, [f"batch.csv:3: temperature: trial 2 was asked for at", f"the file has {rows[1]['temperature']}",
                     "salvo tell m.toml batch.csv --as-measured"], "tell", "m.toml", "batch.csv")
    told = json.loads(folder.good("tell", "m.toml", "batch.csv", "--as-measured", "--json").stdout)
    assert (told["taken"], told["values"], told["as_measured"], told["abandoned"]) == (3, 2, 1, 0)
    trials = folder.trials("m.toml")
    assert [t["state"] for t in trials] == ["done", "abandoned", "done", "done"]
    assert trials[3]["params"]["temperature"] == float(rows[1]["temperature"]) and trials[3]["origin"] == "told"
    assert trials[3]["params"]["rate"] == trials[1]["params"]["rate"], "what was only rounded is the trial's"
    assert "Took 0 outcomes; 3 were told before" in folder.good("tell", "m.toml", "batch.csv", "--as-measured").stdout
    assert len(folder.trials("m.toml")) == 4
    rows[1]["value"] = "6"
    folder.write("batch.csv", sheet(rows))
    refused(folder, ["batch.csv:3: --as-measured: trial 2", "salvo amend", "--again"],
            "tell", "m.toml", "batch.csv", "--as-measured")
    assert len(folder.trials("m.toml")) == 4, "a sheet that was corrected is no second measurement"
    folder.bad(2, "tell", "m.toml", "--trial", "1", "--value", "5", "--as-measured", says=["--as-measured", "FILE"])


def test_measured_elsewhere_but_told_already(folder):
    """The advice that is given leads to where somebody wants to be."""
    study(folder)
    (row,) = asked(folder, "batch.csv", 1)
    folder.good("tell", "m.toml", "--trial", "1", "--value", "5")
    row["temperature"], row["value"] = "444.4", "5"
    folder.write("batch.csv", sheet([row]))
    advice = refused(folder, ["at the point that was asked for", "the file has another one"], "tell", "m.toml", "batch.csv", "--as-measured")
    assert "salvo forget m.toml --trial 1, salvo revive m.toml --trial 1, and this again" in advice
    for command in ("forget", "revive"):
        folder.good(command, "m.toml", "--trial", "1")
    folder.good("tell", "m.toml", "batch.csv", "--as-measured")
    first, second = folder.trials("m.toml")
    assert (first["state"], second["state"], second["params"]["temperature"]) == ("abandoned", "done", 444.4)


def test_what_was_told_is_put_right_by_the_command_that_is_named(folder):
    study(folder)
    asked(folder, "batch.csv", 1)
    folder.good("tell", "m.toml", "--trial", "1", "--value", "5")
    for words, advice in ((["--abandon"], "salvo forget m.toml --trial 1 --reason"),
                          (["--fail", "it broke"], "salvo amend m.toml --trial 1 --fail 'it broke' --reason"),
                          (["--value", "6"], "salvo amend m.toml --trial 1 --value 6 --reason")):
        refused(folder, [advice], "tell", "m.toml", "--trial", "1", *words)


def test_a_spreadsheets_own_file_is_named(folder):
    study(folder)
    for name, begins in (("a.xlsx", b"PK\x03\x04\0\0"), ("a.xls", b"\xd0\xcf\x11\xe0\0\0")):
        (folder / name).write_bytes(begins + bytes(range(256)))
        for command in ("tell", "enqueue", "amend", "import"):
            folder.bad(2, command, "m.toml", name, says=[f"{name}: expected text, got a spreadsheet's own file; save it as CSV there"])


def test_a_tell_that_was_cut_off_is_finished_by_the_next(folder):
    """Of --as-measured the point is written first: here it is known and the trial still open."""
    study(folder)
    (row,) = asked(folder, "batch.csv", 1)
    point = {"temperature": 444.4, "rate": float(row["rate"]), "stages": int(row["stages"]), "catalyst": row["catalyst"]}
    folder.good("tell", "m.toml", "-", input=json.dumps({"params": point, "value": 5}))
    row["temperature"], row["value"] = "444.4", "5"
    folder.write("batch.csv", sheet([row]))
    assert "1 was told before" in folder.good("tell", "m.toml", "batch.csv", "--as-measured").stdout
    assert [t["state"] for t in folder.trials("m.toml")] == ["abandoned", "done"]


def test_values_with_their_standard_errors(folder):
    """A column "sd" beside the value, a key of a JSON line, an option: kept, exported, told again, put right."""
    study(folder)
    rows = asked(folder, "batch.csv", 4)
    for row, value, sd in zip(rows, (5, 7, 6), (0.1, 0.4, "")):
        row["value"], row["SD"] = value, sd
    rows[3]["SD"] = ""
    folder.write("batch.csv", sheet(rows))
    folder.good("tell", "m.toml", "batch.csv")
    folder.good("tell", "m.toml", "--trial", "4", "--value", "8", "--sd", "2")
    assert [t.get("measured", {}).get("sd") for t in folder.trials("m.toml")] == [0.1, 0.4, None, 2]
    folder.good("amend", "m.toml", "--trial", "4", "--value", "8", "--sd", "0.2", "--reason", "a slip")
    exported = folder.good("export", "m.toml").stdout
    assert "measured.sd" in exported.splitlines()[0]
    folder.write("all.csv", exported)
    assert "4 were told before" in folder.good("tell", "m.toml", "all.csv").stdout
    folder.good("tell", "m.toml", "-", input=json.dumps(
        {"params": {"temperature": 400, "rate": 0.1, "stages": 2, "catalyst": "Pd"}, "value": 1, "sd": 0.3}))
    assert folder.trials("m.toml")[-1]["measured"] == {"sd": 0.3}
    line = "temperature,rate,stages,catalyst,value,sd\n400,0.1,2,Pd,1,{}\n"
    assert "1 was told before" not in folder.bad(2, "tell", "m.toml", "-", input=line.format(0.3), says=["told before"]).stdout
    refused(folder, ["was told with the value 1 (sd 0.3)", "the file has 1 (sd 0.5)", "salvo amend", "--sd 0.5"],
            "tell", "m.toml", "-", input=line.format(0.5))
    folder.write("new.toml", MIXED.replace("mixed", "new"))
    folder.write("old.csv", line.format(0.5))
    folder.good("import", "new.toml", "old.csv")
    assert folder.trials("new.toml")[-1]["measured"] == {"sd": 0.5}
    folder.bad(2, "import", "new.toml", "new.db", "--as", "prior", says=["two trials"])
    refused(folder, ["standard input:2: sd: expected the standard error", "not negative", "-1"],
            "tell", "m.toml", "-", input="temperature,rate,stages,catalyst,value,sd\n400,0.1,2,Pd,1,-1\n")
    refused(folder, ["standard input:2: sd: expected a finite number", "much"],
            "tell", "m.toml", "-", input="temperature,rate,stages,catalyst,value,sd\n400,0.1,2,Pd,1,much\n")
    refused(folder, ["--sd", "not negative"], "tell", "m.toml", "--trial", "4", "--value", "1", "--sd", "-1")
    refused(folder, ["--sd is the standard error of --value"], "tell", "m.toml", "--trial", "4", "--abandon", "--sd", "1")


def test_what_nobody_sees_in_a_cell_does_no_harm(folder):
    """Blanks that do not break a line, and the minus of print, as word processors and web pages have them."""
    study(folder)
    rows = asked(folder, "batch.csv", 3)
    rows[0]["value"], rows[1]["value"], rows[2]["value"] = "\u22121.5\u00a0", "2.5\u202f", "\u00a0"
    folder.write("batch.csv", sheet(rows).replace("value", "value\u00a0", 1))
    assert "2 values; 1 row has no value yet" in folder.good("tell", "m.toml", "batch.csv").stdout
    assert [trial["value"] for trial in folder.trials("m.toml")] == [-1.5, 2.5, None]


def test_one_trial_named_twice_is_told_once(folder):
    study(folder)
    folder.good("ask", "m.toml", "2")
    assert "Took 2 outcomes: 2 abandoned" in folder.good("tell", "m.toml", "--trial", "1", "2", "1", "--abandon").stdout


def test_all_mistakes_at_once(folder):
    study(folder)
    rows = asked(folder, "batch.csv", 3)
    said = refused(folder, ["standard input:2: value", "standard input:3: there is no trial 99; the study has 3",
                            "standard input:5: trial 1 is there twice, first in line 4", "Nothing of the file was taken"],
                   "tell", "m.toml", "-", input="trial,value\n2,high\n99,1\n1,2\n1,3\n")
    assert said.count("standard input:") == 3
    refused(folder, ["no value yet", '"value"'], "tell", "m.toml", "batch.csv")
    assert rows


harness.main(globals())
