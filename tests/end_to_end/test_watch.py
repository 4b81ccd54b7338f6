"""salvo watch: one view in a pipe, an object for each change, a screen that is drawn over, and its end."""
import fcntl
import json
import os
import pty
import select
import signal
import struct
import subprocess
import termios
import time

import harness
from harness import BINARY, PATIENCE, lines, wait_for

SLOW = 'command = "sleep 0.05; echo {x}"'
ENTER, LEAVE = "\x1b[?1049h", "\x1b[?1049l"
SHOW, HIDE = "\x1b[?25h", "\x1b[?25l"


def in_a_terminal(test):
    """A test that needs one: a root without /dev/pts has none, and says so."""
    try:
        for end in pty.openpty():
            os.close(end)
        return test
    except OSError as error:
        print(f"skipped {test.__name__}: {error}")
        return None


class Screen:
    """salvo in a terminal of its own: what it draws, and the last frame as lines."""

    def __init__(self, folder, *args, columns=100, rows=40):
        self.master, slave = pty.openpty()
        self.resize(columns, rows)
        self.process = subprocess.Popen([BINARY, *map(str, args)], cwd=folder.path, stdin=slave, stdout=slave, stderr=slave,
                                        env=dict(os.environ, TERM="xterm"), start_new_session=True)
        os.close(slave)
        self.text = ""

    def resize(self, columns, rows):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read(self, seconds=0.05):
        while select.select([self.master], [], [], seconds)[0]:
            try:
                data = os.read(self.master, 65536)
            except OSError:  # its end was closed
                return
            if not data:
                return
            self.text += data.decode()

    def frames(self):
        self.read()
        return [frame.split("\x1b[J")[0] for frame in self.text.split("\x1b[H")[2:]]  # the first clears the screen

    def rows(self):
        return [row.replace("\x1b[K", "") for row in self.frames()[-1].split("\r\n")]

    def wait_for(self, word):
        wait_for(lambda: any(word in frame for frame in self.frames()), 10)

    def end(self, seconds=10):
        stop = time.monotonic() + seconds * PATIENCE
        while self.process.poll() is None and time.monotonic() < stop:
            self.read()
        self.read()
        os.close(self.master)
        return self.process.wait(timeout=1)


def test_in_a_pipe_it_prints_one_plain_view(folder):
    study = folder.study(objective='command = "echo {x}"', batch=5, evaluations=10)
    folder.bad(1, "watch", study, says=["has not been started"])
    folder.good("ask", study, "3")
    folder.good("tell", study, "--trial", "1", "--value", "1.5")
    folder.good("tell", study, "--trial", "2", "--fail", "the pump stopped")
    folder.good("enqueue", study, "x=0.5", "y=0.1")
    for options in ([], ["--once"]):
        text = folder.good("watch", study, *options).stdout
        assert "\x1b" not in text
        for word in ("2 of 10 evaluations", "1 with a value, 1 failed, 0 abandoned, 1 pending", "1 × the pump stopped",
                     "asked for by hand: 1", "(trial 3)", "1 point to be tried next", "x=0.5", "The last outcomes", "raw best 1.5"):
            assert word in text, (word, text)
    told = json.loads(folder.good("watch", study, "--once", "--json").stdout)
    assert told["event"] == "watch" and told["budget"] == 10 and told["evaluations"] == 2 and told["queued"] == 1
    assert told["failed_lately"] == {"failed": 1, "of": 2, "reasons": [{"reason": "the pump stopped", "count": 1}]}
    assert [(w["owner"], w["trials"], w["gone"]) for w in told["workers"]] == [("", [3], False)]
    assert told["observed_best"]["value"] == 1.5 and told["recommended"]["stddev"] > 0
    assert [t["trial"] for t in told["last"]] == [2, 1] and told["end"] is None


@in_a_terminal
def test_it_ends_by_itself_when_the_budget_is_spent(folder):
    study = folder.study(objective='command = "echo {x}"', batch=5, evaluations=5)
    folder.good("run", study)
    assert "The budget of 5 evaluations is spent and nothing is pending." in folder.good("watch", study).stdout
    events = lines(folder.good("watch", study, "--json").stdout)
    assert len(events) == 1 and events[0]["end"] == "budget_spent"
    screen = Screen(folder, "watch", study)
    assert screen.end() == 0
    assert "budget of 5 evaluations is spent" in screen.text.split(LEAVE)[1]


