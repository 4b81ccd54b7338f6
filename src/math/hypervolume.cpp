#include "math/hypervolume.h"

#include <fmt/format.h>
#include <salvo/output.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace salvo {
namespace {

using Index = Eigen::Index;
using Point = std::array<double, kMostObjectives>;  // above the reference; the first M count
using Points = std::vector<Point>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

void check_finite(const Matrix& Y) {
  for (Index i = 0; i < Y.rows(); ++i)
    for (Index j = 0; j < Y.cols(); ++j)
      if (!std::isfinite(Y(i, j)))
        throw std::invalid_argument(
            fmt::format("hypervolume: expected finite objectives, got {} in row {}, column {}", Y(i, j), i, j));
}

void check(const Matrix& Y, const Vector& reference) {
  if (reference.size() < 1 || reference.size() > kMostObjectives)
    throw std::invalid_argument(
        fmt::format("hypervolume: expected a reference of 1 to {} objectives, got {}", kMostObjectives, reference.size()));
  if (Y.rows() > 0 && Y.cols() != reference.size())
    throw std::invalid_argument(
        fmt::format("hypervolume: expected rows of {} objectives, as the reference has, got {}", reference.size(), Y.cols()));
  if (!reference.allFinite()) throw std::invalid_argument("hypervolume: expected a finite reference");
  check_finite(Y);
}

bool at_least(const double* a, const double* b, int m) {
  for (int j = 0; j < m; ++j)
    if (a[j] < b[j]) return false;
  return true;
}

// Of rows that lie `stride` apart. From the largest to the smallest in the order of a dictionary, so that a row is beaten or
// equalled by an earlier one alone; of two objectives by the last of the front alone.
std::vector<Index> front(const double* rows, Index n, Index stride, int m) {
  std::vector<Index> order(static_cast<std::size_t>(n)), kept;
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index a, Index b) {
    const double *p = rows + a * stride, *q = rows + b * stride;
    for (int j = 0; j < m; ++j)
      if (p[j] != q[j]) return p[j] > q[j];
    return a < b;
  });
  for (const Index i : order) {
    const auto from = kept.begin() + (m <= 2 && !kept.empty() ? static_cast<std::ptrdiff_t>(kept.size()) - 1 : 0);
    if (std::none_of(from, kept.end(), [&](Index k) { return at_least(rows + k * stride, rows + i * stride, m); }))
      kept.push_back(i);
  }
  std::sort(kept.begin(), kept.end());
  return kept;
}

Points front(const Points& points, int m) {
  Points kept;
  if (points.empty()) return kept;
  for (const Index i : front(points.front().data(), static_cast<Index>(points.size()), kMostObjectives, m))
    kept.push_back(points[static_cast<std::size_t>(i)]);
  return kept;
}

double box_volume(const Point& p, int m) { return std::accumulate(p.begin(), p.begin() + m, 1.0, std::multiplies<>()); }

void sort_by(Points& points, int objective) {
  std::sort(points.begin(), points.end(), [&](const Point& a, const Point& b) { return a[objective] > b[objective]; });
}

double area(Points& points) {
  sort_by(points, 0);
  double sum = 0, height = 0;
  for (const Point& p : points) {
    sum += p[0] * std::max(0.0, p[1] - height);
    height = std::max(height, p[1]);
  }
  return sum;
}

// The area under a staircase that points are added to.
class Staircase {
 public:
  double add(double x, double y) {  // by how much it grows
    auto step = steps_.lower_bound(x);
    double below = step == steps_.end() ? 0 : step->second;  // of the steps to the right of x
    if (below >= y) return 0;
    if (step != steps_.end() && step->first == x) step = steps_.erase(step);
    double grown = 0, right = x;
    while (step != steps_.begin()) {  // leftwards along those that the new one hides
      const auto left = std::prev(step);
      grown += (right - left->first) * (y - below);
      right = left->first;
      below = left->second;
      if (below >= y) break;
      step = steps_.erase(left);
    }
    if (below < y) grown += right * (y - below);
    steps_.emplace(x, y);
    return grown;
  }

