#!/usr/bin/env python3
"""A steel box beam, one metre long, fixed at one end, with two kilonewtons at the other: what it weighs and how it bears that."""
import json
import sys

LENGTH, LOAD = 1.0, 2000.0  # m, N
ELASTICITY, DENSITY = 210e9, 7850.0  # Pa, kg/m³
MOST_SLENDER = 45.0  # of a wall, width by thickness: a thinner one buckles


def main():
    params = json.load(sys.stdin)["params"]
    height, width, wall = (params[name] / 1000 for name in ("height", "width", "wall"))
    inner_height, inner_width = max(0.0, height - 2 * wall), max(0.0, width - 2 * wall)
    mass = DENSITY * LENGTH * (height * width - inner_height * inner_width)
    if max(height, width) / wall > MOST_SLENDER:  # no need to compute the rest
        print(json.dumps({"mass": mass, "walls": "failed"}))
        return
    inertia = (width * height**3 - inner_width * inner_height**3) / 12  # m⁴
    stress = LOAD * LENGTH * height / 2 / inertia / 1e6  # MPa
    bend = 1000 * LOAD * LENGTH**3 / (3 * ELASTICITY * inertia)  # mm
    print(json.dumps({"mass": mass, "stress": stress, "bend": bend, "walls": "passed"}))


main()
