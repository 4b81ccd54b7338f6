#include "study/learned.h"

#include <fmt/format.h>
#include <salvo/svgp.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "study/json.h"
#include "study/sizes.h"

namespace salvo {
namespace {

bool grown(std::int64_t before, std::int64_t now, double share) {
  return now > before && static_cast<double>(now) >= (1 + share) * static_cast<double>(before);
}

// A single absurd value (a penalty of 1e300, say) must not overflow the sums of squares.
constexpr double kLargest = 1e6;

// Distances in the unit box grow with √d: in more than 6 dimensions length-scales do, too.
double dimension_factor(int num_dims) { return std::max(1.0, std::sqrt(num_dims / 6.0)); }

constexpr std::int64_t kManyLevels = 16;
constexpr double kDiscreteCap = 3.0;  // two choices then correlate by 0.85

struct Block {
  Matrix X;
  Vector y;
};

Block block(const Observations& data, std::int64_t begin, std::int64_t end, const Anchor& units) {
  const auto rows = data.by_id(begin, end);
  const auto X = data.X();
  Block out{Matrix(end - begin, X.cols()), Vector(end - begin)};
  for (Eigen::Index i = 0; i < out.y.size(); ++i) {
    const std::int64_t row = rows[static_cast<std::size_t>(i)];
    out.X.row(i) = X.row(row);
    out.y(i) = units.to_model(data.y(row));
  }
  return out;
}

// Z = X, the exact GP: every distinct point.
Matrix all_points(const Hyperparameters& hyper, const Block& all) {
  const auto n = static_cast<int>(all.X.rows());
  return choose_inducing(Inducing::automatic, hyper, all.X, all.y, n, Key(0));
}

Hyperparameters first_guess(const StudyOptions& options) {
  const int d = options.space.num_dims();
  const FitOptions bounds = fit_options(options, false);
  Vector lengthscales = Vector::Constant(d, std::min(0.3, options.model.max_lengthscale) * dimension_factor(d));
  for (const auto& discrete : options.space.discretes())
    if (discrete.width > 1) lengthscales.segment(discrete.offset, discrete.width).setOnes();
  lengthscales = lengthscales.cwiseMax(bounds.min_lengthscales).cwiseMin(bounds.max_lengthscales);
  return {.kernel = {.type = options.model.kernel, .variance = 1, .lengthscales = lengthscales}, .noise = 0.3, .mean = 0};
}

// The same function in other units. Inside the bounds of a fit, which would move it there anyway: after a first penalty
// of 1e300 the units shrink so much that a variance would overflow.
Hyperparameters in_units(const Learned& learned, const Anchor& to) {
  const FitOptions bounds;
  Hyperparameters hyper = learned.hyper;
  const double ratio = learned.anchor.scale / to.scale;
  hyper.kernel.variance = std::clamp(hyper.kernel.variance * ratio * ratio, bounds.min_variance, bounds.max_variance);
  hyper.noise = std::clamp(hyper.noise * ratio * ratio, bounds.min_noise, bounds.max_noise);
  hyper.mean = std::clamp(to.to_model(learned.anchor.from_model(hyper.mean)), -bounds.max_mean, bounds.max_mean);
  return hyper;
}

// Twenty times the width of the second-best quarter below the median (13 deviations of a normal distribution), so that
// penalties for just under half of the values do not set the width themselves. No bound for fewer than 8 values or when
// that quarter is all the same.
double lowest_of_note(std::vector<double> y) {
  constexpr double kWidths = 20;
  if (y.size() < 8) return std::numeric_limits<double>::lowest();
  std::sort(y.begin(), y.end());
  const double middle = y[y.size() / 2], high = y[y.size() - 1 - y.size() / 4];
  const double bound = middle - kWidths * (high - middle);
  return high > middle && std::isfinite(bound) ? bound : std::numeric_limits<double>::lowest();
}

// The evidence of few noisy values may be best with short length-scales and hardly any noise, and a fit that begins where
// the last one ended stays there long after better has come up (docs/how-it-works.md, "Learn"). So while the model is exact,
// where no trace term punishes such a fit, and while it costs little, the first guess is a second start.
constexpr Eigen::Index kFew = 500;
constexpr double kWorthAFit = 10;  // nats that a fit may still gain

// n passed a power of 1.1: methods that learn after every point need not look twice every time.
bool passed_a_step(std::int64_t before, std::int64_t n) {
  const auto power = [](std::int64_t k) { return std::floor(std::log(static_cast<double>(k)) / std::log(1.1)); };
  return power(n) > power(std::max<std::int64_t>(1, before));
}

// Of a sum over n values the curvature grows with n.
Curvature carried(const Learned& previous, std::int64_t n) {
  Curvature out = previous.fit.curvature;
  out.changes *= static_cast<double>(n) / static_cast<double>(std::max<std::int64_t>(1, previous.num_fitted));
  return out;
}

// Of many values a subset says where to begin: 50 evaluations of all would cost more than everything else.
void fit_afresh(Learned& now, const StudyOptions& options, const Block& all) {
  Hyperparameters hyper = first_guess(options);
  const Eigen::Index n = all.y.size();
  const bool few = n <= kFew;
  if (!few) {
    Block some{Matrix(kFew, all.X.cols()), Vector(kFew)};
    for (Eigen::Index i = 0; i < kFew; ++i) some.X.row(i) = all.X.row(i * n / kFew), some.y(i) = all.y(i * n / kFew);
    (void)fit(hyper, some.X, some.X, some.y, fit_options(options, false));
    Hyperparameters there = hyper;
    FitOptions look = fit_options(options, true);
    look.max_evaluations = 1;
    if (!(fit(there, now.Z, all.X, all.y, look).bound > now.fit.bound - kWorthAFit)) return;
  }
  FitSummary summary = fit(hyper, now.Z, all.X, all.y, fit_options(options, !few));
  summary.jitter = std::max(summary.jitter, now.fit.jitter);
  if (!(summary.bound > now.fit.bound + FitOptions{}.absolute_tolerance)) return;
  now.hyper = std::move(hyper);
  now.fit = std::move(summary);
}

}  // namespace

// At least 16: who asks for one point at a time has an initial design of one, and one value has no scale.
std::int64_t num_anchored(const StudyOptions& options) {
  return std::max(16, options.num_initial > 0 ? options.num_initial : options.batch);
}

void Observations::add(std::int64_t id, std::int64_t sequence, const Vector& x, double y) {
  ids_.push_back(id);
  x_.insert(x_.end(), x.begin(), x.end());
  y_.push_back(y);
  last_sequence_ = sequence;
}

std::vector<std::int64_t> Observations::by_id(std::int64_t begin, std::int64_t end) const {
  std::vector<std::int64_t> rows(static_cast<std::size_t>(end - begin));
  std::iota(rows.begin(), rows.end(), begin);
  std::sort(rows.begin(), rows.end(), [&](auto a, auto b) { return id(a) < id(b); });
  return rows;
}

// Wider than double, so that values near its limits neither overflow nor vanish.
double Anchor::to_model(double y) const {
  const long double units = (static_cast<long double>(std::max(y, lowest)) - centre) / scale;
  return std::clamp(static_cast<double>(units), -kLargest, kLargest);
}

Anchor anchor(const Observations& data, std::int64_t num_initial) {
  const auto rows = data.by_id(0, data.size());
  Anchor out;
  std::vector<double> y;
  bool varies = false;
  // Where the first values are all the same (a plateau, say), twice as many are looked at: they have no scale.
  for (auto count = static_cast<std::size_t>(num_initial); !varies && y.size() < rows.size(); count *= 2) {
    y.clear();
    for (const auto row : std::span(rows).first(std::min(rows.size(), count))) y.push_back(data.y(row));
    out.lowest = lowest_of_note(y);
    const auto n = static_cast<long double>(y.size());
    long double sum = 0, squares = 0;
    for (double& value : y) sum += (value = std::max(value, out.lowest));
    const long double mean = sum / n;
    for (const double value : y) squares += (value - mean) * (value - mean);
    const auto deviation = static_cast<double>(std::sqrt(squares / n));
    varies = std::isnormal(deviation) && deviation > 1e-12 * std::abs(static_cast<double>(mean));
    out.centre = static_cast<double>(mean);
    out.scale = varies ? deviation : 1.0;
  }
  return out;
}

bool Learned::same_as(const Learned& other) const {
  return ask == other.ask && sequence == other.sequence && settings == other.settings;
}

// Old words first and alone where nothing new is asked for: what an older version has learned stays learned.
std::string learning_settings(const StudyOptions& options) {
  if (options.pool) return pool_model_to_json(options.pool_model) + fmt::format(" anchored={}", num_anchored(options));
  const ModelOptions &model = options.model, defaults;
  std::string out = fmt::format("kernel={} num_inducing={} inducing={} max_lengthscale={} anchored={}", to_string(model.kernel),
                                model.num_inducing, to_string(model.inducing), model.max_lengthscale, num_anchored(options));
  if (model.type != ModelType::inducing_points)
    out += fmt::format(" type={} eigenfunctions={}", to_string(model.type), to_string(model.eigenfunctions));
  if (model.fit != FitMethod::collapsed) out += fmt::format(" fit={}", to_string(model.fit));
  if (model.fit == FitMethod::stochastic && model.minibatch != defaults.minibatch)
    out += fmt::format(" minibatch={}", model.minibatch);
  if (model.inducing == Inducing::kdpp && model.kdpp_steps > 0) out += fmt::format(" kdpp_steps={}", model.kdpp_steps);
  if (model.exact_until > 0) out += fmt::format(" exact_until={}", model.exact_until);
  if (model.num_inducing == 0) out += fmt::format(" max_kl={} max_inducing={}", model.max_kl, model.max_inducing);
  if (model.num_features == 0)
    out += fmt::format(" max_variance_error={} max_features={} features={}", model.max_variance_error, model.max_features,
                       to_string(model.features));
  return out;
}

bool must_learn(const StudyOptions& options, const Observations& data, const Learned* learned, double growth) {
  if (!learned || learned->settings != learning_settings(options)) return true;
  return grown(learned->num_observations, data.size(), growth);
}

FitOptions fit_options(const StudyOptions& options, bool warm_start) {
  const int d = options.space.num_dims();
  FitOptions out{.max_evaluations = warm_start ? 15 : 50};
  out.min_lengthscales = Vector::Constant(d, out.min_lengthscale);
  out.max_lengthscales = Vector::Constant(d, options.model.max_lengthscale * dimension_factor(d));
  for (const auto& discrete : options.space.discretes()) {
    if (discrete.num_levels > kManyLevels && discrete.width == 1) continue;  // as good as continuous
    // Far below the distance of two levels the bound is flat, and a fit that went there never comes back; the cap that
    // keeps an optimiser curious along a continuous coordinate would make any two choices strangers.
    const double spacing = discrete.width > 1 ? 1.4 : 1.0 / static_cast<double>(discrete.num_levels - 1);
    auto low = out.min_lengthscales.segment(discrete.offset, discrete.width);
    auto high = out.max_lengthscales.segment(discrete.offset, discrete.width);
    low = low.cwiseMax(0.3 * spacing);
    high = high.cwiseMax(kDiscreteCap);
  }
  return out;
}

Learned learn(const StudyOptions& options, const Observations& data, const Learned* previous, Key key) {
  const ModelOptions& model = options.model;
  const bool refit = !previous || previous->settings != learning_settings(options) ||
                     grown(previous->num_fitted, data.size(), model.refit_growth);
  Learned now{.sequence = data.last_sequence(),
              .num_observations = data.size(),
              .num_fitted = refit ? data.size() : previous->num_fitted,
              .settings = learning_settings(options),
              .anchor = anchor(data, num_anchored(options))};
  const Block all = block(data, 0, data.size(), now.anchor);
  now.hyper = previous ? in_units(*previous, now.anchor) : first_guess(options);
  now.hyper.kernel.type = model.kernel;
  if (!refit) now.fit = previous->fit;
  const bool says_something = refit && data.size() > 1;  // one value says nothing about variation
  FitOptions fitting = fit_options(options, previous != nullptr);
  if (model.type == ModelType::inducing_features) {
    Eigenfunctions functions = choose_eigenfunctions(model, now.hyper, all.X, now.sizes);
    if (says_something) now.fit = fit(now.hyper, functions, all.X, all.y, fitting);
    now.Z.resize(0, all.X.cols());
    now.num_inducing = functions.size();
    return now;
  }
  if (previous) fitting.curvature = carried(*previous, data.size());
  const bool exact = data.size() <= std::max(model.num_inducing, model.exact_until);
  now.Z = exact ? all_points(now.hyper, all) : choose_points(model, now.hyper, all.X, all.y, key.fold("inducing"), now.sizes);
  now.num_inducing = model.num_inducing > 0
                         ? model.num_inducing
                         : std::max(std::min(kFewestInducing, model.max_inducing), static_cast<int>(now.Z.rows()));
  // Where one batch would hold all values L-BFGS climbs the same bound in a tenth of the steps.
  if (refit && model.fit == FitMethod::stochastic && !exact && data.size() > model.minibatch)
    now.fit = fit_stochastic(now.hyper, now.Z, all.X, all.y, fitting, {.batch_size = model.minibatch}, key.fold("stochastic"));
  else if (says_something) {
    now.fit = fit(now.hyper, now.Z, all.X, all.y, fitting);
    if (previous && exact && passed_a_step(previous->num_fitted, data.size())) fit_afresh(now, options, all);
  }
  return now;
}

void check_eigenfunctions(const StudyOptions& options) {
  const ModelOptions& model = options.model;
  const bool features = model.type == ModelType::inducing_features;
  if (!features && model.features != FeatureType::eigen) return;
  constexpr double kShare = 0.9;  // of the prior's variance, at the length-scales that a study begins with
  Kernel kernel = first_guess(options).kernel;
  const int most = model.num_features > 0 ? model.num_features : model.max_features;
  require_captured(features ? "model.type" : "model.features", eigenfunctions(model.eigenfunctions, kernel, most), kShare);
}

Posterior::Posterior(Learned learned, const Observations& data, const ModelOptions& model)
    : learned_(std::move(learned)), exact_until_(model.exact_until), num_rows_(learned_.num_observations) {
  // Stores of older versions have no number: it was the option's.
  if (learned_.num_inducing == 0) learned_.num_inducing = model.num_inducing;
  if (learned_.Z.rows() > 0)
    base_ = SparseGp(learned_.hyper, learned_.Z);
  else
    base_ = SparseGp(learned_.hyper, eigenfunctions(model.eigenfunctions, learned_.hyper.kernel, learned_.num_inducing));
  const Block told = block(data, 0, num_rows_, learned_.anchor);
  base_.condition(told.X, told.y);
  if (learned_.num_features > 0) return;
  learned_.num_features = model.num_features;
  if (model.num_features > 0) return;
  const PathOptions paths{.features = model.features, .eigenfunctions = model.eigenfunctions};
  const FeatureCount found =
      choose_num_features(base_, paths, model.max_variance_error, model.max_features, Key(0).fold("num_features"));
  learned_.num_features = found.num_features;
  learned_.sizes += fmt::format("{}{} features: the spread of paths is right to {:.2g}%{}", learned_.sizes.empty() ? "" : "; ",
                                found.num_features, 100 * found.error,
                                found.error <= model.max_variance_error ? "" : ", no better within max_features");
}

void Posterior::update(const Observations& data) {
  if (num_rows_ == data.size()) return;
  num_rows_ = data.size();
  if (learned_.Z.rows() > 0 && num_rows_ <= std::max(learned_.num_inducing, exact_until_)) {  // stays exact between learnings
    const Block all = block(data, 0, num_rows_, learned_.anchor);
    updated_ = SparseGp(learned_.hyper, all_points(learned_.hyper, all));
    updated_.condition(all.X, all.y);
    return;
  }
  const Block since = block(data, learned_.num_observations, data.size(), learned_.anchor);
  updated_ = base_;
  updated_.condition(since.X, since.y);
}

ModelOptions resolved(const ModelOptions& model, const Posterior& posterior, double step) {
  ModelOptions out = model;
  out.num_inducing = posterior.learned().num_inducing;
  out.num_features = posterior.learned().num_features;
  if (model.alpha_rule == AlphaRule::theory) out.alpha = theory_alpha(posterior.gp(), step, model.rkhs_norm, model.noise_bound);
  return out;
}

}  // namespace salvo
