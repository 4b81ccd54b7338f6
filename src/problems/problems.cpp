#include <fmt/format.h>
#include <salvo/problems.h>

#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "problems/make.h"
#include "problems/real.h"
#include "text/text.h"
#include "text/words.h"

namespace salvo {
namespace {

using std::numbers::pi;
using Point = std::span<const double>;

double shekel(Point x) {
  // The paper prints β without its division by ten (docs/math.md, slips).
  constexpr std::array beta = {.1, .2, .2, .4, .4, .6, .3, .7, .5, .5};
  constexpr double A[2][10] = {{4, 1, 8, 6, 3, 2, 5, 8, 6, 7}, {4, 1, 8, 6, 7, 9, 3, 1, 2, 3.6}};  // rows 3, 4 repeat 1, 2
  double sum = 0;
  for (int i = 0; i < 10; ++i) {
    double bottom = beta[i];
    for (int j = 0; j < 4; ++j) bottom += square(x[j] - A[j % 2][i]);
    sum -= 1 / bottom;
  }
  return sum;
}

template <std::size_t d>
double hartmann(Point x, const double (&A)[4][d], const double (&P)[4][d]) {
  constexpr std::array alpha = {1.0, 1.2, 3.0, 3.2};
  double sum = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    double distance = 0;
    for (std::size_t j = 0; j < d; ++j) distance += A[i][j] * square(x[j] - 1e-4 * P[i][j]);
    sum -= alpha[i] * std::exp(-distance);
  }
  return sum;
}

double hartmann6(Point x) {
  constexpr double A[4][6] = {
      {10, 3, 17, 3.5, 1.7, 8}, {0.05, 10, 17, 0.1, 8, 14}, {3, 3.5, 1.7, 10, 17, 8}, {17, 8, 0.05, 10, 0.1, 14}};
  constexpr double P[4][6] = {{1312, 1696, 5569, 124, 8283, 5886},
                              {2329, 4135, 8307, 3736, 1004, 9991},
                              {2348, 1451, 3522, 2883, 3047, 6650},
                              {4047, 8828, 8732, 5743, 1091, 381}};
  return hartmann(x, A, P);
}

double hartmann3(Point x) {
  constexpr double A[4][3] = {{3, 10, 30}, {0.1, 10, 35}, {3, 10, 30}, {0.1, 10, 35}};
  constexpr double P[4][3] = {{3689, 1170, 2673}, {4699, 4387, 7470}, {1091, 8732, 5547}, {381, 5743, 8828}};
  return hartmann(x, A, P);
}

double branin(Point x) {
  const double valley = x[1] - 5.1 / (4 * pi * pi) * square(x[0]) + 5 / pi * x[0] - 6;
  return square(valley) + 10 * (1 - 1 / (8 * pi)) * std::cos(x[0]) + 10;
}

double ackley(Point x) {
  double squares = 0, cosines = 0;
  for (const double v : x) {
    squares += square(v);
    cosines += std::cos(2 * pi * v);
  }
  const auto d = static_cast<double>(x.size());
  return -20 * std::exp(-0.2 * std::sqrt(squares / d)) - std::exp(cosines / d) + 20 + std::exp(1.0);
}

double levy(Point x) {
  const auto w = [&](std::size_t i) { return 1 + (x[i] - 1) / 4; };
  const std::size_t last = x.size() - 1;
  double sum = square(std::sin(pi * w(0)));
  for (std::size_t i = 0; i < last; ++i) sum += square(w(i) - 1) * (1 + 10 * square(std::sin(pi * w(i) + 1)));
  return sum + square(w(last) - 1) * (1 + square(std::sin(2 * pi * w(last))));
}

double rastrigin(Point x) {
  double sum = 0;
  for (const double v : x) sum += square(v) + 10 * (1 - std::cos(2 * pi * v));
  return sum;
}

double rosenbrock(Point x) {
  double sum = 0;
  for (std::size_t i = 0; i + 1 < x.size(); ++i) sum += 100 * square(x[i + 1] - square(x[i])) + square(1 - x[i]);
  return sum;
}

double griewank(Point x) {
  double sum = 0, product = 1;
  for (std::size_t i = 0; i < x.size(); ++i) {
    sum += square(x[i]) / 4000;
    product *= std::cos(x[i] / std::sqrt(static_cast<double>(i + 1)));
  }
  return sum - product + 1;
}

// Coordinate i (from 1) of Michalewicz's function with steepness 10.
double michalewicz_term(double i, double x) { return -std::sin(x) * std::pow(std::sin(i * x * x / pi), 20); }

double michalewicz(Point x) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += michalewicz_term(static_cast<double>(i + 1), x[i]);
  return sum;
}

