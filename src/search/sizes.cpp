#include "search/sizes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/selection.h"

namespace salvo {
namespace {

constexpr double kWork = 1e12;        // operations that one learning may take
constexpr int kWarmEvaluations = 15;  // of the bound in a warm-started fit
constexpr Eigen::Index kRows = 4000;  // of X that θ is estimated from when there are more

double work(double n, double m) { return kWarmEvaluations * (3 * n * m * m + 8 * m * m * m); }

std::string found(std::string_view what, Eigen::Index m, double kl, const ModelOptions& model, std::string_view stopped) {
  if (kl <= model.max_kl) return fmt::format("{} {}: θ/τ is {:.3g}, at most {:.3g}", m, what, kl, model.max_kl);
  return fmt::format("{} {}: θ/τ is {:.3g}, not {:.3g}, stopped by {}", m, what, kl, model.max_kl, stopped);
}

PointChoice choose_number_of_points(const ModelOptions& model, const Hyperparameters& hyper, const Matrix& X, const Vector& y,
                                    Key key) {
  if (model.num_inducing > 0) return {choose_inducing(model.inducing, hyper, X, y, model.num_inducing, key, model.kdpp_steps)};
  const auto n = static_cast<double>(X.rows());
  Eigen::Index before = 0;
  for (int m = std::min(kFewestInducing, model.max_inducing);;) {
    PointChoice out{choose_inducing(model.inducing, hyper, X, y, m, key, model.kdpp_steps)};
    const int next = std::min(2 * m, model.max_inducing);
    if (kl_bound(hyper, out.Z, X, y, key.fold("rows")) <= model.max_kl) return out;
    // Some ways give fewer points than asked for (no two are equal), and yet more when asked for more.
    if (next == m)
      out.stopped = "max_inducing";
    else if (out.Z.rows() <= before || out.Z.rows() == X.rows())
      out.stopped = "the number of distinct points";
    else if (work(n, next) > kWork)
      out.stopped = "the budget of operations of one learning";
    if (!out.stopped.empty()) return out;
    before = out.Z.rows();
    m = next;
  }
}

// How far the exchange chain went, and so what is known of Z. Of its distance to the k-DPP nothing is known after fewer
// steps than asked for; θ/τ is that of the Z at hand, however it was chosen.
std::string chain_words(const KdppChain& chain) {
  return chain.made < chain.asked
             ? fmt::format(
                   "k-DPP: {:.3g} exchange steps of the {:.3g} that ε₀ = 0.001 asks for (model.kdpp_steps), so "
                   "Proposition 1 does not hold by the k-DPP; what holds is κ = 2θ/τ of this Z",
                   chain.made, chain.asked)
             : fmt::format("k-DPP: all {:.3g} exchange steps that ε₀ = 0.001 asks for", chain.asked);
}

}  // namespace

double kl_bound(const Hyperparameters& hyper, const Matrix& Z, const Matrix& X, const Vector& y, Key key) {
  SparseGp gp(hyper, Z);
  if (X.rows() <= kRows) {
    gp.condition(X, y);
    return gp.theta() / hyper.noise;
  }
  Matrix some(kRows, X.cols());
  for (Eigen::Index i = 0; i < kRows; ++i)
    some.row(i) =
        X.row(static_cast<Eigen::Index>(key.at(static_cast<std::uint64_t>(i)).below(static_cast<std::uint64_t>(X.rows()))));
  gp.condition(some, Vector::Zero(kRows));
  return gp.theta() / hyper.noise * static_cast<double>(X.rows()) / static_cast<double>(kRows);
}

PointChoice choose_points(const ModelOptions& model, const Hyperparameters& hyper, const Matrix& X, const Vector& y, Key key) {
  PointChoice out = choose_number_of_points(model, hyper, X, y, key);
  if (model.inducing != Inducing::kdpp) return out;
  const KdppChain chain = kdpp_chain(distinct_rows(X).rows(), static_cast<int>(out.Z.rows()), model.kdpp_steps);
  if (chain.asked > 0) out.chain = chain_words(chain);
  return out;
}

std::string size_words(const ModelOptions& model, const PointChoice& points, double kl) {
  std::string words;
  if (model.num_inducing == 0) {
    const auto stopped = points.stopped.empty() ? "the number of fits in one learning: the next one goes on" : points.stopped;
    words = found("inducing points", points.Z.rows(), kl, model, stopped);
  }
  if (!points.chain.empty()) words += (words.empty() ? "" : "; ") + points.chain;
  return words;
}

double kl_bound(const Eigenfunctions& functions, const Hyperparameters& hyper, const Matrix& X) {
  double theta = static_cast<double>(X.rows()) * hyper.kernel.variance;
  for (Eigen::Index begin = 0; begin < X.rows(); begin += 1024)
    theta -= functions.features(X.middleRows(begin, std::min<Eigen::Index>(1024, X.rows() - begin))).squaredNorm();
  return std::max(0.0, theta) / hyper.noise;
}

Eigenfunctions choose_eigenfunctions(const ModelOptions& model, const Hyperparameters& hyper, const Matrix& X) {
  if (model.num_inducing > 0) return eigenfunctions(model.eigenfunctions, hyper.kernel, model.num_inducing);
  // Of features, θ falls by the sum of squares of each next one.
  const Eigenfunctions most = eigenfunctions(model.eigenfunctions, hyper.kernel, model.max_inducing);
  Vector squares = Vector::Zero(most.size());
  for (Eigen::Index begin = 0; begin < X.rows(); begin += 1024)
    squares +=
        most.features(X.middleRows(begin, std::min<Eigen::Index>(1024, X.rows() - begin))).colwise().squaredNorm().transpose();
  double theta = static_cast<double>(X.rows()) * hyper.kernel.variance;
  int m = 0;
  while (m < most.size() && (m < std::min(kFewestInducing, model.max_inducing) || theta > model.max_kl * hyper.noise))
    theta -= squares(m++);
  return eigenfunctions(model.eigenfunctions, hyper.kernel, m);
}

std::string size_words(const ModelOptions& model, const Eigenfunctions& functions, double kl) {
  if (model.num_inducing > 0) return {};
  const bool most = functions.size() >= model.max_inducing;
  return found("inducing features", functions.size(), kl, model,
               most ? "max_inducing" : "the number of fits in one learning: the next one goes on");
}

}  // namespace salvo
