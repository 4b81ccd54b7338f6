"""Closed pipes, limits of the system, what a killed process left behind."""
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "end_to_end"))
from harness import BINARY, MIXED, PATIENCE, main


def shell(folder, line, timeout=60):
    """The line under bash, with $SALVO for the command."""
    return subprocess.run(["bash", "-c", line], cwd=folder.path, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=timeout * PATIENCE, env={**os.environ, "SALVO": BINARY})


def test_points_that_nobody_read_are_taken_back(folder):
    folder.write("m.toml", MIXED.replace("evaluations = 20", "evaluations = 20000"))
    result = shell(folder, '"$SALVO" ask m.toml 4000 | head -n 1; echo ${PIPESTATUS[0]}')
    header, code = result.stdout.splitlines()
    assert header.startswith("trial") and code == "141", result
    assert "taken back" in result.stderr, result.stderr
    counts = folder.status("m.toml")
    assert counts["pending"] == 0 and counts["abandoned"] == 4000, counts


def test_what_a_dead_process_left_while_it_created_a_store_is_removed(folder):
    folder.study(objective='command = "echo {x}"', batch=2, evaluations=4)
    dead = subprocess.Popen(["true"])
    dead.wait()
    alive = f"s.db.new-{os.getpid()}-1"
    left = [f"s.db.new-{dead.pid}-1", f"s.db.new-{dead.pid}-1-journal", f"s.db.new-{dead.pid}-2-wal"]
    others = [alive, f"s.db.new-{dead.pid}", f"t.db.new-{dead.pid}-1", "s.db.new-x-1", f"s.db.new-{dead.pid}-1.csv"]
    for name in left + others:
        folder.write(name, "x")
    folder.good("run", "s.toml")
    names = os.listdir(folder.path)
    assert not set(left) & set(names), names
    assert set(others) <= set(names), names
    folder.write(left[0], "x")  # died after the store had its name
    folder.good("status", "s.toml")
    assert left[0] not in os.listdir(folder.path)


def test_a_limit_on_the_size_of_files_is_told(folder):
    folder.study(objective='command = "echo {x}"', batch=50, evaluations=100)
    folder.good("run", "s.toml")
    result = shell(folder, 'ulimit -f 2; "$SALVO" export s.toml -o big.csv')
    assert result.returncode == 1 and "File too large" in result.stderr and "ulimit -f" in result.stderr, result
    assert not (folder / "big.csv").exists()
    result = shell(folder, 'ulimit -f 40; "$SALVO" run s.toml --set budget.evaluations=3000 --quiet', timeout=120)
    assert result.returncode == 1 and "salvo: " in result.stderr and "ulimit -f" in result.stderr, result
    assert folder.status("s.toml")["done"] >= 100


def test_too_few_open_files_are_told(folder):
    if os.environ.get("SALVO_SANITIZED"):
        return  # the sanitizer opens pipes to look at memory, and without them takes sound objects for broken ones
    folder.study(objective='command = "echo {x}"', batch=2, evaluations=4)
    folder.good("run", "s.toml")
    told = 0
    for limit in range(4, 9):
        result = shell(folder, f'ulimit -n {limit}; "$SALVO" status s.toml')
        if result.returncode == 0:
            continue
        if "salvo: " not in result.stderr:
            continue  # not even the libraries could be loaded
        assert result.returncode == 1 and "Too many open files" in result.stderr, result
        told += 1
        assert "ulimit -n" in result.stderr and "disk" not in result.stderr and "readable" not in result.stderr, result.stderr
    assert told > 0


def test_too_little_memory_is_told(folder):
    if os.environ.get("SALVO_SANITIZED"):
        return
    folder.study(objective='command = "echo {x}"', batch=5, evaluations=20)
    folder.good("run", "s.toml")
    for kibibytes in (120000, 180000, 250000):
        for command in ("ask s.toml 2", "status s.toml", "best s.toml"):
            result = shell(folder, f'ulimit -v {kibibytes}; "$SALVO" {command}')
            if "error while loading" in result.stderr:
                continue  # the system's own words, before there is a program
            assert result.returncode == 1, (kibibytes, command, result)
            assert f"{kibibytes // 1024} MiB" in result.stderr and "ulimit -v" in result.stderr, result.stderr
    result = shell(folder, 'ulimit -v 250000; "$SALVO" --version && "$SALVO" export s.toml | wc -l')
    assert result.returncode == 0 and result.stdout.splitlines()[-1].strip() == "21", result
    result = shell(folder, 'ulimit -v 1000000; "$SALVO" best s.toml')
    assert result.returncode == 0, result


def test_the_settings_for_little_memory_do_not_reach_the_commands(folder):
    if os.environ.get("SALVO_SANITIZED"):
        return
    folder.study(objective='command = "env > seen.txt; echo 1"', batch=2, evaluations=2)
    result = shell(folder, 'unset OPENBLAS_NUM_THREADS; ulimit -v 2000000; "$SALVO" run s.toml')
    assert result.returncode == 0, result
    seen = (folder / "seen.txt").read_text()
    assert "OPENBLAS_NUM_THREADS" not in seen and "SALVO_STARTED_AGAIN" not in seen


def test_numbers_are_read_as_people_write_them(folder):
    folder.study(batch=5, evaluations=20)
    folder.good("ask", "s.toml", "5")
    for trial, value in enumerate(("+1", "1e-400", "-1e-400", "+1.5e3"), start=1):
        folder.good("tell", "s.toml", "--trial", trial, f"--value={value}")
    folder.bad(2, "tell", "s.toml", "--trial", 5, "--value=1e400", says=["finite number"])
    folder.write("more.csv", "trial,value\n5,1e-400\n")
    folder.good("tell", "s.toml", "more.csv")
    assert [trial["value"] for trial in folder.trials("s.toml")] == [1, 0, 0, 1500, 0]


def test_values_near_the_largest_number_have_words(folder):
    folder.study(objective='''command = "python3 -c 'print(1.7e308 * {x} / 2)'"''', batch=5, evaluations=20)
    folder.good("run", "s.toml")
    for command in ("status", "best"):
        lines = folder.good(command, "s.toml").stdout.splitlines()
        said = "\n".join(line for line in lines if not line.startswith("  failed"))  # which quotes the program
        assert "inf" not in said.replace("information", "") and "nan" not in said, said


main(globals())
