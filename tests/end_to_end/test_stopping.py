"""When a run stops, what it says of failures, and what progress shows."""
import re

import harness
from harness import lines

SLOPE = "command = \"python3 -c 'import sys; print(float(sys.argv[1]))' {x}\""


def test_a_target_ends_the_run_with_its_words(folder):
    study = folder.study(objective=SLOPE, batch=5, evaluations=200)
    result = folder.good("run", study, "--target", "-1.5")
    last = result.stdout.splitlines()[-1]
    assert re.fullmatch(r"Stopped: the target -1.5 was reached \(.+\)\.", last), result.stdout
    again = folder.good("run", study, "--target", "-1.5", "--json")
    event = lines(again.stdout)[-1]
    assert event["end"] == "target_reached" and "already" in event["reason"], event
    assert event["run"] == {"evaluations": 0, "failed": 0, "last_failure": None, "machine_failures": 0, "left_by_machine": 0}
    assert event["evaluations"] < 200


def test_a_large_value_is_written_out(folder):
    study = folder.study(objective=SLOPE.replace("float(sys.argv[1])", "123456 + float(sys.argv[1])"), batch=5, evaluations=200)
    last = folder.good("run", study, "--target", "123454.6").stdout.splitlines()[-1]
    assert re.search(r"was reached \(12345[456]\b", last), last


def test_time_ends_the_run_and_what_has_begun_is_told(folder):
    study = folder.study(objective='command = "sleep 0.2; echo 1"', batch=50, evaluations=50)
    result = folder.good("run", study, "--time", "0.5")
    assert "Stopped: the time of 0.5 s for a run is over." in result.stdout
    status = folder.status(study)
    assert 0 < status["done"] < 50 and status["done"] + status["pending"] == 50
    event = lines(folder.good("run", study, "--set", "budget.time=1 s", "--json").stdout)[-1]
    assert event["end"] == "time_over" and event["reason"] == "the time of 1 s for a run is over"


def test_patience(folder):
    study = folder.study(objective='command = "echo 1"', batch=5, evaluations=500)
    event = lines(folder.good("run", study, "--patience", "10", "--json").stdout)[-1]
    assert event["end"] == "no_improvement" and "last 10 evaluations" in event["reason"], event
    assert event["evaluations"] < 100
    assert "budget spent" in folder.good("run", study, "--set", f"budget.evaluations={event['evaluations'] + 5}").stdout


def test_a_run_ends_when_little_is_left_to_gain(folder):
    study = folder.study(objective="command = \"python3 -c 'import sys; print((float(sys.argv[1]) - 0.3) ** 2)' {x}\"", batch=5, evaluations=200)
    event = lines(folder.good("run", study, "--gain", "0.001", "--json").stdout)[-1]
    assert event["end"] == "no_improvement" and event["evaluations"] < 100, event
    said = re.fullmatch(r"going on is expected to improve the recommendation \(.+\) by (\S+), less than 0.001", event["reason"])
    assert said and float(said[1]) < 0.001, event
    assert folder.good("run", study, "--gain", "0.001").stdout.splitlines()[-1].startswith("Stopped: going on is expected")
    folder.bad(2, "run", study, "--gain", "-1", says=["--gain", "from 0"])
    (folder / "s.toml").write_text((folder / "s.toml").read_text().replace('direction = "minimize"', '[outputs]\na = "minimize"\nb = { max = 1 }'))
    folder.bad(2, "run", study, "--storage", "two.db", "--gain", "1", says=["budget.gain", "with 2 outputs", "budget.patience"])


def test_flags_are_of_one_run_and_are_checked(folder):
    study = folder.study(objective=SLOPE, batch=5, evaluations=10)
    folder.good("run", study, "--target", "100")
    assert "budget spent" in folder.good("run", "s.db").stdout
    folder.bad(2, "run", study, "--time", "soon", says=["--time", "1h30m", "soon"])
    folder.bad(2, "run", study, "--time", "0", says=["--time", "more than 0"])
    folder.bad(2, "run", study, "--target", "nan", says=["--target", "finite"])
    folder.bad(2, "run", study, "--patience", "-1", says=["--patience", "from 0"])
    folder.bad(2, "run", study, "--set", "budget.time=never", says=["budget.time", "never"])


def test_failing_batches_are_said_at_once_and_in_the_end(folder):
    command = "if test {trial} -gt 5; then echo no licence >&2; exit 3; fi; echo {x}"
    study = folder.study(objective=f'command = "{command}"', batch=5, evaluations=20)
    result = folder.good("run", study)
    assert result.stderr.count("5 of the last 5 evaluations failed; the last: exit code 3; stderr: no licence") == 2, result.stderr
    assert result.stdout.splitlines()[-1] == "15 of 20 evaluations failed; the last: exit code 3; stderr: no licence"
    told = folder.good("status", study).stdout
    assert "failed   15 of the last 20 evaluations; the last: exit code 3" in told, told
    status = folder.status(study)
    assert status["failed_lately"] == {"failed": 15, "of": 20} and "no licence" in status["last_failure"]


def test_failing_batches_are_events(folder):
    command = "test {trial} -le 5 || exit 3; echo {x}"
    study = folder.study(objective=f'command = "{command}"', batch=5, evaluations=10)
    events = lines(folder.good("run", study, "--json").stdout)
    assert {"event": "failing", "failed": 5, "of": 5, "reason": "exit code 3"} in events, events
    assert events[-1]["run"]["failed"] == 5