def test_json_follows_a_run_change_by_change(folder):
    study = folder.study(objective=SLOW, batch=5, evaluations=20)
    run = folder.start("run", study)
    wait_for(lambda: folder.salvo("watch", study, "--once").returncode == 0)
    watch = folder.start("watch", study, "--json", "--interval", "0.1")
    out, err = watch.communicate(timeout=30 * PATIENCE)
    assert watch.returncode == 0 and err == "", err
    run.communicate(timeout=10 * PATIENCE)
    assert run.returncode == 0
    events = lines(out)
    counts = [event["evaluations"] for event in events]
    assert counts == sorted(counts) and counts[-1] == 20 and len(set(counts)) >= 3, counts
    assert len({json.dumps(event) for event in events}) == len(events)  # never the same twice in all
    assert events[-1]["end"] == "budget_spent" and all(event["end"] is None for event in events[:-1])
    workers = [w for event in events for w in event["workers"]]
    assert workers and all(str(run.pid) in w["owner"] and not w["gone"] for w in workers)


@in_a_terminal
def test_a_terminal_is_drawn_over_and_given_back(folder):
    study = folder.study(objective=SLOW, batch=4, evaluations=2000)
    run = folder.start("run", study)
    wait_for(lambda: (folder / "s.db").exists() and folder.salvo("watch", study, "--once").returncode == 0)
    screen = Screen(folder, "watch", study, "--interval", "0.1")
    screen.wait_for(f"process {run.pid}")
    screen.wait_for("recommended")
    wait_for(lambda: len(screen.frames()) > 3)
    assert screen.text.startswith(ENTER + HIDE)
    assert any("Ctrl-C ends the watching" in row for row in screen.rows())
    screen.resize(50, 10)
    wait_for(lambda: len(screen.rows()) <= 10 and all(len(row) <= 50 for row in screen.rows()), 5)
    run.send_signal(signal.SIGTERM)
    run.communicate(timeout=20)
    screen.process.send_signal(signal.SIGINT)
    assert screen.end() == 0
    after = screen.text.split(SHOW + LEAVE)
    assert len(after) == 2 and HIDE not in after[1] and "\x1b" not in after[1]
    assert "pending" in after[1] or "evaluations" in after[1]  # the last view stays


def test_no_time_is_left_where_nobody_works(folder):
    study = folder.study(objective='command = "test $SALVO_TRIAL -gt 4 && sleep 20; sleep 0.1; echo 1"\nworkers = 2', batch=2, evaluations=8)
    run = folder.start("run", study)
    wait_for(lambda: (folder / "s.db").exists() and folder.status(study)["done"] == 4 and folder.status(study)["pending"] == 2)
    alive = json.loads(folder.good("watch", study, "--once", "--json").stdout)
    run.kill()
    run.communicate()
    dead = json.loads(folder.good("watch", study, "--once", "--json").stdout)
    assert alive["seconds_left"] > 0 and dead["seconds_left"] is None and dead["workers"][0]["gone"]
    assert "left" not in folder.good("watch", study).stdout.split("trials")[0]


def test_a_runner_that_is_gone_is_said(folder):
    study = folder.study(objective='command = "sleep 4"', batch=2, evaluations=4)
    run = folder.start("run", study)
    wait_for(lambda: folder.salvo("watch", study, "--once").returncode == 0 and folder.status(study)["pending"] == 2)
    run.kill()
    run.communicate()
    told = json.loads(folder.good("watch", study, "--once", "--json").stdout)
    assert told["workers"][0]["gone"] and told["workers"][0]["trials"] == [1, 2]
    assert "which is gone" in folder.good("watch", study).stdout


@in_a_terminal
def test_a_study_that_goes_away_is_said_in_words(folder):
    study = folder.study(evaluations=10)
    folder.good("ask", study, "2")
    screen = Screen(folder, "watch", study, "--interval", "0.1")
    screen.wait_for("2 pending")
    for name in ("s.db", "s.db-wal", "s.db-shm"):
        if (folder / name).exists():
            (folder / name).rename(folder / ("away-" + name))
    assert screen.end() == 1
    assert SHOW + LEAVE in screen.text and "is not there any more" in screen.text


def test_a_busy_store_is_no_trouble(folder):
    import sqlite3
    study = folder.study(evaluations=10)
    folder.good("ask", study, "2")
    holder = sqlite3.connect(folder / "s.db", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")  # somebody who writes, and takes long
    begun = time.monotonic()
    assert "2 pending" in folder.good("watch", study).stdout
    assert time.monotonic() - begun < 5 * PATIENCE
    holder.execute("ROLLBACK")
    holder.close()


def test_bad_input(folder):
    study = folder.study()
    folder.good("ask", study, "1")
    folder.bad(2, "watch", study, "--interval", "0", says=["--interval", "0.1 s"])
    folder.bad(2, "watch", study, "--interval", "soon", says=["--interval", "soon"])
    folder.bad(2, "watch", says=["study"])


harness.main(globals())
