#include <gtest/gtest.h>
#include <salvo/front.h>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace salvo {
namespace {

const std::vector<Output> kTwo = {
    {"yield", Objective{Direction::maximize}}, {"cost", Objective{Direction::minimize}}, {"purity", Constraint{.min = 0.5}}};
const double kMissing = std::numeric_limits<double>::quiet_NaN();

Trial seen(std::int64_t id, double yield, double cost, double purity) {
  return {.id = id, .outcome = Values{{yield, cost, purity}}, .told_at = static_cast<double>(id)};
}

TEST(Observed, FeasibleIsWhatIsKnownToKeepToEachConstraint) {
  EXPECT_TRUE(is_feasible(seen(1, 1, 1, 0.5), kTwo));
  EXPECT_FALSE(is_feasible(seen(1, 1, 1, 0.4), kTwo));
  EXPECT_FALSE(is_feasible(seen(1, 1, 1, kMissing), kTwo));
  EXPECT_FALSE(is_feasible(seen(1, kMissing, 1, 1), kTwo)) << "an objective is missing";
  EXPECT_TRUE(keeps_to_constraints({{kMissing, 1, 1}}, kTwo));
  EXPECT_FALSE(is_feasible({.outcome = Failure{}}, kTwo));
  EXPECT_FALSE(is_feasible({}, kTwo));
}

TEST(Observed, TheFrontLeavesOutWhatIsBeatenOrNotFeasible) {
  const std::vector<Trial> trials = {seen(1, 1, 1, 1), seen(2, 3, 4, 1), seen(3, 2, 4, 1), seen(4, 9, 0, 0), seen(5, 2, 2, 1)};
  const std::vector<Trial> front = observed_front(trials, kTwo);
  ASSERT_EQ(front.size(), 3U);
  EXPECT_EQ(front[0].id, 2) << "the best yield first";
  EXPECT_EQ(front[1].id, 5);
  EXPECT_EQ(front[2].id, 1);
  EXPECT_TRUE(observed_front(std::span(trials).subspan(3, 1), kTwo).empty());
}

TEST(Observed, TheHypervolumeNeverFallsAndEndsAtThatOfTheFront) {
  const std::vector<Trial> trials = {seen(1, 1, 1, 1), seen(2, 3, 4, 1), seen(3, 2, 4, 1), seen(4, 9, 0, 0), seen(5, 2, 2, 1)};
  const double reference[] = {0, 5};
  const std::vector<HypervolumeStep> steps = observed_hypervolumes(trials, kTwo, reference);
  ASSERT_EQ(steps.size(), 5U);
  EXPECT_DOUBLE_EQ(steps[0].hypervolume, 1 * 4);
  EXPECT_DOUBLE_EQ(steps[1].hypervolume, 4 + 2 * 1);
  EXPECT_DOUBLE_EQ(steps[2].hypervolume, 6);
  EXPECT_DOUBLE_EQ(steps[3].hypervolume, 6) << "what is not feasible adds nothing";
  EXPECT_DOUBLE_EQ(steps[4].hypervolume, 4 + 3 + 1);
  const std::vector<HypervolumeStep> few = observed_hypervolumes(trials, kTwo, reference, 2);
  ASSERT_EQ(few.size(), 2U);
  EXPECT_EQ(few.back().evaluations, 5);
  EXPECT_DOUBLE_EQ(few.back().hypervolume, 8);
  EXPECT_THROW((void)observed_hypervolumes(trials, kTwo, std::span(reference).first(1)), std::invalid_argument);
  EXPECT_TRUE(observed_hypervolumes({}, kTwo, reference).empty());
}

TEST(Observed, TheProbabilityIsThatOfAllConstraintsTogether) {
  const std::vector<Output> outputs = {
      {"y", Objective{Direction::minimize}}, {"a", Constraint{.min = 0}}, {"b", Constraint{.min = -1, .max = 1}}};
  const auto at = [&](Estimate a, Estimate b) { return probability_feasible(std::vector<Estimate>{{}, a, b}, outputs); };
  EXPECT_DOUBLE_EQ(at({0, 1}, {0, 0}), 0.5);
  EXPECT_NEAR(at({9, 1}, {0, 1}), std::erf(1 / std::sqrt(2.0)), 1e-15);
  EXPECT_DOUBLE_EQ(at({0, 1}, {2, 0}), 0);
  EXPECT_DOUBLE_EQ(at({1, 0}, {1, 0}), 1);
}

}  // namespace
}  // namespace salvo
