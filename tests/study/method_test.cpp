#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "support/folder.h"
#include "support/message.h"
#include "support/studies.h"

namespace salvo {
namespace {

using ::testing::HasSubstr;

class EveryMethod : public ::testing::TestWithParam<Method> {};
std::vector<Method> all_methods() {
  std::vector<Method> out;
  for (const MethodInfo& each : methods()) out.push_back(each.method);
  return out;
}
INSTANTIATE_TEST_SUITE_P(Methods, EveryMethod, ::testing::ValuesIn(all_methods()), [](const auto& test) {
  std::string name(to_string(test.param));
  std::erase(name, '-');
  return name;
});

TEST_P(EveryMethod, HandsOutValidPointsNoneTwiceAndNonePending) {
  for (const Space& space : {Space({{"x", Float{0, 1}}, {"y", Float{-3, 3}}}), test::mixed_space()}) {
    StudyOptions options = test::small_options(space);
    test::search_of(options).method = GetParam();
    Study study = Study::create(options, ":memory:");
    test::tell_all(study, study.ask(8));
    test::tell_all(study, study.ask(8));
    std::set<std::string> seen;
    for (int round = 0; round < 3; ++round)
      for (const Trial& trial : study.ask(6)) {  // the rounds before are pending
        EXPECT_EQ(space.check(trial.params), trial.params);
        std::string text;
        for (const Value& value : trial.params) text += to_string(value) + " ";
        EXPECT_TRUE(seen.insert(text).second) << text;
      }
  }
}

TEST_P(EveryMethod, TheSameStudyAsksForTheSamePoints) {
  std::vector<Params> asked[2];
  for (auto& points : asked) {
    StudyOptions options = test::small_options(Space({{"x", Float{0, 1}}, {"y", Float{-3, 3}}}));
    test::search_of(options).method = GetParam();
    Study study = Study::create(options, ":memory:");
    test::tell_all(study, study.ask(8));
    points = test::points(study.ask(8));
  }
  EXPECT_EQ(asked[0], asked[1]);
}

// Z = X is the exact GP, and then the sparse method is the exact one.
TEST(Method, ExactThompsonIsThompsonWithEveryPointInducing) {
  std::vector<Params> asked[2];
  for (const bool exact : {false, true}) {
    StudyOptions options = test::small_options(Space({{"x", Float{0, 1}}, {"y", Float{-3, 3}}}));
    test::search_of(options).method = exact ? Method::thompson_exact : Method::thompson;
    test::model_of(options).num_inducing = exact ? 5 : 1000;
    test::model_of(options).refit_growth = 0;
    Study study = Study::create(options, ":memory:");
    test::tell_all(study, study.ask(10));
    test::tell_all(study, study.ask(10));
    asked[exact] = test::points(study.ask(10));
  }
  EXPECT_EQ(asked[0], asked[1]);
}

// Some of a batch look around the best point (model.near_share) as soon as the model is sparse, and not before.
TEST(Method, ASparseModelsBatchLooksAroundTheBestPoint) {
  constexpr double kReach = 0.2 * 0.7;  // a fifth of the longest length-scale
  Params best;
  const auto asked = [&](int num_told, double near_share) {
    StudyOptions options = test::small_options(Space({{"x", Float{0, 1}}, {"y", Float{0, 1}}}));
    test::model_of(options).num_inducing = 15;
    test::model_of(options).exact_until = 20;
    test::model_of(options).near_share = near_share;
    test::model_of(options).refit_growth = 0;
    Study study = Study::create(options, ":memory:");
    for (int told = 0; told < num_told; told += 10) {
      for (const Trial& trial : study.ask(10)) {
        const double x = std::get<double>(trial.params[0]), y = std::get<double>(trial.params[1]);
        study.tell(trial.id, -(x - 0.3) * (x - 0.3) - (y - 0.6) * (y - 0.6));
      }
    }
    const std::vector<Trial> next = study.ask(10);
    best = study.recommend()->trial.params;
    return test::points(next);
  };
  EXPECT_EQ(asked(20, 0), asked(20, 1));
  const auto without = asked(30, 0), with = asked(30, 1);
  int moved = 0;
  for (std::size_t b = 0; b < with.size(); ++b) {
    if (with[b] == without[b]) continue;
    ++moved;
    for (std::size_t e = 0; e < 2; ++e) EXPECT_NEAR(std::get<double>(with[b][e]), std::get<double>(best[e]), kReach) << b;
  }
  EXPECT_GT(moved, 0);
}

// A study that has settled in a corner, and where it goes next with a share of scouts: a batch, then single points.
std::vector<Params> next_points(const std::string& path, const Space& space, Method method, double scout_share, bool reopen) {
  StudyOptions options = test::small_options(space);
  test::search_of(options).method = method;
  test::model_of(options).scout_share = scout_share;
  std::optional<Study> study(Study::create(options, path));
  test::tell_all(*study, study->ask(30));
  std::vector<Params> crowd;
  for (int i = 0; i < 100; ++i) {
    Params point = study->trials().front().params;
    point[0] = 0.05 + 1e-4 * i;
    crowd.push_back(point);
  }
  study->add(crowd, std::vector<double>(100, 5.0));
  test::tell_all(*study, study->ask(30));
  std::vector<Params> out;
  for (const int size : {20, 1, 1, 1}) {
    if (reopen) {
      study.reset();
      study.emplace(Study::open(path));
    }
    for (const Params& point : test::points(study->ask(size))) out.push_back(point);  // those before are pending
  }
  return out;
}

TEST(Method, ScoutsAreDistinctAndTheSameAfterReopening) {
  const test::Folder folder;
  const Space box({{"x", Float{0, 1}}, {"y", Float{0, 1}}});
  const Space mixed({{"x", Float{0, 1}}, {"n", Int{0, 5}}, {"c", Categorical{{std::string("a"), std::string("b")}}}});
  int number = 0;
  const auto path = [&] { return folder.path(std::string(1, static_cast<char>('a' + number++))); };
  for (const Space& space : {box, mixed})
    for (const double share : {0.5, 1.0}) {
      const auto points = next_points(path(), space, Method::thompson, share, false);
      EXPECT_TRUE(points == next_points(path(), space, Method::thompson, share, true));
      EXPECT_TRUE(points != next_points(path(), space, Method::thompson, 0, false));
      for (std::size_t i = 0; i < points.size(); ++i) {
        EXPECT_EQ(space.check(points[i]), points[i]);
        for (std::size_t j = 0; j < i; ++j) EXPECT_NE(points[i], points[j]);
      }
    }
}

TEST(Method, OnlyThompsonSendsScouts) {
  const test::Folder folder;
  const Space box({{"x", Float{0, 1}}, {"y", Float{0, 1}}});
  for (const Method method : {Method::thompson_exact, Method::turbo}) {
    const std::string name(to_string(method));
    EXPECT_EQ(next_points(folder.path(name), box, method, 0, false), next_points(folder.path(name + "1"), box, method, 1, false));
  }
}

Space box_of(int d) {
  std::vector<Parameter> parameters;
  for (int e = 0; e < d; ++e) parameters.push_back({std::string(1, static_cast<char>('a' + e)), Float{0, 1}});
  return Space(parameters);
}

// Whatever the parameters are: some of a batch come from the best point's neighbourhood, and none where that is not wanted, nor
// in a space so small that all of it is looked at.
TEST(Method, AutomaticLooksAroundTheBestPointAsWell) {
  const auto asked = [](const Space& space, Method method, double local_share) {
    StudyOptions options = test::small_options(space);
    test::search_of(options).method = method;
    test::search_of(options).model.local_share = local_share;
    Study study = Study::create(options, ":memory:");
    test::tell_all(study, study.ask(20));
    return study.ask(30);
  };
  const auto num_local = [](const std::vector<Trial>& trials) {
    return std::count_if(trials.begin(), trials.end(), [](const Trial& trial) { return trial.source == Source::local; });
  };
  std::vector<Parameter> levels;
  for (int e = 0; e < 9; ++e) levels.push_back({std::string(1, static_cast<char>('a' + e)), Int{0, 9}});
  for (const Space& space : {box_of(1), box_of(6), box_of(12), Space(levels), test::mixed_space()}) {
    EXPECT_GT(num_local(asked(space, Method::automatic, 0.85)), 2);
    EXPECT_EQ(num_local(asked(space, Method::thompson, 0.85)), 0);
    EXPECT_EQ(test::points(asked(space, Method::automatic, 0)), test::points(asked(space, Method::thompson, 0.85)));
  }
  levels.resize(2);
  EXPECT_EQ(num_local(asked(Space(levels), Method::automatic, 0.85)), 0);
}

// Points that were evaluated elsewhere, the best first: the region is around the best, with its first length.
TEST(Method, ATrustRegionBeginsAroundTheBestThatIsKnown) {
  StudyOptions options = test::small_options(box_of(8));
  test::search_of(options).method = Method::turbo;
  options.outputs = one_objective(Direction::maximize);
  Study study = Study::create(options, ":memory:");
  std::vector<Params> told;
  std::vector<double> values;
  for (int i = 0; i < 12 * options.batch; ++i) {
    told.push_back(Params(8, 0.02 + 0.9 * i / (12.0 * options.batch)));
    values.push_back(-i);
  }
  study.add(told, values);
  for (const Trial& trial : study.ask(10))
    for (const Value& x : trial.params)
      EXPECT_LE(std::get<double>(x), 0.02 + 0.4 * 1.5);  // half of 0.8, weighted by length-scales
}

// A study file of an older version has no method, and its study was a search of the whole box.
TEST(Method, AStudyThatBeganWithTheWholeBoxGoesOnWithIt) {
  const test::Folder folder;
  StudyOptions options = test::small_options(box_of(8));
  test::search_of(options).method = Method::thompson;
  (void)Study::create(options, folder.path("s.db"));
  test::search_of(options).method = Method::automatic;
  EXPECT_EQ(Study::open_or_create(options, folder.path("s.db")).options().method(), Method::thompson);
}

TEST(Method, AGridBeyondMemoryIsRefusedWithWhatWouldFit) {
  StudyOptions options = test::small_options(Space({{"x", Float{0, 1}}}));
  test::search_of(options).method = Method::thompson_grid;
  test::model_of(options).num_candidates = 1'000'000;
  Study study = Study::create(options, ":memory:");
  test::tell_all(study, study.ask(8));
  const std::string text = test::message<std::invalid_argument>([&] { (void)study.ask(8); });
  EXPECT_THAT(text, HasSubstr("16000.3 GB"));  // 8·N·(2N + 2·8 + 2·8) bytes
  EXPECT_THAT(text, HasSubstr("model.num_candidates to 11"));
  EXPECT_THAT(text, HasSubstr("thompson-exact"));

  test::model_of(options).num_candidates = 300;
  Study fits = Study::create(options, ":memory:");
  test::tell_all(fits, fits.ask(8));
  EXPECT_EQ(fits.ask(8).size(), 8U);
  test::model_of(options).max_grid_gib = 1e-3;  // 1.07 MB, and 8·300·(600 + 32) bytes are more
  Study small = Study::create(options, ":memory:");
  test::tell_all(small, small.ask(8));
  EXPECT_THAT(test::message<std::invalid_argument>([&] { (void)small.ask(8); }),
              ::testing::AllOf(HasSubstr("model.max_grid_gib"), HasSubstr("model.num_candidates to 251")));
  test::model_of(options).max_grid_gib = 2;

  test::model_of(options).num_candidates = 4;
  Study few = Study::create(options, ":memory:");
  test::tell_all(few, few.ask(8));
  EXPECT_THAT(test::message<std::invalid_argument>([&] { (void)few.ask(5); }), HasSubstr("has 4 that are free"));
}

}  // namespace
}  // namespace salvo
