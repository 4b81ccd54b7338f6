#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <salvo/importance.h>
#include <salvo/threads.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "study/sobol_indices.h"
#include "support/message.h"
#include "support/pools.h"
#include "support/studies.h"

namespace salvo {
namespace {

using ::testing::HasSubstr;

constexpr double kPi = std::numbers::pi;

// sin x₁ + a sin² x₂ + b x₃⁴ sin x₁ over [−π, π]³; what its variance is made of is known (Ishigami & Homma 1990).
double ishigami(double x1, double x2, double x3) {
  return std::sin(x1) + 7 * std::pow(std::sin(x2), 2) + 0.1 * std::pow(x3, 4) * std::sin(x1);
}
struct IshigamiIndices {
  double one = 0.5 * std::pow(1 + 0.1 * std::pow(kPi, 4) / 5, 2), two = 49.0 / 8,
         both = 0.01 * std::pow(kPi, 8) * (1.0 / 18 - 1.0 / 50), all = one + two + both;
  double first[3] = {one / all, two / all, 0}, total[3] = {(one + both) / all, two / all, both / all};
};
Space cube(int dims) {
  std::vector<Parameter> parameters;
  for (int i = 0; i < dims; ++i) parameters.push_back({"x" + std::to_string(i + 1), Float{-kPi, kPi}});
  return Space(parameters);
}

Study modelled(const Space& space, int observations, const std::function<double(const Params&)>& f,
               ModelOptions model = {.num_inducing = 300, .num_features = 500}) {
  StudyOptions options = test::small_options(space);
  options.outputs = one_objective(Direction::maximize);
  test::model_of(options) = model;
  options.num_initial = observations;
  Study study = Study::create(options, ":memory:");
  std::vector<Told> outcomes;
  for (const Trial& trial : study.ask(observations)) outcomes.push_back(told(trial.id, f(trial.params)));
  study.tell(outcomes);
  return study;
}
double coordinate(const Params& params, std::size_t i) { return std::get<double>(params[i]); }
const ParameterImportance& index_of(const Importance& found, const std::string& name) {
  for (const ParameterImportance& each : found.parameters)
    if (each.name == name) return each;
  throw std::logic_error(name);
}

TEST(SobolIndices, AreThoseOfIshigamisFunctionWithinTheirErrors) {
  const IshigamiIndices known;
  const auto f = [](const Matrix& X) {
    EXPECT_LE(X.rows(), kSobolRows);
    Matrix out(X.rows(), 1);
    for (Eigen::Index i = 0; i < X.rows(); ++i) {
      const Eigen::RowVectorXd x = kPi * (2 * X.row(i).array() - 1);
      out(i, 0) = ishigami(x(0), x(1), x(2));
    }
    return out;
  };
  const SobolIndices found = sobol_indices(f, Encoding(cube(3)), 4096, Key(5));
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(found.first(0, i), known.first[i], 5 * found.first_error(i) + 1e-3) << i;
    EXPECT_NEAR(found.total(0, i), known.total[i], 5 * found.total_error(i) + 1e-3) << i;
    EXPECT_LT(found.first_error(i), 0.03);
    EXPECT_LT(found.total_error(i), 0.03);
  }
}

TEST(SobolIndices, OfAConstantAreZero) {
  const auto f = [](const Matrix& X) -> Matrix { return Matrix::Constant(X.rows(), 2, 1e9); };
  const SobolIndices found = sobol_indices(f, Encoding(cube(2)), 64, Key(5));
  EXPECT_TRUE(found.first.isZero(0) && found.total.isZero(0) && found.total_error.isZero(0));
}

TEST(SobolIndices, OfMoreDimensionsThanTheSequenceHasAreThereToo) {
  const auto f = [](const Matrix& X) -> Matrix { return X.col(7); };
  const SobolIndices found = sobol_indices(f, Encoding(cube(2000)), 16, Key(5));
  EXPECT_GT(found.total(0, 7), 0.4);
  EXPECT_EQ(found.total.row(0).sum(), found.total(0, 7));
}

TEST(Importance, OfAModelOfIshigamisFunctionIsThatOfTheFunction) {
  Study study =
      modelled(cube(3), 300, [](const Params& x) { return ishigami(coordinate(x, 0), coordinate(x, 1), coordinate(x, 2)); });
  const Importance found = importance(study);
  const IshigamiIndices known;
  EXPECT_EQ(found.num_points, 2048);
  for (int i = 0; i < 3; ++i) {
    const ParameterImportance& x = index_of(found, "x" + std::to_string(i + 1));
    EXPECT_NEAR(x.first.value, known.first[i], 0.04) << x.name;
    EXPECT_NEAR(x.total.value, known.total[i], 0.04) << x.name;
    EXPECT_LT(x.total.stddev, 0.05);
  }
  EXPECT_EQ(found.parameters[0].name, "x1");
}

TEST(Importance, OfASumFirstAndTotalAreTheSame) {
  Study study = modelled(cube(3), 150, [](const Params& x) { return std::sin(coordinate(x, 0)) + 0.3 * coordinate(x, 1); });
  const Importance found = importance(study);
  double sum = 0;
  for (const ParameterImportance& x : found.parameters) {
    EXPECT_NEAR(x.first.value, x.total.value, 0.03) << x.name;
    sum += x.first.value;
  }
  EXPECT_NEAR(sum, 1, 0.05);
  EXPECT_LT(index_of(found, "x3").total.value, 0.01);
}

TEST(Importance, ACategoryIsOneParameterAndRankedByWhatItCosts) {
  const Space space({{"temperature", Float{300, 900}},
                     {"catalyst", Categorical{{std::string("Pd"), std::string("Pt"), std::string("Ni")}}},
                     {"rate", Float{1e-4, 1, Scale::log}},
                     {"dust", Float{0, 1}},
                     {"site", Fixed{std::string("north")}}});
  const auto yield = [](const Params& p) {
    const double heat = (coordinate(p, 0) - 600) / 300, flow = std::log10(coordinate(p, 2)) / 4 + 0.5;
    return 80 - 15 * heat * heat - 10 * flow * flow - (p[1] == Value(std::string("Ni")) ? 40 : 0);
  };
  Study study = modelled(space, 150, yield);
  const Importance found = importance(study);
  ASSERT_EQ(found.parameters.size(), 4U);  // nothing of a fixed one
  EXPECT_EQ(found.parameters[0].name, "catalyst");
  EXPECT_GT(found.parameters[0].total.value, 0.5);
  EXPECT_LT(index_of(found, "dust").total.value, 0.01);
}

TEST(Importance, FewValuesLeaveItUncertain) {
  const auto f = [](const Params& x) { return ishigami(coordinate(x, 0), coordinate(x, 1), coordinate(x, 2)); };
  Study few = modelled(cube(3), 12, f), many = modelled(cube(3), 200, f);
  double unsure = 0, sure = 0;
  for (const ParameterImportance& x : importance(few).parameters) unsure += x.total.stddev;
  for (const ParameterImportance& x : importance(many).parameters) sure += x.total.stddev;
  EXPECT_GT(unsure, 2 * sure);
}

TEST(Importance, IsTheSameOnAnyNumberOfThreadsAndFollowsItsSeed) {
  Study study = modelled(cube(4), 40, [](const Params& x) { return std::sin(coordinate(x, 0)) * coordinate(x, 1); },
                         {.num_inducing = 20, .exact_until = 0, .num_features = 100});
  const auto found = [&](int threads, std::uint64_t seed) {
    set_num_threads(threads);
    std::vector<double> out;
    for (const ParameterImportance& x : importance(study, {.num_points = 100, .num_paths = 3, .seed = seed}).parameters)
      out.insert(out.end(), {x.first.value, x.first.stddev, x.total.value, x.total.stddev});
    set_num_threads(0);
    return out;
  };
  EXPECT_EQ(found(1, 0), found(3, 0));
  EXPECT_NE(found(1, 0), found(1, 1));
}

TEST(Importance, WhereThereIsNothingToDivideItIsZero) {
  Study study = modelled(cube(2), 5, [](const Params&) { return 3.0; });
  for (const ParameterImportance& x : importance(study).parameters) {
    EXPECT_GE(x.total.value, 0);
    EXPECT_TRUE(std::isfinite(x.total.value) && std::isfinite(x.total.stddev));
  }
}

TEST(Importance, SaysWhatItCannotDo) {
  Study empty = Study::create(test::small_options(cube(2)), ":memory:");
  EXPECT_THAT(test::message<std::invalid_argument>([&] { (void)importance(empty); }), HasSubstr("at least one value"));
  EXPECT_THAT(test::message<std::invalid_argument>([&] { (void)importance(empty, {.num_points = 3}); }), HasSubstr("got 3"));
  EXPECT_THAT(test::message<std::invalid_argument>([&] { (void)importance(empty, {.num_paths = 0}); }), HasSubstr("got 0"));
  StudyOptions options = test::small_options(cube(1));
  options.search = PoolSearch{.pool = testing::bit_pool(20, 32, Key(1))};
  Study pool = Study::create(options, ":memory:");
  EXPECT_THAT(test::message<std::invalid_argument>([&] { (void)importance(pool); }), HasSubstr("over a pool"));
}

}  // namespace
}  // namespace salvo
