"""Studies with several outputs, from the study file to the front."""
import csv
import io
import json
import re

import harness
from harness import lines

OVEN = """
name = "oven"
[outputs]
purity = {{ min = 0.9, probability = 0.9 }}
{objectives}
sound  = "passed"
[parameters]
x = {{ low = 0.0, high = 1.0 }}
y = {{ low = 0.0, high = 1.0 }}
[objective]
command = {command}
input = "json"
[budget]
batch = 5
evaluations = {evaluations}
"""

# Where x is large it stops early, and the yield is not known.
PROGRAM = """
import json, sys
p = json.load(sys.stdin)["params"]
x, y = p["x"], p["y"]
out = {"yield": x * (1 - y), "cost": 10 * x + 8 * y, "purity": 1 - 0.2 * x * x, "sound": x + y > 0.1, "seconds": 3, "by": "Ann"}
if x > 0.95:
    del out["yield"]
print("a line of its own")
print(json.dumps(out))
"""


def oven(folder, objectives='yield  = "maximize"', command='["python3", "oven.py"]', evaluations=20, program=PROGRAM):
    folder.write("oven.py", program)
    return folder.write("oven.toml", OVEN.format(objectives=objectives, command=command, evaluations=evaluations))


TWO = 'yield = "maximize"\ncost = { direction = "minimize", reference = 20.0 }'


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_a_run_with_constraints(folder):
    study = oven(folder)
    said = folder.good("run", study)
    assert re.search(r"recommended [\d.]+( ± [\d.]+)?, feasible \d+%", said.stderr), said.stderr
    assert "purity (at least 0.9)" in said.stdout and "sound (passed)" in said.stdout and "feasible" in said.stdout
    trials = folder.trials(study)
    assert all("value" not in trial for trial in trials)
    for trial in trials:
        values = trial["values"]
        assert values["purity"] is not None and values["sound"] in (0, 1)
        assert (values["yield"] is None) == (trial["params"]["x"] > 0.95)
        assert trial["measured"] == {"seconds": 3, "cost": 10 * trial["params"]["x"] + 8 * trial["params"]["y"]}
        assert trial["said"] == {"by": "Ann"}
    point = lines(folder.good("best", study, "--json").stdout)[0]["point"]
    assert set(point["outputs"]) == {"yield", "purity", "sound"} and point["allowed"] and point["feasible"] > 0.7
    assert point["outputs"]["purity"]["value"] >= 0.9
    status = folder.status(study)
    assert status["outputs"]["purity"]["min"] == 0.9 and status["outputs"]["yield"]["direction"] == "maximize"
    assert 0 < status["feasible"] <= 1 and set(status["models"]) == {"yield", "purity", "sound"}
    words = folder.good("status", study).stdout
    for expected in ("maximize yield, 2 constraints", "at least 0.9, with probability 0.9", "keep to all constraints"):
        assert expected in words, words
    assert "feasible" in folder.good("watch", study, "--once").stdout
    top = rows(folder.good("best", study, "--top", "3", "--format", "csv").stdout)
    assert len(top) == 3 and float(top[0]["mean.purity"]) > 0.8 and top[0]["allowed"] == "true"


def test_a_front(folder):
    study = oven(folder, TWO, evaluations=30)
    said = folder.good("run", study)
    assert re.search(r"front \d+ points?, hypervolume", said.stderr), said.stderr
    front = lines(folder.good("best", study, "--json").stdout)
    assert front[-1]["event"] == "front" and front[-1]["front"]["points"] == len(front) - 1 > 1
    assert front[-1]["front"]["reference"]["cost"] == 20 and front[-1]["front"]["hypervolume"] > 0
    points = [(-each["point"]["outputs"]["yield"]["mean"], each["point"]["outputs"]["cost"]["mean"]) for each in front[:-1]]
    assert points == sorted(points), "by the first objective, the best first"
    for one in points:
        assert not any(other[0] < one[0] and other[1] < one[1] for other in points)
    table = folder.good("best", study).stdout
    assert "hypervolume" in table and "±" in table and "yield" in table.splitlines()[0]
    weighted = lines(folder.good("best", study, "--weights", "yield=1,cost=0", "--json").stdout)
    assert len(weighted) == 1 and weighted[0]["point"]["outputs"]["yield"]["mean"] == -points[0][0]
    folder.bad(2, "best", study, "--weights", "yeild=1", says=["no objective", "yield"])
    folder.bad(2, "best", study, "--weights", "purity=1", says=["no objective"])
    folder.bad(2, "best", study, "--weights", "yield=-1", says=["not negative"])
    folder.bad(2, "best", study, "--weights", "yield=0", says=["above 0"])
    status = folder.status(study)
    steps = [step["hypervolume"] for step in status["hypervolumes"]]
    assert steps == sorted(steps) and steps[-1] > 0 and status["front"]["points"] == len(points)
    assert "█" in folder.good("status", study).stdout
    assert "hypervolume" in folder.good("watch", study, "--once").stdout
    folder.bad(2, "run", study, "--target", "3", says=["budget.target", "2 objectives"])


