#include "search/campaign.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace salvo {

Campaign::Campaign(const PoolSearch& search, std::uint64_t seed, std::int64_t num_anchored, std::string settings,
                   double direction)
    : search_(search),
      seed_(seed),
      num_anchored_(num_anchored),
      settings_(std::move(settings)),
      sign_(direction),
      model_(search_.pool, search_.model, seed) {}

void Campaign::observe(const Record& record, std::int64_t row, double y) {
  data_.add(record, y);
  rows_.push_back(row);
}

bool Campaign::must_learn(const CampaignLearned* known, double growth) const {
  return !known || known->settings != settings_ || grown(known->num_observations, data_.size(), growth);
}

bool Campaign::learn(const CampaignLearned* known, std::int64_t ask, std::int64_t sequence, Key key) {
  const bool changed = !known || known->settings != settings_;
  CampaignLearned now{.ask = ask,
                      .sequence = sequence,
                      .num_observations = data_.size(),
                      .settings = settings_,
                      .anchor = anchor(data_, num_anchored_)};
  if (learned_ && learned_->same_as(now) && num_added_ == data_.size()) return false;
  // Learning starts from what was learned before, in this process or in another.
  // What a question has learned meanwhile, and nobody stored, does not count.
  if (changed)
    model_ = PoolModel(search_.pool, search_.model, seed_);
  else if (!learned_ || !learned_->same_as(*known))
    model_.restore(known->model);
  learned_ = std::move(now);
  const auto order = data_.by_id(0, data_.size());
  std::vector<std::int64_t> rows;
  Vector y(data_.size());
  for (const std::int64_t i : order) {
    y(std::ssize(rows)) = learned_->anchor.to_model(data_.y(i));
    rows.push_back(rows_[static_cast<std::size_t>(i)]);
  }
  const KnownNoise noise = known_noise(model_.floor_for(y));
  model_.learn(rows, y, key, noise.ratios(order), noise.mostly() ? noise.typical() : 0);
  learned_->model = model_.learned();
  num_added_ = data_.size();
  last_id_ = 0;
  return true;
}

bool Campaign::go_on_from(const CampaignLearned& known) {
  const bool another = !learned_ || !learned_->same_as(known);
  if (another) restore(known);
  if (num_added_ == data_.size()) return another;
  // The model has the same bits whether data came in one by one or, after a restart, at once: by id they go in. Where a
  // trial comes in late, after others with a higher id, it is built again.
  const auto order = data_.by_id(num_added_, data_.size());
  if (data_.id(order.front()) < last_id_) restore(known);
  add(num_added_, data_.size());
  return true;
}

void Campaign::restore(const CampaignLearned& known) {
  model_.restore(known.model);
  learned_ = known;
  num_added_ = last_id_ = 0;
  add(0, known.num_observations);
  last_id_ = 0;
}

KnownNoise Campaign::known_noise(std::optional<double> floor) const {
  return {data_, learned_->num_observations, learned_->anchor, floor.value_or(-std::numeric_limits<double>::infinity())};
}

void Campaign::add(std::int64_t begin, std::int64_t end) {
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

Estimate Campaign::in_users_units(double mean, double variance) const {
  const Anchor& units = learned_->anchor;
  return {sign_ * units.from_model(mean), std::sqrt(std::max(0.0, variance * (units.scale * units.scale)))};
}

ModelReport Campaign::report() const {
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

}  // namespace salvo
