"""What people remember about a study and its trials."""
import csv
import io

import harness


def test_notes_are_kept_shown_and_taken_back(folder):
    name = folder.study(batch=3)
    folder.good("ask", name, "3")
    assert folder.good("note", name).stdout == ""
    assert folder.good("note", name, "--trial", "2", "=foam, above\n450 K").stdout.startswith("trial 2: =foam, above")
    folder.good("note", name, "--trial", "1", "--trial", "3", "fine")
    folder.good("note", name, "new oven since Monday")
    assert "note     new oven since Monday" in folder.good("status", name).stdout
    shown = harness.lines(folder.good("note", name, "--json").stdout)
    assert shown[0] == {"event": "note", "text": "new oven since Monday"} and [line.get("trial") for line in shown[1:]] == [1, 2, 3]
    rows = list(csv.DictReader(io.StringIO(folder.good("export", name).stdout)))
    assert [row["note"] for row in rows] == ["fine", "'=foam, above\n450 K", "fine"]  # a spreadsheet runs no note
    assert folder.trials(name)[1]["note"] == "=foam, above\n450 K"
    folder.write("sheet.csv", "trial,value,note\n1,2.5,fine\n")
    folder.good("tell", name, "sheet.csv")  # the column is no mistake
    assert folder.good("note", name, "--trial", "1", "--clear").stdout == "The note of trial 1 is gone.\n"
    assert harness.lines(folder.good("note", name, "--clear", "--json").stdout) == [{"event": "note_cleared", "trials": []}]
    assert [line["trial"] for line in harness.lines(folder.good("note", name, "--trial", "1", "--trial", "2", "--json").stdout)] == [2]
    folder.bad(2, "note", name, "--trial", "9", "what", says=["there is no trial 9"])
    folder.bad(2, "note", name, "", says=["--clear"])
    folder.bad(2, "note", name, "--trial", "1", b"caf\xe9".decode("utf-8", "surrogateescape"), says=["UTF-8"])
    folder.bad(2, "note", name, "x", "--clear", says=["both"])
    folder.good("check", name)


def test_a_note_that_no_export_can_hold_stops_the_whole_file(folder):
    name = folder.study(batch=2)
    folder.good("ask", name, "2")
    before = folder.trials(name)
    for point in ('"trial": 1', '"params": {"x": 0.5, "y": 0.1}'):
        folder.write("told.jsonl", '{%s, "value": 1, "note": "a\\u0000b"}\n' % point)
        for command in ("tell", "import"):
            folder.bad(2, command, name, "told.jsonl", says=["told.jsonl:1"])
    folder.bad(2, "tell", name, "told.jsonl", says=["note: expected text without a NUL byte"])
    folder.bad(2, "import", name, "told.jsonl", says=["note: expected text without a NUL byte"])
    folder.write("told.jsonl", '{"trial": 1, "error": "a\\u0000b"}\n')
    folder.bad(2, "tell", name, "told.jsonl", says=["told.jsonl:1: error: expected text without a NUL byte"])
    folder.write("old.jsonl", '{"params": {"x": 0.5, "y": 0.1}, "state": "failed", "error": "a\\u0000b"}\n')
    folder.bad(2, "import", name, "old.jsonl", says=["old.jsonl:1: error: expected text without a NUL byte"])
    latin = b"caf\xe9".decode("utf-8", "surrogateescape")
    folder.bad(2, "tell", name, "--trial", "1", "--fail", latin, says=["trial 1", "UTF-8"])
    assert folder.trials(name) == before
    folder.good("tell", name, "--trial", "1", "--value", "1")
    for words in (["--value", "2", "--reason", latin], ["--fail", latin]):
        folder.bad(2, "amend", name, "--trial", "1", *words, says=["trial 1", "UTF-8"])
    assert folder.trials(name)[0]["value"] == 1


if __name__ == "__main__":
    harness.main(globals())
