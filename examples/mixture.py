#!/usr/bin/env python3
"""A made-up coating: prints its hardness for the shares of five components in per cent, which must add up to 100.

    python3 mixture.py 40 20 15 10 15

Hardness rises with the filler until there is too little resin to hold it, wants half as much hardener as resin, and suffers
from solvent that cannot leave. Measuring adds noise with a standard deviation of 0.5. Inside a study the noise is seeded by
SALVO_SEED, so that a repeated run measures the same.
"""
import math
import os
import random
import sys


def true_hardness(resin, hardener, pigment, filler, solvent):
    """Without noise."""
    cured = math.exp(-(((hardener / resin - 0.5) / 0.15) ** 2))
    held = 1 / (1 + math.exp((pigment + filler - 0.75 * (resin + hardener)) / 4))
    wet = math.exp(-(((solvent - 16) / 12) ** 2))
    return 100 * cured * held * wet * (0.5 + filler / 60 + pigment / 150)


def main():
    shares = [float(word) for word in sys.argv[1:]]
    if len(shares) != 5 or abs(sum(shares) - 100) > 0.01:
        sys.exit(f"expected five shares that add up to 100, got {shares}, which add up to {sum(shares)}")
    print(true_hardness(*shares) + random.Random(os.environ.get("SALVO_SEED")).gauss(0, 0.5))


if __name__ == "__main__":
    main()
