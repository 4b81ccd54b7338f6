"""Several outputs over libraries of molecules: what a campaign finds of the library's own front, or of the best that keep to limits.

    experiments/outputs/libraries --data FOLDER --problems cep,light,enamine --seeds 5

cep: PCE as large, molecular weight as small as can be. The share of the hypervolume that the whole library's front has, above
its median PCE and below its median weight, which salvo is told as references.
light: the same of docking scores and weights.
enamine: the docking score as small as can be, logP at most 2 and polar surface at most 75. The share of the 50 best of those
that keep to both; values that tie with the last of these count, up to the number of places.

salvo searches all outputs; salvo-sum only a fixed sum of the objectives, or the first objective alone, as a study with one output
would; forest is greedy by a random forest for each output (scikit-learn), which takes what is predicted to keep to the limits
first and otherwise the best along random directions; random is random. Properties and fingerprints are RDKit's.
"""
import argparse
import concurrent.futures
import csv
import gzip
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
SALVO = os.environ.get("SALVO", str(ROOT / "build" / "salvo"))
NUM_BEST = 50


class Problem:
    """outputs: (name, direction) of objectives, then (name, most) of limits; `values`: a row for each candidate."""

    def __init__(self, name, file, objectives, limits):
        self.name, self.file, self.objectives, self.limits = name, file, objectives, limits

    def names(self):
        return [name for name, _ in self.objectives + self.limits]


PROBLEMS = {
    "cep": Problem("cep", "cep_pce_30k.csv.gz", [("PCE", "maximize"), ("weight", "minimize")], []),
    "light": Problem("light", "enamine10k_docking_scores.csv.gz", [("score", "minimize"), ("weight", "minimize")], []),
    "enamine": Problem("enamine", "enamine10k_docking_scores.csv.gz", [("score", "minimize")], [("logp", 2.0), ("surface", 75.0)]),
}


def read_library(problem, folder):
    """A row for each distinct candidate: id, SMILES, fingerprint, and the outputs; objectives turned so that larger is better."""
    from rdkit import Chem, RDLogger
    from rdkit.Chem import Crippen, Descriptors, rdFingerprintGenerator, rdMolDescriptors

    RDLogger.DisableLog("rdApp.*")
    path = pathlib.Path(folder) / problem.file
    if not path.exists():
        sys.exit(f"libraries: there is no {path}; give the folder of the data with --data")
    made = rdFingerprintGenerator.GetMorganGenerator(radius=3, fpSize=512)
    more = {"weight": Descriptors.MolWt, "logp": Crippen.MolLogP, "surface": rdMolDescriptors.CalcTPSA}
    seen, ids, smiles, bits, values = set(), [], [], [], []
    with gzip.open(path, "rt") as file:
        for row in csv.DictReader(file):
            molecule = Chem.MolFromSmiles(row["smiles"])
            if molecule is None:
                continue
            bit = made.GetFingerprintAsNumPy(molecule)
            if bit.tobytes() in seen:
                continue
            seen.add(bit.tobytes())
            numbers = [float(row[name]) if name in row else more[name](molecule) for name in problem.names()]
            ids.append(f"m{len(ids)}")
            smiles.append(row["smiles"])
            bits.append(bit)
            values.append(numbers)
    return ids, smiles, np.array(bits, dtype=np.uint8), np.array(values)


def turned(problem, values):
    out = values.copy()
    for k, (_, direction) in enumerate(problem.objectives):
        out[:, k] *= 1 if direction == "maximize" else -1
    return out


def hypervolume2(points, reference):
    """Of two objectives, larger is better."""
    area, height = 0.0, reference[1]
    for a, b in sorted(points.tolist(), reverse=True):
        if a > reference[0] and b > height:
            area += (a - reference[0]) * (b - height)
            height = b
    return area


class Score:
    """The share of what there is to find that some candidates have."""

    def __init__(self, problem, values):
        self.problem, self.values = problem, turned(problem, values)
        K = len(problem.objectives)
        if K == 2:
            self.reference = np.median(self.values[:, :2], axis=0)
            self.whole = hypervolume2(self.values[:, :2], self.reference)
            return
        self.allowed = self.keeps(self.values)
        self.bar = np.sort(self.values[self.allowed, 0])[-NUM_BEST]

    def keeps(self, values):
        first = len(self.problem.objectives)
        limits = np.array([most for _, most in self.problem.limits])
        return (values[:, first:] <= limits).all(axis=1)

    def __call__(self, rows):
        if len(self.problem.objectives) == 2:
            return hypervolume2(self.values[rows, :2], self.reference) / self.whole
        rows = np.array(rows)
        return min(NUM_BEST, int((self.values[rows, 0] >= self.bar)[self.allowed[rows]].sum())) / NUM_BEST


