"""What is minimised: the functions of COCO's bbob suite by their numbers, and Salvo's built-in problems by their names."""

from __future__ import annotations

import os
import sys
import tempfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from task import HIGH, LOW


def function(which: int | str, dim: int, instance: int) -> tuple[Callable[[Any], float], float]:
    """f over the box of a task, and its least value."""
    return suite(which, dim, instance) if isinstance(which, int) else built_in(which)


def suite(number: int, dim: int, instance: int) -> tuple[Callable[[Any], float], float]:
    import cocoex

    found = cocoex.Suite("bbob", f"instances: {instance}", f"dimensions:{dim} function_indices:{number}")[0]
    here = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        found._best_parameter("print")  # the only way to ask for the minimiser: it writes a file
        optimum = found(np.loadtxt("._bbob_problem_best_parameter.txt"))
        os.chdir(here)
    return found, optimum


def built_in(name: str) -> tuple[Callable[[Any], float], float]:
    """Its parameters all vary over a task's box: an optimiser that starts from the box's size finds every one alike."""
    problem = salvo_problem(name)
    names = list(problem.space)
    low = np.array([problem.space[each].low for each in names])
    high = np.array([problem.space[each].high for each in names])

    def value(x: Any) -> float:
        share = (np.asarray(x) - LOW) / (HIGH - LOW)
        return float(problem(dict(zip(names, (low + (high - low) * share).tolist()))))

    return value, problem.optimum


def salvo_problem(name: str) -> Any:
    """Salvo's Python package as ./test builds it, where none is installed."""
    sys.path.append(str(Path(__file__).resolve().parents[2] / "build" / "python" / "package"))
    try:
        import salvo
    except ImportError as missing:
        sys.exit(f"experiments/bbob/run: --problems needs Salvo's Python package ({missing}); ./test builds it, pip install . installs it")
    try:
        return salvo.problem(name)
    except ValueError as unknown:
        sys.exit(f"experiments/bbob/run: --problems: {unknown}")


def dimensions(name: str) -> int:
    return len(salvo_problem(name).space)


def number_of(which: int | str) -> int:
    """Of the random numbers of its noise."""
    return which if isinstance(which, int) else zlib.crc32(which.encode())
