#include <salvo/svgp.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "model/noise_ratio.h"
#include "search/first_guess.h"
#include "search/learned.h"
#include "search/other_starts.h"
#include "search/prior.h"
#include "search/sizes.h"

namespace salvo {
namespace {

// The same function in other units. Inside the bounds of a fit, which would move it there anyway: after a first penalty
// of 1e300 the units shrink so much that a variance would overflow.
Hyperparameters in_units(const SpaceLearned& learned, const Anchor& to) {
  const FitOptions bounds;
  Hyperparameters hyper = learned.hyper;
  const double ratio = learned.anchor.scale / to.scale;  // both squeezed or neither: logarithms do not see the width
  hyper.kernel.variance = std::clamp(hyper.kernel.variance * ratio * ratio, bounds.min_variance, bounds.max_variance);
  hyper.noise = std::clamp(hyper.noise * ratio * ratio, bounds.min_noise, bounds.max_noise);
  hyper.mean = std::clamp(to.to_model(learned.anchor.from_model(hyper.mean)), -bounds.max_mean, bounds.max_mean);
  return hyper;
}

// n passed a power of `ratio`: methods that learn after every point need not look twice every time.
bool passed_a_step(std::int64_t before, std::int64_t n, double ratio) {
  const auto power = [ratio](std::int64_t k) { return std::floor(std::log(static_cast<double>(k)) / std::log(ratio)); };
  return power(n) > power(std::max<std::int64_t>(1, before));
}

// Of a sum over n values the curvature grows with n.
FitCurvature carried(const SpaceLearned& previous, std::int64_t n) {
  FitCurvature out = previous.fit.curvature;
  out.changes *= static_cast<double>(n) / static_cast<double>(std::max<std::int64_t>(1, previous.num_fitted));
  return out;
}

// log p of some of the values, in the user's units, for a GP that sees them in these.
double evidence_in(const Anchor& units, const Learning& learning, const Observations& data, double lowest) {
  constexpr std::int64_t kSome = 300;
  const std::int64_t n = data.size(), count = std::min(n, kSome);
  const auto rows = data.by_id(0, n);
  const KnownNoise noise(data, n, units);
  Block some{Matrix(count, data.X().cols()), Vector(count), Vector(noise.none() ? 0 : count)};
  double jacobian = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t row = rows[static_cast<std::size_t>(i * n / count)];
    if (!noise.none()) some.r(i) = noise.ratio(row);
    some.X.row(i) = data.X().row(row);
    some.y(i) = units.to_model(std::max(data.y(row), lowest));
    jacobian -= std::log(units.unit_at(some.y(i)));
  }
  Hyperparameters hyper = first_guess(learning, kSmooth);
  FitOptions fitting = fit_options(learning, false);
  fitting.max_evaluations = 25;
  return fit(hyper, some.X, some.X, some.y, fitting, some.r).bound + jacobian;
}

// Whether values worse than the median are better seen logarithmically. A long tail asks the question, the evidence answers
// it: with noise that is the same everywhere, for one, a squeezed model explains it badly.
bool speaks_for_squeezing(const Learning& learning, const Observations& data) {
  constexpr double kTail = 2, kGain = 10;  // nats
  if (data.size() < 16 || tail(data) < kTail) return false;
  const Anchor plain = anchor(data, learning.num_anchored), squeezed = squeezed_anchor(data, learning.num_anchored);
  return squeezed.squeezed() &&
         evidence_in(squeezed, learning, data, plain.lowest) > evidence_in(plain, learning, data, plain.lowest) + kGain;
}

// Decided anew at some of the fits; between fits the units stay.
Anchor choose_anchor(const Learning& learning, const Observations& data, const SpaceLearned* previous, bool refit) {
  bool squeeze = learning.model.transform == Transform::squeeze;
  if (!refit && previous->anchor.squeezed()) return previous->anchor;
  if (learning.model.transform == Transform::automatic) {
    const bool ask = refit && (!previous || passed_a_step(previous->num_fitted, data.size(), 1.5));
    squeeze = ask ? speaks_for_squeezing(learning, data) : previous->anchor.squeezed();
  }
  return squeeze ? squeezed_anchor(data, learning.num_anchored) : anchor(data, learning.num_anchored);
}

// From so many values on, what a fit begins with is learned from a random part of them, and all of them are swept over a few
// times only: an evaluation of the bound takes n m² operations, and seconds.
constexpr std::int64_t kMany = 20'000;
constexpr Eigen::Index kPart = 10'000;
constexpr int kSweeps = 10;

Block random_part(const Block& all, Key key) {
  std::vector<Eigen::Index> order(static_cast<std::size_t>(all.y.size()));
  std::iota(order.begin(), order.end(), Eigen::Index{0});
  for (std::size_t i = 0; i < static_cast<std::size_t>(kPart); ++i)
    std::swap(order[i], order[i + key.at(i).below(order.size() - i)]);
  order.resize(static_cast<std::size_t>(kPart));
  std::sort(order.begin(), order.end());
  return part_of(all, order);
}

// The hyperparameters, for the Z at hand.
void fit_points(SpaceLearned& now, const Learning& learning, const Block& all, const SpaceLearned* previous, bool exact,
                Key key) {
  const ModelOptions& model = learning.model;
  const std::int64_t n = now.num_observations, before = previous ? previous->num_fitted : 0;
  FitOptions fitting = fit_options(learning, previous != nullptr);
  if (previous) fitting.curvature = carried(*previous, n);
  // Where one batch would hold all values L-BFGS climbs the same bound in a tenth of the steps.
  if (model.fit == FitMethod::stochastic && !exact && n > model.minibatch) {
    now.fit =
        fit_stochastic(now.hyper, now.Z, all.X, all.y, fitting, {.batch_size = model.minibatch}, key.fold("stochastic"), all.r);
    return;
  }
  now.fit = fit(now.hyper, now.Z, all.X, all.y, fitting, all.r);
  if (previous && exact && passed_a_step(before, n, 1.1)) fit_afresh(now, learning, all);
  const bool told_anew = previous && previous->settings != now.settings;
  if (!chooses_kernel(model) || !(told_anew || passed_a_step(before, n, 1.5))) return;
  try_other_kernel(now, learning, all, exact);
  try_other_structure(now, learning, all, exact);
}

// A first look, at a part of many values: hyperparameters, the kernel among them, and the curvature that the fit to all begins
// with. With its own Z: as many points as will be chosen from all, as far as a part tells.
SpaceLearned learned_from_part(const SpaceLearned& now, const Learning& learning, const Block& all, Key key) {
  const Block part = random_part(all, key.fold("rows"));
  SpaceLearned out = now;
  out.num_observations = out.num_fitted = part.y.size();
  out.Z = choose_points(learning.model, out.hyper, part.X, part.y, key.fold("inducing")).Z;
  fit_points(out, learning, part, nullptr, false, key.fold("fit"));
  return out;
}

// With what is left of kSweeps. The other kernel is tried as ever, unless that was done with the part just now.
void fit_to_many(SpaceLearned& now, const Learning& learning, const Block& all, const SpaceLearned& previous, bool tries_kernel,
                 int& left) {
  if (left <= 0) return;
  FitOptions fitting = fit_options(learning, true);
  fitting.max_evaluations = std::min(fitting.max_evaluations, tries_kernel ? std::max(1, left / 2) : left);
  fitting.curvature = carried(previous, now.num_observations);
  now.fit = fit(now.hyper, now.Z, all.X, all.y, fitting, all.r);
  left -= now.fit.num_evaluations;
  if (!tries_kernel) return;
  const KernelType before = now.hyper.kernel.type;
  try_other_kernel(now, learning, all, false, left);
  if (now.hyper.kernel.type == before && left > 0) try_other_structure(now, learning, all, false, left);
  if (now.hyper.kernel.type != before) left -= now.fit.num_evaluations;
}

// An automatic m is chosen for hyperparameters, and these are fitted for as many points: a few times in turn.
constexpr int kRounds = 3;

void learn_points(SpaceLearned& now, const Learning& learning, const Block& all, const SpaceLearned* previous, bool refit,
                  Key key) {
  const ModelOptions& model = learning.model;
  const bool exact = now.num_observations <= std::max(model.num_inducing, model.exact_until);
  const bool sized = !exact && model.num_inducing == 0;
  const Key drawn = key.fold("inducing"), rows = drawn.fold("rows");
  const bool many = refit && !exact && now.num_observations > kMany && model.fit == FitMethod::collapsed;
  int sweeps = kSweeps;
  SpaceLearned part;
  const bool told_anew = previous && previous->settings != now.settings;
  const bool tries_kernel =
      many && previous && chooses_kernel(model) && (told_anew || passed_a_step(previous->num_fitted, now.num_observations, 1.5));
  if (many && !previous) {
    part = learned_from_part(now, learning, all, key.fold("part"));
    now.hyper = part.hyper;
    previous = &part;
  }
  PointChoice points;
  for (int round = 1;; ++round) {
    points = exact ? PointChoice{all_points(now.hyper, all)} : choose_points(model, now.hyper, all.X, all.y, drawn);
    now.Z = points.Z;
    if (many)
      fit_to_many(now, learning, all, *previous, tries_kernel, sweeps);
    else if (refit)
      fit_points(now, learning, all, previous, exact, key);
    if (!sized || !refit || !points.stopped.empty() || round == kRounds) break;
    if (kl_bound(now.hyper, now.Z, all.X, all.y, rows) <= model.max_kl) break;
  }
  now.num_inducing = model.num_inducing > 0
                         ? model.num_inducing
                         : std::max(std::min(kFewestInducing, model.max_inducing), static_cast<int>(now.Z.rows()));
  if (!exact) now.sizes = size_words(model, points, sized ? kl_bound(now.hyper, now.Z, all.X, all.y, rows) : 0);
}

void learn_functions(SpaceLearned& now, const Learning& learning, const Block& all, const SpaceLearned* previous, bool refit) {
  const ModelOptions& model = learning.model;
  Eigenfunctions functions;
  double kl = 0;
  for (int round = 1;; ++round) {
    functions = choose_eigenfunctions(model, now.hyper, all.X);
    if (refit) now.fit = fit(now.hyper, functions, all.X, all.y, fit_options(learning, previous != nullptr), all.r);
    if (model.num_inducing > 0) break;
    functions = eigenfunctions(model.eigenfunctions, now.hyper.kernel, functions.size());
    kl = kl_bound(functions, now.hyper, all.X);
    if (kl <= model.max_kl || !refit || functions.size() >= model.max_inducing || round == kRounds) break;
  }
  now.Z.resize(0, all.X.cols());
  now.num_inducing = functions.size();
  now.sizes = size_words(model, functions, kl);
}

// The prior mean follows the trend as far as the values do; what is left of them is the model's.
void follow_trend(SpaceLearned& now, const Vector& t, Block& all) {
  if (now.slope) all.y += *now.slope * t;
  const TrendFit found = fit_slope(now.hyper, all, t);
  const double most = FitOptions{}.max_mean;
  now.slope = found.slope;
  now.hyper.mean = std::clamp(found.mean, -most, most);
  all.y -= found.slope * t;
}

// Where most values come with their standard error, τ is about what those say.
void believe(const KnownNoise& noise, Learning& learning) {
  if (!noise.mostly()) return;
  const NoiseBounds bounds = believed(noise.typical(), {learning.min_noise, learning.max_noise});
  learning.min_noise = bounds.least;
  learning.max_noise = bounds.most;
}

}  // namespace

