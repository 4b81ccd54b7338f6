"""Writes docs/python-api.md: every public name with its types, from the package itself.

    PYTHONPATH=build/python/package build/python-venv/bin/python scripts/python_reference.py [--check]

--check writes nothing and fails when the page is not what would be written; a test does that.
"""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import re
import sys
from pathlib import Path
from typing import Any

PAGE = Path(__file__).resolve().parents[1] / "docs/python-api.md"

INTRODUCTION = """# Salvo in Python: every name

Written by `scripts/python_reference.py` from the types and the words in the package: change them there. [The
tour](python.md) explains them in the order in which one needs them.
"""
GROUPS = {
    "Spaces": ["Space", "Float", "Int", "Choice", "Bool", "Ordinal", "Fixed"],
    "Studies": ["Study", "Objective", "Constraint", "ModelOptions", "PoolModelOptions", "Best", "Estimate", "Front", "Counts", "importance.Importance", "Amendment", "SpaceChange", "Prior", "Trial", "Trials", "FAILED", "Failed", "StoreError", "methods"],
    "Running a function": ["minimize", "maximize", "optimize", "Stop", "MachineFailure", "ray.RayExecutor"],
    "The model": ["SparseGP", "ExactGP", "Paths", "Path", "Kernel", "SE", "Matern12", "Matern32", "Matern52", "Features",
        "choose_inducing"],
    "Pools": ["Pool", "PoolGP"],
    "Theory": ["plan", "Plan", "theory.RulePlan", "theory.Approximation", "theory.RegretBound", "theory.GainBound", "forecast", "Forecast", "diagnose",
        "Diagnosis", "theory.Place", "theory.Quality"],
    "Test problems and threads": ["Problem", "problem", "problem_names", "set_num_threads", "num_threads"],
    "For others": ["SparseGPRegressor", "optuna.SalvoSampler", "botorch.candidates", "botorch.fit"],
    "Pictures": ["plot.Plots", "interactive.InteractivePlots"],
}
SPECIAL = ("__call__", "__getitem__", "__len__", "__iter__")


def main() -> int:
    text = page()
    if "--check" not in sys.argv[1:]:
        PAGE.write_text(text, encoding="utf-8")
        return 0
    if PAGE.exists() and PAGE.read_text(encoding="utf-8") == text:
        return 0
    print(f"{PAGE.name} is not what the package says: run scripts/python_reference.py", file=sys.stderr)
    return 1


def page() -> str:
    import salvo

    listed = {name for names in GROUPS.values() for name in names}
    missing = set(salvo.__all__) - listed - {"__version__"}
    if missing:
        raise SystemExit(f"python_reference.py: in no group: {', '.join(sorted(missing))}")
    parts = [INTRODUCTION]
    for title, names in GROUPS.items():
        parts.append(f"## {title}\n")
        parts += [entry(name, find(name)) for name in names]
    return "\n".join(parts)


def find(name: str) -> Any:
    module, _, last = name.rpartition(".")
    return getattr(importlib.import_module("salvo." + module if module else "salvo"), last)


def entry(name: str, thing: Any) -> str:
    out = [f"### salvo.{name}\n"]
    if inspect.isclass(thing):
        if not issubclass(thing, BaseException):
            out.append(code(f"{thing.__name__}{signature(thing)}"))
        out.append(words(thing))
        listed = [describe(member, value) for member, value in members(thing)]
        out.append("\n" + "\n".join(listed) if listed and words(thing) else "\n".join(listed))
    elif callable(thing) and not hasattr(type(thing), "error"):
        out += [code(f"{name.rpartition('.')[2]}{signature(thing)}"), words(thing)]
    else:
        out.append(words(type(thing)))
    return "\n".join(line for line in out if line) + "\n"


def members(cls: type) -> list[tuple[str, Any]]:
    """Those that are public, or special and worth a word; what comes from outside the package is known elsewhere."""
    found: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        if base.__module__.split(".")[0] != "salvo":
            continue
        for name, value in vars(base).items():
            if (not name.startswith("_") or name in SPECIAL) and (callable(value) or isinstance(value, (property, classmethod))):
                found[name] = value
    fields = {field.name for field in dataclasses.fields(cls)} if dataclasses.is_dataclass(cls) else set()
    return [(name, value) for name, value in found.items() if name not in fields]


def describe(name: str, value: Any) -> str:
    if isinstance(value, property):
        kind = plain(inspect.signature(value.fget).return_annotation) if value.fget else ""  # type: ignore[arg-type]
        head, text = f"`.{name}: {kind}`", value.__doc__
    else:
        function = value.__func__ if isinstance(value, classmethod) else value
        head, text = f"`.{name}{signature(function, skip_self=True)}`", function.__doc__
    said = " ".join((text or "").split("\n\n")[0].split())
    return f"- {head}" + (f" – {said}" if said else "")


def signature(thing: Any, skip_self: bool = False) -> str:
    if getattr(thing, "__module__", "") == "salvo._core":  # of the extension: what its stub says
        return stub_signature(thing)
    sign = inspect.signature(thing)
    shown, star = [], False
    for i, p in enumerate(sign.parameters.values()):
        if skip_self and i == 0:
            continue
        if p.kind is p.KEYWORD_ONLY and not star:
            shown, star = [*shown, "*"], True
        text = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "") + p.name
        star = star or p.kind is p.VAR_POSITIONAL
        if p.annotation is not p.empty:
            text += f": {plain(p.annotation)}"
        if p.default is not p.empty:
            text += f" = {p.default!r}" if p.annotation is not p.empty else f"={p.default!r}"
        shown.append(text)
        if p.kind is p.POSITIONAL_ONLY and all(q.kind is not p.POSITIONAL_ONLY for q in list(sign.parameters.values())[i + 1 :]):
            shown.append("/")
    result = "" if inspect.isclass(thing) or sign.return_annotation is sign.empty else f" -> {plain(sign.return_annotation)}"
    return f"({', '.join(shown)}){result}"


def stub_signature(thing: Any) -> str:
    import salvo

    stub = (Path(salvo.__file__).parent / "_core.pyi").read_text(encoding="utf-8")
    found = re.search(rf"^def {thing.__name__}(\(.*\) -> .*): \.\.\.", stub, re.M)
    return found[1] if found else "(…)"


def plain(annotation: Any) -> str:
    text = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", str(annotation))
    return str(text).replace("_check.FloatArray", "NDArray[float64]")


def code(text: str) -> str:
    if len(text) > 110 and "(" in text:
        head, rest = text.split("(", 1)
        body, tail = rest.rsplit(")", 1)
        text = head + "(\n" + "".join(f"    {part.strip()},\n" for part in split(body)) + ")" + tail
    return f"```\n{text}\n```"


def split(text: str) -> list[str]:
    """At the commas that stand in no bracket."""
    parts, depth, begin = [], 0, 0
    for i, letter in enumerate(text):
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0:
            parts.append(text[begin:i])
            begin = i + 1
    return [*parts, text[begin:]]


def words(thing: Any) -> str:
    """The docstring, its options as a list."""
    text = inspect.getdoc(thing) or ""
    if inspect.isclass(thing) and dataclasses.is_dataclass(thing) and text.startswith(f"{thing.__name__}("):
        return ""
    text = re.sub(r"^([a-z_]\w*(?:, [a-z_]\w*)*): (?=\S)", r"- `\1`: ", text, flags=re.M)
    return re.sub(r"^(>>> .*)", r"    \1", text, flags=re.M)


if __name__ == "__main__":
    sys.exit(main())