// The function is a sum over coordinates, so its minimiser is found one coordinate at a time: sin²⁰ has a valley
// between any two zeros of sin(i x²/π), and within a valley golden section is safe.
double michalewicz_minimiser(int i) {
  constexpr double kGolden = 0.6180339887498949;
  double best = 0, best_value = 0;
  for (int k = 0; k < i; ++k) {
    double a = pi * std::sqrt(static_cast<double>(k) / i), b = pi * std::sqrt(static_cast<double>(k + 1) / i);
    while (b - a > 1e-9) {
      const double c = b - kGolden * (b - a), d = a + kGolden * (b - a);
      (michalewicz_term(i, c) < michalewicz_term(i, d) ? b : a) = michalewicz_term(i, c) < michalewicz_term(i, d) ? d : c;
    }
    const double x = (a + b) / 2, value = michalewicz_term(i, x);
    if (value < best_value) {
      best = x;
      best_value = value;
    }
  }
  return best;
}

// A problem of fixed dimension; f* is f at the minimiser.
Problem fixed(std::string name, Space space, double noise, double (*f)(Point), const std::vector<double>& at) {
  return {
      .name = std::move(name), .space = std::move(space), .noise_variance = noise, .optimum = f(at), .optimum_at = at, .f = f};
}

// A problem that exists in any number of dimensions.
struct Family {
  std::string_view name;
  double (*f)(Point);
  double low, high;
  double noise;
  double minimiser;  // of every coordinate
  int min_dims = 1;
  int example = 10;
};

constexpr std::array kFamilies = {
    Family{"ackley", ackley, -2, 1, 0.5, 0, 1, 5},       Family{"levy", levy, -10, 10, 0.1, 1},
    Family{"rastrigin", rastrigin, -5.12, 5.12, 0.1, 0}, Family{"rosenbrock", rosenbrock, -5, 10, 0.1, 1, 2},
    Family{"griewank", griewank, -600, 600, 0.1, 0},     Family{"michalewicz", michalewicz, 0, pi, 0.1, 0}};

Problem member(const Family& family, int d) {
  std::vector<double> at(static_cast<std::size_t>(d), family.minimiser);
  if (family.f == michalewicz)
    for (int i = 0; i < d; ++i) at[i] = michalewicz_minimiser(i + 1);
  Problem problem = fixed(fmt::format("{}{}", family.name, d), box(d, family.low, family.high), family.noise, family.f, at);
  if (family.f != michalewicz) problem.optimum = 0;  // exactly, where rounding leaves 1e-16
  return problem;
}

// "10" → 10; 0 of nothing, more than there may be of a number too large; none where it is no whole number.
std::optional<int> dimensions(std::string_view digits) {
  if (digits.empty()) return 0;
  int d = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), d);
  if (error == std::errc::result_out_of_range) return kMaxDims + 1;
  if (error != std::errc() || end != digits.data() + digits.size() || digits[0] == '0') return {};
  return d;
}

// "levy10" → levy and 10.
const Family* find_family(std::string_view name, int& d) {
  for (const Family& family : kFamilies) {
    if (!name.starts_with(family.name)) continue;
    const auto found = dimensions(name.substr(family.name.size()));
    if (!found) continue;
    d = *found;
    return &family;
  }
  return nullptr;
}

