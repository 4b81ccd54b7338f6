"""Every Python block of the pages runs, one after the other."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
NEEDS = {"python-from-optuna.md": "optuna", "python-from-sklearn.md": "sklearn", "python.md": "pandas"}


@pytest.mark.parametrize("page", ["python.md", "constraints.md", "several-objectives.md", "python-from-optuna.md", "python-from-botorch.md", "python-from-sklearn.md"])
def test_page(page, tmp_path, monkeypatch):
    if page in NEEDS:
        pytest.importorskip(NEEDS[page])
    monkeypatch.chdir(tmp_path)
    text = (DOCS / page).read_text(encoding="utf-8")
    names = {"__name__": "__page__"}
    blocks = list(re.finditer(r"^```python\n(.*?)^```", text, re.M | re.S))
    assert blocks
    for block in blocks:
        line = text[: block.start()].count("\n") + 1
        exec(compile("\n" * line + block[1], str(DOCS / page), "exec"), names)
