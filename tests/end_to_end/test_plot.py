"""Pictures: well-formed, of every kind, for awkward studies, and small for large ones."""
import json
import re
import shutil
import signal
import xml.etree.ElementTree as xml

import harness
from harness import MIXED

KINDS = ["all", "progress", "slices", "parallel", "importance", "lengthscales"]
EVIL = "</script><script>alert(1)</script><!--"


def page_data(path):
    """The one block of JSON of a page, which must be sound: it carries all it needs, and nothing in it calls out."""
    page = path.read_text(encoding="utf-8")
    assert page.count("<script") - page.count("<script>alert") == 3 and page.count("</script>") == 3, "a script of a study's"
    assert not re.search(r'\b(?:src|href)\s*=(?!["\']?data:)|@import|url\((?!#)|\son\w+\s*=\s*["\']', page.split("<script nonce")[0])
    urls = set(re.findall(r"https?://[^\s\"'<>\\]+", page))
    assert all(url.startswith(("http://www.w3.org/", "https://d3js.org")) for url in urls), urls
    assert "default-src 'none'" in page and "<noscript>" in page
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)[1])


def drawn(folder, study, kind="all"):
    folder.good("plot", study, "--kind", kind, "-o", "p.svg")
    text = (folder / "p.svg").read_text(encoding="utf-8")
    root = xml.fromstring(text)
    for number in ("nan", "inf"):
        assert f'"{number}' not in text and f" {number}" not in text.replace("infty", ""), number
    return root, text


def tell(folder, study, values, points=None):
    records = []
    for i, value in enumerate(values):
        share = (i * 0.618) % 1
        point = {"temperature": 300 + 600 * share, "rate": 10 ** (-4 * share), "stages": 1 + i % 8, "catalyst": ["Pd", "Pt", "Ni"][i % 3]}
        records.append(json.dumps({"params": points[i] if points else point, "value": value}))
    folder.good("tell", study, "-", "--format", "json", input="\n".join(records))


def test_labels_stand_where_people_look_and_names_where_programs_do(folder):
    folder.write("m.toml", MIXED.replace("high = 900 }", 'high = 900, label = "Température [K]" }')
                 .replace('"Ni"] }', '"Ni"], label = "Katalysator" }'))
    tell(folder, "m.toml", [i % 17 for i in range(60)])
    for kind in ("slices", "parallel", "lengthscales"):
        text = drawn(folder, "m.toml", kind)[1]
        assert "Température [K]" in text and "Katalysator" in text and "temperature<" not in text, kind
    for study in ("m.toml", "mixed.db"):
        for command in ("best", "status"):
            said = folder.good(command, study).stdout
            assert "Température [K]" in said and "temperature" not in said, said
    assert "temperature" in folder.good("export", "m.toml").stdout.splitlines()[0]
    assert "temperature" in json.loads(folder.good("best", "m.toml", "--json").stdout)["point"]["params"]
    folder.write("m.toml", (folder / "m.toml").read_text(encoding="utf-8").replace("Katalysator", "Stoff"))
    assert "Stoff" in folder.good("best", "m.toml").stdout


def test_every_kind_and_format(folder):
    folder.write("m.toml", MIXED)
    tell(folder, "m.toml", [i % 17 for i in range(60)])
    for kind in KINDS:
        root, text = drawn(folder, "m.toml", kind)
        assert root.tag.endswith("svg") and len(text) > 2000
    folder.good("plot", "m.toml", "-o", "p.html")
    data = page_data(folder / "p.html")
    assert data["parts"] == ["progress", "importance", "parallel", "slices"] and len(data["slices"]) == 4
    assert [data["parameters"][bar["parameter"]]["name"] for bar in data["importance"]]
    assert all(0 <= value <= 1.2 and stddev >= 0 for bar in data["importance"] for value, stddev in (bar["first"], bar["total"]))
    for kind in ("slices", "importance", "lengthscales", "batches"):
        folder.good("plot", "m.toml", "--kind", kind, "-o", "k.html")
        assert page_data(folder / "k.html")["parts"] == ([kind] if kind in ("slices", "importance") else [])
    if shutil.which("rsvg-convert"):
        folder.good("plot", "m.toml", "-o", "p.png")
        assert (folder / "p.png").read_bytes().startswith(b"\x89PNG")


