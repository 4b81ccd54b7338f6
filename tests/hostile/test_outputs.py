"""No result is written over a file of a store, by whatever name."""
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "end_to_end"))
from harness import main


def started(folder):
    folder.study(objective='command = "echo {x}"', batch=5, evaluations=10)
    folder.good("run", "s.toml")
    return folder.trials("s.toml")


def refused(folder, *arguments):
    folder.bad(2, *arguments, says=["store", "name another file"])


def test_the_files_of_the_store_are_refused_even_before_they_exist(folder):
    before = started(folder)
    for suffix in ("", "-wal", "-shm", "-journal"):
        name = "s.db" + suffix
        refused(folder, "export", "s.toml", "-o", name)
        refused(folder, "export", "s.db", "-o", f"./{name}")
        refused(folder, "ask", "s.toml", "2", "-o", folder / name)
        refused(folder, "ask", "s.toml", "--pending", "-o", f"../{folder.path.name}/{name}")
        if suffix:
            assert not (folder / name).exists()
    assert folder.trials("s.toml") == before


def test_a_study_that_has_not_begun_is_safe_too(folder):
    folder.study(batch=2, evaluations=4)
    refused(folder, "ask", "s.toml", "--storage", "odd name", "-o", "odd name-wal")
    assert os.listdir(folder.path) == ["s.toml"]


def test_links_and_other_names(folder):
    before = started(folder)
    with_log = folder.start("run", "s.toml", "--set", "budget.evaluations=11", "--set", 'objective.command=sleep 30', "--quiet")
    try:
        for _ in range(1000):
            if (folder / "s.db-wal").exists():
                break
            os.sched_yield()
        for name in ("s.db", "s.db-wal", "s.db-shm"):
            if not (folder / name).exists():
                continue
            os.symlink(name, folder / "soft.csv")
            os.link(folder / name, folder / "hard.csv")
            refused(folder, "export", "s.toml", "-o", "soft.csv")
            refused(folder, "export", "s.toml", "-o", "hard.csv")
            for link in ("soft.csv", "hard.csv"):
                os.unlink(folder / link)
        os.symlink("s.db-journal", folder / "dangling.csv")
        refused(folder, "export", "s.toml", "-o", "dangling.csv")
    finally:
        with_log.kill()
        with_log.wait()
    assert folder.trials("s.toml")[:10] == before


def test_pictures_pools_and_benchmarks(folder):
    before = started(folder)
    os.symlink("s.db", folder / "s.svg")
    refused(folder, "plot", "s.toml", "-o", "s.svg")
    refused(folder, "run", "s.toml", "--plot", "s.svg")
    refused(folder, "diagnose", "s.toml", "-o", "s.svg")
    folder.write("lib.csv", "id,f1\na,1\nb,2\n")
    for name in ("s.db", "s.db-wal"):
        refused(folder, "pool", "build", "lib.csv", "-o", name)
    refused(folder, "screen", "lib.csv", "--lookup", "f1", "--minimize", "-o", "t", "--storage", "t.pool")
    assert folder.trials("s.toml") == before


def test_another_studys_store_is_refused_as_well(folder):
    before = started(folder)
    folder.study("t", objective='command = "echo {x}"', batch=2, evaluations=4)
    folder.good("run", "t.toml")
    refused(folder, "export", "t.toml", "-o", "s.db")
    refused(folder, "export", "t.toml", "-o", "s.db-wal")
    assert folder.trials("s.toml") == before


main(globals())
