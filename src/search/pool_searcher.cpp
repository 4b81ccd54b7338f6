#include "search/pool_searcher.h"

#include <fmt/format.h>
#include <salvo/fitted_model.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include "acquire/acquire.h"
#include "search/settings.h"
#include "text/text.h"

namespace salvo {

PoolSearcher::PoolSearcher(const StudyOptions& options)
    : search_(std::get<PoolSearch>(options.search)),
      seed_(options.seed),
      num_planned_(options.num_initial > 0 ? options.num_initial : options.batch),
      sign_(options.direction() == Direction::minimize ? -1.0 : 1.0),
      num_anchored_(num_anchored(options.num_initial, options.batch)),
      settings_(learning_settings(search_.model, num_anchored_)),
      model_(search_.pool, search_.model, options.seed),
      evaluated_(static_cast<std::size_t>(search_.pool.size())) {}

std::int64_t PoolSearcher::row_of(const Params& params) const {
  const std::string id = to_string(params.at(0));
  const std::int64_t row = search_.pool.find(id);
  if (row < 0) throw std::invalid_argument(fmt::format("candidate: expected an id of the pool, got \"{}\"", shown(id)));
  return row;
}

bool PoolSearcher::may_be_tried(const Params& params) const { return !evaluated_[static_cast<std::size_t>(row_of(params))]; }

Params PoolSearcher::canonical(const Params& params) const { return {std::string(search_.pool.id(row_of(params)))}; }

std::vector<Params> PoolSearcher::candidates(const std::vector<std::int64_t>& rows) const {
  std::vector<Params> out;
  out.reserve(rows.size());
  for (const std::int64_t row : rows) out.push_back({std::string(search_.pool.id(row))});
  return out;
}

// A candidate that was abandoned may be handed out again.
void PoolSearcher::observe(std::span<const Record> records) {
  for (const Record& record : records) {
    if (chosen_by_people(record.source)) ++num_told_;
    if (std::holds_alternative<Abandoned>(record.outcome)) continue;
    const std::int64_t row = row_of(record.params);
    num_evaluated_ += evaluated_[static_cast<std::size_t>(row)] ? 0 : 1;
    evaluated_[static_cast<std::size_t>(row)] = true;
    const auto* values = std::get_if<Values>(&record.outcome);
    if (!values) continue;
    data_.add(record, sign_ * values->outputs.front());
    rows_.push_back(row);
    recommended_row_ = -1;
  }
}

std::vector<std::int64_t> PoolSearcher::taken(std::span<const Params> pending) const {
  std::vector<std::int64_t> rows;
  rows.reserve(static_cast<std::size_t>(num_evaluated_) + pending.size());
  for (std::size_t row = 0; row < evaluated_.size(); ++row)
    if (evaluated_[row]) rows.push_back(static_cast<std::int64_t>(row));
  for (const Params& params : pending) {
    const std::int64_t row = row_of(params);
    if (!evaluated_[static_cast<std::size_t>(row)]) rows.push_back(row);
  }
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

double PoolSearcher::num_left(std::span<const Params> pending) const {
  std::set<std::int64_t> waiting;  // not a pass over the pool: runners ask this after every trial
  for (const Params& params : pending)
    if (const std::int64_t row = row_of(params); !evaluated_[static_cast<std::size_t>(row)]) waiting.insert(row);
  return static_cast<double>(search_.pool.size() - num_evaluated_ - std::ssize(waiting));
}

int PoolSearcher::admitted(int size, const Ask& ask) const {
  const double left = num_left(ask.taken);
  if (left > 0) return static_cast<int>(std::min<double>(size, left));  // the last batch may be smaller
  throw std::invalid_argument(
      fmt::format("ask: no candidate is left: all {} of the pool have been handed out", search_.pool.size()));
}

std::vector<Params> PoolSearcher::design(const Ask& ask, int count) {
  if (data_.size() >= 2 && info(search_.method).model != ModelUse::none) {
    const double planned = std::min(num_planned_, static_cast<double>(search_.pool.size()));
    const double due = planned - static_cast<double>(ask.num_designed + num_told_);
    count = static_cast<int>(std::clamp<double>(due, 0, count));
  }
  return candidates(random(count, taken(ask.taken), ask.key.fold("initial")));
}

std::vector<std::int64_t> PoolSearcher::random(int count, const std::vector<std::int64_t>& taken, Key key) const {
  std::vector<bool> blocked(evaluated_.size());
  for (const std::int64_t row : taken) blocked[static_cast<std::size_t>(row)] = true;
  const auto size = static_cast<std::uint64_t>(search_.pool.size()), left = size - static_cast<std::uint64_t>(taken.size());
  const auto wanted = std::min(static_cast<std::uint64_t>(count), left);
  std::vector<std::int64_t> rows;
  if (2 * wanted <= left && 2 * left >= size) {  // then every other attempt at least finds a free one
    for (std::uint64_t attempt = 0; rows.size() < wanted; ++attempt) {
      const std::uint64_t row = key.at(attempt).below(size);
      if (blocked[row]) continue;
      blocked[row] = true;
      rows.push_back(static_cast<std::int64_t>(row));
    }
    return rows;
  }
  for (std::uint64_t row = 0; row < size; ++row)
    if (!blocked[row]) rows.push_back(static_cast<std::int64_t>(row));
  for (std::uint64_t i = 0; i < wanted; ++i) std::swap(rows[i], rows[i + key.at(i).below(rows.size() - i)]);
  rows.resize(wanted);
  return rows;
}

// What is in the store, read once.
void PoolSearcher::recall(const Learned* stored) {
  if (stored) {
    const CampaignLearned header{.ask = stored->ask, .sequence = stored->sequence, .settings = stored->settings};
    if (!known_ || !known_->same_as(header)) known_ = CampaignLearned::from(*stored, data_.size());
  } else {
    known_.reset();
  }
}

double PoolSearcher::growth_for(Purpose purpose) const {
  const double refit = search_.model.refit_growth;
  return purpose == Purpose::batch ? refit : std::max(1.0, refit);
}

void PoolSearcher::check(const Learned& known) {
  recall(&known);
  model_.check(known_->model);
}

bool PoolSearcher::learns_first(const Learned* stored) {
  recall(stored);
  return !known_ || known_->settings != settings_ || grown(known_->num_observations, data_.size(), growth_for(Purpose::question));
}

void PoolSearcher::fit(const Ask& ask, const Learned* stored, Purpose purpose) {
  recall(stored);
  const bool changed = !known_ || known_->settings != settings_;
  if (changed || grown(known_->num_observations, data_.size(), growth_for(purpose))) {
    CampaignLearned now{.ask = ask.number,
                        .sequence = data_.last_sequence(),
                        .num_observations = data_.size(),
                        .settings = settings_,
                        .anchor = anchor(data_, num_anchored_)};
    if (learned_ && learned_->same_as(now) && num_added_ == data_.size()) return;
    // Learning starts from what was learned before, in this process or in another.
    // What a question has learned meanwhile, and nobody stored, does not count.
    if (changed)
      model_ = PoolModel(search_.pool, search_.model, seed_);
    else if (!learned_ || !learned_->same_as(*known_))
      model_.restore(known_->model);
    learned_ = std::move(now);
    const auto order = data_.by_id(0, data_.size());
    std::vector<std::int64_t> rows;
    Vector y(data_.size());
    for (const std::int64_t i : order) {
      y(std::ssize(rows)) = learned_->anchor.to_model(data_.y(i));
      rows.push_back(rows_[static_cast<std::size_t>(i)]);
    }
    recommended_row_ = -1;
    const KnownNoise noise = known_noise(model_.floor_for(y));
    model_.learn(rows, y, ask.key.fold("fit"), noise.ratios(order), noise.mostly() ? noise.typical() : 0);
    learned_->model = model_.learned();
    num_added_ = data_.size();
    last_id_ = 0;
    return;
  }
  if (!learned_ || !learned_->same_as(*known_)) restore(*known_);
  if (num_added_ == data_.size()) return;
  // The model has the same bits whether data came in one by one or, after a restart, at once: by id they go in. Where a
  // trial comes in late, after others with a higher id, it is built again.
  const auto order = data_.by_id(num_added_, data_.size());
  if (data_.id(order.front()) < last_id_) restore(*known_);
  add(num_added_, data_.size());
}

void PoolSearcher::restore(const CampaignLearned& known) {
  recommended_row_ = -1;
  model_.restore(known.model);
  learned_ = known;
  num_added_ = last_id_ = 0;
  add(0, known.num_observations);
  last_id_ = 0;
}

KnownNoise PoolSearcher::known_noise(std::optional<double> floor) const {
  return {data_, learned_->num_observations, learned_->anchor, floor.value_or(-std::numeric_limits<double>::infinity())};
}

void PoolSearcher::add(std::int64_t begin, std::int64_t end) {
  const auto order = data_.by_id(begin, end);
  std::vector<std::int64_t> rows;
  Vector y(end - begin);
  for (const std::int64_t i : order) {
    y(std::ssize(rows)) = learned_->anchor.to_model(data_.y(i));
    rows.push_back(rows_[static_cast<std::size_t>(i)]);
    last_id_ = std::max(last_id_, data_.id(i));
  }
  model_.add(rows, y, known_noise(model_.learned().floor).ratios(order));
  num_added_ = end;
}

std::vector<Choice> PoolSearcher::choose(const Ask& ask, int count, Seconds& seconds) {
  const Timer timer(seconds.maximise);
  std::vector<Choice> out;
  for (Params& params : candidates(model_.choose(count, taken(ask.taken), ask.key).rows)) out.push_back({std::move(params)});
  return out;
}

std::vector<Estimate> PoolSearcher::predict(std::span<const Params> points) {
  std::vector<std::int64_t> rows;
  for (const Params& params : points) rows.push_back(row_of(params));
  const Prediction there = model_.predict(rows);
  std::vector<Estimate> out;
  for (Eigen::Index i = 0; i < there.mean.size(); ++i) out.push_back(in_users_units(there.mean(i), there.variance(i)));
  return out;
}

Recommended PoolSearcher::recommend(std::span<const double>) {
  if (recommended_row_ < 0) recommended_row_ = data_.best_row(model_.predict(rows_).mean);
  const std::int64_t row[] = {rows_[static_cast<std::size_t>(recommended_row_)]};
  const Prediction there = model_.predict(row);
  return {.id = data_.id(recommended_row_), .outputs = {in_users_units(there.mean(0), there.variance(0))}};
}

ModelReport PoolSearcher::report() const {
  const Anchor& units = learned_->anchor;
  const PoolLearned& hyper = model_.learned();
  return {.num_observations = model_.num_observations(),
          .num_inducing = static_cast<int>(hyper.inducing.size()),
          .kernel = std::string(to_string(model_.options().kernel)),
          .lengthscales = {hyper.lengthscales.begin(), hyper.lengthscales.end()},
          .coordinates = search_.pool.columns(),
          .signal_stddev = units.scale * std::sqrt(hyper.variance),
          .noise_stddev = units.scale * std::sqrt(hyper.noise),
          .mean = sign_ * units.from_model(hyper.mean),
          .theta_over_tau = model_.theta() / hyper.noise,
          .jitter = model_.jitter()};
}

FittedModel PoolSearcher::fitted() const {
  throw std::invalid_argument("fitted_model: expected a study over a space, got one over a pool");
}

Estimate PoolSearcher::in_users_units(double mean, double variance) const {
  const Anchor& units = learned_->anchor;
  return {sign_ * units.from_model(mean), std::sqrt(std::max(0.0, variance * (units.scale * units.scale)))};
}

}  // namespace salvo
