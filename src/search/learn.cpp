#include <salvo/svgp.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "model/noise_ratio.h"
#include "search/few_levels.h"
#include "search/learned.h"
#include "search/prior.h"
#include "search/sizes.h"

namespace salvo {
namespace {

// Distances in the unit box grow with √d: in more than 6 dimensions length-scales do, too.
double dimension_factor(int num_dims) { return std::max(1.0, std::sqrt(num_dims / 6.0)); }

constexpr double kDiscreteCap = 3.0;  // two choices then correlate by 0.85

// Of these two `kernel = "auto"` chooses. Not se: where its evidence is the highest (Hartmann-6) its paths are too sure of
// what lies between the data, and end no better (docs/how-it-works.md, "Smooth or rough").
constexpr KernelType kSmooth = KernelType::matern52, kRough = KernelType::matern32;

Hyperparameters first_guess(const Learning& learning, KernelType type) {
  const int d = learning.space.num_dims();
  const FitOptions bounds = fit_options(learning, false);
  const double wide = is_additive(type) ? 1 : dimension_factor(d);  // one parameter is no farther than in one dimension
  Vector lengthscales = Vector::Constant(d, std::min(0.3, learning.model.max_lengthscale) * wide);
  for (const auto& discrete : learning.space.discretes())
    if (discrete.width > 1) lengthscales.segment(discrete.offset, discrete.width).setOnes();
  lengthscales = lengthscales.cwiseMax(bounds.min_lengthscales).cwiseMin(bounds.max_lengthscales);
  return {.kernel = {.type = type, .variance = 1, .lengthscales = lengthscales}, .noise = 0.3, .mean = 0};
}

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

constexpr double kWorthAFit = 10;  // nats that a fit may well gain

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

// Fits from `hyper`, and takes the result when its bound is higher by `gain` nats.
void take_if_better(SpaceLearned& now, Hyperparameters hyper, double gain, const FitOptions& fitting, const Block& all) {
  FitSummary summary = fit(hyper, now.Z, all.X, all.y, fitting, all.r);
  summary.jitter = std::max(summary.jitter, now.fit.jitter);
  if (!(summary.bound > now.fit.bound + gain)) return;
  now.hyper = std::move(hyper);
  now.fit = std::move(summary);
}

double bound_at(const SpaceLearned& now, Hyperparameters hyper, FitOptions look, const Block& all) {
  look.max_evaluations = 1;
  return fit(hyper, now.Z, all.X, all.y, look, all.r).bound;
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

std::vector<Eigen::Index> spread_rows(Eigen::Index n, Eigen::Index most) {
  std::vector<Eigen::Index> rows;
  const Eigen::Index count = std::min(n, most);
  for (Eigen::Index i = 0; i < count; ++i) rows.push_back(i * n / count);
  return rows;
}

// At most kFew of them, spread over all: 50 evaluations of many values would cost more than everything else.
constexpr Eigen::Index kFew = 500;
Block some_of(const Block& all) {
  const Eigen::Index n = all.y.size();
  return n <= kFew ? all : part_of(all, spread_rows(n, kFew));
}

// Within a factor of two everywhere: two fits that ended on one hill of the evidence, as far as some of the values tell.
bool same_hill(const Hyperparameters& a, const Hyperparameters& b) {
  const auto near = [](double x, double y) { return std::abs(std::log(x / y)) < std::log(2.0); };
  return near(a.kernel.variance, b.kernel.variance) && near(a.noise, b.noise) &&
         std::equal(a.kernel.lengthscales.begin(), a.kernel.lengthscales.end(), b.kernel.lengthscales.begin(), near);
}

// The evidence of few noisy values may be best with short length-scales and hardly any noise, and a fit that begins where
// the last one ended stays there long after better has come up (docs/how-it-works.md, "Fit"). So while the model is exact,
// where no trace term punishes such a fit, and while it costs little, the first guess is a second start.
void fit_afresh(SpaceLearned& now, const Learning& learning, const Block& all) {
  Hyperparameters hyper = first_guess(learning, now.hyper.kernel.type);
  const bool few = all.y.size() <= kFew;
  if (!few) {
    const Block some = some_of(all);
    (void)fit(hyper, some.X, some.X, some.y, fit_options(learning, false), some.r);
    if (same_hill(hyper, now.hyper)) return;
    if (!(bound_at(now, hyper, fit_options(learning, true), all) > now.fit.bound - kWorthAFit)) return;
  }
  take_if_better(now, std::move(hyper), FitOptions{}.absolute_tolerance, fit_options(learning, !few), all);
}

// Not of models whose functions were checked for one kernel, and not where one fit is all that is affordable.
bool chooses_kernel(const ModelOptions& model) {
  return !model.kernel && model.type == ModelType::inducing_points && model.features != FeatureType::eigen &&
         model.fit == FitMethod::collapsed;
}

// The other kernel takes over when the values speak for it, by a factor of e³ = 20 in evidence. By the evidence of the exact
// model, of some of the values where there are many: the bound of a sparse one always speaks for the smoother kernel, of
// which m points tell more. The rough one wants longer length-scales; two evaluations mostly say that it is not worth a fit.
void try_other_kernel(SpaceLearned& now, const Learning& learning, const Block& all, bool exact, int max_evaluations = 15) {
  constexpr double kGain = 3;
  const FitOptions fitting = fit_options(learning, true);
  const bool rough = joint(now.hyper.kernel.type) == kRough, sums = is_additive(now.hyper.kernel.type);
  const KernelType other_type = rough ? kSmooth : kRough;
  const Block some = exact ? all : some_of(all);
  SpaceLearned mine = now;
  if (!exact) {
    mine.Z = all_points(now.hyper, some);
    mine.fit = fit(mine.hyper, mine.Z, some.X, some.y, fitting, some.r);
  }
  Hyperparameters best;
  double bound = mine.fit.bound - kWorthAFit;
  for (const double longer : {1.2, 1.8}) {
    Hyperparameters other = mine.hyper;
    other.kernel.type = sums ? additive(other_type) : other_type;
    other.kernel.lengthscales *= rough ? 1 / longer : longer;
    const double there = bound_at(mine, other, fitting, some);
    if (!(there > bound)) continue;
    bound = there;
    best = std::move(other);
  }
  if (best.kernel.lengthscales.size() == 0) return;
  const KernelType before = mine.hyper.kernel.type;
  take_if_better(mine, std::move(best), kGain, fitting, some);
  if (mine.hyper.kernel.type == before) return;
  now.hyper = mine.hyper;
  FitOptions again = fitting;
  again.max_evaluations = std::min(again.max_evaluations, max_evaluations);
  now.fit = exact ? std::move(mine.fit) : fit(now.hyper, now.Z, all.X, all.y, again, all.r);
}

// Whether the objective is a sum of functions of one parameter each. Such a model knows in many dimensions what one of all
// parameters together cannot. Few of the values say how either would look, and mostly that it is not worth more; more of them
// decide, by the exact evidence: what a sum leaves out is seen late, where there is noise.
constexpr Eigen::Index kForStructure = 300, kDeciding = 1000;
constexpr double kClearlyOther = 10;  // nats
constexpr double kHopeless = 40;      // nats behind after …
constexpr int kFirstSteps = 8;        // … so many evaluations
constexpr int kDecidingSteps = 3;     // with more values

bool speaks_for_other(const Hyperparameters& mine, const Hyperparameters& other, const Learning& learning, const Block& all) {
  const Block more = part_of(all, spread_rows(all.y.size(), kDeciding));
  FitOptions brief = fit_options(learning, true);
  brief.max_evaluations = kDecidingSteps;
  const auto evidence = [&](Hyperparameters hyper) { return fit(hyper, more.X, more.X, more.y, brief, more.r).bound; };
  return evidence(other) > evidence(mine) + kClearlyOther;
}

void try_other_structure(SpaceLearned& now, const Learning& learning, const Block& all, bool exact, int max_evaluations = 15) {
  if (learning.space.num_free() < 2) return;
  const Block some = part_of(all, spread_rows(all.y.size(), kForStructure));
  const bool is_sum = is_additive(now.hyper.kernel.type), more = all.y.size() > kForStructure;
  FitOptions fitting = fit_options(learning, true);
  Hyperparameters mine = now.hyper;
  const double bar = fit(mine, some.X, some.X, some.y, fitting, some.r).bound;
  Hyperparameters other = first_guess(learning, is_sum ? joint(mine.kernel.type) : additive(mine.kernel.type));
  other.kernel.variance = mine.kernel.variance;
  other.noise = mine.noise;
  other.mean = mine.mean;
  fitting.max_evaluations = kFirstSteps;
  FitSummary found = fit(other, some.X, some.X, some.y, fitting, some.r);
  if (!is_sum && !(found.bound > bar - kHopeless)) return;
  fitting.max_evaluations = fit_options(learning, false).max_evaluations;
  fitting.curvature = found.curvature;
  found = fit(other, some.X, some.X, some.y, fitting, some.r);
  if (!(is_sum && more) && !(found.bound > bar + kClearlyOther)) return;
  if (more && !speaks_for_other(mine, other, learning, all)) return;
  now.hyper = std::move(other);
  FitOptions again = fit_options(learning, !exact);
  if (!exact) again.max_evaluations = std::min(again.max_evaluations, max_evaluations);
  now.fit = fit(now.hyper, now.Z, all.X, all.y, again, all.r);
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

}  // namespace

FitOptions fit_options(const Learning& learning, bool warm_start) {
  const int d = learning.space.num_dims();
  FitOptions out{.max_evaluations = warm_start ? 15 : 50, .min_noise = learning.min_noise, .max_noise = learning.max_noise};
  out.min_lengthscales = Vector::Constant(d, out.min_lengthscale);
  out.max_lengthscales = Vector::Constant(d, learning.model.max_lengthscale * dimension_factor(d));
  for (const auto& discrete : learning.space.discretes()) {
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

namespace {

// Where most values come with their standard error, τ is about what those say.
void believe(const KnownNoise& noise, Learning& learning) {
  if (!noise.mostly()) return;
  const NoiseBounds bounds = believed(noise.typical(), {learning.min_noise, learning.max_noise});
  learning.min_noise = bounds.least;
  learning.max_noise = bounds.most;
}

}  // namespace

namespace {

KernelType kernel_before(const Learning& learning, const SpaceLearned* previous) {
  if (!previous) return few_levels(learning.space) ? kRough : kSmooth;
  const KernelType type = previous->hyper.kernel.type, smooth = joint(type) == kRough ? kRough : kSmooth;
  return is_additive(type) ? additive(smooth) : smooth;
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
