"""What the end-to-end tests share: a fresh folder per test, the built command, small study files."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import traceback

BINARY = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else "salvo"
PATIENCE = float(os.environ.get("SALVO_PATIENCE", 1))  # times slower than usual, as under a sanitizer
REPOSITORY = pathlib.Path(__file__).resolve().parents[2]

TWO_FLOATS = """
name = "{name}"
direction = "minimize"
[parameters]
x = {{ low = -2.0, high = 2.0 }}
y = {{ low = 0.001, high = 1.0, scale = "log" }}
[objective]
{objective}
[budget]
batch = {batch}
evaluations = {evaluations}
[model]
num_inducing = 40
num_features = 200
"""

MIXED = """
name = "mixed"
direction = "maximize"
[parameters]
temperature = { low = 300, high = 900 }
rate        = { low = 1e-4, high = 1.0, scale = "log" }
stages      = { low = 1, high = 8, type = "int" }
catalyst    = { choices = ["Pd", "Pt", "Ni"] }
[objective]
command = "echo 1"
[budget]
batch = 5
evaluations = 20
"""


class Folder:
    """A folder of one test's own, and salvo run inside it."""

    def __init__(self, path):
        self.path = pathlib.Path(path)

    def __truediv__(self, name):
        return self.path / name

    def write(self, name, text):
        (self.path / name).write_text(text, encoding="utf-8")
        return name

    def study(self, name="s", objective='command = "echo $((RANDOM))"', batch=5, evaluations=10):
        return self.write(name + ".toml", TWO_FLOATS.format(name=name, objective=objective, batch=batch, evaluations=evaluations))

    def start(self, *args, **options):
        return subprocess.Popen([BINARY, *map(str, args)], cwd=self.path, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, **options)

    def salvo(self, *args, input=None, env=None, timeout=60):
        return subprocess.run([BINARY, *map(str, args)], cwd=self.path, input=input, stdin=None if input is not None else subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=timeout * PATIENCE, env=env)

    def good(self, *args, **options):
        result = self.salvo(*args, **options)
        assert result.returncode == 0, f"salvo {args}: exit {result.returncode}\n{result.stdout}\n{result.stderr}"
        return result

    def bad(self, code, *args, **options):
        """The command must fail with this code, and speak of every word given."""
        says = options.pop("says", [])
        result = self.salvo(*args, **options)
        assert result.returncode == code, f"salvo {args}: exit {result.returncode}, not {code}\n{result.stdout}\n{result.stderr}"
        assert any(line.startswith("salvo: ") for line in result.stderr.splitlines()), result.stderr
        for word in says:
            assert word in result.stderr, f"expected {word!r} in: {result.stderr}"
        return result

    def trials(self, study):
        return lines(self.good("export", study, "--format", "json").stdout)

    def status(self, study):
        return json.loads(self.good("status", study, "--json").stdout)


def lines(text):
    """JSON lines as objects; every line must parse."""
    return [json.loads(line) for line in text.splitlines()]


def wait_for(condition, seconds=20):
    end = time.monotonic() + seconds * PATIENCE
    while time.monotonic() < end:
        if condition():
            return
        time.sleep(0.02)
    raise AssertionError("waited in vain")


def slow(test):
    """A test that says little more than others do, and takes long: ./test --all runs it."""
    test.is_slow = True
    return test


def main(tests):
    passed = failed = 0
    for name, test in list(tests.items()):
        if not name.startswith("test_") or not callable(test):
            continue
        if getattr(test, "is_slow", False) and not os.environ.get("SALVO_ALL"):
            continue
        with tempfile.TemporaryDirectory(prefix="salvo-") as path:
            try:
                test(Folder(path))
                passed += 1
            except Exception:
                failed += 1
                print(f"FAILED {name}", file=sys.stderr)
                traceback.print_exc()
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)