SpaceLearned learn(const Learning& given, const Observations& data, const SpaceLearned* previous, Key key) {
  Learning learning = given;
  const ModelOptions& model = learning.model;
  const bool refit =
      !previous || previous->settings != learning.settings() || grown(previous->num_fitted, data.size(), model.refit_growth);
  SpaceLearned now{.sequence = data.last_sequence(),
                   .num_observations = data.size(),
                   .num_fitted = refit ? data.size() : previous->num_fitted,
                   .settings = learning.settings(),
                   .anchor = choose_anchor(learning, data, previous, refit)};
  if (previous && previous->anchor.squeezed() != now.anchor.squeezed()) previous = nullptr;  // another function altogether
  const KnownNoise noise(data, data.size(), now.anchor);
  Block all = block(data, 0, data.size(), now.anchor, noise);
  believe(noise, learning);
  const KernelType type = model.kernel.value_or(chooses_kernel(model) ? kernel_before(learning, previous) : kSmooth);
  now.hyper = previous ? in_units(*previous, now.anchor) : first_guess(learning, type);
  now.hyper.kernel.type = type;
  if (!refit) now.fit = previous->fit;
  const bool says_something = refit && data.size() > 1;  // one value says nothing about variation
  const bool follows = !learning.trend.empty();
  const Vector t = learning.trend.values(all.X);
  if (follows) follow_trend(now, t, all);
  if (model.type == ModelType::inducing_features)
    learn_functions(now, learning, all, previous, says_something);
  else
    learn_points(now, learning, all, previous, says_something, key);
  if (follows && says_something) follow_trend(now, t, all);  // again, with the kernel that was found
  return now;
}

void check_eigenfunctions(const Learning& learning) {
  const ModelOptions& model = learning.model;
  const bool features = model.type == ModelType::inducing_features;
  if (!features && model.features != FeatureType::eigen) return;
  constexpr double kShare = 0.9;  // of the prior's variance, at the length-scales that a study begins with
  const Kernel kernel = first_guess(learning, model.kernel.value_or(kSmooth)).kernel;
  const int most = model.num_features > 0 ? model.num_features : model.max_features;
  require_captured(features ? "model.type" : "model.features", eigenfunctions(model.eigenfunctions, kernel, most), kShare);
}

}  // namespace salvo