def test_an_edited_bound_is_what_best_goes_by(folder):
    study = oven(folder)
    folder.good("run", study)
    assert "purity (at least 0.9)" in folder.good("best", study).stdout
    (folder / study).write_text((folder / study).read_text().replace("min = 0.9", "min = 0.99"))
    said = folder.good("best", study)
    assert "purity (at least 0.99)" in said.stdout and "and is at least 0.99" in said.stderr, said.stdout + said.stderr
    assert said.stdout == folder.good("best", study).stdout and folder.good("best", study).stderr == ""
    (folder / study).write_text((folder / study).read_text().replace('"maximize"', '"minimize"'))
    said = folder.good("best", study)
    assert "which is shown as it is" in said.stderr and "purity (at least 0.99)" in said.stdout, "an objective may not change"


def test_an_objective_that_nobody_has_measured_is_named(folder):
    study = oven(folder, TWO)
    folder.good("ask", study, "1")
    assert "has no value yet" in folder.bad(1, "best", study).stderr
    folder.good("tell", study, "--trial", "1", "--value", "purity=0.95,cost=3")
    folder.bad(1, "best", study, says=["has no value of yield yet"])


def test_a_constraint_that_nobody_has_measured_is_no_number(folder):
    study = oven(folder)
    folder.good("ask", study, "5")
    folder.good("tell", study, "-", input="trial,yield,sound\n" + "".join(f"{i},{i},passed\n" for i in range(1, 6)))
    said = folder.good("status", study).stdout
    assert "nobody has measured it yet" in said and "±  over" not in said and "± over" not in said, said
    best = folder.good("best", study).stdout
    assert "± over" not in best and "no trial is known to keep to all constraints yet" in best, best
    assert lines(folder.good("best", study, "--json").stdout)[0]["point"]["trial"] == 5, "of equally safe ones the best"
    for top in ("1", "3"):
        for line in lines(folder.good("best", study, "--top", top, "--json").stdout):
            outputs = line["point"]["outputs"]
            assert outputs["purity"] == {"value": None, "mean": None, "stddev": None}, outputs
            assert outputs["yield"]["mean"] is not None and outputs["sound"]["mean"] is not None
    assert all(row["mean.purity"] == row["sd.purity"] == "" for row in rows(folder.good("best", study, "--format", "csv").stdout))
    folder.good("status", study, "--json")
    folder.good("plot", study, "-o", "all.html")
    for kind in ("lengthscales", "importance", "slices"):
        shown = folder.salvo("plot", study, "--kind", kind, "--of", "purity", "-o", f"{kind}.svg")
        assert shown.returncode in (0, 1), shown


def test_objectives_that_no_trial_has_together_have_no_front(folder):
    study = oven(folder, TWO)
    folder.write("oven.toml", (folder / study).read_text().replace('sound  = "passed"', "").replace("purity = {", "# purity = {"))
    folder.good("ask", study, "6")
    told = "".join(f"{i},{i},\n" if i % 2 else f"{i},,{i}\n" for i in range(1, 7))
    folder.good("tell", study, "-", input="trial,yield,cost\n" + told)
    for words in ("best", "status", "watch --once"):
        command, *more = words.split()
        assert "front    no point yet" in folder.good(command, study, *more).stdout
    assert "no trial has a value of every objective yet" in folder.good("best", study).stdout
    folder.good("ask", study, "3")  # and the search goes on


