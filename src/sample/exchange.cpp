#include "sample/exchange.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "compute/eigen_tables.h"
#include "compute/rows.h"
#include "math/parallel.h"

namespace salvo {
namespace {

// Levels to try instead of `now`.
std::vector<std::int64_t> alternatives(std::int64_t now, const Encoding::Discrete& discrete) {
  constexpr std::int64_t kAll = 16;
  std::vector<std::int64_t> out;
  if (discrete.num_levels <= kAll || discrete.width > 1) {  // without an order there is no step to take
    for (std::int64_t level = 0; level < discrete.num_levels; ++level)
      if (level != now) out.push_back(level);
    return out;
  }
  for (std::int64_t step = 1; step < discrete.num_levels; step *= 2) {
    if (now - step >= 0) out.push_back(now - step);
    if (step <= discrete.num_levels - 1 - now) out.push_back(now + step);
    if (step > (std::int64_t{1} << 61)) break;
  }
  return out;
}

// One path around one point: a change of few coordinates costs O(M + m), however many coordinates there are.
class Neighbourhood {
 public:
  Neighbourhood(const Paths& paths, const ScaledPoints<double>& W, const ScaledPoints<double>& Z)
      : paths_(paths),
        W_(W),
        Z_(Z),
        tables_(paths.eigen),
        phase_(W.size),
        moved_phase_(W.size),
        wave_(W.size),
        r2_(Z.size),
        k_(Z.size) {
    distance_.size = Z.size;
    distance_.dims = 1;
    distance_.data.resize(static_cast<std::size_t>(Z.size));
  }

  void centre(int path, std::span<const double> x) {
    path_ = path;
    x_ = x;
    if (W_.size > 0) phases(x.data(), W_, paths_.b.data(), phase_.data());
    r2_.setZero();
    for (int e = 0; e < Z_.dims; ++e) r2_ += (z(e) - x[static_cast<std::size_t>(e)] / paths_.kernel.lengthscales(e)).square();
  }

  // The path where x differs from the centre in [offset, offset + width).
  double value(std::span<const double> x, int offset, int width) {
    double out = paths_.mean;
    if (paths_.e.cols() > 0) out += tables_.sum(x.data(), paths_.e.row(path_).data(), nullptr);
    moved_phase_ = phase_;
    Eigen::Map<Eigen::ArrayXd> r(distance_.data.data(), Z_.size);
    r = r2_;
    for (int e = offset; e < offset + width; ++e) {
      const double from = x_[static_cast<std::size_t>(e)], to = x[static_cast<std::size_t>(e)];
      if (from == to) continue;
      moved_phase_ += (to - from) * Eigen::Map<const Eigen::ArrayXd>(W_.dim(e), W_.size);
      const double ell = paths_.kernel.lengthscales(e);
      r += (from - to) / ell * (2 * z(e) - (from + to) / ell);
    }
    if (W_.size > 0) {
      cosines(moved_phase_.data(), W_.size, wave_.data());
      out += weighted_sum(paths_.w.row(path_).data(), wave_.data(), W_.size);
    }
    if (Z_.size > 0) {
      r = r.max(0.0).sqrt();
      const double origin = 0;
      kernel_row(paths_.kernel.type, paths_.kernel.variance, &origin, distance_, k_.data(), nullptr);
      out += weighted_sum(paths_.v.row(path_).data(), k_.data(), Z_.size);
    }
    return out;
  }

 private:
  [[nodiscard]] Eigen::Map<const Eigen::ArrayXd> z(int e) const { return {Z_.dim(e), Z_.size}; }

  const Paths& paths_;
  const ScaledPoints<double>&W_, &Z_;
  EigenTables tables_;
  int path_ = 0;
  std::span<const double> x_;
  Eigen::ArrayXd phase_, moved_phase_, wave_, r2_, k_;
  ScaledPoints<double> distance_;  // from the inducing points, as points on a line: kernel_row turns them into k
};

// The best change of one discrete parameter of x, made in `best`; false when none is better than f.
bool best_change(Neighbourhood& around, const Encoding& space, std::span<const double> x, double f, std::vector<double>& best) {
  bool found = false;
  std::vector<double> y(x.begin(), x.end());
  for (const Encoding::Discrete& discrete : space.discretes()) {
    const std::int64_t now = space.level(discrete, x);
    for (const std::int64_t level : alternatives(now, discrete)) {
      space.set_level(discrete, level, y);
      const double value = around.value(y, discrete.offset, discrete.width);
      if (!(value > f)) continue;
      f = value;
      best = y;
      found = true;
    }
    space.set_level(discrete, now, y);
  }
  return found;
}

}  // namespace

std::vector<bool> exchange(const Paths& paths, const Encoding& space, const std::vector<int>& index, Matrix& X, Vector& f) {
  constexpr int kMaxRounds = 20;  // single changes per row; a fixed bound keeps the cost known
  const ScaledPoints<double> W(paths.W, Vector::Ones(X.cols())), Z(paths.Z, paths.kernel.lengthscales);
  std::vector<char> moved(index.size(), 0);  // not bool: tasks write side by side
  parallel_blocks(X.rows(), 8, [&](Eigen::Index begin, Eigen::Index end) {
    Neighbourhood around(paths, W, Z);
    std::vector<double> best;
    for (Eigen::Index i = begin; i < end; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const std::span<double> x(X.row(i).data(), static_cast<std::size_t>(X.cols()));
      for (int round = 0; round < kMaxRounds; ++round) {
        around.centre(index[at], x);
        if (!best_change(around, space, x, f(i), best)) break;
        // Differences lose digits: the change is made when the value computed afresh is better, too.
        around.centre(index[at], best);
        const double value = around.value(best, 0, 0);
        if (!(value > f(i))) break;
        std::copy(best.begin(), best.end(), x.begin());
        f(i) = value;
        moved[at] = 1;
      }
    }
  });
  return {moved.begin(), moved.end()};
}

}  // namespace salvo
