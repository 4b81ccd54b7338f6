#include <gtest/gtest.h>
#include <salvo/problems.h>

#include <cmath>
#include <random>

namespace salvo {
namespace {

std::vector<std::string> all_names() {
  std::vector<std::string> names = problem_names();
  for (const char* more : {"levy1", "levy3", "ackley1", "ackley20", "rastrigin2", "rosenbrock2", "griewank1", "michalewicz2",
                           "michalewicz5", "michalewicz10"})
    names.emplace_back(more);
  return names;
}

class ProblemTest : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, ProblemTest, testing::ValuesIn(all_names()),
                         [](const auto& p) { return p.param + "_" + std::to_string(p.index); });

TEST_P(ProblemTest, StatedOptimumIsTheValueAtTheMinimiser) {
  const Problem p = problem(GetParam());
  ASSERT_EQ(p.optimum_at.size(), p.space.num_dims());
  Params params;
  for (const double x : p.optimum_at) params.emplace_back(x);
  EXPECT_NEAR(p.value(params), p.optimum, 1e-12);
  EXPECT_GT(p.noise_variance, 0);
}

TEST_P(ProblemTest, NoNeighbourIsBetter) {
  const Problem p = problem(GetParam());
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  for (const double radius : {1e-6, 1e-4, 1e-2, 1e-1})
    for (int trial = 0; trial < 200; ++trial) {
      Vector x = p.optimum_at;
      for (int j = 0; j < x.size(); ++j) {
        const auto& box = std::get<Float>(p.space.parameters()[j].domain);
        x[j] = std::clamp(x[j] + radius * (box.high - box.low) * normal(random), box.low, box.high);
      }
      EXPECT_GE(p.f({x.data(), static_cast<std::size_t>(x.size())}), p.optimum - 1e-10);
    }
}

TEST_P(ProblemTest, NoRandomPointIsBetter) {
  const Problem p = problem(GetParam());
  std::mt19937_64 random(8);
  std::uniform_real_distribution<double> uniform;
  std::vector<double> u(p.space.num_free()), x(p.space.num_dims());
  for (int trial = 0; trial < 20'000; ++trial) {
    for (double& v : u) v = uniform(random);
    p.space.from_unit(u, x);
    ASSERT_GE(p.value(p.space.decode(x)), p.optimum - 1e-10);
  }
}

TEST_P(ProblemTest, GradientVanishesAtTheMinimiser) {
  const Problem p = problem(GetParam());
  for (int j = 0; j < p.optimum_at.size(); ++j) {
    Vector up = p.optimum_at, down = p.optimum_at;
    const double h = 1e-5;
    up[j] += h;
    down[j] -= h;
    const auto d = static_cast<std::size_t>(up.size());
    const double slope = (p.f({up.data(), d}) - p.f({down.data(), d})) / (2 * h);
    const double curvature = (p.f({up.data(), d}) + p.f({down.data(), d}) - 2 * p.optimum) / (h * h);
    EXPECT_GT(curvature, 0);
    EXPECT_LE(std::abs(slope), 1e-4 * std::max(1.0, curvature)) << "coordinate " << j;
  }
}

TEST(Problem, PaperValues) {
  EXPECT_NEAR(problem("hartmann6").optimum, -3.3223680114, 1e-10);
  EXPECT_NEAR(problem("shekel").optimum, -10.53644, 5e-6);
  EXPECT_EQ(problem("ackley5").optimum, 0);
  EXPECT_EQ(problem("hartmann6").noise_variance, 0.5);
  EXPECT_EQ(problem("shekel").noise_variance, 0.1);
  EXPECT_EQ(problem("ackley5").noise_variance, 0.5);
  EXPECT_NEAR(problem("hartmann3").optimum, -3.86278, 5e-6);
  EXPECT_NEAR(problem("branin").optimum, 0.397887, 5e-7);
  // Published minima of Michalewicz's function.
  EXPECT_NEAR(problem("michalewicz2").optimum, -1.8013, 5e-5);
  EXPECT_NEAR(problem("michalewicz5").optimum, -4.687658, 5e-6);
  EXPECT_NEAR(problem("michalewicz10").optimum, -9.66015, 5e-6);
  const auto box = std::get<Float>(problem("ackley5").space.parameters()[0].domain);
  EXPECT_EQ(box.low, -2);
  EXPECT_EQ(box.high, 1);
}

std::string message(std::string_view name) {
  try {
    (void)problem(name);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(Problem, UnknownNamesGetTheNearestOne) {
  EXPECT_NE(message("hartman6").find("did you mean \"hartmann6\""), std::string::npos) << message("hartman6");
  EXPECT_NE(message("levy").find("levy10"), std::string::npos);
  EXPECT_NE(message("rosenbrock1").find("2 to 1000"), std::string::npos);
  for (const char* name : {"", "levy0", "levy-1", "levy1x", "levy99999999999999", "ackley1001", "x", "levy010"})
    EXPECT_NE(message(name), "") << name;
}

}  // namespace
}  // namespace salvo
