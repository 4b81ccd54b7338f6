#include "search/batch_climb.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "math/lbfgs.h"
#include "sample/candidates.h"
#include "sample/exchange.h"
#include "sample/sweep.h"
#include "sample/within.h"

namespace salvo {
namespace {

using Index = Eigen::Index;
constexpr Index kCandidatesInAll = 3000;
constexpr std::array kClimbRounds{20, 12, 12};  // evaluations of each round of a climb
constexpr double kMovedCoordinates = 20;        // of every second candidate, on average
constexpr double kOtherLevels = 1.5;            // categorical parameters of a candidate that differ, at most
constexpr double kShorterStep = 0.3;            // of each round than of the one before
constexpr double kCloser = 0.1;                 // of every third candidate: its distance

}  // namespace

// The centres in turn, so that each run of candidates has all of them. Some lie much closer to their centre than others.
Starts starts_near(const Encoding& space, const Matrix& centres, const Eigen::RowVectorXd& half, Key key) {
  const Index d = space.num_dims(), k = centres.rows();
  Matrix T(kCandidatesInAll, d), kept(kCandidatesInAll, d);
  key.fold("moves").fill_uniform({T.data(), static_cast<std::size_t>(T.size())});
  key.fold("kept").fill_uniform({kept.data(), static_cast<std::size_t>(kept.size())});
  T = (2 * T.array() - 1).rowwise() * half.array();
  const double share = std::min(1.0, kMovedCoordinates / static_cast<double>(d));
  Starts out{Matrix(kCandidatesInAll, d), {}, {}};
  out.low = out.high = out.X;
  for (Index i = 0; i < kCandidatesInAll; ++i) {
    if (share < 1 && i % 2 == 0) T.row(i) = (kept.row(i).array() < share).select(T.row(i).array(), 0.0);
    if (i % 3 == 0) T.row(i) *= kCloser;
    const auto centre = centres.row(i % k);
    out.X.row(i) = centre + T.row(i);
    out.low.row(i) = (centre - half).cwiseMax(0.0);
    out.high.row(i) = (centre + half).cwiseMin(1.0);
  }
  for (const int e : space.continuous_dims()) out.X.col(e) = out.X.col(e).cwiseMax(0.0).cwiseMin(1.0);
  if (space.allowed() && space.discretes().empty())
    for (Index i = 0; i < kCandidatesInAll; ++i) space.snap(row_of(out.X, i));
  if (space.discretes().empty()) return out;
  const Matrix other = random_points(space, kCandidatesInAll, key.fold("others"));
  const double changes = std::min(0.5, kOtherLevels / static_cast<double>(space.discretes().size()));
  for (Index i = 0; i < kCandidatesInAll; ++i) {
    for (const Encoding::Discrete& discrete : space.discretes())
      if (!discrete.is_ordered() && kept(i, discrete.offset) < changes)
        out.X.row(i).segment(discrete.offset, discrete.width) = other.row(i).segment(discrete.offset, discrete.width);
    space.snap(row_of(out.X, i));
  }
  return out;
}

Starts starts_everywhere(const Encoding& space, int count, Key key) {
  Starts out;
  out.X = space.num_points() <= kEnumerate ? enumerate_points(space) : random_points(space, count, key);
  out.low = Matrix::Zero(out.X.rows(), out.X.cols());
  out.high = Matrix::Ones(out.X.rows(), out.X.cols());
  return out;
}

BatchClimb::BatchClimb(const Encoding& space, Starts starts, SeveralFunctions& functions, int searches, double first_step)
    : space_(space),
      functions_(functions),
      num_members_(functions.size() / searches),
      step_(first_step),
      candidates_(std::move(starts.X)),
      index_(static_cast<std::size_t>(functions.size())) {
  std::vector<int> members(static_cast<std::size_t>(num_members_));
  std::iota(members.begin(), members.end(), 0);
  std::iota(index_.begin(), index_.end(), 0);
  const std::vector<int> chosen = functions.best_candidates(members, candidates_, searches);  // [searches][members]
  X_ = low_ = high_ = candidates_(chosen, Eigen::all);
  const std::vector<int>& continuous = space.continuous_dims();  // the others stay where they are
  low_(Eigen::all, continuous) = starts.low(chosen, continuous);
  high_(Eigen::all, continuous) = starts.high(chosen, continuous);
}

int BatchClimb::num_rounds() { return static_cast<int>(kClimbRounds.size()); }

void BatchClimb::climb(int round) {
  if (round > 0) functions_.press(X_, index_);
  if (functions_.is_sum() && !space_.allowed()) {  // the first search of each member
    Matrix first = X_.topRows(num_members_);
    const std::vector<int> own(index_.begin(), index_.begin() + num_members_);
    sweep(functions_, own, low_.topRows(num_members_), high_.topRows(num_members_), first);
    X_.topRows(num_members_) = first;
  }
  if (!space_.continuous_dims().empty()) {
    const BatchFunction function = [&](const Matrix& P, const std::vector<int>& which, Vector& values, Matrix& gradients) {
      std::vector<int> of(which.size());
      for (std::size_t a = 0; a < which.size(); ++a) of[a] = index_[static_cast<std::size_t>(which[a])];
      evaluate_within(functions_, space_, P, of, values, &gradients);
    };
    X_ = lbfgs_maximise(function, X_, low_, high_,
                        {.max_evaluations = kClimbRounds[static_cast<std::size_t>(round)],
                         .tolerance = functions_.tolerance(),
                         .first_step = step_})
             .X;
    (void)Within(space_, X_);
    step_ *= kShorterStep;
  }
  if (space_.discretes().empty()) return;
  Vector f;
  functions_.evaluate(X_, index_, f);
  (void)exchange(functions_, space_, index_, X_, f);
}

void BatchClimb::go_on_from(const std::vector<Index>& from) {
  X_ = X_(from, Eigen::all).eval();
  low_ = low_(from, Eigen::all).eval();
  high_ = high_(from, Eigen::all).eval();
  index_.resize(from.size());
  std::iota(index_.begin(), index_.end(), 0);
}

Matrix BatchClimb::best(Taken& taken, Key key) {
  const int searches = static_cast<int>(X_.rows()) / num_members_;
  Vector f;
  settle(functions_, space_, index_, X_, f);
  f = functions_.settled(X_, index_);
  Matrix out(num_members_, X_.cols()), own(searches, X_.cols());
  Vector height(searches);
  for (int b = 0; b < num_members_; ++b) {
    for (int s = 0; s < searches; ++s) {
      own.row(s) = X_.row(s * num_members_ + b);
      height(s) = f(s * num_members_ + b);
    }
    if (take_best(own, height, taken, out.row(b))) continue;
    Index highest = 0;
    height.maxCoeff(&highest);
    if (take_beside(functions_, space_, b, own.row(highest), taken, out.row(b))) continue;
    functions_.evaluate(candidates_, std::vector<int>(static_cast<std::size_t>(candidates_.rows()), b), height);
    Matrix valid = candidates_;
    for (Index i = 0; i < valid.rows(); ++i) space_.snap(row_of(valid, i));
    if (!take_best(valid, height, taken, out.row(b)))
      out.row(b) = free_point(space_, taken, key.fold(static_cast<std::uint64_t>(b)));
    height.resize(searches);
  }
  return out;
}

}  // namespace salvo
