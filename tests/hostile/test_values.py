"""Values that look like commands: none of them runs, and a program gets them as they are."""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "end_to_end"))
from harness import main

NASTY = ["New York", "; touch PWN #", "$(touch PWN)", "`touch PWN`", "it's", '"; touch PWN; "', "a\ntouch PWN\n", "", "-c", "a\\b", "*", "Σ"]
# Keeps its arguments, each followed by a NUL and all after their number.
RECORDER = "printf '%s\\0' \"$#\" \"$@\" >> record\necho 1\n"


def study(folder, command, choices=NASTY, more=""):
    folder.write("rec.sh", RECORDER)
    return folder.write("s.toml", 'direction = "minimize"\n[parameters]\n'
                        f"c = {{ choices = {json.dumps(choices)} }}\nx = {{ low = 0.0, high = 1.0 }}\n"
                        f"[objective]\ncommand = {command}\n{more}[budget]\nbatch = {len(choices)}\nevaluations = {2 * len(choices)}\n")


def recorded(folder):
    texts = (folder / "record").read_bytes().decode().split("\0")[:-1]
    calls = []
    while texts:
        count = int(texts.pop(0))
        calls.append(texts[:count])
        texts = texts[count:]
    return calls


def refused(folder, command, choices=NASTY):
    study(folder, command, choices)
    folder.bad(2, "run", "s.toml", says=["objective.command", "{c}", '["program", "{c}"]', "SALVO_PARAM_C"])
    assert not (folder / "PWN").exists() and not (folder / "record").exists()
    assert not folder.trials("s.toml"), "points were handed out to a command that cannot run"


def test_a_list_hands_over_every_value_as_it_is(folder):
    study(folder, '["sh", "rec.sh", "{c}", "--c={c}", "{trial}"]')
    folder.good("run", "s.toml")
    got = recorded(folder)
    assert {words[0] for words in got} == set(NASTY)
    assert all(words[1] == "--c=" + words[0] for words in got)
    assert sorted(int(words[2]) for words in got) == list(range(1, len(got) + 1))
    assert not (folder / "PWN").exists()


def test_a_simple_line_does_so_too(folder):
    study(folder, "'''sh rec.sh {c} \"{c}\" '{c}' --c={c} {x} > log && cat log'''")
    folder.good("run", "s.toml")
    assert {words[0] for words in recorded(folder)} == set(NASTY)
    assert all(words[0] == words[1] == words[2] and words[3] == "--c=" + words[0] for words in recorded(folder))
    assert not (folder / "PWN").exists()


def test_a_comment_with_a_quote_does_not_make_a_value_run(folder):
    refused(folder, '"""\n# don\'t forget\nsh rec.sh {c}\n"""', ["; touch PWN #", "New York"])


def test_lines_in_which_a_value_might_run_are_refused(folder):
    for command in ("'sh rec.sh {c} # {c}'", "'sh rec.sh \"$(echo \"x\" \"{c}\")\"'", "'sh rec.sh \"${{A:-\"{c}\"}}\"'",
                    "'''cat <<E\n{c}\nE'''", "'bash -c \"sh rec.sh {c}\"'", "'eval sh rec.sh {c}'", "'echo `echo {c}`'",
                    '["bash", "-c", "sh rec.sh {c}"]'):
        refused(folder, command, ["; touch PWN #", "New York"])


def test_a_value_feeds_nothing_that_might_run_it(folder):
    for program in ("sh /dev/stdin", "sh /dev/fd/0", ". /dev/stdin", "python3 /dev/stdin", "sed -f -", "awk -f -", "su", "m4", "make -f -",
                    "prlimit sh", "script -q /dev/null", "cat | ed", "sudo -s"):
        refused(folder, f"'echo {{c}} | {program}'")
    study(folder, "'sh rec.sh {c} | tail -n 1 | cat'")
    folder.good("run", "s.toml")
    assert {words[0] for words in recorded(folder)} == set(NASTY)


