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

constexpr Index kKnown = 1024;         // points to begin walks at
constexpr int kTries = 50'000;         // random points to find them …
constexpr int kHopeless = 2'000'000;   // … and as many where none of those was allowed
constexpr Index kEnough = 32;          // of them; fewer are spread by walks
constexpr Index kSought = 256;         // points of a region with levels to look for one by one …
constexpr Index kSeeking = 300'000;    // … and how often a point is looked at for that, at most …
constexpr Index kLooking = 6'000'000;  // … and the coordinates of all of them
constexpr int kRounds = 100;           // over the levels, for each of them
constexpr double kOften = 0.05;        // share of the cube from which on random points are drawn until one is allowed
constexpr int kDraws = 400;            // so often
constexpr double kCounted = 1e5;       // points of a finite space
constexpr int kStepsOfAWalk = 8;       // and one for every two parameters
constexpr int kHalvings = 30;          // of the way to a point that is allowed
constexpr int kLinearSteps = 10;
constexpr double kMargin = 0x1p-38;  // of a coordinate: coordinates are multiples of 2^-40

std::span<double> row(Matrix& X, Index i) { return {X.row(i).data(), static_cast<std::size_t>(X.cols())}; }

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

bool Allowed::bring(std::span<double> x, Matrix* normals) const {
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
      most(j) = kMargin * size;
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

void Allowed::count_points() {
  if (!(num_points_ <= kCounted)) return;
  const double all = num_points_;
  std::vector<double> x(static_cast<std::size_t>(plain_.num_dims()));
  plain_.snap(x);
  num_points_ = 0;
  for (double i = 0; i < all; ++i) {
    if (holds(x)) ++num_points_;
    (void)plain_.next(x);
  }
}

void Allowed::find_points() {
  const Key key = Key(0).fold("allowed");
  const Index d = plain_.num_dims();
  Matrix found(kKnown, d);
  std::vector<double> u(static_cast<std::size_t>(plain_.num_free()));
  Index count = 0;
  int tries = 0;
  for (; count < kKnown && tries < (count == 0 && smooth_.empty() ? kHopeless : kTries); ++tries) {
    key.fold("try").fold(static_cast<std::uint64_t>(tries)).fill_uniform(u);
    if (try_point(row(found, count), u)) ++count;
  }
  share_ = static_cast<double>(count) / tries;
  if (count == kKnown) {
    known_ = std::move(found);
    return;
  }
  // Too few: some more by moving random points into the region, and walks from all of them.
  for (int k = 0; count < kEnough && k < 10 * static_cast<int>(kEnough) && (count > 0 || k < kEnough); ++k) {
    key.fold("move").fold(static_cast<std::uint64_t>(k)).fill_uniform(u);
    plain_.from_unit(u, row(found, count));
    if (!bring(row(found, count))) continue;
    plain_.snap(row(found, count));
    if (holds(row(found, count))) ++count;
  }
  if (count < kEnough && !plain_.discretes().empty()) {
    std::vector<double> usual(where_->conditions().size(), 1e-300), x(static_cast<std::size_t>(d));
    for (std::uint64_t k = 0; k < 100; ++k) {
      key.fold("try").fold(k).fill_uniform(u);
      (void)try_point(x, u);
      const std::vector<double> misses = missing(x);
      for (std::size_t j = 0; j < usual.size(); ++j) usual[j] = std::max(usual[j], misses[j]);
    }
    Index left = std::min(kSeeking, kLooking / d);
    for (std::uint64_t k = 0; count < kSought && left > 0; ++k) {
      const Key mine = key.fold("seek").fold(k);
      mine.fold("begin").fill_uniform(u);
      plain_.from_unit(u, row(found, count));
      if (seek(row(found, count), usual, left, mine)) ++count;
    }
  }
  for (double i = 0; count == 0 && num_points_ > 0 && plain_.num_points() <= kCounted && i < plain_.num_points(); ++i) {
    if (i == 0) plain_.snap(row(found, 0));
    if (holds(row(found, 0)))
      count = 1;
    else
      (void)plain_.next(row(found, 0));
  }
  if (count == 0) throw std::invalid_argument(hardest(key));
  known_.resize(kKnown, d);
  const Index walkers = std::max(count, kEnough);
  const int far = 20 + static_cast<int>(10 * d * kEnough / walkers), further = kStepsOfAWalk + plain_.num_free() / 2;
  for (Index i = 0; i < kKnown; ++i) {
    const bool begins = i < walkers;
    if (begins)
      known_.row(i) = found.row(i % count);
    else
      known_.row(i) = known_.row(i - walkers);
    walk(row(known_, i), begins ? far : further, key.fold("walk").fold(static_cast<std::uint64_t>(i)));
  }
}

// By how much each condition is missed: its gap, or the difference of what should be equal, or 1.
std::vector<double> Allowed::missing(std::span<const double> x) const {
  std::vector<double> v = values(x);
  where_->follow(v);
  std::vector<double> out;
  for (const Condition& condition : where_->conditions()) {
    double miss = 0;
    if (!condition.holds(v)) {
      const Expression::Node* what = condition.node >= 0 ? &condition.expression->node(condition.node) : nullptr;
      if (condition.has_gap())
        miss = -condition.gap_at(v);
      else if (what && what->op == Expression::Op::equal)
        miss = std::abs(condition.expression->value(what->of[0], v) - condition.expression->value(what->of[1], v));
      else
        miss = 1;
      miss = std::isfinite(miss) ? std::max(miss, 1e-300) : 1e300;
    }
    out.push_back(miss);
  }
  return out;
}

// Moves a point into the region level by level: each parameter to the one with which the least is missing, from where nothing
// helps one at random. `usual`: how much is missing of each condition elsewhere.
bool Allowed::seek(std::span<double> x, const std::vector<double>& usual, Eigen::Index& left, Key key) const {
  const auto lack = [&](std::span<const double> at) {
    --left;
    const std::vector<double> misses = missing(at);
    double out = 0;
    for (std::size_t j = 0; j < misses.size(); ++j)
      if (misses[j] > 0) out += 1e-3 + std::min(misses[j] / usual[j], 1e3);
    return out;
  };
  const std::vector<Encoding::Discrete>& discretes = plain_.discretes();
  plain_.snap(x);
  double now = lack(x);
  std::vector<double> best(x.begin(), x.end()), tried = best;
  for (int round = 0; round < kRounds && now > 0 && left > 0; ++round) {
    const Key mine = key.fold(static_cast<std::uint64_t>(round));
    const double before = now;
    const auto take_best = [&](double next) {
      if (next >= now) return;
      now = next;
      std::copy(best.begin(), best.end(), x.begin());
    };
    std::copy(x.begin(), x.end(), best.begin());
    if (bring(best)) {
      plain_.snap(best);
      take_best(lack(best));
    }
    const auto first = static_cast<std::size_t>(mine.fold("first").at(0).below(discretes.size()));
    for (std::size_t k = 0; k < discretes.size() && now > 0; ++k) {
      const Encoding::Discrete& discrete = discretes[(first + k) % discretes.size()];
      const std::int64_t level = plain_.level(discrete, x), last = discrete.num_levels - 1;
      double least = now;
      const auto try_level = [&](std::int64_t other) {
        if (other < 0 || other > last || other == level) return;
        std::copy(x.begin(), x.end(), tried.begin());
        plain_.set_level(discrete, other, tried);
        if (const double next = lack(tried); next < least) {
          least = next;
          best = tried;
        }
      };
      if (last < 16) {
        for (std::int64_t other = 0; other <= last; ++other) try_level(other);
      } else {
        for (std::int64_t step = 1; step <= last && step <= std::int64_t{1} << 61; step *= 2) {
          try_level(level - step);
          if (step <= last - level) try_level(level + step);
        }
        for (std::uint64_t any = 0; any < 4; ++any)
          try_level(static_cast<std::int64_t>(mine.fold("level")
                                                  .fold(any)
                                                  .at(static_cast<std::uint64_t>(discrete.offset))
                                                  .below(static_cast<std::uint64_t>(last + 1))));
      }
      take_best(least);
    }
    if (now > 0 && now >= before) {
      const Encoding::Discrete& discrete = discretes[first];
      plain_.set_level(
          discrete, static_cast<std::int64_t>(mine.fold("kick").at(0).below(static_cast<std::uint64_t>(discrete.num_levels))), x);
      now = lack(x);
    }
  }
  return now == 0;
}

// What to say when nothing was found: the condition that the fewest random points keep.
std::string Allowed::hardest(Key key) const {
  std::vector<int> kept(where_->conditions().size());
  std::vector<double> u(static_cast<std::size_t>(plain_.num_free())), x(static_cast<std::size_t>(plain_.num_dims()));
  constexpr int kAsked = 10'000;
  for (int k = 0; k < kAsked; ++k) {
    key.fold("try").fold(static_cast<std::uint64_t>(k)).fill_uniform(u);
    plain_.from_unit(u, x);
    plain_.snap(x);
    std::vector<double> v = values(x);
    where_->follow(v);
    for (std::size_t j = 0; j < kept.size(); ++j) kept[j] += where_->conditions()[j].holds(v) ? 1 : 0;
  }
  const auto j = static_cast<std::size_t>(std::min_element(kept.begin(), kept.end()) - kept.begin());
  return fmt::format("no point was found that keeps every condition; \"{}\" is the hardest: {} of {} random points keep it",
                     where_->conditions()[j].text, kept[j], kAsked);
}

}  // namespace salvo
