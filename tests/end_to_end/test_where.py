"""Conditions among parameters: points keep to them, whoever names one; what follows from others may be left out."""
import csv
import io
import json
import shutil

import harness
from harness import REPOSITORY

MIXTURE = """
name = "s"
direction = "maximize"
seed = 1
{top}
[parameters]
a = {{ low = 0, high = 1 }}
b = {{ low = 0, high = 1 }}
c = {{ low = 0, high = 1 }}
kind = {{ choices = ["fast", "slow"] }}
{where}
[objective]
command = "python3 -c 'print({{a}} - {{b}} * {{c}})'"
workers = 2
[budget]
batch = 6
evaluations = 18
[model]
num_inducing = 20
num_features = 64
"""
CONDITIONS = """
[[where]]
expression = "a + b + c == 1"
[[where]]
expression = "a <= 2 * b"
[[where]]
expression = "kind != 'slow' or a <= 0.25"
"""


def study(folder, where=CONDITIONS, top="", name="s.toml"):
    return folder.write(name, MIXTURE.format(where=where, top=top))


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def keeps(params):
    a, b, c = (float(params[name]) for name in "abc")
    return abs(a + b + c - 1) < 1e-12 and a <= 2 * b and (params["kind"] != "slow" or a <= 0.25)


def test_every_trial_of_a_run_keeps_the_conditions(folder):
    name = study(folder)
    folder.good("run", name, "--quiet")
    trials = folder.trials(name)
    assert len(trials) == 18 and all(keeps(trial["params"]) for trial in trials)
    fixed = rows(folder.good("ask", name, "4", "--fix", "a=0.5").stdout)
    assert all(row["a"] == "0.5" and keeps(row) for row in fixed) and {row["kind"] for row in fixed} == {"fast"}
    folder.bad(2, "ask", name, "2", "--fix", "c=0.5", says=['"c" follows from the others; fix those instead'])
    folder.bad(2, "ask", name, "2", "--fix", "a=0.5", "b=0.3", "kind=fast", says=["at least one parameter that is left to choose"])
    status = folder.status(name)
    assert status["where"]["conditions"] == ["a + b + c == 1", "a <= 2 * b", "kind != 'slow' or a <= 0.25"]
    assert status["where"]["follow"] == ["c"] and 0.1 < status["where"]["share"] < 0.6
    assert set(status["importance"]) == {"a", "b", "kind"}
    text = folder.good("status", name).stdout
    assert "where    a + b + c == 1" in text and "from the others by an equality: c" in text and "% of the box" not in text
    for kind in ("slices", "parallel", "progress", "importance", "lengthscales"):
        folder.good("plot", name, "--kind", kind, "-o", f"{kind}.svg")
    assert "grey: not allowed" in (folder / "slices.svg").read_text(encoding="utf-8")
    folder.good("plot", name, "-o", "page.html")
    folder.good("diagnose", name)
    folder.good("check", name)
    folder.good("plan", name)
    folder.good("watch", name, "--once")
    assert "kind" in folder.good("best", name, "--top", "3").stdout


def test_what_follows_may_be_left_out(folder):
    name = study(folder, top='start = [{ a = 0.25, b = 0.5, kind = "fast" }]')
    folder.good("enqueue", name, "a=0.125", "b=0.25", "kind=slow")
    folder.write("guesses.csv", "a,b,kind\n0.375,0.25,fast\n")
    folder.write("guesses.jsonl", '{"params": {"a": 0.5, "b": 0.25, "kind": "fast"}}\n{"params": {"a": 0, "b": 0.75, "c": null, "kind": "slow"}}\n')
    folder.good("enqueue", name, "guesses.csv")
    folder.good("enqueue", name, "guesses.jsonl")
    queued = [json.loads(line)["params"]["c"] for line in folder.good("enqueue", name, "--list", "--json").stdout.splitlines()]
    assert queued == [0.25, 0.625, 0.375, 0.25, 0.25]
    folder.write("told.csv", "a,b,c,kind,value\n0.125,0.5,,fast,1\n0.3334,0.3333,0.3332,fast,2\n")  # as people round
    folder.good("tell", name, "told.csv")
    folder.write("more.jsonl", '{"params": {"a": 0.25, "b": 0.625, "kind": "fast"}, "value": 3}\n')
    folder.good("tell", name, "more.jsonl")
    told = [trial["params"] for trial in folder.trials(name)]
    assert [params["c"] for params in told] == [0.375, 0.3332, 0.125]
    asked = rows(folder.good("ask", name, "5").stdout)
    assert [row["origin"] if "origin" in row else "" for row in asked] and [float(row["c"]) for row in asked] == queued
    folder.write("old.csv", "a,b,kind,value\n0.5,0.375,fast,4\n0.9,0.05,fast,5\n")
    said = folder.good("import", name, "old.csv")
    assert "Imported 1 trial" in said.stdout and "c is computed from the others" in said.stdout + said.stderr
    assert '"a <= 2 * b" does not hold with a = 0.9, b = 0.05' in said.stdout + said.stderr


