"""Pools: build, info, screen, ask and tell with ids, resume, and what is refused."""
import json
import os

import harness
from harness import lines, wait_for


def library(folder, rows=200, name="lib.csv"):
    """A grid with its best at x = 14, y = 6; the column "known" has the values."""
    text = "name,x,y,known\n" + "".join(f"c{i},{i % 20},{i // 20},{-(i % 20 - 14) ** 2 - (i // 20 - 6) ** 2}\n" for i in range(rows))
    return folder.write(name, text)


def ids(trials):
    return [trial["params"]["candidate"] for trial in trials]


SCREEN = ["--features", "x,y", "--id", "name", "--maximize", "--batch", "10"]


def test_builds_and_shows_a_pool(folder):
    folder.write("lib.csv", "id,x,y\na,1,2\nb,3,4\nc,1,2\n")
    text = folder.good("pool", "build", "lib.csv").stdout
    assert "2 candidates from 3 rows, 1 duplicate" in text, text
    shown = json.loads(folder.good("pool", "info", "lib.pool", "--json").stdout)
    assert shown["candidates"] == 2 and shown["ids"] == 3 and shown["columns"] == ["x", "y"], shown
    assert "2 numbers: x, y" in folder.good("pool", "info", "lib.pool").stdout


def test_screens_a_library_with_known_values(folder):
    library(folder)
    result = folder.good("screen", "lib.csv", *SCREEN, "--lookup", "known", "--evaluations", "60", "--plot", "lib.svg")
    assert "budget spent: 60 of 60" in result.stdout, result.stdout
    trials = folder.trials("lib.toml")
    assert len(trials) == 60 and len(set(ids(trials))) == 60
    assert max(trial["value"] for trial in trials) == 0  # found among 200 in 60
    picture = (folder / "lib.svg").read_text(encoding="utf-8")
    assert "Recall" in picture and "Batches" in picture
    best = folder.good("best", "lib.toml", "--top", "20").stdout.splitlines()
    assert len(best) == 21 and "observed" in best[0], best
    assert "140 left" in folder.good("status", "lib.toml").stdout
    folder.bad(2, "plot", "lib.toml", "--kind", "slices", "-o", "x.svg", says=["over a pool"])


