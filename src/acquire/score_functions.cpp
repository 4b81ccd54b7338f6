#include "acquire/score_functions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "math/parallel.h"

namespace salvo {
namespace {

using Index = Eigen::Index;
constexpr double kTolerance = 1e-5;  // scores are logarithms, all but GIBBON's

void set_unknown_low(Vector& values) {
  for (double& value : values)
    if (!std::isfinite(value)) value = -std::numeric_limits<double>::infinity();
}

// The rows with the largest values, at most `count`, best first.
std::vector<Index> front_of(const Vector& values, Index count) {
  std::vector<Index> front(static_cast<std::size_t>(values.size()));
  std::iota(front.begin(), front.end(), Index{0});
  const auto end = front.begin() + std::min(count, values.size());
  std::partial_sort(front.begin(), end, front.end(),
                    [&](Index i, Index j) { return values(i) > values(j) || (values(i) == values(j) && i < j); });
  front.erase(end, front.end());
  return front;
}

}  // namespace

ScoreFunctions::ScoreFunctions(const Belief& belief, Score score)
    : Functions(1, belief.kernel(), kTolerance), belief_(belief), score_(std::move(score)) {}

void ScoreFunctions::evaluate(const Matrix& X, const std::vector<int>& /*index*/, Vector& values, Matrix* gradients) const {
  belief_.evaluate(score_, X, values, gradients);
  set_unknown_low(values);
}

std::vector<int> ScoreFunctions::best_candidates(const std::vector<int>& members, const Matrix& C, int num_blocks) const {
  const Index block = C.rows() / num_blocks;
  std::vector<int> rows;
  for (int k = 0; k < num_blocks; ++k) {
    const Index best = k * block + best_of(C.middleRows(k * block, block));
    rows.insert(rows.end(), members.size(), static_cast<int>(best));
  }
  return rows;
}

Index ScoreFunctions::best_of(const Matrix& X) const {
  constexpr Index kFront = 32;
  const Moments moments = belief_.moments(X);
  Vector screened(X.rows());
  parallel_blocks(X.rows(), 64, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i)
      screened(i) = score_({X.row(i).data(), moments.mean(i), moments.variance(i), moments.shared.row(i).data()}, nullptr);
  });
  set_unknown_low(screened);
  const std::vector<Index> front = front_of(screened, kFront);
  const double last = screened(front.back());  // none of the others was screened above it
  Vector exact;
  evaluate(X(front, Eigen::all), {}, exact);
  const double error = (exact - screened(front)).cwiseAbs().maxCoeff();
  Index best = 0;
  if (exact.maxCoeff(&best) >= last + error) return front[static_cast<std::size_t>(best)];
  evaluate(X, {}, exact);  // one of the others may be the best, as where there is hardly any noise
  exact.maxCoeff(&best);
  return best;
}

}  // namespace salvo