def test_a_run_of_failures_alone_is_no_success(folder):
    command = "test {trial} -le 5 || exit 3; echo {x}"
    study = folder.study(objective=f'command = "{command}"', batch=5, evaluations=5)
    folder.good("run", study)
    result = folder.bad(3, "run", study, "--set", "budget.evaluations=8", says=["all 3 evaluations of this run failed", "exit code 3"])
    assert "recommended" in result.stdout, "what is known is still told"
    folder.good("run", study, "--set", "budget.evaluations=8")  # nothing was evaluated, so nothing failed


def test_progress_shows_what_is_recommended(folder):
    study = folder.write("s.toml", 'name = "s"\ndirection = "minimize"\n[objective]\nbuiltin = "branin"\n[budget]\nbatch = 5\nevaluations = 15\n')
    shown = folder.good("run", study).stderr.splitlines()
    assert all(re.search(r"recommended \S+ ± \S+", line) for line in shown[1:]), shown
    batches = [e for e in lines(folder.good("run", study, "--storage", "t.db", "--json").stdout) if e["event"] == "batch"]
    assert batches[-1]["recommended"]["trial"] > 0 and batches[-1]["recommended"]["stddev"] >= 0
    random = folder.good("run", study, "--storage", "u.db", "--set", "method=random").stderr
    assert "best" in random and "recommended" not in random, "no model is learned for a line"


def test_no_batches_beyond_the_plan(folder):
    study = folder.study(objective=SLOPE, batch=5, evaluations=10)
    asked = folder.salvo("ask", study, "40", "--format", "json")
    assert "the last 30 of these points are beyond the budget of 10 evaluations" in asked.stderr, asked.stderr
    values = "".join(f'{{"trial": {i + 1}, "value": {i}}}\n' for i in range(40))
    folder.good("tell", study, "-", input=values)
    again = folder.salvo("ask", study, "1")
    assert again.stderr == "salvo: note: the budget of 10 evaluations is spent; handing out beyond it\n", again.stderr
    assert folder.salvo("ask", study, "1", "--quiet").stderr == ""
    shown = folder.good("run", study, "--set", "budget.evaluations=45", "--set", "budget.batch=1").stderr
    for done, all_of_them in re.findall(r"batch (\d+)/(\d+)", shown):
        assert int(done) <= int(all_of_them), shown


def test_imported_points_are_no_rate(folder):
    study = folder.study(objective=SLOPE)
    rows = "".join(f"{i / 50},0.5,{i}\n" for i in range(50))
    folder.write("old.csv", "x,y,value\n" + rows)
    folder.good("tell", study, "old.csv")
    assert folder.status(study)["rate"] == 0
    assert "per second" not in folder.good("status", study).stdout


def test_study_file_explains_every_key(folder):
    text = folder.good("study-file").stdout
    for key in ("direction", "parameters.NAME.low", "objective.command", "budget.patience", "model.kernel", "storage.path", "pool.path"):
        assert f"\n{key}" in "\n" + text, key
    assert "`" not in text and "](" not in text and max(map(len, text.splitlines())) <= 110
    one = folder.good("study-file", "budget.time").stdout
    assert one.startswith("budget.time\n") and "duration; default: 0: any time" in one and one.count("default:") == 1, one
    assert folder.good("study-file", "parameters.rate.scale").stdout.startswith("parameters.NAME.scale")
    keys = [e["key"] for e in lines(folder.good("study-file", "budget", "--json").stdout)]
    assert keys == [f"budget.{k}" for k in ("batch", "evaluations", "initial", "time", "target", "patience", "gain")]
    folder.bad(2, "study-file", "model.kernl", says=["model.kernl", "model.kernel"])


def test_several_trials_are_abandoned_or_failed_together(folder):
    study = folder.study()
    folder.good("ask", study, "6")
    assert folder.good("tell", study, "--trial", "1", "2", "3", "--abandon").stdout == "Took 3 outcomes: 3 abandoned.\n"
    folder.good("tell", study, "--trial", "4", "5", "--fail", "the pump stopped")
    assert (folder.status(study)["abandoned"], folder.status(study)["failed"]) == (3, 2)
    folder.bad(2, "tell", study, "--trial", "5", "6", "--abandon", says=["5"])
    assert folder.status(study)["pending"] == 1, "all or none"
    folder.bad(2, "tell", study, "--trial", "5", "6", "--value", "1", says=["--value", "one trial"])


def test_screen_writes_paths_that_can_be_moved(folder):
    folder.write("lib.csv", "name,a\np,1\nq,2\nr,3\n")
    (folder / "kept").mkdir()
    flags = ["--id", "name", "--features", "a", "--command", "echo 1", "--maximize", "--batch", "2", "--evaluations", "2", "-o", "kept/lib"]
    folder.good("screen", "lib.csv", *flags)
    text = (folder / "kept/lib.toml").read_text()
    assert 'path = "lib.pool"' in text and 'directory = ".."' in text and str(folder.path) not in text, text


def test_a_file_that_is_no_study_is_told_in_words(folder):
    folder.write("notes.md", "# Notes\n\nSome words.\n")
    folder.bad(2, "status", "notes.md", says=["notes.md: expected a study file (.toml", "a study (.db)", "got another file"])


harness.main(globals())