def test_pictures_of_outputs(folder):
    study = oven(folder, TWO, evaluations=20)
    folder.good("run", study, "--quiet")
    for kind in ("all", "front", "hypervolume", "progress", "parallel"):
        folder.good("plot", study, "--kind", kind, "-o", f"{kind}.svg")
        assert "<svg" in (folder / f"{kind}.svg").read_text()
    assert "yield (more is better)" in (folder / "front.svg").read_text()
    for kind in ("slices", "importance", "progress"):
        folder.good("plot", study, "--kind", kind, "--of", "purity", "-o", f"{kind}-purity.svg")
    assert "purity (at least 0.9)" in (folder / "progress-purity.svg").read_text()
    folder.good("plot", study, "-o", "page.html")
    page = (folder / "page.html").read_text()
    data = json.loads(re.search(r'id="data">(.*?)</script>', page, re.S).group(1))
    assert data["outputs"] == ["yield", "cost", "purity", "sound"] and len(data["trials"]["outputs"]) == 4
    assert set(data["trials"]["feasible"]) <= {0, 1}
    folder.bad(2, "plot", study, "--of", "purety", "-o", "x.svg", says=["no output", "purity"])
    for kind in ("front", "hypervolume"):
        folder.bad(2, "plot", study, "--kind", kind, "--of", "cost", "-o", "x.svg", says=["--of", "all objectives"])
    assert not (folder / "x.svg").exists()
    one = folder.study("one", evaluations=5)
    folder.good("run", one, "--quiet")
    folder.bad(2, "plot", one, "--kind", "front", "-o", "x.svg", says=["one objective"])
    folder.good("plot", one, "-o", "one.svg")


def test_ask_and_tell_by_name(folder):
    study = oven(folder)
    folder.good("ask", study, "5", "-o", "batch.csv")
    sheet = rows((folder / "batch.csv").read_text())
    assert list(sheet[0])[3:6] == ["yield", "purity", "sound"] and sheet[0]["yield"] == ""
    filled = "trial,yield,purity,sound\n1,0.5,0.95,passed\n2,,0.8,\n3,,,\n4,0.1,0.99,FAILED\n"
    folder.write("filled.csv", filled)
    assert "Took 3 outcomes" in folder.good("tell", study, "filled.csv").stdout
    trials = {trial["trial"]: trial for trial in folder.trials(study)}
    assert trials[1]["values"] == {"yield": 0.5, "purity": 0.95, "sound": 1}
    assert trials[2]["values"] == {"yield": None, "purity": 0.8, "sound": None} and trials[2]["state"] == "done"
    assert trials[3]["state"] == "pending" and trials[4]["values"]["sound"] == 0
    assert "3 were told before" in folder.good("tell", study, "filled.csv").stdout
    assert "no row says anything" not in folder.good("tell", study, "filled.csv").stderr
    folder.write("short.csv", "trial,purity\n2,0.8\n")
    assert 'anything of "yield", "sound": not measured' in folder.good("tell", study, "short.csv").stderr
    folder.write("other.csv", filled.replace("0.8", "0.7"))
    folder.bad(2, "tell", study, "other.csv", says=["trial 2 was told with the values", "--value purity=0.7"])
    folder.good("tell", study, "--trial", "3", "--value", "yield=0.4", "--value", "sound=passed")
    folder.good("tell", study, "--trial", "5", "--value", "yield=0.3,purity=0.9")
    folder.good("amend", study, "--trial", "5", "--value", "sound=failed", "--reason", "looked again")
    trials = {trial["trial"]: trial for trial in folder.trials(study)}
    assert trials[3]["values"] == {"yield": 0.4, "purity": None, "sound": 1}
    assert trials[5]["values"] == {"yield": 0.3, "purity": 0.9, "sound": 0}
    folder.good("amend", study, "--trial", "5", "--value", "purity=none")
    assert folder.trials(study)[4]["values"]["purity"] is None
    history = rows(folder.good("export", study, "--history").stdout)
    assert history[0]["old_sound"] == "" and history[0]["sound"] == "0" and history[0]["yield"] == "0.3"
    export = folder.good("export", study).stdout
    folder.write("export.csv", export)
    assert "told before" in folder.good("tell", study, "export.csv").stdout
    folder.bad(2, "ask", study, "1", "-o", "filled.csv", says=["holds outcomes"])


