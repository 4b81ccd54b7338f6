#include "sample/spread.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace salvo {
namespace {

using Index = Eigen::Index;
constexpr int kLevels = 3;             // basins that may fill up, one after the other
constexpr std::size_t kVoters = 1000;  // members among which a basin's centre is looked for: that is quadratic

// Two points are in one basin when they are less than a length-scale apart.
class Basins {
 public:
  explicit Basins(const Vector& lengthscales) : inverse_(lengthscales.cwiseInverse()) {}
  template <typename A, typename B>
  [[nodiscard]] bool same(const A& x, const B& z) const {
    return ((x - z).array() * inverse_.transpose().array()).matrix().squaredNorm() < 1;
  }
  void fill(const Eigen::RowVectorXd& centre) { full_.push_back(centre); }
  template <typename A>
  [[nodiscard]] bool full(const A& x) const {
    return std::any_of(full_.begin(), full_.end(), [&](const Eigen::RowVectorXd& centre) { return same(x, centre); });
  }

 private:
  Vector inverse_;
  std::vector<Eigen::RowVectorXd> full_;
};

struct Best {
  Eigen::RowVectorXd x;
  double f;
};

Best best_of(const Summits& summits) {
  Index i = 0;
  const double f = summits.f.maxCoeff(&i);
  return {summits.X.row(i), f};
}

// The place that most of the crowd have within their basin.
Eigen::RowVectorXd centre_of(const std::vector<int>& crowd, const std::vector<Best>& best, const Basins& basins) {
  const std::size_t voters = std::min(crowd.size(), kVoters);
  std::size_t most = 0;
  int centre = crowd.front();
  for (std::size_t i = 0; i < voters; ++i) {
    const auto near =
        static_cast<std::size_t>(std::count_if(crowd.begin(), crowd.begin() + static_cast<Index>(voters), [&](int b) {
          return basins.same(best[static_cast<std::size_t>(b)].x, best[static_cast<std::size_t>(crowd[i])].x);
        }));
    if (near > most) {
      most = near;
      centre = crowd[i];
    }
  }
  return best[static_cast<std::size_t>(centre)].x;
}

Matrix outside(const Matrix& C, const Basins& basins) {
  std::vector<Index> rows;
  for (Index i = 0; i < C.rows(); ++i)
    if (!basins.full(C.row(i))) rows.push_back(i);
  return C(rows, Eigen::all);
}

}  // namespace

void spread(const Functions& functions, const Encoding& space, const Matrix& C, const Matrix& pending,
            const MaximiseOptions& options, std::vector<Summits>& found) {
  Basins basins(functions.kernel().lengthscales);
  const double reach = options.reach * std::sqrt(functions.kernel().variance);
  std::vector<Best> best;
  best.reserve(found.size());
  for (const Summits& summits : found) best.push_back(best_of(summits));
  const std::vector<Best> first = best;

  std::vector<int> crowd(found.size());  // members that may still have to move
  std::iota(crowd.begin(), crowd.end(), 0);
  for (int level = 0; level < kLevels && !crowd.empty(); ++level) {
    const Eigen::RowVectorXd centre = centre_of(crowd, best, basins);
    // Pending points cannot move; they count for the first basin alone.
    Index inside = 0, all = static_cast<Index>(crowd.size());
    if (level == 0) {
      all += pending.rows();
      for (Index i = 0; i < pending.rows(); ++i) inside += basins.same(pending.row(i), centre) ? 1 : 0;
    }
    const auto room = static_cast<Index>(std::ceil(options.max_share * static_cast<double>(all)));
    std::vector<int> surplus;
    for (const int b : crowd)
      if (basins.same(best[static_cast<std::size_t>(b)].x, centre) && ++inside > room) surplus.push_back(b);
    if (surplus.empty()) return;

    basins.fill(centre);
    const Matrix free = outside(C, basins);
    if (free.rows() < options.num_starts) return;
    std::vector<Summits> elsewhere = find_summits(functions, surplus, space, free, options.num_starts, options.max_iterations);
    crowd.clear();
    for (std::size_t s = 0; s < surplus.size(); ++s) {
      const auto b = static_cast<std::size_t>(surplus[s]);
      Summits& summits = elsewhere[s];
      for (Index i = 0; i < summits.f.size(); ++i)  // a search may climb back into a full basin
        if (basins.full(summits.X.row(i))) summits.f(i) = -std::numeric_limits<double>::infinity();
      const Best next = best_of(summits);
      if (first[b].f - next.f > reach) continue;  // hopeless elsewhere: it stays
      best[b] = next;
      found[b] = std::move(summits);
      crowd.push_back(surplus[s]);
    }
  }
}

}  // namespace salvo
