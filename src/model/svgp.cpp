#include <fmt/core.h>
#include <salvo/svgp.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "compute/gram.h"
#include "math/linalg.h"
#include "math/parallel.h"
#include "model/check.h"
#include "model/fit_loop.h"
#include "model/jitter.h"
#include "model/noise_ratio.h"

namespace salvo {
namespace {

using Index = Eigen::Index;

// AAᵀ, Ay and A1 of A = L⁻¹Kzx.
struct Whitened {
  Matrix AAt;
  Vector Ay, A1;
};

Whitened whiten(const Matrix& Linv, const GramMoments& moments) {
  Whitened out;
  out.AAt = product_lower(Linv, Trans::no, product_lower(Linv, Trans::no, moments.S, Trans::no), Trans::yes);
  symmetrise(out.AAt);
  out.Ay = Linv.triangularView<Eigen::Lower>() * moments.sy;
  out.A1 = Linv.triangularView<Eigen::Lower>() * moments.s1;
  return out;
}

// L⁻ᵀ G L⁻¹.
Matrix unwhiten(const Matrix& Linv, const Matrix& G) {
  return product_lower(Linv, Trans::yes, product_lower(Linv, Trans::yes, G.transpose(), Trans::no), Trans::yes);
}

}  // namespace

Svgp::Svgp(Hyperparameters hyper, Matrix Z) : hyper_(std::move(hyper)), Z_(std::move(Z)) {
  if (Z_.rows() == 0) throw std::invalid_argument("Svgp: Z: expected at least one inducing point, got none");
  check_hyper("Svgp", hyper_, Z_.cols());
  check_points("Svgp", "Z", Z_, Z_.cols());
  set_hyper(hyper_);
  Lambda_ = Matrix::Identity(Z_.rows(), Z_.rows());
  eta_ = Vector::Zero(Z_.rows());
  refresh();
}

void Svgp::set_hyper(const Hyperparameters& hyper) {
  check_hyper("Svgp::set_hyper", hyper, Z_.cols());
  hyper_ = hyper;
  const Cholesky chol = cholesky(gram(hyper_.kernel, Z_, Z_), hyper_.kernel.variance, kJitter);
  Linv_ = invert_lower(chol.L);
  jitter_ = chol.jitter;
}

void Svgp::refresh() {
  Matrix R = Lambda_;
  if (!cholesky_in_place(R)) throw std::runtime_error("Svgp: the precision of q(u) is not positive definite");
  S_ = gram_lower(invert_lower(R));
  mean_v_ = eta_;
  solve_lower(R, Trans::no, mean_v_);
  solve_lower(R, Trans::yes, mean_v_);
  log_det_ = 2 * log_diagonal(R);
}

// The natural gradient is the difference to the optimum of the batch: Λ* = I + (n/b) AAᵀ/τ, Λ*m* = (n/b) Ay/τ.
void Svgp::natural_step(const Matrix& X, const Vector& y, std::int64_t num_observations, double rho, const Vector& r) {
  check_data("Svgp::natural_step", X, y, Z_.cols());
  check_ratios("Svgp::natural_step", r, X.rows());
  if (X.rows() == 0) throw std::invalid_argument("Svgp::natural_step: X: expected at least one row, got none");
  if (!(rho > 0 && rho <= 1))
    throw std::invalid_argument(fmt::format("Svgp::natural_step: rho: expected a step in (0, 1], got {}", rho));
  const double share = static_cast<double>(num_observations) / static_cast<double>(X.rows()) / hyper_.noise;
  const RowScales rows(r);
  const Vector yc = rows.of(y.array() - hyper_.mean);
  const Whitened w = whiten(Linv_, gram_moments(hyper_.kernel, Z_, X, yc, rows.scale()));
  Lambda_ = (1 - rho) * Lambda_ + rho * share * w.AAt;
  Lambda_.diagonal().array() += rho;
  eta_ = (1 - rho) * eta_ + rho * share * w.Ay;
  refresh();
}

BoundGradient Svgp::bound_gradient(const Matrix& X, const Vector& y, std::int64_t num_observations, const Vector& r) const {
  check_data("Svgp::bound_gradient", X, y, Z_.cols());
  check_ratios("Svgp::bound_gradient", r, X.rows());
  const Index m = Z_.rows(), d = Z_.cols();
  const double n = static_cast<double>(num_observations), share = n / static_cast<double>(X.rows());
  const double tau = hyper_.noise, variance = hyper_.kernel.variance;
  const RowScales rows(r);
  const Vector yc = rows.of(y.array() - hyper_.mean);
  const double weight = rows.weight(X.rows());
  const Whitened w = whiten(Linv_, gram_moments(hyper_.kernel, Z_, X, yc, rows.scale()));

  // E = mmᵀ + S − I: what q changes of the prior's second moments.
  Matrix E = S_;
  E.noalias() += mean_v_ * mean_v_.transpose();
  E.diagonal().array() -= 1.0;
  const double residual = yc.squaredNorm() - 2 * mean_v_.dot(w.Ay) + weight * variance + E.cwiseProduct(w.AAt).sum();
  const double kl = 0.5 * (S_.trace() + mean_v_.squaredNorm() - static_cast<double>(m) + log_det_);
  BoundGradient out;
  out.jitter = jitter_;
  out.bound =
      -0.5 * n * std::log(2 * std::numbers::pi * tau) - share * residual / (2 * tau) - kl - 0.5 * share * rows.log_ratios();

  // ∂F/∂A = (n/bτ)(m yᵀ − E A); through A = L⁻¹Kzx, and through L by the derivative of the Cholesky factor.
  const double scale = share / tau;
  const Matrix G_S = unwhiten(Linv_, E) * (-0.5 * scale);
  const Vector g = Linv_.triangularView<Eigen::Lower>().transpose() * (mean_v_ * scale);
  Matrix P = product(E, Trans::no, w.AAt, Trans::no) - mean_v_ * w.Ay.transpose();  // −(∂F/∂A) Aᵀ
  P *= scale;
  P.triangularView<Eigen::StrictlyUpper>().setZero();
  P.diagonal() *= 0.5;
  Matrix G_K = unwhiten(Linv_, P);
  G_K = 0.5 * (G_K + Matrix(G_K.transpose()));
  const KernelGradient data = contract_data(hyper_.kernel, Z_, X, yc, G_S, g, rows.scale());
  const KernelGradient inducing = contract_inducing(hyper_.kernel, Z_, G_K);
  out.gradient.resize(d + 3);
  out.gradient.head(d) = data.log_lengthscales + inducing.log_lengthscales;
  out.gradient(d) =
      data.log_variance + inducing.log_variance + jitter_ * variance * G_K.trace() - 0.5 * share * weight * variance / tau;
  out.gradient(d + 1) = -0.5 * n + share * residual / (2 * tau);
  out.gradient(d + 2) = scale * (rows.sum(yc) - mean_v_.dot(w.A1));
  return out;
}

Prediction Svgp::predict(const Matrix& X) const {
  check_points("Svgp::predict", "X", X, Z_.cols());
  Prediction out{Vector(X.rows()), Vector(X.rows())};
  parallel_blocks(X.rows(), 128, [&](Index a, Index b) {
    Matrix T = gram(hyper_.kernel, X.middleRows(a, b - a), Z_);
    multiply_rows(Linv_, 1.0, T.data(), T.rows());  // (L⁻¹k_Zx)ᵀ
    out.mean.segment(a, b - a) = T * mean_v_;
    const Vector variance =
        hyper_.kernel.variance - T.rowwise().squaredNorm().array() + (T * S_).cwiseProduct(T).rowwise().sum().array();
    out.variance.segment(a, b - a) = variance.cwiseMax(0.0);
  });
  out.mean.array() += hyper_.mean;
  return out;
}

void StochasticOptions::validate() const {
  const auto check = [](bool ok, const char* what, double got) {
    if (!ok) throw std::invalid_argument(fmt::format("StochasticOptions: {}, got {}", what, got));
  };
  check(batch_size >= 1, "batch_size must be at least 1", batch_size);
  check(max_steps >= 1, "max_steps must be at least 1", max_steps);
  check(learning_rate > 0 && std::isfinite(learning_rate), "learning_rate must be positive", learning_rate);
  check(natural_step > 0 && natural_step <= 1, "natural_step must lie in (0, 1]", natural_step);
}

namespace {

// Mini-batches in random order, every row once an epoch: estimates averaged over an epoch then hardly scatter.
class Batches {
 public:
  Batches(const Matrix& X, const Vector& y, const Vector& r, int size, Key key)
      : X_(X), y_(y), r_(r), size_(std::min<Index>(size, X.rows())), key_(key), order_(static_cast<std::size_t>(X.rows())) {
    std::iota(order_.begin(), order_.end(), Index{0});
  }
  [[nodiscard]] int per_epoch() const { return static_cast<int>(X_.rows() / size_); }