def test_nothing_one_constant_large_and_negative(folder):
    folder.write("m.toml", MIXED)
    folder.good("ask", "m.toml", "2", "--storage", "none.db")
    assert "no values yet" in drawn(folder, "none.db")[1]
    for name, values in {"one": [3], "constant": [5] * 20, "zero": [0] * 12, "large": [1e12 * i for i in range(20)],
                         "huge": [1e140, 2e140, -1e140], "negative": [-1e-7 * i for i in range(20)],
                         "decades": [10.0 ** (i / 2 - 5) for i in range(20)], "close": [1e9 + i * 1e-3 for i in range(20)]}.items():
        folder.write(name + ".toml", MIXED.replace('"mixed"', f'"{name}"'))
        tell(folder, name + ".toml", values)
        drawn(folder, name + ".toml")


def test_a_page_has_every_trial_and_runs_nothing_of_a_study(folder):
    folder.write("m.toml", MIXED.replace('"Ni"]', json.dumps(EVIL) + "]").replace("high = 900 }", f'high = 900, label = {json.dumps(EVIL)} }}')
                 .replace('name = "mixed"', 'name = "<img onerror=alert(1)>"') + '[storage]\npath = "evil.db"\n')
    points = [{"temperature": 300 + i, "rate": 0.1, "stages": 1 + i % 8, "catalyst": EVIL if i % 2 else "Pd"} for i in range(20)]
    tell(folder, "m.toml", [i % 7 for i in range(20)], points)
    folder.good("ask", "m.toml", "4")
    folder.good("tell", "m.toml", "--trial", "21", "--fail", EVIL)
    folder.good("tell", "m.toml", "--trial", "22", "--abandon")
    folder.good("plot", "m.toml", "-o", "p.html")
    data = page_data(folder / "p.html")
    trials = data["trials"]
    assert trials["id"] == list(range(1, 25))
    assert [data["states"][state] for state in trials["state"]] == ["done"] * 20 + ["failed", "abandoned", "pending", "pending"]
    assert trials["value"][:20] == [i % 7 for i in range(20)] and trials["value"][20:] == [None] * 4
    catalyst = [p["name"] for p in data["parameters"]].index("catalyst")
    assert data["parameters"][catalyst]["choices"][2] == EVIL and trials["params"][catalyst][:4] == [0, 2, 0, 2]
    assert trials["error"] == {"21": EVIL} and data["recommended"]["trial"] <= 20
    assert "live" not in data and (folder / "p.html").stat().st_size < 600_000
    folder.good("ask", "m.toml", "2", "--storage", "none.db")
    folder.good("plot", "none.db", "-o", "none.html")
    assert page_data(folder / "none.html")["trials"]["value"] == [None, None]


def test_importance_in_status(folder):
    folder.write("m.toml", MIXED)
    tell(folder, "m.toml", [(i % 3 == 2) * 50 + (i * 0.618) % 1 for i in range(60)])  # the catalyst, and hardly anything else
    shares = folder.status("m.toml")["importance"]
    assert list(shares)[0] == "catalyst" and shares["catalyst"]["total"] > 0.9 and shares["stages"]["total"] < 0.1, shares
    assert set(shares["rate"]) == {"total", "total_stddev", "first", "first_stddev"}
    said = folder.good("status", "m.toml").stdout
    assert re.search(r"^  matters  catalyst \d+% ± \d+%", said, re.M), said


