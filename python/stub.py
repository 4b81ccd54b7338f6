"""Writes model_options.pyi: the types of the classes that salvo/model_options.py makes. The build runs it, without the package.

    python stub.py FOLDER      # the one that _core is in
"""

import sys
from pathlib import Path

HEAD = """# Written by python/stub.py from the options that the library has.
import dataclasses
"""


def stub(name: str, fields: list) -> str:
    lines = [f"    {key}: {kind} = {default!r}" for key, kind, default, *_ in fields]
    return "\n".join(["", "@dataclasses.dataclass(frozen=True, kw_only=True)", f"class {name}:", *lines, ""])


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    sys.path.insert(0, str(folder))
    import _core

    text = HEAD + stub("ModelOptions", _core.model_fields()) + stub("PoolModelOptions", _core.pool_model_fields())
    (folder / "model_options.pyi").write_text(text, encoding="utf-8")
