"""Points of one's own that are tried first, and batches in which some parameters are given."""
import csv
import io
import json

import harness


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def points(text):
    return [(float(row["x"]), float(row["y"])) for row in rows(text)]


def test_own_guesses_are_handed_out_first(folder):
    name = folder.study(batch=3)
    out = folder.good("enqueue", name, "x=0.5", "y=0.1").stdout
    assert out == "Queued 1 point. 1 point waits, and will be handed out first.\n", out
    folder.write("guesses.csv", "y;x;remark\n0,2;1,5;the oven\n0,1;0,5;known\n0,3;-1;\n")
    out = folder.good("enqueue", name, "guesses.csv").stdout
    assert "Queued 2 points; 1 waits already" in out and "3 points wait" in out, out
    listed = folder.good("enqueue", name, "--list").stdout.splitlines()
    assert [line.split() for line in listed] == [["1", "x=0.5", "y=0.1"], ["2", "x=1.5", "y=0.2"], ["3", "x=-1", "y=0.3"]]
    in_json = harness.lines(folder.good("enqueue", name, "--list", "--json").stdout)
    assert in_json[1] == {"event": "queued", "number": 2, "params": {"x": 1.5, "y": 0.2}}
    assert "3 points to be tried next" in folder.good("status", name).stdout and folder.status(name)["queued"] == 3
    assert "Took 1 point out" in folder.good("enqueue", name, "--remove", "2").stdout
    assert points(folder.good("ask", name, "3").stdout)[:2] == [(0.5, 0.1), (-1, 0.3)]
    assert [trial["origin"] for trial in folder.trials(name)] == ["queue", "queue", "initial"]
    assert folder.good("enqueue", name, "--list").stdout == "Nothing waits.\n"
    folder.good("tell", name, "--trial", "1", "--value", "1")
    assert "Queued 0 points; 1 waits already, is pending or has a value" in folder.good("enqueue", name, "x=0.5", "y=0.1").stdout
    assert json.loads(folder.good("enqueue", name, "x=0.5", "y=0.1", "--again", "--json").stdout) == {
        "event": "enqueued", "queued": 1, "left_out": 0, "waiting": 1}
    folder.good("check", name)


def test_a_run_tries_them_too(folder):
    name = folder.study(objective='command = ["echo", "{x}"]', batch=2, evaluations=4)
    folder.good("enqueue", name, "-", input='{"params": {"x": 0.25, "y": 0.5}}\n{"params": {"x": -0.75, "y": 0.5}}\n')
    folder.good("run", name)
    trials = folder.trials(name)
    assert [(trial["params"]["x"], trial["value"]) for trial in trials[:2]] == [(0.25, 0.25), (-0.75, -0.75)]
    assert len(trials) == 4


def test_starting_points_of_the_study_file(folder):
    name = folder.study(batch=3)
    text = (folder / name).read_text()
    start = 'start = [{ x = 0.5, y = 0.1 }, { x = 1, y = 0.2 }]\n'
    folder.write(name, start + text)
    assert points(folder.good("ask", name, "3").stdout)[:2] == [(0.5, 0.1), (1, 0.2)]
    folder.write(name, start.replace("x = 1,", "x = 2,") + text)  # another guess later
    assert points(folder.good("ask", name, "2").stdout)[0] == (2, 0.2)
    assert folder.status(name)["queued"] == 0
    folder.write(name, "start = [{ x = 0.5, y = 0.1 }, { x = 9, y = 1 }, { x = 1 }, { x = 1, z = 2, y = 1 }, 7]\n" + text)
    said = folder.bad(2, "ask", name, says=["s.toml:1", "parameter \"x\": expected", "no parameter is called \"z\"", "expected a point"]).stderr
    assert "y: expected a value, got none" in said, said


def test_starting_points_come_once(folder):
    """One that failed, or that somebody took out of the queue, does not come back when others are added."""
    name = folder.study(batch=3)
    text = (folder / name).read_text()
    folder.write(name, "start = [{ x = 0.5, y = 0.1 }, { x = 1, y = 0.2 }]\n" + text)
    assert points(folder.good("ask", name, "1").stdout) == [(0.5, 0.1)]
    folder.good("tell", name, "--trial", "1", "--fail", "foam")
    folder.good("enqueue", name, "--clear")
    folder.write(name, "start = [{ x = 0.5, y = 0.1 }, { x = 1, y = 0.2 }, { x = 1.5, y = 0.3 }]\n" + text)
    assert points(folder.good("ask", name, "1").stdout) == [(1.5, 0.3)]
    folder.write(name, text)
    folder.good("ask", name, "1")
    folder.write(name, "start = [{ x = 1, y = 0.2 }]\n" + text)  # taken out of the file and put back
    folder.good("ask", name, "1")
    assert folder.status(name)["queued"] == 0 and (1, 0.2) not in [tuple(t["params"].values()) for t in folder.trials(name)]


