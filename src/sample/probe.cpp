#include "sample/probe.h"

#include <salvo/random.h>

#include <algorithm>

#include "sample/within.h"

namespace salvo {
namespace {

using Index = Eigen::Index;
constexpr int kRounds = 16;
constexpr Index kSteps = 32;       // of every row in a round
constexpr double kWidest = 0.5;    // of the first round's steps, in length-scales
constexpr double kShorter = 0.72;  // of a round's steps, against those before
constexpr Index kTogether = 1000;  // rows, so that memory does not grow with the batch

// Steps in the cube [−1, 1]^d, the same for every row: rows have nothing to do with each other.
Matrix steps_of(int round, Index dims) {
  Matrix steps(kSteps, dims);
  const Key key = Key(0).fold("probe").fold(static_cast<std::uint64_t>(round));
  key.fill_uniform({steps.data(), static_cast<std::size_t>(steps.size())});
  return 2 * steps.array() - 1;
}

// One step of each kind from the rows begin to end; the best is taken where it leads up.
void step(const Functions& functions, const Encoding& space, const std::vector<int>& index, const Matrix& steps, Index begin,
          Index end, Matrix& X, Vector& f) {
  Matrix tried((end - begin) * kSteps, X.cols());
  std::vector<int> of(static_cast<std::size_t>(tried.rows()));
  for (Index t = 0; t < tried.rows(); ++t) {
    const Index i = begin + t / kSteps;
    tried.row(t) = X.row(i);
    of[static_cast<std::size_t>(t)] = index[static_cast<std::size_t>(i)];
    for (const int d : space.continuous_dims()) tried(t, d) = std::clamp(X(i, d) + steps(t % kSteps, d), 0.0, 1.0);
  }
  (void)Within(space, tried);
  Vector values;
  functions.evaluate(tried, of, values);
  for (Index i = begin; i < end; ++i) {
    Index best = 0;
    const Index first = (i - begin) * kSteps;
    const double value = values.segment(first, kSteps).maxCoeff(&best);
    if (!(value > f(i))) continue;
    f(i) = value;
    X.row(i) = tried.row(first + best);
  }
}

}  // namespace

void probe(const Functions& functions, const Encoding& space, const std::vector<int>& index, Matrix& X, Vector& f) {
  if (space.continuous_dims().empty()) return;
  double width = kWidest;
  for (int round = 0; round < kRounds; ++round, width *= kShorter) {
    const Matrix steps =
        steps_of(round, X.cols()).array().rowwise() * (width * functions.kernel().lengthscales.transpose().array());
    for (Index begin = 0; begin < X.rows(); begin += kTogether)
      step(functions, space, index, steps, begin, std::min(begin + kTogether, X.rows()), X, f);
  }
}

}  // namespace salvo
