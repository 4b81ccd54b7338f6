#include "search/pool_spread.h"

#include <algorithm>
#include <cmath>

#include "math/hypervolume.h"

namespace salvo {
namespace {

using Rows = std::vector<std::int64_t>;
constexpr int kListed = 4000;                   // candidates that are weighed against each other, about …
constexpr int kFewestEach = 8, kMostEach = 64;  // … and of each member at least and at most
constexpr Eigen::Index kLongest = 300;          // points of the known front that gains are counted beside, spread along it
constexpr double kWeighed = 3e8;                // candidates × boxes × members: with more, members weigh their own best alone

// Some of a long front, from end to end.
Matrix some_of(const Matrix& front) {
  if (front.rows() <= kLongest) return front;
  Matrix out(kLongest, front.cols());
  for (Eigen::Index i = 0; i < kLongest; ++i) out.row(i) = front.row(i * (front.rows() - 1) / (kLongest - 1));
  return out;
}

class Spreading {
 public:
  Spreading(const PoolTogether& samples, const compute::PoolWorth& worth, const KnownFront& front, const Rows& rows)
      : worth_(worth), front_(front), known_(some_of(front.shares)), rows_(rows), free_(rows.size(), true) {
    for (int o = 0; o < worth.num_outputs(); ++o) values_.push_back(samples.values(static_cast<std::size_t>(o), rows));
    const auto members = static_cast<double>(worth.num_members());
    const double boxes = (static_cast<double>(known_.rows()) + members) * (worth.num_objectives() > 2 ? 2 : 1);
    weighs_all_ = static_cast<double>(rows.size()) * boxes * members <= kWeighed;
  }

  // The place among the rows, and that it is taken; −1: nothing adds anything. list: the member's own best.
  Eigen::Index next(int member, const Rows& list) {
    const auto known = known_.rows(), chosen = std::ssize(chosen_);
    Matrix all(known + chosen, worth_.num_objectives());
    all.topRows(known) = known_;
    for (Eigen::Index i = 0; i < chosen; ++i) all.row(known + i) = shares_at(chosen_[static_cast<std::size_t>(i)], member);
    // As among searches of a space: every second one counts from a little below the worst of the best at most.
    const Boxes left = undominated(all, member % 2 == 0 ? Vector(front_.reference.cwiseMax(0.0)) : front_.reference);
    Eigen::Index best = -1;
    double most = 0;
    const auto weigh = [&](Eigen::Index at) {
      if (!free_[static_cast<std::size_t>(at)] || !allowed(at, member)) return;
      const double gain = improvement(left, shares_at(at, member));
      if (!(gain > most)) return;
      most = gain;
      best = at;
    };
    if (weighs_all_)
      for (Eigen::Index at = 0; at < std::ssize(rows_); ++at) weigh(at);
    else
      for (const std::int64_t row : list) weigh(place_of(row));
    if (best >= 0) take(best);
    return best;
  }

  // The first of these rows that is free, and that it is taken; −1: none is.
  Eigen::Index first_of(const Rows& list) {
    for (const std::int64_t row : list) {
      const Eigen::Index at = place_of(row);
      if (!free_[static_cast<std::size_t>(at)]) continue;
      take(at);
      return at;
    }
    return -1;
  }

 private:
  void take(Eigen::Index at) {
    free_[static_cast<std::size_t>(at)] = false;
    chosen_.push_back(at);
  }

  [[nodiscard]] Eigen::Index place_of(std::int64_t row) const {
    return std::lower_bound(rows_.begin(), rows_.end(), row) - rows_.begin();
  }

  [[nodiscard]] Eigen::RowVectorXd shares_at(Eigen::Index at, int member) const {
    Eigen::RowVectorXd out(worth_.num_objectives());
    for (Eigen::Index k = 0; k < out.size(); ++k) {
      const auto objective = static_cast<std::size_t>(k);
      out(k) = near_share(front_.scales[objective].share(values_[objective](at, member)));
    }
    return out;
  }

  [[nodiscard]] bool allowed(Eigen::Index row, int member) const {
    for (Eigen::Index c = 0; c < worth_.low.rows(); ++c) {
      const double g = values_[static_cast<std::size_t>(worth_.num_objectives() + c)](row, member);
      if (g < worth_.low(c, member) || g > worth_.high(c, member)) return false;
    }
    return true;
  }

  const compute::PoolWorth& worth_;
  const KnownFront& front_;
  Matrix known_;  // of the front's shares, as many as are counted
  const Rows& rows_;
  bool weighs_all_;
  std::vector<Matrix> values_;  // of each output [rows,B]
  std::vector<bool> free_;
  std::vector<Eigen::Index> chosen_;
};

Rows union_of(const std::vector<Rows>& lists) {
  Rows out;
  for (const Rows& list : lists) out.insert(out.end(), list.begin(), list.end());
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace

std::vector<std::int64_t> spread_along(const PoolTogether& samples, const compute::PoolWorth& worth, const KnownFront& front,
                                       std::span<const std::int64_t> taken) {
  const int B = samples.num_members();
  const std::vector<Rows> lists = samples.best(worth, std::clamp(kListed / B, kFewestEach, kMostEach), taken);
  const Rows rows = union_of(lists);
  Spreading spreading(samples, worth, front, rows);
  Rows out;
  for (int b = 0; b < B; ++b) {
    Eigen::Index at = spreading.next(b, lists[static_cast<std::size_t>(b)]);
    if (at < 0) at = spreading.first_of(lists[static_cast<std::size_t>(b)]);
    if (at >= 0) out.push_back(rows[static_cast<std::size_t>(at)]);
  }
  if (std::ssize(out) == B) return out;
  // Members that agree about a few candidates: the others take what is best beside these.
  Rows closed(taken.begin(), taken.end());
  closed.insert(closed.end(), out.begin(), out.end());
  for (const std::int64_t row : samples.choose(worth, closed).rows)
    if (std::ssize(out) < B) out.push_back(row);
  return out;
}

}  // namespace salvo
