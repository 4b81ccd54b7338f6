#include <fmt/format.h>
#include <salvo/error.h>
#include <salvo/study.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <stdexcept>

#include "acquire/acquire.h"
#include "acquire/scouts.h"
#include "study/campaign.h"
#include "study/compare.h"
#include "study/design.h"
#include "study/learned.h"
#include "study/store.h"

namespace salvo {
namespace {

void append(Matrix& rows, const Matrix& more) {
  rows.conservativeResize(rows.rows() + more.rows(), more.cols());
  rows.bottomRows(more.rows()) = more;
}

// The row of the largest value; of equal ones the trial that was asked for first.
std::int64_t best_row(const Vector& values, const Observations& data) {
  Eigen::Index best = 0;
  for (Eigen::Index i = 1; i < values.size(); ++i)
    if (values(i) > values(best) || (values(i) == values(best) && data.id(i) < data.id(best))) best = i;
  return best;
}

// A method that wants the exact GP gets it: every distinct observation is an inducing point, and every ask learns afresh.
StudyOptions for_method(StudyOptions options) {
  if (info(options.method).model == ModelUse::exact) {
    options.model.num_inducing = std::numeric_limits<int>::max();
    options.model.type = ModelType::inducing_points;
    options.model.fit = FitMethod::collapsed;
    options.model.refit_growth = 0;
  }
  return options;
}

// Points of the initial design. A method that asks for one point at a time begins with d + 4 all the same.
int num_initial(const StudyOptions& options) {
  if (options.num_initial > 0) return options.num_initial;
  const bool exact = info(options.method).model == ModelUse::exact;
  return exact ? std::max(options.batch, options.space.num_free() + 4) : options.batch;
}

// The exact GP holds some five n × n matrices.
void check_exact_room(const StudyOptions& options, std::int64_t n) {
  constexpr double kBytes = 8e9;
  const double needed = 5 * 8.0 * static_cast<double>(n) * static_cast<double>(n);
  if (info(options.method).model != ModelUse::exact || needed <= kBytes) return;
  throw std::invalid_argument(fmt::format(
      "ask: method \"{}\" keeps an exact GP: with {} observations it would need {:.0f} GB, and {:.0f} GB is the limit. "
      "Go on with method = \"auto\", which has none",
      to_string(options.method), n, needed / 1e9, kBytes / 1e9));
}

// A pool's candidates are the space.
StudyOptions with_space(StudyOptions options) {
  if (options.pool) options.space = candidate_space(options.pool->size());
  return options;
}

}  // namespace

// One ask: what is known at this moment, and the random key of everything it draws.
struct Ask {
  std::int64_t number = 0;  // of the study's asks
  int size = 0;
  int first_initial = 0, num_initial = 0;  // points of the initial design that it hands out
  std::vector<Params> pending;
  Matrix taken;  // [k,d] encoded: pending points, and those of this ask
  Key key{0};
};

struct Study::Impl {
  Store store;
  Observations data;
  std::optional<Learned> learned;      // in the store
  std::optional<Posterior> posterior;  // the latest that was computed
  std::optional<Campaign> campaign;    // instead of it, in a study over a pool
  std::int64_t recommended_row = -1;   // of the posterior and data at hand
  Seconds seconds;
  StudyOptions learning;  // the options, as the method wants its model learned

  explicit Impl(Store opened)
      : store(std::move(opened)), data(store.options().space.num_dims()), learning(for_method(store.options())) {
    if (options().pool) campaign.emplace(options());
  }

  const StudyOptions& options() const { return store.options(); }
  double sign() const { return options().direction == Direction::minimize ? -1.0 : 1.0; }
  double step() const { return 1 + static_cast<double>(data.size()) / options().batch; }  // the number of the batch
  Key ask_key(std::int64_t number) const { return Key(options().seed).fold("ask").fold(static_cast<std::uint64_t>(number)); }

