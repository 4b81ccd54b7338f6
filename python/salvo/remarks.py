"""What people say about a study and its trials: notes and tags. The search reads neither."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from . import _check
from ._core import REMARK
from ._core import Study as Core
from .trial import Trial


class Remarks:
    """The part of a study that is for people."""

    _core: Core

    @property
    def note(self) -> str:
        """What was remembered about the study itself, "" when nothing was; study.note = "new oven" remembers, "" takes it back."""
        return self._core.note(REMARK) or ""

    @note.setter
    def note(self, text: str) -> None:
        self._core.set_note(REMARK, _check.text("note", text))

    def annotate(self, trial: Trial | int, text: str) -> None:
        """Remember something about a trial, in your own words; "" takes it back. The search does not read it."""
        self._core.annotate(trial_id("annotate", trial), str(text))

    def annotations(self) -> dict[int, str]:
        """What was remembered about trials, by their numbers."""
        return dict(self._core.annotations())

    def tag(self, trials: Any, *names: str) -> None:
        """Short words on a trial, or on several, to find them again: study.tag(trials, "pilot"). Trial.tags has them."""
        self._core.tag(trial_ids("tag", trials), _words("tag", names), True)

    def untag(self, trials: Any, *names: str) -> None:
        """Takes tags off again; those that are not there are passed over."""
        self._core.tag(trial_ids("untag", trials), _words("untag", names), False)

    def tags(self) -> dict[int, tuple[str, ...]]:
        """The tags of trials that carry any, by their numbers."""
        return {number: tuple(names) for number, names in self._core.tags()}


def trial_id(where: str, trial: Any) -> int:
    if isinstance(trial, Trial):
        return trial.id
    return _check.whole(f"{where}: trial", trial, -(2**63), 2**63 - 1)


def trial_ids(where: str, trials: Any) -> list[int]:
    """Of one trial or its number, or of several."""
    single = isinstance(trials, (Trial, int, np.integer)) and not isinstance(trials, bool)
    return [trial_id(where, trial) for trial in ([trials] if single else _check.listed(f"{where}: trials", trials))]


def _words(where: str, names: Iterable[Any]) -> list[str]:
    words = [_check.text(f"{where}: name", name) for name in names]
    if not words:
        raise TypeError(f"{where}: expected at least one name, got none")
    return words