def test_what_is_wrong_is_said_and_nothing_is_lost(folder):
    study = oven(folder)
    folder.good("ask", study, "5", "-o", "batch.csv")
    folder.good("tell", study, "--trial", "1", "--value", "yield=1,purity=1,sound=1")
    before = folder.good("export", study).stdout

    def refused(*args, says, **options):
        folder.bad(2, *args, says=says, **options)
        assert folder.good("export", study).stdout == before

    tell = ("tell", study, "--trial", "2", "--value")
    refused(*tell, "3", says=["3 outputs", "--value yield=3"])
    refused(*tell, "yeild=3", says=["no output", "yield"])
    refused(*tell, "yield=nan", says=["--value yield", "finite"])
    refused(*tell, "sound=0.5", says=["passed or failed"])
    refused(*tell, "yield=1,yield=2", says=["yield is there twice"])
    refused(*tell, "yield=none", says=["at least"])
    refused(*tell, "yield=1", "--sd", "0.1", says=["standard errors"])
    for sheet, says in (("trial,value\n2,1\n", ["expected columns"]), ("trial,yield,purity\n2,1,inf\n", ["purity", "finite"]),
                        ("trial,yield,sd\n2,1,0.1\n", ["standard errors"]), ("trial,colour\n2,red\n", ['"yield"']),
                        ("trial,sound\n2,perhaps\n", ["passed or failed"])):
        refused("tell", study, "-", input=sheet, says=says)
    refused("tell", study, "-", input='{"trial": 2, "values": {"yeild": 1}}\n', says=["yeild"])
    refused("amend", study, "--trial", "1", "--sd", "0.1", says=["standard errors"])
    text = (folder / study).read_text()
    for changed, says in ((text.replace("purity = {", "purety = {"), ["purity: it was there", "purety: it is new"]),
                          (text.replace('"maximize"', '"minimize"'), ["yield: it was maximize, and is minimize"]),
                          (text.replace('sound  = "passed"', "sound  = { min = 1 }"), ["sound: it was passed"]),
                          (text.replace('"maximize"', "{ max = 3 }"), ["an objective"]),
                          (text.replace("min = 0.9,", ""), ["purity", "a bound"]),
                          (text.replace('sound  = "passed"', 'yield = "maximize"'), ["oven.toml:6"])):
        folder.write("oven.toml", changed)
        refused("ask", study, "1", says=says) if "it was" in says[0] else folder.bad(2, "ask", study, "1", says=says)
    folder.write("oven.toml", text.replace("min = 0.9", "min = 0.8"))
    assert "purity: it was at least 0.9" in folder.good("status", study).stderr, "for a look it is a note"
    assert "purity: it was at least 0.9" in folder.good("ask", study, "1").stderr
    assert folder.good("ask", study, "1").stderr == ""
    assert folder.status(study)["outputs"]["purity"]["min"] == 0.8
    folder.write("oven.toml", text)
    assert "at least 0.7" in folder.good("ask", study, "1", "--set", "outputs.purity.min=0.7").stderr
    assert folder.status(study)["outputs"]["purity"]["min"] == 0.7


def test_programs_that_say_it_wrong(folder):
    for body, words in (('print(\'{"yield": NaN, "purity": 1}\')', "yield: expected a finite number"),
                        ("print(0.5)", 'expected a JSON object with "yield", "purity" or "sound"'),
                        ('print(\'{"yeild": 1}\')', "no value"),
                        ('print(\'{"yield": 1, "sd": 0.1}\')', "standard errors"),
                        ("print('yield 1')\nprint('purity nan')", "purity: expected a finite number")):
        study = oven(folder, program=body)
        folder.bad(3, "run", study, says=[words])
        (folder / "oven.db").unlink()
    study = oven(folder, program="print('yield: 0.5')\nprint('purity = 0.95')\nprint('speed 12')", evaluations=5)
    folder.good("run", study, "--quiet")
    for trial in folder.trials(study):
        assert trial["values"] == {"yield": 0.5, "purity": 0.95, "sound": None} and trial["measured"] == {"speed": 12}


def test_nothing_feasible_is_said(folder):
    study = oven(folder, evaluations=10, program=PROGRAM.replace("1 - 0.2 * x * x", "0.5 * x"))
    said = folder.good("run", study).stdout
    words = "no trial is known to keep to all constraints yet"
    assert words in said and words in folder.good("best", study).stdout and words in folder.good("status", study).stdout
    assert lines(folder.good("best", study, "--json").stdout)[0]["point"]["allowed"] is False
    assert folder.status(study)["observed_best"] is None


