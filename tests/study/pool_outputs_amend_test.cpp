// Corrections, and a study that several work on, over a pool whose evaluations give several numbers.
#include <gtest/gtest.h>
#include <salvo/study.h>

#include <cmath>
#include <limits>

#include "support/folder.h"

namespace salvo {
namespace {

constexpr int kWidth = 30;

Pool pool_of_places(const test::Folder& folder) {
  std::vector<float> rows;
  for (int i = 0; i < kWidth * kWidth; ++i)
    rows.insert(rows.end(), {static_cast<float>(i % kWidth), static_cast<float>(i / kWidth)});
  Pool::from_numbers(std::move(rows), {"x", "y"}, {}).save(folder.path("p.pool"));
  return Pool::open(folder.path("p.pool"));
}

// Near (20, 7), far from (8, 20), under a load of which some values lie very far out, and a test.
StudyOptions judged(const Pool& pool) {
  const PoolModelOptions model{.kernel = PoolKernelType::matern52, .num_inducing = 60, .num_features = 128};
  return {.name = "grid",
          .outputs = {{"near", Objective{Direction::minimize}},
                      {"far", Objective{Direction::maximize}},
                      {"load", Constraint{.max = 30}},
                      {"sound", passes()}},
          .seed = 5,
          .batch = 10,
          .search = PoolSearch{.pool = pool, .model = model}};
}

Values judged_at(const Trial& trial) {
  const int i = std::stoi(to_string(trial.params.at(0)));
  const double x = i % kWidth, y = i / kWidth;
  const double load = i % 7 == 0 ? 30 + 1e6 * (x + y - 30) : x + y;
  return {{std::hypot(x - 20, y - 7), std::hypot(x - 8, y - 20), i % 11 == 0 ? std::numeric_limits<double>::quiet_NaN() : load,
           x + 2 * y < 60 ? 1.0 : 0.0}};
}

std::vector<Params> ask_and_tell(Study& study) {
  std::vector<Params> out;
  std::vector<Told> outcomes;
  for (const Trial& trial : study.ask(10)) {
    out.push_back(trial.params);
    outcomes.push_back({trial.id, judged_at(trial)});
  }
  study.tell(outcomes);
  return out;
}

// Who has seen a wrong value and who opens the study after it was put right choose alike; so they do after a trial was taken
// back, or given again.
TEST(PoolOutputsAmend, WhoSawAWrongValueAndWhoDidNotGoOnAlike) {
  const test::Folder folder;
  const Pool pool = pool_of_places(folder);
  Study kept = Study::create(judged(pool), folder.path("kept.db"));
  (void)Study::create(judged(pool), folder.path("reopened.db"));
  for (int i = 0; i < 9; ++i) {
    const auto correct = [&](Study& study) {
      const std::int64_t last = 10 * i;
      const Correction slip{last - 4, Values{{3.0, 4.0, 5.0, 1.0}}, "a slip"};
      if (i == 3) study.amend({&slip, 1});
      if (i == 4) study.forget(last - 2, "another sample");
      if (i == 5) study.forget(1, "another sample");
      if (i == 6) study.revive(1, "it was the right one");
      const Correction broken{12, Failure{"it broke"}, "a slip"};
      if (i == 7) study.amend({&broken, 1});
    };
    correct(kept);
    const std::vector<Params> mine = ask_and_tell(kept);
    (void)kept.recommend();
    {
      Study first = Study::open(folder.path("reopened.db"));
      correct(first);
    }
    Study reopened = Study::open(folder.path("reopened.db"));
    EXPECT_EQ(ask_and_tell(reopened), mine) << "ask " << i;
    (void)kept.front();
  }
}

}  // namespace
}  // namespace salvo
