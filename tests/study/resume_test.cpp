#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <salvo/error.h>
#include <salvo/study.h>
#include <salvo/threads.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <functional>

#include "search/learned.h"
#include "study/support.h"

namespace salvo {
namespace {

using test::message;
using test::objective;
using test::points;
using test::small_options;
using testing::HasSubstr;

constexpr int kBatches = 8;

StudyOptions options_of_run() {
  auto options = small_options(test::mixed_space(), 7);
  options.model.refit_growth = 0.3;  // some asks learn, some only update
  options.model.num_inducing = 8;
  options.model.exact_until = 12;  // exact at first, then sparse
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
    options.method = Method::turbo;
    options.batch = 3;
    Study study = Study::create(options, ":memory:");
    for (int batch = 0; batch < kBatches; ++batch) {
      auto trials = study.ask(4);
      if (reversed) std::reverse(trials.begin(), trials.end());
      for (const Trial& trial : trials) {
        if (trial.id % 5 == 0)
          study.tell(std::vector<Outcome>{{.id = trial.id, .error = "no"}});
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
    EXPECT_EQ(after[i].value, objective(before[i].params));
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
  options.model.kernel = KernelType::se;
  options.batch = 6;
  options.name = "renamed";
  Study study = Study::open_or_create(options, path);
  EXPECT_EQ(study.counts().done, 4);
  EXPECT_EQ(Study::open(path).options().batch, 6);
  EXPECT_EQ(Study::open(path).options().name, "renamed");
  EXPECT_EQ(Study::open(path).options().model.kernel, KernelType::se);
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
  auto parameters = options.space.parameters();
  parameters[1].domain = Float{1e-3, 1, Scale::log};
  other.space = Space(parameters);
  EXPECT_THAT(attempt(other), testing::AllOf(HasSubstr(path), HasSubstr("rate"), HasSubstr("0.0001"), HasSubstr("0.001")));
  parameters = options.space.parameters();
  parameters.push_back({"extra", Int{0, 5}});
  other.space = Space(parameters);
  EXPECT_THAT(attempt(other), HasSubstr("extra"));
  other = options;
  other.direction = Direction::minimize;
  EXPECT_THAT(attempt(other), HasSubstr("direction"));
  other = options;
  other.seed = 8;
  EXPECT_THAT(attempt(other), testing::AllOf(HasSubstr("seed"), HasSubstr("7"), HasSubstr("8")));
  EXPECT_EQ(test::contents(path), before);
}

// Whoever finished first.
TEST(Observations, TheNewestAreThoseAskedForLast) {
  Observations data(1);
  for (const int id : {3, 1, 7, 5, 6}) data.add(id, data.size() + 1, Vector::Constant(1, id), 0.0);
  EXPECT_EQ(data.newest(3), (Matrix(3, 1) << 5, 6, 7).finished());
  EXPECT_EQ(data.newest(9), (Matrix(5, 1) << 1, 3, 5, 6, 7).finished());
  EXPECT_EQ(data.newest(5), data.newest(9));
}

TEST(Learned, IsScheduledByRecordedTrialsAlone) {
  const auto options = options_of_run();  // growth 0.3
  Observations data(1);
  const auto grow = [&](std::int64_t n) {
    while (data.size() < n) data.add(data.size() + 1, data.size() + 1, Vector::Constant(1, 0.5), 0.0);
  };
  grow(10);
  EXPECT_TRUE(must_learn(options, data, nullptr, 0.3));
  Learned learned{.num_observations = 10, .settings = learning_settings(options)};
  EXPECT_FALSE(must_learn(options, data, &learned, 0.3));
  EXPECT_FALSE(must_learn(options, data, &learned, 0.0)) << "nothing new";
  grow(12);
  EXPECT_FALSE(must_learn(options, data, &learned, 0.3));
  EXPECT_TRUE(must_learn(options, data, &learned, 0.0));
  grow(13);
  EXPECT_TRUE(must_learn(options, data, &learned, 0.3));
  auto other = options;
  other.model.num_inducing += 1;
  learned.num_observations = 13;
  EXPECT_TRUE(must_learn(other, data, &learned, 0.3));
}

// Inducing points are chosen anew as the data comes in; hyperparameters wait until it has grown by refit_growth.
TEST(Learned, InducingPointsFollowTheDataBetweenFits) {
  StudyOptions options = test::small_options(Space({{"a", Float{0, 1}}, {"b", Float{0, 1}}}));
  options.model.num_inducing = 20;
  options.model.exact_until = 0;
  options.model.refit_growth = 0.15;
  Observations data(2);
  const Key key(5);
  const auto tell = [&](int until) {
    for (auto id = static_cast<int>(data.size()) + 1; id <= until; ++id) {
      const auto i = static_cast<std::uint64_t>(id);
      const Vector x{{key.fold("a").uniform(i), key.fold("b").uniform(i)}};
      data.add(id, id, x, std::sin(6 * x(0)) + x(1));
    }
  };
  tell(100);
  const Learned first = learn(options, data, nullptr, key);
  tell(105);
  const Learned second = learn(options, data, &first, key.fold("second"));
  EXPECT_EQ(second.hyper.kernel.lengthscales, first.hyper.kernel.lengthscales);
  EXPECT_EQ(second.fit.bound, first.fit.bound);
  EXPECT_EQ(second.num_observations, 105);
  EXPECT_EQ(second.num_fitted, 100);
  EXPECT_NE(second.Z, first.Z);
  tell(115);
  const Learned third = learn(options, data, &second, key.fold("third"));
  EXPECT_EQ(third.num_fitted, 115);
  EXPECT_NE(third.hyper.kernel.lengthscales, first.hyper.kernel.lengthscales);
}

// What was learned from few values may be a bad place to begin from: short length-scales that take noise for signal.
TEST(Learned, AnExactModelLeavesAFitThatTookNoiseForSignal) {
  StudyOptions options = test::small_options(Space({{"a", Float{0, 1}}, {"b", Float{0, 1}}}));
  options.model.num_inducing = 200;
  Observations data(2);
  const Key key(5);
  for (int id = 1; id <= 120; ++id) {
    const auto i = static_cast<std::uint64_t>(id);
    const Vector x{{key.fold("a").uniform(i), key.fold("b").uniform(i)}};
    double noise = 0;
    key.fold("noise").fold(i).fill_normal({&noise, 1});
    data.add(id, id, x, 2 * x(0) + noise);
  }
  const Learned afresh = learn(options, data, nullptr, key);
  Learned trap = afresh;
  trap.num_observations = 60;
  trap.hyper.kernel.lengthscales.setConstant(0.02);
  trap.hyper.noise = 1e-3;
  // From there the fit alone does not come back ...
  Hyperparameters stuck = trap.hyper;
  Vector y(data.size());
  for (Eigen::Index i = 0; i < y.size(); ++i) y(i) = trap.anchor.to_model(data.y(i));
  const Matrix X = data.X();
  ASSERT_LT(fit(stuck, X, X, y, fit_options(options, true)).bound, afresh.fit.bound - 1);
  // ... and learning does.
  EXPECT_GE(learn(options, data, &trap, key).fit.bound, afresh.fit.bound - FitOptions{}.absolute_tolerance);
}

// n noisy values of a function drawn from the prior with this kernel.
Observations drawn(KernelType type, int n) {
  const Kernel kernel{.type = type, .variance = 1, .lengthscales = Vector::Constant(1, 0.2)};
  const Key key(5);
  Matrix X(n, 1);
  Vector z(n), noise(n);
  for (int i = 0; i < n; ++i) X(i, 0) = key.fold("x").uniform(static_cast<std::uint64_t>(i));
  key.fold("z").fill_normal({z.data(), static_cast<std::size_t>(n)});
  key.fold("noise").fill_normal({noise.data(), static_cast<std::size_t>(n)});
  const Matrix K = gram(kernel, X, X) + 1e-8 * Matrix::Identity(n, n);
  const Vector y = K.llt().matrixL() * z + 0.01 * noise;
  Observations data(1);
  for (int i = 0; i < n; ++i) data.add(i + 1, i + 1, X.row(i).transpose(), y(i));
  return data;
}

TEST(Learned, TheValuesChooseTheKernel) {
  StudyOptions options = test::small_options(Space({{"a", Float{0, 1}}}));
  options.model.exact_until = 0;
  const Key key(7);
  for (const int m : {400, 60}) {  // exact, and so sparse that its bound speaks for the smooth kernel always
    constexpr int n = 400;
    options.model.num_inducing = m;
    const Observations rough = drawn(KernelType::matern32, n), smooth = drawn(KernelType::matern52, n);
    const Learned first = learn(options, rough, nullptr, key);
    EXPECT_EQ(first.hyper.kernel.type, KernelType::matern32) << m;
    EXPECT_EQ(learn(options, smooth, nullptr, key).hyper.kernel.type, KernelType::matern52) << m;
    // What was learned of the one is no obstacle when the values turn out to be the other's ...
    Learned before = first;
    before.num_observations = before.num_fitted = n / 2;
    EXPECT_EQ(learn(options, smooth, &before, key).hyper.kernel.type, KernelType::matern52) << m;
    // ... and a kernel that was given is compared as soon as it is left to the values.
    StudyOptions given = options;
    given.model.kernel = KernelType::matern52;
    Learned told = learn(given, rough, nullptr, key);
    EXPECT_EQ(told.hyper.kernel.type, KernelType::matern52);
    EXPECT_EQ(learn(options, rough, &told, key).hyper.kernel.type, KernelType::matern32) << m;
    // Eigenfunctions were checked for one kernel.
    given = options;
    given.model.features = FeatureType::eigen;
    EXPECT_EQ(learn(given, rough, &first, key).hyper.kernel.type, KernelType::matern52);
  }
}

TEST(Anchor, CentresAndScalesByTheFirstTrialsInWhateverOrderTheyCame) {
  Observations a(1), b(1);
  const std::vector<double> y{0.1, 0.7, -2.3, 1e6, 5};
  for (const int id : {1, 2, 3, 4, 5}) a.add(id, id, Vector::Zero(1), y[id - 1]);
  for (const int id : {4, 3, 1, 5, 2}) b.add(id, b.size() + 1, Vector::Zero(1), y[id - 1]);
  const Anchor units = anchor(a, 3);
  EXPECT_EQ(units.centre, anchor(b, 3).centre);
  EXPECT_EQ(units.scale, anchor(b, 3).scale);
  EXPECT_NEAR(units.centre, -0.5, 1e-15);
  EXPECT_NEAR(units.scale, std::sqrt((0.36 + 1.44 + 3.24) / 3), 1e-14);
  EXPECT_NEAR(units.from_model(units.to_model(0.3)), 0.3, 1e-14);
  EXPECT_EQ(anchor(Observations(1), 3).scale, 1.0);
}

TEST(Anchor, PenaltiesForUnderHalfOfTheFirstTrialsDoNotSetTheScale) {
  for (const int num_crashed : {1, 3, 8}) {
    Observations data(1);
    for (int id = 1; id <= 20; ++id) data.add(id, id, Vector::Zero(1), id <= num_crashed ? -1e9 : id);
    EXPECT_LT(anchor(data, 20).scale, 200) << num_crashed;
  }
}

TEST(Anchor, LooksFurtherWhenTheFirstValuesAreAllTheSame) {
  Observations flat(1);
  for (const int id : {1, 2, 3, 4, 5}) flat.add(id, id, Vector::Zero(1), 7.0);
  EXPECT_EQ(anchor(flat, 2).scale, 1.0);
  EXPECT_EQ(anchor(flat, 2).centre, 7.0);
  flat.add(6, 6, Vector::Zero(1), 7.0 + 8e-9);  // among the first eight: 2, 4, 8
  EXPECT_NEAR(anchor(flat, 2).scale, 8e-9 * std::sqrt(5.0) / 6, 1e-14);
}

}  // namespace
}  // namespace salvo
