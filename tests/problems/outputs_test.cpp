#include <gtest/gtest.h>
#include <salvo/encoding.h>
#include <salvo/problems.h>

#include <cmath>
#include <numbers>
#include <random>

#include "math/hypervolume.h"

namespace salvo {
namespace {

int num_objectives(const Problem& p) {
  int count = 0;
  for (const Output& output : p.outputs) count += std::holds_alternative<Objective>(output.role) ? 1 : 0;
  return count;
}

std::vector<std::string> names_of(bool several) {
  std::vector<std::string> names;
  for (const std::string& name : problem_names()) {
    const Problem p = problem(name);
    if (p.outputs.size() > 1 && (num_objectives(p) > 1) == several) names.push_back(name);
  }
  if (!several) names.insert(names.end(), {"ackley2_constrained", "keane2", "keane10", "keane20"});
  return names;
}

// By how much the worst constraint is broken, in shares of its bound where that is not 0.
double violation(const Problem& p, const std::vector<double>& values) {
  double worst = 0;
  for (std::size_t i = 0; i < p.outputs.size(); ++i)
    if (const auto* c = std::get_if<Constraint>(&p.outputs[i].role)) {
      const double bound = std::isfinite(c->max) ? c->max : c->min;
      const double beyond = std::max(values[i] - c->max, c->min - values[i]);
      worst = std::max(worst, beyond / (bound == 0 ? 1 : std::abs(bound)));
    }
  return worst;
}

// Any point: whole numbers are rounded by the encoding.
Params random_point(const Encoding& space, std::mt19937_64& random) {
  std::uniform_real_distribution<double> uniform;
  std::vector<double> u(static_cast<std::size_t>(space.num_free())), x(static_cast<std::size_t>(space.num_dims()));
  for (double& v : u) v = uniform(random);
  space.from_unit(u, x);
  return space.decode(x);
}

std::string label(const testing::TestParamInfo<std::string>& info) { return info.param; }

class ConstrainedProblem : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, ConstrainedProblem, testing::ValuesIn(names_of(false)), label);

TEST_P(ConstrainedProblem, StatedOptimumIsTheValueAtAMinimiserThatIsAllowed) {
  const Problem p = problem(GetParam());
  const std::vector<double> values = p.all(p.optimum_at);
  ASSERT_EQ(values.size(), p.outputs.size());
  EXPECT_NEAR(values[0], p.optimum, 1e-12 * (1 + std::abs(p.optimum)));
  EXPECT_EQ(p.f(p.optimum_at), values[0]);
  EXPECT_LE(violation(p, values), 1e-8);  // as many digits of it are stated
  EXPECT_TRUE(std::isnan(p.hypervolume));
  EXPECT_EQ(p.noise_deviations(), std::vector<double>(p.outputs.size(), 0));
}

// Near the minimiser a broken constraint of relative size v may be worth some v of the objective: with none at all nothing is
// better by more than the digits that are stated.
TEST_P(ConstrainedProblem, NoAllowedPointIsBetter) {
  const Problem p = problem(GetParam());
  const Encoding space(p.space);
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  const double least = p.optimum - 1e-7 * (1 + std::abs(p.optimum));
  const auto check = [&](const std::vector<double>& x) {
    const std::vector<double> values = p.all(x);
    if (violation(p, values) == 0) {
      EXPECT_GE(values[0], least);
    }
  };
  for (int i = 0; i < 20'000; ++i) {
    const std::vector<double> values = p.values(random_point(space, random));
    for (const double v : values) ASSERT_TRUE(std::isfinite(v));
    if (violation(p, values) == 0) {
      EXPECT_GE(values[0], least);
    }
  }
  for (const double radius : {1e-8, 1e-6, 1e-4, 1e-2, 1e-1})
    for (int i = 0; i < 2'000; ++i) {
      std::vector<double> x = p.optimum_at;
      for (std::size_t j = 0; j < x.size(); ++j) {
        const Domain& domain = p.space.parameters()[j].domain;
        if (const auto* f = std::get_if<Float>(&domain)) x[j] += radius * (f->high - f->low) * normal(random);
        if (const auto* f = std::get_if<Float>(&domain)) x[j] = std::clamp(x[j], f->low, f->high);
        if (std::holds_alternative<Int>(domain) && radius > 1e-3) x[j] += std::round(normal(random));
        if (const auto* w = std::get_if<Int>(&domain))
          x[j] = std::clamp(x[j], static_cast<double>(w->low), static_cast<double>(w->high));
      }
      check(x);
    }
}

// As the literature has them, to the digits it prints: Eriksson and Poloczek 2021 (by Coello Coello and Mezura-Montes 2002) quote
// 1.7282, 6059.95 and .012681, which were the best then.
TEST(ConstrainedProblems, HaveTheBestValuesOfTheLiterature) {
  EXPECT_EQ(problem("ackley10_constrained").optimum, 0);
  EXPECT_NEAR(problem("speed_reducer").optimum, 2996.348165, 1e-6);
  EXPECT_NEAR(problem("welded_beam").optimum, 1.724852, 5e-7);
  EXPECT_NEAR(problem("pressure_vessel").optimum, 6059.714335, 1e-6);
  EXPECT_NEAR(problem("spring").optimum, 0.012665233, 1e-9);
  EXPECT_NEAR(problem("keane2").optimum, -0.364979746, 1e-9);
  EXPECT_NEAR(problem("keane20").optimum, -0.803619, 5e-7);
  EXPECT_LT(problem("keane30").optimum, -0.818);
  EXPECT_TRUE(std::isnan(problem("keane7").optimum));
}

Matrix upwards(const std::vector<std::vector<double>>& values, std::size_t num_objectives) {
  Matrix Y(std::ssize(values), static_cast<Eigen::Index>(num_objectives));
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t j = 0; j < num_objectives; ++j)
      Y(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = -values[i][j];
  return Y;
}

Vector reference_of(const Problem& p) {
  Vector reference(num_objectives(p));
  for (Eigen::Index j = 0; j < reference.size(); ++j)
    reference(j) = -*std::get<Objective>(p.outputs[static_cast<std::size_t>(j)].role).reference;
  return reference;
}

class SeveralObjectives : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, SeveralObjectives, testing::ValuesIn(names_of(true)), label);

