#include "study/campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "space/text.h"

namespace salvo {
namespace {

std::int64_t row_at(const Matrix& X, Eigen::Index i) { return static_cast<std::int64_t>(X(i, 0)); }

std::vector<std::int64_t> rows_of(const Matrix& X) {
  std::vector<std::int64_t> rows(static_cast<std::size_t>(X.rows()));
  for (Eigen::Index i = 0; i < X.rows(); ++i) rows[static_cast<std::size_t>(i)] = row_at(X, i);
  return rows;
}

Matrix points_of(const std::vector<std::int64_t>& rows) {
  Matrix X(std::ssize(rows), 1);
  for (Eigen::Index i = 0; i < X.rows(); ++i) X(i, 0) = static_cast<double>(rows[static_cast<std::size_t>(i)]);
  return X;
}

}  // namespace

Campaign::Campaign(const StudyOptions& options)
    : pool_(*options.pool), model_(pool_, options.pool_model, options.seed), taken_(static_cast<std::size_t>(pool_.size())) {}

Vector Campaign::encode(const Params& params) const {
  const std::string id = to_string(params.at(0));
  const std::int64_t row = pool_.find(id);
  if (row < 0) throw std::invalid_argument(fmt::format("candidate: expected an id of the pool, got \"{}\"", shown(id)));
  return Vector::Constant(1, static_cast<double>(row));
}

Params Campaign::decode(double row) const { return {std::string(pool_.id(static_cast<std::int64_t>(row)))}; }

void Campaign::take(const Params& params) {
  const auto row = static_cast<std::size_t>(encode(params)(0));
  num_taken_ += taken_[row] ? 0 : 1;
  taken_[row] = true;
}

Matrix Campaign::taken(const std::vector<Params>& pending) const {
  std::vector<std::int64_t> rows;
  rows.reserve(static_cast<std::size_t>(num_taken_) + pending.size());
  for (std::size_t row = 0; row < taken_.size(); ++row)
    if (taken_[row]) rows.push_back(static_cast<std::int64_t>(row));
  for (const Params& params : pending) {
    const auto row = static_cast<std::int64_t>(encode(params)(0));
    if (!taken_[static_cast<std::size_t>(row)]) rows.push_back(row);
  }
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return points_of(rows);
}

Matrix Campaign::random(int count, const Matrix& taken, Key key) const {
  std::vector<bool> blocked(taken_.size());
  for (const std::int64_t row : rows_of(taken)) blocked[static_cast<std::size_t>(row)] = true;
  const auto size = static_cast<std::uint64_t>(pool_.size()), left = size - static_cast<std::uint64_t>(taken.rows());
  const auto wanted = std::min(static_cast<std::uint64_t>(count), left);
  std::vector<std::int64_t> rows;
  if (2 * wanted <= left && 2 * left >= size) {  // then every other attempt at least finds a free one
    for (std::uint64_t attempt = 0; rows.size() < wanted; ++attempt) {
      const std::uint64_t row = key.at(attempt).below(size);
      if (blocked[row]) continue;
      blocked[row] = true;
      rows.push_back(static_cast<std::int64_t>(row));
    }
    return points_of(rows);
  }
  for (std::uint64_t row = 0; row < size; ++row)
    if (!blocked[row]) rows.push_back(static_cast<std::int64_t>(row));
  for (std::uint64_t i = 0; i < wanted; ++i) std::swap(rows[i], rows[i + key.at(i).below(rows.size() - i)]);
  rows.resize(wanted);
  return points_of(rows);
}

void Campaign::fit(const StudyOptions& options, const Observations& data, const Learned* known, std::int64_t ask, double growth,
                   Key key) {
  if (must_learn(options, data, known, growth)) {
    Learned now{.ask = ask,
                .sequence = data.last_sequence(),
                .num_observations = data.size(),
                .settings = learning_settings(options),
                .anchor = anchor(data, num_anchored(options))};
    if (learned_ && learned_->same_as(now) && num_added_ == data.size()) return;
    // Learning starts from what was learned before, in this process or in another.
    // What a question has learned meanwhile, and nobody stored, does not count.
    if (!known || known->settings != now.settings)
      model_ = PoolModel(pool_, options.pool_model, options.seed);
    else if (!learned_ || !learned_->same_as(*known))
      model_.restore(*known->pool);
    learned_ = std::move(now);
    const auto order = data.by_id(0, data.size());
    std::vector<std::int64_t> rows;
    Vector y(data.size());
    for (const std::int64_t i : order) {
      y(std::ssize(rows)) = learned_->anchor.to_model(data.y(i));
      rows.push_back(static_cast<std::int64_t>(data.X()(i, 0)));
    }
    model_.learn(rows, y, key);
    learned_->pool = model_.learned();
    num_added_ = data.size();
    last_id_ = 0;
    return;
  }
  if (!learned_ || !learned_->same_as(*known)) restore(*known, data);
  if (num_added_ == data.size()) return;
  // The model has the same bits whether data came in one by one or, after a restart, at once: by id they go in. Where a
  // trial comes in late, after others with a higher id, it is built again.
  const auto order = data.by_id(num_added_, data.size());
  if (data.id(order.front()) < last_id_) restore(*known, data);
  add(data, num_added_, data.size());
}

void Campaign::restore(const Learned& learned, const Observations& data) {
  model_.restore(*learned.pool);
  learned_ = learned;
  num_added_ = last_id_ = 0;
  add(data, 0, learned.num_observations);
  last_id_ = 0;
}

void Campaign::add(const Observations& data, std::int64_t begin, std::int64_t end) {
  std::vector<std::int64_t> rows;
  Vector y(end - begin);
  for (const std::int64_t i : data.by_id(begin, end)) {
    y(std::ssize(rows)) = learned_->anchor.to_model(data.y(i));
    rows.push_back(static_cast<std::int64_t>(data.X()(i, 0)));
    last_id_ = std::max(last_id_, data.id(i));
  }
  model_.add(rows, y);
  num_added_ = end;
}

Matrix Campaign::choose(int count, const Matrix& taken, Key key) const {
  return points_of(model_.choose(count, rows_of(taken), key).rows);
}

Prediction Campaign::predict(const Matrix& X) const { return model_.predict(rows_of(X)); }

ModelReport Campaign::report(double sign) const {
  const Anchor& units = learned_->anchor;
  const PoolLearned& hyper = model_.learned();
  return ModelReport{.num_observations = model_.num_observations(),
                     .num_inducing = static_cast<int>(hyper.inducing.size()),
                     .kernel = std::string(to_string(model_.options().kernel)),
                     .lengthscales = hyper.lengthscales,
                     .signal_stddev = units.scale * std::sqrt(hyper.variance),
                     .noise_stddev = units.scale * std::sqrt(hyper.noise),
                     .mean = sign * units.from_model(hyper.mean),
                     .theta_over_tau = model_.theta() / hyper.noise,
                     .jitter = model_.jitter()};
}

}  // namespace salvo