std::vector<OutputFamily> output_families() {
  std::vector<OutputFamily> all = constrained_families();
  const std::vector<OutputFamily> more = several_families();
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

void check_dimensions(std::string_view name, std::string_view family, int d, int least, const std::string& example) {
  if (d == 0)
    throw std::invalid_argument(
        fmt::format("problem: \"{}\" needs its number of dimensions, for instance \"{}\"", shown(name), example));
  if (d < least || d > kMaxDims)
    throw std::invalid_argument(
        fmt::format("problem: {} exists in {} to {} dimensions, got \"{}\"", family, least, kMaxDims, shown(name)));
}

// "dtlz2_30" and the like; none: it is no such name.
std::optional<Problem> output_problem(std::string_view name) {
  if (auto found = constrained_problem(name)) return found;
  if (auto found = several_problem(name)) return found;
  for (const OutputFamily& family : output_families()) {
    if (name.size() < family.prefix.size() + family.suffix.size() || !name.starts_with(family.prefix) ||
        !name.ends_with(family.suffix))
      continue;
    std::string_view digits = name.substr(family.prefix.size());
    digits.remove_suffix(family.suffix.size());
    const auto d = dimensions(digits);
    if (!d) continue;
    check_dimensions(name, fmt::format("{}D{}", family.prefix, family.suffix), *d, family.min_dims,
                     fmt::format("{}{}{}", family.prefix, family.example, family.suffix));
    return family.make(*d);
  }
  return {};
}

std::vector<double> coordinates(const Space& space, const Params& params) {
  const Params typed = space.check(params);
  std::vector<double> x;
  x.reserve(typed.size());
  for (const Value& v : typed) {
    const auto* whole = std::get_if<std::int64_t>(&v);
    x.push_back(whole ? static_cast<double>(*whole) : std::get<double>(v));
  }
  return x;
}

}  // namespace

double Problem::value(const Params& params) const { return f(coordinates(space, params)); }

std::vector<double> Problem::values(const Params& params) const {
  const std::vector<double> x = coordinates(space, params);
  return all ? all(x) : std::vector<double>{f(x)};
}

std::vector<double> Problem::noise_deviations(const std::optional<double>& variance) const {
  if (!variance && !noise.empty()) return noise;
  return std::vector<double>(outputs.size(), std::sqrt(variance.value_or(noise_variance)));
}

std::vector<std::string> problem_names() {
  std::vector<std::string> names = {"shekel", "hartmann6", "hartmann3", "branin"};
  for (const Family& family : kFamilies) names.push_back(fmt::format("{}{}", family.name, family.example));
  names.insert(names.end(), {"push14", "rover60"});
  for (const OutputFamily& family : constrained_families())
    names.push_back(fmt::format("{}{}{}", family.prefix, family.example, family.suffix));
  for (const std::string_view name : constrained_names()) names.emplace_back(name);
  for (const OutputFamily& family : several_families())
    names.push_back(fmt::format("{}{}{}", family.prefix, family.example, family.suffix));
  for (const std::string_view name : several_names()) names.emplace_back(name);
  return names;
}

Problem problem(std::string_view name) {
  if (name == "shekel") {
    Problem made = fixed("shekel", box(4, 0, 10), 0.1, shekel, {4.0007468683, 3.9995094801, 4.0007468683, 3.9995094801});
    made.stuck = 1;  // the second-best well has a regret of 5.4
    return made;
  }
  if (name == "hartmann6") {
    Problem made = fixed("hartmann6", box(6, 0, 1), 0.5, hartmann6,
                         {0.2016895110, 0.1500106918, 0.4768739742, 0.2753324305, 0.3116516166, 0.6573005341});
    made.stuck = 0.1;  // the second optimum has a regret of 0.119
    return made;
  }
  if (name == "hartmann3") return fixed("hartmann3", box(3, 0, 1), 0.1, hartmann3, {0.1145888767, 0.5556488946, 0.8525469847});
  if (name == "branin") return fixed("branin", Space({{"x1", Float{-5, 10}}, {"x2", Float{0, 15}}}), 0.1, branin, {pi, 2.275});
  if (name == "push14") return push_problem();
  if (name == "rover60") return rover_problem();

  if (auto found = output_problem(name)) return *std::move(found);
  int d = 0;
  if (const Family* family = find_family(name, d)) {
    check_dimensions(name, family->name, d, family->min_dims, fmt::format("{}{}", family->name, family->example));
    return member(*family, d);
  }
  const std::vector<std::string> names = problem_names();
  const std::vector<std::string_view> known(names.begin(), names.end());
  const std::string_view near = nearest_word(name, known);
  throw std::invalid_argument(fmt::format("problem: no built-in problem \"{}\"{}; known are {} (ackley, levy, … with any number)",
                                          shown(name), near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near),
                                          listed(known)));
}

}  // namespace salvo