def test_a_value_is_no_code_behind_another_program(folder):
    for words in ("prlimit sh -c {c}", "setpriv sh -c {c}", "linux64 sh -c {c}", "timeout -s KILL 5 {c}", "env -u FOO {c}", "stdbuf -o L {c}",
                  "split --filter={c} rec.sh", "tar -I {c} -cf a rec.sh", "python3 -m timeit {c}", "test -v {c}", "printf -v {c} x"):
        refused(folder, f"'{words}'", ["touch PWN", "a[$(touch PWN)]"])
        refused(folder, json.dumps(words.split()), ["touch PWN", "a[$(touch PWN)]"])


def test_a_number_that_would_not_arrive_is_refused(folder):
    for command in ("sh rec.sh {x}> log", "sh rec.sh {trial}>>log", "sh rec.sh {x}<rec.sh", 'sh rec.sh "$A{x}"', "sh rec.sh $A{trial}",
                    "sh rec.sh ~{x}"):
        study(folder, f"'{command}'", ["a", "b"])
        folder.bad(2, "run", "s.toml", says=["objective.command", "would not reach the program"])
        assert not (folder / "record").exists() and not folder.trials("s.toml")
    study(folder, "'sh rec.sh {trial} \"{trial}\">log; cat log'", ["a", "b"])
    folder.good("run", "s.toml")
    assert sorted(recorded(folder)) == [[str(i)] * 2 for i in range(1, 5)], recorded(folder)


def test_plain_choices_may_stand_anywhere(folder):
    study(folder, "'''# don't forget\nsh rec.sh \"$(echo {c})\" {x}; echo 1'''", ["Pd", "Pt", "Ni"])
    folder.good("run", "s.toml")
    assert {words[0] for words in recorded(folder)} == {"Pd", "Pt", "Ni"}


def test_a_list_may_be_set_on_the_command_line(folder):
    study(folder, '"false"')
    folder.good("run", "s.toml", "--set", 'objective.command=["sh", "rec.sh", "{c}"]')
    assert {words[0] for words in recorded(folder)} == set(NASTY)


def test_mistakes_in_a_list_are_told(folder):
    for command, says in (("[]", "empty"), ('[""]', "name of a program"), ('["echo", 1]', "list of texts"), ('["echo", "{z}"]', "{z}")):
        study(folder, command)
        folder.bad(2, "run", "s.toml", says=["objective.command", says])
    study(folder, '["no-such-program", "{c}"]')
    folder.bad(1, "run", "s.toml", says=["cannot be run", "no-such-program: not found", "No trial is lost"])
    folder.write("plain.sh", "echo 1\n")
    study(folder, '["./plain.sh", "{c}"]')
    folder.bad(1, "run", "s.toml", says=["cannot be run", "./plain.sh: cannot be executed", "chmod +x"])


def test_the_truth_of_a_benchmark_is_looked_at_before_it_is_run(folder):
    study(folder, '["sh", "rec.sh", "{c}"]', ["New York", "; touch PWN #"], "truth = \"echo 1 # {c}\"\noptimum = 0.5\n")
    result = folder.salvo("bench", "--problems", "s.toml", "--methods", "random", "--seeds", "1", "-o", "out")
    assert result.returncode != 0 and "objective.truth: {c}" in result.stderr + result.stdout, result
    assert not (folder / "PWN").exists() and not (folder / "record").exists()


def library(folder):
    folder.write("rec.sh", RECORDER)
    rows = ["id,f1,f2"] + [f'"mol {i}; touch PWN #",{i},{i * i}' for i in range(12)]
    return folder.write("lib.csv", "\n".join(rows) + "\n")


def test_what_an_id_of_a_library_says_is_not_run(folder):
    library(folder)
    arguments = ["screen", "lib.csv", "--id", "id", "--minimize", "--batch", "4", "--evaluations", "8"]
    folder.bad(2, *arguments, "--command", "# it's\nsh rec.sh {id}", says=["{id}", "a comment (#)"])
    folder.good(*arguments, "--command", "sh rec.sh {id}", "-o", "line")
    folder.good(*arguments, "--command", '["sh", "rec.sh", "{id}"]', "-o", "list")
    got = recorded(folder)
    assert len(got) == 16 and all(words[0].endswith("; touch PWN #") for words in got)
    assert not (folder / "PWN").exists()


main(globals())
