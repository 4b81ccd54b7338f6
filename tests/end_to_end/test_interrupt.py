"""Ctrl-C once and twice, SIGTERM, and kill -9 at random moments: the study goes on and nothing is lost."""
import json
import os
import random
import signal
import time

import harness
from harness import lines, wait_for

SLOW = "command = \"echo {trial} >> started.txt; sleep 0.3; echo {trial} >> ended.txt; echo {x}\"\nworkers = 3"


def numbers(folder, name):
    path = folder / name
    return [int(line) for line in path.read_text().split()] if path.exists() else []


def test_first_interrupt_finishes_what_runs(folder):
    folder.study(objective=SLOW, batch=6, evaluations=12)
    process = folder.start("run", "s.toml")
    wait_for(lambda: len(numbers(folder, "started.txt")) >= 3)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 130, (process.returncode, out, err)
    assert "Ctrl-C again" in err and "resume" in out and "run s.toml" in out
    assert sorted(numbers(folder, "started.txt")) == sorted(numbers(folder, "ended.txt"))
    status = folder.status("s.toml")
    assert status["done"] == len(numbers(folder, "ended.txt")) < 12
    last = lines(folder.good("run", "s.toml", "--json").stdout)[-1]
    assert last["evaluations"] == 12
    assert sorted(numbers(folder, "ended.txt")) == list(range(1, 13))  # each exactly once


def test_second_interrupt_stops_at_once_and_kills_the_processes(folder):
    folder.study(objective='command = "echo $$ >> started.txt; sleep 60; echo 1"\nworkers = 2', batch=2, evaluations=4)
    process = folder.start("run", "s.toml", "--json")
    wait_for(lambda: len(numbers(folder, "started.txt")) >= 2)
    process.send_signal(signal.SIGINT)
    time.sleep(0.3)
    assert process.poll() is None
    begun = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert time.monotonic() - begun < 5
    assert process.returncode == 130 and lines(out)[-1]["end"] == "stopped", err
    wait_for(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in numbers(folder, "started.txt")), 5)
    assert folder.status("s.toml")["pending"] == 2
    folder.write("s.toml", (folder / "s.toml").read_text().replace("sleep 60", "true"))
    assert lines(folder.good("run", "s.toml", "--json").stdout)[-1]["evaluations"] == 4


def test_a_hang_up_is_an_interrupt_unless_ignored(folder):
    folder.study(objective=SLOW, batch=6, evaluations=6)
    process = folder.start("run", "s.toml")
    wait_for(lambda: len(numbers(folder, "started.txt")) >= 1)
    process.send_signal(signal.SIGHUP)
    process.communicate(timeout=20)
    assert process.returncode == 130
    nohup = folder.start("run", "s.toml", preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    begun = len(numbers(folder, "started.txt"))
    wait_for(lambda: len(numbers(folder, "started.txt")) > begun)
    nohup.send_signal(signal.SIGHUP)
    nohup.communicate(timeout=20)
    assert nohup.returncode == 0 and folder.status("s.toml")["done"] == 6


def test_terminate_is_an_interrupt(folder):
    folder.study(objective=SLOW, batch=6, evaluations=12)
    process = folder.start("run", "s.toml")
    wait_for(lambda: len(numbers(folder, "started.txt")) >= 1)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=20)
    assert process.returncode == 130
    assert folder.status("s.toml")["pending"] + folder.status("s.toml")["done"] == 6


def test_a_reader_that_leaves_ends_the_run_cleanly(folder):
    folder.study(objective=SLOW.replace("0.3", "0.1"), batch=3, evaluations=300)
    process = folder.start("run", "s.toml", "--json")
    process.stdout.readline()
    process.stdout.close()
    process.wait(timeout=30)
    assert process.stderr.read() == ""
    assert process.returncode == 141
    assert sorted(numbers(folder, "started.txt")) == sorted(numbers(folder, "ended.txt"))


def test_killed_at_random_moments_and_resumed(folder):
    command = "command = \"awk -v x={x} -v y={y} 'BEGIN {{ print (x - 0.3) ^ 2 + y }}'\"\nworkers = 2"
    folder.study(objective=command, batch=5, evaluations=60)
    begin = time.monotonic()
    folder.good("run", "s.toml", "--storage", "whole.db")
    seconds = time.monotonic() - begin
    chance = random.Random(7)
    acknowledged = {}
    kills = 0
    for attempt in range(200):
        # The first 24 attempts get a twelfth of the whole run at the most, so that several are killed on any machine.
        longest = seconds / 12 if attempt < 24 else seconds
        process = folder.start("run", "s.toml", "--storage", "parts.db", "--json", "--trials")
        try:
            out, err = process.communicate(timeout=chance.uniform(longest / 5, longest))
        except Exception:
            process.kill()
            out, err = process.communicate()
            kills += 1
        complete = out[:out.rfind("\n") + 1]
        for event in lines(complete):
            if event["event"] == "trial":
                trial = event["trial"]
                assert trial["trial"] not in acknowledged, "evaluated again after it was acknowledged"
                acknowledged[trial["trial"]] = trial["value"]
        if process.returncode == 0:
            break
        assert process.returncode == -signal.SIGKILL, err
    assert kills >= 5 and process.returncode == 0
    whole, parts = folder.trials("whole.db"), folder.trials("parts.db")
    assert [t["trial"] for t in parts] == list(range(1, 61))
    assert all(t["state"] == "done" for t in parts)
    stored = {t["trial"]: t["value"] for t in parts}
    assert all(stored[trial] == value for trial, value in acknowledged.items())
    points = [json.dumps(t["params"]) for t in parts]
    pending_once(parts)
    assert points == [json.dumps(t["params"]) for t in whole], "the resumed run differs from the uninterrupted one"


def pending_once(trials):
    """A point, a corner of the box say, may be looked at again, but only after it was told."""
    told_at = {}
    for trial in sorted(trials, key=lambda t: t["trial"]):
        point = json.dumps(trial["params"])
        earlier = told_at.get(point, "")  # times are texts that are in order when they are
        assert earlier is not None and earlier <= trial["asked_at"], f"trial {trial['trial']} was pending already"
        told_at[point] = trial["told_at"]


def test_killed_while_asking_and_telling(folder):
    folder.study(objective='command = "echo 1"', batch=5, evaluations=60)
    chance = random.Random(3)
    begun = time.monotonic()
    folder.good("ask", "s.toml", "3", "--storage", "elsewhere.db")
    usual = time.monotonic() - begun  # on this machine, in this build
    acknowledged = []
    for round_number in range(30):
        process = folder.start("ask", "s.toml", "3", "--json")
        try:
            out, _ = process.communicate(timeout=usual * chance.uniform(0.1, 3))
        except Exception:
            process.kill()
            out, _ = process.communicate()
        for trial in lines(out[:out.rfind("\n") + 1]):
            process = folder.start("tell", "s.toml", "--trial", trial["trial"], "--value", round_number, "--json")
            try:
                told, _ = process.communicate(timeout=usual * chance.uniform(0.1, 3))
            except Exception:
                process.kill()
                told, _ = process.communicate()
            if told:
                acknowledged.append((trial["trial"], round_number))
    trials = {t["trial"]: t for t in folder.trials("s.toml")} if (folder / "s.db").exists() else {}
    assert acknowledged and all(trials[trial]["value"] == value for trial, value in acknowledged)
    pending_once(trials.values())


harness.main(globals())
