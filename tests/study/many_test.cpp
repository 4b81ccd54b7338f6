// Very many observations, and very large batches.
#include <gtest/gtest.h>
#include <salvo/random.h>
#include <salvo/study.h>

#include <set>

#include "support/studies.h"

namespace salvo {
namespace {

StudyOptions tiny_branin() {
  StudyOptions options = test::small_branin();
  ModelOptions& model = test::model_of(options);
  model.num_inducing = 10;
  model.exact_until = 0;
  return options;
}

void add_random(Study& study, int count, Key key) {
  std::vector<Params> points;
  std::vector<double> values;
  for (int i = 0; i < count; ++i) {
    const auto at = static_cast<std::uint64_t>(i);
    points.push_back({-5 + 15 * key.fold("a").uniform(at), 15 * key.fold("b").uniform(at)});
    values.push_back(std::get<double>(points.back()[0]) + std::get<double>(points.back()[1]));
  }
  study.add(points, values);
}

// A question that would take minutes says so before; the next ask takes that time anyway.
TEST(Many, QuestionsLearnNothingLongUnasked) {
  Study study = Study::create(tiny_branin(), ":memory:");
  EXPECT_FALSE(study.learning_is_long());
  add_random(study, 20'000, Key(1));
  EXPECT_FALSE(study.learning_is_long());
  add_random(study, 1, Key(2));
  EXPECT_TRUE(study.learning_is_long());
  EXPECT_TRUE(study.observed_best());
  (void)study.ask(1);
  EXPECT_FALSE(study.learning_is_long()) << "the ask has learned it";
  EXPECT_LE(study.model_report()->fit.num_evaluations, 10);
}

// Paths are drawn and climbed a thousand at a time.
TEST(Many, ABatchOfThousandsHasDistinctPoints) {
  StudyOptions options = tiny_branin();
  test::search_of(options).method = Method::thompson;
  Study study = Study::create(options, ":memory:");
  add_random(study, 100, Key(1));
  const auto trials = study.ask(1500);
  EXPECT_EQ(trials.size(), 1500U);
  std::set<Params> distinct;
  for (const Trial& trial : trials) distinct.insert(trial.params);
  EXPECT_EQ(distinct.size(), 1500U);
}

}  // namespace
}  // namespace salvo
