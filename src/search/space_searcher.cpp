#include "search/space_searcher.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "acquire/acquire.h"
#include "acquire/other_choices.h"
#include "acquire/scouts.h"
#include "sample/candidates.h"
#include "sample/taken.h"
#include "search/design.h"
#include "search/few_levels.h"
#include "search/gain.h"
#include "search/leaders.h"

namespace salvo {
namespace {

constexpr std::int64_t kClosed = 300;  // of the best points

}  // namespace

SpaceSearcher::SpaceSearcher(const StudyOptions& options)
    : BoxSearcher(options),
      sign_(options.direction() == Direction::minimize ? -1.0 : 1.0),
      data_(space_.num_dims()),
      failures_(space_.num_dims()) {
  // The theory is about samples of one model; a small finite space is searched point by point.
  const bool around = search_.method == Method::automatic && search_.model.alpha_rule != AlphaRule::theory &&
                      search_.model.local_share > 0 && space_.num_points() > kEnumerate;
  if (around) locality_.emplace(space_, search_.model, batch_);
}

void SpaceSearcher::observe(std::span<const Record> records) {
  for (const Record& record : records) {
    note(record);
    if (std::holds_alternative<Failure>(record.outcome)) failures_.add(record, space_.encode(record.params));
    const auto* values = std::get_if<Values>(&record.outcome);
    if (!values || std::isnan(values->outputs.front())) continue;
    data_.add(record, space_.encode(record.params), sign_ * values->outputs.front());
    recommended_row_ = -1;
  }
}

// Of a study with a prior every third point of the design is one that was expected to be good. The others are spread as ever: so
// a prior that misleads is found out.
std::map<int, Params> SpaceSearcher::expected_best(const Ask& ask, int count, std::vector<Params>& taken) const {
  constexpr int kEvery = 3;
  std::map<int, Params> out;
  const bool searches = info(search_.method).model != ModelUse::none && ask.fixed.empty();
  if (learning_.trend.empty() || !searches || !has_room(space_, taken.size(), 2 * count)) return out;
  const auto first = static_cast<int>(ask.num_designed);
  const std::vector<Params> best = decoded(space_, favourites(learning_.trend, (first + count + kEvery - 1) / kEvery));
  for (int i = 0; i < count; ++i) {
    const auto number = static_cast<std::size_t>((first + i) / kEvery);
    if ((first + i) % kEvery != 0 || number >= best.size()) continue;
    if (std::find(taken.begin(), taken.end(), best[number]) != taken.end()) continue;
    out.emplace(i, best[number]);
    taken.push_back(best[number]);
  }
  return out;
}

std::string SpaceSearcher::prior_of(std::span<const Params> points, std::span<const Values> values,
                                    const std::string& from) const {
  if (info(search_.method).model == ModelUse::none)
    throw std::invalid_argument(
        fmt::format("set_prior: expected a method with a model, got \"{}\", which has none", to_string(search_.method)));
  Observations old(space_.num_dims());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto number = static_cast<std::int64_t>(i) + 1;
    old.add({.id = number, .sequence = number, .params = points[i], .outcome = values[i]}, space_.encode(points[i]),
            sign_ * values[i].outputs.front());
  }
  return learn_prior(learning_, old, points, from).document();
}

void SpaceSearcher::set_prior(const std::string& document) {
  prior_ = Prior::from_document(document);
  learning_.trend = prior_->trend(learning_);
}

// What is in the store, read once.
const SpaceLearned* SpaceSearcher::recall(const Learned* stored) {
  if (!stored) return nullptr;
  const auto same = [&](const SpaceLearned& mine) {
    return mine.ask == stored->ask && mine.sequence == stored->sequence && mine.settings == stored->settings;
  };
  if (posterior_ && same(posterior_->learned())) return &posterior_->learned();
  if (!known_ || !same(*known_)) known_ = SpaceLearned::from(*stored, space_.num_dims(), data_.size());
  return &*known_;
}

void SpaceSearcher::check(const Learned& known) { (void)recall(&known); }

