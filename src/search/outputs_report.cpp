// What a search of several outputs has learned, for people to look at.
#include <cmath>

#include "search/outputs_searcher.h"

namespace salvo {

ModelReport OutputsSearcher::report_of(const OutputModel& output) const {
  ModelReport out;
  out.output = output.output().name;
  if (!output.learned()) return out;  // nobody has measured it yet
  out.coordinates = space_.coordinate_names();
  const SparseGp& gp = output.posterior().gp();
  const SpaceLearned& learned = output.posterior().learned();
  const Hyperparameters& hyper = gp.hyper();
  const Anchor& units = learned.anchor;
  const ModelOptions now = resolved(learning_.model, search_.method, output.posterior(), 1);
  out.num_observations = gp.num_observations();
  out.num_inducing = gp.num_inducing();
  out.kernel = std::string(to_string(hyper.kernel.type));
  out.lengthscales = {hyper.kernel.lengthscales.begin(), hyper.kernel.lengthscales.end()};
  out.signal_stddev = units.unit() * std::sqrt(hyper.kernel.variance);
  out.noise_stddev = units.unit() * std::sqrt(hyper.noise);
  out.mean = output.sign() * units.from_model(hyper.mean);
  out.theta_over_tau = gp.theta() / hyper.noise;
  out.jitter = gp.jitter();
  out.num_features = now.num_features;
  out.alpha = now.alpha.value();
  out.fit = {learned.fit.num_evaluations, learned.fit.bound, learned.fit.jitter, learned.fit.message};
  out.sizes = learned.sizes;
  out.transform = units.squeezed() ? Transform::squeeze : Transform::none;
  if (output.local()) {
    const Progress going = progress();
    out.local = ModelReport::Local{
        .share = going.local_share, .length = going.length, .turned = output.shape().turned, .noise = output.shape().hyper.noise};
  }
  if (failures_.size() > 0 && heeds_failures()) {
    const Success success = failures_.learn(learning_, ordered());
    out.failing = ModelReport::Failing{
        .num_failures = failures_.size(), .share = failing_share(success.gp, space_), .anywhere = success.weight == 0};
  }
  return out;
}

std::vector<ModelReport> OutputsSearcher::reports() const {
  std::vector<ModelReport> out;
  for (const OutputModel& output : outputs_) out.push_back(report_of(output));
  return out;
}

}  // namespace salvo
