"""salvo plan and salvo diagnose: numbers for people and for programs, and plain words where the theory has none."""
import json
import xml.etree.ElementTree as xml

import harness


def plan(folder, *options):
    return json.loads(folder.good("plan", "--json", *options).stdout)


def test_plan_for_people(folder):
    text = folder.good("plan", "--kernel", "se", "--dims", "1", "--steps", "10", "--batch", "10").stdout
    for word in ("rule (5), points", "rule (6), features", "vanilla GP-TS", "γ_T", "1 − 1/e", "κ", "regret ≤", "log T"):
        assert word in text, word


def test_plan_for_programs(folder):
    made = plan(folder, "--kernel", "se", "--dims", "1", "--steps", "10", "--batch", "10", "--noise", "0.2")
    assert made["observations"] == 100 and made["noise"] == 0.2
    assert [rule["rule"] for rule in made["rules"]] == ["inducing points", "inducing features", "vanilla GP-TS"]
    assert made["rules"][0]["m"] >= made["rules"][1]["m"] > 1
    assert made["gamma_T"]["greedy"] <= made["gamma_T"]["used"] <= made["gamma_T"]["greedy_over_guarantee"]


def test_plan_says_what_is_impossible(folder):
    rough = plan(folder, "--kernel", "matern", "--nu", "0.5", "--dims", "3", "--steps", "10", "--batch", "10")
    assert rough["rules"][0]["m"] is None and rough["rules"][0]["theorem1"] is None
    assert any("2ν = 1 ≤ d = 3" in note for note in rough["notes"])
    text = folder.good("plan", "--dims", "3", "--steps", "10", "--batch", "10", "--inducing", "5").stdout
    assert "the bound says nothing here" in text


def test_plan_extremes_do_not_break_it(folder):
    for options in (["--steps", "1"], ["--dims", "100"], ["--lengthscale", "1000"], ["--noise", "1e-9"],
                    ["--lengthscale", "0.001", "--dims", "1"]):
        plan(folder, "--batch", "2", *options)
    plan(folder, "--steps", "1000000000", "--batch", "1000000000", "--dims", "1")


def test_plan_bad_input(folder):
    folder.bad(2, "plan", "--kernel", "gauss", says=["gauss", "matern52"])
    folder.bad(2, "plan", "--nu", "2.5", says=["--nu", "matern"])
    folder.bad(2, "plan", "--kernel", "matern", says=["--nu"])
    folder.bad(2, "plan", "--kernel", "matern", "--nu", "2", says=["0.5, 1.5 or 2.5"])
    folder.bad(2, "plan", "--noise", "0", says=["noise"])
    folder.bad(2, "plan", "--noise", "nan", says=["--noise"])
    folder.bad(2, "plan", "--kappa", "0.5", says=["kappa", "1/3"])
    folder.bad(2, "plan", "--dims", "0", says=["--dims"])
    folder.bad(2, "plan", "--steps", "1.5", says=["--steps"])


def test_diagnose(folder):
    study = folder.study(objective='builtin = "branin"', batch=40, evaluations=80).replace(".toml", "")
    text = (folder / f"{study}.toml").read_text().split("[parameters]")
    folder.write(f"{study}.toml", text[0].replace('direction = "minimize"\n', "") + "[objective]" + text[1].split("[objective]")[1])
    folder.good("run", f"{study}.toml")
    words = folder.good("diagnose", f"{study}.toml", "-o", "d.svg").stdout
    for word in ("a̲", "ā", "near the best", "θ/τ", "jitter", "Can it be trusted?", "Wrote d.svg"):
        assert word in words, word
    assert xml.fromstring((folder / "d.svg").read_text()).tag.endswith("svg")
    made = json.loads(folder.good("diagnose", f"{study}.db", "--json", "--observations", "50", "--points", "60").stdout)
    assert made["observations"] == 80 and made["compared"] == 50 and made["trust"] in ("yes", "mostly", "no")
    assert made["places"]["anywhere"]["worst"]["a_low"] >= 1


def test_diagnose_inducing_features(folder):
    folder.write("f.toml", 'name = "f"\n[objective]\nbuiltin = "branin"\n[budget]\nbatch = 30\nevaluations = 60\n'
                 '[model]\ntype = "inducing-features"\nnum_inducing = 60\nnum_features = 200\n')
    folder.good("run", "f.toml")
    assert "60 inducing features" in folder.good("diagnose", "f.toml", "-o", "f.svg").stdout
    made = json.loads(folder.good("diagnose", "f.db", "--json", "--points", "60").stdout)
    assert made["type"] == "inducing-features" and made["inducing"] == 60 and made["jitter"] == 0


def test_diagnose_bad_input(folder):
    study = folder.study()
    folder.bad(1, "diagnose", study, says=["has not been started"])
    folder.good("ask", study, "2")
    folder.bad(2, "diagnose", study, says=["at least two values"])
    folder.bad(2, "diagnose", study, "--observations", "1", says=["--observations"])
    folder.bad(2, "diagnose", study, "-o", "d.jpg", says=[".svg"])
    folder.bad(2, "diagnose", says=["study"])


harness.main(globals())
