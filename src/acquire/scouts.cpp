#include "acquire/scouts.h"

#include <salvo/paths.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "acquire/success.h"
#include "sample/candidates.h"
#include "sample/taken.h"

namespace salvo {
namespace {

using Index = Eigen::Index;
constexpr double kHalf = 0.1;         // half the side of the box around a place
constexpr double kOften = 60;         // a place with more observations in its box was looked at often
constexpr Index kCounted = 20'000;    // of more observations than that a random part is counted …
constexpr double kFewestHits = 5;     // … and fewer hits than these are chance
constexpr Index kLooked = 3000;       // observations looked at for …
constexpr std::size_t kKept = 300;    // … those that the scouts' model holds
constexpr std::size_t kFewest = 20;   // fewer say nothing
constexpr double kLengthscale = 0.2;  // wide enough to see a well from beside it
constexpr int kEvaluations = 6;       // of the fit of its variance, noise and mean
constexpr int kFeatures = 250;        // of its prior: nobody climbs these functions
constexpr double kAlpha = 0.5;
constexpr int kMost = 1000;  // scouts of a batch
constexpr Index kCandidates = 4000, kForEach = 20;
constexpr int kPaths = 100;  // evaluated at once

// Tells places that were looked at often from others. Pending points count as looked at.
class Crowds {
 public:
  Crowds(const Situation& now, Key key) {
    const auto n = static_cast<Index>(now.by_trial.size());
    std::vector<std::int64_t> rows = now.by_trial;
    if (n > kCounted) {
      for (Index i = 0; i < kCounted; ++i) {
        const auto at = static_cast<std::uint64_t>(i);
        rows[at] = now.by_trial[key.at(at).below(static_cast<std::uint64_t>(n))];
      }
      rows.resize(kCounted);
      often_ = std::max(kFewestHits, kOften * static_cast<double>(kCounted) / static_cast<double>(n));
    }
    X_.resize(std::ssize(rows) + now.taken.rows(), now.space.num_dims());
    X_.topRows(std::ssize(rows)) = now.X(rows, Eigen::all);
    if (now.taken.rows() > 0) X_.bottomRows(now.taken.rows()) = now.taken;
  }
  [[nodiscard]] bool around(const Eigen::RowVectorXd& x) const {
    double count = 0;
    for (Index i = 0; i < X_.rows(); ++i) {
      Index e = 0;
      while (e < X_.cols() && std::abs(X_(i, e) - x(e)) < kHalf) ++e;
      if (e == X_.cols() && ++count > often_) return true;
    }
    return false;
  }

