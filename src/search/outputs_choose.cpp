// Where a batch goes when there are several outputs.
#include <salvo/paths.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "acquire/framed.h"
#include "acquire/success.h"
#include "math/timer.h"
#include "sample/maximise.h"
#include "search/outputs_searcher.h"
#include "search/places.h"
#include "search/repeats.h"

namespace salvo {
namespace {

using Index = Eigen::Index;
constexpr int kLocalFeatures = 1000;                          // of a path's prior
constexpr int kSearches = 3;                                  // of each member around the best
constexpr double kLeastShare = 0.25, kLeastNoisyShare = 0.1;  // of a batch that goes there
constexpr double kSmallestNoisyLength = 0.1;                  // of a region's sides: what is smaller shows nothing but noise
constexpr double kSmallestFront = 0.1;                        // the same of a front, which is long
constexpr int kMostGained = 4;                                // objectives whose hypervolume is quick
constexpr double kPassed = 0.9;                               // of a test that was passed (1) or not (0): where paths go
constexpr double kCareful = 1.5;                              // deviations of a constraint that the most careful member keeps
constexpr int kDirections = 64;                               // along which a front is looked at
constexpr double kFrontBetter = 1e-3;                         // of what a front is worth: a batch that adds less is no success

// Of one model of each output: its paths, as functions over the cube.
struct Drawn {
  std::vector<std::unique_ptr<Paths>> paths;
  std::vector<std::unique_ptr<Functions>> functions;  // by output; null: it has no model yet
};

double bound_of(const Anchor& units, double bound, bool passed) {
  if (std::isinf(bound)) return bound;
  return units.to_model(passed ? kPassed : bound);
}

// The bounds of every constraint that has a model, the same for all members.
std::vector<Bounded> bounds_of(const std::vector<OutputModel>& outputs, const Drawn& drawn, bool local, int num_members) {
  std::vector<Bounded> out;
  for (std::size_t o = 0; o < outputs.size(); ++o) {
    if (!outputs[o].is_constraint() || !drawn.functions[o]) continue;
    const Anchor& units = local ? outputs[o].shape().units : outputs[o].posterior().learned().anchor;
    const bool passed = std::get<Constraint>(outputs[o].output().role).passed;
    out.push_back({*drawn.functions[o], Vector::Constant(num_members, bound_of(units, outputs[o].low(), passed)),
                   Vector::Constant(num_members, bound_of(units, outputs[o].high(), passed))});
  }
  return out;
}

std::vector<const Functions*> objectives_of(const std::vector<OutputModel>& outputs, const Drawn& drawn) {
  std::vector<const Functions*> out;
  for (std::size_t o = 0; o < outputs.size(); ++o)
    if (!outputs[o].is_constraint()) out.push_back(drawn.functions[o].get());
  return out;
}

std::vector<std::unique_ptr<Limit>> limits_of(const Success* success, int count, Key key) {
  std::vector<std::unique_ptr<Limit>> out;
  if (auto limit = draw_limit(success, count, 1.0, key.fold("success"))) out.push_back(std::move(limit));
  return out;
}

}  // namespace

std::vector<ObjectiveScale> OutputsSearcher::scales(bool local) const {
  std::vector<ObjectiveScale> out;
  for (int k = 0; k < num_objectives_; ++k) {
    const OutputModel& output = outputs_[static_cast<std::size_t>(k)];
    const double span = standing_.ideal(k) - standing_.worst(k), unit = output.posterior().learned().anchor.unit();
    // Of a front of one point a share is a part of what the values span.
    const double wide = span > 1e-9 * unit ? span : unit;
    out.push_back({local ? output.shape().units : output.posterior().learned().anchor, standing_.worst(k) - 0.1 * wide, wide});
  }
  return out;
}

// Where the reference was told; else as far below the worst of the best as they span.
Vector OutputsSearcher::far_below() const {
  Vector out = standing_.reference;
  const std::vector<ObjectiveScale> scale = scales(false);
  for (int k = 0; k < num_objectives_; ++k) {
    const OutputModel& output = outputs_[static_cast<std::size_t>(k)];
    if (!std::get<Objective>(output.output().role).reference)
      out(k) = standing_.worst(k) - scale[static_cast<std::size_t>(k)].span;
  }
  return out;
}

Matrix OutputsSearcher::search_everywhere(const Encoding& space, const Matrix& taken, int count, Key key) const {
  Drawn drawn;
  int candidates = 0, starts = 1;
  for (std::size_t o = 0; o < outputs_.size(); ++o) {
    drawn.paths.emplace_back();
    drawn.functions.emplace_back();
    if (!outputs_[o].learned()) continue;
    const Posterior& posterior = outputs_[o].posterior();
    const double step = 1 + static_cast<double>(outputs_[o].data().size()) / batch_;
    const ModelOptions model = resolved(learning_.model, search_.method, posterior, step);
    candidates = model.num_candidates;
    starts = model.num_starts;
    drawn.paths.back() = std::make_unique<Paths>(draw_paths(posterior.gp(),
                                                            {.num_paths = count,
                                                             .num_features = model.num_features,
                                                             .alpha = model.alpha.value(),
                                                             .features = model.features,
                                                             .eigenfunctions = model.eigenfunctions},
                                                            key.fold("draw").fold(o)));
    drawn.functions.back() = std::make_unique<PathFunctions>(*drawn.paths.back());
  }
  std::unique_ptr<Merit> merit = std::make_unique<OneObjective>();
  if (num_objectives_ > 1)
    merit = std::make_unique<Scalarised>(scales(false), far_below(),
                                         random_directions(count, num_objectives_, key.fold("directions")));
  const SeveralFunctions functions(objectives_of(outputs_, drawn), bounds_of(outputs_, drawn, false, count), *merit,
                                   limits_of(success_ ? &*success_ : nullptr, count, key), 1);
  return maximise(functions, space, taken, {.num_candidates = candidates, .num_starts = starts}, key.fold("maximise"));
}

// Around the best, or along the front of the best: each member begins at those that suit its direction.
Matrix OutputsSearcher::search_near(const Matrix& taken_points, int count, double length, Key key) const {
  Drawn drawn;
  Matrix curvature = Matrix::Zero(1, space_.num_dims());  // how fast the outputs vary along each coordinate
  for (std::size_t o = 0; o < outputs_.size(); ++o) {
    drawn.paths.emplace_back();
    drawn.functions.emplace_back();
    if (!outputs_[o].learned() || !outputs_[o].local()) continue;
    const LocalModel& local = *outputs_[o].local();
    drawn.paths.back() = std::make_unique<Paths>(
        draw_paths(local.gp(), {.num_paths = count, .num_features = kLocalFeatures, .alpha = learning_.model.alpha.value_or(1.0)},
                   key.fold("draw").fold(o)));
    drawn.functions.back() = std::make_unique<FramedPaths>(*drawn.paths.back(), local.frame());
    const Matrix along = local.frame().to * local.gp().hyper().kernel.lengthscales.cwiseInverse().asDiagonal();
    const Vector squares = along.rowwise().squaredNorm();
    curvature.row(0) += (squares / std::exp(squares.array().max(1e-300).log().mean())).transpose();
  }
  Matrix directions;
  std::unique_ptr<Merit> merit = std::make_unique<OneObjective>();
  std::vector<Index> centres{standing_.best.front()};
  if (num_objectives_ > 1) {
    directions = random_directions(count, num_objectives_, key.fold("directions"));
    auto scalarised = std::make_unique<Scalarised>(scales(true), far_below(), directions);
    std::vector<Index> wanted;
    for (int b = 0; b < count && standing_.holds; ++b) {
      double most = -std::numeric_limits<double>::infinity();
      Index best = standing_.best.front();
      for (const Index i : standing_.best) {
        const Eigen::RowVectorXd f = standing_.mean.row(i).head(num_objectives_);
        const double value = scalarised->of_values(b, {f.data(), static_cast<std::size_t>(f.size())});
        if (value > most) {
          most = value;
          best = i;
        }
      }
      if (std::find(wanted.begin(), wanted.end(), best) == wanted.end()) wanted.push_back(best);
    }
    if (!wanted.empty()) centres = wanted;
    merit = std::move(scalarised);
  }
  Places places{standing_.X(centres, Eigen::all), Eigen::RowVectorXd::Zero(space_.num_dims())};
  const std::vector<int>& continuous = space_.continuous_dims();
  double log_mean = 0;
  for (const int e : continuous) log_mean += 0.5 * std::log(curvature(0, e)) / static_cast<double>(continuous.size());
  for (const int e : continuous) places.half(e) = 0.5 * length * std::exp(log_mean) / std::sqrt(curvature(0, e));
  for (const Encoding::Discrete& discrete : space_.discretes())
    if (discrete.width == 1)
      places.half(discrete.offset) = std::max(0.5 * length, 1.6 / static_cast<double>(discrete.num_levels - 1));
  const std::vector<Bounded> bounds = bounds_of(outputs_, drawn, true, count);
  SeveralFunctions functions(objectives_of(outputs_, drawn), bounds, *merit,
                             limits_of(success_ ? &*success_ : nullptr, count, key), kSearches);
  // Every second member keeps away from its bounds, by up to so many deviations of what is known there: of points on the path's
  // own bound every second one would miss the true one, and of many bounds hardly any would keep to all.
  Vector care(count);
  key.fold("care").fill_uniform({care.data(), static_cast<std::size_t>(count)});
  care = kCareful * (2 * care.array() - 1).max(0.0);
  const auto keep_away = [&](const Matrix& X, const std::vector<int>& index) {
    std::size_t j = 0;
    for (std::size_t o = 0; o < outputs_.size(); ++o) {
      if (!outputs_[o].is_constraint() || !drawn.functions[o]) continue;
      const Vector sd = outputs_[o].local()->predict(X).variance.cwiseMax(0.0).cwiseSqrt();
      Vector low = bounds[j].low, high = bounds[j].high, most = Vector::Zero(count);
      for (std::size_t s = 0; s < index.size(); ++s) {
        double& mine = most(index[s] % count);
        mine = std::max(mine, sd(static_cast<Index>(s)));
      }
      low += care.cwiseProduct(most);
      high -= care.cwiseProduct(most);
      functions.set_bounds(static_cast<int>(j++), low.cwiseMin(high), high.cwiseMax(low));
    }
  };
  PlaceSearch search(space_, places, functions, kSearches, key.fold("search"));
  search.climb(0);
  std::optional<Gained> gained;
  if (num_objectives_ > 1 && num_objectives_ <= kMostGained) {
    gained.emplace(spread_out(functions, search));
    functions.follow(*gained);
  }
  keep_away(search.X(), search.index());
  for (int round = 1; round < PlaceSearch::num_rounds(); ++round) search.climb(round);
  Taken taken(taken_points);
  return search.best(taken, key.fold("another"));
}

// The members one after another: each goes on from where its paths add most to the front and to what those before it chose.
Gained OutputsSearcher::spread_out(const SeveralFunctions& functions, PlaceSearch& search) const {
  const std::vector<ObjectiveScale> scale = scales(true);
  const int K = num_objectives_;
  const auto share = [&](double value, int k) {
    const ObjectiveScale& mine = scale[static_cast<std::size_t>(k)];
    return (value - mine.origin) / mine.span;
  };
  Matrix front(standing_.holds ? std::ssize(standing_.best) : 0, K);
  Vector reference(K);
  for (int k = 0; k < K; ++k) {
    reference(k) = share(standing_.reference(k), k);
    for (Index i = 0; i < front.rows(); ++i)
      front(i, k) = share(standing_.mean(standing_.best[static_cast<std::size_t>(i)], k), k);
  }
  Gained out(scale, front, reference);
  std::vector<Matrix> paths;
  for (int k = 0; k < K; ++k) {
    paths.push_back(functions.objective_values(static_cast<std::size_t>(k), search.X()));
    for (double& value : paths.back().reshaped()) value = scale[static_cast<std::size_t>(k)].share(value);
  }
  const Matrix missed = functions.missed_in_all(search.X());
  std::vector<Index> chosen;
  const auto count = static_cast<int>(missed.cols());
  Matrix shares(search.X().rows(), K);
  std::vector<bool> allowed(static_cast<std::size_t>(shares.rows()));
  for (int b = 0; b < count; ++b) {
    for (int k = 0; k < K; ++k) shares.col(k) = paths[static_cast<std::size_t>(k)].col(b);
    Index least = b;  // where none is allowed its own climb goes on
    for (Index s = 0; s < shares.rows(); ++s) allowed[static_cast<std::size_t>(s)] = missed(s, b) <= 0;
    const Index best = out.next_member(shares, chosen, allowed);
    if (best >= 0) least = best;
    chosen.push_back(least);
  }
  search.go_on_from(chosen);
  return out;
}

namespace {

// How a front goes that grows: a batch was a success if what it is worth along many directions has grown.
Progress replay_front(const Standing& all, const Scalarised& along, int num_directions, int num_objectives, int batch) {
  constexpr double kShortest = 1e-6, kLongest = 1.6, kKept = 0.8;
  constexpr int kInARow = 3;
  Progress out;
  Vector best = Vector::Zero(num_directions), now = best;
  std::vector<Source> by(static_cast<std::size_t>(num_directions));
  double local = 0, whole = 0;
  int seen = 0, successes = 0;
  for (Index i = 0; i < all.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const bool chosen = chosen_by_search(all.sources[at]);
    if (all.complete[at] && all.missed(i) == 0) {
      const Eigen::RowVectorXd f = all.mean.row(i).head(num_objectives);
      for (int b = 0; b < num_directions; ++b) {
        const double value = along.of_values(b, {f.data(), static_cast<std::size_t>(f.size())});
        if (!(value > now(b))) continue;
        now(b) = value;
        by[static_cast<std::size_t>(b)] = all.sources[at];
      }
    }
    if (!chosen) {
      best = best.cwiseMax(now);
      continue;
    }
    if (++seen < batch) continue;
    seen = 0;
    local *= kKept;
    whole *= kKept;
    const Vector gain = now - best;
    const double sum = gain.sum();
    for (int b = 0; b < num_directions && sum > 0; ++b)
      (by[static_cast<std::size_t>(b)] == Source::local ? local : whole) += gain(b) / sum;
    const bool success = sum > kFrontBetter * best.sum();
    best = now;
    successes = success ? successes + 1 : 0;
    if (successes == kInARow) {
      out.length = std::min(kLongest, 2 * out.length);
      successes = 0;
    } else if (!success) {
      out.length = std::max(kShortest, out.length / 2);
    }
  }
  out.local_share = (1 + local) / (2 + local + whole);
  return out;
}

}  // namespace

Progress OutputsSearcher::progress() const {
  Progress out;
  if (num_objectives_ == 1) {
    const Observations data = ordered();
    double counted = std::numeric_limits<double>::lowest();
    if (standing_.holds) {
      counted = std::numeric_limits<double>::infinity();
      for (Index i = 0; i < standing_.size(); ++i)
        if (standing_.missed(i) == 0 && standing_.complete[static_cast<std::size_t>(i)]) counted = std::min(counted, data.y(i));
    }
    out = replay_progress(data, data.by_id(0, data.size()), batch_, space_.num_free(), counted);
  } else {
    const Scalarised along(scales(false), far_below(),
                           random_directions(kDirections, num_objectives_, Key(0).fold("along the front")));
    out = replay_front(standing_, along, kDirections, num_objectives_, std::max(batch_, space_.num_free()));
    out.length = std::max(out.length, kSmallestFront);
  }
  double noise = 0;
  for (const OutputModel& output : outputs_)
    if (output.learned() && !output.quiet()) noise = std::max(noise, std::min(1.0, output.shape().hyper.noise));
  const double most = learning_.model.local_share;
  if (noise > 0) {
    out.local_share = std::clamp((1 - noise) * out.local_share, std::min(kLeastNoisyShare, most), most);
    out.length = std::max(out.length, kSmallestNoisyLength);
  } else {
    out.local_share = std::clamp(out.local_share, std::min(kLeastShare, most), most);
  }
  return out;
}

std::vector<Choice> OutputsSearcher::choose(const Ask& ask, int count, Seconds& seconds) {
  const Encoding space = space_for(ask);
  Matrix taken = encoded(taken_for(ask));
  std::vector<Choice> out;
  const auto add = [&](const Matrix& points, Source source) {
    for (Params& params : decoded(space, points)) out.push_back({std::move(params), source});
    taken.conservativeResize(taken.rows() + points.rows(), space_.num_dims());
    taken.bottomRows(points.rows()) = points;
  };
  const Timer timer(seconds.maximise);
  const auto left = [&] { return count - static_cast<int>(std::ssize(out)); };
  const ModelOptions& model = learning_.model;
  const bool around = search_.method == Method::automatic && model.alpha_rule != AlphaRule::theory && model.local_share > 0 &&
                      space_.num_points() > kEnumerate && ask.fixed.empty();
  if (around) {
    const Observations data = ordered(By::seen);
    add(data.X()(due_repeats(data, taken, encoded(repeats_), model.num_repeats, count), Eigen::all), Source::repeat);
    const Progress going = progress();
    const Key key = ask.key.fold("local");
    int wanted = 0;
    for (int b = 0; b < left(); ++b)
      wanted += key.fold("share").uniform(static_cast<std::uint64_t>(b)) < going.local_share ? 1 : 0;
    if (wanted > 0) add(search_near(taken, wanted, going.length, key), Source::local);
  }
  if (left() > 0) add(search_everywhere(space, taken, left(), ask.key), Source::model);
  return out;
}

}  // namespace salvo
