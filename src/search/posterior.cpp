#include "search/posterior.h"

#include <fmt/format.h>
#include <salvo/paths.h>

namespace salvo {

Posterior::Posterior(SpaceLearned learned, const Observations& data, const ModelOptions& model, const Trend& trend)
    : learned_(std::move(learned)), exact_until_(model.exact_until), num_rows_(learned_.num_observations) {
  // Stores of older versions have no number: it was the option's.
  if (learned_.num_inducing == 0) learned_.num_inducing = model.num_inducing;
  const Trend mine = trend.empty() ? Trend() : trend.times(learned_.slope.value_or(0));
  if (learned_.Z.rows() > 0)
    base_ = SparseGp(learned_.hyper, learned_.Z, mine);
  else
    base_ = SparseGp(learned_.hyper, eigenfunctions(model.eigenfunctions, learned_.hyper.kernel, learned_.num_inducing), mine);
  const Block told = block(data, 0, num_rows_, learned_.anchor, known_noise(data));
  base_.condition(told.X, told.y, told.r);
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

KnownNoise Posterior::known_noise(const Observations& data) const { return {data, learned_.num_observations, learned_.anchor}; }

void Posterior::update(const Observations& data) {
  if (num_rows_ == data.size()) return;
  num_rows_ = data.size();
  if (exact()) {  // and stays so between learnings
    const Block all = block(data, 0, num_rows_, learned_.anchor, known_noise(data));
    updated_ = SparseGp(learned_.hyper, all_points(learned_.hyper, all), base_.trend());
    updated_.condition(all.X, all.y, all.r);
    return;
  }
  const Block since = block(data, learned_.num_observations, data.size(), learned_.anchor, known_noise(data));
  updated_ = base_;
  updated_.condition(since.X, since.y, since.r);
}

// An exact model knows how sure it may be. A sparse one, of a summary, is too sure, and an optimiser that has gone on for so
// long has a favourite: docs/how-it-works.md, "Draw".
constexpr double kSparseAlpha = 1.5;

ModelOptions resolved(const ModelOptions& model, Method method, const Posterior& posterior, double step) {
  ModelOptions out = model;
  out.num_inducing = posterior.learned().num_inducing;
  out.num_features = posterior.learned().num_features;
  if (model.alpha_rule == AlphaRule::theory)
    out.alpha = theory_alpha(posterior.gp(), step, model.rkhs_norm, model.noise_bound);
  else if (!model.alpha)
    out.alpha = posterior.exact() || method == Method::turbo ? 1.0 : kSparseAlpha;  // a trust region is bold by itself
  if (posterior.exact()) out.near_share = 0;  // so early the best point known is often in the wrong place
  // The theory is about samples of this model alone.
  const bool sampled = method == Method::automatic || method == Method::thompson;
  if (!sampled || model.alpha_rule == AlphaRule::theory) out.scout_share = 0;
  return out;
}

}  // namespace salvo
