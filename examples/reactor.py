#!/usr/bin/env python3
"""A made-up reactor: prints the measured yield in per cent for one setting.

    python3 reactor.py --t 640 --r 0.02 --n 5 --c Pt

Yield rises with temperature until the product decomposes, needs a feed rate that fits the number of stages, and every
catalyst has its own best temperature. Measuring adds noise with a standard deviation of 2 points. Inside a study the
noise is seeded by SALVO_SEED, so that a repeated run measures the same; by hand it differs from call to call.
"""
import argparse
import math
import os
import random

# catalyst: best temperature in kelvin, width of the peak, height
CATALYSTS = {"Pd": (520.0, 90.0, 78.0), "Pt": (655.0, 60.0, 91.0), "Ni": (760.0, 150.0, 70.0)}


def true_yield(temperature, rate, stages, catalyst):
    """The yield without noise; its best is 91 at Pt, 655 K, 5 stages and a rate of 0.02."""
    best, width, height = CATALYSTS[catalyst]
    heat = math.exp(-(((temperature - best) / width) ** 2))
    # More stages want a slower feed: the best rate falls by a half with each stage.
    best_rate = 0.64 * 0.5**stages
    feed = math.exp(-((math.log10(rate / best_rate) / 0.8) ** 2))
    # Each stage converts more, and each also loses a little.
    conversion = (1 - 0.45**stages) * 0.985**stages
    best_conversion = (1 - 0.45**5) * 0.985**5
    return height * heat * feed * conversion / best_conversion


def main():
    parser = argparse.ArgumentParser(description="Measure the yield of a made-up reactor.")
    parser.add_argument("--t", type=float, required=True, help="temperature in kelvin")
    parser.add_argument("--r", type=float, required=True, help="feed rate")
    parser.add_argument("--n", type=int, required=True, help="number of stages")
    parser.add_argument("--c", choices=sorted(CATALYSTS), required=True, help="catalyst")
    setting = parser.parse_args()
    noise = random.Random(os.environ.get("SALVO_SEED"))
    print(true_yield(setting.t, setting.r, setting.n, setting.c) + noise.gauss(0, 2))


if __name__ == "__main__":
    main()
