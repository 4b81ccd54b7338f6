"""Pictures: well-formed, of every kind, for awkward studies, and small for large ones."""
import json
import shutil
import xml.etree.ElementTree as xml

import harness
from harness import MIXED

KINDS = ["all", "progress", "slices", "parallel", "lengthscales"]


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
    page = (folder / "p.html").read_text()
    assert page.count("<svg xmlns") == 4 and "<title>trial" in page and "http" not in page.replace("http://www.w3.org/2000/svg", "")
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