 private:
  std::map<double, double> steps_;  // x → y, falling
};

double volume(Points points, int m);

// What p [m] adds to the others.
double added(const Point& p, const Points& others, int m) {
  Points common;
  common.reserve(others.size());
  for (const Point& q : others) {
    Point& c = common.emplace_back();
    for (int j = 0; j < m; ++j) c[j] = std::min(p[j], q[j]);
    if (at_least(c.data(), p.data(), m)) return 0;
  }
  // Slices of more than three objectives cost by the point; a sweep passes over those that are beaten.
  return std::max(0.0, box_volume(p, m) - volume(m > 3 ? front(common, m) : std::move(common), m));
}

// From the largest value of the last objective downwards: a point reaches as far as its own, over what it adds in the others.
double volume(Points points, int m) {
  if (points.empty()) return 0;
  if (m == 1) return (*std::max_element(points.begin(), points.end()))[0];
  if (m == 2) return area(points);
  sort_by(points, m - 1);
  double sum = 0;
  if (m == 3) {
    Staircase stairs;
    for (const Point& p : points) sum += p[2] * stairs.add(p[0], p[1]);
    return sum;
  }
  Points before;
  for (const Point& p : points) {
    const double more = added(p, before, m - 1);
    if (more == 0) continue;
    sum += p[m - 1] * more;
    before.push_back(p);
  }
  return sum;
}

// The rows above the reference, measured from it; which these are.
Points above(const Matrix& Y, const Vector& reference, std::vector<Index>& which) {
  Points points;
  for (Index i = 0; i < Y.rows(); ++i) {
    if (!(Y.row(i).array() > reference.transpose().array()).all()) continue;
    Point& p = points.emplace_back();
    for (Index j = 0; j < Y.cols(); ++j) p[static_cast<std::size_t>(j)] = Y(i, j) - reference(j);
    which.push_back(i);
  }
  return points;
}

// The lower end of a region that no point dominates, l_j, with the points it touches: point j there lies on its face j, and
// beyond it in all other objectives (the local upper bounds of Klamroth, Lacour and Vanderpooten 2015, upside down).
struct Corner {
  Point l{};
  std::array<Point, kMostObjectives> touched{};
};

// Touches nothing but the reference.
Corner lowest(const Vector& reference) {
  Corner corner;
  for (Index j = 0; j < reference.size(); ++j) {
    const auto k = static_cast<std::size_t>(j);
    corner.l[k] = reference(j);
    corner.touched[k].fill(kInfinity);
    corner.touched[k][k] = reference(j);
  }
  return corner;
}

double nearest_touched(const Corner& corner, int j, int count) {  // in objective j, of the first `count` others
  double nearest = kInfinity;
  for (int k = 0; k < count; ++k)
    if (k != j) nearest = std::min(nearest, corner.touched[k][j]);
  return nearest;
}

// Where values are equal the later point counts as the smaller one, by less than any number: so no two are equal, as the
// theorem wants, and what that leaves too much are boxes without volume.
void cut(std::vector<Corner>& corners, const Point& p, int m) {
  const auto dominated = [&](const Corner& corner) {
    for (int j = 0; j < m; ++j)
      if (corner.l[j] >= p[j]) return false;
    return true;
  };
  const auto hit = std::partition(corners.begin(), corners.end(), std::not_fn(dominated));
  const std::vector<Corner> old(hit, corners.end());
  corners.erase(hit, corners.end());
  for (const Corner& corner : old)
    for (int j = 0; j < m; ++j)
      if (p[j] <= nearest_touched(corner, j, m)) {
        Corner& moved = corners.emplace_back(corner);
        moved.l[j] = p[j];
        moved.touched[j] = p;
      }
}

}  // namespace

std::vector<Eigen::Index> nondominated(const Matrix& Y) {
  check_finite(Y);
  if (Y.rows() == 0) return {};
  return front(Y.data(), Y.rows(), Y.cols(), static_cast<int>(Y.cols()));
}

