#include "search/pool_outputs_searcher.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "math/timer.h"
#include "search/front.h"
#include "search/merits.h"
#include "search/outputs_learned.h"
#include "search/settings.h"

namespace salvo {
namespace {

constexpr int kMostSpread = 3;  // objectives whose hypervolume is quick for thousands of candidates and hundreds of members
constexpr double kCarefulCandidate = 1.5;  // deviations of its noise that the most careful member keeps away from a bound

// Values below a floor are not told apart: what is little in one objective may be the best there is for another.
PoolSearch without_floor(PoolSearch search) {
  search.model.floor.reset();
  return search;
}

// With other bounds a constraint is turned and warped in another way.
std::string settings_of(const StudyOptions& options, std::int64_t num_anchored) {
  std::string out = learning_settings(without_floor(std::get<PoolSearch>(options.search)).model, num_anchored);
  for (const Output& output : options.outputs)
    if (const auto* constraint = std::get_if<Constraint>(&output.role))
      out += fmt::format(" {}={}:{}", output.name, constraint->min, constraint->max);
  return out;
}

}  // namespace

PoolOutputsSearcher::PoolOutputsSearcher(const StudyOptions& options)
    : CandidateSearcher(options), num_objectives_(options.num_objectives()), failures_(options) {
  const std::int64_t anchored = num_anchored(options.num_initial, options.batch);
  settings_ = settings_of(options, anchored);
  for (const Output& output : options.outputs) outputs_.emplace_back(output, without_floor(search_), seed_, anchored, settings_);
}

void PoolOutputsSearcher::observe(std::span<const Record> records) {
  for (const Record& record : records) {
    std::int64_t row = 0;
    const Values* values = note(record, row);
    if (!std::holds_alternative<Abandoned>(record.outcome)) failures_.observe(record, row);
    if (!values) continue;
    const auto at = std::upper_bound(ids_.begin(), ids_.end(), record.id) - ids_.begin();
    ids_.insert(ids_.begin() + at, record.id);
    rows_.insert(rows_.begin() + at, row);
    sources_.insert(sources_.begin() + at, record.source);
    last_sequence_ = record.sequence;
    for (std::size_t o = 0; o < outputs_.size(); ++o) outputs_[o].observe(record, row, values->outputs[o]);
    standing_.reset();
  }
}

std::int64_t PoolOutputsSearcher::num_observed() const {
  std::int64_t least = std::ssize(ids_);
  for (const PoolOutput& output : outputs_)
    if (!output.is_constraint()) least = std::min(least, output.size());
  return least;
}

// What is in the store, read once.
const PoolOutputsSearcher::Known* PoolOutputsSearcher::recall(const Learned* stored) {
  if (!stored) {
    known_.reset();
    return nullptr;
  }
  const bool same = known_ && known_->header.ask == stored->ask && known_->header.sequence == stored->sequence &&
                    known_->header.settings == stored->settings;
  if (same) return &*known_;
  Known now{{stored->ask, stored->sequence, stored->settings, {}, {}}, {}};
  const std::vector<std::optional<Learned>> parts = parts_of(*stored, outputs_.size());
  for (std::size_t o = 0; o < parts.size(); ++o) {
    now.outputs.emplace_back();
    if (parts[o]) now.outputs.back() = CampaignLearned::from(*parts[o], outputs_[o].size());
  }
  known_ = std::move(now);
  return &*known_;
}

void PoolOutputsSearcher::check(const Learned& stored) {
  const Known* known = recall(&stored);
  for (std::size_t o = 0; o < outputs_.size(); ++o)
    if (known->outputs[o]) outputs_[o].check(*known->outputs[o]);
}

bool PoolOutputsSearcher::must_learn(const Known* known, double growth) const {
  if (!known || known->header.settings != settings_) return true;
  for (std::size_t o = 0; o < outputs_.size(); ++o) {
    const auto& mine = known->outputs[o];
    if (outputs_[o].size() > 0 && outputs_[o].must_learn(mine ? &*mine : nullptr, growth)) return true;
  }
  return false;
}

bool PoolOutputsSearcher::learns_first(const Learned* stored) {
  return must_learn(recall(stored), growth_for(Purpose::question));
}

void PoolOutputsSearcher::fit(const Ask& ask, const Learned* stored, Purpose purpose) {
  const Known* known = recall(stored);
  const double growth = growth_for(purpose);
  if (must_learn(known, growth)) {
    for (std::size_t o = 0; o < outputs_.size(); ++o) {
      const bool has = known && known->outputs[o];
      if (outputs_[o].size() > 0)
        outputs_[o].learn(has ? &*known->outputs[o] : nullptr, ask.number, last_sequence_, ask.key.fold("fit").fold(o));
    }
    header_ = {ask.number, last_sequence_, settings_, {}, {}};
  } else {
    for (std::size_t o = 0; o < outputs_.size(); ++o)
      if (known->outputs[o]) outputs_[o].go_on_from(*known->outputs[o]);
    header_ = known->header;
  }
  standing_.reset();
}

const Standing& PoolOutputsSearcher::standing() {
  if (standing_) return *standing_;
  std::vector<OutputColumn> columns;
  for (const PoolOutput& output : outputs_) columns.push_back(output.column(ids_, rows_));
  standing_ = stand(columns, ids_, sources_);
  return *standing_;
}

// The members look along random directions of the front, as searches of a space do: every second one counts shares from a little
// below the worst of the best, the others from far below. Half of them keep away from the constraints' bounds, by as much as the
// models may be wrong about a candidate.
compute::PoolWorth PoolOutputsSearcher::worth_of(int count, Key key) const {
  const Standing& now = *standing_;
  std::vector<const PoolOutput*> constraints;
  for (const PoolOutput& output : outputs_)
    if (output.is_constraint() && output.learned()) constraints.push_back(&output);
  const Eigen::Index K = num_objectives_, C = std::ssize(constraints);
  compute::PoolWorth out{Matrix::Ones(K, count), Matrix::Zero(K, count), Matrix(C, count), Matrix(C, count)};
  Vector care(count);
  key.fold("care").fill_uniform({care.data(), static_cast<std::size_t>(count)});
  care = kCarefulCandidate * (2 * care.array() - 1).max(0.0);
  for (Eigen::Index c = 0; c < C; ++c) {
    const PoolOutput& output = *constraints[static_cast<std::size_t>(c)];
    const SeenOutput& seen = output.seen();
    const Vector room = care * std::sqrt(output.learned()->model.noise);
    const Vector low = seen.bound_of_paths(seen.seen_low(), output.units()) + room.array(),
                 high = seen.bound_of_paths(seen.seen_high(), output.units()) - room.array();
    out.low.row(c) = low.cwiseMin(high);  // both bounds may leave less room than that
    out.high.row(c) = high.cwiseMax(low);
  }
  if (K == 1) return out;
  const Matrix directions = random_directions(count, num_objectives_, key.fold("directions"));  // [B,K]
  for (int k = 0; k < num_objectives_; ++k) {
    const Anchor& units = outputs_[static_cast<std::size_t>(k)].units();
    const ObjectiveScale scale = objective_scale(now, k, units, units.unit());
    const double far = scale.share_of(far_below(now, k, scale)), centre = scale.share_of(units.centre);
    for (int b = 0; b < count; ++b) {
      const double part = directions(b, k);
      out.scale(k, b) = std::clamp(units.scale / scale.span / part, 1e-100, 1e100);
      out.shift(k, b) = std::clamp((centre - (b % 2 == 0 ? 0.0 : far)) / part, -1e100, 1e100);
    }
  }
  return out;
}

KnownFront PoolOutputsSearcher::known_front() const {
  const Standing& now = *standing_;
  KnownFront out{{}, Matrix(now.holds ? std::ssize(now.best) : 0, num_objectives_), Vector(num_objectives_)};
  for (int k = 0; k < num_objectives_; ++k) {
    const Anchor& units = outputs_[static_cast<std::size_t>(k)].units();
    const ObjectiveScale& scale = out.scales.emplace_back(objective_scale(now, k, units, units.unit()));
    out.reference(k) = near_share(scale.share_of(now.reference(k)));
    for (Eigen::Index i = 0; i < out.shares.rows(); ++i)
      out.shares(i, k) = near_share(scale.share_of(now.mean(now.best[static_cast<std::size_t>(i)], k)));
  }
  return out;
}

std::vector<Choice> PoolOutputsSearcher::choose(const Ask& ask, int count, Seconds& seconds) {
  const Timer timer(seconds.maximise);
  (void)standing();
  std::vector<const PoolModel*> models;
  for (const PoolOutput& output : outputs_)
    if (output.learned()) models.push_back(&output.model());
  const std::vector<std::int64_t> closed = taken(ask.taken);
  count = static_cast<int>(std::min<std::int64_t>(count, search_.pool.size() - std::ssize(closed)));
  if (count <= 0) return {};
  const std::optional<PoolSuccess> success = failures_.learn();
  if (success) models.push_back(&success->model);
  const PoolTogether samples(models, count, ask.key);
  compute::PoolWorth worth = worth_of(count, ask.key.fold("worth"));
  if (success) add_success(*success, ask.key.fold("success"), worth);
  const bool spreads = num_objectives_ > 1 && num_objectives_ <= kMostSpread;
  std::vector<Choice> out;
  for (Params& params :
       candidates(spreads ? spread_along(samples, worth, known_front(), closed) : samples.choose(worth, closed, count).rows))
    out.push_back({std::move(params)});
  return out;
}

std::vector<Estimate> PoolOutputsSearcher::predict(std::span<const Params> points) {
  return outputs_.front().predict(rows_of(points));
}

std::vector<std::vector<Estimate>> PoolOutputsSearcher::predict_outputs(std::span<const Params> points) {
  const std::vector<std::int64_t> rows = rows_of(points);
  std::vector<std::vector<Estimate>> out(points.size());
  for (const PoolOutput& output : outputs_) {
    const std::vector<Estimate> mine = output.predict(rows);
    for (std::size_t i = 0; i < out.size(); ++i) out[i].push_back(mine[i]);
  }
  return out;
}

bool PoolOutputsSearcher::noise_free() const {
  return std::all_of(outputs_.begin(), outputs_.end(), [](const PoolOutput& output) { return output.quiet(); });
}

Recommended PoolOutputsSearcher::recommend(std::span<const double> weights) {
  const Standing& now = standing();
  const std::vector<Eigen::Index> rows = allowed_rows(now);
  if (rows.empty()) return recommended_at(now, safest(now), noise_free());
  const Eigen::Index best = num_objectives_ > 1 ? compromise(now, rows, weights) : best_among(now, rows, 1).front();
  return recommended_at(now, best, noise_free());
}

RecommendedFront PoolOutputsSearcher::front() {
  const std::vector<Eigen::Index> rows = allowed_rows(standing());
  if (rows.empty() || num_objectives_ == 1) return {.points = {recommend({})}};
  return front_of(standing(), rows, noise_free());
}

Learned PoolOutputsSearcher::learned() const {
  std::vector<std::optional<Learned>> all;
  for (const PoolOutput& output : outputs_) {
    all.emplace_back();
    if (output.learned()) all.back() = output.learned()->stored();
  }
  return join(header_, all);
}

ModelReport PoolOutputsSearcher::report() const {
  ModelReport out = outputs_.front().report();
  out.failing = failures_.report();
  return out;
}

std::vector<ModelReport> PoolOutputsSearcher::reports() const {
  std::vector<ModelReport> out;
  for (const PoolOutput& output : outputs_) out.push_back(output.report());
  out.front().failing = failures_.report();
  return out;
}

}  // namespace salvo
