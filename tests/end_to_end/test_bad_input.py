"""Bad input gets a message with the place, what was expected and what came; the study stays as it was."""
import os
import sqlite3
import subprocess

import harness
from harness import BINARY, MIXED, lines


def parameters(folder, text, says, objective='command = "echo 1"'):
    folder.write("p.toml", f'name = "p"\ndirection = "minimize"\n[parameters]\n{text}\n[objective]\n{objective}\n')
    folder.bad(2, "run", "p.toml", says=["p.toml", *says])
    assert not (folder / "p.db").exists()


def test_unknown_words_get_the_nearest_known_one(folder):
    folder.bad(2, "rnu", says=["rnu", "run"])
    folder.bad(2, "run", "x.toml", "--sede", "3", says=["--sede", "--seed"])
    folder.bad(2, "export", "x.toml", "--formt=csv", says=["--formt", "--format"])
    folder.bad(2, says=["init", "run"])
    folder.bad(2, "run", says=["study"])
    folder.bad(2, "plot", "x.toml", "-o", "a.svg", "--kind", "slice", says=["slices"])
    folder.bad(2, "export", "x.toml", "--format", "xml", says=["xml", "csv"])
    folder.bad(2, "best", "x.toml", "--top", "0", says=["--top"])
    folder.bad(2, "run", "x.toml", "--threads", "many", says=["--threads", "many"])
    folder.bad(2, "run", "x.toml", "--threads", says=["--threads"])
    folder.bad(2, "status", "x.toml", "extra", says=["extra"])


def test_study_file_mistakes(folder):
    folder.write("u.toml", MIXED.replace("batch = 5", "bacth = 5"))
    folder.bad(2, "run", "u.toml", says=["u.toml:12", "bacth", "batch"])
    folder.write("u.toml", MIXED.replace("evaluations = 20", 'evaluations = "many"'))
    folder.bad(2, "run", "u.toml", says=["u.toml:13", "evaluations", "many"])
    folder.write("u.toml", "name = \n")
    folder.bad(2, "run", "u.toml", says=["u.toml:1"])
    folder.write("u.toml", "")
    folder.bad(2, "run", "u.toml", says=["u.toml"])
    (folder / "u.toml").write_bytes(bytes(range(256)))
    folder.bad(2, "run", "u.toml", says=["u.toml"])


def test_parameter_mistakes(folder):
    parameters(folder, "x = { low = 2, high = 1 }", ["x", "low"])
    parameters(folder, "x = { low = 1, high = 1 }", ["x", "low"])
    parameters(folder, 'x = { low = 0, high = 1, scale = "log" }', ["x", "log"])
    parameters(folder, "x = { low = 0, high = 1 }\nx = { low = 0, high = 2 }", ["x"])
    parameters(folder, 'x = { choices = ["one"] }', ["x", "choices"])
    parameters(folder, 'x = { choices = ["a", "a"] }', ["x", "a"])
    parameters(folder, "x = { low = nan, high = 1 }", ["x", "nan"])
    parameters(folder, "x = { low = 0, high = inf }", ["x", "inf"])
    parameters(folder, 'x = { low = "0", high = 1 }', ["x", "low"])
    parameters(folder, 'x = { low = 0, high = 1, scale = "lgo" }', ["x", "lgo", "log"])
    parameters(folder, "x = { low = 0, hihg = 1 }", ["hihg", "high"])
    parameters(folder, "x = { low = 0.5, high = 3, type = \"int\" }", ["x"])
    parameters(folder, "x = { low = 0, high = 1 }", ["builtin", "hartman"], objective='builtin = "hartman6"')


def test_files_that_are_not_there_or_not_readable(folder):
    assert folder.salvo("run", "none.toml").returncode in (1, 2)
    assert "none.toml" in folder.salvo("run", "none.toml").stderr
    folder.write("m.toml", MIXED)
    assert "m.toml?" in folder.bad(2, "run", "m", says=["did you mean"]).stderr
    os.mkdir(folder / "d.toml")
    assert folder.salvo("run", "d.toml").returncode in (1, 2)
    assert folder.bad(1, "status", "none.db", says=["none.db"])
    folder.bad(1, "status", "m.toml", says=["m.toml", "salvo run"])
    folder.bad(1, "tell", "m.toml", "none.csv", says=["none.csv", "No such file"])


def test_stores_that_are_none(folder):
    folder.write("m.toml", MIXED)
    folder.write("text.db", "this is not a database, whatever its name says " * 100)
    folder.bad(1, "status", "text.db", says=["text.db"])
    assert (folder / "text.db").read_text().startswith("this is not")
    folder.bad(1, "ask", "m.toml", "2", "--storage", "text.db", says=["text.db"])
    assert (folder / "text.db").read_text().startswith("this is not")
    other = sqlite3.connect(folder / "other.db")
    other.execute("create table things (a)")
    other.commit()
    other.close()
    before = (folder / "other.db").read_bytes()
    folder.bad(1, "ask", "m.toml", "2", "--storage", "other.db", says=["other.db"])
    assert (folder / "other.db").read_bytes() == before


