"""Completion scripts: valid, and complete what the parser knows. The documents name every option."""
import json
import re
import shutil
import subprocess

import harness
from harness import REPOSITORY


def complete(folder, *words):
    folder.write("c.bash", folder.good("completion", "bash").stdout)
    listed = " ".join(f"'{w}'" for w in words)
    script = f"source c.bash; COMP_WORDS=({listed}); COMP_CWORD={len(words) - 1}; _salvo; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    return subprocess.run(["bash", "-c", script], cwd=folder.path, capture_output=True, text=True).stdout.split()


def test_scripts_are_valid(folder):
    for shell in ("bash", "zsh", "fish"):
        folder.write(shell, folder.good("completion", shell).stdout)
        if shutil.which(shell):
            result = subprocess.run([shell, "-n", shell], cwd=folder.path, capture_output=True, text=True)
            assert result.returncode == 0, result.stderr
        told = json.loads(folder.good("completion", shell, "--json").stdout)
        assert told == {"event": "completion", "shell": shell, "script": (folder / shell).read_text()}
    folder.bad(2, "completion", "tcsh", says=["tcsh", "bash"])
    folder.bad(2, "completion", says=["shell"])


def test_bash_completes(folder):
    assert "run" in complete(folder, "salvo", "r")
    assert complete(folder, "salvo", "run", "--pl") == ["--plot"]
    assert complete(folder, "salvo", "plot", "--kind", "s") == ["slices"]
    assert complete(folder, "salvo", "export", "--format", "") == ["csv", "json"]
    assert complete(folder, "salvo", "completion", "z") == ["zsh"]
    assert complete(folder, "salvo", "run", "--set", "budget.t") == ["budget.time=", "budget.target="]
    assert complete(folder, "salvo", "study-file", "model.ker") == ["model.kernel"]
    folder.write("reactor.toml", "")
    assert complete(folder, "salvo", "run", "rea") == ["reactor.toml"]
    assert complete(folder, "salvo", "--json", "status", "rea") == ["reactor.toml"]


def test_documents_name_every_command_and_option(folder):
    commands = ["init", "run", "ask", "tell", "status", "watch", "best", "export", "check", "plot", "plan", "bench", "diagnose", "study-file", "completion"]
    options = set()
    for command in commands:
        options |= set(re.findall(r"--[a-z]+", folder.good(command, "--help").stdout.split("Example")[0]))
    guide = (REPOSITORY / "docs/commands.md").read_text()
    manual = (REPOSITORY / "docs/salvo.1").read_text().replace("\\-", "-")
    for word in commands + sorted(options):
        assert word in guide, f"docs/commands.md does not name {word}"
        assert word in manual, f"docs/salvo.1 does not name {word}"


harness.main(globals())
