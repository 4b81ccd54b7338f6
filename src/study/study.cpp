#include <fmt/format.h>
#include <salvo/error.h>
#include <salvo/study.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <stdexcept>

#include "acquire/acquire.h"
#include "study/compare.h"
#include "study/study_impl.h"

namespace salvo {
namespace {

// The row of the largest value; of equal ones the trial that was asked for first.
std::int64_t best_row(const Vector& values, const Observations& data) {
  Eigen::Index best = 0;
  for (Eigen::Index i = 1; i < values.size(); ++i)
    if (values(i) > values(best) || (values(i) == values(best) && data.id(i) < data.id(best))) best = i;
  return best;
}

// A pool's candidates are the space.
StudyOptions with_space(StudyOptions options) {
  if (options.pool) options.space = candidate_space(options.pool->size());
  return options;
}

}  // namespace

// Reads what other processes, or this one, have recorded since.
Store::Snapshot Study::Impl::refresh() {
  const Timer timer(seconds.store);
  auto snapshot = store.snapshot(data.last_sequence(), learned ? learned->ask : -1);
  if (snapshot.learned) learned = std::move(snapshot.learned);
  for (const auto& [id, sequence, params, value, chosen] : snapshot.observations) {
    data.add(id, sequence, encode(params), sign() * value, chosen);
    if (campaign) campaign->take(params);
    recommended_row = -1;
  }
  for (const Params& params : snapshot.failed) campaign->take(params);
  return snapshot;
}

// Every value in the model's units.
Vector Study::Impl::targets() const {
  const Anchor& units = posterior->learned().anchor;
  Vector y(data.size());
  for (Eigen::Index i = 0; i < y.size(); ++i) y(i) = units.to_model(data.y(i));
  return y;
}

// The model that answers questions. It stores nothing, and learns only what the next ask would learn as well: when
// there is nothing yet, when the options changed, or when what was learned has half of the data at most.
bool Study::Impl::bring_up_to_date() {
  const auto known = refresh();
  if (data.size() == 0) return false;
  fit(known.asks, std::max(1.0, learning.model.refit_growth));
  return true;
}

// In the user's units.
Prediction Study::Impl::predict(const Matrix& X) {
  const Anchor& units = fitted().anchor;
  Prediction out = campaign ? campaign->predict(X) : posterior->gp().predict(X);
  for (double& mean : out.mean) mean = sign() * units.from_model(mean);
  out.variance *= units.scale * units.scale;
  return out;
}

Study::Study(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Study::Study(Study&&) noexcept = default;
Study& Study::operator=(Study&&) noexcept = default;
Study::~Study() = default;

Study Study::create(const StudyOptions& options, const std::string& path) {
  check_path(path);
  options.validate();
  return Study(std::make_unique<Impl>(Store::create(path, with_space(options))));
}

Study Study::open(const std::string& path, const std::optional<Pool>& pool) {
  check_path(path);
  if (path == ":memory:") throw std::invalid_argument("Study::open: there is nothing to open in \":memory:\". Create a study");
  return Study(std::make_unique<Impl>(Store::open(path, pool)));
}

Study Study::open_or_create(const StudyOptions& given, const std::string& path) {
  check_path(path);
  given.validate();
  StudyOptions options = with_space(given);
  if (path == ":memory:") return create(options, path);
  while (!std::filesystem::exists(path)) {
    try {
      return create(options, path);
    } catch (const StoreError&) {
      if (!std::filesystem::exists(path)) throw;  // otherwise another process was faster
    }
  }
  Study study(std::make_unique<Impl>(Store::open(path, options.pool)));
  // A search of the whole box goes on as one: a trust region would have to begin anew.
  if (options.method == Method::automatic && study.options().method == Method::thompson) options.method = Method::thompson;
  require_same_study(study.options(), options, path);
  if (!same_settings(study.options(), options)) {
    study.impl_->store.set_options(options);
    study.impl_->learning = for_method(options);
    if (options.pool) study.impl_->campaign.emplace(options);
  }
  return study;
}

void Study::tell(std::span<const Outcome> outcomes) {
  const Timer timer(impl_->seconds.store);
  impl_->store.tell(outcomes);
}

void Study::tell(std::int64_t id, double value) {
  const Outcome outcome{.id = id, .value = value};
  tell({&outcome, 1});
}

void Study::fail(std::int64_t id, const std::string& error) {
  const Outcome outcome{.id = id, .error = error};
  tell({&outcome, 1});
}

void Study::abandon(std::int64_t id) {
  const Outcome outcome{.id = id, .abandoned = true};
  tell({&outcome, 1});
}

std::vector<std::int64_t> Study::add(std::span<const Params> points, std::span<const double> values) {
  if (points.size() != values.size()) {
    throw std::invalid_argument(fmt::format("add: expected one value per point, got {} and {}", values.size(), points.size()));
  }
  std::vector<Params> typed;
  for (std::size_t i = 0; i < points.size(); ++i) {
    typed.push_back(options().space.check(points[i]));
    if (const auto& campaign = impl_->campaign) typed.back() = campaign->decode(campaign->encode(typed.back())(0));
    if (!std::isfinite(values[i])) {
      throw std::invalid_argument(fmt::format("add: point {}: expected a finite value, got {}", i + 1, values[i]));
    }
  }
  const Timer timer(impl_->seconds.store);
  return impl_->store.add(typed, values);
}

std::optional<Recommendation> Study::recommend() {
  if (!impl_->bring_up_to_date()) return std::nullopt;
  const Observations& data = impl_->data;
  if (impl_->recommended_row < 0) {
    const Vector mean = impl_->campaign ? impl_->campaign->predict(data.X()).mean : impl_->posterior->gp().predict_mean(data.X());
    impl_->recommended_row = best_row(mean, data);
  }
  const Prediction there = impl_->predict(data.X().row(impl_->recommended_row));
  return Recommendation{.trial = *trial(data.id(impl_->recommended_row)),
                        .mean = there.mean(0),
                        .stddev = std::sqrt(std::max(0.0, there.variance(0)))};
}

std::optional<Trial> Study::observed_best() {
  (void)impl_->refresh();
  const Observations& data = impl_->data;
  std::int64_t best = -1;
  for (std::int64_t row = 0; row < data.size(); ++row) {
    if (best < 0 || data.y(row) > data.y(best) || (data.y(row) == data.y(best) && data.id(row) < data.id(best))) best = row;
  }
  return best < 0 ? std::nullopt : trial(data.id(best));
}

Prediction Study::predict(std::span<const Params> points) {
  const Space& space = options().space;
  Matrix X(static_cast<Eigen::Index>(points.size()), space.num_dims());
  for (std::size_t i = 0; i < points.size(); ++i)
    X.row(static_cast<Eigen::Index>(i)) = impl_->encode(space.check(points[i])).transpose();
  if (!impl_->bring_up_to_date())
    throw std::invalid_argument("predict: expected a study with at least one value, got one without. Tell a value first");
  return impl_->predict(X);
}

std::optional<ModelReport> Study::model_report() {
  if (!impl_->bring_up_to_date()) return std::nullopt;
  if (impl_->campaign) return impl_->campaign->report(impl_->sign());
  const SparseGp& gp = impl_->posterior->gp();
  const Anchor& units = impl_->fitted().anchor;
  const Hyperparameters& hyper = gp.hyper();
  const ModelOptions now = resolved(impl_->learning.model, impl_->method(), *impl_->posterior, impl_->step());
  double captured = 1;
  if (gp.eigenfunctions()) captured = extended(*gp.eigenfunctions(), now.num_features).captured();
  if (!gp.eigenfunctions() && now.features == FeatureType::eigen)
    captured = eigenfunctions(now.eigenfunctions, hyper.kernel, now.num_features).captured();
  return ModelReport{.num_observations = gp.num_observations(),
                     .num_inducing = gp.num_inducing(),
                     .kernel = std::string(to_string(hyper.kernel.type)),
                     .lengthscales = hyper.kernel.lengthscales,
                     .signal_stddev = units.scale * std::sqrt(hyper.kernel.variance),
                     .noise_stddev = units.scale * std::sqrt(hyper.noise),
                     .mean = impl_->sign() * units.from_model(hyper.mean),
                     .theta_over_tau = gp.theta() / hyper.noise,
                     .jitter = gp.jitter(),
                     .num_features = now.num_features,
                     .alpha = now.alpha.value(),
                     .type = now.type,
                     .captured = captured,
                     .fit = impl_->posterior->learned().fit,
                     .sizes = impl_->posterior->learned().sizes};
}

double Study::num_left() {
  const auto known = impl_->refresh();
  const double taken = impl_->campaign ? static_cast<double>(impl_->campaign->taken(known.pending).rows())
                                       : static_cast<double>(known.pending.size());
  return options().space.num_points() - taken;
}

std::optional<FittedModel> Study::fitted_model() {
  if (impl_->campaign) throw std::invalid_argument("fitted_model: expected a study over a space, got one over a pool");
  if (!impl_->bring_up_to_date()) return std::nullopt;
  const Anchor& units = impl_->fitted().anchor;
  return FittedModel{.gp = impl_->posterior->gp(),
                     .X = impl_->data.X(),
                     .y = impl_->targets(),
                     .sign = impl_->sign(),
                     .centre = units.centre,
                     .scale = units.scale,
                     .num_features = impl_->posterior->learned().num_features};
}

const StudyOptions& Study::options() const { return impl_->options(); }
std::string Study::path() const { return impl_->store.path(); }
Counts Study::counts() { return impl_->store.counts(); }
std::vector<Trial> Study::trials() { return impl_->store.trials(); }
std::optional<Trial> Study::trial(std::int64_t id) { return impl_->store.trial(id); }
std::vector<Trial> Study::pending() { return impl_->store.pending(); }
std::vector<Trial> Study::claim_orphans(const std::string& owner) { return impl_->store.claim_orphans(owner); }
Seconds Study::seconds() const { return impl_->seconds; }
void Study::set_note(const std::string& key, const std::string& value) { impl_->store.set_note(key, value); }
std::optional<std::string> Study::note(const std::string& key) { return impl_->store.note(key); }

}  // namespace salvo