double hypervolume(const Matrix& Y, const Vector& reference) {
  check(Y, reference);
  std::vector<Index> which;
  const int m = static_cast<int>(reference.size());
  Points points = above(Y, reference, which);
  return volume(m > 3 ? front(points, m) : std::move(points), m);
}

Vector hypervolume_losses(const Matrix& Y, const Vector& reference) {
  check(Y, reference);
  std::vector<Index> which;
  const int m = static_cast<int>(reference.size());
  const Points points = above(Y, reference, which);
  Vector losses = Vector::Zero(Y.rows());
  if (points.empty()) return losses;
  // Without one row of the front its neighbours count, and what it alone had dominated: the front of all the others.
  const auto indices = [&](const Points& of) {
    return front(of.front().data(), static_cast<Index>(of.size()), kMostObjectives, m);
  };
  const std::vector<Index> first = indices(points);
  Points rest, known;
  for (std::size_t i = 0, next = 0; i < points.size(); ++i) {
    if (next < first.size() && first[next] == static_cast<Index>(i))
      ++next;
    else
      rest.push_back(points[i]);
  }
  for (const Index i : first) known.push_back(points[static_cast<std::size_t>(i)]);
  const Points second = front(rest, m);
  known.insert(known.end(), second.begin(), second.end());
  for (std::size_t i = 0; i < first.size(); ++i) {
    std::swap(known[i], known.back());
    const Point p = known.back();
    known.pop_back();
    losses(which[static_cast<std::size_t>(first[i])]) = added(p, known, m);
    known.push_back(p);
    std::swap(known[i], known.back());
  }
  return losses;
}

Boxes undominated(const Matrix& Y, const Vector& reference) {
  check(Y, reference);
  const int m = static_cast<int>(reference.size());
  std::vector<Corner> corners = {lowest(reference)};
  for (const Index i : nondominated(Y)) {
    Point p{};
    for (int j = 0; j < m; ++j) p[j] = Y(i, j);
    if ((Y.row(i).transpose().array() > reference.array()).all()) cut(corners, p, m);
  }
  // A corner's box ends where a point that it touches with an earlier objective ends: there another corner begins (from the
  // largest value of the last objective downwards, as Lacour, Klamroth and Fonseca 2017 do for what is dominated).
  Boxes boxes{Matrix(static_cast<Index>(corners.size()), m), Matrix(static_cast<Index>(corners.size()), m)};
  Index K = 0;
  for (const Corner& corner : corners) {
    bool empty = false;
    for (int j = 0; j < m; ++j) {
      boxes.lower(K, j) = corner.l[j];
      boxes.upper(K, j) = nearest_touched(corner, j, j);
      empty = empty || boxes.upper(K, j) <= corner.l[j];
    }
    if (!empty) ++K;
  }
  boxes.lower.conservativeResize(K, m);
  boxes.upper.conservativeResize(K, m);
  return boxes;
}

double improvement(const Boxes& boxes, const Eigen::Ref<const Eigen::RowVectorXd>& y, Eigen::RowVectorXd* gradient) {
  const Index m = boxes.lower.cols();
  if (gradient) gradient->setZero(m);
  double sum = 0;
  Point side{};
  for (Index k = 0; k < boxes.lower.rows(); ++k) {
    const double *lower = boxes.lower.row(k).data(), *upper = boxes.upper.row(k).data();
    double product = 1;
    bool inside = true;
    for (Index j = 0; inside && j < m; ++j) {
      const double extent = std::min(y(j), upper[j]) - lower[j];
      inside = extent > 0;
      side[static_cast<std::size_t>(j)] = extent;
      product *= extent;
    }
    if (!inside) continue;
    sum += product;
    if (!gradient) continue;
    for (Index j = 0; j < m; ++j) {
      if (y(j) > upper[j]) continue;
      double others = 1;
      for (Index i = 0; i < m; ++i)
        if (i != j) others *= side[static_cast<std::size_t>(i)];
      (*gradient)(j) += others;
    }
  }
  return sum;
}

}  // namespace salvo