def test_what_was_measured_elsewhere_moves_along(folder):
    name = study(folder, where='[[where]]\nexpression = "a + b + c == 1"\n[[where]]\nexpression = "a <= 0.75"')
    folder.write("guess.csv", "a,b,kind\n0.25,0.25,fast\n0.5,0.125,fast\n")
    folder.good("enqueue", name, "guess.csv")
    folder.good("ask", name, "2", "-o", "sheet.csv")
    folder.write("sheet.csv", "trial,a,value\n1,0.375,7\n2,0.8125,8\n")
    folder.bad(2, "tell", name, "sheet.csv", "--as-measured", says=["sheet.csv:3", '"a <= 0.75" does not hold with a = 0.8125'])
    folder.write("sheet.csv", "trial,a,value\n1,0.375,7\n")
    folder.good("tell", name, "sheet.csv", "--as-measured")
    assert folder.trials(name)[-1]["params"] == {"a": 0.375, "b": 0.25, "c": 0.375, "kind": "fast"}
    folder.write("sheet.csv", "trial,a,b,c,value\n2,0.625,0.125,0.375,8\n")  # which of them was it?
    folder.bad(2, "tell", name, "sheet.csv", "--as-measured", says=["sheet.csv:2", '"a + b + c == 1" does not hold'])


def test_points_that_break_a_condition_are_refused_in_its_words(folder):
    broken = '"a <= 2 * b" does not hold with a = 0.5, b = 0.125'
    name = study(folder)
    folder.bad(2, "enqueue", name, "a=0.5", "b=0.125", "kind=fast", says=[broken])
    folder.bad(2, "enqueue", name, "a=0.5", "b=0.75", "kind=fast", says=['"c" follows from the others by "a + b + c == 1"', "got -0.25"])
    folder.bad(2, "enqueue", name, "a=0.5", "kind=fast", says=["got none for b."])
    folder.write("guesses.csv", "a,b,kind\n0.25,0.25,fast\n0.5,0.125,fast\n0.5,0.75,slow\n")
    folder.bad(2, "enqueue", name, "guesses.csv", says=["guesses.csv:3", broken, "guesses.csv:4", 'follows from the others'])
    folder.write("told.csv", "a,b,c,kind,value\n0.5,0.125,0.375,fast,1\n0.3,0.3,0.3,fast,1\n")
    folder.bad(2, "tell", name, "told.csv", says=["told.csv:2", broken, "told.csv:3", '"a + b + c == 1" does not hold with a = 0.3'])
    folder.write("told.jsonl", '{"params": {"a": 0.5, "b": 0.125, "kind": "fast"}, "value": 1}\n')
    folder.bad(2, "tell", name, "told.jsonl", says=["told.jsonl:1", broken])
    folder.write("guesses.csv", "a,b,c,kind\n0.3333,0.3333,0.3333,fast\n")  # right when it is told, but not to be handed out
    folder.bad(2, "enqueue", name, "guesses.csv", says=["guesses.csv:2", "does not hold"])
    study(folder, top='start = [\n  { a = 0.25, b = 0.5, kind = "fast" },\n  { a = 0.5, b = 0.125, kind = "fast" }]')
    folder.bad(2, "ask", name, says=["s.toml:7", "start", broken])
    assert folder.good("ask", study(folder), "1").stdout.count("\n") == 2


