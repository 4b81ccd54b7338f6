#include "search/standing.h"

#include <gtest/gtest.h>
#include <salvo/model_options.h>

#include <algorithm>
#include <cmath>

#include "search/outputs_learned.h"

namespace salvo {
namespace {

using Index = Eigen::Index;
constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();

Encoding line() { return Encoding(Space({{"x", Float{0, 1}}})); }
Output minimised(const std::string& name) { return {name, Objective{Direction::minimize}}; }

struct Told1 {
  double x;
  std::vector<double> outputs;
};

struct Seen {
  std::vector<OutputModel> outputs;
  Observations points{1};
};

// Models that learned from all of it.
Seen seen(const std::vector<Output>& outputs, const std::vector<Told1>& trials) {
  Seen out;
  for (const Output& output : outputs) out.outputs.emplace_back(output, line());
  for (const Told1& trial : trials) {
    const std::int64_t id = out.points.size() + 1;
    const Record record{.id = id, .sequence = id, .params = {}, .outcome = Values{trial.outputs}, .source = Source::model};
    const Vector x = Vector::Constant(1, trial.x);
    out.points.add(record, x, 0);
    for (std::size_t o = 0; o < outputs.size(); ++o) out.outputs[o].observe(record, x, trial.outputs[o]);
  }
  for (OutputModel& output : out.outputs)
    if (!output.empty()) {
      output.learn({line(), ModelOptions{}, 16}, nullptr, 1, Key(1));
      output.update();
    }
  return out;
}

Standing standing_of(const Seen& all, OutputModel::When when = OutputModel::When::first) {
  return stand(all.outputs, all.points, all.points.size(), when);
}

const std::vector<Told1> kTrials = {{0.1, {5, 3}}, {0.3, {3, 1}}, {0.5, {2, 0.5}}, {0.7, {1, -1}}, {0.9, {4, -2}}};

TEST(Standing, TheBestAreOfThoseThatHold) {
  const Seen all = seen({minimised("f"), {"g", Constraint{.min = 0}}}, kTrials);
  const Standing now = standing_of(all);
  ASSERT_TRUE(now.holds);
  EXPECT_EQ(now.best, std::vector<Index>{2}) << "the fourth is better, and misses the bound";
  EXPECT_EQ(now.feasible(2), 1);
  EXPECT_EQ(now.feasible(3), 0);
  EXPECT_TRUE(now.allowed[2]);
  EXPECT_FALSE(now.allowed[3]);
  EXPECT_GT(now.missed(4), now.missed(3));
}

TEST(Standing, WhereNothingHoldsItIsWhatMissesLeast) {
  const Seen all = seen({minimised("f"), {"g", Constraint{.max = -5}}}, kTrials);
  const Standing now = standing_of(all);
  EXPECT_FALSE(now.holds);
  EXPECT_EQ(now.best, std::vector<Index>{4});
}

TEST(Standing, AFrontIsWhatNothingElseBeatsInEveryObjective) {
  const Seen all = seen({minimised("f"), {"g", Objective{Direction::maximize, -4.0}}}, kTrials);
  const Standing now = standing_of(all);
  EXPECT_EQ(now.best, (std::vector<Index>{3, 2, 1, 0})) << "by the first objective; the fifth is beaten by the fourth";
  EXPECT_EQ(now.ideal, (Vector{{-1.0, 3.0}}));
  EXPECT_EQ(now.worst, (Vector{{-5.0, -1.0}}));
  EXPECT_NEAR(now.reference(0), -5.4, 1e-12) << "a tenth of what the front spans below its worst";
  EXPECT_EQ(now.reference(1), -4) << "as it was told";
}

// An evaluation that stopped early: its constraint was measured, its objective was not.
TEST(Standing, WhatHasNoObjectiveIsNeverTheBestButTeachesItsConstraint) {
  std::vector<Told1> trials = kTrials;
  trials.push_back({0.6, {kNotMeasured, 0.2}});
  const Seen all = seen({minimised("f"), {"g", Constraint{.min = 0}}}, trials);
  EXPECT_EQ(all.outputs[0].data().size(), 5);
  EXPECT_EQ(all.outputs[1].data().size(), 6);
  const Standing now = standing_of(all);
  EXPECT_FALSE(now.complete[5]);
  EXPECT_EQ(now.feasible(5), 1);
  EXPECT_EQ(now.best, std::vector<Index>{2});
}

TEST(Standing, TheOrderPutsWhatHoldsFirst) {
  const Seen all = seen({minimised("f"), {"g", Constraint{.min = 0}}}, kTrials);
  const Standing now = standing_of(all);
  const Vector order = order_of(now, now.mean, 1);
  std::vector<Index> rows{0, 1, 2, 3, 4};
  std::sort(rows.begin(), rows.end(), [&](Index a, Index b) { return order(a) > order(b); });
  EXPECT_EQ(rows, (std::vector<Index>{2, 1, 0, 3, 4}));
}

TEST(OutputModel, TurnsValuesAndBoundsSoThatLargerIsSafer) {
  const OutputModel high({"g", Constraint{.max = 3}}, line()), both({"g", Constraint{.min = 1, .max = 3}}, line());
  EXPECT_EQ(high.sign(), -1);
  EXPECT_EQ(high.low(), -3);
  EXPECT_TRUE(std::isinf(high.high()));
  EXPECT_EQ(both.low(), 1);
  EXPECT_EQ(both.high(), 3);
}

TEST(Warp, IsMonotoneTurnsBackAndHasItsSlope) {
  const Warp warp{.centre = 2, .width = 0.5};
  double last = -std::numeric_limits<double>::infinity();
  for (const double y : {-1e6, -3.0, 1.9, 2.0, 2.1, 50.0, 1e9}) {
    const double z = warp.seen(y);
    EXPECT_GT(z, last);
    EXPECT_NEAR(warp.meant(z), y, 1e-12 * std::abs(y));
    const double h = 1e-6;
    EXPECT_NEAR(warp.slope(z), (warp.meant(z + h) - warp.meant(z - h)) / (2 * h), 1e-6 * warp.slope(z));
    last = z;
  }
  EXPECT_EQ(warp.seen(2), 0) << "the bound stays one";
}

TEST(Warp, IsForValuesOfWhichAFewAreVeryFarFromTheBound) {
  std::vector<Told1> even, far;
  for (int i = 0; i < 40; ++i) {
    const double x = (i + 0.5) / 40;
    even.push_back({x, {x, x - 0.3}});
    far.push_back({x, {x, std::pow(10.0, 6 * x) * (x - 0.3)}});
  }
  const std::vector<Output> outputs{minimised("f"), {"g", Constraint{.min = 0}}};
  EXPECT_EQ(seen(outputs, even).outputs[1].warp().width, 0);
  EXPECT_GT(seen(outputs, far).outputs[1].warp().width, 0);
}

TEST(OutputsLearned, ComesBackAsItWasStored) {
  const Seen all = seen({minimised("f"), {"g", Constraint{.min = 0}}}, kTrials);
  const Learned header{4, 5, "how", {}, {}};
  const std::vector<const SpaceLearned*> parts{&all.outputs[0].posterior().learned(), &all.outputs[1].posterior().learned()};
  const Learned stored = store_outputs(header, parts);
  const std::vector<std::int64_t> known{5, 5};
  const OutputsLearned back = OutputsLearned::from(stored, 1, known);
  EXPECT_EQ(back.ask, 4);
  EXPECT_EQ(back.sequence, 5);
  EXPECT_EQ(back.settings, "how");
  for (const std::size_t o : {0u, 1u}) {
    ASSERT_TRUE(back.outputs[o]);
    EXPECT_EQ(back.outputs[o]->Z, parts[o]->Z);
    EXPECT_EQ(back.outputs[o]->hyper.kernel.lengthscales, parts[o]->hyper.kernel.lengthscales);
    EXPECT_EQ(back.outputs[o]->anchor.scale, parts[o]->anchor.scale);
  }
  const std::vector<const SpaceLearned*> none{parts[0], nullptr};
  EXPECT_FALSE(OutputsLearned::from(store_outputs(header, none), 1, known).outputs[1]);
}

TEST(OutputsLearned, WhatCannotHaveBeenLearnedIsRefused) {
  const Seen all = seen({minimised("f"), {"g", Constraint{.min = 0}}}, kTrials);
  const std::vector<const SpaceLearned*> parts{&all.outputs[0].posterior().learned(), &all.outputs[1].posterior().learned()};
  const Learned stored = store_outputs({4, 5, "how", {}, {}}, parts);
  const std::vector<std::int64_t> known{5, 5}, three{5, 5, 5}, fewer{5, 3};
  EXPECT_THROW((void)OutputsLearned::from(stored, 1, three), std::logic_error);
  EXPECT_THROW((void)OutputsLearned::from(stored, 1, fewer), std::logic_error) << "learned from more than there is";
  Learned cut = stored;
  cut.arrays.resize(cut.arrays.size() - 8);
  EXPECT_THROW((void)OutputsLearned::from(cut, 1, known), std::logic_error);
  Learned more = stored;
  more.arrays.resize(more.arrays.size() + 8);
  EXPECT_THROW((void)OutputsLearned::from(more, 1, known), std::logic_error);
}

}  // namespace
}  // namespace salvo
