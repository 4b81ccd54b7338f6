// Where a batch goes when there are several outputs.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "acquire/success.h"
#include "math/timer.h"
#include "sample/candidates.h"
#include "search/outputs_searcher.h"
#include "search/repeats.h"

namespace salvo {
namespace {

using Index = Eigen::Index;
constexpr int kSearchesNear = 3, kSearchesEverywhere = 10;  // of each member
constexpr int kSearchesInAll = 150, kMostSearches = 15;     // of a small batch more
constexpr int kMostGained = 4;                              // objectives whose hypervolume is quick
constexpr double kCareful = 1.5;    // deviations of a constraint that the most careful member keeps away from its bound …
constexpr double kDaring = 10;      // … and that a share looks beyond it at most, …
constexpr double kDares = 1.0 / 3;  // … of those that look everywhere
constexpr int kBoldUntil = 10, kBoldUntilEverywhere = 2;  // dimensions in which every member has all of α; in more of them …
constexpr double kTimid = 0.2,
                 kMostTimid = 6;     // … that part of it which is a uniform number to this power for each dimension more
constexpr double kBridges = 0.06;    // share of a batch that looks between two points of a front …
constexpr std::size_t kWidest = 20;  // … of so many pairs with the most between them in the objectives …
constexpr double kUntried = 0.25;    // … where nothing was tried within that part of their distance

int num_searches(int least, int count) { return std::clamp(kSearchesInAll / count, least, std::max(least, kMostSearches)); }

std::vector<std::unique_ptr<Limit>> limits_of(const std::optional<Success>& success, int count, Key key) {
  std::vector<std::unique_ptr<Limit>> out;
  if (auto limit = draw_limit(success ? &*success : nullptr, count, 1.0, key.fold("success"))) out.push_back(std::move(limit));
  return out;
}

// In many dimensions a path's best is where nothing is known of most of them: members that are bold in so many dimensions more
// than they should be.
Vector boldness_of(int count, int too_many, Key key) {
  Vector out(count);
  key.fold("boldness").fill_uniform({out.data(), static_cast<std::size_t>(count)});
  return out.array().pow(std::clamp(kTimid * too_many, 0.0, kMostTimid));
}

// Who looks beyond the bounds goes where the objectives are best first: only there it shows how far beyond that is.
std::vector<Bounded> first_bounds(const OutputPaths& paths, const Vector& care) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  std::vector<Bounded> out = paths.bounds();
  for (Bounded& each : out) {
    each.low = (care.array() < 0).select(-kNone, each.low);
    each.high = (care.array() < 0).select(kNone, each.high);
  }
  return out;
}

}  // namespace

std::vector<ObjectiveScale> OutputsSearcher::scales(const OutputPaths* paths) const {
  std::vector<ObjectiveScale> out;
  for (int k = 0; k < num_objectives_; ++k) {
    const auto at = static_cast<std::size_t>(k);
    const Anchor& everywhere = outputs_[at].posterior().learned().anchor;
    out.push_back(objective_scale(standing_, k, paths ? paths->units(at) : everywhere, everywhere.unit()));
  }
  return out;
}

Vector OutputsSearcher::far() const {
  Vector out(num_objectives_);
  const std::vector<ObjectiveScale> scale = scales(nullptr);
  for (int k = 0; k < num_objectives_; ++k) out(k) = far_below(standing_, k, scale[static_cast<std::size_t>(k)]);
  return out;
}

// The best of standing_ that suits each direction, each once.
std::vector<Index> OutputsSearcher::suited(const Scalarised& along, int num_directions) const {
  std::vector<Index> out;
  for (int b = 0; b < num_directions; ++b) {
    double most = -std::numeric_limits<double>::infinity();
    Index best = standing_.best.front();
    for (const Index i : standing_.best) {
      const Eigen::RowVectorXd f = standing_.mean.row(i).head(num_objectives_);
      const double value = along.of_values(b, {f.data(), static_cast<std::size_t>(f.size())});
      if (value > most) {
        most = value;
        best = i;
      }
    }
    if (std::find(out.begin(), out.end(), best) == out.end()) out.push_back(best);
  }
  return out;
}