def test_a_batch_with_values_given(folder):
    folder.write("m.toml", harness.MIXED)
    batch = rows(folder.good("ask", "m.toml", "4", "--fix", "temperature=450", "--fix", "catalyst=Pt").stdout)
    assert {(row["temperature"], row["catalyst"]) for row in batch} == {("450", "Pt")}
    assert len({row["rate"] for row in batch}) == 4
    folder.bad(2, "ask", "m.toml", "--fix", "temprature=450", says=["--fix", "temperature"])
    folder.bad(2, "ask", "m.toml", "--fix", "temperature=4500", says=["--fix", "900"])
    folder.bad(2, "ask", "m.toml", "--fix", "temperature", says=["NAME=VALUE"])
    folder.bad(2, "ask", "m.toml", "--fix", "catalyst=Pt", "catalyst=Pd", says=["salvo: --fix: catalyst is there twice"])
    folder.bad(2, "ask", "m.toml", "--pending", "--fix", "catalyst=Pt", says=["--fix"])
    assert len(folder.trials("m.toml")) == 4


def test_a_value_for_every_parameter_is_a_point_for_the_queue(folder):
    name = folder.study()
    said = folder.bad(2, "ask", name, "1", "--fix", "x=0.5", "y=0.1", says=["--fix: expected at least one parameter", "salvo enqueue"]).stderr
    assert "fixed" not in said and not (folder / "s.db").exists() or folder.trials(name) == []


def test_bad_points_are_named_and_nothing_is_queued(folder):
    folder.write("m.toml", harness.MIXED)
    folder.bad(2, "enqueue", "m.toml", says=["enqueue: expected one of", "got none"])
    folder.bad(2, "enqueue", "m.toml", "x.csv", "--list", says=["got several"])
    folder.bad(2, "enqueue", "m.toml", "temperature=450", says=["rate, stages, catalyst", "--fix"])
    folder.bad(2, "enqueue", "m.toml", "temperature=450,rate=0.1,stages=2,catalyst=Pd", says=["put a space between"])
    folder.bad(1, "enqueue", "m.toml", "nowhere.csv", says=["nowhere.csv"])
    folder.write("bad.csv", "temperature,rate,stages,catalyst\n450,0.1,2,Pd\n4500,0.1,2,Pd\n450,0.1,2.5,Au\n")
    said = folder.bad(2, "enqueue", "m.toml", "bad.csv", says=["bad.csv:3", "bad.csv:4", "temperature", "stages"]).stderr
    assert "catalyst" in said, said
    folder.write("short.csv", "temperature,rate\n450,0.1\n")
    folder.bad(2, "enqueue", "m.toml", "short.csv", says=["stages"])
    folder.write("empty.csv", "temperature,rate,stages,catalyst\n")
    folder.bad(2, "enqueue", "m.toml", "empty.csv", says=["empty.csv"])
    assert folder.good("enqueue", "m.toml", "--list").stdout == "Nothing waits.\n"


def test_points_that_could_not_be_delivered_wait_again(folder):
    name = folder.study(batch=2)
    folder.good("enqueue", name, "x=0.5", "y=0.1")
    folder.good("enqueue", name, "x=0.6", "y=0.1")
    folder.bad(1, "ask", name, "2", "-o", "/dev/full", says=["taken back"])
    assert points(folder.good("ask", name, "2").stdout) == [(0.5, 0.1), (0.6, 0.1)]


def test_a_mistake_elsewhere_is_not_blamed_on_start(folder):
    folder.write("s.toml", 'direction = "minimize"\nstart = [{ x = 0.5 }]\n[parameters]\nx = { low = 0.0, high = 1.0 }\n[budget]\nbatch = 0\n')
    assert "start" not in folder.bad(2, "ask", "s.toml", says=["budget.batch"]).stderr


if __name__ == "__main__":
    harness.main(globals())
