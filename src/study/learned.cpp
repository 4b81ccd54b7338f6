#include "study/learned.h"

#include <fmt/format.h>
#include <salvo/svgp.h>

#include <algorithm>
#include <cmath>

#include "study/json.h"
#include "study/sizes.h"

namespace salvo {
namespace {

bool grown(std::int64_t before, std::int64_t now, double share) {
  return now > before && static_cast<double>(now) >= (1 + share) * static_cast<double>(before);
}

// Distances in the unit box grow with √d: in more than 6 dimensions length-scales do, too.
double dimension_factor(int num_dims) { return std::max(1.0, std::sqrt(num_dims / 6.0)); }

constexpr std::int64_t kManyLevels = 16;
constexpr double kDiscreteCap = 3.0;  // two choices then correlate by 0.85

// Z = X, the exact GP: every distinct point.
Matrix all_points(const Hyperparameters& hyper, const Block& all) {
  const auto n = static_cast<int>(all.X.rows());
  return choose_inducing(Inducing::automatic, hyper, all.X, all.y, n, Key(0));
}

// Of these two `kernel = "auto"` chooses. Not se: where its evidence is the highest (Hartmann-6) its paths are too sure of
// what lies between the data, and end no better (docs/how-it-works.md, "Learn").
constexpr KernelType kSmooth = KernelType::matern52, kRough = KernelType::matern32;

Hyperparameters first_guess(const StudyOptions& options, KernelType type) {
  const int d = options.space.num_dims();
  const FitOptions bounds = fit_options(options, false);
  Vector lengthscales = Vector::Constant(d, std::min(0.3, options.model.max_lengthscale) * dimension_factor(d));
  for (const auto& discrete : options.space.discretes())
    if (discrete.width > 1) lengthscales.segment(discrete.offset, discrete.width).setOnes();
  lengthscales = lengthscales.cwiseMax(bounds.min_lengthscales).cwiseMin(bounds.max_lengthscales);
  return {.kernel = {.type = type, .variance = 1, .lengthscales = lengthscales}, .noise = 0.3, .mean = 0};
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

constexpr double kWorthAFit = 10;  // nats that a fit may well gain

// n passed a power of `ratio`: methods that learn after every point need not look twice every time.
bool passed_a_step(std::int64_t before, std::int64_t n, double ratio) {
  const auto power = [ratio](std::int64_t k) { return std::floor(std::log(static_cast<double>(k)) / std::log(ratio)); };
  return power(n) > power(std::max<std::int64_t>(1, before));
}

// Of a sum over n values the curvature grows with n.
Curvature carried(const Learned& previous, std::int64_t n) {
  Curvature out = previous.fit.curvature;
  out.changes *= static_cast<double>(n) / static_cast<double>(std::max<std::int64_t>(1, previous.num_fitted));
  return out;
}

// Fits from `hyper`, and takes the result when its bound is higher by `gain` nats.
void take_if_better(Learned& now, Hyperparameters hyper, double gain, const FitOptions& fitting, const Block& all) {
  FitSummary summary = fit(hyper, now.Z, all.X, all.y, fitting);
  summary.jitter = std::max(summary.jitter, now.fit.jitter);
  if (!(summary.bound > now.fit.bound + gain)) return;
  now.hyper = std::move(hyper);
  now.fit = std::move(summary);
}

double bound_at(const Learned& now, Hyperparameters hyper, FitOptions look, const Block& all) {
  look.max_evaluations = 1;
  return fit(hyper, now.Z, all.X, all.y, look).bound;
}

// The evidence of few noisy values may be best with short length-scales and hardly any noise, and a fit that begins where
// the last one ended stays there long after better has come up (docs/how-it-works.md, "Learn"). So while the model is exact,
// where no trace term punishes such a fit, and while it costs little, the first guess is a second start. Of many values a
// subset says where to begin: 50 evaluations of all would cost more than everything else.
void fit_afresh(Learned& now, const StudyOptions& options, const Block& all) {
  constexpr Eigen::Index kFew = 500;
  Hyperparameters hyper = first_guess(options, now.hyper.kernel.type);
  const Eigen::Index n = all.y.size();
  const bool few = n <= kFew;
  if (!few) {
    Block some{Matrix(kFew, all.X.cols()), Vector(kFew)};
    for (Eigen::Index i = 0; i < kFew; ++i) some.X.row(i) = all.X.row(i * n / kFew), some.y(i) = all.y(i * n / kFew);
    (void)fit(hyper, some.X, some.X, some.y, fit_options(options, false));
    if (!(bound_at(now, hyper, fit_options(options, true), all) > now.fit.bound - kWorthAFit)) return;
  }
  take_if_better(now, std::move(hyper), FitOptions{}.absolute_tolerance, fit_options(options, !few), all);
}

// The other kernel takes over when the values speak for it, by a factor of e³ = 20 in evidence. The rough one wants longer
// length-scales; two evaluations mostly say that it is not worth a fit.
void try_other_kernel(Learned& now, const StudyOptions& options, const Block& all) {
  constexpr double kGain = 3;
  const bool rough = now.hyper.kernel.type == kRough;
  const FitOptions fitting = fit_options(options, true);
  Hyperparameters best;
  double bound = now.fit.bound - kWorthAFit;
  for (const double longer : {1.2, 1.8}) {
    Hyperparameters other = now.hyper;
    other.kernel.type = rough ? kSmooth : kRough;
    other.kernel.lengthscales *= rough ? 1 / longer : longer;
    const double there = bound_at(now, other, fitting, all);
    if (there > bound) bound = there, best = std::move(other);
  }
  if (best.kernel.lengthscales.size() > 0) take_if_better(now, std::move(best), kGain, fitting, all);
}

}  // namespace

bool Learned::same_as(const Learned& other) const {
  return ask == other.ask && sequence == other.sequence && settings == other.settings;
}

// Old words first and alone where nothing new is asked for: what an older version has learned stays learned.
std::string learning_settings(const StudyOptions& options) {
  if (options.pool) return pool_model_to_json(options.pool_model) + fmt::format(" anchored={}", num_anchored(options));
  const ModelOptions &model = options.model, defaults;
  std::string out =
      fmt::format("kernel={} num_inducing={} inducing={} max_lengthscale={} anchored={}", kernel_choice(model.kernel),
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
  const bool was_rough = previous && previous->hyper.kernel.type == kRough;
  const KernelType type = model.kernel.value_or(was_rough ? kRough : kSmooth);
  now.hyper = previous ? in_units(*previous, now.anchor) : first_guess(options, type);
  now.hyper.kernel.type = type;
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
    const std::int64_t before = previous ? previous->num_fitted : 0;
    if (previous && exact && passed_a_step(before, data.size(), 1.1)) fit_afresh(now, options, all);
    if (!model.kernel && passed_a_step(before, data.size(), 1.5)) try_other_kernel(now, options, all);
  }
  return now;
}

void check_eigenfunctions(const StudyOptions& options) {
  const ModelOptions& model = options.model;
  const bool features = model.type == ModelType::inducing_features;
  if (!features && model.features != FeatureType::eigen) return;
  constexpr double kShare = 0.9;  // of the prior's variance, at the length-scales that a study begins with
  const Kernel kernel = first_guess(options, model.kernel.value_or(kSmooth)).kernel;
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