def test_runs_a_command_with_the_candidates_own_columns(folder):
    library(folder)
    folder.good("screen", "lib.csv", *SCREEN, "--command", "test {id} = {name} && echo {known}", "--evaluations", "20", "--workers", "2")
    for trial in folder.trials("lib.db"):
        i = int(trial["params"]["candidate"][1:])
        assert trial["value"] == -(i % 20 - 14) ** 2 - (i // 20 - 6) ** 2


def test_exhausts_the_pool_and_says_so(folder):
    library(folder, 25)
    result = folder.good("screen", "lib.csv", *SCREEN, "--lookup", "known", "--evaluations", "100")
    assert "all 25 candidates of the pool have been evaluated" in result.stdout, result.stdout
    assert sorted(ids(folder.trials("lib.toml"))) == sorted(f"c{i}" for i in range(25))


def test_a_column_without_numbers_is_a_run_that_failed(folder):
    folder.write("lib.csv", "name,x,y,known\n" + "".join(f"c{i},{i},{i},none\n" for i in range(30)))
    folder.bad(3, "screen", "lib.csv", *SCREEN, "--lookup", "known", "--evaluations", "30", says=["all 30 trials", '"none"', "objective.lookup", "pending"])
    assert folder.status("lib.toml")["pending"] == 30


def test_goes_on_after_a_kill_to_the_same_choices(folder):
    library(folder)
    arguments = ["screen", "lib.csv", *SCREEN, "--evaluations", "60"]
    folder.good(*arguments, "--command", "echo {known}", "-o", "whole")
    process = folder.start(*arguments, "--command", "sleep 0.02; echo {known}", "-o", "cut")
    wait_for(lambda: (folder / "cut.db").exists() and folder.status("cut.db")["done"] >= 25, 60)
    process.kill()
    process.wait()
    folder.good(*arguments, "--command", "echo {known}", "-o", "cut")
    assert ids(folder.trials("cut.db")) == ids(folder.trials("whole.db"))


def test_a_laboratory_asks_and_tells_with_ids(folder):
    library(folder, 40)
    folder.good("pool", "build", "lib.csv", "--features", "x,y", "--id", "name")
    folder.write("lab.toml", 'direction = "maximize"\n[pool]\npath = "lib.pool"\n[budget]\nbatch = 6\n')
    for wrong in ("nan", "true", "low"):
        folder.bad(2, "ask", "lab.toml", "--set", f"model.floor={wrong}", says=["model.floor: expected a finite number", wrong])
    folder.good("ask", "lab.toml", "1", "--set", "model.floor=none", "--storage", "other.db")
    asked = lines(folder.good("ask", "lab.toml", "--format", "json").stdout)
    folder.write("told.csv", "candidate,value\n" + "".join(f"{id},{i}\n" for i, id in enumerate(ids(asked))) + "c39,2.5\n")
    folder.good("tell", "lab.toml", "told.csv")
    status = folder.status("lab.toml")
    assert status["pending"] == 0 and status["done"] in (6, 7), status
    folder.write("wrong.csv", "candidate,value\nc1,1\nnobody,2\n")
    folder.bad(2, "tell", "lab.toml", "wrong.csv", says=["expected an id of the pool", "nobody"])
    assert folder.status("lab.toml")["done"] == status["done"]
    rest = folder.good("ask", "lab.toml", "50", "--format", "json")
    assert "only" in rest.stderr and "were left" in rest.stderr, rest.stderr
    assert len(lines(rest.stdout)) == 40 - status["done"]
    folder.bad(2, "ask", "lab.toml", "1", says=["no candidate is left"])


def test_refuses_a_changed_pool(folder):
    library(folder, 30)
    folder.good("pool", "build", "lib.csv", "--features", "x,y", "--id", "name")
    folder.write("lab.toml", 'direction = "maximize"\n[pool]\npath = "lib.pool"\n')
    folder.good("ask", "lab.toml", "5")
    library(folder, 31)
    folder.good("pool", "build", "lib.csv", "--features", "x,y", "--id", "name")
    folder.bad(1, "ask", "lab.toml", "5", says=["lib.pool", "has changed since the study began", "checksum"])
    whole = (folder / "lib.pool").read_bytes()
    (folder / "lib.pool").write_bytes(whole[: len(whole) // 2])
    folder.bad(1, "pool", "info", "lib.pool", says=["lib.pool", "cut off"])


def test_bad_input_is_refused_with_its_place(folder):
    folder.write("nan.csv", "x,y\n1,2\n3,nan\n")
    folder.bad(2, "pool", "build", "nan.csv", says=["nan.csv:3: y: expected a finite number"])
    folder.write("ragged.csv", "x,y\n1,2\n3\n")
    folder.bad(2, "pool", "build", "ragged.csv", says=["ragged.csv:3: expected 2 cells"])
    folder.write("empty.csv", "x,y\n")
    folder.bad(2, "pool", "build", "empty.csv", says=["empty"])
    folder.write("words.csv", "Smiles,y\nCC,a\n")
    folder.bad(2, "pool", "build", "words.csv", says=["say --smiles Smiles", "--features A,B"])
    folder.bad(2, "pool", "build", "words.csv", "--hex", "z", says=["--hex: there is no column"])
    folder.bad(2, "pool", "build", "words.csv", "--hex", "y", "--smiles", "Smiles", says=["one of --smiles, --hex and --features"])
    folder.bad(2, "pool", "bild", "x.csv", says=["expected build or info", "build"])
    folder.bad(2, "screen", "nan.csv", "--maximize", says=["--command", "--lookup"])
    folder.bad(2, "screen", "nan.csv", "--lookup", "y", says=["--minimize or --maximize"])
    folder.bad(2, "screen", "nan.csv", "--maximize", "--lookup", "z", says=["--lookup: there is no column \"z\""])
    folder.write("both.toml", 'direction = "maximize"\n[pool]\npath = "no.pool"\n[parameters]\nx = { low = 0, high = 1 }\n')
    folder.bad(2, "ask", "both.toml", says=["pool.path", "no.pool", "a study has parameters or a pool, not both"])
    assert not [name for name in os.listdir(folder.path) if ".pool" in name], os.listdir(folder.path)


def test_reads_molecules_where_rdkit_is_there(folder):
    folder.write("mol.csv", "smiles,y\nCCO,1\nnonsense,2\nc1ccccc1,3\nOCC,4\nCCN,5\n")
    result = folder.salvo("pool", "build", "mol.csv", "--smiles", "smiles", "--keep", "y")
    if "without RDKit" in result.stderr:
        return
    assert result.returncode == 0 and "line 3: nonsense" in result.stderr, result.stderr
    assert "3 candidates from 5 rows, 1 duplicate, 1 left out" in result.stdout, result.stdout
    assert "3,nonsense," in (folder / "mol.pool.bad.csv").read_text()
    folder.good("screen", "mol.pool", "--lookup", "y", "--maximize", "--batch", "2", "-o", "m")
    assert len(folder.trials("m.toml")) == 3


harness.main(globals())
