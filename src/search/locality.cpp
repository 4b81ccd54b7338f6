#include "search/locality.h"

#include <algorithm>
#include <cmath>

#include "acquire/region.h"
#include "acquire/summit.h"
#include "model/noise_ratio.h"
#include "search/few_levels.h"
#include "search/leaders.h"
#include "search/left_out_error.h"

namespace salvo {
namespace {

constexpr std::int64_t kObserved = 300;        // observations of the model around the best point …
constexpr std::int64_t kObservedNoisy = 1000;  // … and where there is noise to be averaged
constexpr double kQuiet = 1e-3;                // a share of noise in the values below which the best of them is the best point
constexpr double kMeasured = 20;               // differences between values of a point that tell the noise to a third
constexpr double kSmallestNoisy = 0.1;         // sides of a region: what is smaller shows nothing but noise
constexpr double kLeast = 0.25, kLeastNoisy = 0.1;  // shares of a batch
constexpr double kClearly = 0.9;                    // how much less a model must err to be believed instead of another
constexpr std::int64_t kFewest = 20;                // observations that say so
constexpr int kFeatures = 1000;                     // of a path's prior
constexpr double kHuge = 1e150;                     // its square is a number

std::int64_t best_row(const Observations& data, std::int64_t num_rows) {
  std::int64_t best = 0;
  for (std::int64_t i = 1; i < num_rows; ++i)
    if (data.y(i) > data.y(best) || (data.y(i) == data.y(best) && data.id(i) < data.id(best))) best = i;
  return best;
}

}  // namespace

void Locality::follow(const Observations& data, const Posterior& posterior) {
  const SpaceLearned& learned = posterior.learned();
  const std::int64_t num_rows = learned.num_observations;
  if (now_ && learned.ask == ask_ && num_rows == num_rows_) return;
  Neighbourhood now;
  const std::vector<std::int64_t> rows = data.by_id(0, num_rows);
  const Matrix X = data.X()(rows, Eigen::all);
  const double unit = learned.anchor.unit();  // squares of the values themselves might overflow
  Vector values(std::ssize(rows)), y(std::ssize(rows));
  for (Eigen::Index i = 0; i < y.size(); ++i) {
    values(i) = std::clamp(data.y(rows[static_cast<std::size_t>(i)]) / unit, -kHuge, kHuge);
    y(i) = learned.anchor.to_model(data.y(rows[static_cast<std::size_t>(i)]));
  }
  const KnownNoise told = posterior.known_noise(data);
  const Vector r = told.ratios(rows);
  const RepeatedNoise noise = repeated_noise(X, values, r);
  const bool known = noise.degrees >= 2 || told.mostly();
  const double variance = noise.degrees >= 2 ? noise.variance : told.typical();
  double least = std::sqrt(noise.degrees >= kMeasured ? noise.variance : noise.at_least()) * unit;
  if (told.mostly()) least = std::max(least, std::sqrt(told.typical() / kBelieved) * unit);
  now.noise_free = noise.none() && told.none();
  now.leader = best_row(data, num_rows);
  if (known) {
    const auto near = nearest_rows(data, num_rows, now.leader, kObserved);
    const double size = std::sqrt(variance) * unit / local_units(model_, data, near).unit();
    now.quiet = size * size < kQuiet;
  }
  if (now.quiet || !known) {
    now.shape = learn_shape(space_, model_, data, num_rows, nearest_rows(data, num_rows, now.leader, kObserved), least,
                            is_additive(learned.hyper.kernel.type));
    if (!known) now.quiet = now.shape.hyper.noise < kQuiet;
  }
  if (!now.quiet) {
    now.leader = rows[static_cast<std::size_t>(choose_leader(X, y, posterior.learned_gp().predict_mean(X), r).row)];
    now.shape = learn_shape(space_, model_, data, num_rows, nearest_rows(data, num_rows, now.leader, kObservedNoisy), least,
                            is_additive(learned.hyper.kernel.type));
  }
  now_ = std::move(now);
  ask_ = learned.ask;
  num_rows_ = num_rows;
}

std::vector<std::int64_t> Locality::observed(const Observations& data, std::int64_t at) const {
  return nearest_rows(data, data.size(), at, now_->quiet ? kObserved : kObservedNoisy);
}

Progress Locality::progress(const Observations& data) const {
  Progress out = replay_progress(data, data.by_id(0, data.size()), batch_, space_.num_free());
  const double most = model_.local_share;
  if (now_->quiet) {
    out.local_share = std::clamp(out.local_share, std::min(kLeast, most), most);
    return out;
  }
  // What the neighbourhood shows through its noise; the model of everything averages more.
  const double clear = 1 - std::min(1.0, now_->shape.hyper.noise);
  out.local_share = std::clamp(clear * out.local_share, std::min(kLeastNoisy, most), most);
  out.length = std::max(out.length, kSmallestNoisy);
  return out;
}

Matrix Locality::choose(const Observations& data, const Matrix& taken_points, int size, Key key, const Success* success) const {
  const Progress going = progress(data);
  int wanted = 0;
  for (int b = 0; b < size; ++b) wanted += key.fold("share").uniform(static_cast<std::uint64_t>(b)) < going.local_share ? 1 : 0;
  if (wanted == 0) return Matrix(0, space_.num_dims());
  const std::int64_t around = now_->quiet ? best_row(data, data.size()) : now_->leader;
  const LocalModel local(space_, now_->shape, data, around, observed(data, around));
  Taken taken(taken_points);
  // Where there is no noise a second look at a point, in a corner of the box say, tells nothing.
  if (now_->noise_free && has_room(space_, taken.size() + local.rows().size(), size))
    for (const std::int64_t row : local.rows())
      taken.insert({data.X().row(row).data(), static_cast<std::size_t>(space_.num_dims())});
  const Region region{.space = space_,
                      .gp = local.gp(),
                      .frame = local.frame(),
                      .centre = data.X().row(now_->quiet ? around : local.favourite()),
                      .half = local.half(space_, going.length),
                      .success = success};
  // A region has one top; without noise the best value is the best point, and nobody need look there.
  const int tops = now_->quiet ? 0 : std::min(1, num_summits(model_.summit_share, wanted, key));
  Matrix out(wanted, space_.num_dims());
  if (tops > 0) out.topRows(1) = search_region(region, 1, 1, 0.0, taken, key.fold("top"));
  if (wanted > tops)
    out.bottomRows(wanted - tops) = search_region(
        region, wanted - tops, kFeatures, model_.alpha.value_or(early_alpha(space_, data.size())), taken, key.fold("search"));
  return out;
}

std::optional<Locality::Recommendation> Locality::recommend(const Observations& data, const Posterior& posterior,
                                                            std::int64_t leader) const {
  if (data.size() < kFewest) return {};
  const LocalModel local(space_, now_->shape, data, leader, observed(data, leader));
  const Matrix X = data.X()(local.rows(), Eigen::all);
  const Anchor& units = posterior.learned().anchor;
  Vector values(X.rows()), y(X.rows());
  for (Eigen::Index i = 0; i < y.size(); ++i) {
    values(i) = data.y(local.rows()[static_cast<std::size_t>(i)]);
    y(i) = units.to_model(values(i));
  }
  const Prediction mine = local.predict(X);
  const double error = left_out_error(mine, local.y(), now_->shape.hyper.noise, local.r(), now_->shape.units, values);
  const double other = left_out_error(posterior.gp().predict(X), y, posterior.gp().hyper().noise,
                                      posterior.known_noise(data).ratios(local.rows()), units, values);
  if (!(error < kClearly * other)) return {};
  Recommendation out{.row = leader, .rows = local.rows(), .there = mine, .units = now_->shape.units};
  if (!now_->noise_free) out.row = local.rows()[static_cast<std::size_t>(choose_leader(X, local.y(), mine.mean, local.r()).row)];
  return out;
}

}  // namespace salvo
