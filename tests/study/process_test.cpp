// Several processes on one study, and processes that are killed.
#include <gtest/gtest.h>
#include <salvo/study.h>
#include <sys/wait.h>
#include <unistd.h>

#include <map>
#include <memory>
#include <random>
#include <set>
#include <sstream>

#include "support/folder.h"
#include "support/helper.h"
#include "support/studies.h"

namespace salvo {
namespace {

using test::Helper;
using test::objective;
using test::small_options;

TEST(Processes, EightAskAndTellOnOneStudyAndNoPointIsHandedOutTwice) {
  constexpr int kProcesses = 8, kRounds = 4, kSize = 3;
  const test::Folder folder;
  const std::string path = folder.path("study.db");
  { (void)Study::create(small_options(test::mixed_space()), path); }
  std::vector<std::unique_ptr<Helper>> helpers;
  for (int i = 0; i < kProcesses; ++i) {
    helpers.push_back(
        std::make_unique<Helper>(std::vector<std::string>{"ask_and_tell", path, std::to_string(kRounds), std::to_string(kSize)}));
  }
  std::set<std::int64_t> acknowledged;
  for (const auto& helper : helpers) {
    std::istringstream lines(helper->finish());
    EXPECT_EQ(helper->status(), 0);
    for (std::int64_t id = 0; lines >> id;) EXPECT_TRUE(acknowledged.insert(id).second) << "trial " << id << " twice";
  }
  EXPECT_EQ(acknowledged.size(), kProcesses * kRounds * kSize);
  // A corner of the box may be asked for again once its value is known, never while it is pending.
  std::map<Params, Trial> latest;
  Study study = Study::open(path);
  EXPECT_EQ(study.counts().done, kProcesses * kRounds * kSize);
  for (const Trial& trial : study.trials()) {
    EXPECT_EQ(trial.value(), objective(trial.params));
    const auto [earlier, is_new] = latest.try_emplace(trial.params, trial);
    if (is_new) continue;
    EXPECT_LE(earlier->second.told_at, trial.asked_at) << "trials " << earlier->second.id << " and " << trial.id;
    earlier->second = trial;
  }
}

TEST(Processes, TogetherTheyExhaustAFiniteSpaceExactly) {
  const test::Folder folder;
  const std::string path = folder.path("study.db");
  auto options = small_options(Space({{"a", Int{0, 9}}, {"b", Int{1, 5}}}));
  options.num_initial = 20;
  {
    Study study = Study::create(options, path);
    const Params known{std::int64_t{0}, std::int64_t{1}};
    study.add(std::vector<Params>{known, known, known}, std::vector{0.0, 1.0, 2.0});
  }
  std::vector<std::unique_ptr<Helper>> helpers;
  for (int i = 0; i < 4; ++i)
    helpers.push_back(std::make_unique<Helper>(std::vector<std::string>{"ask_until_none_is_left", path}));
  for (const auto& helper : helpers) (void)helper->finish();
  std::set<Params> pending;
  for (const Trial& trial : Study::open(path).pending()) EXPECT_TRUE(pending.insert(trial.params).second);
  EXPECT_EQ(pending.size(), 50U);
}

TEST(Processes, CreatingOneStudyTogetherMakesOne) {
  const test::Folder folder;
  const std::string path = folder.path("study.db");
  std::vector<std::unique_ptr<Helper>> helpers;
  for (int i = 0; i < 6; ++i) helpers.push_back(std::make_unique<Helper>(std::vector<std::string>{"open_or_create", path}));
  for (const auto& helper : helpers) EXPECT_EQ(helper->finish(), "open\n");
  EXPECT_EQ(Study::open(path).counts().pending, 6);
}

// Without turns the long ask would be computed again after each short one, and come last.
TEST(Processes, ALongAskEndsBesideManyShortOnes) {
  const test::Folder folder;
  const std::string path = folder.path("study.db");
  Study study = Study::create(small_options(test::mixed_space()), path);
  test::tell_all(study, study.ask(60));
  std::vector<std::unique_ptr<Helper>> helpers;
  for (int i = 0; i < 3; ++i)
    helpers.push_back(std::make_unique<Helper>(std::vector<std::string>{"ask_one_by_one", path, "150"}));
  for (const auto& helper : helpers) helper->wait_for_output();
  const std::int64_t before = study.counts().total();
  EXPECT_LE(study.ask(200).front().id, before + 30);
  EXPECT_LE(before, 300) << "the others had ended before: this says nothing";
  for (const auto& helper : helpers) helper->kill();
}

// A process goes on with a study, outcome by outcome, and is killed at a random moment, a hundred times.
TEST(Processes, AStudyKilledAHundredTimesLosesNothingAndGoesOnAsIfNothingHadHappened) {
  const test::Folder folder;
  const std::string path = folder.path("study.db");
  auto options = small_options(test::mixed_space(), 3);
  test::model_of(options).refit_growth = 0.1;
  { (void)Study::create(options, path); }
  std::mt19937 random(1);
  std::int64_t last_told = 0, last_asked = 0;
  for (int kills = 0; kills < 100; ++kills) {
    Helper helper({"go_on", path});
    if (kills % 4 != 0) helper.wait_for_output();  // otherwise also while it opens the file
    usleep(static_cast<useconds_t>(random() % 15'000));
    helper.kill();
    std::istringstream lines(helper.finish());
    ASSERT_TRUE(WIFSIGNALED(helper.status())) << "it ended by itself";
    std::string what;
    for (std::int64_t id = 0; lines >> what >> id;) (what == "told" ? last_told : last_asked) = id;
    Study study = Study::open(path);
    ASSERT_GE(study.counts().total(), last_asked);
    ASSERT_GE(study.counts().done, last_told);
  }
  Study study = Study::open(path);
  const auto trials = study.trials();
  EXPECT_GT(study.counts().done, 50);

  Study uninterrupted = Study::create(options, ":memory:");
  while (uninterrupted.counts().total() < study.counts().total()) {
    test::tell_all(uninterrupted, uninterrupted.pending());
    (void)uninterrupted.ask(4);
  }
  const auto expected = uninterrupted.trials();
  ASSERT_EQ(trials.size(), expected.size());
  for (std::size_t i = 0; i < trials.size(); ++i) {
    ASSERT_TRUE(trials[i].params == expected[i].params) << "trial " << trials[i].id;
    EXPECT_EQ(trials[i].value().value_or(objective(trials[i].params)), objective(trials[i].params));
  }
}

}  // namespace
}  // namespace salvo
