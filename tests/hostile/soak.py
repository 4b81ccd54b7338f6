#!/usr/bin/env python3
"""Eight people at one study for a long time, and everything goes wrong: tests/hostile/soak.py SALVO [SECONDS] [SEED]

Each asks, tells, fails, abandons, looks and exports at random. Commands are killed at random moments, run out of file size or
memory, write into closed pipes, live in another year (where there is a faketime). In the end: what was acknowledged is there,
no trial went to two people, no number is missing, `salvo check` finds nothing, and two copies of the file go on alike.
Prints one line of figures as JSON. docs/reliability.md has those of an hour.
"""

import collections
import json
import os
import pathlib
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time

WORKERS = 8
STUDY = """
name = "soak"
direction = "minimize"
[parameters]
x = { low = -2.0, high = 2.0 }
n = { low = 1, high = 9, type = "int" }
c = { choices = ["a", "b b", "c'c"] }
[budget]
batch = 10
[model]
num_inducing = 40
num_features = 200
"""


class Soak:
    def __init__(self, salvo: str, folder: str, seconds: float, seed: int) -> None:
        self.salvo, self.folder, self.seed = salvo, folder, seed
        self.end = time.monotonic() + seconds
        self.counts: collections.Counter = collections.Counter()
        self.asked: dict[int, int] = {}  # acknowledged: trial → worker
        self.told: dict[int, object] = {}  # acknowledged: trial → its value, or how it ended
        self.maybe: set[int] = set()  # a tell was killed: either is right
        self.wrong: list[str] = []
        self.lock = threading.Lock()

    def command(self, chance: random.Random, *words: str, given: str | None = None) -> tuple[int, str]:
        """Exit code and output; something happens to one command of four."""
        trouble = chance.choice(["kill", "kill", "pipe", "file size", "memory", "clock"]) if chance.random() < 0.25 else ""
        argv = [self.salvo, *words]
        if trouble == "clock":
            if not shutil.which("faketime"):
                trouble = ""
            else:
                argv = ["faketime", chance.choice(["2001-01-01", "2040-06-01"]), *argv]
        limits = {"file size": (resource.RLIMIT_FSIZE, chance.choice([0, 4096, 65536])),
                  "memory": (resource.RLIMIT_AS, chance.choice([100, 250, 600]) << 20)}

        def limit() -> None:
            if trouble in limits:
                resource.setrlimit(limits[trouble][0], (limits[trouble][1],) * 2)

        process = subprocess.Popen(argv, cwd=self.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True, preexec_fn=limit)
        self.counts[trouble or "undisturbed"] += 1
        if trouble == "pipe":
            process.stdout.close()
            process.stdout = None
        try:
            out, error = process.communicate(given, timeout=chance.uniform(0, 0.3) if trouble == "kill" else 300)
        except subprocess.TimeoutExpired:
            process.kill()
            out, error = process.communicate()
            if trouble != "kill":
                self.wrong.append(f"{words}: did not end in 300 s ({trouble or 'undisturbed'})")
        except BrokenPipeError:
            out, error = process.communicate()
        code = process.returncode
        if code < 0 and code != -9:
            self.wrong.append(f"{words}: signal {-code} ({trouble or 'undisturbed'}): {error}")
        if code > 0 and code not in ((1, 141) if trouble == "pipe" else (1,)):  # the world failed
            self.wrong.append(f"{words}: exit {code} ({trouble or 'undisturbed'}): {error}")
        if code != 0 and not trouble:
            self.wrong.append(f"{words}: exit {code}: {error}{out}")
        return code, out or ""

    def ask(self, chance: random.Random, worker: int, mine: list[int]) -> None:
        _, out = self.command(chance, "ask", "soak.toml", str(chance.choice([1, 1, 2, 5, 20])), "--json")
        with self.lock:
            for line in out[: out.rfind("\n") + 1].splitlines():
                if (trial := json.loads(line).get("trial")) is None:
                    continue  # what went wrong, in JSON
                if trial in self.asked:
                    self.wrong.append(f"trial {trial} went to {self.asked[trial]} and to {worker}")
                self.asked[trial] = worker
                mine.append(trial)

    def tell(self, chance: random.Random, mine: list[int]) -> None:
        trial = mine.pop(chance.randrange(len(mine)))
        value = round(chance.uniform(-5, 5), 6)
        how, end = chance.choice([(["--value", str(value)], value)] * 8 + [(["--fail", "it broke"], "failed"), (["--abandon"], "abandoned")])
        code, _ = self.command(chance, "tell", "soak.toml", "--trial", str(trial), *how)
        with self.lock:
            if code == 0:
                self.told[trial] = end
            else:
                self.maybe.add(trial)  # killed before or after it was recorded

    def work(self, worker: int) -> None:
        chance = random.Random(f"{self.seed}-{worker}")
        mine: list[int] = []
        while time.monotonic() < self.end:
            try:
                what = chance.random()
                if what < 0.35 or not mine:
                    self.ask(chance, worker, mine)
                elif what < 0.85:
                    self.tell(chance, mine)
                else:
                    words = chance.choice([["status"], ["best"], ["export", "--format", "csv"], ["check"]])
                    self.command(chance, words[0], "soak.toml", *words[1:])
            except Exception as error:  # noqa: BLE001: a worker that dies silently would find nothing
                self.wrong.append(f"worker {worker}: {error!r}")

    def judge(self) -> None:
        def run(*words: str) -> str:
            done = subprocess.run([self.salvo, *words], cwd=self.folder, capture_output=True, text=True)
            if done.returncode != 0:
                self.wrong.append(f"in the end {words}: exit {done.returncode}: {done.stderr}{done.stdout}")
            return done.stdout

        trials = {t["trial"]: t for t in map(json.loads, run("export", "soak.toml", "--format", "json").splitlines())}
        if sorted(trials) != list(range(1, len(trials) + 1)):
            self.wrong.append("trial numbers have gaps")
        for trial, end in self.told.items():
            got = trials.get(trial, {})
            if trial in self.maybe:
                continue
            if (got.get("value") if isinstance(end, float) else got.get("state")) != end:
                self.wrong.append(f"trial {trial}: acknowledged {end}, the file has {got}")
        run("check", "soak.toml")
        asks = []
        for name in ("one", "two"):
            subprocess.run([self.salvo, "export", "soak.toml", "--format", "csv", "-o", f"{name}.csv"], cwd=self.folder, check=True,
                           capture_output=True)
            for suffix in ("", "-wal", "-shm"):
                if os.path.exists(f"{self.folder}/soak.db{suffix}"):
                    shutil.copy(f"{self.folder}/soak.db{suffix}", f"{self.folder}/{name}.db{suffix}")
            asks.append([json.loads(line)["params"] for line in run("ask", f"{name}.db", "10", "--json").splitlines()])
        if len(asks[0]) != 10 or asks[0] != asks[1]:
            self.wrong.append("two copies do not go on alike")
        self.counts["trials"], self.counts["acknowledged tells"] = len(trials), len(self.told)


def main() -> int:
    salvo = os.path.abspath(sys.argv[1])
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 3600
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    with tempfile.TemporaryDirectory(prefix="salvo-soak-") as folder:
        (pathlib.Path(folder) / "soak.toml").write_text(STUDY)
        soak = Soak(salvo, folder, seconds, seed)
        subprocess.run([salvo, "ask", "soak.toml", "1"], cwd=folder, check=True, capture_output=True)
        workers = [threading.Thread(target=soak.work, args=(w,)) for w in range(WORKERS)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        soak.judge()
        for line in soak.wrong[:20]:
            print(line, file=sys.stderr)
        print(json.dumps({"seconds": seconds, "seed": seed, **soak.counts, "wrong": len(soak.wrong)}))
        return 1 if soak.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