bool SpaceSearcher::learns_first(const Learned* stored) {
  return must_learn(learning_, data_, recall(stored), growth_for(Purpose::question));
}

void SpaceSearcher::fit(const Ask& ask, const Learned* stored, Purpose purpose) {
  check_exact_room(search_.method, data_.size());
  const SpaceLearned* known = recall(stored);
  if (must_learn(learning_, data_, known, growth_for(purpose))) {
    const bool have = posterior_ && posterior_->learned().ask == ask.number &&
                      posterior_->learned().sequence == data_.last_sequence() &&
                      posterior_->learned().settings == learning_.settings();
    if (!have) {
      SpaceLearned now = learn(learning_, data_, known, ask.key.fold("fit"));
      now.ask = ask.number;
      posterior_.emplace(std::move(now), data_, learning_.model, learning_.trend);
      recommended_row_ = -1;
    }
  } else if (!posterior_ || known != &posterior_->learned()) {
    posterior_.emplace(*known, data_, learning_.model, learning_.trend);
    recommended_row_ = -1;
  }
  posterior_->update(data_);
  if (locality_) locality_->follow(data_, *posterior_);
  success_.reset();
  if (learns_failures() && purpose == Purpose::batch) success_ = failures_.learn(learning_, data_);
}

bool SpaceSearcher::learns_failures() const { return failures_.size() > 0 && heeds_failures(); }

ModelOptions SpaceSearcher::model_now() const {
  const double step = 1 + static_cast<double>(data_.size()) / batch_;  // the number of the batch
  ModelOptions out = resolved(learning_.model, search_.method, *posterior_, step);
  const bool free = !learning_.model.alpha && learning_.model.alpha_rule == AlphaRule::constant;
  if (free && locality_ && posterior_->exact()) out.alpha = early_alpha(space_, data_.size());
  return out;
}

std::vector<Choice> SpaceSearcher::choose(const Ask& ask, int count, Seconds& seconds) {
  const Method method = search_.method;
  const Encoding space = space_for(ask);
  Matrix taken = encoded(taken_for(ask));
  std::vector<Choice> out;
  const auto add = [&](const Matrix& points, Source source) {
    for (Params& params : decoded(space, points)) out.push_back({std::move(params), source});
    taken.conservativeResize(taken.rows() + points.rows(), space_.num_dims());
    taken.bottomRows(points.rows()) = points;
  };
  const auto left = [&] { return count - static_cast<int>(std::ssize(out)); };
  if (locality_ && ask.fixed.empty()) {  // with a value given, its neighbourhood is elsewhere
    add(data_.X()(due_repeats(data_, taken, encoded(repeats_), search_.model.num_repeats, count), Eigen::all), Source::repeat);
    if (left() > 0) add(for_other_choices(ask, space, taken, left(), seconds), Source::model);
    const Timer timer(seconds.maximise);
    if (left() > 0) add(locality_->choose(data_, taken, left(), ask.key.fold("local"), success()), Source::local);
  }
  const int size = left();
  if (size == 0) return out;
  // Where there is no noise a second look at the best points, in a corner of the box say, tells nothing.
  Matrix closed = taken;
  const std::int64_t known = std::min<std::int64_t>(kClosed, data_.size());
  if (locality_ && locality_->noise_free() && has_room(space, static_cast<std::size_t>(taken.rows() + known), size)) {
    const Matrix best = data_.X()(data_.best(known), Eigen::all);
    closed.conservativeResize(taken.rows() + best.rows(), space_.num_dims());
    closed.bottomRows(best.rows()) = best;
  }
  const Vector y = targets();
  const Matrix newest = data_.newest(std::max(1000, batch_));
  ModelOptions model = model_now();
  if (!locality_ || locality_->quiet()) model.summit_share = 0;  // the best value is the best point
  std::vector<std::int64_t> by_trial;                            // a sort of all of them: for whom it is needed
  if (method == Method::turbo || num_scouts(model.scout_share, size, ask.key) > 0) by_trial = data_.by_id(0, data_.size());
  std::vector<bool> chosen;
  if (method == Method::turbo)
    for (const std::int64_t row : by_trial) chosen.push_back(chosen_by_search(data_.source(row)));
  add(acquire(method, {.space = space,
                       .X = data_.X(),
                       .y = y,
                       .newest = newest,
                       .by_trial = by_trial,
                       .chosen = chosen,
                       .gp = posterior_->gp(),
                       .model = model,
                       .taken = closed,
                       .size = size,
                       .batch = batch_,
                       .key = ask.key,
                       .seconds = seconds,
                       .success = success()}),
      Source::model);
  return out;
}

