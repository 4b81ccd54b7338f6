#include "search/pool_spread.h"

#include <algorithm>
#include <cmath>

#include "math/hypervolume.h"

namespace salvo {
namespace {

using Rows = std::vector<std::int64_t>;
constexpr int kListed = 4000;                   // candidates that are weighed against each other, about …
constexpr int kFewestEach = 8, kMostEach = 64;  // … and of each member at least and at most

class Spreading {
 public:
  Spreading(const PoolTogether& samples, const compute::PoolWorth& worth, const KnownFront& front, const Rows& rows)
      : worth_(worth), front_(front), rows_(rows), free_(rows.size(), true) {
    for (int o = 0; o < worth.num_outputs(); ++o) values_.push_back(samples.values(static_cast<std::size_t>(o), rows));
  }

  // The place among the rows, and that it is taken; −1: nothing adds anything.
  Eigen::Index next(int member) {
    const Matrix shares = shares_of(member);
    const auto known = front_.shares.rows(), chosen = std::ssize(chosen_);
    Matrix all(known + chosen, shares.cols());
    all.topRows(known) = front_.shares;
    all.bottomRows(chosen) = shares(chosen_, Eigen::all);
    // As among searches of a space: every second one counts from a little below the worst of the best at most.
    const Boxes left = undominated(all, member % 2 == 0 ? Vector(front_.reference.cwiseMax(0.0)) : front_.reference);
    Eigen::Index best = -1;
    double most = 0;
    for (Eigen::Index i = 0; i < shares.rows(); ++i) {
      if (!free_[static_cast<std::size_t>(i)] || !allowed(i, member)) continue;
      const double gain = improvement(left, shares.row(i));
      if (gain > most) {
        most = gain;
        best = i;
      }
    }
    if (best >= 0) take(best);
    return best;
  }

  // The first of these rows that is free, and that it is taken; −1: none is.
  Eigen::Index first_of(const Rows& list) {
    for (const std::int64_t row : list) {
      const auto at = std::lower_bound(rows_.begin(), rows_.end(), row) - rows_.begin();
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

  [[nodiscard]] Matrix shares_of(int member) const {
    Matrix out(std::ssize(rows_), worth_.num_objectives());
    for (Eigen::Index k = 0; k < out.cols(); ++k)
      for (Eigen::Index i = 0; i < out.rows(); ++i) {
        const auto at = static_cast<std::size_t>(k);
        out(i, k) = near_share(front_.scales[at].share(values_[at](i, member)));
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
  const Rows& rows_;
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
    Eigen::Index at = spreading.next(b);
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
