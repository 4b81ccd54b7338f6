#include "search/pool_spread.h"

#include <algorithm>
#include <cmath>

#include "math/hypervolume.h"
#include "math/parallel.h"

namespace salvo {
namespace {

using Rows = std::vector<std::int64_t>;
constexpr int kListed = 4000;                   // candidates that are weighed against each other, about …
constexpr int kFewestEach = 8, kMostEach = 64;  // … and of each member at least and at most
constexpr Eigen::Index kLongestFront = 300;     // points of the known front that gains are counted beside, spread along it
constexpr double kWeighed = 3e8;                // candidates × boxes × members: with more, members weigh their own best alone
constexpr Eigen::Index kBlock = 32;

// Some of a long front, from end to end.
Matrix some_of(const Matrix& front) {
  if (front.rows() <= kLongestFront) return front;
  Matrix out(kLongestFront, front.cols());
  for (Eigen::Index i = 0; i < kLongestFront; ++i) out.row(i) = front.row(i * (front.rows() - 1) / (kLongestFront - 1));
  return out;
}

// The samples' values where members look: of every listed candidate for every member while these are few, else of each member's
// own candidates, and of what was chosen before it: all of a large batch would be gigabytes, and most of them never looked at.
class Spreading {
 public:
  Spreading(const PoolTogether& samples, const compute::PoolWorth& worth, const KnownFront& front, const Rows& rows,
            const std::vector<Rows>& lists)
      : samples_(samples),
        worth_(worth),
        front_(front),
        known_(some_of(front.shares)),
        rows_(rows),
        lists_(lists),
        free_(rows.size(), true) {
    const auto members = static_cast<double>(worth.num_members());
    const double boxes = (static_cast<double>(known_.rows()) + members) * (worth.num_objectives() > 2 ? 2 : 1);
    weighs_all_ = static_cast<double>(rows.size()) * boxes * members <= kWeighed;
    for (std::size_t o = 0; o < num_outputs(); ++o) values_.push_back(weighs_all_ ? samples.values(o, rows) : listed(o));
  }

  // The place among the rows, and that it is taken; −1: nothing adds anything.
  Eigen::Index next(int member) {
    // As among searches of a space: every second one counts from a little below the worst of the best at most.
    const Boxes left =
        undominated(known_for(member), member % 2 == 0 ? Vector(front_.reference.cwiseMax(0.0)) : front_.reference);
    const Rows& list = lists_[static_cast<std::size_t>(member)];
    Eigen::Index best = -1;
    double most = 0;
    const auto weigh = [&](Eigen::Index at, Eigen::Index row, Eigen::Index column) {
      if (!free_[static_cast<std::size_t>(at)] || !allowed(row, column, member)) return;
      const double gain = improvement(left, shares_at(row, column));
      if (!(gain > most)) return;
      most = gain;
      best = at;
    };
    if (weighs_all_)
      for (Eigen::Index at = 0; at < std::ssize(rows_); ++at) weigh(at, at, member);
    else
      for (Eigen::Index i = 0; i < std::ssize(list); ++i) weigh(place_of(list[static_cast<std::size_t>(i)]), member, i);
    if (best >= 0) take(best);
    return best;
  }

  // The first of the member's own best that is free, and that it is taken; −1: none is.
  Eigen::Index first_of(int member) {
    for (const std::int64_t row : lists_[static_cast<std::size_t>(member)]) {
      const Eigen::Index at = place_of(row);
      if (!free_[static_cast<std::size_t>(at)]) continue;
      take(at);
      return at;
    }
    return -1;
  }

 private:
  [[nodiscard]] std::size_t num_outputs() const { return static_cast<std::size_t>(worth_.num_outputs()); }