// The members one after another: each goes on from where its paths add most to the front and to what those before it chose.
Gained OutputsSearcher::spread_out(const OutputPaths& paths, const SeveralFunctions& functions, BatchClimb& climb) const {
  const std::vector<ObjectiveScale> scale = scales(&paths);
  const int K = num_objectives_;
  constexpr double kFar = 1e50;  // volumes are products: of paths of squeezed values, and of references that nothing is near
  const auto near = [&](double share) { return std::clamp(share, -kFar, kFar); };
  const auto share = [&](double value, int k) { return near(scale[static_cast<std::size_t>(k)].share_of(value)); };
  Matrix front(standing_.holds ? std::ssize(standing_.best) : 0, K);
  Vector reference(K);
  for (int k = 0; k < K; ++k) {
    reference(k) = share(standing_.reference(k), k);
    for (Index i = 0; i < front.rows(); ++i)
      front(i, k) = share(standing_.mean(standing_.best[static_cast<std::size_t>(i)], k), k);
  }
  Gained out(scale, front, reference);
  std::vector<Matrix> values;  // [searches,B] of each objective, as shares
  for (int k = 0; k < K; ++k) {
    values.push_back(functions.objective_values(static_cast<std::size_t>(k), climb.X()));
    for (double& value : values.back().reshaped()) value = near(scale[static_cast<std::size_t>(k)].share(value));
  }
  const Matrix missed = functions.missed_in_all(climb.X());
  std::vector<Index> chosen;
  Matrix shares(climb.X().rows(), K);
  std::vector<bool> allowed(static_cast<std::size_t>(shares.rows()));
  for (Index b = 0; b < missed.cols(); ++b) {
    for (int k = 0; k < K; ++k) shares.col(k) = values[static_cast<std::size_t>(k)].col(b);
    for (Index s = 0; s < shares.rows(); ++s) allowed[static_cast<std::size_t>(s)] = missed(s, b) <= 0;
    const Index best = out.next_member(shares, chosen, allowed);
    chosen.push_back(best >= 0 ? best : b);  // where none is allowed its own climb goes on
  }
  climb.go_on_from(chosen);
  return out;
}

Matrix OutputsSearcher::search(const Encoding& space, const OutputPaths& paths, const Starts& starts, const Scalarised* along,
                               const Vector& care, int searches, double first_step, Taken& taken, Key key) const {
  const auto count = static_cast<int>(care.size());
  const OneObjective one;
  SeveralFunctions functions(paths.objectives(), first_bounds(paths, care), along ? static_cast<const Merit&>(*along) : one,
                             limits_of(success_, count, key), searches);
  BatchClimb climb(space, starts, functions, searches, first_step);
  climb.climb(0);
  if (care.cwiseAbs().maxCoeff() > 0) functions.set_bounds(paths.bounds(care, climb.X(), climb.index()));
  std::optional<Gained> gained;
  if (num_objectives_ > 1 && num_objectives_ <= kMostGained) {
    gained.emplace(spread_out(paths, functions, climb));
    functions.follow(*gained);
  }
  for (int round = 1; round < BatchClimb::num_rounds(); ++round) climb.climb(round);
  return climb.best(taken, key.fold("another"));
}