Matrix SpaceSearcher::for_other_choices(const Ask& ask, const Encoding& space, const Matrix& taken, int size,
                                        Seconds& seconds) const {
  if (search_.model.choice_share == 0 || !has_choices(space)) return Matrix(0, space.num_dims());
  return other_choices({.space = space,
                        .X = data_.X(),
                        .y = targets(),
                        .newest = data_.newest(std::max(1000, batch_)),
                        .by_trial = {},
                        .chosen = {},
                        .gp = posterior_->gp(),
                        .model = model_now(),
                        .taken = taken,
                        .size = size,
                        .batch = batch_,
                        .key = ask.key,
                        .seconds = seconds,
                        .success = success()});
}

// A point of the recommended one's neighbourhood is predicted by the model that recommends it.
std::vector<Estimate> SpaceSearcher::predict(std::span<const Params> points) {
  if (recommended_row_ < 0) (void)recommend({});
  return estimates(encoded(points));
}

std::vector<Estimate> SpaceSearcher::estimates(const Matrix& X) const {
  const Prediction there = posterior_->gp().predict(X);
  std::vector<Estimate> out;
  for (Eigen::Index i = 0; i < X.rows(); ++i) {
    out.push_back(in_users_units(posterior_->learned().anchor, there.mean(i), there.variance(i)));
    if (!local_) continue;
    const auto same = [&](std::int64_t row) { return data_.X().row(row) == X.row(i); };
    const auto found = std::find_if(local_->rows.begin(), local_->rows.end(), same) - local_->rows.begin();
    if (found < std::ssize(local_->rows))
      out.back() = in_users_units(local_->units, local_->there.mean(found), local_->there.variance(found));
  }
  return out;
}

Recommended SpaceSearcher::recommend(std::span<const double>) {
  if (recommended_row_ < 0) {
    const std::vector<std::int64_t> rows = data_.by_id(0, data_.size());
    const Matrix X = data_.X()(rows, Eigen::all);
    const Leader leader =
        choose_leader(X, targets()(rows), posterior_->gp().predict_mean(X), posterior_->known_noise(data_).ratios(rows));
    const std::int64_t row = rows[static_cast<std::size_t>(leader.row)];
    local_ = locality_ ? locality_->recommend(data_, *posterior_, row) : std::nullopt;
    recommended_row_ = local_ ? local_->row : row;
  }
  return {data_.id(recommended_row_), estimates(data_.X().row(recommended_row_)), locality_ && locality_->quiet()};
}

double SpaceSearcher::expected_gain(const Ask& ask) {
  if (recommended_row_ < 0) (void)recommend({});
  std::optional<Success> success;
  if (learns_failures()) success = failures_.learn(learning_, data_);
  return salvo::expected_gain(posterior_->gp(), space_, model_now(), data_.X().row(recommended_row_),
                              success ? &*success : nullptr, posterior_->learned().anchor, ask.key.fold("gain"));
}

// Every value in the model's units.
Vector SpaceSearcher::targets() const {
  const Anchor& units = posterior_->learned().anchor;
  Vector y(data_.size());
  for (Eigen::Index i = 0; i < y.size(); ++i) y(i) = units.to_model(data_.y(i));
  return y;
}

Estimate SpaceSearcher::in_users_units(const Anchor& units, double mean, double variance) const {
  const double unit = units.unit_at(mean);
  return {sign_ * units.from_model(mean), std::sqrt(std::max(0.0, variance)) * unit};
}

}  // namespace salvo