def with_salvo(problem, library, seed, batch, evaluations, several, settings):
    ids, smiles, _, values = library
    with tempfile.TemporaryDirectory() as folder:
        names = problem.names()
        good = turned(problem, values)[:, : len(problem.objectives)]
        total = ((good - good.mean(axis=0)) / good.std(axis=0)).sum(axis=1)
        with open(f"{folder}/lib.csv", "w") as file:
            file.write(",".join(["id", "smiles", *names, "total"]) + "\n")
            for i, name in enumerate(ids):
                file.write(",".join([name, smiles[i], *(repr(float(v)) for v in values[i]), repr(float(total[i]))]) + "\n")
        keep = ",".join([*names, "total"])
        quiet = dict(cwd=folder, check=True, stdout=subprocess.DEVNULL)
        subprocess.run([SALVO, "pool", "build", "lib.csv", "--smiles", "smiles", "--id", "id", "--keep", keep, "--quiet"], **quiet)
        if several:
            lines = [f'{name} = "{direction}"' for name, direction in problem.objectives]
            if len(lines) == 2:
                worst = np.median(values[:, :2], axis=0)
                lines = [
                    f'{name} = {{ direction = "{direction}", reference = {float(worst[k])!r} }}' for k, (name, direction) in enumerate(problem.objectives)
                ]
            lines += [f"{name} = {{ max = {most} }}" for name, most in problem.limits]
            text = "[outputs]\n" + "\n".join(lines) + '\n[objective]\nlookup = "outputs"\n'
        else:
            text = 'direction = "maximize"\n[objective]\nlookup = "total"\n'
        head, rest = ("", text) if several else text.split("\n", 1)
        with open(f"{folder}/study.toml", "w") as file:
            file.write(f'seed = {seed}\n{head}\n{rest}[pool]\npath = "lib.pool"\n[budget]\nbatch = {batch}\nevaluations = {evaluations}\n')
        command = [SALVO, "run", "study.toml", "--quiet", "--threads", "1"]
        for setting in settings:
            command += ["--set", setting]
        subprocess.run(command, **quiet)
        export = subprocess.run([SALVO, "export", "study.toml", "--format", "json"], cwd=folder, check=True, capture_output=True)
        place = {name: i for i, name in enumerate(ids)}
        return [place[json.loads(line)["params"]["candidate"]] for line in export.stdout.splitlines()]


def with_forest(problem, library, seed, batch, evaluations):
    from sklearn.ensemble import RandomForestRegressor

    bits, values = library[2], turned(problem, library[3])
    random, K = np.random.default_rng(seed), len(problem.objectives)
    chosen = random.choice(len(bits), batch, replace=False).tolist()
    limits = np.array([most for _, most in problem.limits])
    while len(chosen) < evaluations:
        free = np.setdiff1d(np.arange(len(bits)), chosen)
        predicted = np.empty((len(free), values.shape[1]))
        for o in range(values.shape[1]):
            forest = RandomForestRegressor(100, max_features="sqrt", n_jobs=1, random_state=int(random.integers(1 << 31)))
            predicted[:, o] = forest.fit(bits[chosen], values[chosen, o]).predict(bits[free])
        spread = values[chosen, :K].std(axis=0)
        shares = (predicted[:, :K] - values[chosen, :K].min(axis=0)) / np.where(spread > 0, spread, 1)
        missed = np.clip(predicted[:, K:] - limits, 0, None).sum(axis=1)
        taken = np.zeros(len(free), dtype=bool)
        for _ in range(min(batch, evaluations - len(chosen))):
            direction = np.abs(random.normal(size=K)) + 0.05
            worth = (shares / (direction / np.linalg.norm(direction))).min(axis=1)
            worth = np.where(missed > 0, -1e9 * (1 + missed), worth)
            worth[taken] = -np.inf
            taken[int(worth.argmax())] = True
        chosen += free[taken].tolist()
    return chosen


def at_random(library, seed, evaluations):
    return np.random.default_rng(seed).choice(len(library[0]), evaluations, replace=False).tolist()


def one_run(job):
    problem, library, method, seed, args = job
    if method == "forest":
        rows = with_forest(problem, library, seed, args.batch, args.evaluations)
    elif method == "random":
        rows = at_random(library, seed, args.evaluations)
    else:
        rows = with_salvo(problem, library, seed, args.batch, args.evaluations, method == "salvo", args.set)
    score = Score(problem, library[3])
    return [score(rows[:count]) for count in checkpoints(args)]


def checkpoints(args):
    return [args.evaluations // 4, args.evaluations // 2, args.evaluations]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True, metavar="FOLDER", help="where the libraries are")
    parser.add_argument("--problems", default="cep,light,enamine")
    parser.add_argument("--methods", default="salvo,salvo-sum,forest,random")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--batch", type=int, default=100)
    parser.add_argument("--evaluations", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a setting of Salvo's studies")
    args = parser.parse_args()
    for name in args.problems.split(","):
        if name not in PROBLEMS:
            parser.error(f"--problems: expected {', '.join(PROBLEMS)}, got {name}")
        problem = PROBLEMS[name]
        library = read_library(problem, args.data)
        print(f"\n{name}: {len(library[0])} candidates, batches of {args.batch}, {args.seeds} seeds; share found, median (lowest to highest)\n")
        print("| method |" + "".join(f" after {count} |" for count in checkpoints(args)))
        print("|---|" + "---|" * len(checkpoints(args)))
        for method in args.methods.split(","):
            jobs = [(problem, library, method, seed, args) for seed in range(1, args.seeds + 1)]
            with concurrent.futures.ProcessPoolExecutor(args.jobs) as workers:
                shares = list(zip(*workers.map(one_run, jobs)))
            cells = [f" {statistics.median(each):.3f} ({min(each):.3f} to {max(each):.3f}) |" for each in shares]
            print(f"| {method} |" + "".join(cells), flush=True)


if __name__ == "__main__":
    main()
