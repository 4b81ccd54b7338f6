#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <salvo/study.h>

#include <cmath>
#include <filesystem>
#include <functional>

#include "support/folder.h"
#include "support/message.h"
#include "support/studies.h"

namespace salvo {
namespace {

using test::points;
using test::small_options;

// A study with values, one of which is `first` and was put right to `right` where they differ.
Study study_told(const std::string& url, double first, double right) {
  auto options = small_options(test::mixed_space(), 3);
  Study study = Study::create(options, url);
  for (int batch = 0; batch < 3; ++batch) {
    const auto trials = study.ask(4);
    for (const Trial& trial : trials)
      if (trial.id != 12) study.tell(trial.id, test::objective(trial.params));
  }
  study.tell(12, first);  // nobody has asked since
  if (first != right) study.amend(12, right, "a slip");
  return study;
}

// Nothing of a wrong value is left once it is put right: not in the model, not in the recommendation, not in the next points.
TEST(Amend, AValueThatWasPutRightNeverMattered) {
  const test::Folder folder;
  Study slipped = study_told(folder.path("a.db"), 4100, 0.5), straight = study_told(folder.path("b.db"), 0.5, 0.5);
  EXPECT_EQ(slipped.observed_best()->id, straight.observed_best()->id);
  EXPECT_EQ(slipped.recommend()->mean, straight.recommend()->mean);
  EXPECT_EQ(points(slipped.ask(4)), points(straight.ask(4)));
}

TEST(Amend, AValueThatWasAFailureNeverMattered) {
  const test::Folder folder;
  const auto told_study = [&](const std::string& url, bool as_value) {
    Study study = Study::create(small_options(test::mixed_space(), 3), url);
    for (int batch = 0; batch < 3; ++batch)
      for (const Trial& trial : study.ask(4))
        if (trial.id != 12) study.tell(trial.id, test::objective(trial.params));
    as_value ? study.tell(12, 4100) : study.fail(12, "it broke");
    const Correction correction{12, Failure{"it broke"}, "a slip"};
    if (as_value) study.amend({&correction, 1});
    return study;
  };
  Study slipped = told_study(folder.path("a.db"), true), straight = told_study(":memory:", false);
  Study again = Study::open(folder.path("a.db"));
  EXPECT_EQ(again.recommend()->mean, straight.recommend()->mean);
  const std::vector<Trial> next = straight.ask(4);
  EXPECT_EQ(points(again.ask(4)), points(next));
  EXPECT_EQ(points(slipped.ask(4)), points(straight.ask(4))) << "the ask after that";
}

// Who has the study open meanwhile goes on as one who opens it now.
TEST(Amend, OthersWhoHaveTheStudyOpenNotice) {
  const test::Folder folder;
  for (const bool in_memory : {false, true}) {
    Study mine = study_told(in_memory ? ":memory:" : folder.path("a.db"), 4100, 4100);
    EXPECT_EQ(mine.observed_best()->value(), 4100);
    (void)mine.ask(2);  // learned from it
    if (in_memory) {
      mine.amend(12, 0.5, "");
    } else {
      Study::open(folder.path("a.db")).amend(12, 0.5, "");
      for (const std::string part : {"", "-wal"})
        std::filesystem::copy_file(folder.path("a.db" + part), folder.path("b.db" + part));
    }
    EXPECT_LT(mine.observed_best()->value(), 4100);
    EXPECT_LT(mine.recommend()->mean, 1000);
    if (in_memory) continue;
    Study fresh = Study::open(folder.path("b.db"));
    EXPECT_EQ(points(mine.ask(3)), points(fresh.ask(3)));
  }
}

// The first call after somebody else's correction may be any.
TEST(Amend, EveryQuestionAfterACorrectionIsAnswered) {
  const test::Folder folder;
  const std::vector<std::function<void(Study&)>> questions{
      [](Study& s) { EXPECT_GT(s.num_left(), 0); },     [](Study& s) { EXPECT_FALSE(s.learning_is_long()); },
      [](Study& s) { EXPECT_TRUE(s.recommend()); },     [](Study& s) { EXPECT_TRUE(s.model_report()); },
      [](Study& s) { EXPECT_TRUE(s.observed_best()); }, [](Study& s) { EXPECT_EQ(s.ask(1).size(), 1U); }};
  Study study = study_told(folder.path("a.db"), 1, 1);
  double value = 2;
  for (const auto& question : questions) {
    (void)study.num_left();
    Study::open(folder.path("a.db")).amend(12, value++, "");
    question(study);
  }
}

TEST(Amend, ErrorsBeginWithTheNameOfWhatWasTried) {
  const auto said = [](const auto& call) { return test::message<std::invalid_argument>(call); };
  Study study = study_told(":memory:", 1, 1);
  const std::size_t before = study.amendments().size();
  EXPECT_THAT(said([&] { study.amend(99, 1, ""); }), ::testing::StartsWith("amend: there is no trial 99"));
  EXPECT_THAT(said([&] { study.amend(1, std::nan(""), ""); }), ::testing::StartsWith("amend: trial 1: expected a finite value"));
  EXPECT_THAT(said([&] { study.forget(99, ""); }), ::testing::StartsWith("forget: there is no trial 99"));
  EXPECT_THAT(said([&] { study.revive(1, ""); }), ::testing::StartsWith("revive: trial 1 has the value"));
  EXPECT_EQ(study.amendments().size(), before);
}

TEST(Amend, WhatElseWasMeasuredStays) {
  auto options = small_options(test::mixed_space(), 3);
  Study study = Study::create(options, ":memory:");
  (void)study.ask(3);
  const Told told{1, Values{{410}, {{"seconds", 7}}}};
  study.tell({&told, 1});
  study.amend(1, 4.1, "a slip");
  EXPECT_EQ(study.trial(1)->outcome, (Outcome{Values{{4.1}, {{"seconds", 7}}}}));
  study.forget(1, "another oven");
  EXPECT_EQ(study.trial(1)->state(), TrialState::abandoned);
  EXPECT_FALSE(study.observed_best());
  study.revive(1, "measured again");
  study.tell(1, 4.2);
  EXPECT_EQ(study.observed_best()->value(), 4.2);
  EXPECT_EQ(study.amendments().size(), 3U);
}

}  // namespace
}  // namespace salvo
