// What a study with several outputs takes, keeps and refuses, whatever its searcher makes of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <salvo/error.h>
#include <salvo/importance.h>
#include <salvo/study.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "support/folder.h"
#include "support/message.h"
#include "support/options.h"

namespace salvo {
namespace {

using test::message;
using ::testing::HasSubstr;

const double kUnknown = std::numeric_limits<double>::quiet_NaN();

StudyOptions bakery() {
  StudyOptions options = test::small_branin();
  options.outputs = {{"yield", Objective{Direction::maximize}}, {"purity", Constraint{.min = 0.5}}, {"sound", passes()}};
  return options;
}

std::vector<Told> baked(const std::vector<Trial>& trials) {
  std::vector<Told> out;
  for (const Trial& trial : trials) {
    const double x = std::get<double>(trial.params[0]), y = std::get<double>(trial.params[1]);
    out.push_back({trial.id, Values{{x - y / 3, y / 15, x > -4 ? 1.0 : 0.0}}});
  }
  return out;
}

TEST(StudyOutputs, WhatPassesOrFailsIsToldAsOneOrZero) {
  Study study = Study::create(bakery(), ":memory:");
  const std::vector<Trial> trials = study.ask(3);
  const Told odd{trials[0].id, Values{{1, 1, 0.5}}};
  EXPECT_EQ(message<std::invalid_argument>([&] {
              study.tell({&odd, 1});
            }),
            "tell: trial 1: sound: expected 1 (passed) or 0 (failed), got 0.5");
  const Told good{trials[0].id, Values{{1, kUnknown, 1}}};
  study.tell({&good, 1});
  const Correction worse{trials[0].id, Values{{1, 1, 2}}, ""};
  EXPECT_THAT(message<std::invalid_argument>([&] { study.amend({&worse, 1}); }), HasSubstr("trial 1: sound: expected 1"));
  const std::vector<Params> points{trials[1].params};
  const std::vector<Values> values{{{1, 1, -1}}};
  EXPECT_THAT(message<std::invalid_argument>([&] { (void)study.add(points, values); }), HasSubstr("add: point 1: sound"));
  EXPECT_EQ(study.trial(1)->outcome, Outcome(std::get<Values>(good.outcome))) << "nothing was changed";
}

TEST(StudyOutputs, BoundsMayChangeAndKindsMayNot) {
  const test::Folder folder;
  const std::string path = folder.path("s.db");
  {
    Study study = Study::open_or_create(bakery(), path);
    study.tell(baked(study.ask(6)));
  }
  StudyOptions moved = bakery();
  moved.outputs[1].role = Constraint{.min = 0.7, .probability = 0.9};
  std::swap(moved.outputs[1], moved.outputs[2]);  // a file may list them in another order
  {
    Study study = Study::open_or_create(moved, path);
    ASSERT_EQ(study.options().outputs.size(), 3U);
    EXPECT_EQ(study.options().outputs[1].name, "purity") << "values stand in the order that the study began with";
    EXPECT_EQ(study.options().outputs[1].role, moved.outputs[2].role);
    EXPECT_EQ(study.counts().done, 6);
  }
  EXPECT_EQ(std::get<Constraint>(Study::open(path).options().outputs[1].role).min, 0.7);
  const auto refused = [&](const auto& change) {
    StudyOptions other = bakery();
    change(other.outputs);
    return message<InputError>([&] { (void)Study::open_or_create(other, path); });
  };
  EXPECT_THAT(refused([](auto& all) { all[1].name = "purer"; }), HasSubstr("purity: it was there"));
  EXPECT_THAT(refused([](auto& all) { all.pop_back(); }), HasSubstr("sound: it was there (passed"));
  EXPECT_THAT(refused([](auto& all) { all[0].role = Objective{Direction::minimize}; }),
              HasSubstr("yield: it was maximize, and is minimize"));
  EXPECT_THAT(refused([](auto& all) { all[2].role = Constraint{.min = 0.5}; }), HasSubstr("sound: it was passed"));
  EXPECT_THAT(refused([](auto& all) { all = one_objective(Direction::maximize); }), HasSubstr("value: it is new (maximize)"));
  EXPECT_EQ(std::get<Constraint>(Study::open(path).options().outputs[1].role).min, 0.7) << "nothing was changed";
}

TEST(StudyOutputs, TheObservedBestKeepsToTheConstraints) {
  Study study = Study::create(bakery(), ":memory:");
  const std::vector<Trial> trials = study.ask(4);
  const std::vector<Told> outcomes = {{1, Values{{9, 0.4, 1}}}, {2, Values{{8, 0.6, 0}}}, {3, Values{{7, 0.6, kUnknown}}}};
  study.tell(outcomes);
  EXPECT_FALSE(study.observed_best()) << "one is not pure, one not sound, and of one it is not known";
  const Told last{4, Values{{1, 0.6, 1}}};
  study.tell({&last, 1});
  EXPECT_EQ(study.observed_best()->id, 4);
}

TEST(StudyOutputs, ImportanceIsOfTheOutputThatIsAskedFor) {
  Study study = Study::create(bakery(), ":memory:");
  study.tell(baked(study.ask(30)));
  const Importance purity = importance(study, {.num_points = 64, .output = 1});  // y alone
  EXPECT_EQ(purity.parameters[0].name, study.space().parameters()[1].name);
  EXPECT_GT(purity.parameters[0].total.value, 0.9);
  EXPECT_EQ(purity.num_paths, 0);
  EXPECT_THROW((void)importance(study, {.output = 3}), std::invalid_argument);
}

}  // namespace
}  // namespace salvo
