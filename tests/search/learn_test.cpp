#include <gtest/gtest.h>

#include <cmath>

#include "search/learned.h"
#include "support/reference.h"

namespace salvo {
namespace {

// Told in the order of the calls.
void add(Observations& data, std::int64_t id, const Vector& x, double y) {
  data.add({.id = id, .sequence = data.size() + 1}, x, y);
}

Learning learning_over(int num_dims) {
  std::vector<Parameter> parameters;
  for (int e = 0; e < num_dims; ++e) parameters.push_back({std::string(1, static_cast<char>('a' + e)), Float{0, 1}});
  return {.space = Space(parameters), .model = {.num_inducing = 12, .num_features = 32, .num_starts = 2, .num_candidates = 40}};
}

// Whoever finished first.
TEST(Observations, TheNewestAreThoseAskedForLast) {
  Observations data(1);
  for (const int id : {3, 1, 7, 5, 6}) add(data, id, Vector::Constant(1, id), 0.0);
  EXPECT_EQ(data.newest(3), (Matrix(3, 1) << 5, 6, 7).finished());
  EXPECT_EQ(data.newest(9), (Matrix(5, 1) << 1, 3, 5, 6, 7).finished());
  EXPECT_EQ(data.newest(5), data.newest(9));
}

TEST(Learned, IsScheduledByRecordedTrialsAlone) {
  const Learning options = learning_over(1);
  Observations data(1);
  const auto grow = [&](std::int64_t n) {
    while (data.size() < n) add(data, data.size() + 1, Vector::Constant(1, 0.5), 0.0);
  };
  grow(10);
  EXPECT_TRUE(must_learn(options, data, nullptr, 0.3));
  SpaceLearned learned{.num_observations = 10, .settings = options.settings()};
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
  Learning options = learning_over(2);
  options.model.num_inducing = 20;
  options.model.exact_until = 0;
  options.model.refit_growth = 0.15;
  Observations data(2);
  const Key key(5);
  const auto tell = [&](int until) {
    for (auto id = static_cast<int>(data.size()) + 1; id <= until; ++id) {
      const auto i = static_cast<std::uint64_t>(id);
      const Vector x{{key.fold("a").uniform(i), key.fold("b").uniform(i)}};
      add(data, id, x, std::sin(6 * x(0)) + x(1));
    }
  };
  tell(100);
  const SpaceLearned first = learn(options, data, nullptr, key);
  tell(105);
  const SpaceLearned second = learn(options, data, &first, key.fold("second"));
  EXPECT_EQ(second.hyper.kernel.lengthscales, first.hyper.kernel.lengthscales);
  EXPECT_EQ(second.fit.bound, first.fit.bound);
  EXPECT_EQ(second.num_observations, 105);
  EXPECT_EQ(second.num_fitted, 100);
  EXPECT_NE(second.Z, first.Z);
  tell(115);
  const SpaceLearned third = learn(options, data, &second, key.fold("third"));
  EXPECT_EQ(third.num_fitted, 115);
  EXPECT_NE(third.hyper.kernel.lengthscales, first.hyper.kernel.lengthscales);
}

// What was learned from few values may be a bad place to begin from: short length-scales that take noise for signal.
TEST(Learned, AnExactModelLeavesAFitThatTookNoiseForSignal) {
  Learning options = learning_over(2);
  options.model.num_inducing = 200;
  Observations data(2);
  const Key key(5);
  for (int id = 1; id <= 120; ++id) {
    const auto i = static_cast<std::uint64_t>(id);
    const Vector x{{key.fold("a").uniform(i), key.fold("b").uniform(i)}};
    double noise = 0;
    key.fold("noise").fold(i).fill_normal({&noise, 1});
    add(data, id, x, 2 * x(0) + noise);
  }
  const SpaceLearned afresh = learn(options, data, nullptr, key);
  SpaceLearned trap = afresh;
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
  const Vector y = reference::cholesky(K) * z + 0.01 * noise;
  Observations data(1);
  for (int i = 0; i < n; ++i) add(data, i + 1, X.row(i).transpose(), y(i));
  return data;
}

TEST(Learned, TheValuesChooseTheKernel) {
  Learning options = learning_over(1);
  options.model.exact_until = 0;
  const Key key(7);
  for (const int m : {400, 60}) {  // exact, and so sparse that its bound speaks for the smooth kernel always
    constexpr int n = 400;
    options.model.num_inducing = m;
    const Observations rough = drawn(KernelType::matern32, n), smooth = drawn(KernelType::matern52, n);
    const SpaceLearned first = learn(options, rough, nullptr, key);
    EXPECT_EQ(first.hyper.kernel.type, KernelType::matern32) << m;
    EXPECT_EQ(learn(options, smooth, nullptr, key).hyper.kernel.type, KernelType::matern52) << m;
    // What was learned of the one is no obstacle when the values turn out to be the other's ...
    SpaceLearned before = first;
    before.num_observations = before.num_fitted = n / 2;
    EXPECT_EQ(learn(options, smooth, &before, key).hyper.kernel.type, KernelType::matern52) << m;
    // ... and a kernel that was given is compared as soon as it is left to the values.
    Learning given = options;
    given.model.kernel = KernelType::matern52;
    SpaceLearned told = learn(given, rough, nullptr, key);
    EXPECT_EQ(told.hyper.kernel.type, KernelType::matern52);
    EXPECT_EQ(learn(options, rough, &told, key).hyper.kernel.type, KernelType::matern32) << m;
    // Eigenfunctions were checked for one kernel.
    given = options;
    given.model.features = FeatureType::eigen;
    EXPECT_EQ(learn(given, rough, &first, key).hyper.kernel.type, KernelType::matern52);
  }
}

// Of six parameters: what each does by itself, or what three pairs do together.
Observations six_parameters(int n, bool sum, double noise) {
  Observations data(6);
  const Key key(11);
  for (int i = 0; i < n; ++i) {
    Vector x(6);
    key.fold(static_cast<std::uint64_t>(i)).fill_uniform({x.data(), 6});
    double y = noise * (key.fold("noise").uniform(static_cast<std::uint64_t>(i)) - 0.5);
    for (int e = 0; e < 6; e += 2)
      y += sum ? std::sin(9 * x(e)) + std::cos(7 * x(e + 1)) : 2 * std::sin(5 * x(e)) * std::cos(4 * x(e + 1));
    add(data, i + 1, x, y);
  }
  return data;
}

TEST(Learned, TheValuesSayWhetherTheObjectiveIsASum) {
  Learning options = learning_over(6);
  const Key key(7);
  for (const int n : {200, 700}) {  // exact, and sparse
    options.model.exact_until = 400;
    options.model.num_inducing = 300;
    const Observations sums = six_parameters(n, true, 0.2), pairs = six_parameters(n, false, 0.2);
    const SpaceLearned of_sums = learn(options, sums, nullptr, key), of_pairs = learn(options, pairs, nullptr, key);
    EXPECT_TRUE(is_additive(of_sums.hyper.kernel.type)) << n;
    EXPECT_FALSE(is_additive(of_pairs.hyper.kernel.type)) << n;
    // Neither stays where it does not hold ...
    SpaceLearned wrong = of_sums;
    wrong.num_observations = wrong.num_fitted = n / 2;
    EXPECT_FALSE(is_additive(learn(options, pairs, &wrong, key).hyper.kernel.type)) << n;
    // ... a kernel that was given stays ...
    Learning given = options;
    given.model.kernel = KernelType::matern52;
    EXPECT_EQ(learn(given, sums, nullptr, key).hyper.kernel.type, KernelType::matern52);
    given.model.kernel = KernelType::additive32;
    EXPECT_EQ(learn(given, pairs, nullptr, key).hyper.kernel.type, KernelType::additive32);
    // ... and what was learned comes back from a store as it was.
    const SpaceLearned again = SpaceLearned::from(of_sums.stored(), 6, n);
    EXPECT_EQ(again.hyper.kernel.type, of_sums.hyper.kernel.type);
  }
}

// Beyond 20,000 values the fit begins with what a part of them says, and ends where one from nothing ends.
TEST(Learned, FromManyValuesNeedsTenSweepsOverThemAtMost) {
  Learning options = learning_over(2);
  options.model.num_inducing = 30;
  options.model.exact_until = 0;
  options.model.kernel = KernelType::matern52;
  Observations data(2);
  const Key key(5);
  const auto tell = [&](int until) {
    for (auto id = static_cast<int>(data.size()) + 1; id <= until; ++id) {
      const auto i = static_cast<std::uint64_t>(id);
      const Vector x{{key.fold("a").uniform(i), key.fold("b").uniform(i)}};
      add(data, id, x, std::sin(6 * x(0)) + x(1) + 0.3 * (key.fold("noise").uniform(i) - 0.5));
    }
  };
  tell(20'000);
  const SpaceLearned few = learn(options, data, nullptr, key);
  tell(20'001);
  const SpaceLearned many = learn(options, data, nullptr, key);
  EXPECT_LE(many.fit.num_evaluations, 10);
  EXPECT_EQ(many.num_fitted, 20'001);
  EXPECT_EQ(many.Z.rows(), 30);
  // As good as a fit of many more sweeps, for the same Z, that begins elsewhere.
  Hyperparameters hyper = few.hyper;
  const Block all = block(data, 0, data.size(), many.anchor, KnownNoise(data, data.size(), many.anchor));
  EXPECT_NEAR(many.fit.bound, fit(hyper, many.Z, all.X, all.y, fit_options(options, false)).bound, 10);
}

// Of the first version: sizes and how the fit ended came later.
TEST(Learned, OfTheFirstVersionIsRead) {
  const Learned old{.ask = 4,
                    .document = R"({"num_observations":9,"centre":1,"scale":2,"lowest":-3,"kernel":"se","variance":2.0,)"
                                R"("lengthscales":[0.5],"noise":0.1,"mean":0.2})"};
  const SpaceLearned learned = SpaceLearned::from(old, 1, 9);
  EXPECT_EQ(learned.hyper.kernel.variance, 2.0);
  EXPECT_EQ(learned.num_features, 0);
  EXPECT_EQ(learned.num_fitted, 9);
}

TEST(Anchor, CentresAndScalesByTheFirstTrialsInWhateverOrderTheyCame) {
  Observations a(1), b(1);
  const std::vector<double> y{0.1, 0.7, -2.3, 1e6, 5};
  for (const int id : {1, 2, 3, 4, 5}) add(a, id, Vector::Zero(1), y[id - 1]);
  for (const int id : {4, 3, 1, 5, 2}) add(b, id, Vector::Zero(1), y[id - 1]);
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
    for (int id = 1; id <= 20; ++id) add(data, id, Vector::Zero(1), id <= num_crashed ? -1e9 : id);
    EXPECT_LT(anchor(data, 20).scale, 200) << num_crashed;
  }
}

TEST(Anchor, LooksFurtherWhenTheFirstValuesAreAllTheSame) {
  Observations flat(1);
  for (const int id : {1, 2, 3, 4, 5}) add(flat, id, Vector::Zero(1), 7.0);
  EXPECT_EQ(anchor(flat, 2).scale, 1.0);
  EXPECT_EQ(anchor(flat, 2).centre, 7.0);
  add(flat, 6, Vector::Zero(1), 7.0 + 8e-9);  // among the first eight: 2, 4, 8
  EXPECT_NEAR(anchor(flat, 2).scale, 8e-9 * std::sqrt(5.0) / 6, 1e-14);
}

}  // namespace
}  // namespace salvo
