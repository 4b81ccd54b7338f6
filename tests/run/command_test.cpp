#include "run/command.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <salvo/error.h>
#include <salvo/pool.h>

#include <string>

#include "run/process.h"
#include "text/json.h"

namespace salvo::runner {
namespace {

Space space(const std::string& kind = "b") {
  return Space({{"rate", Float{0, 1}},
                {"stages", Int{1, 8}},
                {"kind", Categorical{{std::string("a"), kind}}},
                {"learning-rate.x", Float{0, 1}}});
}
Params params(const std::string& kind = "a") { return {0.25, std::int64_t{3}, kind, 1e-7}; }

const std::vector<std::string> names = {"rate", "stages", "kind", "learning-rate.x"};

CommandTemplate::Names template_names() {
  return {.names = names,
          .variables = {"SALVO_PARAM_RATE", "SALVO_PARAM_STAGES", "SALVO_PARAM_KIND", "SALVO_PARAM_LEARNING_RATE_X"},
          .wild = [](int name) { return name == 2 ? std::optional<std::string>("it's") : std::nullopt; }};
}

CommandLine filled(const CommandLine& command) {
  return CommandTemplate(command, template_names()).render(12, {"0.25", "3", "it's", "1e-07"});
}

std::string render(const std::string& line) { return filled(line).line; }

std::string message(const CommandLine& command) {
  try {
    CommandTemplate read(command, template_names());
  } catch (const InputError& error) {
    return error.what();
  }
  ADD_FAILURE() << "accepted: " << command.line << testing::PrintToString(command.words);
  return "";
}

std::string output(const Command& command) {
  ProcessPool pool(1);
  pool.start(0, command);
  while (true)
    for (const auto& result : pool.wait(10)) return std::string(result.out.text());
}

TEST(CommandTemplate, PutsValuesInTheirPlaces) {
  EXPECT_EQ(render("sim --r {rate} -n{stages} --id={trial}"), "sim --r 0.25 -n3 --id=12");
  EXPECT_EQ(render("{rate}"), "0.25");
}

// A value that a shell could read as anything but one word is never written: only where it is found.
TEST(CommandTemplate, WritesAReferenceForValuesOfAnyKind) {
  EXPECT_EQ(render("sim {kind}"), "sim \"${SALVO_PARAM_KIND}\"");
  EXPECT_EQ(render("sim \"a{kind}b\""), "sim \"a${SALVO_PARAM_KIND}b\"");
  EXPECT_EQ(render("sim 'a{kind}b'"), "sim 'a'\"${SALVO_PARAM_KIND}\"'b'");
  EXPECT_EQ(render("A={rate} ./sim --c={kind} {rate} > log-{trial} 2>&1 && tail -n 1 log"),
            "A=0.25 ./sim --c=\"${SALVO_PARAM_KIND}\" 0.25 > log-12 2>&1 && tail -n 1 log");
}

TEST(CommandTemplate, AProgramsWordsGetTheValuesThemselves) {
  EXPECT_EQ(filled({"sim", "--c={kind}", "{kind}", "$(x) # {rate} {trial}", "{{}}"}).words,
            (std::vector<std::string>{"sim", "--c=it's", "it's", "$(x) # 0.25 12", "{}"}));
  EXPECT_NE(message(CommandLine(std::vector<std::string>{""})).find("name of a program"), std::string::npos);
}

TEST(CommandTemplate, DoubledBracesAreBraces) {
  EXPECT_EQ(render("awk '{{print $1}}' ${{HOME}} {{{rate}}}"), "awk '{print $1}' ${HOME} {0.25}");
  EXPECT_EQ(render("echo plain"), "echo plain");
}

TEST(CommandTemplate, RefusesWhatItCannotFillIn) {
  EXPECT_NE(message("sim {raet}").find("{rate}"), std::string::npos);
  EXPECT_NE(message("awk '{print $1}'").find("{{ and }}"), std::string::npos);
  EXPECT_NE(message("sim {rate").find("never closed"), std::string::npos);
  EXPECT_NE(message("sim rate}").find("closes nothing"), std::string::npos);
  EXPECT_NE(message("sim ${rate}").find("right after a $"), std::string::npos);
  EXPECT_NE(message("sim \\{rate}").find("right after a \\"), std::string::npos);
  EXPECT_NE(message(" \n").find("empty"), std::string::npos);
}

// Numbers and plain words mean nothing to a shell, wherever they stand.
TEST(CommandTemplate, NumbersMayStandAnywhere) {
  EXPECT_EQ(render("# don't\nsim \"$(echo {rate})\" `echo {stages}`"), "# don't\nsim \"$(echo 0.25)\" `echo 3`");
  EXPECT_EQ(render("bash -c \"sim {rate}\" <<E\n{stages}\nE\n"), "bash -c \"sim 0.25\" <<E\n3\nE\n");
  EXPECT_EQ(render("awk 'BEGIN {{ print {rate} }}'"), "awk 'BEGIN { print 0.25 }'");
}

TEST(CommandTemplate, RefusesALineInWhichAValueMightRun) {
  for (const char* line : {"# don't forget\npython3 chk.py {kind}",
                           "cmd {kind} # {kind}",
                           "cmd {kind} # x",
                           "cmd \"$(echo \"x\" \"{kind}\")\"",
                           "cmd \"${{A:-\"{kind}\"}}\"",
                           "cat <<E\n{kind}\nE",
                           "cat <<'E'\n{kind}\nE",
                           "bash -c \"sim {kind}\"",
                           "eval sim {kind}",
                           "echo `echo {kind}`",
                           "sim \\'{kind}",
                           "sim \"\\\"{kind}\"",
                           "sim $A {kind}",
                           "(sim {kind})",
                           "case {kind} in a) ;; esac",
                           "if sim {kind}; then echo 1; fi",
                           "{kind} x",
                           "./{kind}",
                           "sim > {kind}",
                           "sim >{kind}.log",
                           "sim {kind}>log",
                           "sim {kind} <<E\nE",
                           "sim $'{kind}'",
                           "echo {kind} | sh",
                           "echo {kind} | xargs sim",
                           "echo {kind} | python3 -",
                           "bash {kind} {kind}",
                           "python3 -c 'print(\"{kind}\")'",
                           "python3 -c {kind}",
                           "perl -e 'print' {kind}",
                           "ssh host sim {kind}",
                           "su -c {kind}",
                           "awk -v x={kind} 'BEGIN {{ print x }}'",
                           "sed s/a/{kind}/",
                           "nice sh -c {kind}",
                           "env {kind} sim",
                           "env -S {kind}",
                           "env -iS 'sh -c' {kind}",
                           "timeout 10 {kind}",
                           "nice \"$SHELL\" -c {kind}",
                           "\"$SHELL\" -c {kind}",
                           "{rate} -c {kind}",
                           "python3 {rate} {kind}",
                           "bash -o pipefail -c {kind}",
                           "parallel sim ::: {kind}",
                           "sim \"--run=rm {kind}\"",
                           "make A={kind}",
                           "find . -exec {kind}",
                           ". {kind}",
                           "trap {kind} 0",
                           "sim {kind};;",
                           "sim {kind} |& cat",
                           "sim é {kind}",
                           "sim [a] {kind}",
                           "sim *{kind}",
                           "sim ~{kind}",
                           "sim \"$A{kind}\"",
                           "sim {kind}\r\n",
                           "exec {kind}",
                           "flock f -c {kind}",
                           "A={kind} sim",
                           "bash -c -e {kind}",
                           "sh +e -c {kind}",
                           "echo {kind} | sh +e",
                           "echo {kind} | sh -o pipefail",
                           "echo {kind} | python3 -W ignore",
                           "docker run --entrypoint sh image -c {kind}",
                           "deno eval {kind}",
                           "sqlite3 x.db {kind}",
                           "/usr/bin/python3.11 -c {kind}",
                           "m4 {kind}",
                           "echo {kind} | bash -s x",
                           "echo {kind} | nice sh",
                           "A={kind}; $A",
                           "A=x; $A; sim {kind}",
                           "sim {kind}; sh -c \"$A\"",
                           "env A={kind} sim",
                           "export A={kind}",
                           "sh -s {kind}"}) {
    const std::string said = message(line);
    EXPECT_NE(said.find("[\"program\", \"{kind}\"]"), std::string::npos) << said;
    EXPECT_NE(said.find("SALVO_PARAM_KIND"), std::string::npos) << said;
    EXPECT_NE(said.find("it's"), std::string::npos) << said;
  }
  EXPECT_NE(message("# don't\nsim {kind}").find("a comment (#)"), std::string::npos);
}

// Only a few programs may read what comes out of a command with such a value.
TEST(CommandTemplate, RefusesAValueThatFeedsAProgram) {
  for (const char* program : {"su",
                              "runuser",
                              "unshare",
                              "script -q /dev/null",
                              "prlimit sh",
                              "sh /dev/stdin",
                              "sh /dev/fd/0",
                              ". /dev/stdin",
                              "python3 /dev/stdin",
                              "sqlite3",
                              "sed -f -",
                              "awk -f -",
                              "awk '{{print $2}}'",
                              "ed",
                              "ex -s",
                              "make -f -",
                              "ssh host",
                              "docker run -i alpine",
                              "m4",
                              "dc",
                              "gnuplot",
                              "sudo -s",
                              "perl -ne 'print'",
                              "sh -e post.sh",
                              "python3 -c 'print(1)'",
                              "./cat",
                              "nice cat",
                              "\"$A\"",
                              "cat | sh post.sh",
                              "cat |\n\n m4",
                              "cat |\\\n m4",
                              ">f m4"}) {
    const std::string said = message(fmt::format("echo {{kind}} | {}", program));
    EXPECT_NE(said.find("pipe"), std::string::npos) << said;
  }
}

TEST(CommandTemplate, RefusesAValueThatAProgramBehindAnotherMightRun) {
  for (const char* line : {"prlimit sh -c {kind}",
                           "setpriv --no-new-privs sh -c {kind}",
                           "setarch x86_64 sh -c {kind}",
                           "linux64 sh -c {kind}",
                           "fakeroot sh -c {kind}",
                           "perf stat sh -c {kind}",
                           "valgrind bash -c {kind}",
                           "nsenter -t 1 sh -c {kind}",
                           "dbus-run-session -- sh -c {kind}",
                           "docker run --entrypoint=sh img -c {kind}",
                           "docker run --entrypoint=/bin/sh img {kind}",
                           "sshpass -p x ssh host {kind}",
                           "sshpass -p sh ssh host {kind}",
                           "unknown sh -c {kind}",
                           "unknown --shell sh -x ssh host {kind}",
                           "unknown /usr/bin/python3.11 -c {kind}",
                           "unknown sh image -c {kind}",
                           "unknown \"$SHELL\" -c {kind}",
                           "unknown \"$A/sh\" -c {kind}",
                           "unknown sudo -s {kind}",
                           "unknown awk {kind}",
                           "timeout -s KILL 5 {kind}",
                           "env -u FOO {kind}",
                           "stdbuf -o L {kind}",
                           "taskset -c 0-1 {kind}",
                           "strace -o log {kind}",
                           "strace -o ./log {kind}",
                           "chroot /x {kind}",
                           "docker run -v /a:/b {kind}",
                           "docker run -w /a img {kind}",
                           "mpirun --hostfile ./hosts {kind}",
                           "srun -e ./err {kind}",
                           "env -C /x {kind}",
                           "perf stat {kind}",
                           "docker run ghcr.io/x/y {kind}"})
    EXPECT_NE(message(line).find("SALVO_PARAM_KIND"), std::string::npos) << line;
}

TEST(CommandTemplate, RefusesAValueAmongArgumentsThatAreRun) {
  for (const char* line : {"split --filter={kind} x",
                           "tar -I {kind} -cf a b",
                           "tar --checkpoint-action=exec={kind} -cf a b",
                           "tar --to-command={kind} -xf a",
                           "python3 -m timeit {kind}",
                           "python3 -m pdb -c {kind}",
                           "python3 -m cProfile {kind}",
                           "sort --compress-program={kind} x",
                           "git -c {kind} log",
                           "hyperfine {kind}",
                           "rsync -e {kind} a b",
                           "test -v {kind}",
                           "'[' -v {kind} ']'",
                           "printf -v {kind} x",
                           "printf {kind} x",
                           "read {kind}",
                           "let {kind}",
                           "mapfile {kind}",
                           "readarray {kind}",
                           "compgen -W {kind}",
                           "complete -C {kind}",
                           "wait {kind}",
                           "declare {kind}",
                           "typeset {kind}",
                           "local {kind}",
                           "export {kind}",
                           "readonly {kind}",
                           "unset {kind}",
                           "trap {kind} 0",
                           "alias {kind}",
                           "source x {kind}",
                           "A=b read {kind}",
                           "command read {kind}",
                           "builtin -- unset {kind}"})
    EXPECT_NE(message(line).find("SALVO_PARAM_KIND"), std::string::npos) << line;
}

// However plain the value is: the shell would take it for a part of something else.
TEST(CommandTemplate, RefusesAValueThatTheProgramWouldNeverSee) {
  for (const char* line : {"./rec {stages}> log", "./rec {stages}>>log", "./rec {stages}<f", "./rec {trial}>log",
                           "./rec {stages}\\\n>log", "# don't\n./rec {stages}>log", "echo \"$(./rec {stages}>log)\"",
                           "cat <<E\n'\nE\n./rec {stages}>log", "./rec {rate} {stages}>log"})
    EXPECT_NE(message(line).find("put a blank before the"), std::string::npos) << line;
  for (const char* line : {"./rec \"$A{stages}\"", "./rec $A{rate}", "./rec $HOME{stages}", "./rec $A\\\n{stages}",
                           "cat <<E\n$A{stages}\nE", "sim {kind} $A\\\n{rate}"})
    EXPECT_FALSE(message(line).empty()) << line;
  EXPECT_NE(message("./rec $A_1{stages}").find("write ${{A_1}}"), std::string::npos);
  EXPECT_NE(message("./rec {rate} ~{stages}").find("{stages}"), std::string::npos);
  EXPECT_NE(message("./rec ~a{stages}/x").find("home"), std::string::npos);
}

TEST(CommandTemplate, OtherSignsBesideAPlainValueAreFine) {
  for (const char* line :
       {"./rec {stages} > log", "./rec \"{stages}\">log", "./rec '{stages}>log'", "./rec \"{stages}>log\"",
        "./rec ${{A}}{stages}", "./rec '$A{stages}'", "./rec \\$A{stages}", "./rec $1{stages}", "./rec ~/{stages}",
        "./rec a~{stages}", "./rec '~'{stages}", "./rec \"$A\"{stages}", "echo $(({stages}<4))",
        "# ~{stages} {stages}>x $A{stages}\n./rec {stages}", "cat > in.xml <<E\n<n>{stages}</n>\nE\n./rec in.xml",
        "cat <<'E'\n$A{stages}\nE\n./rec {stages}", "./rec >log{stages}", "./rec $A-{stages}"})
    EXPECT_NO_THROW(CommandTemplate(line, template_names())) << line;
}

TEST(CommandTemplate, RefusesAValueInCodeWithoutAShellAsWell) {
  using Words = std::vector<std::string>;
  for (const Words& words :
       {Words{"sh", "-c", "sim {kind}"}, Words{"sh", "-c", "{kind}"}, Words{"python3", "-c", "print('{kind}')"}, Words{"{kind}"},
        Words{"nice", "bash", "-c", "{kind}"}, Words{"ssh", "host", "{kind}"}, Words{"sim", "--run", "rm {kind}"},
        Words{"perl", "-e", "{kind}"}, Words{"env", "{kind}", "sim"}, Words{"unknown", "sh", "-c", "{kind}"},
        Words{"tar", "-I", "{kind}"}, Words{"python3", "-m", "timeit", "{kind}"}, Words{"timeout", "-s", "KILL", "5", "{kind}"}})
    EXPECT_NE(message(words).find("SALVO_PARAM_KIND"), std::string::npos);
}

TEST(CommandTemplate, UnderstandsWhatPeopleWrite) {
  for (const char* line : {"./dock.sh {kind}",
                           "python3 sim.py --c {kind} --r {rate}",
                           "python3 -m sim {kind}",
                           "python3 -u sim.py {kind}",
                           "cd $HOME/sim && ./run {kind} \"$HOME/x\"",
                           "sh run.sh {kind}",
                           "bash -e run.sh {kind}",
                           "sh -c 'sim \"$1\"' sh {kind}",
                           "./sim {kind} | tail -n 1",
                           "./sim {kind} | grep x | LC_ALL=C sort | cut -f 2 |\n tee log",
                           "awk '{{print $2}}' x | sh post.sh; ./sim {kind}",
                           "cd x && ./run {kind}",
                           "nice ./run {kind}",
                           "nice -n 5 ./run {kind}",
                           "timeout 5 ./run {kind}",
                           "timeout -s KILL 5 ./run {kind}",
                           "timeout 5 run {kind}",
                           "env -C . ./run {kind}",
                           "env A=1 run {kind}",
                           "env SHELL=/bin/bash ./run {kind}",
                           "perf stat ./run {kind}",
                           "taskset -c 0-1 ./run {kind}",
                           "time -v ./run {kind}",
                           "time -p run.sh {kind} > log",
                           "strace -f -o log ./run {kind}",
                           "sudo -u node ./run {kind}",
                           "docker run --rm -v /a:/b img ./run {kind}",
                           "conda run -n env python sim.py {kind}",
                           "uv run sim.py {kind}",
                           "srun --mpi=pmix ./sim {kind}",
                           "mpirun -np 4 python3 sim.py {kind}",
                           "nice python3 sim.py --lang sed {kind}",
                           "nice sh -c 'sim \"$1\"' sh {kind}",
                           "printf '%s' {kind}",
                           "grep -e {kind} data",
                           "run --mode local --at test {kind}",
                           "run {kind} --shell sh",
                           "docker run image ./sim -c {kind}",
                           "sh -e -c 'sim' sh {kind}",
                           ". ./env.sh; ./sim {kind}",
                           "mpirun -n 4 ./sim {kind}",
                           "timeout 10 python3 sim.py {kind}",
                           "env A=b ./sim {kind}",
                           "sim \\\n  {kind} \\\n  {rate}",
                           "./sim --name=\"{kind}\" >> 'my log' 2>/dev/null",
                           "python3 -c 'import sys; print(sys.argv)' {kind}"})
    EXPECT_NO_THROW(CommandTemplate(line, template_names())) << line;
  EXPECT_NO_THROW(CommandTemplate({"sh", "-c", "sim \"$1\"", "sh", "{kind}"}, template_names()));
  EXPECT_NO_THROW(CommandTemplate({"python3", "sim.py", "--lang", "sed", "{kind}"}, template_names()));
  EXPECT_NO_THROW(CommandTemplate({"timeout", "5", "./run", "{kind}"}, template_names()));
  EXPECT_NO_THROW(CommandTemplate({"./run", "--n", "{rate}>", "~{rate}", "$A{rate}", "{kind}"}, template_names()));
}

ObjectiveOptions objective(const CommandLine& command, CommandInput input = CommandInput::none) {
  ObjectiveOptions options;
  options.command = command;
  options.input = input;
  return options;
}

StudyOptions study_options(const std::string& kind = "b") {
  return {.outputs = one_objective(Direction::minimize), .search = SpaceSearch{.space = space(kind)}};
}

Trial trial(std::int64_t id, Params values) {
  Trial trial;
  trial.id = id;
  trial.params = std::move(values);
  return trial;
}

TEST(Evaluation, HandsOverTheEnvironment) {
  const ObjectiveOptions options =
      objective("echo $SALVO_TRIAL $SALVO_PARAM_RATE $SALVO_PARAM_STAGES $SALVO_PARAM_KIND $SALVO_PARAM_LEARNING_RATE_X; cat");
  StudyOptions study = study_options();
  EXPECT_EQ(output(Evaluation(options, study).command(trial(12, params()))), "12 0.25 3 a 1e-07\n");
}

TEST(Evaluation, HandsOverJsonWhenAskedTo) {
  const ObjectiveOptions options = objective("cat", CommandInput::json);
  StudyOptions study = study_options();
  const Tree json = parse_json(output(Evaluation(options, study).command(trial(12, params("\"ü\n")))));
  EXPECT_EQ(whole_of(json, "trial"), 12);
  const Tree& given = json.at("params");
  EXPECT_EQ(given.keys.size(), 4U);
  EXPECT_EQ(number_of(given, "rate"), 0.25);
  EXPECT_EQ(whole_of(given, "stages"), 3);
  EXPECT_EQ(text_of(given, "kind"), "\"ü\n");
  EXPECT_EQ(number_of(given, "learning-rate.x"), 1e-7);
  EXPECT_EQ(given.at("stages").kind, Tree::Kind::integer);
}

TEST(Evaluation, TheSeedBelongsToTheTrialAndTheStudy) {
  const ObjectiveOptions options = objective("echo $SALVO_SEED");
  StudyOptions study = study_options();
  const auto seed = [&](std::int64_t id) { return Evaluation(options, study).command(trial(id, params())).environment[1]; };
  const auto first = seed(1);
  EXPECT_EQ(first.first, "SALVO_SEED");
  EXPECT_EQ(seed(1), first);
  EXPECT_NE(seed(2), first);
  EXPECT_LT(std::stoll(first.second), 1LL << 31);
  study.seed = 1;
  EXPECT_NE(seed(1), first);
}

// Whatever a text holds, a program reads it back byte by byte: bare, in either quotes, from the environment, without a shell.
TEST(Evaluation, StringsArriveAsTheyAre) {
  const auto arrives = [&](const std::string& text) {
    const StudyOptions study = study_options(text);
    const std::string middle = "x" + text + "y" + '\0';
    const ObjectiveOptions line = objective(R"(printf '%s\0' {kind} x{kind}y "x{kind}y" 'x{kind}y' "$SALVO_PARAM_KIND")");
    const ObjectiveOptions words = objective({"printf", "%s\\0", "{kind}", "x{kind}y"});
    const Trial one = trial(1, params(text));
    return output(Evaluation(line, study).command(one)) == text + '\0' + middle + middle + middle + text + '\0' &&
           output(Evaluation(words, study).command(one)) == text + '\0' + middle;
  };
  for (const char* text :
       {"",   " ",  "'",      "\"", "''", "\\", "\\'",  "$(touch x)", "`id`", "$HOME", "a b", "a\nb\n", "*",  "~",
        "-n", "!x", "; rm x", "&",  "|",  "#",  "Σ €😀", "{rate}",     "%s",   "\x01",  "\t",  "\\\n",   "a=b"})
    EXPECT_TRUE(arrives(text)) << text;
}

TEST(Evaluation, AValueThatIsNoneOfTheChoicesIsNeverWrittenIntoALine) {
  const StudyOptions study = study_options();
  const ObjectiveOptions options = objective("echo {kind}");
  const Evaluation evaluation(options, study);
  EXPECT_THROW((void)evaluation.command(trial(1, params("; touch x"))), Error);
}

TEST(Evaluation, APoolsIdsAndColumnsMayHoldAnything) {
  StudyOptions study{.outputs = one_objective(Direction::minimize),
                     .search = PoolSearch{.pool = Pool::from_numbers({1, 2}, {"x"}, {"a", "; touch PWN #"})}};
  const ObjectiveOptions bad = objective("# it's\necho {id}"), good = objective("echo {id}");
  EXPECT_THROW(Evaluation(bad, study), InputError);
  EXPECT_EQ(output(Evaluation(good, study).command(trial(1, {std::string("; touch PWN #")}))), "; touch PWN #\n");
  study.search = PoolSearch{.pool = Pool::from_numbers({1, 2}, {"x"}, {"a", "b"})};
  EXPECT_EQ(output(Evaluation(bad, study).command(trial(1, {std::string("b")}))), "b\n");
}

TEST(Evaluation, AProgramThatIsNotThereEndsLikeAShells) {
  const StudyOptions study = study_options();
  const auto exit_code = [&](const CommandLine& command) {
    ProcessPool pool(1);
    const ObjectiveOptions options = objective(command);
    pool.start(0, Evaluation(options, study).command(trial(1, params())));
    while (true)
      for (const auto& result : pool.wait(10)) return result.exit_code;
  };
  EXPECT_EQ(exit_code({"no-such-program-here"}), 127);
  EXPECT_EQ(exit_code({"/etc/passwd"}), 126);
  EXPECT_EQ(exit_code({"true", "{kind}"}), 0);
}

}  // namespace
}  // namespace salvo::runner
