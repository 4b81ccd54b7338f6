"""How a study models the objective: classes made of the options that the library has (their stub is made when it is built)."""

from __future__ import annotations

import dataclasses
import re
import textwrap
from typing import Any

from . import _core


def _options(name: str, summary: str, fields: list[tuple[Any, ...]]) -> type:
    """A frozen dataclass of fields as _core lists them, whose words say what each is for."""
    lines = [summary, ""]
    for key, _, _, what, words, kind, standard in fields:
        said = [what, kind or (f"One of {', '.join(words)}" if words else ""), standard if ":" in standard else ""]
        text = f"{key}: {_plain('. '.join(filter(None, said)))}"
        lines.append(textwrap.fill(text, 110, subsequent_indent="    ", break_on_hyphens=False))
    made = dataclasses.make_dataclass(
        name, [(key, kind, dataclasses.field(default=default)) for key, kind, default, *_ in fields], frozen=True,
        kw_only=True, namespace={"__doc__": "\n".join(lines)},
    )  # fmt: skip
    made.__module__ = __name__
    return made


def _plain(markdown: str) -> str:
    """In Python's words, and without what is for a page alone: quotes of code, and links, of which the page's name is left."""
    return re.sub(r"\[[^\]]*\]\(([\w-]+\.md)[^)]*\)", r"docs/\1", markdown).replace('`"none"`', "None").replace("`", "")


ModelOptions = _options("ModelOptions", "How a study over a space models the objective.", _core.model_fields())
PoolModelOptions = _options(
    "PoolModelOptions",
    "How a study over a pool models the objective. In a mapping the kernel may be left out: it is then the first that suits the pool.",
    _core.pool_model_fields(),
)
