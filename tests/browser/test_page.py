"""The pages of `salvo plot` in a real browser: what is drawn, hovered over, brushed, sorted, typed; what must not run."""
import json
import os
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "end_to_end"))
import harness  # noqa: E402
from playwright.sync_api import Error, sync_playwright  # noqa: E402

EVIL = "</script><script>window.ran = 1</script><img src=x onerror='window.ran = 1'>"
STUDY = """
name = "reactor <b>&amp;"
direction = "minimize"
[parameters]
temperature = {{ low = 300, high = 900, label = "Température [K]" }}
rate        = {{ low = 1e-4, high = 1.0, scale = "log" }}
stages      = {{ low = 1, high = 8, type = "int" }}
catalyst    = {{ choices = ["Pd", {evil}, "Ni"] }}
site        = {{ value = "north" }}
[objective]
{objective}
[budget]
batch = 10
evaluations = 100
[model]
num_inducing = 40
num_features = 100
"""
playwright = sync_playwright().start()
browser = playwright.chromium.launch(executable_path=os.environ["SALVO_BROWSER"], args=["--no-sandbox"])


class Looking:
    """A page that is open; whatever it complains about, or asks the network for, fails the test."""

    def __init__(self, path, width=1280, height=900, **options):
        self.context = browser.new_context(viewport={"width": width, "height": height}, **options)
        self.page = self.context.new_page()
        self.wrong = []
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("console", lambda said: self.wrong.append(said.text) if said.type == "error" else None)
        self.page.on("request", lambda r: None if r.url.startswith(("file:", "data:")) else self.wrong.append(r.url))
        self.page.goto(f"file://{path}")

    def __enter__(self):
        self.page.wait_for_selector("html[data-ready=yes]")
        return self.page

    def __exit__(self, kind, *_):
        self.context.close()
        assert kind or not self.wrong, self.wrong


def redrawn(page):
    """All charts are drawn anew in the next frame; what was located before is then no longer there."""
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def made(folder, trials=60, fail=3, **options):
    folder.write("s.toml", STUDY.format(evil=json.dumps(EVIL), objective=options.get("objective", 'command = "echo 1"')))
    records = []
    for i in range(trials):
        share = (i * 0.618) % 1
        params = {"temperature": 300 + 600 * share, "rate": 10 ** (-4 * ((i * 0.37) % 1)), "stages": 1 + i % 8,
                  "catalyst": ["Pd", EVIL, "Ni"][i % 3], "site": "north"}
        value = (share - 0.4) ** 2 + (i % 3) / 3 + (1e6 if i == 5 else 0)
        records.append(json.dumps({"params": params, "value": value}))
    folder.good("tell", "s.toml", "-", "--format", "json", input="\n".join(records))
    if fail:
        folder.good("ask", "s.toml", fail + 1)
        for i in range(fail):
            folder.good("tell", "s.toml", "--trial", trials + 1 + i, "--fail", f"went out {EVIL}")
    folder.good("plot", "s.toml", "-o", "p.html")
    return folder / "p.html"


def drawn(page, chart):
    """How many pixels of a chart's marks are not empty."""
    return page.evaluate("""(chart) => {
        const c = document.querySelector(`#${chart} .chart canvas`), d = c.getContext("2d").getImageData(0, 0, c.width, c.height).data;
        let n = 0;
        for (let i = 3; i < d.length; i += 4) n += d[i] > 0;
        return n; }""", chart)


def until(page, condition):
    """Waits for an expression to be true. (Playwright's own wait evaluates text inside the page, which its rules forbid.)"""
    def holds():
        try:
            return page.evaluate(condition)
        except Error:  # the page is just loading itself anew
            return False
    harness.wait_for(holds, 60)


def tip(page):
    shown = page.locator("#tip:not([hidden])")
    return shown.inner_text() if shown.count() else ""


def rows(page):
    return [[cell.strip() for cell in row] for row in page.evaluate(
        "[...document.querySelectorAll('#trials tbody tr')].map((r) => [...r.cells].map((c) => c.textContent))")]


def rows_of_header(page):
    return page.evaluate("[...document.querySelectorAll('#trials th')].map((h) => h.textContent.replace(/ [▾▴]$/, ''))")


def test_everything_is_there_at_every_width_and_nothing_of_a_study_runs(folder):
    path = made(folder)
    for width, scheme in ((1280, "light"), (390, "dark")):
        with Looking(path, width, color_scheme=scheme) as page:
            assert page.locator("h1").inner_text() == "reactor <b>&amp;"
            for part in ("progress", "importance", "parallel", "slices", "trials"):
                assert page.locator(f"#{part}").is_visible(), part
            for chart in ("progress", "parallel", "slices"):
                assert drawn(page, chart) > 200, chart
            assert page.evaluate("document.documentElement.dataset.theme") == scheme
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page is wider than the screen"
            assert page.locator("#importance g[role=img]").count() == 4  # nothing of the fixed one
            assert page.evaluate("window.ran") is None and page.locator("img").count() == 0
            assert EVIL in page.locator("#trials").inner_text()
            assert "Colours by rank" in page.evaluate("document.querySelector('select').selectedOptions[0].textContent")


