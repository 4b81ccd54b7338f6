#include "sample/path_functions.h"

#include <cmath>

#include "compute/eigen_tables.h"
#include "compute/score.h"

namespace salvo {
namespace {

// One path around one point: a change of few coordinates costs O(M + m), however many coordinates there are.
class Neighbourhood {
 public:
  Neighbourhood(const Paths& paths, const ScaledPoints<double>& W, const ScaledPoints<double>& Z, int path,
                std::span<const double> x)
      : paths_(paths),
        W_(W),
        Z_(Z),
        path_(path),
        x_(x),
        tables_(paths.eigen),
        phase_(W.size),
        moved_phase_(W.size),
        wave_(W.size),
        r2_(Eigen::ArrayXd::Zero(Z.size)),
        k_(Z.size),
        all_(Eigen::ArrayXd::Zero(is_additive(paths.kernel.type) ? Z.size : 0)),
        share_(all_.size()) {
    distance_.size = Z.size;
    distance_.dims = 1;
    distance_.data.resize(static_cast<std::size_t>(Z.size));
    if (W_.size > 0) phases(x.data(), W_, paths_.b.data(), phase_.data());
    if (is_additive(paths_.kernel.type))
      for (int e = 0; e < Z_.dims; ++e) add_share(e, x[static_cast<std::size_t>(e)], 1, all_);
    else
      for (int e = 0; e < Z_.dims; ++e) r2_ += (z(e) - x[static_cast<std::size_t>(e)] / paths_.kernel.lengthscales(e)).square();
  }

  // The path where x differs from the centre in [offset, offset + width).
  double value(std::span<const double> x, int offset, int width) {
    double out = paths_.mean;
    if (paths_.e.cols() > 0) out += tables_.sum(x.data(), paths_.e.row(path_).data(), nullptr);
    moved_phase_ = phase_;
    Eigen::Map<Eigen::ArrayXd> r(distance_.data.data(), Z_.size);
    r = r2_;
    const bool additive = is_additive(paths_.kernel.type);
    if (additive) k_ = all_;
    for (int e = offset; e < offset + width; ++e) {
      const double from = x_[static_cast<std::size_t>(e)], to = x[static_cast<std::size_t>(e)];
      if (from == to) continue;
      moved_phase_ += (to - from) * Eigen::Map<const Eigen::ArrayXd>(W_.dim(e), W_.size);
      if (additive) {
        add_share(e, from, -1, k_);
        add_share(e, to, 1, k_);
        continue;
      }
      const double ell = paths_.kernel.lengthscales(e);
      r += (from - to) / ell * (2 * z(e) - (from + to) / ell);
    }
    if (W_.size > 0) {
      cosines(moved_phase_.data(), W_.size, wave_.data());
      out += weighted_sum(paths_.w.row(path_).data(), wave_.data(), W_.size);
    }
    if (Z_.size > 0) {
      if (!additive) {
        r = r.max(0.0).sqrt();
        const double origin = 0;
        kernel_row(paths_.kernel.type, paths_.kernel.variance, &origin, distance_, k_.data(), nullptr);
      }
      out += weighted_sum(paths_.v.row(path_).data(), k_.data(), Z_.size);
    }
    return out;
  }

 private:
  [[nodiscard]] Eigen::Map<const Eigen::ArrayXd> z(int e) const { return {Z_.dim(e), Z_.size}; }

  // What coordinate e of an additive kernel contributes where it is `at`, times `sign`.
  void add_share(int e, double at, double sign, Eigen::ArrayXd& k) {
    if (Z_.size == 0) return;
    add_input(paths_.kernel.type, sign * paths_.kernel.variance, at / paths_.kernel.lengthscales(e), Z_, e, share_.data(),
              k.data());
  }

