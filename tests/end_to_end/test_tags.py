"""Words that people put on trials, and texts that programs say beside a value."""
import csv
import io
import json

import harness


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_tags_are_kept_shown_and_taken_off(folder):
    name = folder.study(batch=4)
    folder.good("ask", name, "4")
    assert folder.good("tag", name).stdout == ""
    assert "tags" not in folder.good("export", name).stdout
    assert "2 trials carry pilot, oven-2 now" in folder.good("tag", name, "pilot", "oven-2", "--trial", "2", "3").stdout
    assert json.loads(folder.good("tag", name, "dry", "--trial", "2", "--json").stdout) == {"event": "tagged", "tags": ["dry"], "trials": [2]}
    assert folder.good("tag", name).stdout == "dry: trial 2\noven-2: trials 2, 3\npilot: trials 2, 3\n"
    assert "1 trial no longer carries pilot." in folder.good("tag", name, "pilot", "--trial", "3", "--remove").stdout
    assert harness.lines(folder.good("tag", name, "--trial", "3", "--json").stdout) == [{"event": "tag", "name": "oven-2", "trials": [3]}]
    assert [row["tags"] for row in rows(folder.good("export", name).stdout)] == ["", "dry oven-2 pilot", "oven-2", ""]
    assert [trial.get("tags") for trial in folder.trials(name)] == [None, ["dry", "oven-2", "pilot"], ["oven-2"], None]
    assert "tags     dry on 1 trial, oven-2 on 2 trials, pilot on 1 trial" in folder.good("status", name).stdout
    assert folder.status(name)["tags"] == {"dry": 1, "oven-2": 2, "pilot": 1}
    folder.good("check", name)


def test_what_is_no_tag_is_refused_and_changes_nothing(folder):
    name = folder.study(batch=2)
    folder.good("ask", name, "2")
    for word in ("a b", "a,b", "a;b", 'a"b', "it's", "x" * 65, "", "a\tb"):
        folder.bad(2, "tag", name, "good", word, "--trial", "1", says=["tag: expected", "Nothing was changed"])
    folder.bad(2, "tag", name, b"caf\xe9".decode("utf-8", "surrogateescape"), "--trial", "1", says=["UTF-8"])
    folder.bad(2, "tag", name, "pilot", "--trial", "1", "9", says=["there is no trial 9; the study has 2"])
    folder.bad(2, "tag", name, "pilot", says=["--trial"])
    folder.bad(2, "tag", name, "--trial", "1", "--remove", says=["--remove"])
    assert folder.good("tag", name).stdout == ""


def test_only_the_trials_with_a_tag(folder):
    name = folder.study(batch=4)
    folder.write("points.csv", "x,y,value,tags\n0.1,0.1,1,pilot\n0.2,0.2,5,pilot; dry\n0.3,0.3,9,\n0.4,0.4,7,dry\n")
    folder.good("tell", name, "points.csv")
    assert [row["trial"] for row in rows(folder.good("export", name, "--tag", "pilot").stdout)] == ["1", "2"]
    assert [row["trial"] for row in rows(folder.good("export", name, "--tag", "pilot", "--tag", "dry").stdout)] == ["2"]
    best = harness.lines(folder.good("best", name, "--tag", "dry", "--top", "3", "--json").stdout)
    assert {line["point"]["trial"] for line in best} == {2, 4} and len(best) == 2
    assert len(harness.lines(folder.good("best", name, "--tag", "pilot", "--json").stdout)) == 1
    folder.bad(2, "export", name, "--tag", "pilt", says=['--tag: no trial carries "pilt"', "pilot"])
    folder.bad(2, "export", name, "--tag", "pilot", "--history", says=["--history"])
    folder.good("plot", name, "-o", "p.html", "--tag", "dry")
    page = (folder / "p.html").read_text(encoding="utf-8")
    data = json.loads(page.split('id="data">')[1].split("</script>")[0])
    assert data["trials"]["id"] == [2, 4] and data["trials"]["tags"] == {"2": ["dry", "pilot"], "4": ["dry"]}


def test_a_sheet_has_tags_and_may_be_told_again(folder):
    name = folder.study(batch=3)
    folder.good("ask", name, "3")
    folder.write("sheet.csv", "trial,value,tags\n1,1.5,pilot\n2,2.5,\n3,,late\n")
    folder.good("tell", name, "sheet.csv")
    folder.write("sheet.csv", "trial,value,tags\n1,1.5,pilot oven-2\n2,2.5,=cmd\n3,3.5,late\n")
    folder.good("tell", name, "sheet.csv")
    assert [row["tags"] for row in rows(folder.good("export", name).stdout)] == ["oven-2 pilot", "'=cmd", "late"]  # a spreadsheet runs no tag
    folder.write("again.csv", folder.good("export", name).stdout)
    assert "3 were told before" in folder.good("tell", name, "again.csv").stdout
    folder.write("json.jsonl", '{"trial": 1, "value": 1.5, "tags": ["json"]}\n')
    folder.good("tell", name, "json.jsonl")
    assert folder.trials(name)[0]["tags"] == ["json", "oven-2", "pilot"]
    folder.write("wrong.csv", 'trial,value,tags\n1,1.5,"a,b"\n')
    folder.bad(2, "tell", name, "wrong.csv", says=["wrong.csv:2", "tags: expected"])


def test_import_brings_tags_and_texts(folder):
    name = folder.study(batch=2)
    folder.write("points.csv", "x,y,value,tags,said.by\n0.1,0.1,1,pilot,Anna\n0.2,0.2,5,,Ben\n")
    folder.good("tell", name, "points.csv")
    folder.write("old.csv", folder.good("export", name).stdout)
    folder.write("old.jsonl", folder.good("export", name, "--json").stdout)
    folder.good("backup", name, "old.db")
    for old in ("old.db", "old.csv", "old.jsonl"):
        for part in folder.path.glob("s.db*"):
            part.unlink()
        folder.good("import", name, old)
        trials = folder.trials(name)
        assert [trial.get("tags") for trial in trials] == [["pilot"], None], old
        assert [trial["said"] for trial in trials] == [{"by": "Anna"}, {"by": "Ben"}], old
    folder.write("old.csv", 'x,y,value,tags\n0.3,0.1,1,"a,b"\n')
    folder.bad(2, "import", name, "old.csv", says=["old.csv:2", "tags: expected", "Nothing was imported"])
    folder.bad(2, "import", name, "old.csv", "--fill", "x=1", "--fill", "x=2", says=["--fill: x is there twice"])


def test_texts_of_a_program_are_kept(folder):
    folder.write("said.json", json.dumps({"value": 1, "seconds": 2, "compiler": 'gcc "12"', "log": "=cmd\x07", "list": [1]}))
    name = folder.study(objective='command = "cat said.json"', batch=2, evaluations=2)
    folder.good("run", name)
    row = rows(folder.good("export", name).stdout)[0]
    assert (row["measured.seconds"], row["said.compiler"], row["said.log"]) == ("2", 'gcc "12"', "'=cmd\\x07")
    assert folder.trials(name)[1]["said"] == {"compiler": 'gcc "12"', "log": "=cmd\\x07"}
    folder.good("check", name)
    folder.write("right.csv", "trial,value,said.compiler\n1,3,clang\n")
    folder.good("amend", name, "right.csv")
    assert folder.trials(name)[0]["said"] == {"compiler": "clang", "log": "=cmd\\x07"}


if __name__ == "__main__":
    harness.main(globals())