// Random points, and those near the front, have less than the best hypervolume.
TEST_P(SeveralObjectives, NoAllowedPointsHaveMoreThanTheBestHypervolume) {
  const Problem p = problem(GetParam());
  const Encoding space(p.space);
  std::mt19937_64 random(2);
  std::vector<std::vector<double>> allowed;
  for (int i = 0; i < 400; ++i) {
    Params params = random_point(space, random);
    const bool vehicle = GetParam().starts_with("vehicle"), zdt = GetParam().starts_with("zdt");
    // Of the front of the one only so much is known: many parts are as thin or as thick as may be.
    const std::size_t first = vehicle ? 0 : static_cast<std::size_t>(num_objectives(p)) - 1;
    for (std::size_t j = first; i % 2 == 0 && j < params.size(); ++j)
      if (!vehicle || random() % 2 == 0) params[j] = vehicle ? (random() % 2 == 0 ? 1.0 : 3.0) : zdt ? 0.0 : 0.5;
    const std::vector<double> values = p.values(params);
    ASSERT_EQ(values.size(), p.outputs.size());
    EXPECT_EQ(p.value(params), values[0]);
    if (violation(p, values) == 0) allowed.push_back(values);
  }
  const double found = hypervolume(upwards(allowed, static_cast<std::size_t>(num_objectives(p))), reference_of(p));
  EXPECT_LT(found, p.hypervolume);
  EXPECT_GT(found, 0.9 * p.hypervolume);
  EXPECT_TRUE(std::isnan(p.optimum));
}

// n points along a front of two objectives lack at most the steps between them: their widest step in the first objective times
// all that the second one falls.
TEST(SeveralObjectives, BestHypervolumeIsThatOfTheTrueFront) {
  constexpr int n = 20'000;
  struct Case {
    const char* name;
    double others, step, fall;
  };
  constexpr double half_pi = std::numbers::pi / 2;
  for (const Case& c :
       {Case{"dtlz2_10", 0.5, half_pi, 1}, Case{"dtlz2_100", 0.5, half_pi, 1}, Case{"c2dtlz2_12", 0.5, half_pi, 1},
        Case{"zdt1", 0, 1, 1}, Case{"zdt2", 0, 1, 1}, Case{"zdt3", 0, 1, 1.78}}) {
    const Problem p = problem(c.name);
    std::vector<std::vector<double>> allowed;
    for (int i = 0; i <= n; ++i) {
      std::vector<double> x(p.space.parameters().size(), c.others);
      x[0] = static_cast<double>(i) / n;
      const std::vector<double> values = p.all(x);
      if (violation(p, values) == 0) allowed.push_back(values);
    }
    const double found = hypervolume(upwards(allowed, 2), reference_of(p));
    EXPECT_LE(found, p.hypervolume + 1e-9) << c.name;
    EXPECT_NEAR(found, p.hypervolume, c.step * c.fall / n) << c.name;
  }
}

TEST(SeveralObjectives, OfDtlz2AreOnASphereWhereItIsBest) {
  for (const char* name : {"dtlz2_10", "dtlz2_10_3", "dtlz2_10_4"}) {
    const Problem p = problem(name);
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> uniform;
    std::vector<double> x(10, 0.5);
    for (int i = 0; i + 1 < num_objectives(p); ++i) x[static_cast<std::size_t>(i)] = uniform(random);
    double squares = 0;
    for (const double f : p.all(x)) squares += f * f;
    EXPECT_NEAR(squares, 1, 1e-12) << name;
    x[9] = 0;  // g = ¼
    squares = 0;
    for (const double f : p.all(x)) squares += f * f;
    EXPECT_NEAR(squares, 1.25 * 1.25, 1e-12) << name;
  }
}

TEST(SeveralObjectives, NoiseIsAShareOfWhatTheFrontSpans) {
  EXPECT_EQ(problem("dtlz2_30_noisy").noise_deviations(), (std::vector<double>{0.05, 0.05}));
  EXPECT_EQ(problem("dtlz2_30_noisy").noise_deviations(0.25), (std::vector<double>{0.5, 0.5}));
  EXPECT_EQ(problem("dtlz2_30").noise_deviations(), (std::vector<double>{0, 0}));
  EXPECT_EQ(problem("vehicle_safety_noisy").noise_deviations().size(), 3);
}

TEST(SeveralObjectives, NamesOfFamiliesAreChecked) {
  EXPECT_EQ(problem("dtlz2_7").space.parameters().size(), 7);
  EXPECT_EQ(problem("dtlz2_7_3").outputs.size(), 3);
  for (const char* name :
       {"dtlz2_", "dtlz2_1", "dtlz2_2_3", "dtlz2_10_7", "keane", "keane1", "keane9999", "zdt4", "c2dtlz2_12_3"})
    EXPECT_THROW((void)problem(name), std::invalid_argument) << name;
}

}  // namespace
}  // namespace salvo