// Some look where the constraints may hold for all that is known, not where their own path has them hold: a second region that
// keeps to them may be better, and paths hardly ever have it.
Matrix OutputsSearcher::search_everywhere(const Encoding& space, Taken& taken, int count, Key key) const {
  const ModelOptions& model = learning_.model;
  const double step = 1 + static_cast<double>(points_.size()) / batch_;
  const Vector boldness = boldness_of(count, space.num_free() - kBoldUntilEverywhere, key);
  const OutputPaths paths(outputs_, OutputPaths::Of::everything, model, search_.method, step, boldness, key);
  const int wanted = model.num_candidates > 0 ? model.num_candidates : default_candidates(space);
  const Starts starts = starts_everywhere(space, wanted, key.fold("candidates"));
  const int searches = std::min(num_searches(kSearchesEverywhere, count), static_cast<int>(starts.X.rows()));
  Vector care = Vector::Zero(count);
  for (int b = 0; b < count; ++b)
    if (key.fold("dares").uniform(static_cast<std::uint64_t>(b)) < kDares)
      care(b) = -kDaring * key.fold("how far").uniform(static_cast<std::uint64_t>(b));
  std::optional<Scalarised> along;
  if (num_objectives_ > 1)
    along.emplace(scales(&paths), far(), random_directions(count * searches, num_objectives_, key.fold("directions")));
  return search(space, paths, starts, along ? &*along : nullptr, care, searches, 0.05, taken, key.fold("search"));
}

// Around the best, or along the front of the best: each search begins at those that suit its direction.
Matrix OutputsSearcher::search_near(Taken& taken, int count, double length, Key key) const {
  const OutputPaths paths(outputs_, OutputPaths::Of::neighbourhood, learning_.model, search_.method, 1,
                          boldness_of(count, space_.num_free() - kBoldUntil, key), key);
  const int searches = num_searches(kSearchesNear, num_objectives_ > 1 ? count : kSearchesInAll);
  std::optional<Scalarised> along;
  std::vector<Index> centres{standing_.best.front()};
  if (num_objectives_ > 1) {
    along.emplace(scales(&paths), far(), random_directions(count * searches, num_objectives_, key.fold("directions")));
    if (standing_.holds) centres = suited(*along, count * searches);
  }
  const Eigen::RowVectorXd curvature = paths.curvature();
  Eigen::RowVectorXd half = Eigen::RowVectorXd::Zero(space_.num_dims());
  const std::vector<int>& continuous = space_.continuous_dims();
  double log_mean = 0;
  for (const int e : continuous) log_mean += 0.5 * std::log(curvature(e)) / static_cast<double>(continuous.size());
  for (const int e : continuous) half(e) = 0.5 * length * std::exp(log_mean) / std::sqrt(curvature(e));
  for (const Encoding::Discrete& discrete : space_.discretes())
    if (discrete.width == 1) half(discrete.offset) = std::max(0.5 * length, 1.6 / static_cast<double>(discrete.num_levels - 1));
  // Every second member keeps away from its bounds: of points on the path's own bound every second one would miss the true one,
  // and of many bounds hardly any would keep to all.
  Vector care(count);
  key.fold("care").fill_uniform({care.data(), static_cast<std::size_t>(count)});
  care = kCareful * (2 * care.array() - 1).max(0.0);
  const Starts starts = starts_near(space_, standing_.X(centres, Eigen::all), half, key.fold("candidates"));
  return search(space_, paths, starts, along ? &*along : nullptr, care, searches, 0.1 * half.maxCoeff(), taken,
                key.fold("search"));
}

