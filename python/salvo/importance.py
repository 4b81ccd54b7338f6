"""Which parameters matter."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from .study import Study


def importance(study: Study, num_points: int, seed: int) -> dict[str, float]:
    """Jansen's estimator of the total effect: what changes when one parameter alone is drawn anew, over what changes
    when all are. Parameters that do not vary have none."""
    from .space import Fixed

    space = study.space
    base = space.sample(num_points, seed)
    other = space.sample(num_points, seed + 1)
    names = [name for name, domain in space.items() if not isinstance(domain, Fixed)]
    points = list(base)
    for name in names:
        points += [{**a, name: b[name]} for a, b in zip(base, other)]
    mean, _ = study.predict(points)
    blocks = mean.reshape(1 + len(names), num_points)
    variance = blocks[0].var()
    effects = ((blocks[1:] - blocks[0]) ** 2).mean(axis=1) / 2
    shares = effects / variance if variance > 0 else np.zeros(len(names))
    return dict(sorted(zip(names, shares.tolist()), key=lambda item: -item[1]))
