#include "search/progress.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

namespace salvo {
namespace {

struct Step {
  Source source;
  double x, y;
};

Progress progress_of(const std::vector<Step>& steps, int batch = 2) {
  Observations data(1);
  std::vector<std::int64_t> rows;
  for (const Step& step : steps) {
    rows.push_back(data.size());
    const std::int64_t id = data.size() + 1;
    data.add({.id = id, .sequence = id, .params = {}, .outcome = {}, .source = step.source}, Vector::Constant(1, step.x), step.y);
  }
  return replay_progress(data, rows, batch, 1);
}

const std::vector<Step> kDesign = {{Source::initial, 0.2, 0}, {Source::initial, 0.8, 1}};

std::vector<Step> after(std::vector<Step> steps, std::initializer_list<Step> more) {
  steps.insert(steps.end(), more);
  return steps;
}

TEST(Progress, BeginsWithHalfOfABatchInAWideRegion) {
  const Progress now = progress_of(kDesign);
  EXPECT_EQ(now.length, 0.8);
  EXPECT_EQ(now.local_share, 0.5);
}

TEST(Progress, ABatchWithoutABetterPointHalvesTheRegionAndThreeWithOneDoubleIt) {
  std::vector<Step> steps = after(kDesign, {{Source::local, 0.8, 0.5}, {Source::model, 0.7, 0.6}});
  EXPECT_EQ(progress_of(steps).length, 0.4);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(progress_of(steps).length, 0.4);
    steps = after(steps, {{Source::local, 0.8, 2.0 + i}, {Source::model, 0.7, 0}});
  }
  EXPECT_EQ(progress_of(steps).length, 0.8);
}

TEST(Progress, WhoeverFindsTheBetterPointsGetsMoreOfTheNextBatch) {
  const auto found_by = [](Source source) {
    return progress_of(after(kDesign, {{source, 0.8, 2}, {Source::model, 0.7, 0}})).local_share;
  };
  EXPECT_GT(found_by(Source::local), 0.5);
  EXPECT_LT(found_by(Source::model), 0.5);
  std::vector<Step> steps = after(kDesign, {{Source::local, 0.8, 2}, {Source::model, 0.7, 0}});
  const double share = progress_of(steps).local_share;
  steps = after(steps, {{Source::local, 0.8, 1}, {Source::model, 0.7, 0}});
  EXPECT_LT(progress_of(steps).local_share, share) << "credit fades";
}

TEST(Progress, ABetterPointFarAwayIsLookedAroundWidely) {
  std::vector<Step> steps = kDesign;
  for (int i = 0; i < 6; ++i) steps = after(steps, {{Source::local, 0.8, 0.9}, {Source::model, 0.7, 0}});
  EXPECT_LT(progress_of(steps).length, 0.02);
  EXPECT_EQ(progress_of(after(steps, {{Source::model, 0.1, 3}, {Source::local, 0.8, 0.9}})).length, 0.4);
  EXPECT_LT(progress_of(after(steps, {{Source::model, 0.81, 3}, {Source::local, 0.8, 0.9}})).length, 0.02);
}

TEST(Progress, WhatSomebodyElseHandedInIsOnlyWhatMustBeBeaten) {
  const std::vector<Step> steps = after(kDesign, {{Source::told, 0.5, 9}, {Source::told, 0.5, 9}});
  EXPECT_EQ(progress_of(steps).length, 0.8);
  EXPECT_EQ(progress_of(after(steps, {{Source::local, 0.5, 8}, {Source::local, 0.5, 8}})).length, 0.4);
}

// The units of the values say nothing: a + b·y goes the same way (b a power of two, so that nothing is rounded).
RC_GTEST_PROP(Progress, DoesNotDependOnTheUnitsOfTheValues, ()) {
  std::vector<Step> steps = kDesign, other = kDesign;
  const int n = *rc::gen::inRange(0, 60);
  for (int i = 0; i < n; ++i) {
    const Source source = *rc::gen::element(Source::local, Source::model, Source::repeat, Source::told);
    steps.push_back({source, 0.01 * *rc::gen::inRange(0, 100), static_cast<double>(*rc::gen::inRange(-50, 50))});
  }
  other = steps;
  for (Step& step : other) step.y = 64 * step.y - 1024;
  const Progress a = progress_of(steps, 5), b = progress_of(other, 5);
  RC_ASSERT(a.length == b.length);
  RC_ASSERT(a.local_share == b.local_share);
}

}  // namespace
}  // namespace salvo
