#include "space/allowed.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "space/described.h"
#include "space/domain.h"
#include "space/nearest.h"
#include "space/scale.h"

namespace salvo {
namespace {

using Index = Eigen::Index;

constexpr double kOften = 0.05;  // share of the cube from which on random points are drawn until one is allowed
constexpr int kDraws = 400;      // so often
constexpr int kHalvings = 30;    // of the way to a point that is allowed
constexpr int kLinearSteps = 10;

}  // namespace

Allowed::Allowed(const Encoding& plain, std::shared_ptr<const Where> where)
    : plain_(plain), where_(std::move(where)), dims_(plain.continuous_dims()) {
  const std::vector<Parameter>& parameters = where_->parameters();
  for (const int e : dims_)
    for (int i = 0; i < static_cast<int>(parameters.size()); ++i)
      if (plain_.offset(i) == e && std::holds_alternative<Float>(parameters[static_cast<std::size_t>(i)].domain) &&
          !where_->follows(i))
        parameter_.push_back(i);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto* fixed = std::get_if<Fixed>(&plain_.space().parameters()[i].domain);
    pinned_.push_back(fixed ? std::optional(seen_by_expressions(parameters[i], fixed->value)) : std::nullopt);
  }
  for (const Parameter& parameter : parameters) {
    std::vector<double>& seen = seen_.emplace_back();
    if (const auto* choices = choices_of(parameter.domain))
      for (const Value& each : *choices) seen.push_back(seen_by_expressions(parameter, each));
  }
  for (int j = 0; j < static_cast<int>(where_->conditions().size()); ++j)
    if (where_->conditions()[static_cast<std::size_t>(j)].has_gap()) smooth_.push_back(j);
  num_points_ = plain_.num_points();
  if (!any()) return;
  count_points();
  find_points();
}

std::int64_t Allowed::choice_of(int parameter, std::span<const double> x) const {
  const double* const at = x.data() + plain_.offset(parameter);
  if (const Described* described = plain_.described(parameter))
    return described->nearest({at, static_cast<std::size_t>(described->width())});
  return std::max_element(at, at + seen_[static_cast<std::size_t>(parameter)].size()) - at;
}

// Of those that vary by themselves; the others are 0.
std::vector<double> Allowed::values(std::span<const double> x) const {
  const std::vector<Parameter>& parameters = where_->parameters();
  std::vector<double> out(parameters.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double* const at = x.data() + plain_.offset(static_cast<int>(i));
    const Domain& domain = parameters[i].domain;
    if (where_->follows(static_cast<int>(i))) continue;
    if (pinned_[i])
      out[i] = *pinned_[i];
    else if (const auto* d = std::get_if<Float>(&domain))
      out[i] = decode_number(*d, *at);
    else if (const auto* n = std::get_if<Int>(&domain))
      out[i] = static_cast<double>(decode_number(*n, *at));
    else if (std::holds_alternative<Categorical>(domain))
      out[i] = seen_[i][static_cast<std::size_t>(choice_of(static_cast<int>(i), x))];
    else
      out[i] =
          seen_[i]
               [static_cast<std::size_t>(std::nearbyint(std::clamp(*at, 0.0, 1.0) * static_cast<double>(seen_[i].size() - 1)))];
  }
  return out;
}

bool Allowed::holds(std::span<const double> x) const {
  std::vector<double> v = values(x);
  return where_->holds(v);
}

bool Allowed::bring(std::span<double> x, Matrix* normals, double margin) const {
  if (normals) normals->resize(0, std::ssize(x));
  if (dims_.empty() || smooth_.empty()) return false;
  const auto c = static_cast<Index>(dims_.size()), k = static_cast<Index>(smooth_.size());
  Vector wanted(c), z(c);
  for (Index i = 0; i < c; ++i) wanted(i) = x[static_cast<std::size_t>(dims_[static_cast<std::size_t>(i)])];
  z = wanted.cwiseMax(0.0).cwiseMin(1.0);
  std::vector<double> at(x.begin(), x.end());
  Matrix G(k, c);
  Vector gap(k), most(k), lambda;
  std::vector<double> slopes(where_->parameters().size());
  bool moved = false;
  for (int step = 0; step < kLinearSteps; ++step) {
    for (Index i = 0; i < c; ++i) at[static_cast<std::size_t>(dims_[static_cast<std::size_t>(i)])] = z(i);
    std::vector<double> v = values(at);
    where_->follow(v);
    bool kept = true;
    for (Index j = 0; j < k; ++j) {
      const Condition& condition = where_->conditions()[static_cast<std::size_t>(smooth_[static_cast<std::size_t>(j)])];
      gap(j) = condition.gap_at(v);
      condition.slopes_at(v, slopes);
      for (const Follower& follower : where_->followers()) {
        const double by = std::exchange(slopes[static_cast<std::size_t>(follower.parameter)], 0.0);
        for (std::size_t p = 0; p < slopes.size() && by != 0; ++p) slopes[p] += by * follower.from.of[p];
      }
      for (Index i = 0; i < c; ++i) {
        const auto p = static_cast<std::size_t>(parameter_[static_cast<std::size_t>(i)]);
        G(j, i) = slopes[p] * number_slope(std::get<Float>(where_->parameters()[p].domain), z(i));
      }
      const double size = G.row(j).cwiseAbs().sum();
      if (!std::isfinite(gap(j)) || !std::isfinite(size)) return false;
      most(j) = margin * size;
      if (gap(j) < 0.5 * most(j)) kept = false;
    }
    if (kept && step > 0) break;
    if (kept) return false;
    moved = true;
    // g·z >= margin − gap + g·z_now
    const Vector least = most - gap + G * z;
    z = nearest_within(wanted, G, least, lambda);
  }
  if (!moved) return false;
  for (Index i = 0; i < c; ++i) x[static_cast<std::size_t>(dims_[static_cast<std::size_t>(i)])] = z(i);
  if (!normals) return true;
  // What holds it: conditions that press, and walls.
  std::vector<Eigen::RowVectorXd> found;
  const auto add = [&](Eigen::RowVectorXd next) {
    const double before = next.norm();
    for (const Eigen::RowVectorXd& other : found) next -= next.dot(other) * other;
    if (next.norm() > 1e-9 * before) found.emplace_back(next / next.norm());
  };
  for (Index i = 0; i < c; ++i)
    if (z(i) <= 0 || z(i) >= 1) {
      Eigen::RowVectorXd wall = Eigen::RowVectorXd::Zero(std::ssize(x));
      wall(dims_[static_cast<std::size_t>(i)]) = 1;
      add(wall);
    }
  for (Index j = 0; j < k; ++j)
    if (lambda(j) > 0) {
      Eigen::RowVectorXd normal = Eigen::RowVectorXd::Zero(std::ssize(x));
      for (Index i = 0; i < c; ++i) normal(dims_[static_cast<std::size_t>(i)]) = G(j, i);
      add(normal);
    }
  normals->resize(std::ssize(found), std::ssize(x));
  for (std::size_t j = 0; j < found.size(); ++j) normals->row(static_cast<Index>(j)) = found[j];
  return true;
}