  void next(Matrix& X, Vector& y, Vector& r) {
    if (taken_ == 0) shuffle();
    X.resize(size_, X_.cols());
    y.resize(size_);
    r.resize(r_.size() == 0 ? 0 : size_);
    for (Index i = 0; i < size_; ++i) {
      const Index row = order_[static_cast<std::size_t>(taken_ * size_ + i)];
      X.row(i) = X_.row(row);
      y(i) = y_(row);
      if (r_.size() > 0) r(i) = r_(row);
    }
    taken_ = (taken_ + 1) % per_epoch();
  }

 private:
  void shuffle() {
    const Key key = key_.fold(epoch_++);
    for (std::size_t i = order_.size() - 1; i > 0; --i) std::swap(order_[i], order_[key.at(i).below(i + 1)]);
  }
  const Matrix& X_;
  const Vector &y_, &r_;
  Index size_, taken_ = 0;
  Key key_;
  std::uint64_t epoch_ = 0;
  std::vector<Index> order_;
};

// The mean of the last `count` numbers before the last `skip`.
double recent(const std::vector<double>& bounds, std::size_t count, std::size_t skip) {
  double sum = 0;
  for (std::size_t i = bounds.size() - skip - count; i < bounds.size() - skip; ++i) sum += bounds[i];
  return sum / static_cast<double>(count);
}

}  // namespace

FitSummary fit_stochastic(Hyperparameters& hyper, const Matrix& Z, const Matrix& X, const Vector& y, const FitOptions& bounds,
                          const StochasticOptions& options, Key key, const Vector& r) {
  options.validate();
  check_ratios("fit_stochastic", r, X.rows());
  const ParameterBox box(bounds, hyper.kernel.lengthscales.size());
  Batches batches(X, y, r, options.batch_size, key);
  const double rho = batches.per_epoch() == 1 ? 1.0 : options.natural_step;
  // Mini-batches scatter more than ten steps bring: there the schedule looks at fifty, and at two hundred for its end.
  const std::size_t window = rho == 1 ? 10 : 50, horizon = rho == 1 ? 100 : 200;
  Vector p = box.clamp(pack(hyper)), first = Vector::Zero(p.size()), second = first;
  Svgp model(unpack(p, hyper.kernel.type), Z);
  FitSummary summary;
  double rate = options.learning_rate;
  std::vector<double> seen;
  std::vector<Vector> places;
  std::size_t rested = 0;  // the step after which the rate was last halved
  Matrix Xb;
  Vector yb, rb;
  for (int step = 1; step <= options.max_steps; ++step) {
    // The gradient at a q(u) that has not seen this batch: one that has would take the batch's noise for signal.
    if (step == 1 || rho == 1) {
      batches.next(Xb, yb, rb);
      model.natural_step(Xb, yb, X.rows(), 1.0, rb);
    }
    if (rho < 1) batches.next(Xb, yb, rb);
    const BoundGradient at = model.bound_gradient(Xb, yb, X.rows(), rb);
    // q(u) steps as hyperparameters do, ever smaller: it is a mean over the last 2/ρ batches, and while these are few its
    // own scatter passes for noise of the data (experiments/paper/stochastic.cpp: a half to two thirds of the gap at n = 32 b).
    if (rho < 1) model.natural_step(Xb, yb, X.rows(), rho * rate / options.learning_rate, rb);
    ++summary.num_evaluations;
    summary.jitter = std::max(summary.jitter, at.jitter);
    if (step == 1) summary.initial_bound = at.bound;
    seen.push_back(at.bound);
    first = 0.9 * first + 0.1 * at.gradient;
    second = 0.999 * second + 0.001 * at.gradient.cwiseAbs2();
    const Vector direction =
        (first / (1 - std::pow(0.9, step))).array() / ((second / (1 - std::pow(0.999, step))).array().sqrt() + 1e-8);
    p = box.clamp(p + rate * direction);
    places.push_back(p);
    model.set_hyper(unpack(p, hyper.kernel.type));
    if (seen.size() >= rested + 2 * window && recent(seen, window, 0) <= recent(seen, window, window)) {
      rate *= 0.5;
      rested = seen.size();
    }
    if (seen.size() >= 2 * horizon && recent(seen, horizon, 0) - recent(seen, horizon, horizon) < 0.1) {
      summary.message = fmt::format("stochastic: stopped after {} steps, the last {} gained less than 0.1 nats", step, horizon);
      break;
    }
  }
  if (summary.message.empty()) summary.message = fmt::format("stochastic: stopped after {} steps", options.max_steps);
  // The mean of the last places scatters less than each of them.
  const std::size_t last = batches.per_epoch() == 1 ? 1 : std::min<std::size_t>(50, places.size());
  p.setZero();
  for (std::size_t i = places.size() - last; i < places.size(); ++i) p += places[i] / static_cast<double>(last);
  summary.bound = recent(seen, std::min<std::size_t>(100, seen.size()), 0);
  hyper = unpack(p, hyper.kernel.type);
  return summary;
}

}  // namespace salvo
