#include <gtest/gtest.h>
#include <salvo/error.h>
#include <salvo/study_file.h>

#include <stdexcept>

#include "support/options.h"

namespace salvo {
namespace {

const std::string outputs_head = R"([parameters]
rate = { low = 0, high = 1 }
[outputs]
)";

StudyFile outputs_of(const std::string& outputs, const Overrides& overrides = {}) {
  return parse_study_file(outputs_head + outputs, "r.toml", overrides);
}

std::string outputs_error(const std::string& outputs, const Overrides& overrides = {}) {
  try {
    (void)outputs_of(outputs, overrides);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Outputs, AreReadInAnyOrderWithObjectivesFirst) {
  const StudyFile file = outputs_of(R"(purity  = { min = 0.95, probability = 0.9 }
yield   = "maximize"
sound   = "passed"
seconds = { max = 60 }
cost    = { direction = "minimize", reference = 20 }
firm    = { passed = true, probability = 0.8 }
)");
  const std::vector<Output> wanted = {{"yield", Objective{Direction::maximize}},
                                      {"cost", Objective{Direction::minimize, 20.0}},
                                      {"purity", Constraint{.min = 0.95, .probability = 0.9}},
                                      {"sound", passes()},
                                      {"seconds", Constraint{.max = 60}},
                                      {"firm", passes(0.8)}};
  EXPECT_EQ(file.study.outputs, wanted);
  EXPECT_EQ(file.study.num_objectives(), 2);
  EXPECT_TRUE(has_names(file.study.outputs));
}

TEST(Outputs, OneNamedValueIsTheStudyOfADirection) {
  const StudyFile named = outputs_of("value = \"minimize\"\n");
  EXPECT_EQ(named.study.outputs, one_objective(Direction::minimize));
  EXPECT_FALSE(has_names(named.study.outputs));
}

TEST(Outputs, AreSetFromTheCommandLine) {
  const std::string text = "yield = \"maximize\"\n\"net.cost\" = \"minimize\"\nseconds = { max = 60 }\nsound = \"passed\"\n";
  const StudyFile file = outputs_of(text, {{"outputs.seconds.max", "50"},
                                           {"outputs.yield", "minimize"},
                                           {"outputs.net.cost.reference", "20"},
                                           {"outputs.sound.probability", "0.5"},
                                           {"outputs.loss", "{ max = 1 }"}});
  const std::vector<Output> wanted = {{"yield", Objective{Direction::minimize}},
                                      {"net.cost", Objective{Direction::minimize, 20.0}},
                                      {"seconds", Constraint{.max = 50}},
                                      {"sound", passes(0.5)},
                                      {"loss", Constraint{.max = 1}}};
  EXPECT_EQ(file.study.outputs, wanted);
  EXPECT_EQ(outputs_error(text, {{"outputs.seconds.most", "50"}}),
            "--set outputs.seconds.most=50: outputs.seconds.most: expected \"maximize\", \"minimize\", \"passed\", or a table { "
            "direction = … }, { min = … } or { max = … }, got 50");
  EXPECT_EQ(
      outputs_error(text, {{"outputs.yield.max", "50"}}),
      "--set outputs.yield.max=50: outputs.yield.max: only of a constraint; what has a direction is an objective. An output "
      "is one or the other");
}

TEST(Outputs, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(
      outputs_error("yield = \"maximise\"\n"),
      "r.toml:4:9: outputs.yield: expected \"maximize\", \"minimize\" or \"passed\", or a constraint { min = … } or { max = … "
      "}, got \"maximise\"; did you mean \"maximize\"?");
  EXPECT_EQ(outputs_error("yield = \"maximize\"\ncost = { probability = 0.9 }\n"),
            "r.toml:5:8: outputs.cost: expected a direction (an objective), or a bound: min, max or both (a constraint), got "
            "neither");
  EXPECT_EQ(outputs_error("yield = \"maximize\"\ncost = { min = 2, max = 1 }\n"),
            "r.toml:5:16: outputs.cost.min: expected a min below its max, got 2 and 1");
  EXPECT_EQ(outputs_error("yield = \"maximize\"\ncost = { min = 2, probability = 1 }\n"),
            "r.toml:5:33: outputs.cost.probability: expected a number above 0 and below 1, got 1");
  EXPECT_EQ(outputs_error("cost = { min = 2 }\n"),
            "r.toml:3:1: outputs: expected an objective, an output to \"maximize\" or to \"minimize\", got constraints alone");
  EXPECT_EQ(outputs_error(""), "r.toml:3:1: outputs: expected at least one output: yield = \"maximize\", got none");
  EXPECT_EQ(
      outputs_error("yield = 3\n"),
      "r.toml:4:9: outputs.yield: expected \"maximize\", \"minimize\", \"passed\", or a table { direction = … }, { min = … } "
      "or { max = … }, got 3");
  EXPECT_EQ(outputs_error("yield = { direction = \"minimize\", max = 3 }\n"),
            "r.toml:4:41: outputs.yield.max: only of a constraint; what has a direction is an objective. An output is one or the "
            "other");
  EXPECT_EQ(outputs_error("yield = \"maximize\"\nsound = { passed = true, max = 3 }\n"),
            "r.toml:5:32: outputs.sound.max: what is told as passed or failed has no bounds");
  EXPECT_EQ(outputs_error("yield = \"maximize\"\nsound = { passed = false }\n"),
            "r.toml:5:20: outputs.sound.passed: expected true, or no such key, got false");
  EXPECT_EQ(outputs_error("yield = \"maximize\"\ncost = { max = 1, reference = 2 }\n"),
            "r.toml:5:31: outputs.cost.reference: only of an objective, which has a direction");
  EXPECT_EQ(outputs_error("yield = { direction = \"maximize\", weight = 2 }\n").substr(0, 48),
            "r.toml:4:35: outputs.yield.weight: unknown key; ");
  EXPECT_EQ(outputs_error("yield = \"maximize\"\ncost = { max = inf }\n"),
            "r.toml:5:16: outputs.cost.max: expected a finite number, got inf");
}

TEST(Outputs, HaveNamesThatSheetsCanTellApart) {
  const auto name_error = [](const std::string& name) {
    return outputs_error("yield = \"maximize\"\n" + name + " = \"minimize\"\n");
  };
  for (const char* taken : {"trial", "state", "value", "sd", "Tags", "origin", "\"measured.x\""})
    EXPECT_NE(name_error(taken).find("this name is a column of the results; choose another"), std::string::npos) << taken;
  EXPECT_EQ(name_error("Rate"), "r.toml:5:1: outputs.Rate: a parameter has this name; choose another for one of them");
  EXPECT_EQ(name_error("Yield"), "r.toml:5:1: outputs.Yield: expected different names, got \"yield\" as well");
  EXPECT_NE(name_error("yield").find("r.toml:5:"), std::string::npos);  // in TOML's own words
  EXPECT_NE(name_error("\"a b\"").find("expected a name of letters, digits"), std::string::npos);
  EXPECT_NE(name_error("\"\"").find("expected a name of 1 to 128 characters, got 0"), std::string::npos);
  StudyOptions options = outputs_of("yield = \"maximize\"\n").study;
  options.outputs.push_back({"rate", Constraint{.max = 1}});
  EXPECT_THROW(options.validate(), std::invalid_argument);  // whoever made them
}

TEST(Outputs, AreAtMostSixObjectives) {
  std::string text;
  for (int i = 0; i < 6; ++i) text += "y" + std::to_string(i) + " = \"minimize\"\n";
  EXPECT_EQ(outputs_of(text).study.num_objectives(), 6);
  EXPECT_EQ(outputs_error(text + "y6 = \"minimize\"\n"), "r.toml:3:1: outputs: expected at most 6 objectives, got 7");
}

TEST(Outputs, TakeThePlaceOfADirectionAndOfATarget) {
  const std::string both = "direction = \"minimize\"\n" + outputs_head + "yield = \"maximize\"\n";
  try {
    (void)parse_study_file(both, "r.toml");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()),
              "r.toml:1:13: direction: expected this key or the table [outputs], which says what each output is for, got both");
  }
  EXPECT_EQ(outputs_error("a = \"maximize\"\nb = \"maximize\"\n[budget]\ntarget = 3\n"),
            "r.toml:7:10: budget.target: only with one objective: several have a front, and no value that is good enough");
  EXPECT_EQ(outputs_of("a = \"maximize\"\nb = { max = 1 }\n[budget]\ntarget = 3\n").budget.target, 3);
}