  Vector encode(const Params& params) const { return campaign ? campaign->encode(params) : options().space.encode(params); }
  // Choosing inducing points anew costs a fraction of a fit, and they must follow the data: that comes more often.
  double growth() const { return campaign ? learning.model.refit_growth : std::min(0.04, learning.model.refit_growth); }
  const Learned& fitted() const { return campaign ? campaign->learned() : posterior->learned(); }

  Store::Snapshot refresh();
  Ask begin(int size);
  Matrix initial_points(const Ask& ask);
  void fit(std::int64_t ask, double growth);
  Vector targets() const;
  [[nodiscard]] Method method() const {
    return method_for(options().method, static_cast<int>(options().space.continuous_dims().size()));
  }
  Matrix choose(const Ask& ask);
  std::optional<std::vector<Trial>> claim(const Ask& ask, const Matrix& X, const std::string& owner);
  bool bring_up_to_date();
  Prediction predict(const Matrix& X);
};

// Fit, choose, claim; the initial design comes first. Choosing leads to src/acquire: with few parameters to thompson.cpp, which
// draws sample paths and maximises them. When another process asked meanwhile nothing is claimed,
// and all is computed again from what is known then: no point is handed out twice.
std::vector<Trial> Study::ask(int size, const std::string& owner) {
  while (true) {
    Ask ask = impl_->begin(size);
    Matrix X = impl_->initial_points(ask);
    if (X.rows() < ask.size) {
      append(ask.taken, X);
      impl_->fit(ask.number, impl_->growth());
      append(X, impl_->choose(ask));
    }
    if (auto trials = impl_->claim(ask, X, owner)) return std::move(*trials);
  }
}

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

Ask Study::Impl::begin(int size) {
  if (size < 1) throw std::invalid_argument(fmt::format("ask: expected a size of at least 1, got {}", size));
  auto known = refresh();
  const Space& space = options().space;
  Matrix taken(std::ssize(known.pending), space.num_dims());
  for (Eigen::Index i = 0; i < taken.rows(); ++i) taken.row(i) = encode(known.pending[static_cast<std::size_t>(i)]).transpose();
  if (campaign) taken = campaign->taken(known.pending);
  const auto left = space.num_points() - static_cast<double>(taken.rows());
  if (campaign && left > 0) size = static_cast<int>(std::min<double>(size, left));  // the last batch may be smaller
  if (size > left && campaign) {
    throw std::invalid_argument(
        fmt::format("ask: no candidate is left: all {} of the pool have been handed out", space.num_points()));
  }
  if (size > left) {
    throw std::invalid_argument(
        fmt::format("ask: expected at most {} points, got {}: the space has {} and {} are pending. Tell "
                    "or abandon pending trials, or ask for fewer",
                    left, size, space.num_points(), known.pending.size()));
  }
  const double planned = num_initial(options());
  double due = std::max(0.0, std::min(planned, space.num_points()) - static_cast<double>(known.num_initial));
  // Points evaluated elsewhere do for the model what the design would have done.
  if (due > 0) due = std::max(0.0, due - static_cast<double>(store.num_told()));
  Ask ask{.number = known.asks,
          .size = size,
          .first_initial = static_cast<int>(known.num_initial),
          // Without data there is no model: then the design goes on. A method without a model is a design.
          .num_initial = data.size() < 2 || info(options().method).model == ModelUse::none
                             ? size
                             : static_cast<int>(std::min<double>(size, due)),
          .pending = std::move(known.pending),
          .taken = std::move(taken),
          .key = ask_key(known.asks)};
  return ask;
}

Matrix Study::Impl::initial_points(const Ask& ask) {
  if (campaign) return campaign->random(ask.num_initial, ask.taken, ask.key.fold("initial"));
  const Space& space = options().space;
  const Method method = options().method;
  const Initial how = method == Method::random ? Initial::uniform : method == Method::sobol ? Initial::sobol : options().initial;
  std::vector<Params> taken = ask.pending;
  // Where a space is finite, earlier points of the design are not repeated as long as there are others.
  if (std::isfinite(space.num_points()) && ask.num_initial > 0) {
    const auto earlier = store.initial_points();
    if (static_cast<double>(earlier.size() + taken.size()) + ask.num_initial <= space.num_points()) {
      taken.insert(taken.end(), earlier.begin(), earlier.end());
    }
  }
  return initial_design(space, how, ask.first_initial, ask.num_initial, taken, Key(options().seed).fold("initial"));
}

// The model given all data, learned afresh when the data has grown by the given share.
void Study::Impl::fit(std::int64_t ask, double growth) {
  const Timer timer(seconds.fit);
  check_exact_room(options(), data.size());
  const Learned* known = learned ? &*learned : nullptr;
  if (campaign) return campaign->fit(learning, data, known, ask, growth, ask_key(ask).fold("fit"));
  if (must_learn(learning, data, known, growth)) {
    const Learned wanted{.ask = ask, .sequence = data.last_sequence(), .settings = learning_settings(learning)};
    if (!posterior || !posterior->learned().same_as(wanted)) {
      Learned now = learn(learning, data, known, ask_key(ask).fold("fit"));
      now.ask = ask;
      posterior.emplace(std::move(now), data, learning.model);
      recommended_row = -1;
    }
  } else if (!posterior || !posterior->learned().same_as(*known)) {
    posterior.emplace(*known, data, learning.model);
    recommended_row = -1;
  }
  posterior->update(data);
}

// Every value in the model's units.
Vector Study::Impl::targets() const {
  const Anchor& units = posterior->learned().anchor;
  Vector y(data.size());
  for (Eigen::Index i = 0; i < y.size(); ++i) y(i) = units.to_model(data.y(i));
  return y;
}

Matrix Study::Impl::choose(const Ask& ask) {
  if (campaign) {
    const Timer timer(seconds.maximise);
    return campaign->choose(ask.size - ask.num_initial, ask.taken, ask.key);
  }
  const Vector y = targets();
  const Method method = this->method();
  const Matrix newest = data.newest(std::max(1000, options().batch));
  const ModelOptions model = resolved(learning.model, method, *posterior, step());
  const int size = ask.size - ask.num_initial;
  std::vector<std::int64_t> by_trial;  // a sort of all of them: for whom it is needed
  if (method == Method::turbo || num_scouts(model.scout_share, size, ask.key) > 0) by_trial = data.by_id(0, data.size());
  std::vector<bool> chosen;
  if (method == Method::turbo)
    for (const std::int64_t row : by_trial) chosen.push_back(data.chosen(row));
  return acquire(method, {.space = options().space,
                          .X = data.X(),
                          .y = y,
                          .newest = newest,
                          .by_trial = by_trial,
                          .chosen = chosen,
                          .gp = posterior->gp(),
                          .model = model,
                          .taken = ask.taken,
                          .size = size,
                          .batch = options().batch,
                          .key = ask.key,
                          .seconds = seconds});
}

std::optional<std::vector<Trial>> Study::Impl::claim(const Ask& ask, const Matrix& X, const std::string& owner) {
  const Timer timer(seconds.store);
  std::vector<Store::NewTrial> points;
  for (Eigen::Index i = 0; i < X.rows(); ++i) {
    points.push_back(
        {campaign ? campaign->decode(X(i, 0)) : options().space.decode({X.row(i).data(), static_cast<std::size_t>(X.cols())}),
         i < ask.num_initial ? Origin::initial : Origin::model});
  }
  const bool learned_now = ask.num_initial < ask.size && fitted().ask == ask.number;
  auto trials = store.claim(ask.number, points, learned_now ? &fitted() : nullptr, owner);
  if (trials && learned_now) learned = fitted();
  return trials;
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

Study Study::open(const std::string& path) {
  check_path(path);
  if (path == ":memory:") throw std::invalid_argument("Study::open: there is nothing to open in \":memory:\". Create a study");
  return Study(std::make_unique<Impl>(Store::open(path)));
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
