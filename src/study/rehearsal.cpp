#include "study/rehearsal.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>

#include "study/made_up_outputs.h"

namespace salvo {
namespace {

constexpr double kNoise = 0.1;

double in_seconds(std::chrono::steady_clock::duration time) { return std::chrono::duration<double>(time).count(); }

}  // namespace

MadeUp::MadeUp(const StudyOptions& options) : options_(options), key_(Key(options.seed).fold("made up")) {
  if (!options.pool()) space_.emplace(options.space());
}

// Of a space: a bowl with waves. Of a pool: how much a candidate has in common with one of them.
double MadeUp::height(const Params& params) const {
  if (space_) {
    const Vector x = space_->encode(params);
    double sum = 0;
    for (Eigen::Index i = 0; i < x.size(); ++i) {
      const double away = x(i) - 0.2 - 0.6 * key_.uniform(static_cast<std::uint64_t>(i));
      sum += away * away + 0.05 * std::sin(9 * x(i));
    }
    return sum * 4 / std::sqrt(static_cast<double>(std::max<Eigen::Index>(1, x.size())));
  }
  const Pool& pool = *options_.pool();
  const std::int64_t row = pool.find(std::get<std::string>(params.at(0)));
  const std::int64_t like = static_cast<std::int64_t>(key_.at(0).below(static_cast<std::uint64_t>(pool.size())));
  double common = 0, all = 1;
  if (pool.kind() == PoolKind::bits) {
    for (int i = 0; i < pool.words_per_row(); ++i) {
      common += std::popcount(pool.bits(row)[i] & pool.bits(like)[i]);
      all += std::popcount(pool.bits(row)[i] | pool.bits(like)[i]);
    }
    return -3 * common / all;
  }
  for (int i = 0; i < pool.num_features(); ++i) {
    const double a = pool.numbers(row)[i], b = pool.numbers(like)[i];
    common += std::abs(a - b);
    all += std::abs(a) + std::abs(b);
  }
  return 3 * common / all;
}

double MadeUp::value(const Params& params, std::uint64_t number) const {
  double noise = 0;
  key_.fold("noise").fold(number).fill_normal({&noise, 1});
  const double low = height(params) + kNoise * noise;
  return options_.direction() == Direction::minimize ? low : -low;
}

std::vector<Params> MadeUp::points(std::int64_t count, const Params& best, std::uint64_t number) const {
  const Key key = key_.fold("points").fold(number);
  std::vector<Params> out;
  if (!space_) {
    const Pool& pool = *options_.pool();
    for (std::int64_t i = 0; i < count; ++i) {
      const auto row = key.at(static_cast<std::uint64_t>(i)).below(static_cast<std::uint64_t>(pool.size()));
      out.push_back({std::string(pool.id(static_cast<std::int64_t>(row)))});
    }
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
  }
  const Vector there = space_->encode(best);
  std::vector<double> u(static_cast<std::size_t>(space_->num_free())), x(static_cast<std::size_t>(space_->num_dims()));
  std::vector<double> steps(x.size());
  for (std::int64_t i = 0; i < count; ++i) {
    const Key mine = key.fold(static_cast<std::uint64_t>(i));
    mine.fill_uniform(u);
    space_->from_unit(u, x);
    space_->snap(x);
    if (i % 2 == 0) {
      mine.fold("near").fill_normal(steps);
      for (std::size_t k = 0; k < x.size(); ++k)
        x[k] = std::clamp(there(static_cast<Eigen::Index>(k)) + 0.05 * steps[k], 0.0, 1.0);
      space_->snap(x);
    }
    out.push_back(space_->decode(x));
  }
  return out;
}

Growths Growths::of(const StudyOptions& options) {
  Growths out;
  const ModelUse use = info(options.method()).model;
  out.learns = use != ModelUse::none;
  if (const auto* space = std::get_if<SpaceSearch>(&options.search)) out.fit = space->model.refit_growth;
  if (const auto* pool = std::get_if<PoolSearch>(&options.search)) out.fit = pool->model.refit_growth;
  if (use == ModelUse::exact) out.fit = 0;
  out.points = options.pool() ? out.fit : std::min(out.points, out.fit);
  return out;
}

MeasuredAsk::Kind kind_at(const Growths& growths, std::int64_t observations, std::int64_t learned, std::int64_t fitted) {
  const auto grown = [&](std::int64_t before, double by) {
    return observations > before && static_cast<double>(observations) >= (1 + by) * static_cast<double>(before);
  };
  if (!growths.learns || !grown(learned, growths.points)) return MeasuredAsk::Kind::plain;
  return grown(fitted, growths.fit) ? MeasuredAsk::Kind::fit : MeasuredAsk::Kind::points;
}

Rehearsal::Rehearsal(const StudyOptions& options)
    : options_(options), made_up_(options_), study_(Study::create(options_, ":memory:")) {}

bool Rehearsal::has_room(std::int64_t more) { return study_.num_left() > static_cast<double>(more); }

MeasuredAsk::Kind Rehearsal::next_kind(std::int64_t observations) const {
  return kind_at(Growths::of(options_), observations, learned_, fitted_);
}

MeasuredAsk Rehearsal::batch() {
  MeasuredAsk out{.kind = next_kind(observations_), .observations = observations_};
  const double before = study_.seconds().fit;
  const auto begin = std::chrono::steady_clock::now();
  const std::vector<Trial> trials = study_.ask(options_.batch);
  const double all = in_seconds(std::chrono::steady_clock::now() - begin);
  out.learning = study_.seconds().fit - before;
  out.choosing = std::max(0.0, all - out.learning);
  if (out.learning == 0) out.kind = MeasuredAsk::Kind::plain;  // points of the initial design
  if (out.kind != MeasuredAsk::Kind::plain) learned_ = observations_;
  if (out.kind == MeasuredAsk::Kind::fit) fitted_ = observations_;
  std::vector<Told> outcomes;
  for (const Trial& trial : trials)
    outcomes.push_back(
        {trial.id, made_up_values(made_up_.value(trial.params, static_cast<std::uint64_t>(trial.id)), options_.outputs)});
  study_.tell(outcomes);
  observations_ += std::ssize(trials);
  return out;
}

void Rehearsal::fill(std::int64_t observations) {
  if (observations <= observations_) return;
  std::optional<Trial> best = study_.observed_best();
  if (!best && options_.num_objectives() > 1) best = study_.told_last(1).at(0);  // several have no best
  if (!best) return;
  const auto number = static_cast<std::uint64_t>(observations_);
  const std::vector<Params> points = made_up_.points(observations - observations_, best->params, number);
  std::vector<Values> values;
  for (std::size_t i = 0; i < points.size(); ++i)
    values.push_back(made_up_values(made_up_.value(points[i], 1'000'000'000 + number + i), options_.outputs));
  study_.add(points, values);
  observations_ = study_.counts().done;
}

}  // namespace salvo
