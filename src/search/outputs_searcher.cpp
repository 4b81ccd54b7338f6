#include "search/outputs_searcher.h"

#include <fmt/format.h>
#include <salvo/fitted_model.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "search/front.h"
#include "search/leaders.h"

namespace salvo {
namespace {

using Index = Eigen::Index;
constexpr Index kNear = 300, kNearFront = 600, kNearMost = 1000;  // trials of the models around the best, more in many dimensions
constexpr Index kNearEach = 30;                                   // for each dimension

}  // namespace

OutputsSearcher::OutputsSearcher(const StudyOptions& options)
    : BoxSearcher(options), num_objectives_(options.num_objectives()), points_(space_.num_dims()), failures_(space_.num_dims()) {
  for (const Output& output : options.outputs) {
    outputs_.emplace_back(output, space_);
    // A constraint is turned and warped by its bounds: with others it is learned anew.
    if (const auto* constraint = std::get_if<Constraint>(&output.role))
      learning_.also += fmt::format(" {}={}:{}", output.name, constraint->min, constraint->max);
  }
}

void OutputsSearcher::observe(std::span<const Record> records) {
  for (const Record& record : records) {
    note(record);
    if (std::holds_alternative<Failure>(record.outcome)) failures_.add(record, space_.encode(record.params));
    const auto* values = std::get_if<Values>(&record.outcome);
    if (!values) continue;
    const Vector x = space_.encode(record.params);
    points_.add(record, x, 0);
    sequences_.push_back(record.sequence);
    for (std::size_t o = 0; o < outputs_.size(); ++o) outputs_[o].observe(record, x, values->outputs[o]);
  }
}

// Of the objective that was measured least.
std::int64_t OutputsSearcher::num_observed() const {
  std::int64_t least = points_.size();
  for (const OutputModel& output : outputs_)
    if (!output.is_constraint()) least = std::min(least, output.data().size());
  return least;
}

std::string OutputsSearcher::prior_of(std::span<const Params>, std::span<const Values>, const std::string&) const {
  throw std::invalid_argument("set_prior: expected a study with one output, got one with several");
}

void OutputsSearcher::set_prior(const std::string&) {
  throw std::invalid_argument("set_prior: expected a study with one output, got one with several");
}

// What is in the store, read once.
const OutputsLearned* OutputsSearcher::recall(const Learned* stored) {
  if (!stored) return nullptr;
  const bool same =
      known_ && known_->ask == stored->ask && known_->sequence == stored->sequence && known_->settings == stored->settings;
  if (same) return &*known_;
  std::vector<std::int64_t> num_known;
  for (const OutputModel& output : outputs_) num_known.push_back(output.data().size());
  known_ = OutputsLearned::from(*stored, space_.num_dims(), num_known);
  return &*known_;
}

void OutputsSearcher::check(const Learned& known) { (void)recall(&known); }

bool OutputsSearcher::must_learn_any(const OutputsLearned* known, Purpose purpose) const {
  if (!known || known->settings != learning_.settings()) return true;
  for (std::size_t o = 0; o < outputs_.size(); ++o) {
    const auto& mine = known->outputs[o];
    if (!outputs_[o].empty() && must_learn(learning_, outputs_[o].data(), mine ? &*mine : nullptr, growth_for(purpose)))
      return true;
  }
  return false;
}

bool OutputsSearcher::learns_first(const Learned* stored) { return must_learn_any(recall(stored), Purpose::question); }

void OutputsSearcher::fit(const Ask& ask, const Learned* stored, Purpose purpose) {
  const OutputsLearned* known = recall(stored);
  const auto is_mine = [&](std::int64_t number, std::int64_t sequence, const std::string& settings) {
    return header_.ask == number && header_.sequence == sequence && header_.settings == settings;
  };
  if (must_learn_any(known, purpose)) {
    if (!is_mine(ask.number, points_.last_sequence(), learning_.settings())) {
      for (std::size_t o = 0; o < outputs_.size(); ++o) {
        check_exact_room(search_.method, outputs_[o].data().size());
        const bool has = known && known->outputs[o];
        if (!outputs_[o].empty())
          outputs_[o].learn(learning_, has ? &*known->outputs[o] : nullptr, ask.number, ask.key.fold("fit").fold(o));
      }
      header_ = {ask.number, points_.last_sequence(), learning_.settings(), {}, {}};
    }
  } else if (!is_mine(known->ask, known->sequence, known->settings)) {
    for (std::size_t o = 0; o < outputs_.size(); ++o)
      if (known->outputs[o]) outputs_[o].take(*known->outputs[o], learning_);
    header_ = {known->ask, known->sequence, known->settings, {}, {}};
  }
  for (OutputModel& output : outputs_)
    if (output.learned()) output.update();
  if (shaped_by_ != header_.ask || shaped_until_ != header_.sequence) learn_shapes();
  survey();
  success_.reset();
  if (failures_.size() > 0 && heeds_failures() && purpose == Purpose::batch) success_ = failures_.learn(learning_, ordered());
}

// The trials nearest to one of the best, in the cube; of a long front to some of them, so that there is room for others.
std::vector<std::int64_t> OutputsSearcher::near_best(const Standing& standing) const {
  const Index wanted = std::clamp<Index>(kNearEach * space_.num_dims(), num_objectives_ > 1 ? kNearFront : kNear, kNearMost);
  const Index every = (2 * std::ssize(standing.best) + wanted - 1) / wanted;
  std::vector<std::pair<double, Index>> found;
  for (Index i = 0; i < standing.size(); ++i) {
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < standing.best.size(); k += static_cast<std::size_t>(every))
      nearest = std::min(nearest, (standing.X.row(i) - standing.X.row(standing.best[k])).squaredNorm());
    found.emplace_back(nearest, i);
  }
  const auto end = found.begin() + std::min<Index>(wanted, std::ssize(found));
  if (end != found.end()) std::nth_element(found.begin(), end, found.end());
  std::vector<std::int64_t> out;
  for (auto each = found.begin(); each != end; ++each) out.push_back(standing.ids[static_cast<std::size_t>(each->second)]);
  std::sort(out.begin(), out.end());
  return out;
}