def test_conditions_may_change_while_a_study_goes_on(folder):
    name = study(folder, where="")
    folder.write("points.csv", "a,b,c,kind,value\n0.25,0.5,0.25,fast,1\n0.5,0.25,0.25,fast,2\n0.9,0.9,0.9,slow,9\n")
    folder.good("tell", name, "points.csv")
    folder.good("enqueue", name, "a=1", "b=1", "c=1", "kind=fast")
    folder.good("ask", name, "1")
    study(folder)
    folder.bad(2, "ask", name, says=['a new condition: "a + b + c == 1"', "1 of 4 trials lies outside", "pending trial 4", "--accept-changes"])
    assert "a new condition" in folder.good("status", name).stderr
    assert all(keeps(row) for row in rows(folder.good("ask", name, "6", "--accept-changes").stdout))
    assert [trial["trial"] for trial in folder.trials(name) if trial.get("outside")] == [3, 4]
    assert folder.status(name)["observed_best"]["trial"] == 2
    assert folder.status(name)["where"]["follow"] == ["c"]
    folder.good("best", name)
    folder.good("check", name)
    folder.good("plot", name, "-o", "s.svg")
    folder.good("ask", "s.db", "1")  # the store has the conditions by itself
    folder.good("ask", "s.db", "1", "--set", 'where=["a + b + c == 1"]', "--accept-changes")
    assert folder.status("s.db")["where"]["conditions"] == ["a + b + c == 1"]
    study(folder, where="")
    folder.bad(2, "tell", name, "--trial", "5", "--value", "1", says=['the condition "a + b + c == 1" is gone'])
    folder.good("tell", name, "--trial", "5", "--value", "1", "--accept-changes")
    assert not any(trial.get("outside") for trial in folder.trials(name)) and "where" not in folder.status(name)
    assert folder.status(name)["observed_best"]["trial"] == 3  # back with the space
    assert len(rows(folder.good("export", name, "--history").stdout)) >= 3
    folder.write("new.toml", MIXTURE.format(where=CONDITIONS, top="").replace('"s"', '"new"'))
    said = folder.good("import", "new.toml", "s.db")
    assert '"a + b + c == 1" does not hold' in said.stdout + said.stderr
    assert all(abs(sum(trial["params"][x] for x in "abc") - 1) < 1e-2 for trial in folder.trials("new.toml"))


def test_what_is_wrong_with_a_condition_is_said_at_its_line(folder):
    def refused(where, *says, top=""):
        folder.bad(2, "ask", study(folder, where=where, top=top, name="wrong.toml"), says=["wrong.toml", *says])

    refused('[[where]]\nexpression = "a + z <= 1"', "wrong.toml:12", 'there is no parameter "z"')
    refused('[[where]]\nexpression = "a + b <="', "wrong.toml:12", "expected a number, a name")
    refused("[[where]]\nexpression = 3", "wrong.toml:12", "where.expression: expected a text in quotes, got 3")
    refused('[[where]]\nexpresion = "a <= b"', 'did you mean "expression"')
    refused("[[where]]", "where.expression", "it is not there")
    refused('[[where]]\nexpression = "a <= b"\nweight = 2', "where.weight", "unknown key")
    refused('[where]\nexpression = "a <= b"', "wrong.toml:11", "[[where]]")
    refused("", 'a list such as ["a + b <= 1"]', top='where = "a <= b"')
    refused("", "expected a text", top="where = [3]")
    refused('[[where]]\nexpression = "a + b >= 3"', '"a + b >= 3" holds nowhere between the bounds')
    refused('[[where]]\nexpression = "a <= b"\n[[where]]\nexpression = "a >= b"', "wrong.toml:14", "write ==")
    refused('[[where]]\nexpression = "a ** 2 + b ** 2 <= 0.25 and a * b >= 0.2"', "no point was found that keeps every condition")
    refused('[[where]]\nexpression = "a * b == 0.5"', "must be linear")
    refused('[[where]]\nexpression = ""', "wrong.toml:12")
    refused('[[where]]\nexpression = "kind <= \'slow\'"', "texts have no order")
    refused('[[where]]\nexpression = "kind == \'slov\'"', 'kind cannot be "slov"')
    refused('[[where]]\nexpression = "a = 1"', "write == for")
    refused(f'[[where]]\nexpression = "{" + ".join(["a"] * 5000)} <= 1"', "10000 characters at most")
    refused(f'[[where]]\nexpression = "{"(" * 5000}a"', "parentheses")
    refused('[[where]]\nexpression = "a + z <= 1"', "there is no parameter", top='start = [{ a = 0.25, b = 0.5, kind = "fast" }]')
    assert not (folder / "s.db").exists()
    folder.good("ask", study(folder, where="", top="where = []"), "1")


