#include "search/output_paths.h"

#include <algorithm>
#include <cmath>

#include "acquire/framed.h"

namespace salvo {
namespace {

using Index = Eigen::Index;
constexpr int kLocalFeatures = 1000;  // of a path's prior

// Each member has a spread of its own: its path is the mean and that part of a path's deviation from it.
Paths draw_bold(const SparseGp& gp, PathOptions options, const Vector& boldness, Key key) {
  Paths out = draw_paths(gp, options, key);
  if ((boldness.array() == 1).all()) return out;
  options.num_paths = 1;
  options.alpha = 0;
  const Paths mean = draw_paths(gp, options, key);
  for (Index b = 0; b < boldness.size(); ++b) {
    out.w.row(b) = mean.w.row(0) + boldness(b) * (out.w.row(b) - mean.w.row(0));
    out.e.row(b) = mean.e.row(0) + boldness(b) * (out.e.row(b) - mean.e.row(0));
    out.v.row(b) = mean.v.row(0) + boldness(b) * (out.v.row(b) - mean.v.row(0));
  }
  return out;
}

}  // namespace

OutputPaths::OutputPaths(const std::vector<OutputModel>& outputs, Of of, const ModelOptions& model, Method method, double step,
                         const Vector& boldness, Key key)
    : outputs_(outputs), count_(static_cast<int>(boldness.size())) {
  for (std::size_t o = 0; o < outputs.size(); ++o) {
    Part& part = parts_.emplace_back();
    if (!outputs[o].learned()) continue;
    const Key mine = key.fold("draw").fold(o);
    if (of == Of::neighbourhood) {
      if (!outputs[o].local()) continue;
      const LocalModel& local = *outputs[o].local();
      part.gp = &local.gp();
      part.frame = &local.frame();
      part.units = outputs[o].shape().units;
      part.paths = std::make_unique<Paths>(draw_bold(
          local.gp(), {.num_paths = count_, .num_features = kLocalFeatures, .alpha = model.alpha.value_or(1.0)}, boldness, mine));
      part.functions = std::make_unique<FramedPaths>(*part.paths, *part.frame);
      continue;
    }
    const Posterior& posterior = outputs[o].posterior();
    const ModelOptions now = resolved(model, method, posterior, step);
    part.gp = &posterior.gp();
    part.units = posterior.learned().anchor;
    part.paths = std::make_unique<Paths>(draw_bold(posterior.gp(),
                                                   {.num_paths = count_,
                                                    .num_features = now.num_features,
                                                    .alpha = now.alpha.value(),
                                                    .features = now.features,
                                                    .eigenfunctions = now.eigenfunctions},
                                                   boldness, mine));
    part.functions = std::make_unique<PathFunctions>(*part.paths);
  }
}

std::vector<const Functions*> OutputPaths::objectives() const {
  std::vector<const Functions*> out;
  for (std::size_t o = 0; o < outputs_.size(); ++o)
    if (!outputs_[o].is_constraint()) out.push_back(parts_[o].functions.get());
  return out;
}

Bounded OutputPaths::bounds_of(std::size_t output) const {
  const OutputModel& mine = outputs_[output];
  const Part& part = parts_[output];
  const SeenOutput& seen = mine.seen();
  return {part.functions.get(), Vector::Constant(count_, seen.bound_of_paths(seen.seen_low(), part.units)),
          Vector::Constant(count_, seen.bound_of_paths(seen.seen_high(), part.units))};
}

std::vector<Bounded> OutputPaths::bounds() const {
  std::vector<Bounded> out;
  for (std::size_t o = 0; o < outputs_.size(); ++o)
    if (outputs_[o].is_constraint() && parts_[o].functions) out.push_back(bounds_of(o));
  return out;
}

std::vector<Bounded> OutputPaths::bounds(const Vector& care, const Matrix& X, const std::vector<int>& index) const {
  std::vector<Bounded> out;
  for (std::size_t o = 0; o < outputs_.size(); ++o) {
    if (!outputs_[o].is_constraint() || !parts_[o].functions) continue;
    Bounded mine = bounds_of(o);
    const Part& part = parts_[o];
    const Vector sd = part.gp->predict(part.frame ? part.frame->inside(X) : X).variance.cwiseMax(0.0).cwiseSqrt();
    Vector most = Vector::Zero(count_);
    for (std::size_t s = 0; s < index.size(); ++s) {
      double& there = most(index[s] % count_);
      there = std::max(there, sd(static_cast<Index>(s)));
    }
    const Vector room = care.cwiseProduct(most);
    const Vector low = mine.low + room, high = mine.high - room;
    mine.low = low.cwiseMin(high);  // both bounds may leave less room than that
    mine.high = high.cwiseMax(low);
    out.push_back(std::move(mine));
  }
  return out;
}

Eigen::RowVectorXd OutputPaths::curvature() const {
  Eigen::RowVectorXd out;
  for (const Part& part : parts_) {
    if (!part.gp) continue;
    const Vector inverse = part.gp->hyper().kernel.lengthscales.cwiseInverse();
    const Vector squares =
        part.frame ? Vector((part.frame->to * inverse.asDiagonal()).rowwise().squaredNorm()) : Vector(inverse.cwiseAbs2());
    if (out.size() == 0) out.setZero(squares.size());
    out += (squares / std::exp(squares.array().max(1e-300).log().mean())).transpose();
  }
  return out;
}

}  // namespace salvo
