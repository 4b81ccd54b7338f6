#include "run/command.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <salvo/error.h>

#include <string>

#include "run/process.h"
#include "text/json.h"

namespace salvo::runner {
namespace {

Space space() {
  return Space({{"rate", Float{0, 1}},
                {"stages", Int{1, 8}},
                {"kind", Categorical{{std::string("a"), std::string("b")}}},
                {"learning-rate.x", Float{0, 1}}});
}
Params params(const std::string& kind = "a") { return {0.25, std::int64_t{3}, kind, 1e-7}; }

const std::vector<std::string> names = {"rate", "stages", "kind", "learning-rate.x"};

std::string render(const std::string& text) { return CommandTemplate(text, names).render(12, {"0.25", "3", "it's", "1e-07"}); }

std::string message(const std::string& text) {
  try {
    CommandTemplate command(text, names);
  } catch (const InputError& error) {
    return error.what();
  }
  ADD_FAILURE() << "accepted: " << text;
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
  EXPECT_EQ(render("sim {kind}"), "sim 'it'\\''s'");
  EXPECT_EQ(render("sim \"{kind}\""), "sim \"it's\"");
  EXPECT_EQ(render("sim '{kind}'"), "sim 'it'\\''s'");
}

TEST(CommandTemplate, DoubledBracesAreBraces) {
  EXPECT_EQ(render("awk '{{print $1}}' ${{HOME}} {{{rate}}}"), "awk '{print $1}' ${HOME} {0.25}");
  EXPECT_EQ(render("echo plain"), "echo plain");
}

TEST(CommandTemplate, RefusesWhatItCannotFillInSafely) {
  EXPECT_NE(message("sim {raet}").find("{rate}"), std::string::npos);
  EXPECT_NE(message("awk '{print $1}'").find("{{ and }}"), std::string::npos);
  EXPECT_NE(message("sim {rate").find("never closed"), std::string::npos);
  EXPECT_NE(message("sim rate}").find("closes nothing"), std::string::npos);
  EXPECT_NE(message("sim ${rate}").find("right after a $"), std::string::npos);
  EXPECT_NE(message("sim \\{rate}").find("right after a \\"), std::string::npos);
  EXPECT_NE(message("sim \"$(echo {learning-rate.x})\"").find("SALVO_PARAM_LEARNING_RATE_X"), std::string::npos);
  EXPECT_NE(message("sim \"`echo {rate}`\"").find("SALVO_PARAM_RATE"), std::string::npos);
  EXPECT_NE(message(" \n").find("empty"), std::string::npos);
  EXPECT_NO_THROW(CommandTemplate("$(echo {rate}) \"a\" {kind}", names));
}

ObjectiveOptions objective(const std::string& command, CommandInput input = CommandInput::none) {
  ObjectiveOptions options;
  options.command = command;
  options.input = input;
  return options;
}

StudyOptions study_options() { return {.outputs = one_objective(Direction::minimize), .search = SpaceSearch{.space = space()}}; }

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

// Whatever a string holds, a program reads it back byte by byte: bare, in either quotes, and from the environment.
TEST(Evaluation, StringsArriveAsTheyAre) {
  const ObjectiveOptions options = objective(R"(printf '%s\0' {kind} x{kind}y "x{kind}y" 'x{kind}y' "$SALVO_PARAM_KIND")");
  StudyOptions study = study_options();
  const Evaluation evaluation(options, study);
  const auto arrives = [&](const std::string& text) {
    const std::string middle = "x" + text + "y" + '\0';
    return output(evaluation.command(trial(1, params(text)))) == text + '\0' + middle + middle + middle + text + '\0';
  };
  for (const char* text :
       {"",   " ",  "'",      "\"", "''", "\\", "\\'",  "$(touch x)", "`id`", "$HOME",    "a b", "a\nb\n", "*",  "~",
        "-n", "!x", "; rm x", "&",  "|",  "#",  "Σ €😀", "{rate}",     "%s",   "\x01\xff", "\t",  "\\\n",   "a=b"})
    EXPECT_TRUE(arrives(text)) << text;
  EXPECT_TRUE(rc::check("any string", [&] {
    const auto characters = rc::gen::oneOf(rc::gen::element('\'', '"', '\\', '$', '`', ' ', '\n', '(', ')', '!', '{', '}', ';'),
                                           rc::gen::inRange<char>(1, 127), rc::gen::inRange<char>(-128, 0));
    const auto text = *rc::gen::container<std::string>(characters);
    RC_ASSERT(arrives(text));
  }));
}

}  // namespace
}  // namespace salvo::runner