def test_a_page_follows_a_run(folder):
    study = folder.study("s", objective='command = "sleep 0.02; echo {x}"', batch=5, evaluations=20)
    run = folder.start("run", study, "--plot", "pages/live.html", "--plot", "end.svg", "--quiet")
    page = folder / "pages" / "live.html"
    harness.wait_for(page.exists)
    live = page_data(page)["live"]
    assert live["running"] and "goes on" in live["words"] and live["every"] >= 3, live
    assert not (folder / "end.svg").exists()
    run.send_signal(signal.SIGINT)
    run.communicate()
    data = page_data(page)
    assert not data["live"]["running"] and "stopped" in data["live"]["words"], data["live"]
    folder.good("run", study, "--plot", "pages/live.html", "--quiet")
    data = page_data(page)
    assert "budget spent" in data["live"]["words"] and len(data["trials"]["id"]) == 20
    folder.good("run", study, "--quiet", "--storage", "same.db")
    assert [t["params"] for t in folder.trials(study)] == [t["params"] for t in folder.trials("same.db")]
    assert [path.name for path in (folder / "pages").iterdir()] == ["live.html"]


def test_a_run_that_is_stopped_at_once_leaves_no_page_that_goes_on(folder):
    """The page may be there before the first ask is."""
    study = folder.study("s", objective='command = "sleep 0.02; echo {x}"', batch=5, evaluations=20)
    for i in range(6):
        run = folder.start("run", study, "--plot", "live.html", "--quiet", "--storage", f"{i}.db")
        harness.wait_for((folder / "live.html").exists)
        run.send_signal(signal.SIGINT)
        run.communicate()
        live = page_data(folder / "live.html")["live"]
        assert not live["running"] and "stopped" in live["words"], live
        (folder / "live.html").unlink()


def test_a_page_that_cannot_be_written_does_not_end_the_run(folder):
    study = folder.study("s", objective='command = "sleep 0.02; echo {x}"', batch=5, evaluations=30)
    run = folder.start("run", study, "--plot", "pages/live.html", "--quiet")
    harness.wait_for((folder / "pages" / "live.html").exists)
    shutil.rmtree(folder / "pages")
    said, complaint = run.communicate()
    assert run.returncode == 1 and "budget spent" in said and "live.html" in complaint, (said, complaint)
    assert folder.status(study)["done"] == 30


def test_long_and_odd_names(folder):
    long = "a_very_long_parameter_name_that_goes_on_and_on_and_on"
    text = MIXED.replace("temperature", long).replace('"Pd", "Pt", "Ni"', '"<b>&amp;\\"", "Ünï", "x y z and more words than fit"')
    folder.write("m.toml", text.replace('name = "mixed"', 'name = "a & b <i>"') + '[storage]\npath = "odd.db"\n')
    points = [{long: 300 + i, "rate": 0.1, "stages": 1, "catalyst": "Ünï"} for i in range(5)]
    tell(folder, "m.toml", [1, 2, 3, 4, 5], points)
    root, svg = drawn(folder, "m.toml")
    assert "&lt;b&gt;&amp;amp;" in svg and "a &amp; b &lt;i&gt;" in svg and "Ünï" in svg


def test_many_observations_make_a_small_file(folder):
    folder.write("m.toml", MIXED + "[model]\nnum_inducing = 20\nnum_features = 100\n")
    tell(folder, "m.toml", [(i * 7919) % 1000 / 100 for i in range(20000)])
    drawn(folder, "m.toml")
    assert (folder / "p.svg").stat().st_size < 2_000_000


def test_targets(folder):
    folder.write("m.toml", MIXED)
    tell(folder, "m.toml", [1, 2, 3])
    folder.bad(2, "plot", "m.toml", "-o", "p.jpg", says=[".svg"])
    folder.bad(2, "plot", "m.toml", says=["--output"])
    folder.bad(1, "plot", "m.toml", "-o", "m.toml/p.svg", says=["m.toml"])
    (folder / "bin").mkdir()
    folder.bad(1, "plot", "m.toml", "-o", "p.png", env={"PATH": str(folder / "bin")}, says=["librsvg2-bin"])
    folder.good("plot", "m.toml", "-o", "made/here/p.svg")


harness.main(globals())
