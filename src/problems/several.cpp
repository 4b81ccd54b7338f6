#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "problems/make.h"

// Several objectives, all minimised. The best hypervolume is that of the true front, above the reference point.
namespace salvo {
namespace {

using std::numbers::pi;

Problem several(std::string name, Space space, const std::vector<double>& reference, double best,
                std::function<Numbers(Coordinates)> values) {
  Problem made{.name = std::move(name),
               .space = std::move(space),
               .optimum = std::numeric_limits<double>::quiet_NaN(),
               .optimum_at = {},
               .f = [values](Coordinates x) { return values(x)[0]; }};
  made.outputs.clear();
  for (std::size_t i = 0; i < reference.size(); ++i)
    made.outputs.push_back({fmt::format("f{}", i + 1), Objective{Direction::minimize, reference[i]}});
  made.hypervolume = best;
  made.all = std::move(values);
  return made;
}

// DTLZ2 (Deb, Thiele, Laumanns and Zitzler 2005): the front is the part of the unit sphere between the axes.
Numbers dtlz2(Coordinates x, std::size_t M) {
  double g = 1;
  for (std::size_t i = M - 1; i < x.size(); ++i) g += square(x[i] - 0.5);
  std::vector<double> f(M, g);
  for (std::size_t i = 0; i < M; ++i) {
    const std::size_t num_cosines = M - 1 - i;
    for (std::size_t j = 0; j < num_cosines; ++j) f[i] *= std::cos(x[j] * pi / 2);
    if (i > 0) f[i] *= std::sin(x[num_cosines] * pi / 2);
  }
  return f;
}

double ball_between_axes(int M) { return std::pow(pi, M / 2.0) / std::tgamma(M / 2.0 + 1) / std::pow(2, M); }

// The reference, 6 in every objective, holds the front well; far from it, in many dimensions, random points lie beyond.
template <int M>
Problem make_dtlz2(int d) {
  return several(fmt::format("dtlz2_{}{}", d, M == 2 ? "" : fmt::format("_{}", M)), box(d, 0, 1), std::vector<double>(M, 6.0),
                 std::pow(6, M) - ball_between_axes(M), [](Coordinates x) { return dtlz2(x, M); });
}

// Noise with a deviation of 5% of what the front spans in each objective.
constexpr double kNoise = 0.05;

Problem noisy(Problem problem, const std::vector<double>& spans) {
  problem.name += "_noisy";
  for (const double span : spans) problem.noise.push_back(kNoise * span);
  return problem;
}

Problem make_noisy_dtlz2(int d) { return noisy(make_dtlz2<2>(d), {1, 1}); }

// C2-DTLZ2 (Jain and Deb 2014) as BoTorch has it, with r = .2 and a reference of 1.1: only three arcs of the front are allowed,
// around the ends and the middle. BoTorch takes r² from each objective's square, so that the arc in the middle is that of a disc
// of √2 r. The best hypervolume is that of the three arcs (the test does the sum); BoTorch's .39964 is an approximation of it.
constexpr double kDisc = 0.2;

Numbers c2dtlz2(Coordinates x) {
  constexpr double r2 = kDisc * kDisc;
  std::vector<double> f = dtlz2(x, 2);
  const double middle = square(f[0] - 1 / std::numbers::sqrt2) + square(f[1] - 1 / std::numbers::sqrt2) - 2 * r2;
  const double first = square(f[0] - 1) + square(f[1]) - r2, second = square(f[1] - 1) + square(f[0]) - r2;
  f.push_back(std::min({middle, first, second}));
  return f;
}

// 1.1² less what lies under the arcs, where f₂ = sin θ over f₁ = cos θ, and under the steps between them.
double best_of_arcs() {
  const double end = 2 * std::asin(kDisc / 2), half = 2 * std::asin(std::numbers::sqrt2 * kDisc / 2);
  const double low = pi / 4 - half, high = pi / 4 + half;  // of the arc in the middle
  const auto under = [](double from, double to) { return (to - from) / 2 - (std::sin(2 * to) - std::sin(2 * from)) / 4; };
  const double arcs = under(0, end) + under(low, high) + under(pi / 2 - end, pi / 2);
  const double steps = std::cos(end) * (std::cos(high) - std::sin(end)) + std::sin(low) * (std::cos(end) - std::cos(low));
  return 1.1 * 1.1 - arcs - steps;
}

Problem make_c2dtlz2(int d) {
  Problem made = several(fmt::format("c2dtlz2_{}", d), box(d, 0, 1), {1.1, 1.1}, best_of_arcs(), c2dtlz2);
  made.outputs.push_back({"arcs", Constraint{.max = 0}});
  return made;
}

// ZDT1 to ZDT3 (Zitzler, Deb and Thiele 2000) in 30 dimensions, with BoTorch's reference of 11.
constexpr int kZdtDims = 30;

Numbers zdt(Coordinates x, double (*shape)(double f1, double share)) {
  double g = 0;
  for (std::size_t i = 1; i < x.size(); ++i) g += x[i];
  g = 1 + 9 * g / static_cast<double>(x.size() - 1);
  return {x[0], g * shape(x[0], x[0] / g)};
}

double zdt1_shape(double, double share) { return 1 - std::sqrt(share); }
double zdt2_shape(double, double share) { return 1 - square(share); }
double zdt3_shape(double f1, double share) { return 1 - std::sqrt(share) - share * std::sin(10 * pi * f1); }

Problem make_zdt(const char* name, double best, double (*shape)(double, double)) {
  return several(name, box(kZdtDims, 0, 1), {11, 11}, best, [shape](Coordinates x) { return zdt(x, shape); });
}

// The crash-worthiness of a car by the thickness of five parts (Liao, Li, Yang, Zhang and Li 2008; RE3-5-4 of Tanabe and
// Ishibuchi 2020): mass, acceleration, intrusion. Reference and best hypervolume are BoTorch's, the latter that of a known
// approximation of the front: a run may be short of it by less than nothing.
Numbers vehicle_safety(Coordinates x) {
  const double a = x[0], b = x[1], c = x[2], d = x[3], e = x[4];
  return {1640.2823 + 2.3573285 * a + 2.3220035 * b + 4.5688768 * c + 7.7213633 * d + 4.4559504 * e,
          6.5856 + 1.15 * a - 1.0427 * b + 0.9738 * c + 0.8364 * d - 0.3695 * a * d + 0.0861 * a * e + 0.3628 * b * d -
              0.1106 * a * a - 0.3437 * c * c + 0.1764 * d * d,
          -0.0551 + 0.0181 * a + 0.1024 * b + 0.0421 * c - 0.0073 * a * b + 0.024 * b * c - 0.0118 * b * d - 0.0204 * c * d -
              0.008 * c * e - 0.0241 * b * b + 0.0109 * d * d};
}

Problem make_vehicle_safety() {
  Problem made =
      several("vehicle_safety", box(5, 1, 3), {1864.72022, 11.81993945, 0.2903999384}, 246.81607081187002, vehicle_safety);
  made.proved = false;
  constexpr std::array names = {"mass", "acceleration", "intrusion"};
  for (std::size_t i = 0; i < names.size(); ++i) made.outputs[i].name = names[i];
  return made;
}

// What the front spans: from (1661.71, 6.14, .0395) to BoTorch's reference divided by 1.1.
Problem make_noisy_vehicle() { return noisy(make_vehicle_safety(), {33.49, 4.60, 0.2245}); }

}  // namespace

std::vector<std::string_view> several_names() { return {"zdt1", "zdt2", "zdt3", "vehicle_safety", "vehicle_safety_noisy"}; }

std::vector<OutputFamily> several_families() {
  return {{"dtlz2_", "", 2, 10, make_dtlz2<2>},
          {"dtlz2_", "_3", 3, 10, make_dtlz2<3>},
          {"dtlz2_", "_4", 4, 10, make_dtlz2<4>},
          {"dtlz2_", "_noisy", 2, 10, make_noisy_dtlz2},
          {"c2dtlz2_", "", 2, 12, make_c2dtlz2}};
}

std::optional<Problem> several_problem(std::string_view name) {
  if (name == "zdt1") return make_zdt("zdt1", 120 + 2.0 / 3, zdt1_shape);
  if (name == "zdt2") return make_zdt("zdt2", 120 + 1.0 / 3, zdt2_shape);
  if (name == "zdt3") return make_zdt("zdt3", 128.77811613069076, zdt3_shape);
  if (name == "vehicle_safety") return make_vehicle_safety();
  if (name == "vehicle_safety_noisy") return make_noisy_vehicle();
  return {};
}

}  // namespace salvo