void Allowed::repair(std::span<double> x) const {
  std::vector<double> brought(x.begin(), x.end());
  if (bring(brought)) {
    plain_.snap(brought);
    if (holds(brought)) {
      std::copy(brought.begin(), brought.end(), x.begin());
      return;
    }
  }
  // Half-way, and half-way again, to the nearest point known.
  Index nearest = 0;
  (known_.rowwise() - Eigen::Map<const Eigen::RowVectorXd>(x.data(), std::ssize(x))).rowwise().squaredNorm().minCoeff(&nearest);
  std::vector<double> best(static_cast<std::size_t>(known_.cols())), between(best.size());
  for (std::size_t e = 0; e < best.size(); ++e) best[e] = known_(nearest, static_cast<Index>(e));
  double inside = 0, outside = 1;
  for (int halving = 0; halving < kHalvings; ++halving) {
    const double t = 0.5 * (inside + outside);
    for (std::size_t e = 0; e < between.size(); ++e) between[e] = std::lerp(known_(nearest, static_cast<Index>(e)), x[e], t);
    plain_.snap(between);
    if (holds(between)) {
      inside = t;
      best = between;
    } else {
      outside = t;
    }
  }
  std::copy(best.begin(), best.end(), x.begin());
}

// Keeps the uniform distribution on the line: a place on it, and again nearer by while it is not allowed.
bool Allowed::move_along(std::span<double> x, Key key) const {
  Vector direction(std::ssize(dims_));
  key.fold("direction").fill_normal({direction.data(), dims_.size()});
  double low = -2 * std::sqrt(static_cast<double>(dims_.size())) / direction.norm(), high = -low;
  for (Index i = 0; i < direction.size(); ++i) {
    const double at = x[static_cast<std::size_t>(dims_[static_cast<std::size_t>(i)])];
    const double one = -at / direction(i), other = (1 - at) / direction(i);
    low = std::max(low, std::min(one, other));
    high = std::min(high, std::max(one, other));
  }
  std::vector<double> tried(x.begin(), x.end());
  for (std::uint64_t k = 0; k < 40; ++k) {
    const double t = low + (high - low) * key.fold("place").uniform(k);
    for (Index i = 0; i < direction.size(); ++i) {
      const auto e = static_cast<std::size_t>(dims_[static_cast<std::size_t>(i)]);
      tried[e] = std::clamp(x[e] + t * direction(i), 0.0, 1.0);
    }
    plain_.snap(tried);
    if (holds(tried)) {
      std::copy(tried.begin(), tried.end(), x.begin());
      return true;
    }
    (t < 0 ? low : high) = t;
  }
  return false;
}

void Allowed::walk(std::span<double> x, int steps, Key key) const {
  const std::vector<Encoding::Discrete>& discretes = plain_.discretes();
  std::vector<double> tried(x.size());
  for (int step = 0; step < steps; ++step) {
    const Key mine = key.fold(static_cast<std::uint64_t>(step));
    if (!dims_.empty()) (void)move_along(x, mine);
    for (std::size_t i = 0; i < discretes.size(); ++i) {
      const auto level =
          static_cast<std::int64_t>(mine.fold("level").at(i).below(static_cast<std::uint64_t>(discretes[i].num_levels)));
      std::copy(x.begin(), x.end(), tried.begin());
      plain_.set_level(discretes[i], level, tried);
      if (holds(tried)) std::copy(tried.begin(), tried.end(), x.begin());
    }
  }
}

void Allowed::draw(std::span<double> x, Key key) const {
  if (share_ >= kOften) {
    std::vector<double> u(static_cast<std::size_t>(plain_.num_free()));
    for (std::uint64_t k = 0; k < kDraws; ++k) {
      key.fold("draw").fold(k).fill_uniform(u);
      if (try_point(x, u)) return;
    }
  }
  const auto begin = static_cast<Index>(key.fold("begin").at(0).below(static_cast<std::uint64_t>(known_.rows())));
  for (std::size_t e = 0; e < x.size(); ++e) x[e] = known_(begin, static_cast<Index>(e));
  walk(x, kStepsOfAWalk + plain_.num_free() / 2, key.fold("walk"));
}

bool Allowed::try_point(std::span<double> x, std::span<const double> u) const {
  plain_.from_unit(u, x);
  plain_.snap(x);
  return holds(x);
}

}  // namespace salvo