// From the trials that the models of everything were learned from, so that a resumed study has the same: first by the values as
// they are, which shows whether they are noisy; if so, by the models.
void OutputsSearcher::learn_shapes() {
  const auto until = std::upper_bound(sequences_.begin(), sequences_.end(), header_.sequence);
  const std::int64_t num_rows = until - sequences_.begin();
  for (const auto when : {OutputModel::When::first, OutputModel::When::then}) {
    const std::vector<std::int64_t> near = near_best(stand(outputs_, points_, num_rows, when));
    bool quiet = true;
    for (OutputModel& output : outputs_) {
      if (!output.learned()) continue;
      output.learn_around(near, learning_.model);
      quiet = quiet && output.quiet();
    }
    if (quiet) break;
  }
  shaped_by_ = header_.ask;
  shaped_until_ = header_.sequence;
}

void OutputsSearcher::survey() {
  for (OutputModel& output : outputs_)
    if (output.learned()) output.look_at_noise();
  const Standing seen = stand(outputs_, points_, points_.size(), OutputModel::When::then);
  const std::vector<std::int64_t> near = near_best(seen);
  const std::int64_t centre = seen.ids[static_cast<std::size_t>(seen.best.front())];
  for (OutputModel& output : outputs_)
    if (output.learned()) output.look_around(near, centre);
  standing_ = stand(outputs_, points_, points_.size(), OutputModel::When::now);
}

// The trials in the order of standing_, with what ranks them for their value.
Observations OutputsSearcher::ordered(By by) const {
  Matrix values = standing_.mean.leftCols(num_objectives_);
  for (Index k = 0; by == By::seen && k < values.cols(); ++k) {
    const OutputModel& output = outputs_[static_cast<std::size_t>(k)];
    for (Index i = 0; i < values.rows(); ++i)
      if (const std::int64_t row = output.row(standing_.ids[static_cast<std::size_t>(i)]); row >= 0)
        values(i, k) = output.value(row);
  }
  const Vector order = order_of(standing_, values, num_objectives_);
  Observations out(space_.num_dims());
  for (Index i = 0; i < standing_.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    out.add({.id = standing_.ids[at], .sequence = i + 1, .params = {}, .outcome = {}, .source = standing_.sources[at]},
            standing_.X.row(i).transpose(), order(i));
  }
  return out;
}

Learned OutputsSearcher::learned() const {
  std::vector<std::optional<Learned>> all;
  for (const OutputModel& output : outputs_) {
    all.emplace_back();
    if (output.learned()) all.back() = output.posterior().learned().stored();
  }
  return join(header_, all);
}

std::vector<Estimate> OutputsSearcher::predict(std::span<const Params> points) {
  std::vector<Estimate> out;
  for (const std::vector<Estimate>& each : predict_outputs(points)) out.push_back(each.front());
  return out;
}

std::vector<std::vector<Estimate>> OutputsSearcher::predict_outputs(std::span<const Params> points) {
  const Matrix X = encoded(points);
  std::vector<std::vector<Estimate>> out(points.size());
  for (const OutputModel& output : outputs_) {
    if (!output.learned()) {
      for (auto& each : out) each.push_back({0, std::numeric_limits<double>::infinity()});
      continue;
    }
    const OutputModel::Estimates found = output.estimates(X);
    for (Index i = 0; i < X.rows(); ++i) out[static_cast<std::size_t>(i)].push_back({output.sign() * found.mean(i), found.sd(i)});
  }
  return out;
}

bool OutputsSearcher::noise_free() const {
  return std::all_of(outputs_.begin(), outputs_.end(), [](const OutputModel& output) { return output.quiet(); });
}

Recommended OutputsSearcher::recommend(std::span<const double> weights) {
  const std::vector<Index> rows = allowed_rows(standing_);
  return recommended_at(standing_, rows.empty() ? safest(standing_) : best_of(rows, weights), noise_free());
}

Index OutputsSearcher::best_of(const std::vector<Index>& rows, std::span<const double> weights) const {
  if (num_objectives_ > 1) return compromise(standing_, rows, weights);
  const OutputModel& first = outputs_.front();
  if (first.quiet()) return best_among(standing_, rows, 1).front();
  const Anchor& units = first.posterior().learned().anchor;
  Vector y(std::ssize(rows)), mean(std::ssize(rows));
  for (Index i = 0; i < y.size(); ++i) {
    const Index row = rows[static_cast<std::size_t>(i)];
    y(i) = units.to_model(first.value(first.row(standing_.ids[static_cast<std::size_t>(row)])));
    mean(i) = units.to_model(standing_.mean(row, 0));
  }
  return rows[static_cast<std::size_t>(choose_leader(standing_.X(rows, Eigen::all), y, mean).row)];
}

RecommendedFront OutputsSearcher::front() {
  const std::vector<Index> rows = allowed_rows(standing_);
  if (rows.empty() || num_objectives_ == 1) return {.points = {recommend({})}};
  return front_of(standing_, rows, noise_free());
}

FittedModel OutputsSearcher::fitted() const {
  throw std::invalid_argument("fitted_model: expected a study with one output, got one with several");
}

}  // namespace salvo