  const Paths& paths_;
  const ScaledPoints<double>&W_, &Z_;
  int path_;
  std::span<const double> x_;
  EigenTables tables_;
  Eigen::ArrayXd phase_, moved_phase_, wave_, r2_, k_;
  Eigen::ArrayXd all_, share_;     // of an additive kernel: k at the centre, one coordinate's part
  ScaledPoints<double> distance_;  // from the inducing points, as points on a line: kernel_row turns them into k
};

}  // namespace

PathFunctions::PathFunctions(const Paths& paths)
    : Functions(paths.size(), paths.kernel, 1e-6 * std::sqrt(paths.kernel.variance)),
      paths_(paths),
      W_(paths.W, Vector::Ones(paths.W.cols())),
      Z_(paths.Z, paths.kernel.lengthscales) {
  if (!is_sum()) return;
  waves_.resize(static_cast<std::size_t>(kernel().lengthscales.size()));
  for (Eigen::Index i = 0; i < paths.W.rows(); ++i)
    for (std::size_t e = 0; e < waves_.size(); ++e)
      if (paths.W(i, static_cast<Eigen::Index>(e)) != 0) waves_[e].push_back(static_cast<int>(i));
}

// What coordinate e adds to a sum.
double PathFunctions::share(int function, int e, double at, Eigen::ArrayXd& k, Eigen::ArrayXd& scratch) const {
  double out = 0;
  for (const int i : waves_[static_cast<std::size_t>(e)])
    out += paths_.w(function, i) * std::cos(paths_.W(i, e) * at + paths_.b(i));
  if (Z_.size == 0) return out;
  k.setZero();
  add_input(kernel().type, kernel().variance, at / kernel().lengthscales(e), Z_, e, scratch.data(), k.data());
  return out + weighted_sum(paths_.v.row(function).data(), k.data(), Z_.size);
}

void PathFunctions::along(int function, std::span<const double> x, int e, std::span<const double> places,
                          std::span<double> values) const {
  if (!is_sum() || !paths_.trend.empty()) return Functions::along(function, x, e, places, values);
  const auto at = static_cast<std::size_t>(e);
  Vector there;
  paths_.evaluate(moved_along(x, e, x.subspan(at, 1)), {function}, there);
  Eigen::ArrayXd k(Z_.size), scratch(Z_.size);
  const double rest = there(0) - share(function, e, x[at], k, scratch);
  for (std::size_t i = 0; i < places.size(); ++i) values[i] = rest + share(function, e, places[i], k, scratch);
}

void PathFunctions::evaluate(const Matrix& X, const std::vector<int>& index, Vector& values, Matrix* gradients) const {
  if (!gradients) return paths_.evaluate(X, index, values);
  std::call_once(once_, [&] { merged_ = merged_pairs(paths_); });
  merged_.evaluate(X, index, values, gradients);
}

std::vector<int> PathFunctions::best_candidates(const std::vector<int>& members, const Matrix& C, int num_blocks) const {
  const bool all = static_cast<int>(members.size()) == size();
  const Paths& p = paths_;
  const Vector trend = p.trend.values(C), *common = p.trend.empty() ? nullptr : &trend;
  if (all) return compute::best_candidates({p.kernel, p.W, p.b, p.eigen, p.Z, p.w, p.e, p.v, common}, C, num_blocks);
  const Matrix w = p.w(members, Eigen::all), e = p.e(members, Eigen::all), v = p.v(members, Eigen::all);
  return compute::best_candidates({p.kernel, p.W, p.b, p.eigen, p.Z, w, e, v, common}, C, num_blocks);
}

void PathFunctions::changed(const Encoding& space, int function, std::span<const double> x, std::span<const Change> changes,
                            std::span<double> values) const {
  Neighbourhood around(paths_, W_, Z_, function, x);
  std::vector<double> y(x.begin(), x.end());
  Matrix X(paths_.trend.empty() ? 0 : std::ssize(changes), std::ssize(x));
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const Encoding::Discrete& discrete = changes[i].discrete;
    space.set_level(discrete, changes[i].level, y);
    values[i] = around.value(y, discrete.offset, discrete.width);
    if (X.rows() > 0) X.row(static_cast<Eigen::Index>(i)) = Eigen::Map<const Eigen::RowVectorXd>(y.data(), X.cols());
    const bool another = i + 1 == changes.size() || changes[i + 1].discrete.offset != discrete.offset;
    if (another) space.set_level(discrete, space.level(discrete, x), y);
  }
  const Vector trend = paths_.trend.values(X);
  for (Eigen::Index i = 0; i < trend.size(); ++i) values[static_cast<std::size_t>(i)] += trend(i);
}

}  // namespace salvo