def test_names_fixed_values_and_many_conditions(folder):
    text = """
        direction = "minimize"
        [parameters]
        learning-rate = { low = 0.001, high = 1.0, scale = "log" }
        "opt.decay" = { low = 0, high = 1 }
        budget = { value = 0.75 }
        n = { low = 1, high = 64, type = "int", scale = "log" }
        on = { type = "bool" }
        """
    folder.write("n.toml", text + """
        [[where]]
        expression = "`learning-rate` + `opt.decay` <= budget"
        [[where]]
        expression = "on or n in (1, 2, 4, 8)"
        """)
    for row in rows(folder.good("ask", "n.toml", "30").stdout):
        assert float(row["learning-rate"]) + float(row["opt.decay"]) <= 0.75
        assert row["on"] == "true" or int(row["n"]) in (1, 2, 4, 8)
    folder.write("cut.toml", text + '[[where]]\nexpression = "learning-rate <= 0.5"')
    folder.bad(2, "ask", "cut.toml", says=["write `learning-rate` with its backticks"])
    numbers = "\n".join(f"x{i} = {{ low = 0, high = 1 }}" for i in range(51))
    chain = "\n".join(f'[[where]]\nexpression = "x{i} <= x{i + 1} + 0.5"' for i in range(50))
    folder.write("many.toml", f'direction = "minimize"\n[parameters]\n{numbers}\n{chain}')
    for row in rows(folder.good("ask", "many.toml", "20").stdout):
        assert all(float(row[f"x{i}"]) <= float(row[f"x{i + 1}"]) + 0.5 for i in range(50))
    status = folder.good("status", "many.toml").stdout
    assert "and 40 more (--json shows all)" in status and "of the box" in status


def test_a_built_in_problem_and_a_pool(folder):
    folder.write("b.toml", """
        [objective]
        builtin = "hartmann6"
        [budget]
        batch = 10
        evaluations = 20
        [[where]]
        expression = "x1 + x2 + x3 <= 0.5"
        """)
    folder.good("run", "b.toml", "--quiet")
    assert all(sum(trial["params"][f"x{i}"] for i in (1, 2, 3)) <= 0.5 for trial in folder.trials("b.toml"))
    folder.write("library.csv", "id,f\n" + "".join(f"c{i},{i % 7}\n" for i in range(40)))
    folder.good("pool", "build", "library.csv", "-o", "library.pool", "--id", "id", "--features", "f")
    folder.write("p.toml", 'direction = "maximize"\n[pool]\npath = "library.pool"\n[[where]]\nexpression = "candidate != 1"\n')
    folder.bad(2, "ask", "p.toml", says=["p.toml:4", "where: conditions are for parameters; of a pool, leave out"])


def test_the_template_and_the_example(folder):
    folder.good("init", "t.toml")
    text = (folder / "t.toml").read_text(encoding="utf-8")
    assert "# [[where]]\n# expression = " in text
    folder.write("t.toml", text.replace("# [[where]]\n# expression", "[[where]]\nexpression"))
    for row in rows(folder.good("ask", "t.toml", "20").stdout):
        assert int(row["stages"]) <= 4 or float(row["temperature"]) >= 400
    for name in ("mixture.toml", "mixture.py"):
        shutil.copy(REPOSITORY / "examples" / name, folder / name)
    folder.good("run", "mixture.toml", "--set", "budget.evaluations=30", "--quiet")
    trials = folder.trials("mixture.toml")
    assert {trial["state"] for trial in trials} == {"done"}
    for trial in trials:
        part = trial["params"]
        assert abs(sum(part.values()) - 100) < 1e-9 and 0.3 * part["resin"] <= part["hardener"] <= 0.6 * part["resin"]
        assert part["pigment"] + part["filler"] <= 40 and all(round(each, 1) == each for each in part.values())


if __name__ == "__main__":
    harness.main(globals())