def test_a_front_on_which_nothing_is_yet(folder):
    study = oven(folder, TWO, evaluations=10, program=PROGRAM.replace("1 - 0.2 * x * x", "0.5 * x"))
    for words in ("run", "best", "status", "watch --once"):
        command, *more = words.split()
        said = folder.good(command, study, *more).stdout
        assert "front    no point yet" in said and "hypervolume over the evaluations" not in said, said
    assert "no trial is known to keep to all constraints yet" in folder.good("best", study).stdout
    last = folder.good("watch", study, "--once").stdout.split("The last outcomes")[1]
    assert "passed" in last, last


def test_import_brings_values_by_name(folder):
    old = folder.write("old.toml", OVEN.format(objectives="", command='["python3", "oven.py"]', evaluations=8)
                       .replace('[outputs]\npurity = { min = 0.9, probability = 0.9 }\n\nsound  = "passed"\n', 'direction = "maximize"\n')
                       .replace("oven", "old", 1))
    folder.write("oven.py", PROGRAM.replace('"yield"', '"value"').replace("0.95", "2"))
    folder.good("run", old, "--quiet")
    study = oven(folder)
    assert "Imported 8 trials" in folder.good("import", study, old).stdout
    for trial in folder.trials(study):
        x, y = trial["params"]["x"], trial["params"]["y"]
        assert trial["values"] == {"yield": x * (1 - y), "purity": 1 - 0.2 * x * x, "sound": float(x + y > 0.1)}
        assert trial["measured"]["seconds"] == 3 and "purity" not in trial["measured"]
    folder.write("export.json", folder.good("export", study, "--format", "json").stdout)
    folder.write("export.csv", folder.good("export", study).stdout)
    for name in ("export.json", "export.csv", "oven.db"):
        again = folder.write("again.toml", (folder / study).read_text().replace('"oven"', '"again"'))
        folder.good("import", again, name)
        assert [trial["values"] for trial in folder.trials(again)] == [trial["values"] for trial in folder.trials(study)]
        assert "nothing was imported" in folder.bad(2, "import", again, name).stderr
        (folder / "again.db").unlink()
    other = folder.write("other.toml", (folder / study).read_text().replace('"maximize"', '"minimize"').replace('"oven"', '"other"'))
    folder.bad(2, "import", other, study, says=["maximized"])


def test_one_with_a_name_of_its_own(folder):
    study = folder.write("s.toml", folder.path.joinpath(folder.study()).read_text()
                         .replace('direction = "minimize"', '[outputs]\nloss = "minimize"'))
    folder.good("run", study, "--quiet")
    assert all(set(trial["values"]) == {"loss"} for trial in folder.trials(study))
    sheet = folder.good("ask", study, "2").stdout
    assert ",loss,state" in sheet
    folder.good("tell", study, "--trial", "11", "--value", "3", "--sd", "0.5")
    folder.good("tell", study, "--trial", "12", "--value", "loss=4")
    assert "loss" in folder.good("best", study).stdout
    folder.bad(2, "best", study, "--weights", "loss=1", says=["several objectives"])


def test_a_plan_and_what_is_whole(folder):
    study = oven(folder, TWO, evaluations=10)
    assert "evaluations" in folder.good("plan", study, "--quick", timeout=300).stdout
    folder.good("run", study, "--quiet")
    folder.good("tell", study, "-", input="x,y,purity\n0.5,0.5,0.7\n")
    folder.good("check", study, "-o", "whole.jsonl")
    saved = lines((folder / "whole.jsonl").read_text())
    assert [row["values"] for row in saved] == [trial["values"] for trial in folder.trials(study)] and len(saved) == 11
    again = folder.write("again.toml", (folder / study).read_text().replace('"oven"', '"again"'))
    assert "Took 11 outcomes" in folder.good("tell", again, "whole.jsonl").stdout


def test_a_pool_has_one_output_that_may_have_a_name(folder):
    folder.write("lib.csv", "name,x,y,gain\n" + "".join(f"c{i},{i % 10},{i // 10},{i % 10}\n" for i in range(60)))
    folder.good("pool", "build", "lib.csv", "--features", "x,y", "--id", "name", "--keep", "gain")
    text = '[outputs]\nyield = "maximize"\n[pool]\npath = "lib.pool"\n[objective]\nlookup = "gain"\n[budget]\nbatch = 5\nevaluations = 15\n'
    study = folder.write("lib.toml", text)
    folder.good("run", study, "--quiet")
    assert all(trial["values"] == {"yield": int(trial["params"]["candidate"][1:]) % 10} for trial in folder.trials(study))


