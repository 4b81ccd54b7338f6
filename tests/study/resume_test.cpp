#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <salvo/error.h>
#include <salvo/study.h>
#include <salvo/threads.h>

#include <algorithm>
#include <functional>

#include "support/folder.h"
#include "support/message.h"
#include "support/studies.h"

namespace salvo {
namespace {

using test::message;
using test::objective;
using test::points;
using test::small_options;
using ::testing::HasSubstr;

constexpr int kBatches = 8;

StudyOptions options_of_run() {
  auto options = small_options(test::mixed_space(), 7);
  ModelOptions& model = test::model_of(options);
  model.refit_growth = 0.3;  // some asks learn, some only update
  model.num_inducing = 8;
  model.exact_until = 12;  // exact at first, then sparse
  return options;
}

// The points of a run whose study goes through `between` before every ask and whose batches are told in `order`.
std::vector<Params> run(
    Study study, const std::function<void(Study&)>& between,
    const std::function<void(std::vector<Trial>&)>& order = [](auto&) {}) {
  for (int batch = 0; batch < kBatches; ++batch) {
    between(study);
    auto trials = study.ask(3);
    order(trials);
    test::tell_all(study, trials);
  }
  return points(study.trials());
}

TEST(Resume, AStudyReopenedBeforeEveryAskHandsOutTheSamePointsOnAnyNumberOfThreads) {
  const auto expected = run(Study::create(options_of_run(), ":memory:"), [](Study&) {});
  for (const int threads : {1, 2, 3}) {
    const test::Folder folder;
    const std::string path = folder.path("study.db");
    set_num_threads(threads);
    EXPECT_TRUE(run(Study::create(options_of_run(), path), [&](Study& study) { study = Study::open(path); }) == expected)
        << threads << " threads";
  }
  set_num_threads(0);
}

TEST(Resume, SingleAsksAndTellsWithOthersPendingAreTheSameAfterReopening) {
  const auto go = [](Study study, const std::function<void(Study&)>& between) {
    std::vector<Trial> waiting = study.ask(5);
    for (int i = 0; i < 25; ++i) {  // the third oldest finishes first
      between(study);
      study.tell(waiting[2].id, objective(waiting[2].params));
      waiting.erase(waiting.begin() + 2);
      between(study);
      waiting.push_back(study.ask(1).front());
    }
    return points(study.trials());
  };
  const test::Folder folder;
  const std::string path = folder.path("study.db");
  EXPECT_TRUE(go(Study::create(options_of_run(), ":memory:"), [](Study&) {}) ==
              go(Study::create(options_of_run(), path), [&](Study& study) { study = Study::open(path); }));
}

TEST(Resume, TheOrderOfTellingWithinABatchChangesNothing) {
  const auto expected = run(Study::create(options_of_run(), ":memory:"), [](Study&) {});
  const auto permuted = run(
      Study::create(options_of_run(), ":memory:"), [](Study&) {},
      [](auto& trials) { std::rotate(trials.begin(), trials.begin() + 1, trials.end()); });
  EXPECT_TRUE(permuted == expected);
  const auto reversed = run(
      Study::create(options_of_run(), ":memory:"), [](Study&) {},
      [](auto& trials) { std::reverse(trials.begin(), trials.end()); });
  EXPECT_TRUE(reversed == expected);
}

// A trust region goes by batches of results, and a failure shifts where they begin.
TEST(Resume, NorDoesItForATrustRegionWithFailures) {
  const auto asked = [](bool reversed) {
    auto options = options_of_run();
    test::search_of(options).method = Method::turbo;
    options.batch = 3;
    Study study = Study::create(options, ":memory:");
    for (int batch = 0; batch < kBatches; ++batch) {
      auto trials = study.ask(4);
      if (reversed) std::reverse(trials.begin(), trials.end());
      for (const Trial& trial : trials) {
        if (trial.id % 5 == 0)
          study.tell(std::vector<Told>{{trial.id, Failure{"no"}}});
        else
          study.tell(trial.id, objective(trial.params));
      }
    }
    return points(study.trials());
  };
  EXPECT_TRUE(asked(false) == asked(true));
}

TEST(Resume, AnotherSeedIsAnotherStudy) {
  auto options = options_of_run();
  const auto a = run(Study::create(options, ":memory:"), [](Study&) {});
  options.seed = 8;
  EXPECT_FALSE(run(Study::create(options, ":memory:"), [](Study&) {}) == a);
}

TEST(Resume, TheValuesReadBackAreTheValuesTold) {
  const test::Folder folder;
  const std::string path = folder.path("study.db");
  Study study = Study::create(options_of_run(), path);
  test::tell_all(study, study.ask(20));
  const auto before = study.trials();
  const auto after = Study::open(path).trials();
  ASSERT_EQ(after.size(), before.size());
  for (std::size_t i = 0; i < after.size(); ++i) {
    EXPECT_EQ(after[i].params, before[i].params);
    EXPECT_EQ(after[i].value(), objective(before[i].params));
    EXPECT_EQ(after[i].asked_at, before[i].asked_at);
  }
  EXPECT_EQ(Study::open(path).recommend()->trial.id, study.recommend()->trial.id);
  EXPECT_EQ(Study::open(path).recommend()->mean, study.recommend()->mean);
}

TEST(OpenOrCreate, OpensTheSameStudyAndFollowsItsNewSettings) {
  const test::Folder folder;
  const std::string path = folder.path("study.db");
  auto options = options_of_run();
  test::tell_all(*std::make_unique<Study>(Study::open_or_create(options, path)), Study::open_or_create(options, path).ask(4));
  test::model_of(options).kernel = KernelType::se;
  options.batch = 6;
  options.name = "renamed";
  Study study = Study::open_or_create(options, path);
  EXPECT_EQ(study.counts().done, 4);
  EXPECT_EQ(Study::open(path).options().batch, 6);
  EXPECT_EQ(Study::open(path).options().name, "renamed");
  EXPECT_EQ(test::model_of(Study::open(path).options()).kernel, KernelType::se);
  EXPECT_EQ(study.ask(3).size(), 3U);
}

TEST(OpenOrCreate, SaysWhatDiffersWhenItIsAnotherStudy) {
  const test::Folder folder;
  const std::string path = folder.path("study.db");
  const auto options = options_of_run();
  { (void)Study::open_or_create(options, path); }
  const std::string before = test::contents(path);
  const auto attempt = [&](const StudyOptions& other) {
    return message<InputError>([&] { (void)Study::open_or_create(other, path); });
  };
  auto other = options;
  auto parameters = options.space().parameters();
  parameters[1].domain = Float{1e-3, 1, Scale::log};
  test::search_of(other).space = Space(parameters);
  EXPECT_THAT(attempt(other), ::testing::AllOf(HasSubstr(path), HasSubstr("rate"), HasSubstr("1e-04"), HasSubstr("0.001")));
  parameters = options.space().parameters();
  parameters.push_back({"extra", Int{0, 5}});
  test::search_of(other).space = Space(parameters);
  EXPECT_THAT(attempt(other), HasSubstr("extra"));
  other = options;
  other.outputs = one_objective(Direction::minimize);
  EXPECT_THAT(attempt(other), HasSubstr("direction"));
  other = options;
  other.seed = 8;
  EXPECT_THAT(attempt(other), ::testing::AllOf(HasSubstr("seed"), HasSubstr("7"), HasSubstr("8")));
  EXPECT_EQ(test::contents(path), before);
}

}  // namespace
}  // namespace salvo
