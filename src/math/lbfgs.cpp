#include "math/lbfgs.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/parallel.h"

namespace salvo {
namespace {

constexpr double kArmijo = 1e-4;

// One maximisation: its point, its memory of curvature, and the step it is trying.
class Search {
 public:
  Search(const LbfgsOptions& options, Vector x, Vector low, Vector high)
      : options_(&options), x_(std::move(x)), low_(std::move(low)), high_(std::move(high)) {
    x_ = x_.cwiseMax(low_).cwiseMin(high_);
    trial_ = x_;
    const Curvature& known = options.curvature;
    for (Eigen::Index k = 0; k < known.steps.rows(); ++k) remember(known.steps.row(k), known.changes.row(k));
  }

  bool running() const { return running_; }
  const Vector& trial() const { return trial_; }
  const Vector& x() const { return x_; }
  double f() const { return f_; }
  int num_evaluations() const { return evaluations_; }
  Curvature curvature() const {
    const auto k = static_cast<Eigen::Index>(memory_.size());
    Curvature out{Matrix(k, x_.size()), Matrix(k, x_.size())};
    for (Eigen::Index i = 0; i < k; ++i) {
      out.steps.row(i) = memory_[static_cast<std::size_t>(i)].s;
      out.changes.row(i) = memory_[static_cast<std::size_t>(i)].y;
    }
    return out;
  }

  // Takes the value and gradient at trial() and moves to the next trial point.
  void advance(double f, const Vector& g) {
    ++evaluations_;
    const bool good = std::isfinite(f) && g.allFinite();
    if (evaluations_ == 1) {
      f_ = good ? f : -std::numeric_limits<double>::infinity();
      if (!good) return stop();
      g_ = g;
      return begin_step();
    }
    const Vector s = trial_ - x_;
    const double rise = g_.dot(s);  // predicted by the gradient; > 0 by construction
    if (good && f >= f_ + kArmijo * rise) {
      const double gain = f - f_;
      remember(s, g_ - g);  // we maximise: curvature of −f
      x_ = trial_;
      f_ = f;
      g_ = g;
      step_ = 1.0;
      if (gain < options_->tolerance) return stop();
      return begin_step();
    }
    // The parabola through f, its slope and the rejected value; halving or so when there is none.
    const double curvature = good ? rise - (f - f_) : 0;
    const double shrink = curvature > 0 ? std::clamp(0.5 * rise / curvature, 0.1, 0.5) : 0.25;
    step_ *= shrink;
    if (step_ < 1e-6) return begin_afresh();
    try_step();
  }

 private:
  void stop() { running_ = false; }

  void begin_step() {
    if (evaluations_ >= options_->max_evaluations) return stop();
    direction_ = ascent_direction();
    const double slope = direction_.dot(g_);
    if (!(slope > 1e-14 * (1.0 + std::abs(f_)))) return begin_afresh();  // no way up inside the box
    // By the curvature that is known the step gains half of the slope. Where that is half of what counts it is not made.
    if (!memory_.empty() && slope < options_->tolerance) return stop();
    step_ = 1.0;
    try_step();
  }

  // What memory says leads nowhere (it disagrees with the bounds, or is of another function): forget it and go uphill.
  void begin_afresh() {
    if (memory_.empty()) return stop();
    memory_.clear();
    begin_step();
  }

  void try_step() {
    if (evaluations_ >= options_->max_evaluations) return stop();
    trial_ = (x_ + step_ * direction_).cwiseMax(low_).cwiseMin(high_);
    if (!(g_.dot(trial_ - x_) > 0)) begin_afresh();
  }

  Vector ascent_direction() const {
    const auto free = ((x_.array() <= low_.array() && g_.array() < 0) || (x_.array() >= high_.array() && g_.array() > 0) ||
                       low_.array() >= high_.array())
                          .select(Eigen::ArrayXd::Zero(x_.size()), Eigen::ArrayXd::Ones(x_.size()))
                          .eval();
    Vector q = g_.array() * free;
    if (memory_.empty()) {
      const double length = q.norm();
      return length > 0 ? Vector(q * (options_->first_step / length)) : q;
    }
    std::vector<double> a(memory_.size());
    for (std::size_t i = memory_.size(); i-- > 0;) {  // two-loop recursion
      a[i] = memory_[i].rho * memory_[i].s.dot(q);
      q -= a[i] * memory_[i].y;
    }
    const Pair& last = memory_.back();
    q *= 1.0 / (last.rho * last.y.squaredNorm());
    for (std::size_t i = 0; i < memory_.size(); ++i) q += (a[i] - memory_[i].rho * memory_[i].y.dot(q)) * memory_[i].s;
    q.array() *= free;
    const double largest = q.cwiseAbs().maxCoeff();
    return largest > 1.0 ? Vector(q / largest) : q;  // never further than the unit box in one step
  }

  void remember(const Vector& s, const Vector& y) {
    const double sy = s.dot(y);
    if (sy <= 1e-10 * s.norm() * y.norm()) return;
    if (static_cast<int>(memory_.size()) == options_->history) memory_.erase(memory_.begin());
    memory_.push_back({s, y, 1.0 / sy});
  }

  struct Pair {
    Vector s, y;
    double rho;
  };
  const LbfgsOptions* options_;
  Vector x_, low_, high_, g_, trial_, direction_;
  double f_ = 0, step_ = 1.0;
  int evaluations_ = 0;
  bool running_ = true;
  std::vector<Pair> memory_;
};

}  // namespace

LbfgsResult lbfgs_maximise(const BatchFunction& function, const Matrix& X0, const Matrix& low, const Matrix& high,
                           const LbfgsOptions& options) {
  const Eigen::Index K = X0.rows(), d = X0.cols();
  std::vector<Search> searches;
  searches.reserve(static_cast<std::size_t>(K));
  for (Eigen::Index k = 0; k < K; ++k) searches.emplace_back(options, X0.row(k), low.row(k), high.row(k));

  Matrix X, G;
  Vector f;
  std::vector<int> which;
  while (true) {
    which.clear();
    for (Eigen::Index k = 0; k < K; ++k)
      if (searches[static_cast<std::size_t>(k)].running()) which.push_back(static_cast<int>(k));
    if (which.empty()) break;
    const auto running = static_cast<Eigen::Index>(which.size());
    X.resize(running, d);
    for (Eigen::Index a = 0; a < running; ++a)
      X.row(a) = searches[static_cast<std::size_t>(which[static_cast<std::size_t>(a)])].trial();
    function(X, which, f, G);
    parallel_blocks(running, 64, [&](Eigen::Index begin, Eigen::Index end) {
      for (Eigen::Index a = begin; a < end; ++a)
        searches[static_cast<std::size_t>(which[static_cast<std::size_t>(a)])].advance(f(a), G.row(a));
    });
  }

  LbfgsResult result{Matrix(K, d), Vector(K), std::vector<int>(static_cast<std::size_t>(K)), {}};
  for (Eigen::Index k = 0; k < K; ++k) {
    const Search& search = searches[static_cast<std::size_t>(k)];
    result.X.row(k) = search.x();
    result.f(k) = search.f();
    result.num_evaluations[static_cast<std::size_t>(k)] = search.num_evaluations();
  }
  if (K > 0) result.curvature = searches.front().curvature();
  return result;
}

}  // namespace salvo
