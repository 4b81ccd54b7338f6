#!/usr/bin/env python3
"""Plays the laboratory: fills in the column "value" of a sheet, as a colleague with a spreadsheet would.

    python3 play.py monday.csv          writes monday.csv with the values; semicolons and decimal commas, as some save it

The yields are made up, with the noise of a chromatograph (1 point). One flask in thirty breaks.
"""
import csv
import math
import random
import sys

SOLVENTS = {"DMF": 1.0, "dioxane": 0.85, "toluene": 0.6, "water": 0.25}


def measured(row, luck):
    heat = math.exp(-(((float(row["temperature"]) - 88) / 22) ** 2))
    time = 1 - math.exp(-float(row["time"]) / 2.5)
    decay = math.exp(-max(0.0, float(row["time"]) - 6) / 10)
    base = math.exp(-(((float(row["equivalents"]) - 1.8) / 0.7) ** 2))
    return 95 * heat * time * decay * base * SOLVENTS[row["solvent"]] + luck.gauss(0, 1)


def main():
    path = sys.argv[1]
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        luck = random.Random(int(row["trial"]))
        if luck.random() < 1 / 30:
            row["error"] = "the flask broke"
        else:
            row["value"] = f"{measured(row, luck):.1f}".replace(".", ",")
        for name in ("temperature", "time", "equivalents"):  # as a spreadsheet rounds them
            row[name] = f"{float(row[name]):.3f}".replace(".", ",")
    with open(path, "w", newline="") as file:
        out = csv.DictWriter(file, rows[0].keys(), delimiter=";")
        out.writeheader()
        out.writerows(rows)


if __name__ == "__main__":
    main()
