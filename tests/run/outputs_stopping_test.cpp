#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <salvo/stopping.h>
#include <salvo/study.h>

#include <stdexcept>

#include "support/message.h"
#include "support/options.h"

namespace salvo {
namespace {

using test::message;
using ::testing::HasSubstr;

StudyOptions two_limits() {
  StudyOptions options = test::small_branin();
  options.outputs = {{"yield", Objective{Direction::maximize}}, {"purity", Constraint{.min = 0.5}}};
  return options;
}

std::vector<Told> baked_with(const std::vector<Trial>& trials, double purity) {
  std::vector<Told> out;
  for (const Trial& trial : trials) {
    const double x = std::get<double>(trial.params[0]), y = std::get<double>(trial.params[1]);
    out.push_back({trial.id, Values{{x - y / 3, purity + 1e-3 * x}}});
  }
  return out;
}

TEST(StoppingOutputs, ATargetIsReachedWhereTheConstraintsHold) {
  for (const auto& [purity, reached] : {std::pair(0.1, false), std::pair(0.9, true)}) {
    Study study = Study::create(two_limits(), ":memory:");
    study.tell(baked_with(study.ask(12), purity));
    Stopping stopping({.target = -100.0}, Direction::maximize);
    EXPECT_EQ(stopping.look(study).has_value(), reached) << "every value is as good; only pure ones may be recommended";
  }
}

TEST(StoppingOutputs, SeveralObjectivesHaveNoTargetButAPatience) {
  StudyOptions options = test::small_branin();
  options.outputs = {{"a", Objective{Direction::minimize, 100.0}}, {"b", Objective{Direction::minimize, 100.0}}};
  Study study = Study::create(options, ":memory:");
  Stopping target({.target = 1.0}, Direction::minimize);
  EXPECT_THAT(message<std::invalid_argument>([&] { (void)target.look(study); }),
              HasSubstr("budget.target: expected none with 2"));
  std::vector<Told> outcomes;
  for (const Trial& trial : study.ask(8)) outcomes.push_back({trial.id, Values{{1.0 * trial.id, 9.0 - trial.id}}});
  study.tell(outcomes);
  Stopping patience({.patience = 3}, Direction::minimize);
  EXPECT_FALSE(patience.look(study)) << "the search has chosen nothing yet";
  outcomes.clear();
  for (const Trial& trial : study.ask(3)) outcomes.push_back({trial.id, Values{{50, 50}}});
  study.tell(outcomes);
  const auto why = patience.look(study);
  ASSERT_TRUE(why) << "three evaluations added nothing";
  EXPECT_THAT(why->words, HasSubstr("have not improved the front (hypervolume"));
  outcomes.clear();
  for (const Trial& trial : study.ask(1)) outcomes.push_back({trial.id, Values{{0.1, 0.1}}});
  study.tell(outcomes);
  Stopping again({.patience = 3}, Direction::minimize);
  EXPECT_FALSE(again.look(study)) << "one of the last three did";
}

}  // namespace
}  // namespace salvo