def test_a_damaged_store(folder):
    folder.write("m.toml", MIXED)
    folder.good("ask", "m.toml", "500", "-o", "x.csv", "--storage", "m.db")
    data = bytearray((folder / "m.db").read_bytes())
    middle = len(data) // 2
    data[middle - 4000:middle + 4000] = os.urandom(8000)
    (folder / "m.db").write_bytes(data)
    result = folder.salvo("export", "m.db")
    assert result.returncode in (0, 1) and (result.returncode == 0 or "m.db" in result.stderr), result.stderr


def test_another_study_under_the_same_store(folder):
    folder.write("m.toml", MIXED)
    folder.good("ask", "m.toml", "2", "--storage", "m.db")
    folder.write("n.toml", MIXED.replace("high = 900", "high = 950"))
    result = folder.salvo("ask", "n.toml", "2", "--storage", "m.db")
    assert result.returncode in (1, 2) and "temperature" in result.stderr, result.stderr
    assert folder.status("m.db")["pending"] == 2


def told(folder, text, says, *options):
    """A tell that must fail and leave everything as it was."""
    before = folder.trials("m.toml")
    folder.bad(2, "tell", "m.toml", "-", *options, input=text, says=says)
    assert folder.trials("m.toml") == before


def test_tell_mistakes(folder):
    folder.write("m.toml", MIXED)
    folder.good("ask", "m.toml", "3")
    told(folder, "trial,value\n1,2\n2,nan\n", ["standard input:3", "nan"])
    told(folder, "trial,value\n1,2\n2,inf\n", ["3", "inf"])
    told(folder, "trial,value\n1,2\n2,-inf\n", ["3"])
    told(folder, "trial,value\n1,2\n2,abc\n", ["3", "abc"])
    told(folder, "trial,value\n1,2\n2\n", ["3"])
    told(folder, "trial,value\n1,2\n2,3,4\n", ["3"])
    told(folder, "trial,value\n1,2\n99,3\n", ["99"])
    told(folder, "trial,value\n1,2\n1,3\n", ["standard input:3", "trial 1", "twice", "line 2"])
    told(folder, "trial|value\n1|2\n", ["trial|value"])
    told(folder, "trial,valeu\n1,2\n", ["valeu"])
    told(folder, "", ["standard input"])
    told(folder, "trial,value\n", ["standard input"])
    told(folder, "temperature,rate,stages,catalyst,value\n400,0.1,3,Pt,7\n1000,0.1,3,Pt,7\n", ["3", "temperature", "1000"])
    told(folder, "temperature,rate,stages,catalyst,value\n400,0.1,3,Au,7\n", ["2", "catalyst", "Au"])
    told(folder, "temperature,rate,stages,catalyst,value\n400,0.1,3.5,Pt,7\n", ["2", "stages", "3.5"])
    told(folder, "trial,temperature,rate,stages,catalyst,value\n1,,,,,7\n,400,0.1,3,Pt,7\n", ["3"])
    told(folder, "trial,temperature,rate,stages,catalyst,value\n1,400,0.1,3,Pt,7\n", ["2", "temperature"])
    told(folder, '{"trial": 1, "value": 2}\n{"trial": 2, "value": "x"}\n', ["2"])
    told(folder, '{"trial": 1, "value": 2}\n{"trial": 2, "valeu": 3}\n', ["2", "valeu"])
    told(folder, '{"trial": 1, "value"', ["standard input"])
    told(folder, '{"trial": 1, "value": 1e999}', ["standard input"])
    told(folder, "\x00\x01", ["standard input"])


def test_tell_usage(folder):
    folder.write("m.toml", MIXED)
    folder.bad(2, "tell", "m.toml", "--storage", "", "x.csv", says=["--storage"])
    folder.bad(2, "tell", "m.toml", says=["FILE"])
    folder.bad(2, "tell", "m.toml", "--trial", "1", says=["--value"])
    folder.bad(2, "tell", "m.toml", "--trial", "1", "--value", "2", "--abandon", says=["--trial"])
    folder.bad(2, "tell", "m.toml", "x.csv", "--trial", "1", "--value", "2", says=["FILE"])
    folder.bad(2, "tell", "m.toml", "--trial", "1", "--value", "nan", says=["--value", "nan"])
    folder.bad(2, "tell", "m.toml", "--trial", "one", "--value", "1", says=["--trial", "one"])