std::vector<Choice> OutputsSearcher::choose(const Ask& ask, int count, Seconds& seconds) {
  const Encoding space = space_for(ask);
  const Matrix pending = encoded(taken_for(ask));
  Taken taken(pending);
  std::vector<Choice> out;
  const auto add = [&](const Matrix& points, Source source) {
    for (Params& params : decoded(space, points)) out.push_back({std::move(params), source});
  };
  const Timer timer(seconds.maximise);
  const auto left = [&] { return count - static_cast<int>(std::ssize(out)); };
  const ModelOptions& model = learning_.model;
  // An objective that is seldom measured may not be known around the best.
  const bool known = std::all_of(outputs_.begin(), outputs_.end(),
                                 [](const OutputModel& output) { return output.is_constraint() || output.local(); });
  const bool around = search_.method == Method::automatic && model.alpha_rule != AlphaRule::theory && model.local_share > 0 &&
                      space_.num_points() > kEnumerate && ask.fixed.empty() && known;
  if (around) {
    const Observations data = ordered(By::seen);
    const Matrix again = data.X()(due_repeats(data, pending, encoded(repeats_), model.num_repeats, count), Eigen::all);
    for (Index i = 0; i < again.rows(); ++i) taken.insert({again.row(i).data(), static_cast<std::size_t>(again.cols())});
    add(again, Source::repeat);
  }
  close_known(taken, left());
  if (around) {
    const Progress going = progress();
    const Key key = ask.key.fold("local");
    int wanted = 0;
    for (int b = 0; b < left(); ++b)
      wanted += key.fold("share").uniform(static_cast<std::uint64_t>(b)) < going.local_share ? 1 : 0;
    int between = 0;
    for (int b = 0; b < left(); ++b) between += key.fold("bridges").uniform(static_cast<std::uint64_t>(b)) < kBridges ? 1 : 0;
    if (num_objectives_ > 1 && standing_.holds) add(bridges(space, taken, between), Source::model);
    wanted = std::min(wanted, left());
    if (wanted > 0) add(search_near(taken, wanted, going.length, key), Source::local);
  }
  if (left() > 0) add(search_everywhere(space, taken, left(), ask.key), Source::model);
  return out;
}

// Half-way between two of the best that are neighbours on the front and far apart. Models that have seen its ends alone expect
// what lies between them to be no better than the average.
Matrix OutputsSearcher::bridges(const Encoding& space, Taken& taken, int most) const {
  struct Gap {
    double width;
    Index a, b;
  };
  std::vector<Gap> gaps;
  const Eigen::RowVectorXd span = (standing_.ideal - standing_.worst).cwiseMax(1e-300).transpose();
  for (std::size_t k = 1; k < standing_.best.size(); ++k) {
    const Index a = standing_.best[k - 1], b = standing_.best[k];
    const Eigen::RowVectorXd apart = (standing_.mean.row(a) - standing_.mean.row(b)).head(num_objectives_);
    gaps.push_back({(apart.array() / span.array()).matrix().norm(), a, b});
  }
  std::stable_sort(gaps.begin(), gaps.end(), [](const Gap& a, const Gap& b) { return a.width > b.width; });
  gaps.resize(std::min(gaps.size(), kWidest));
  Matrix out(most, space_.num_dims());
  Index count = 0;
  for (const Gap& gap : gaps) {
    if (count == most) break;
    const auto a = standing_.X.row(gap.a), b = standing_.X.row(gap.b);
    Matrix middle = 0.5 * (a + b);
    space.snap(row_of(middle, 0));
    const double nearest = (standing_.X.rowwise() - middle.row(0)).rowwise().squaredNorm().minCoeff();
    if (nearest < kUntried * kUntried * (a - b).squaredNorm() || !taken.insert(row_of(middle, 0))) continue;
    out.row(count++) = middle;
  }
  return out.topRows(count);
}

// Where there is no noise a second look at a point, in a corner of the box say, tells nothing.
void OutputsSearcher::close_known(Taken& taken, int wanted) const {
  for (const OutputModel& output : outputs_)
    if (output.learned() && !output.noise_free()) return;
  const std::vector<std::int64_t> near = near_best(standing_);
  if (!has_room(space_, taken.size() + near.size(), wanted)) return;
  for (const std::int64_t id : near) {
    const auto row = std::lower_bound(standing_.ids.begin(), standing_.ids.end(), id) - standing_.ids.begin();
    taken.insert({standing_.X.row(row).data(), static_cast<std::size_t>(space_.num_dims())});
  }
}

}  // namespace salvo
