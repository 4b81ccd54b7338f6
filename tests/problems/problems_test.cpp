#include <gtest/gtest.h>
#include <salvo/encoding.h>
#include <salvo/problems.h>

#include <cmath>
#include <random>

namespace salvo {
namespace {

Vector minimiser(const Problem& p) { return Vector::Map(p.optimum_at.data(), std::ssize(p.optimum_at)); }

std::vector<std::string> all_names() {
  std::vector<std::string> names = problem_names();
  std::erase_if(names, [](const std::string& name) { return problem(name).outputs.size() > 1; });  // outputs_test.cpp
  for (const char* more : {"levy1", "levy3", "ackley1", "ackley20", "rastrigin2", "rosenbrock2", "griewank1", "michalewicz2",
                           "michalewicz5", "michalewicz10"})
    names.emplace_back(more);
  return names;
}

// Push and rover are distances and shortest ways: their minima have edges.
bool smooth(const std::string& name) { return name != "push14" && name != "rover60"; }

// What rounding, or the search for the best value known, may have left.
double slack(const Problem& p) { return p.proved ? 1e-10 : 1e-5; }

class ProblemTest : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, ProblemTest, testing::ValuesIn(all_names()),
                         [](const auto& p) { return p.param + "_" + std::to_string(p.index); });

TEST_P(ProblemTest, StatedOptimumIsTheValueAtTheMinimiser) {
  const Problem p = problem(GetParam());
  ASSERT_EQ(std::ssize(p.optimum_at), Encoding(p.space).num_dims());
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
      Vector x = minimiser(p);
      for (int j = 0; j < x.size(); ++j) {
        const auto& box = std::get<Float>(p.space.parameters()[j].domain);
        x[j] = std::clamp(x[j] + radius * (box.high - box.low) * normal(random), box.low, box.high);
      }
      EXPECT_GE(p.f({x.data(), static_cast<std::size_t>(x.size())}), p.optimum - slack(p));
    }
}

TEST_P(ProblemTest, NoRandomPointIsBetter) {
  const Problem p = problem(GetParam());
  std::mt19937_64 random(8);
  std::uniform_real_distribution<double> uniform;
  const Encoding space(p.space);
  std::vector<double> u(space.num_free()), x(space.num_dims());
  const int num_points = smooth(GetParam()) ? 20'000 : 1'000;
  for (int trial = 0; trial < num_points; ++trial) {
    for (double& v : u) v = uniform(random);
    space.from_unit(u, x);
    ASSERT_GE(p.value(space.decode(x)), p.optimum - slack(p));
  }
}

// A (1+1) evolution strategy, half of its starts anywhere and half around the minimiser.
TEST_P(ProblemTest, MultiStartLocalSearchFindsNothingBetter) {
  const Problem p = problem(GetParam());
  std::mt19937_64 random(9);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  const int d = static_cast<int>(p.optimum_at.size()), num_steps = smooth(GetParam()) ? 1'000 : 200;
  Vector low(d), range(d);
  for (int j = 0; j < d; ++j) {
    const auto& box = std::get<Float>(p.space.parameters()[j].domain);
    low[j] = box.low;
    range[j] = box.high - box.low;
  }
  const auto f = [&](const Vector& x) { return p.f({x.data(), static_cast<std::size_t>(d)}); };
  for (int start = 0; start < 16; ++start) {
    Vector x = minimiser(p);
    for (int j = 0; j < d; ++j)
      x[j] = start % 2 == 0 ? low[j] + range[j] * uniform(random) : x[j] + 0.01 * range[j] * normal(random);
    x = x.cwiseMax(low).cwiseMin(low + range);
    double best = f(x), step = start % 2 == 0 ? 0.1 : 0.01;
    const double first = best;
    for (int i = 0; i < num_steps; ++i) {
      Vector y = x;
      for (int j = 0; j < d; ++j) y[j] += step * range[j] * normal(random);
      y = y.cwiseMax(low).cwiseMin(low + range);
      const double value = f(y);
      step *= value < best ? 1.5 : 0.92;  // the fifth-success rule
      if (value < best) {
        best = value;
        x = y;
      }
    }
    EXPECT_GE(best, p.optimum - slack(p)) << "start " << start;
    EXPECT_LE(best, first);
  }
}

TEST_P(ProblemTest, GradientVanishesAtTheMinimiser) {
  if (!smooth(GetParam())) GTEST_SKIP() << "it has edges";
  const Problem p = problem(GetParam());
  for (int j = 0; j < std::ssize(p.optimum_at); ++j) {
    Vector up = minimiser(p), down = up;
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

// The shortest way from start to goal turns at corners of obstacles; nothing can cost less than its length.
TEST(Problem, RoverIsWithinRoundingOfTheShortestWay) {
  constexpr double corners[][2] = {{0.05, 0.05}, {0.25, 0.33}, {0.35, 0.43}, {0.55, 0.65}, {0.69, 0.81}, {0.95, 0.95}};
  double length = 0;
  for (int i = 1; i < 6; ++i) length += std::hypot(corners[i][0] - corners[i - 1][0], corners[i][1] - corners[i - 1][1]);
  const double bound = 0.05 * length - 5;
  EXPECT_GE(problem("rover60").optimum, bound - 1e-12);
  EXPECT_LE(problem("rover60").optimum, bound + 1e-5);
}

TEST(Problem, RoverPaysForObstaclesAndForMissingItsEnds) {
  const Problem p = problem("rover60");
  std::vector<double> straight, off(60, 0.5);
  for (int i = 0; i < 30; ++i) straight.insert(straight.end(), 2, 0.05 + 0.9 * i / 29);
  // Through obstacles: 20 per length inside, and the straight way is inside for more than a third of one.
  EXPECT_GT(p.f(straight), p.optimum + 20 * 0.1);
  // A point has no length: its ends are 4 × 0.45 off, and the rest is free.
  EXPECT_NEAR(p.f(off), 10 * 4 * 0.45 - 5, 1e-12);
}

TEST(Problem, PushDoesNothingWithHandsThatStayAway) {
  const Problem p = problem("push14");
  std::vector<double> still(14, 0.0);
  for (const int hand : {0, 7}) {
    still[static_cast<std::size_t>(hand)] = hand == 0 ? -5 : 5;
    still[static_cast<std::size_t>(hand) + 1] = -5;
    still[static_cast<std::size_t>(hand) + 6] = 30;
  }
  EXPECT_NEAR(p.f(still), std::hypot(4, 1.5) + std::hypot(4, 5.5), 1e-12);
  // Too short a push falls short by just that much: half the time, half the way.
  std::vector<double> half(p.optimum_at.begin(), p.optimum_at.end());
  half[6] /= 2;
  EXPECT_NEAR(p.f(half), std::hypot(4, 1.5) / 2, 1e-9);
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