  // Of an output, for each member, at its own candidates [B,depth].
  [[nodiscard]] Matrix listed(std::size_t output) const {
    std::size_t longest = 0;
    for (const Rows& list : lists_) longest = std::max(longest, list.size());
    Matrix out = Matrix::Zero(std::ssize(lists_), static_cast<Eigen::Index>(longest));
    parallel_blocks(out.rows(), kBlock, [&](Eigen::Index begin, Eigen::Index end) {
      for (Eigen::Index b = begin; b < end; ++b) {
        const Rows& list = lists_[static_cast<std::size_t>(b)];
        for (std::size_t i = 0; i < list.size(); ++i)
          out(b, static_cast<Eigen::Index>(i)) = samples_.value(output, static_cast<int>(b), samples_.features(output, list[i]));
      }
    });
    return out;
  }

  void take(Eigen::Index at) {
    free_[static_cast<std::size_t>(at)] = false;
    chosen_.push_back(at);
    if (weighs_all_) return;
    std::vector<std::vector<double>>& mine = chosen_features_.emplace_back();
    for (std::size_t k = 0; k < front_.scales.size(); ++k)
      mine.push_back(samples_.features(k, rows_[static_cast<std::size_t>(at)]));
  }

  [[nodiscard]] Eigen::Index place_of(std::int64_t row) const {
    return std::lower_bound(rows_.begin(), rows_.end(), row) - rows_.begin();
  }

  // The front, and what those before the member chose, by its own samples.
  [[nodiscard]] Matrix known_for(int member) const {
    const auto known = known_.rows(), chosen = std::ssize(chosen_);
    Matrix out(known + chosen, worth_.num_objectives());
    out.topRows(known) = known_;
    parallel_blocks(chosen, kBlock, [&](Eigen::Index begin, Eigen::Index end) {
      for (Eigen::Index i = begin; i < end; ++i) {
        const auto at = static_cast<std::size_t>(i);
        for (std::size_t k = 0; k < front_.scales.size(); ++k)
          out(known + i, static_cast<Eigen::Index>(k)) =
              share(k, weighs_all_ ? values_[k](chosen_[at], member) : samples_.value(k, member, chosen_features_[at][k]));
      }
    });
    return out;
  }

  [[nodiscard]] double share(std::size_t objective, double value) const {
    return near_share(front_.scales[objective].share(value));
  }

  [[nodiscard]] Eigen::RowVectorXd shares_at(Eigen::Index row, Eigen::Index column) const {
    Eigen::RowVectorXd out(worth_.num_objectives());
    for (std::size_t k = 0; k < front_.scales.size(); ++k) out(static_cast<Eigen::Index>(k)) = share(k, values_[k](row, column));
    return out;
  }

  [[nodiscard]] bool allowed(Eigen::Index row, Eigen::Index column, int member) const {
    for (Eigen::Index c = 0; c < worth_.low.rows(); ++c) {
      const double g = values_[static_cast<std::size_t>(worth_.num_objectives() + c)](row, column);
      if (g < worth_.low(c, member) || g > worth_.high(c, member)) return false;
    }
    return true;
  }

  const PoolTogether& samples_;
  const compute::PoolWorth& worth_;
  const KnownFront& front_;
  Matrix known_;  // of the front's shares, as many as are counted
  const Rows& rows_;
  const std::vector<Rows>& lists_;  // each member's own best
  bool weighs_all_ = false;
  std::vector<Matrix> values_;  // of each output [rows,B], or where members weigh their own best alone [B,depth]
  std::vector<bool> free_;
  std::vector<Eigen::Index> chosen_;
  std::vector<std::vector<std::vector<double>>> chosen_features_;  // of each of them and each objective, in the latter case
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
  Spreading spreading(samples, worth, front, rows, lists);
  Rows out;
  for (int b = 0; b < B; ++b) {
    Eigen::Index at = spreading.next(b);
    if (at < 0) at = spreading.first_of(b);
    if (at >= 0) out.push_back(rows[static_cast<std::size_t>(at)]);
  }
  if (std::ssize(out) == B) return out;
  // Members that agree about a few candidates: the others take what is best beside these.
  Rows closed(taken.begin(), taken.end());
  closed.insert(closed.end(), out.begin(), out.end());
  const Rows others = samples.choose(worth, closed, B - static_cast<int>(std::ssize(out))).rows;
  out.insert(out.end(), others.begin(), others.end());
  return out;
}

}  // namespace salvo