 private:
  Matrix X_;
  double often_ = kOften;
};

// Random observations where little was looked at; none when nothing was looked at often yet.
std::vector<std::int64_t> lone_observations(const Situation& now, const Crowds& crowds, Key key) {
  std::vector<std::int64_t> order = now.by_trial, lone;
  const auto n = static_cast<Index>(order.size());
  bool any_crowd = false;
  for (Index i = 0; i < std::min(n, kLooked) && lone.size() < kKept; ++i) {
    const auto at = static_cast<std::size_t>(i);
    std::swap(order[at], order[at + key.at(at).below(static_cast<std::uint64_t>(n - i))]);
    if (crowds.around(now.X.row(order[at])))
      any_crowd = true;
    else
      lone.push_back(order[at]);
  }
  if (!any_crowd || lone.size() < kFewest) lone.clear();
  return lone;
}

// Given, not learned: of so few values the evidence often speaks for noise, or for the longest that is allowed. No two
// neighbouring levels are strangers.
Vector lengthscales(const Encoding& space) {
  const int d = space.num_dims();
  Vector ell = Vector::Constant(d, kLengthscale * std::max(1.0, std::sqrt(d / 6.0)));
  for (const Encoding::Discrete& discrete : space.discretes()) {
    const auto steps = static_cast<double>(std::max<std::int64_t>(1, discrete.num_levels - 1));
    const double apart = discrete.is_one_hot() ? 1.0 : discrete.is_ordered() ? 1 / steps : std::pow(steps, -1.0 / discrete.width);
    ell.segment(discrete.offset, discrete.width) = ell.segment(discrete.offset, discrete.width).cwiseMax(apart);
  }
  return ell;
}

SparseGp scouts_model(const Situation& now, const Matrix& X, const Vector& y) {
  const int d = now.space.num_dims();
  std::vector<Index> distinct;
  Taken seen{Matrix(0, d)};
  for (Index i = 0; i < X.rows(); ++i)
    if (seen.insert({X.row(i).data(), static_cast<std::size_t>(d)})) distinct.push_back(i);
  const Matrix Z = X(distinct, Eigen::all);
  Hyperparameters hyper = now.gp.hyper();
  hyper.kernel.lengthscales = lengthscales(now.space);
  hyper.kernel.variance = 1;  // and not less: that of the first design
  const Vector& ell = hyper.kernel.lengthscales;
  (void)fit(hyper, Z, X, y - now.gp.trend().values(X),
            {.max_evaluations = kEvaluations, .min_lengthscales = ell, .max_lengthscales = ell});
  SparseGp gp(hyper, Z, now.gp.trend());
  gp.condition(X, y);
  return gp;
}

// Candidates that may still be sent to. Whether a place is crowded costs a look at all observations, so it is asked for
// those that some scout wants, once.
class Places {
 public:
  Places(const Situation& now, const Crowds& crowds, Matrix C)
      : C_(std::move(C)), gone_(static_cast<std::size_t>(C_.rows())), crowds_(crowds), taken_(now.taken) {
    if (!now.success || now.success->weight < 0.5) return;
    const Vector sure = now.success->gp.predict_mean(C_);
    for (std::size_t i = 0; i < gone_.size(); ++i) gone_[i] = sure(static_cast<Index>(i)) < now.success->least;
  }

  // The best by these values, which is gone then; −1: none is left.
  Index take(const Vector& values) {
    std::vector<Index> order(gone_.size());
    std::iota(order.begin(), order.end(), Index{0});
    std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return values(a) > values(b); });
    for (const Index i : order) {
      if (gone_[static_cast<std::size_t>(i)]) continue;
      gone_[static_cast<std::size_t>(i)] = true;
      if (!crowds_.around(C_.row(i)) && taken_.insert(row_of(C_, i))) return i;
    }
    return -1;
  }
  [[nodiscard]] const Matrix& all() const { return C_; }

 private:
  Matrix C_;
  std::vector<bool> gone_;  // sent to, crowded, taken, or likely to fail
  const Crowds& crowds_;
  Taken taken_;
};

}  // namespace

int num_scouts(double share, int batch, Key key) {
  const Key mine = key.fold("scouts").fold("share");
  int count = 0;
  for (int b = 0; b < batch && count < kMost; ++b) count += mine.uniform(static_cast<std::uint64_t>(b)) < share ? 1 : 0;
  return count;
}

Matrix scouts(const Situation& now) {
  const Key key = now.key.fold("scouts");
  const int count = num_scouts(now.model.scout_share, now.size, now.key);
  Matrix out(count, now.space.num_dims());
  if (count == 0 || now.space.continuous_dims().empty()) return out.topRows(0);
  const Timer timer(now.seconds.maximise);
  const Crowds crowds(now, key.fold("counted"));
  const std::vector<std::int64_t> lone = lone_observations(now, crowds, key.fold("rows"));
  if (lone.empty()) return out.topRows(0);
  const SparseGp gp = scouts_model(now, now.X(lone, Eigen::all), now.y(lone));
  Places places(now, crowds, random_points(now.space, std::max(kCandidates, kForEach * count), key.fold("candidates")));
  Index found = 0;
  for (int begin = 0; begin < count; begin += kPaths) {
    const Paths paths = draw_paths(gp, {.num_paths = std::min(kPaths, count - begin), .num_features = kFeatures, .alpha = kAlpha},
                                   key.fold("draw").fold(static_cast<std::uint64_t>(begin)));
    const Matrix values = paths.values(places.all());
    for (int b = 0; b < paths.size(); ++b) {
      const Index best = places.take(values.col(b));
      if (best >= 0) out.row(found++) = places.all().row(best);
    }
  }
  return out.topRows(found);
}

}  // namespace salvo
