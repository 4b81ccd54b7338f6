#include <gtest/gtest.h>
#include <salvo/encoding.h>
#include <salvo/error.h>
#include <salvo/study_file.h>

#include <algorithm>
#include <sstream>

#include "support/options.h"

namespace salvo {
namespace {

const std::string reactor = R"(name = "reactor"
direction = "maximize"          # or minimize
[parameters]
temperature = { low = 300, high = 900 }
rate        = { low = 1e-4, high = 1.0, scale = "log" }
stages      = { low = 1, high = 8, type = "int" }
catalyst    = { choices = ["Pd", "Pt", "Ni"] }
[objective]
command = "python3 simulate.py --t {temperature} --r {rate} --n {stages} --c {catalyst}"
workers = 8
timeout = "10m"
[budget]
batch = 100
evaluations = 5000
[model]
kernel = "matern52"
num_inducing = 500
num_features = 1000
inducing = "auto"
[storage]
path = "reactor.db"
)";

std::string with(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string error_of(const std::string& text, const Overrides& overrides = {}) {
  try {
    (void)parse_study_file(text, "dir/reactor.toml", overrides);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

void expect_error(const std::string& from, const std::string& to, const std::string& expected) {
  EXPECT_EQ(error_of(with(reactor, from, to)), expected);
}

TEST(StudyFile, KnowsTheOptimumAndTheTruthOfABenchmark) {
  const StudyFile file = parse_study_file(with(reactor, "workers = 8", "optimum = -3.5\ntruth = \"exact {rate}\""), "r.toml");
  EXPECT_EQ(file.objective.optimum, -3.5);
  EXPECT_EQ(file.objective.truth, "exact {rate}");
  EXPECT_FALSE(parse_study_file(reactor, "r.toml").objective.optimum);
  const std::string builtin = "[objective]\nbuiltin = \"branin\"\n";
  EXPECT_EQ(error_of(builtin + "optimum = 1.0\n"), "dir/reactor.toml:3:11: objective.optimum: a built-in problem knows its own");
  EXPECT_NE(error_of(builtin + "truth = \"echo 1\"\n").find("objective.truth: only beside a command"), std::string::npos);
}

TEST(StudyFile, NamesEachKeyItKnowsOnce) {
  const std::string words = error_of(with(reactor, "workers = 8", "problem = \"branin\""));
  const auto first = words.find("\"command\"");
  ASSERT_NE(first, std::string::npos) << words;
  EXPECT_EQ(words.find("\"command\"", first + 1), std::string::npos) << words;
}

TEST(StudyFile, ReadsTheExampleOfTheManual) {
  const StudyFile file = parse_study_file(reactor, "dir/reactor.toml");
  EXPECT_EQ(file.study.name, "reactor");
  EXPECT_EQ(file.study.direction(), Direction::maximize);
  ASSERT_EQ(file.study.space().parameters().size(), 4U);
  EXPECT_EQ(file.study.space().parameters()[0].name, "temperature");  // the order of the file, not of the alphabet
  EXPECT_EQ(file.study.space().parameters()[3].name, "catalyst");
  EXPECT_EQ(std::get<Float>(file.study.space().parameters()[1].domain).scale, Scale::log);
  EXPECT_EQ(std::get<Int>(file.study.space().parameters()[2].domain).high, 8);
  EXPECT_EQ(file.objective.workers, 8);
  EXPECT_EQ(file.objective.timeout, 600);
  EXPECT_EQ(file.objective.directory, "dir/");
  EXPECT_EQ(file.budget.batch, 100);
  EXPECT_EQ(file.study.batch, 100);
  EXPECT_EQ(file.budget.evaluations, 5000);
  EXPECT_EQ(test::model_of(file.study).num_inducing, 500);
  EXPECT_EQ(file.storage, "dir/reactor.db");
}

TEST(StudyFile, ACommandIsALineOrAListOfWords) {
  const std::string line = "\"python3 simulate.py --t {temperature} --r {rate} --n {stages} --c {catalyst}\"";
  EXPECT_EQ(parse_study_file(reactor, "r.toml").objective.command, CommandLine(line.substr(1, line.size() - 2)));
  const std::string list = with(reactor, line, R"(["sim", "--c={catalyst}", ""])");
  EXPECT_EQ(parse_study_file(list, "r.toml").objective.command, (CommandLine{"sim", "--c={catalyst}", ""}));
  const Overrides set = {{"objective.command", R"(["a b", "{rate}"])"}};
  EXPECT_EQ(parse_study_file(reactor, "r.toml", set).objective.command, (CommandLine{"a b", "{rate}"}));
  EXPECT_EQ(parse_study_file(reactor, "r.toml", {{"objective.command", "[ -f x ]"}}).objective.command, CommandLine("[ -f x ]"));
  const auto problem = [&](const std::string& command) { return error_of(with(reactor, line, command)); };
  EXPECT_NE(problem("[]").find("objective.command: expected a list of at least one text"), std::string::npos);
  EXPECT_NE(problem("[\"\"]").find("objective.command: expected the name of a program"), std::string::npos);
  EXPECT_NE(problem("[\"a\", 3]").find("objective.command: expected a list of texts in quotes, got 3"), std::string::npos);
  EXPECT_NE(problem("[\"a\", \"{rat}\"]").find("unknown placeholder {rat}; did you mean \"rate\"?"), std::string::npos);
}

TEST(StudyFile, AParameterMayHaveALabel) {
  const std::string text = with(reactor, "high = 900", "high = 900, label = \"Température [K]\"");
  const StudyFile file = parse_study_file(text, "r.toml");
  EXPECT_EQ(file.label("temperature"), "Température [K]");
  EXPECT_EQ(file.label("rate"), "rate");
  EXPECT_EQ(file.study.space().parameters()[0].name, "temperature");
  for (const char* bad : {"\"\"", "\"a\\nb\"", "3"})
    EXPECT_NE(
        error_of(with(reactor, "high = 900", "high = 900, label = " + std::string(bad))).find("temperature.label: expected"),
        std::string::npos);
}

TEST(StudyFile, WhatIsOptionalMayBeLeftOut) {
  const StudyFile file = parse_study_file("direction = \"minimize\"\n[parameters]\nx = { low = 0, high = 1 }\n", "mine.toml");
  EXPECT_EQ(file.study.name, "mine");
  EXPECT_EQ(file.storage, "mine.db");
  EXPECT_EQ(file.objective.directory, ".");
  EXPECT_EQ(file.study.direction(), Direction::minimize);
  EXPECT_EQ(file.study.num_initial, 0);
}

TEST(StudyFile, EveryKindOfParameter) {
  const StudyFile file = parse_study_file(R"(direction = "minimize"
seed = 7
initial = "uniform"
[parameters.size]
choices = [16, 32, 64]
type = "ordinal"
[parameters]
grade = { choices = ["low", "high"], ordered = true }
flag = { choices = [true, false] }
k = { value = 3 }
"a.b" = { low = -1, high = 1.5, type = "float" }
n = { low = 1, high = 1_000_000, type = "int", scale = "log" }
[budget]
initial = 12
)",
                                          "x.toml");
  const auto& p = file.study.space().parameters();
  ASSERT_EQ(p.size(), 6U);
  EXPECT_EQ(p[0].name, "size");
  EXPECT_TRUE(std::holds_alternative<Ordinal>(p[0].domain));
  EXPECT_TRUE(std::holds_alternative<Ordinal>(p[1].domain));
  EXPECT_TRUE(std::holds_alternative<Categorical>(p[2].domain));
  EXPECT_EQ(std::get<Fixed>(p[3].domain).value, Value(std::int64_t{3}));
  EXPECT_EQ(std::get<Float>(p[4].domain).high, 1.5);
  EXPECT_EQ(std::get<Int>(p[5].domain).scale, Scale::log);
  EXPECT_EQ(file.study.seed, 7U);
  EXPECT_EQ(test::search_of(file.study).initial, Initial::uniform);
  EXPECT_EQ(file.study.num_initial, 12);
}

TEST(StudyFile, ErrorsSayWhereWhatAndWhichWordWasMeant) {
  expect_error(
      "scale = \"log\"", "scale = \"lgo\"",
      "dir/reactor.toml:5:49: parameters.rate.scale: expected \"linear\" or \"log\", got \"lgo\"; did you mean \"log\"?");
  expect_error("kernel =", "kernle =", "dir/reactor.toml:16:1: model.kernle: unknown key; did you mean \"kernel\"?");
  expect_error("kernel = \"matern52\"", "kernel = 5", "dir/reactor.toml:16:10: model.kernel: expected a text in quotes, got 5");
  expect_error("\"matern52\"", "\"matern\"",
               "dir/reactor.toml:16:10: model.kernel: expected \"auto\", \"se\", \"matern12\", \"matern32\", \"matern52\", "
               "\"additive-matern32\" or \"additive-matern52\", got "
               "\"matern\"; "
               "did you mean \"matern12\"?");
  expect_error(
      "[model]", "[`model]",
      "dir/reactor.toml:15:2: Error while parsing key: expected bare key starting character or string delimiter, saw '`'");
  expect_error("high = 900", "high = 300",
               "dir/reactor.toml:4:1: parameters.temperature: expected low < high, got low = 300, high = 300");
  expect_error("low = 1e-4", "low = 0", "dir/reactor.toml:5:1: parameters.rate: a log scale needs low > 0, got low = 0");
  expect_error("low = 300", "low = nan", "dir/reactor.toml:4:23: parameters.temperature.low: expected a finite number, got nan");
  expect_error("high = 8", "high = 8.5", "dir/reactor.toml:6:33: parameters.stages.high: expected a whole number, got 8.5");
  expect_error("[\"Pd\", \"Pt\", \"Ni\"]", "[\"Pd\"]",
               "dir/reactor.toml:7:1: parameters.catalyst: expected at least 2 choices, got 1 (a fixed value: value = …)");
  expect_error("\"Pt\"", "\"Pd\"", "dir/reactor.toml:7:1: parameters.catalyst: the choice \"Pd\" is there twice");
  expect_error("batch = 100", "batch = 0",
               "dir/reactor.toml:13:9: budget.batch: expected a whole number from 1 to 2147483647, got 0");
  expect_error(
      "\"10m\"", "\"10 minutes\"",
      "dir/reactor.toml:11:11: objective.timeout: expected seconds or a duration like \"90s\", \"10m\" or \"1h30m\", got "
      "\"10 minutes\"");
  expect_error(
      "{catalyst}", "{catalist}",
      "dir/reactor.toml:9:11: objective.command: unknown placeholder {catalist}; did you mean \"catalyst\"? ({{ and }} stand "
      "for braces of the shell's)");
  expect_error(
      "direction = \"maximize\"", "direction = \"max\"",
      "dir/reactor.toml:2:13: direction: expected \"maximize\" or \"minimize\", got \"max\"; did you mean \"maximize\"?");
  expect_error("direction = \"maximize\"", "",
               "dir/reactor.toml: direction: expected \"maximize\" or \"minimize\" (or a table [outputs]), it is not there");
  expect_error("temperature = { low = 300, high = 900 }", "value = { low = 300, high = 900 }",
               "dir/reactor.toml:4:1: parameters.value: this name is a column of the results; choose another\n"
               "dir/reactor.toml:9:11: objective.command: unknown placeholder {temperature}; expected \"value\", \"rate\", "
               "\"stages\", \"catalyst\" or \"trial\" ({{ and }} stand "
               "for braces of the shell's)");
}

TEST(StudyFile, ReadsStepsDigitsAndYesOrNo) {
  const StudyFile file = parse_study_file(R"(
direction = "minimize"
[parameters]
t = { low = 300, high = 900, step = 5 }
r = { low = 1e-4, high = 1, scale = "log", digits = 2 }
n = { low = 8, high = 256, type = "int", step = 8 }
dry = { type = "bool" }
)",
                                          "x.toml");
  const auto& p = file.study.space().parameters();
  EXPECT_EQ(std::get<Float>(p[0].domain).step, 5);
  EXPECT_EQ(std::get<Float>(p[1].domain).digits, 2);
  EXPECT_EQ(std::get<Int>(p[2].domain).step, 8);
  EXPECT_EQ(std::get<Categorical>(p[3].domain).choices, (std::vector<Value>{false, true}));
}

TEST(StudyFile, StepsThatMakeNoSenseAreRefusedInWords) {
  const std::string range = "low = 300, high = 900";
  const auto expect_words = [](const std::string& from, const std::string& to, const std::string& words) {
    const std::string error = error_of(with(reactor, from, to));
    EXPECT_NE(error.find(words), std::string::npos) << error;
  };
  expect_words(range, range + ", step = 0", "parameters.temperature.step: expected a finite number > 0, got 0");
  expect_words(range, range + ", step = 700", "expected at least two numbers in steps of 700 from low to high");
  expect_words(range, range + ", digits = 2.5", "parameters.temperature.digits: expected a whole number from 1 to 8, got 2.5");
  expect_words(range, range + ", step = 5, digits = 2", "parameters.temperature: has a step and digits; keep one");
  expect_words(range, range + ", type = \"int\", digits = 2", "parameters.temperature.digits: only for floats");
  expect_words(range, range + ", type = \"int\", step = 0", "parameters.temperature.step: expected a whole number");
  expect_words(range, "choices = [1, 2], step = 5", "parameters.temperature.step: a parameter has choices, or low and high");
  expect_words(range, range + ", type = \"bool\"", "parameters.temperature.low: true or false has a type and nothing else");
}

TEST(StudyFile, OtherMistakesAreErrorsToo) {
  const std::vector<std::pair<std::string, std::string>> changes = {
      {"low = 300, high = 900", "low = 300"},
      {"low = 300, high = 900", "low = 300, high = 900, choices = [1, 2]"},
      {"low = 300, high = 900", "value = 300, high = 900"},
      {"low = 300, high = 900", "low = 300, high = 900, ordered = true"},
      {"low = 300, high = 900", "low = 300, high = 900, type = \"categorical\""},
      {"low = 300, high = 900", "low = 300, high = inf"},
      {"low = 300, high = 900", "low = \"a\", high = \"b\""},
      {"{ low = 300, high = 900 }", "{}"},
      {"{ low = 300, high = 900 }", "3"},
      {"{ low = 300, high = 900 }", "[300, 900]"},
      {"[\"Pd\", \"Pt\", \"Ni\"]", "[[1], [2]]"},
      {"[\"Pd\", \"Pt\", \"Ni\"]", "\"Pd\""},
      {"[\"Pd\", \"Pt\", \"Ni\"]", "[1, 2], type = \"ordinal\", ordered = false"},
      {"temperature =", "Rate ="},
      {"temperature =", "rate ="},
      {"temperature =", "\"a b\" ="},
      {"temperature =", "\"\" ="},
      {"workers = 8", "workers = 8\nbuiltin = \"hartmann6\""},
      {"workers = 8", "workers = 99999999999"},
      {"workers = 8", "workers = 1979-05-27"},
      {"workers = 8", "noise_variance = 1.0"},
      {"workers = 8", "optimum = inf"},
      {"workers = 8", "truth = \"echo {pressure}\""},
      {"timeout = \"10m\"", "timeout = -1"},
      {"timeout = \"10m\"", "timeout = \"\""},
      {"{rate}", "{rate"},
      {"{rate}", "rate}"},
      {"name = \"reactor\"", "name = \"a/b\""},
      {"name = \"reactor\"", "name = \"\""},
      {"name = \"reactor\"", "name = 3"},
      {"[budget]", "[bugdet]"},
      {"[storage]\npath = \"reactor.db\"", "storage = 3"},
      {"path = \"reactor.db\"", "path = \"\""},
  };
  for (const auto& [from, to] : changes) {
    const std::string text = error_of(with(reactor, from, to));
    EXPECT_EQ(text.find("dir/reactor.toml"), 0U) << to << " → " << text;
  }
  EXPECT_NE(error_of(""), "");
  EXPECT_NE(error_of("direction = \"minimize\"\n[parameters]\n").find("empty"), std::string::npos);
  EXPECT_NE(error_of("x = \"\xff\""), "");
  EXPECT_NE(error_of("x = "), "");
  EXPECT_NE(error_of(std::string("direction = \"minimize\"\n\0", 24)), "");
}

TEST(StudyFile, CollectsMistakes) {
  const std::string text =
      error_of(with(with(with(reactor, "kernel", "kernle"), "scale = \"log\"", "scale = 3"), "batch = 100", "batch = -1"));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2) << text;
}

TEST(StudyFile, KeyInTheWrongPlaceIsToldItsSection) {
  EXPECT_EQ(error_of("batch = 5\n" + reactor), "dir/reactor.toml:1:1: batch: unknown key; did you mean \"batch\" in [budget]?");
}

TEST(StudyFile, DeeplyNestedInputIsRefusedNotCrashed) {
  std::string dotted = "a";
  for (int i = 0; i < 200'000; ++i) dotted += ".a";
  EXPECT_NE(error_of(dotted + " = 1"), "");
  EXPECT_NE(error_of("x = \"\"\"a\"\"\"\n[" + dotted + "]"), "");
  EXPECT_NE(error_of("x = {" + dotted + " = 1}"), "");
  EXPECT_NE(error_of("x = " + std::string(100'000, '[')), "");
  EXPECT_NE(error_of("x = [\"\"\"a\"\"\"\", {" + dotted + " = 1}]"), "");
  // Dots in a text are no key.
  EXPECT_EQ(error_of(with(reactor, "simulate.py", std::string(300, '.'))), "");
}

TEST(StudyFile, LettersOutsideAsciiSurvive) {
  EXPECT_NE(error_of("a = 1\nhi\xCA\x98h = 1").find("dir/reactor.toml:2:"), std::string::npos);
  EXPECT_NE(error_of("x = 1e3s.low'\xEF\xBB\xBE=1"), "");
  const std::string text = "\xEF\xBB\xBF# é 中 😀\n" + with(reactor, "\"Pd\"", "'é中😀', \"\"\"\\\n  é\\u00e9\"\"\"");
  const StudyFile file = parse_study_file(text, "r.toml");
  const auto& choices = std::get<Categorical>(file.study.space().parameters()[3].domain).choices;
  EXPECT_EQ(choices[0], Value(std::string("é中😀")));
  EXPECT_EQ(choices[1], Value(std::string("éé")));
  EXPECT_EQ(error_of(with(reactor, "scale = \"log\"", "scale = \"é\"")).find("dir/reactor.toml:5:49: parameters.rate.scale"), 0U);
  EXPECT_NE(error_of("x = \"\xF3\xB0\x80\x80\""), "");
  EXPECT_NE(error_of(reactor, {{"name", "\xff"}}), "");
  EXPECT_EQ(parse_study_file(reactor, "r.toml", {{"name", "é"}}).study.name, "é");
}

TEST(StudyFile, DurationsInEveryForm) {
  const auto timeout = [](const std::string& text) {
    return parse_study_file(with(reactor, "\"10m\"", text), "r.toml").objective.timeout;
  };
  EXPECT_EQ(timeout("90"), 90);
  EXPECT_EQ(timeout("0.5"), 0.5);
  EXPECT_EQ(timeout("\"90s\""), 90);
  EXPECT_EQ(timeout("\"1h30m\""), 5400);
  EXPECT_EQ(timeout("\"2h\""), 7200);
  EXPECT_EQ(timeout("\"250ms\""), 0.25);
  EXPECT_EQ(timeout("\"1.5d\""), 129600);
  EXPECT_EQ(timeout("0"), 0);
}

TEST(StudyFile, OverridesAreCheckedLikeTheFile) {
  const StudyFile file = parse_study_file(reactor, "dir/reactor.toml",
                                          {{"model.num_inducing", "250"},
                                           {"seed", "9"},
                                           {"initial", "uniform"},
                                           {"objective.timeout", "2h"},
                                           {"name", "2024"},
                                           {"parameters.rate.low", "1e-6"},
                                           {"budget.batch", "7"},
                                           {"model.num_inducing", "260"},
                                           {"storage.path", "/tmp/x.db"}});
  EXPECT_EQ(test::model_of(file.study).num_inducing, 260);
  EXPECT_EQ(file.study.seed, 9U);
  EXPECT_EQ(test::search_of(file.study).initial, Initial::uniform);
  EXPECT_EQ(file.objective.timeout, 7200);
  EXPECT_EQ(file.study.name, "2024");
  EXPECT_EQ(std::get<Float>(file.study.space().parameters()[1].domain).low, 1e-6);
  EXPECT_EQ(file.study.batch, 7);
  EXPECT_EQ(file.storage, "/tmp/x.db");

  EXPECT_EQ(error_of(reactor, {{"model.num_inducing", "many"}}),
            "--set model.num_inducing=many: model.num_inducing: expected a whole number, 1 or more, or \"auto\", got \"many\"");
  EXPECT_EQ(error_of(reactor, {{"model.num_induc", "3"}}),
            "--set model.num_induc=3: model.num_induc: unknown key; did you mean \"num_inducing\"?");
  EXPECT_EQ(error_of(reactor, {{"model.alpha", "true"}}),
            "--set model.alpha=true: model.alpha: expected a finite number ≥ 0, \"auto\" or \"theory\", got true");
  EXPECT_EQ(error_of(reactor, {{"model.scout_share", "2"}}),
            "--set model.scout_share=2: model.scout_share: expected a number from 0 to 1, got 2");
  EXPECT_EQ(error_of(reactor, {{"model.max_share", "0"}}),
            "--set model.max_share=0: model.max_share: expected a number above 0 and at most 1, got 0");
  for (const char* key : {"", ".", "model", "modle.x", "a.b.c.d", "parameters.rate", "parameters", "model."})
    EXPECT_NE(error_of(reactor, {{key, "1"}}), "") << key;
  EXPECT_NE(error_of(reactor, {{"model.alpha", "1\n[x]"}}), "");
}

TEST(StudyFile, BuiltinBringsItsOwnSpace) {
  const StudyFile file = parse_study_file("[objective]\nbuiltin = \"hartmann6\"\n", "h.toml");
  EXPECT_EQ(Encoding(file.study.space()).num_dims(), 6);
  EXPECT_EQ(file.study.direction(), Direction::minimize);
  EXPECT_EQ(file.objective.noise_variance, std::nullopt);
  EXPECT_NE(error_of("[objective]\nbuiltin = \"hartman6\"\n").find("hartmann6"), std::string::npos);
  EXPECT_NE(error_of("direction = \"maximize\"\n[objective]\nbuiltin = \"hartmann6\"\n"), "");
}

TEST(StudyFile, GivenParametersMustFitTheBuiltin) {
  const std::string head = "[objective]\nbuiltin = \"branin\"\n[parameters]\n";
  const StudyFile file =
      parse_study_file(head + "x2 = { low = 0, high = 15, type = \"int\" }\nx1 = { low = 0, high = 10 }\n", "b.toml");
  EXPECT_EQ(file.study.space().parameters()[0].name, "x1");
  EXPECT_NE(error_of(head + "x1 = { low = 0, high = 10 }\n"), "");
  EXPECT_NE(error_of(head + "x1 = { low = 0, high = 11 }\nx2 = { low = 0, high = 1 }\n"), "");
  EXPECT_NE(error_of(head + "x1 = { low = 0, high = 1 }\nx2 = { low = 0, high = 1 }\nx3 = { low = 0, high = 1 }\n"), "");
  EXPECT_NE(error_of(head + "x1 = { choices = [\"a\", \"b\"] }\nx2 = { low = 0, high = 1 }\n"), "");
}

TEST(StudyFile, TemplateIsValid) {
  for (const char* name : {"reactor", "my study", "quote\"d"}) {
    const StudyFile file = parse_study_file(study_file_template(name), "t.toml");
    EXPECT_EQ(file.study.name, name);
    EXPECT_EQ(file.study.space().parameters().size(), 4U);
  }
}

// What stands there as a comment, to be taken up, has to be right as well: "# key = value", or nothing but words.
TEST(StudyFile, TemplatesBudgetMayBeTakenUpAsItIs) {
  const std::string text = study_file_template("reactor");
  const std::size_t begin = text.find("[budget]"), end = text.find("\n\n", begin);
  std::string taken_up = text.substr(0, begin);
  std::istringstream lines(text.substr(begin, end - begin));
  for (std::string line; std::getline(lines, line);)
    taken_up += (line.starts_with("# ") && line.find(" = ") != std::string::npos ? line.substr(2) : line) + "\n";
  const Budget budget = parse_study_file(taken_up, "t.toml").budget;
  EXPECT_EQ(budget.time, 7200);
  EXPECT_EQ(budget.target, 0.95);
  EXPECT_EQ(budget.patience, 1000);
  EXPECT_EQ(budget.gain, 0.01);
}

TEST(StudyFile, MissingFileSaysSo) {
  try {
    (void)read_study_file("/no/such/file.toml");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "/no/such/file.toml: cannot read it: No such file or directory");
  }
  EXPECT_THROW((void)read_study_file("/"), InputError);
}

TEST(ObjectiveOptions, ValidateNamesTheOption) {
  EXPECT_NO_THROW(ObjectiveOptions{}.validate());
  ObjectiveOptions options;
  options.workers = 0;
  EXPECT_THROW(options.validate(), std::invalid_argument);
}

TEST(StudyFile, ShippedExamplesAreValid) {
  const std::string folder = "examples/";  // tests run in the root of the tree
  for (const std::string name : {"hartmann6", "shekel", "ackley5", "reactor"}) {
    const StudyFile file = read_study_file(folder + name + ".toml");
    EXPECT_EQ(file.study.name, name);
    EXPECT_EQ(file.storage, folder + name + ".db");
  }
}

TEST(StudyFile, ReasonsToStopAreOffUnlessGiven) {
  const std::string text = "direction = \"minimize\"\n[objective]\nbuiltin = \"branin\"\n[budget]\nbatch = 5\n";
  const Budget none = parse_study_file(text, "s.toml").budget;
  EXPECT_EQ(none.time, 0);
  EXPECT_FALSE(none.target);
  EXPECT_EQ(none.patience, 0);
  const Budget all = parse_study_file(text + "time = \"90 min\"\ntarget = 0.95\npatience = 200\n", "s.toml").budget;
  EXPECT_EQ(all.time, 5400);
  EXPECT_EQ(all.target, 0.95);
  EXPECT_EQ(all.patience, 200);
  for (const char* wrong : {"time = \"soon\"\n", "time = -1\n", "target = nan\n", "target = \"low\"\n", "patience = -1\n"})
    EXPECT_THROW((void)parse_study_file(text + wrong, "s.toml"), InputError) << wrong;
}

TEST(StudyFile, EveryKeyThatASectionReadsIsDocumented) {
  std::vector<std::string> keys;
  for (const KeyDoc& doc : study_file_keys()) {
    keys.push_back(doc.key);
    EXPECT_FALSE(doc.type.empty() || doc.standard.empty() || doc.what.empty()) << doc.key;
  }
  for (const char* key :
       {"name", "where", "parameters.NAME.low", "objective.command", "budget.time", "model.kernel", "storage.path"})
    EXPECT_EQ(std::count(keys.begin(), keys.end(), key), key == std::string("model.kernel") ? 2 : 1) << key;
}

}  // namespace
}  // namespace salvo
