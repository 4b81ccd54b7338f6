#include "search/other_starts.h"

#include <algorithm>
#include <cmath>

#include "search/few_levels.h"
#include "search/first_guess.h"

namespace salvo {
namespace {

constexpr double kWorthAFit = 10;  // nats that a fit may well gain

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

}  // namespace

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

KernelType kernel_before(const Learning& learning, const SpaceLearned* previous) {
  if (!previous) return few_levels(learning.space) ? kRough : kSmooth;
  const KernelType type = previous->hyper.kernel.type, smooth = joint(type) == kRough ? kRough : kSmooth;
  return is_additive(type) ? additive(smooth) : smooth;
}

// The other kernel takes over when the values speak for it, by a factor of e³ = 20 in evidence. By the evidence of the exact
// model, of some of the values where there are many: the bound of a sparse one always speaks for the smoother kernel, of
// which m points tell more. The rough one wants longer length-scales; two evaluations mostly say that it is not worth a fit.
void try_other_kernel(SpaceLearned& now, const Learning& learning, const Block& all, bool exact, int max_evaluations) {
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

void try_other_structure(SpaceLearned& now, const Learning& learning, const Block& all, bool exact, int max_evaluations) {
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

}  // namespace salvo