def test_a_pool_is_searched_for_several_outputs(folder):
    rows = [f"c{i},{i % 20},{i // 20},{i % 20},{i // 20},{i % 20 + i // 20}" for i in range(400)]
    rows[7] = "c7,7,0,,0,7"  # its cost was not measured
    folder.write("lib.csv", "name,x,y,gain,cost,load\n" + "\n".join(rows) + "\n")
    folder.good("pool", "build", "lib.csv", "--features", "x,y", "--id", "name", "--keep", "gain,cost,load")
    head = 'seed = 3\n[outputs]\ngain = "maximize"\ncost = "maximize"\nload = { max = 20 }\n'
    rest = '[pool]\npath = "lib.pool"\n[objective]\nlookup = "outputs"\n[budget]\nbatch = 10\nevaluations = 60\n'
    study = folder.write("lib.toml", head + rest)
    folder.good("run", study, "--quiet")
    points = [event["point"] for event in lines(folder.good("best", study, "--json").stdout) if event["event"] == "best"]
    assert len(points) > 2 and all(point["outputs"]["load"]["value"] <= 20 for point in points)
    assert "hypervolume" in folder.good("status", study).stdout
    for kind in ("front", "hypervolume", "progress"):
        folder.good("plot", study, "--kind", kind, "-o", f"{kind}.svg")
    folder.good("plot", study, "-o", "all.html")
    sheet = folder.good("ask", study, "4").stdout
    assert sheet.splitlines()[0].startswith("trial,candidate,gain,cost,load")
    trials = [line.split(",")[:2] for line in sheet.splitlines()[1:]]
    told = "trial,gain,cost,load\n" + "".join(f"{trial},1,2,\n" for trial, _ in trials)
    folder.good("tell", study, "-", input=told)
    folder.good("run", study, "--set", "budget.evaluations=80", "--quiet")
    folder.bad(2, "run", folder.write("bad.toml", (head + rest).replace('"outputs"', '"gain"')), says=["objective.lookup", '"outputs"', '"gain"'])
    folder.bad(2, "run", folder.write("worse.toml", (head + rest).replace("load =", "lod =")), says=["objective.lookup", '"lod"', '"load"'])


def test_what_import_says_of_a_pool_brings_its_values_over(folder):
    folder.write("lib.csv", "name,x,gain,cost\n" + "".join(f"c{i},{i},{i},{'' if i % 5 == 0 else 60 - i}\n" for i in range(60)))
    folder.good("pool", "build", "lib.csv", "--features", "x", "--id", "name", "--keep", "gain,cost")
    text = '[outputs]\ngain = "maximize"\ncost = "minimize"\n[pool]\npath = "lib.pool"\n[objective]\nlookup = "outputs"\n[budget]\nbatch = 10\nevaluations = 30\n'
    old, new = folder.write("old.toml", text), folder.write("new.toml", "seed = 4\n" + text)
    folder.good("run", old, "--quiet")
    said = folder.bad(2, "import", new, "old.db").stderr
    assert "salvo export old.db | cut -d, -f2- > old.csv" in said, said
    lines_of_old = folder.good("export", "old.db").stdout.splitlines()
    folder.write("old.csv", "".join(line.split(",", 1)[1] + "\n" for line in lines_of_old))
    folder.good("tell", new, "old.csv")
    known = {trial["params"]["candidate"]: trial["values"] for trial in folder.trials(old)}
    assert {trial["params"]["candidate"]: trial["values"] for trial in folder.trials(new)} == known and len(known) == 30


def test_an_empty_cell_of_a_pool_is_no_failure_of_a_test(folder):
    folder.write("lib.csv", "name,x,y,gain,sound\n" + "".join(f"c{i},{i % 10},{i // 10},{i},{'passed' if i % 3 else ''}\n" for i in range(60)))
    folder.good("pool", "build", "lib.csv", "--features", "x,y", "--id", "name", "--keep", "gain,sound")
    study = folder.write("lib.toml", '[outputs]\ngain = "maximize"\nsound = "passed"\n[pool]\npath = "lib.pool"\n[objective]\nlookup = "outputs"\n'
                                     "[budget]\nbatch = 10\nevaluations = 20\n")
    folder.good("run", study, "--quiet")
    for trial in folder.trials(study):
        i = int(trial["params"]["candidate"][1:])
        assert trial["values"] == {"gain": i, "sound": 1.0 if i % 3 else None}


if __name__ == "__main__":
    harness.main(globals())
