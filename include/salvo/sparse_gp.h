#pragma once
#include <salvo/features.h>
#include <salvo/kernel.h>
#include <salvo/matrix.h>
#include <salvo/random.h>
#include <salvo/trend.h>

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace salvo {

// What is learned from data: kernel, noise variance τ, constant prior mean c₀.
struct Hyperparameters {
  Kernel kernel;
  double noise = 0.1;  // τ
  double mean = 0.0;   // c₀
};

struct Prediction {
  Vector mean;      // [n]
  Vector variance;  // [n] of f, without the noise
};

// What the sparse GP summarises the data by: f at inducing points Z [m,d], or inducing features, its coefficients in
// eigenfunctions of the kernel (whose hyperparameters must then be the model's).
using InducingVariables = std::variant<Matrix, Eigenfunctions>;

// The sparse GP in Titsias' collapsed form (docs/math.md §3). With Z = X it is the exact GP.
class SparseGp {
 public:
  SparseGp() = default;
  SparseGp(Hyperparameters hyper, InducingVariables u, Trend trend = {});  // the prior, of mean c₀ + t(x): no data yet

  // Adds observations: O(n m²) flops, memory O(m² + chunk·m). Sums in a fixed order, whatever the threads. r: see fit().
  void condition(const Matrix& X, const Vector& y, const Vector& r = {});
  [[nodiscard]] Prediction predict(const Matrix& X) const;
  [[nodiscard]] Vector predict_mean(const Matrix& X) const;

  [[nodiscard]] const Hyperparameters& hyper() const { return hyper_; }
  [[nodiscard]] const Trend& trend() const { return trend_; }
  [[nodiscard]] const Matrix& Z() const { return Z_; }  // [m,d]; [0,d] with inducing features
  [[nodiscard]] const std::optional<Eigenfunctions>& eigenfunctions() const { return eigen_; }
  [[nodiscard]] int num_inducing() const { return static_cast<int>(c_.size()); }  // m
  [[nodiscard]] std::int64_t num_observations() const { return n_; }
  [[nodiscard]] double bound() const;  // the ELBO of all data conditioned on
  // θ = Tr R⁻¹(Kxx − Qxx), R = diag r; θ/τ bounds the KL to the exact posterior.
  [[nodiscard]] double theta() const { return theta_; }
  [[nodiscard]] double jitter() const { return jitter_; }  // relative to the kernel's variance

  // q(u): mean μ_u = L R⁻ᵀ c (c₀ and the trend left out) and a draw's deviation L R⁻ᵀ ε, for rules (5) and (6).
  [[nodiscard]] const Matrix& L() const { return L_; }  // [m,m] chol(Kzz + jitter); I with features, which are white
  [[nodiscard]] const Matrix& R() const { return R_; }  // [m,m] chol(I + AAᵀ)
  [[nodiscard]] const Vector& c() const { return c_; }  // [m] R⁻¹Ay/√τ

 private:
  void factor();
  void add_own_points(const Vector& centred, const std::vector<Eigen::Index>& places, const Vector& scale);
  [[nodiscard]] Matrix cross(const Matrix& X) const;  // k_xZ, or the features [n,m]
  Hyperparameters hyper_;
  Trend trend_;
  std::optional<Eigenfunctions> eigen_;
  Matrix Z_, L_, Linv_, AAt_, R_;
  Vector Ay_, c_, weights_;  // weights_: mean(x) = c₀ + t(x) + k_xZ weights_
  double yy_ = 0, theta_ = 0, log_ratios_ = 0;
  double jitter_ = 0;
  std::int64_t n_ = 0;
};

// What a fit has seen of the bound's curvature: its last steps in (log ℓ, log σ², log τ, c₀), oldest first, and how the
// gradient of −bound changed along each. A later fit to nearly the same data begins with it, and so with steps of the right
// length.
struct FitCurvature {
  Matrix steps{}, changes{};  // [k,d+3]
};

struct FitOptions {
  int max_evaluations = 50;          // of the bound and its gradient
  double absolute_tolerance = 0.02;  // nats: stop when a step gains less (0.02 costs about 6 warm-started evaluations)
  double min_lengthscale = 0.01, max_lengthscale = 0.7;  // of the unit box; see docs/how-it-works.md
  Vector min_lengthscales{}, max_lengthscales{};         // [d] where coordinates differ; empty: the two above for all
  double min_variance = 1.0, max_variance = 1e3;         // of y in its anchored units
  double min_noise = 1e-4, max_noise = 2.0;
  double max_mean = 5.0;
  FitCurvature curvature{};  // of an earlier fit to nearly the same data: see FitSummary
  void validate() const;     // throws std::invalid_argument
};

struct FitSummary {
  int num_evaluations = 0;
  double initial_bound = 0, bound = 0;
  double jitter = 0;    // the largest used, relative to the variance
  std::string message;  // how it ended, in words
  FitCurvature curvature{};
};

// Maximises the collapsed bound over hyper at fixed Z by box-constrained L-BFGS, starting from hyper.
// Cost O(n m²) per evaluation, memory O(m² + chunk·m).
// r [n]: where values are known to be of different precision, the noise of each over τ; empty: 1 for all.
FitSummary fit(Hyperparameters& hyper, const Matrix& Z, const Matrix& X, const Vector& y, const FitOptions& options = {},
               const Vector& r = {});

// The same for inducing features. The functions of a box do not depend on the hyperparameters, so one sweep over the data
// is all, and an evaluation costs O(m³). Box and functions are chosen anew for the length-scales found until these stay;
// `functions` is left as those of the kernel found.
FitSummary fit(Hyperparameters& hyper, Eigenfunctions& functions, const Matrix& X, const Vector& y,
               const FitOptions& options = {}, const Vector& r = {});

// The bound and its gradient with respect to (log ℓ [d], log σ², log τ, c₀).
struct BoundGradient {
  double bound = 0;
  Vector gradient;  // [d+3]
  double jitter = 0;
};
[[nodiscard]] BoundGradient bound_gradient(const Hyperparameters& hyper, const Matrix& Z, const Matrix& X, const Vector& y,
                                           const Vector& r = {});
[[nodiscard]] BoundGradient bound_gradient(const Hyperparameters& hyper, const Eigenfunctions& functions, const Matrix& X,
                                           const Vector& y, const Vector& r = {});

// At most num_inducing distinct points: rows of X (kmeans, half of coverage: centres; sobol: a design; gradient: moved
// uphill), scaled by the kernel's length-scales. All of X's distinct rows when they are few enough: then the model is
// exact. Only gradient and quality look at noise and mean.
// kdpp_steps: see kdpp_chain.
[[nodiscard]] Matrix choose_inducing(Inducing how, const Hyperparameters& hyper, const Matrix& X, const Vector& y,
                                     int num_inducing, Key key, std::int64_t kdpp_steps = 0);
[[nodiscard]] inline Matrix choose_inducing(Inducing how, const Kernel& kernel, const Matrix& X, const Vector& y,
                                            int num_inducing, Key key) {
  return choose_inducing(how, Hyperparameters{.kernel = kernel}, X, y, num_inducing, key);
}

// The exchange chain of inducing = kdpp for m of num_rows distinct rows: the steps after which it is known to be within
// ε₀ = 1e-3 of the k-DPP in total variation, and those that are made: `steps`, or what 2·10⁹ operations buy when that is 0,
// and never more than asked for.
struct KdppChain {
  double made = 0, asked = 0;
};
[[nodiscard]] KdppChain kdpp_chain(std::int64_t num_rows, int num_inducing, std::int64_t steps = 0);

}  // namespace salvo
