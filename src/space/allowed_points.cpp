#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "space/allowed.h"

namespace salvo {
namespace {

using Index = Eigen::Index;

constexpr Index kKnown = 1024;         // points to begin walks at
constexpr int kTries = 50'000;         // random points to find them …
constexpr int kHopeless = 300'000;     // … and as many where none of those was allowed
constexpr Index kEnough = 32;          // of them; fewer are spread by walks
constexpr Index kSought = 256;         // points of a region with levels to look for one by one …
constexpr Index kSeeking = 300'000;    // … and how often a point is looked at for that, at most …
constexpr Index kLooking = 6'000'000;  // … and the coordinates of all of them
constexpr int kRounds = 100;           // over the levels, for each of them
constexpr double kCounted = 1e5;       // points of a finite space

std::span<double> row(Matrix& X, Index i) { return {X.row(i).data(), static_cast<std::size_t>(X.cols())}; }

}  // namespace

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
    // Inside, where there is room: walks from a corner are long in coming out of it.
    const Matrix from = found.row(count);
    for (const double margin : {0.1, 0.03, 0.01, 1e-3, 1e-5, kMargin}) {
      found.row(count) = from;
      if (!bring(row(found, count), nullptr, margin)) continue;
      Matrix there = found.row(count);
      if (margin > kMargin && bring(row(there, 0), nullptr, margin)) continue;  // so far from every edge there is nothing
      plain_.snap(row(found, count));
      if (!holds(row(found, count))) continue;
      ++count;
      break;
    }
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