def test_a_few_values_far_out_leave_colours_and_room_for_the_rest(folder):
    folder.write("few.toml", 'direction = "minimize"\n[parameters]\nx = { low = 0.0, high = 1.0 }\n')
    values = [20 + (7 * i) % 13 for i in range(57)] + [175, 346, 459]  # three of sixty; and many are alike
    folder.good("tell", "few.toml", "-", input="x,value\n" + "".join(f"{i / 60},{value}\n" for i, value in enumerate(values)))
    folder.good("plot", "few.toml", "-o", "few.html")
    with Looking(folder / "few.html") as page:
        assert "Colours by rank" in page.evaluate("document.querySelector('select').selectedOptions[0].textContent")
        for part in ("progress", "slices"):
            texts = page.locator(f"#{part} svg").first.locator("text").all_text_contents()
            ticks = [float(text) for text in texts if text.replace(".", "").isdigit()]
            assert ticks and max(ticks) < 200, texts
        shades = {}
        for row in page.locator("#trials tbody tr").all():
            shade = row.locator(".patch").evaluate("patch => patch.style.background")
            assert shades.setdefault(row.locator("td").nth(1).inner_text(), shade) == shade, "equal values have equal colours"
        assert len(set(shades.values())) == len(shades) > 3


def test_pointing_brushing_sorting_and_typing(folder):
    with Looking(made(folder)) as page:
        chart = page.locator("#progress svg").first
        box = chart.bounding_box()
        for share in [i / 60 for i in range(60)]:  # somewhere along the line there is a trial under the pointer
            page.mouse.move(box["x"] + 80 + share * (box["width"] - 120), box["y"] + box["height"] / 2)
            if "trial" in tip(page):
                break
        assert "Température [K]" in tip(page) and "catalyst" in tip(page)
        page.mouse.move(2, 2)
        chart.focus()
        page.keyboard.press("ArrowRight")
        assert tip(page).startswith("trial 1:"), tip(page)
        page.keyboard.press("ArrowRight")
        assert tip(page).startswith("trial 2:"), tip(page)

        before = drawn(page, "progress")
        page.mouse.move(box["x"] + 200, box["y"] + 60)
        page.mouse.down()
        page.mouse.move(box["x"] + 500, box["y"] + 250, steps=4)
        page.mouse.up()
        until(page, "!document.querySelector('#progress button[title=\"Show everything\"]').disabled")
        assert drawn(page, "progress") != before
        page.get_by_role("button", name="Reset").click()
        redrawn(page)

        assert "64 trials" in page.locator("#trials .remark").inner_text()
        axis = page.locator("#parallel [role=slider]").first  # the temperature
        axis.scroll_into_view_if_needed()
        place = axis.bounding_box()
        page.mouse.move(place["x"] + place["width"] / 2, place["y"] + 5)
        page.mouse.down()
        page.mouse.move(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2, steps=4)
        page.mouse.up()
        until(page, "document.querySelector('#trials .remark').textContent.includes('of 64')")
        assert all(float(row[3]) >= 590 for row in rows(page)), rows(page)
        axis = page.locator("#parallel [role=slider]").first
        axis.focus()
        page.keyboard.press("Delete")
        until(page, "document.querySelector('#trials .remark').textContent === '64 trials'")
        page.keyboard.press("ArrowUp")
        until(page, "document.querySelector('#trials .remark').textContent.includes('of 64')")
        page.get_by_role("button", name="Clear").click()

        page.locator("#trials th button", has_text="trial").click()
        until(page, "document.querySelector('#trials th').getAttribute('aria-sort') === 'ascending'")
        ids = [int(row[0]) for row in rows(page)]
        assert ids == sorted(ids) and len(ids) == 25
        page.get_by_role("button", name="Next ›").click()
        until(page, "document.querySelector('#trials tbody tr').dataset.id === '26'")
        page.locator("#trials input").fill("went out")
        until(page, "document.querySelectorAll('#trials tbody tr.failed').length === 3")
        assert len(rows(page)) == 3


