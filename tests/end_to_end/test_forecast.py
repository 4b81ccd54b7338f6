"""salvo plan STUDY.toml: what a run will cost, in words and numbers that agree; no time is compared with a clock here."""
import json

import harness

SMALL = ("--quick", "--set", "model.num_starts=1", "--set", "model.num_candidates=50")


def plan(folder, study, *options):
    return json.loads(folder.good("plan", study, "--json", *options).stdout)


def test_a_box_in_numbers(folder):
    study = folder.study(batch=10, evaluations=40)
    made = plan(folder, study, *SMALL[1:])  # with time for all of it, on a slow machine, too
    assert made["event"] == "forecast" and made["evaluations"] == 40 and made["batches"] == 4 and made["batch"] == 10
    seconds = made["seconds"]
    assert seconds["total"] == seconds["learning"] + seconds["choosing"] + seconds["storing"] and seconds["learning"] > 0
    assert seconds["longest_batch"] >= seconds["mean_batch"] > 0 and made["fits"] >= 2
    rests = made["rests_on"]
    assert rests["whole"] and rests["rehearsed"] == 40 and [ask["observations"] for ask in rests["asks"]] == [0, 10, 20, 30]
    assert made["memory"] >= made["base_memory"] > 1e6
    assert made["disk"] > 40 * made["bytes_per_trial"] > 40 * 50
    theory = made["theory"]
    assert theory["dims"] == 2 and theory["inducing"] == 40 and theory["features"] == 200
    assert theory["suffice"] == (theory["m"] is not None and theory["m"] <= 40 and theory["M"] <= 200)
    assert not (folder / "s.db").exists()  # the study is left alone


def test_more_evaluations_cost_more(folder):
    study = folder.study(batch=50, evaluations=100)
    less = plan(folder, study, *SMALL)
    more = plan(folder, study, *SMALL, "--set", "budget.evaluations=200000")
    assert not more["rests_on"]["whole"] and more["rests_on"]["largest"] < 200000 and more["batches"] == 4000
    for key in ("memory", "disk", "fits"):
        assert more[key] > less[key], key
    for part in ("total", "learning", "choosing", "storing"):
        assert more["seconds"][part] > less["seconds"][part], part


def test_words_say_the_same(folder):
    study = folder.study(batch=10, evaluations=30)
    text = folder.good("plan", study, *SMALL).stdout
    for word in ("30 evaluations in 3 batches of 10", "of Salvo's own", "learning", "choosing", "storing", "at most", "a trial",
                 "at 30 observations", "m = 40, M = 200", "the whole run, rehearsed in memory with made-up values"):
        assert word in text, (word, text)


def test_a_pool(folder):
    rows = "".join(f"c{i},{i % 7},{i % 11}\n" for i in range(60))
    folder.write("lib.csv", "name,x,y\n" + rows)
    folder.good("pool", "build", "lib.csv", "--features", "x,y", "--id", "name")
    folder.write("lab.toml", 'direction = "maximize"\n[pool]\npath = "lib.pool"\n[budget]\nbatch = 10\nevaluations = 500\n')
    made = plan(folder, "lab.toml", "--quick")
    assert made["evaluations"] == 60 and made["theory"] is None  # there are no more
    assert made["seconds"]["learning"] > 0 and made["disk"] > 0 and made["inducing"] > 0
    assert "60 evaluations" in folder.good("plan", "lab.toml", "--quick").stdout


def test_bad_input(folder):
    study = folder.study()
    folder.write("bad.toml", (folder / study).read_text().replace("evaluations = 10", "evaluations = -1"))
    folder.bad(2, "plan", "bad.toml", says=["bad.toml:11", "evaluations"])
    folder.bad(2, "plan", "none.toml", says=["none.toml"])
    folder.bad(2, "plan", study, "--dims", "3", says=["--dims", "--set"])
    folder.bad(2, "plan", "--quick", says=["--quick", "study file"])
    folder.good("ask", study, "2")
    folder.bad(2, "plan", "s.db", says=["s.db", "expected a study file"])


harness.main(globals())
