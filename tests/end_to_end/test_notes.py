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


if __name__ == "__main__":
    harness.main(globals())