def test_several_outputs_and_values_that_differ_little(folder):
    folder.write("two.toml", """
[parameters]
x = { low = 0.0, high = 1.0 }
y = { low = 0.0, high = 1.0 }
[outputs]
cost = "minimize"
yield = "maximize"
purity = { min = 0.5 }
sound = "passed"
[objective]
command = "echo 1"
[budget]
batch = 4
""")
    records = [json.dumps({"params": {"x": x / 5, "y": y / 5}, "cost": 11.35 + 0.001 * x, "yield": y / 5, "purity": 1 - x / 6, "sound": "failed" if x == 5 else "passed"})
               for x in range(6) for y in range(5)]
    folder.good("tell", "two.toml", "-", "--format", "json", input="\n".join(records))
    folder.good("ask", "two.toml", "1")
    folder.good("tell", "two.toml", "--trial", str(len(records) + 1), "--fail", "went out")
    folder.good("plot", "two.toml", "-o", "two.html")
    with Looking(folder / "two.html") as page:
        ends = page.locator(".colours").first.locator("div span").all_inner_texts()
        assert len(set(ends)) == 3, ends
        assert "10 not known to keep to the constraints" in page.locator("#progress").inner_text()
        header = page.locator("#trials thead").inner_text().lower()
        assert "yield" in header and "purity" in header and "feasible" in header, header
        assert "failed" in page.locator("#parallel").inner_text(), "of what is told as passed or failed the words are shown"
        assert "passed" in page.locator("#trials tbody").inner_text()

        front = page.locator("#front svg")
        assert front.count() == 1 and drawn(page, "front") > 200
        count = int(page.locator("#front .remark").inner_text().split()[0])
        assert f"{count}\non the front" in page.locator(".tiles").inner_text()
        front.focus()
        seen = set()
        for _ in range(count + 2):  # from one to the next, and then it stays
            page.keyboard.press("ArrowRight")
            seen.add(tip(page).splitlines()[0])
            assert "on the front" in tip(page) and "yield" in tip(page), tip(page)
        assert len(seen) == count, seen
        page.mouse.move(2, 2)
        box = front.bounding_box()
        found = False
        for share in [i / 40 for i in range(40)]:
            for up in [i / 20 for i in range(20)]:
                page.mouse.move(box["x"] + share * box["width"], box["y"] + up * box["height"])
                found = found or "trial" in tip(page)
            if found:
                break
        assert found
    folder.good("plot", "two.toml", "--kind", "front", "-o", "front.html")
    with Looking(folder / "front.html", 390) as page:
        assert page.locator("#front").is_visible() and page.locator("#progress").count() == 0
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page is wider than the screen"


def test_what_is_kept_beside_a_value_is_shown(folder):
    made(folder, trials=12, fail=1)
    said = {"trial": 14, "value": 3, "seconds": 12.5, "compiler": f"gcc {EVIL}"}
    folder.good("tell", "s.toml", "-", "--format", "json", input=json.dumps(said))
    folder.good("note", "s.toml", "--trial", "3", "foam above 450 K")
    folder.good("note", "s.toml", f"a new oven {EVIL} " + "x" * 5000)
    folder.good("plot", "s.toml", "-o", "p.html")
    with Looking(folder / "p.html") as page:
        assert page.evaluate("window.ran") is None
        assert "a new oven" in page.locator("header").inner_text()
        header = rows_of_header(page)
        assert {"seconds", "compiler", "note"} <= set(header), header
        page.get_by_role("searchbox").fill("foam")
        until(page, "document.querySelectorAll('#trials tbody tr').length === 1")
        (row,) = rows(page)
        assert row[header.index("trial")] == "3" and row[header.index("note")] == "foam above 450 K", row
        page.get_by_role("searchbox").fill("gcc")
        until(page, "document.querySelector('#trials tbody tr').cells[0].textContent === '14'")
        (row,) = rows(page)
        assert row[header.index("seconds")] == "12.5" and row[header.index("compiler")] == f"gcc {EVIL}", row
        chart = page.locator("#progress svg").first
        chart.focus()
        page.keyboard.press("End")
        page.keyboard.press("ArrowLeft")
        assert "seconds\t12.5" in tip(page), tip(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "a long note makes the page no wider"
        assert page.locator("header").bounding_box()["height"] < 300


def test_without_scripts_there_is_a_picture(folder):
    path = made(folder)
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"file://{path}")
    assert page.locator("noscript svg, main svg").first.is_visible()
    context.close()


def test_fifty_thousand_trials_do_not_stall(folder):
    path = made(folder, trials=50_000, fail=0)
    begin = time.monotonic()
    with Looking(path) as page:
        opened = time.monotonic() - begin
        begin = time.monotonic()
        page.locator("#parallel [role=slider]").first.focus()
        page.keyboard.press("ArrowUp")
        until(page, "document.querySelector('#trials .remark').textContent.includes('of 50,000')")
        brushed = time.monotonic() - begin
    print(f"50,000 trials: {path.stat().st_size / 1e6:.1f} MB, open after {opened:.1f} s, brushed after {brushed:.1f} s")
    assert opened < 15 and brushed < 10  # not stalled, on a machine however slow


def test_a_page_follows_its_run_and_says_when_it_has_ended(folder):
    folder.write("s.toml", STUDY.format(evil='"Pt"', objective='command = "sleep 0.1; echo 0.{stages}"'))
    run = folder.start("run", "s.toml", "--plot", "live.html")
    try:
        harness.wait_for(lambda: (folder / "live.html").exists())
        with Looking(folder / "live.html") as page:
            assert "goes on" in page.locator(".live").inner_text()
            first = page.locator(".tile b").first.inner_text()
            page.evaluate("window.before = true")
            until(page, "window.before === undefined && document.documentElement.dataset.ready === 'yes'")
            until(page, "document.querySelector('.live:not(.running)') !== null")
            assert "has ended" in page.locator(".live").inner_text()
            assert page.locator(".tile b").first.inner_text() == "100 / 100" != first
    finally:
        run.wait(60)
        run.communicate()


try:
    harness.main(globals())
finally:
    browser.close()
    playwright.stop()