TEST(Outputs, SayInWordsWhatChanged) {
  const std::vector<Output> before = {{"yield", Objective{Direction::maximize}}, {"cost", Constraint{.max = 20}}};
  EXPECT_TRUE(changed_outputs(before, before).empty());
  const std::vector<Output> now = {{"yield", Objective{Direction::maximize, 0.5}}, {"purity", Constraint{.min = 0.5, .max = 1}}};
  const std::vector<std::string> wanted = {"yield: it was maximize, and is maximize, reference 0.5",
                                           "cost: it was there (at most 20, with probability 0.95), and is not any more",
                                           "purity: it is new (0.5 to 1, with probability 0.95)"};
  EXPECT_EQ(changed_outputs(before, now), wanted);
}

TEST(Outputs, AreDocumentedKeyByKey) {
  for (const char* key : {"outputs.NAME.direction", "outputs.NAME.reference", "outputs.NAME.min", "outputs.NAME.max",
                          "outputs.NAME.passed", "outputs.NAME.probability"}) {
    const std::vector<KeyDoc> keys = study_file_keys();
    EXPECT_TRUE(std::any_of(keys.begin(), keys.end(), [&](const KeyDoc& doc) { return doc.key == key; })) << key;
  }
}

}  // namespace
}  // namespace salvo