def test_outputs_that_cannot_be_written(folder):
    folder.write("m.toml", MIXED)
    folder.good("ask", "m.toml", "3")
    folder.bad(1, "export", "m.toml", "-o", "/dev/full", says=["/dev/full", "No space left"])
    folder.bad(1, "export", "m.toml", "-o", "none/x.csv", says=["none/x.csv", "No such file"])
    folder.bad(1, "export", "m.toml", "-o", ".", says=["directory"])
    folder.bad(1, "init", "none/x", says=["none/x.toml"])
    before = folder.status("m.toml")["pending"]
    folder.bad(1, "ask", "m.toml", "2", "-o", "/dev/full", says=["No space left", "taken back"])
    folder.bad(1, "ask", "m.toml", "2", "-o", "none/x.csv", says=["none/x.csv"])
    assert folder.status("m.toml")["pending"] == before
    for command in (["export", "m.toml"], ["status", "m.toml"], ["--help"], ["completion", "bash"]):
        with open("/dev/full", "w") as full:
            result = subprocess.run([BINARY, *command], cwd=folder.path, stdout=full, stderr=subprocess.PIPE, text=True)
        assert result.returncode == 1 and "No space left" in result.stderr, command


def test_results_do_not_overwrite_the_study(folder):
    folder.write("m.toml", MIXED)
    folder.good("ask", "m.toml", "3")
    os.symlink("mixed.db", folder / "link")
    before = folder.trials("m.toml")
    for command in (["export", "m.toml"], ["ask", "m.toml", "1"], ["ask", "mixed.db", "--pending"]):
        for output in ("m.toml", "mixed.db", "link"):
            folder.bad(2, *command, "-o", output, says=["--output", output, "name another file"])
    assert (folder / "m.toml").read_text() == MIXED and folder.trials("m.toml") == before


def test_a_store_that_is_removed_while_in_use(folder):
    folder.study(objective='command = "rm -f s.db; echo 1"', batch=2, evaluations=4)
    folder.bad(1, "run", "s.toml", says=["s.db", "removed"])


def test_read_only_store(folder):
    if os.geteuid() == 0:
        return  # root may write everything
    folder.write("m.toml", MIXED)
    folder.good("ask", "m.toml", "3", "--storage", "m.db")
    os.chmod(folder / "m.db", 0o444)
    folder.bad(1, "ask", "m.toml", "3", "--storage", "m.db", says=["m.db"])


def test_json_errors_are_events(folder):
    result = folder.salvo("status", "none.db", "--json")
    assert result.returncode == 1 and lines(result.stdout)[-1]["event"] == "error"
    result = folder.salvo("rnu", "--json")
    assert result.returncode == 2 and "rnu" in lines(result.stdout)[-1]["message"]


def command(folder, text, code, says, **options):
    folder.study(objective=f"command = {text!r}" + options.pop("more", ""), batch=2, evaluations=2)
    folder.bad(code, "run", "s.toml", says=says)
    (folder / "s.db").unlink(missing_ok=True)
    for end in ("-wal", "-shm"):
        (folder / ("s.db" + end)).unlink(missing_ok=True)


def test_commands_that_do_not_work(folder):
    command(folder, "/no/such/program {x}", 1, ["/no/such/program"])
    command(folder, "true", 3, ["last line"])
    command(folder, "echo rubbish", 3, ["rubbish"])
    command(folder, "echo nan", 3, ["nan"])
    command(folder, "echo 3; exit 2", 3, ["exit code 2"])
    command(folder, "sleep 100", 3, ["timed out"], more='\ntimeout = "200ms"\nworkers = 2')
    command(folder, "kill -11 $$", 3, ["signal 11"])
    command(folder, "kill -9 $$", 1, ["signal 9", "the machine ended", "No trial is lost"])
    command(folder, "exit 7", 1, ["exit code 7", "the machine ended"], more="\nmachine_failures = [7]")
    command(folder, "kill -9 $$", 3, ["signal 9"], more="\nmachine_failures = []")


def test_machine_failures_that_are_no_exit_codes(folder):
    for wrong in ("75", "[0]", "[256]", "[75.5]", '["SIGKILL"]', "[-9]"):
        folder.study(objective=f'command = "echo 1"\nmachine_failures = {wrong}')
        folder.bad(2, "run", "s.toml", says=["machine_failures", "a list of exit codes from 1 to 255"])


def test_a_placeholder_without_a_parameter(folder):
    folder.study(objective='command = "echo {z}"')
    folder.bad(2, "run", "s.toml", says=["z"])


def test_too_many_points_for_a_small_space(folder):
    folder.write("t.toml", 'name = "t"\ndirection = "minimize"\n[parameters]\na = { choices = ["x", "y"] }\n[objective]\ncommand = "echo 1"\n')
    folder.bad(2, "ask", "t.toml", "5", says=["2"])
    folder.bad(2, "ask", "t.toml", "-3", says=["-3"])


harness.main(globals())
