#include "space/nearest.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace salvo {
namespace {

using Index = Eigen::Index;
constexpr double kExact = 1e-13;      // a row that is short of its least by less is kept
constexpr double kDependent = 1e-12;  // the square of what a normal has beside the others; less is rounding
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The dual active set method of Goldfarb and Idnani (1983), for the distance: from x, which lacks nothing but what rows ask, one
// row after the other is kept, and rows that press no longer are let go. Rows are those of G, of length 1, and the cube's walls.
class Nearest {
 public:
  Nearest(const Vector& x, const Matrix& G, const Vector& least) : z_(x), G_(G), least_(least) {}

  void find() {
    const Index all = G_.rows() + 2 * z_.size();
    for (Index step = 0; step < 20 * all; ++step) {
      const Index row = most_missed();
      if (row < 0 || !keep(row)) return;
    }
  }
  [[nodiscard]] const Vector& z() const { return z_; }
  [[nodiscard]] Vector pressures() const {
    Vector out = Vector::Zero(G_.rows());
    for (std::size_t k = 0; k < active_.size(); ++k)
      if (active_[k] < G_.rows()) out(active_[k]) = pressure_[k];
    return out;
  }

 private:
  [[nodiscard]] Vector normal(Index row) const {
    if (row < G_.rows()) return G_.row(row).transpose();
    Vector out = Vector::Zero(z_.size());
    const Index wall = row - G_.rows();
    out(wall % z_.size()) = wall < z_.size() ? 1 : -1;
    return out;
  }
  [[nodiscard]] double missing(Index row) const {
    if (row < G_.rows()) return least_(row) - G_.row(row).dot(z_);
    const Index wall = row - G_.rows();
    return wall < z_.size() ? -z_(wall) : z_(wall - z_.size()) - 1;
  }
  [[nodiscard]] Index most_missed() const {
    Index out = -1;
    double most = kExact;
    for (Index row = 0; row < G_.rows() + 2 * z_.size(); ++row)
      if (const double lack = missing(row); lack > most) {
        most = lack;
        out = row;
      }
    return out;
  }

  struct Parts {
    Vector along, r;  // what the rows that press leave of a normal; how much of each of them is in it
  };
  // Walls are coordinates: the others are what is left of them.
  [[nodiscard]] Parts beside_active(const Vector& n) const {
    Parts out{n, Vector::Zero(std::ssize(active_))};
    std::vector<Index> rows, free;
    std::vector<char> walled(static_cast<std::size_t>(z_.size()), 0);
    for (const Index row : active_)
      if (row < G_.rows())
        rows.push_back(row);
      else
        walled[static_cast<std::size_t>((row - G_.rows()) % z_.size())] = 1;
    for (Index i = 0; i < z_.size(); ++i)
      if (!walled[static_cast<std::size_t>(i)]) free.push_back(i);
    Vector r;
    if (!rows.empty() && !free.empty()) {
      const Matrix N = G_(rows, free).transpose();
      r = N.colPivHouseholderQr().solve(n(free));
      out.along -= G_(rows, Eigen::all).transpose() * r;
    } else {
      r = Vector::Zero(std::ssize(rows));
    }
    Index next = 0;
    for (std::size_t k = 0; k < active_.size(); ++k) {
      const Index wall = active_[k] - G_.rows();
      if (wall < 0) {
        out.r(static_cast<Index>(k)) = r(next++);
        continue;
      }
      double& left = out.along(wall % z_.size());
      out.r(static_cast<Index>(k)) = wall < z_.size() ? left : -left;
      left = 0;
    }
    return out;
  }

  // False when no point keeps it beside the others.
  bool keep(Index row) {
    const Vector n = normal(row);
    double pressure = 0;
    while (true) {
      const auto [along, r] = beside_active(n);
      const double slope = along.squaredNorm();
      const double whole = slope > kDependent ? missing(row) / slope : kInfinity;
      double part = kInfinity;
      std::size_t leaves = 0;
      for (std::size_t k = 0; k < active_.size(); ++k)
        if (const double rate = r(static_cast<Index>(k)); rate > kExact && pressure_[k] / rate < part) {
          part = pressure_[k] / rate;
          leaves = k;
        }
      const double step = std::min(part, whole);
      if (step == kInfinity) return false;
      if (whole < kInfinity) z_ += step * along;
      for (std::size_t k = 0; k < active_.size(); ++k)
        pressure_[k] = std::max(0.0, pressure_[k] - step * r(static_cast<Index>(k)));
      pressure += step;
      if (whole <= part) {
        active_.push_back(row);
        pressure_.push_back(pressure);
        return true;
      }
      active_.erase(active_.begin() + static_cast<std::ptrdiff_t>(leaves));
      pressure_.erase(pressure_.begin() + static_cast<std::ptrdiff_t>(leaves));
    }
  }

  Vector z_;
  const Matrix& G_;
  const Vector& least_;
  std::vector<Index> active_;
  std::vector<double> pressure_;
};

}  // namespace

Vector nearest_within(const Vector& x, const Matrix& G, const Vector& least, Vector& lambda) {
  Vector lengths(G.rows());
  Matrix rows = G;
  for (Index j = 0; j < G.rows(); ++j) {
    lengths(j) = std::max(G.row(j).stableNorm(), std::numeric_limits<double>::min());
    rows.row(j) /= lengths(j);
  }
  Vector bounds = least.cwiseQuotient(lengths);
  for (Index j = 0; j < G.rows(); ++j)  // a row of zeros asks for nothing that could be given
    if (rows.row(j).squaredNorm() == 0) bounds(j) = -kInfinity;
  Nearest nearest(x, rows, bounds);
  nearest.find();
  lambda = nearest.pressures().cwiseQuotient(lengths);
  return nearest.z().cwiseMax(0.0).cwiseMin(1.0);
}

}  // namespace salvo
