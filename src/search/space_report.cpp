// What a search over a space has learned, for people to look at.
#include <salvo/fitted_model.h>

#include <algorithm>
#include <cmath>

#include "search/space_searcher.h"

namespace salvo {

ModelReport SpaceSearcher::report() const {
  const SparseGp& gp = posterior_->gp();
  const SpaceLearned& learned = posterior_->learned();
  const Anchor& units = learned.anchor;
  const Hyperparameters& hyper = gp.hyper();
  const ModelOptions now = model_now();
  double captured = 1;
  if (gp.eigenfunctions()) captured = extended(*gp.eigenfunctions(), now.num_features).captured();
  if (!gp.eigenfunctions() && now.features == FeatureType::eigen)
    captured = eigenfunctions(now.eigenfunctions, hyper.kernel, now.num_features).captured();
  return {.num_observations = gp.num_observations(),
          .num_inducing = gp.num_inducing(),
          .kernel = std::string(to_string(hyper.kernel.type)),
          .lengthscales = {hyper.kernel.lengthscales.begin(), hyper.kernel.lengthscales.end()},
          .coordinates = space_.coordinate_names(),
          .signal_stddev = units.unit() * std::sqrt(hyper.kernel.variance),
          .noise_stddev = units.unit() * std::sqrt(hyper.noise),
          .mean = sign_ * units.from_model(hyper.mean),
          .theta_over_tau = gp.theta() / hyper.noise,
          .jitter = gp.jitter(),
          .num_features = now.num_features,
          .alpha = now.alpha.value(),
          .type = now.type,
          .captured = captured,
          .fit = {learned.fit.num_evaluations, learned.fit.bound, learned.fit.jitter, learned.fit.message},
          .sizes = learned.sizes,
          .transform = units.squeezed() ? Transform::squeeze : Transform::none,
          .local = local_report(),
          .prior = prior_report(),
          .failing = failing_report()};
}

std::optional<ModelReport::Prior> SpaceSearcher::prior_report() const {
  if (!prior_) return {};
  ModelReport::Prior out{.from = prior_->from, .num_points = static_cast<int>(learning_.trend.Z.rows())};
  if (learning_.trend.empty()) return out;
  const SpaceLearned& learned = posterior_->learned();
  out.slope = learned.slope.value_or(0) * learned.anchor.unit() / prior_->unit;
  const Vector y = targets(), left = y - posterior_->gp().trend().values(data_.X());
  const auto spread = [](const Vector& v) { return (v.array() - v.mean()).square().sum(); };
  if (spread(y) > 0) out.explained = std::max(0.0, 1 - spread(left) / spread(y));
  return out;
}

std::optional<ModelReport::Local> SpaceSearcher::local_report() const {
  if (!locality_) return {};
  const Progress now = locality_->progress(data_);
  return ModelReport::Local{.share = now.local_share,
                            .length = now.length,
                            .turned = locality_->shape().turned,
                            .noise = locality_->shape().hyper.noise};
}

FittedModel SpaceSearcher::fitted() const {
  const Anchor& units = posterior_->learned().anchor;
  return {.gp = posterior_->gp(),
          .X = data_.X(),
          .y = targets(),
          .sign = sign_,
          .centre = units.squeezed() ? units.middle + units.width * units.centre : units.centre,
          .scale = units.unit(),
          .num_features = posterior_->learned().num_features};
}

std::optional<ModelReport::Failing> SpaceSearcher::failing_report() const {
  if (!learns_failures()) return {};
  const Success success = failures_.learn(learning_, data_);
  return ModelReport::Failing{
      .num_failures = failures_.size(), .share = failing_share(success.gp, space_), .anywhere = success.weight == 0};
}

}  // namespace salvo
