#include "search/places.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "math/lbfgs.h"
#include "sample/candidates.h"
#include "sample/exchange.h"

namespace salvo {
namespace {

using Index = Eigen::Index;
constexpr Index kCandidatesInAll = 3000;
constexpr std::array kRounds{20, 12, 12};  // evaluations of each round of a climb
constexpr double kMovedCoordinates = 20;   // of every second candidate, on average
constexpr double kOtherLevels = 1.5;       // categorical parameters of a candidate that differ, at most
constexpr double kShorterStep = 0.3;       // of each round than of the one before
constexpr double kCloser = 0.1;            // of every third candidate: its distance

struct Candidates {
  Matrix X;
  std::vector<Index> place;  // of each row
};

// The places in turn, so that each run of candidates has all of them. Some lie much closer to their place than others.
Candidates candidates_of(const Encoding& space, const Places& places, Key key) {
  const Index d = space.num_dims(), k = places.centres.rows();
  Matrix T(kCandidatesInAll, d), kept(kCandidatesInAll, d);
  key.fold("moves").fill_uniform({T.data(), static_cast<std::size_t>(T.size())});
  key.fold("kept").fill_uniform({kept.data(), static_cast<std::size_t>(kept.size())});
  T = (2 * T.array() - 1).rowwise() * places.half.array();
  const double share = std::min(1.0, kMovedCoordinates / static_cast<double>(d));
  Candidates out{Matrix(kCandidatesInAll, d), {}};
  for (Index i = 0; i < kCandidatesInAll; ++i) {
    if (share < 1 && i % 2 == 0) T.row(i) = (kept.row(i).array() < share).select(T.row(i).array(), 0.0);
    if (i % 3 == 0) T.row(i) *= kCloser;
    out.place.push_back(i % k);
    out.X.row(i) = places.centres.row(i % k) + T.row(i);
  }
  for (const int e : space.continuous_dims()) out.X.col(e) = out.X.col(e).cwiseMax(0.0).cwiseMin(1.0);
  if (space.discretes().empty()) return out;
  const Matrix other = random_points(space, kCandidatesInAll, key.fold("others"));
  const double changes = std::min(0.5, kOtherLevels / static_cast<double>(space.discretes().size()));
  for (Index i = 0; i < kCandidatesInAll; ++i) {
    for (const Encoding::Discrete& discrete : space.discretes())
      if (discrete.width > 1 && kept(i, discrete.offset) < changes)
        out.X.row(i).segment(discrete.offset, discrete.width) = other.row(i).segment(discrete.offset, discrete.width);
    space.snap(row_of(out.X, i));
  }
  return out;
}

}  // namespace

PlaceSearch::PlaceSearch(const Encoding& space, const Places& places, SeveralFunctions& functions, int searches, Key key)
    : space_(space),
      functions_(functions),
      num_members_(functions.size() / searches),
      step_(0.1 * places.half.maxCoeff()),
      index_(static_cast<std::size_t>(functions.size())) {
  const Candidates all = candidates_of(space, places, key);
  std::vector<int> members(static_cast<std::size_t>(num_members_));
  std::iota(members.begin(), members.end(), 0);
  std::iota(index_.begin(), index_.end(), 0);
  const std::vector<int> starts = functions.best_candidates(members, all.X, searches);  // [searches][members]
  X_ = low_ = high_ = all.X(starts, Eigen::all);
  for (std::size_t s = 0; s < starts.size(); ++s) {
    const auto at = static_cast<Index>(s);
    const Index place = all.place[static_cast<std::size_t>(starts[s])];
    for (const int e : space.continuous_dims()) {
      low_(at, e) = std::max(0.0, places.centres(place, e) - places.half(e));
      high_(at, e) = std::min(1.0, places.centres(place, e) + places.half(e));
    }
  }
  candidates_ = all.X;
}

int PlaceSearch::num_rounds() { return static_cast<int>(kRounds.size()); }

void PlaceSearch::climb(int round) {
  if (round > 0) functions_.press(X_, index_);
  if (!space_.continuous_dims().empty()) {
    const BatchFunction function = [&](const Matrix& P, const std::vector<int>& which, Vector& values, Matrix& gradients) {
      std::vector<int> of(which.size());
      for (std::size_t a = 0; a < which.size(); ++a) of[a] = index_[static_cast<std::size_t>(which[a])];
      functions_.evaluate(P, of, values, &gradients);
    };
    X_ = lbfgs_maximise(function, X_, low_, high_,
                        {.max_evaluations = kRounds[static_cast<std::size_t>(round)],
                         .tolerance = functions_.tolerance(),
                         .first_step = step_})
             .X;
    step_ *= kShorterStep;
  }
  if (space_.discretes().empty()) return;
  Vector f;
  functions_.evaluate(X_, index_, f);
  (void)exchange(functions_, space_, index_, X_, f);
}

void PlaceSearch::go_on_from(const std::vector<Index>& from) {
  X_ = X_(from, Eigen::all).eval();
  low_ = low_(from, Eigen::all).eval();
  high_ = high_(from, Eigen::all).eval();
  index_.resize(from.size());
  std::iota(index_.begin(), index_.end(), 0);
}

Matrix PlaceSearch::best(Taken& taken, Key key) {
  const int searches = static_cast<int>(X_.rows()) / num_members_;
  for (Index s = 0; s < X_.rows(); ++s) space_.snap(row_of(X_, s));
  const Vector f = functions_.settled(X_, index_);
  Matrix out(num_members_, X_.cols()), own(searches, X_.cols());
  Vector height(searches);
  for (int b = 0; b < num_members_; ++b) {
    for (int s = 0; s < searches; ++s) {
      own.row(s) = X_.row(s * num_members_ + b);
      height(s) = f(s * num_members_ + b);
    }
    if (take_best(own, height, taken, out.row(b))) continue;
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
