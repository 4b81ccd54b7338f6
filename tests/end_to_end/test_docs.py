"""The documents: links lead somewhere, tests and study-file keys that they name exist."""
import re

import harness
from harness import REPOSITORY

SKIPPED = re.compile(r"^(build|out|\.)")


def documents():
    found = [path for path in REPOSITORY.rglob("*.md") if not SKIPPED.match(path.relative_to(REPOSITORY).parts[0])]
    assert len(found) > 5, found
    return found


def text_of(path):
    return path.read_text(encoding="utf-8")


def prose(text):
    """Without code: what stands between fences or backticks is no link."""
    return re.sub(r"`[^`\n]*`", "", re.sub(r"^```.*?^```", "", text, flags=re.S | re.M))


def anchors(text):
    """The names that GitHub gives to headings: lower case, spaces as hyphens, punctuation gone."""
    headings = re.findall(r"^#+ +(.*)$", re.sub(r"^```.*?^```", "", text, flags=re.S | re.M), flags=re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_relative_links_resolve(folder):
    wrong = []
    for path in documents():
        for link in re.findall(r"\]\(([^)\s]+)\)|<img src=\"([^\"]+)\"", prose(text_of(path))):
            target, _, anchor = "".join(link).partition("#")
            if re.match(r"[a-z]+:", target):
                continue
            goal = (path.parent / target) if target else path
            if not goal.exists():
                wrong.append(f"{path.relative_to(REPOSITORY)}: {target} is not there")
            elif anchor and anchor not in anchors(text_of(goal)):
                wrong.append(f"{path.relative_to(REPOSITORY)}: {target}#{anchor} is no heading")
    assert not wrong, "\n".join(wrong)


def test_every_test_that_the_mathematics_names_exists(folder):
    sources = "".join(text_of(path) for path in (REPOSITORY / "tests").rglob("*.cpp"))
    existing = {".".join(names) for names in re.findall(r"(?:TEST|TEST_P|TEST_F|RC_GTEST_PROP)\((\w+), (\w+)", sources)}
    named = re.findall(r"`([A-Z]\w+\.[A-Z]\w+)`", text_of(REPOSITORY / "docs/math.md"))
    assert len(named) > 20, named
    missing = [name for name in named if name not in existing]
    assert not missing, missing


def test_every_override_that_the_documents_show_is_a_key(folder):
    study = folder.study()
    shown = {found for path in documents() for found in re.findall(r"--set ([a-z]+\.[a-z_]+=[a-z0-9.]+)\b", text_of(path))}
    assert len(shown) > 5, shown
    for override in sorted(shown - MISTAKES):
        text = folder.salvo("status", study, "--set", override).stderr
        assert "unknown key" not in text and "expected" not in text, text


MISTAKES = {"budget.bach=10", "budget.batch=0"}  # shown with the messages they get

harness.main(globals())
