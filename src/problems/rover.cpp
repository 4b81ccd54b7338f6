#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "problems/real.h"

// A rover's way through a field of obstacles: 30 points in the unit square, joined by a cubic B-spline. The value is the
// cost along the way (0.05 per length, 20 more inside an obstacle), plus 10 times how far it begins from its start and
// ends from its goal (in the 1-norm), minus 5.
//
// Simplification: the published text does not print the map, so this one is our own (below); and the spline is the
// uniform one through clamped ends rather than a smoothing fit.
namespace salvo {
namespace {

constexpr int kNumPoints = 30, kPieces = kNumPoints - 3, kPerPiece = 16;
constexpr double kStart = 0.05, kGoal = 0.95;  // of both coordinates
constexpr double kBaseCost = 0.05, kCollisionCost = 20, kEndWeight = 10, kOffset = 5;
constexpr double kHalf = 0.05;  // obstacles are squares of this half side

struct At {
  double x, y;
};
// Centres of the obstacles, no two of which overlap. The straight way meets four of them.
constexpr std::array<At, 20> kObstacles = {{{0.30, 0.28}, {0.52, 0.50}, {0.74, 0.76}, {0.12, 0.30}, {0.30, 0.10},
                                            {0.45, 0.30}, {0.30, 0.48}, {0.66, 0.60}, {0.50, 0.70}, {0.12, 0.55},
                                            {0.62, 0.20}, {0.80, 0.40}, {0.20, 0.78}, {0.40, 0.90}, {0.88, 0.62},
                                            {0.62, 0.90}, {0.84, 0.16}, {0.08, 0.90}, {0.95, 0.08}, {0.66, 0.42}}};

// The share of the segment from a to b that lies inside the square around c (the slab method).
double share_inside(At a, At b, At c) {
  double enter = 0, leave = 1;
  for (const auto& [from, to, middle] : {std::array{a.x, b.x, c.x}, std::array{a.y, b.y, c.y}}) {
    const double move = to - from, low = middle - kHalf - from, high = middle + kHalf - from;
    if (move == 0) {
      if (low >= 0 || high <= 0) return 0;
      continue;
    }
    enter = std::max(enter, std::min(low / move, high / move));
    leave = std::min(leave, std::max(low / move, high / move));
  }
  return std::max(0.0, leave - enter);
}

// The cost of a straight piece, exactly: no way around an obstacle by stepping over its corner.
double cost_of(At a, At b) {
  double inside = 0;
  for (const At& c : kObstacles) inside += share_inside(a, b, c);
  return std::hypot(b.x - a.x, b.y - a.y) * (kBaseCost + kCollisionCost * inside);
}

// Knots of a clamped uniform cubic spline: 0 0 0 0 1 2 … 27 27 27 27.
double knot(int i) { return std::clamp(i - 3, 0, kPieces); }

// De Boor's algorithm at parameter t inside piece k.
At spline(std::span<const double> x, int k, double t) {
  std::array<At, 4> d;
  for (int j = 0; j < 4; ++j) {
    const auto i = 2 * static_cast<std::size_t>(k + j);
    d[static_cast<std::size_t>(j)] = {x[i], x[i + 1]};
  }
  for (int r = 1; r <= 3; ++r)
    for (int j = 3; j >= r; --j) {
      const double low = knot(k + j), high = knot(k + j + 4 - r);
      const double a = (t - low) / (high - low);
      At &p = d[static_cast<std::size_t>(j)], &q = d[static_cast<std::size_t>(j - 1)];
      p = {(1 - a) * q.x + a * p.x, (1 - a) * q.y + a * p.y};
    }
  return d[3];
}

double rover(std::span<const double> x) {
  double sum = 0;
  At before{x[0], x[1]};
  for (int k = 0; k < kPieces; ++k)
    for (int s = 1; s <= kPerPiece; ++s) {
      const At here = spline(x, k, k + static_cast<double>(s) / kPerPiece);
      sum += cost_of(before, here);
      before = here;
    }
  const std::size_t last = 2 * std::size_t{kNumPoints - 1};
  const double off =
      std::abs(x[0] - kStart) + std::abs(x[1] - kStart) + std::abs(x[last] - kGoal) + std::abs(x[last + 1] - kGoal);
  return sum + kEndWeight * off - kOffset;
}

}  // namespace

Problem rover_problem() {
  std::vector<Parameter> parameters;
  for (int i = 1; i <= kNumPoints; ++i)
    for (const char* name : {"x", "y"}) parameters.push_back({fmt::format("{}{}", name, i), Float{0, 1}});
  // Found by local search from the shortest way around the corners of the obstacles, which no way can beat: of length
  // 1.290735, it gives −4.935463.
  const std::array<double, 2 * std::size_t{kNumPoints}> best = {
      0.0500000, 0.0500000, 0.0667419, 0.0734704, 0.0897493, 0.1056821, 0.1091933, 0.1329972, 0.1406840, 0.1769679,
      0.1776248, 0.2291301, 0.2332996, 0.3062104, 0.2448473, 0.3237940, 0.2538274, 0.3350508, 0.2722784, 0.3507926,
      0.3165253, 0.3960320, 0.3489500, 0.4282728, 0.3714274, 0.4536972, 0.3938428, 0.4780977, 0.4222577, 0.5094325,
      0.4337040, 0.5220093, 0.4604326, 0.5513609, 0.4854706, 0.5790324, 0.5365783, 0.6348420, 0.5634955, 0.6651878,
      0.6065128, 0.7132089, 0.6677031, 0.7844093, 0.6846056, 0.8044884, 0.6909780, 0.8111892, 0.6898188, 0.8093070,
      0.7192401, 0.8263184, 0.8363584, 0.8886258, 0.8862453, 0.9157780, 0.9210717, 0.9343834, 0.9500000, 0.9500000,
  };
  return {.name = "rover60",
          .space = Space(std::move(parameters)),
          .noise_variance = 0.01,
          .optimum = rover(best),
          .optimum_at = {best.begin(), best.end()},
          .proved = false,
          .f = rover};
}

}  // namespace salvo
