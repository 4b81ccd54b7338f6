#include <fmt/core.h>
#include <salvo/sparse_gp.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "math/lbfgs.h"
#include "model/evidence.h"
#include "model/fit_loop.h"

namespace salvo {
namespace {

Vector per_coordinate(const char* name, const Vector& given, double otherwise, Eigen::Index d) {
  if (given.size() == 0) return Vector::Constant(d, otherwise);
  if (given.size() != d || !(given.array() > 0).all() || !given.allFinite())
    throw std::invalid_argument(fmt::format("FitOptions: {} must hold {} positive numbers, one per coordinate", name, d));
  return given;
}

}  // namespace

Vector pack(const Hyperparameters& hyper) {
  const Eigen::Index d = hyper.kernel.lengthscales.size();
  Vector p(d + 3);
  p.head(d) = hyper.kernel.lengthscales.array().log();
  p(d) = std::log(hyper.kernel.variance);
  p(d + 1) = std::log(hyper.noise);
  p(d + 2) = hyper.mean;
  return p;
}

Hyperparameters unpack(const Vector& p, KernelType type) {
  const Eigen::Index d = p.size() - 3;
  Hyperparameters hyper;
  hyper.kernel = {type, std::exp(p(d)), p.head(d).array().exp()};
  hyper.noise = std::exp(p(d + 1));
  hyper.mean = p(d + 2);
  return hyper;
}

void FitOptions::validate() const {
  const auto check = [](bool ok, const char* what, double got) {
    if (!ok) throw std::invalid_argument(fmt::format("FitOptions: {}, got {}", what, got));
  };
  check(max_evaluations >= 1, "max_evaluations must be at least 1", max_evaluations);
  check(absolute_tolerance >= 0, "absolute_tolerance must not be negative", absolute_tolerance);
  check(min_lengthscale > 0 && std::isfinite(min_lengthscale), "min_lengthscale must be positive", min_lengthscale);
  check(max_lengthscale >= min_lengthscale, "max_lengthscale must not be below min_lengthscale", max_lengthscale);
  check(min_variance > 0, "min_variance must be positive", min_variance);
  check(max_variance >= min_variance, "max_variance must not be below min_variance", max_variance);
  check(min_noise > 0, "min_noise must be positive", min_noise);
  check(max_noise >= min_noise, "max_noise must not be below min_noise", max_noise);
  check(max_mean >= 0, "max_mean must not be negative", max_mean);
  if (curvature.steps.rows() != curvature.changes.rows() || curvature.steps.cols() != curvature.changes.cols())
    throw std::invalid_argument("FitOptions: curvature must hold as many changes as steps, of the same size");
}

FitSummary fit(Hyperparameters& hyper, const Matrix& Z, const Matrix& X, const Vector& y, const FitOptions& options,
               const Vector& r) {
  const bool exact = same_rows(Z, X);
  return maximise_bound(hyper, options, [&](const Hyperparameters& at) {
    return exact ? evidence_gradient(at, X, y, r) : bound_gradient(at, Z, X, y, r);
  });
}

ParameterBox::ParameterBox(const FitOptions& options, Eigen::Index d) : low(d + 3), high(d + 3) {
  options.validate();
  if (options.curvature.steps.rows() > 0 && options.curvature.steps.cols() != d + 3)
    throw std::invalid_argument(
        fmt::format("FitOptions: curvature must have {} columns, got {}", d + 3, options.curvature.steps.cols()));
  low.head(d) = per_coordinate("min_lengthscales", options.min_lengthscales, options.min_lengthscale, d).array().log();
  high.head(d) = per_coordinate("max_lengthscales", options.max_lengthscales, options.max_lengthscale, d).array().log();
  if ((high.head(d).array() < low.head(d).array()).any())
    throw std::invalid_argument("FitOptions: max_lengthscales must not be below min_lengthscales");
  low.tail(3) << std::log(options.min_variance), std::log(options.min_noise), -options.max_mean;
  high.tail(3) << std::log(options.max_variance), std::log(options.max_noise), options.max_mean;
}

FitSummary maximise_bound(Hyperparameters& hyper, const FitOptions& options,
                          const std::function<BoundGradient(const Hyperparameters&)>& bound) {
  const Eigen::Index d = hyper.kernel.lengthscales.size();
  const ParameterBox box(options, d);
  FitSummary summary;
  bool failed = false;
  std::string reason;
  const auto evaluate = [&](const Matrix& P, const std::vector<int>&, Vector& f, Matrix& G) {
    f.resize(1);
    G.setZero(1, d + 3);
    ++summary.num_evaluations;
    try {
      const BoundGradient at = bound(unpack(P.row(0), hyper.kernel.type));
      f(0) = at.bound;
      G.row(0) = at.gradient;
      summary.jitter = std::max(summary.jitter, at.jitter);
      if (summary.num_evaluations == 1) summary.initial_bound = at.bound;
    } catch (const std::runtime_error& error) {  // not positive definite here: the search steps back
      f(0) = std::nan("");
      failed = true;
      reason = error.what();
    }
  };
  const Matrix start = pack(hyper).transpose();
  const LbfgsResult result = lbfgs_maximise(evaluate, start, box.low.transpose(), box.high.transpose(),
                                            {.max_evaluations = options.max_evaluations,
                                             .tolerance = options.absolute_tolerance,
                                             .curvature = {options.curvature.steps, options.curvature.changes}});
  summary.curvature = {result.curvature.steps, result.curvature.changes};
  summary.bound = result.f(0);
  hyper = unpack(result.X.row(0), hyper.kernel.type);
  if (!std::isfinite(result.f(0)))
    summary.message = "the bound could not be computed at the start, hyperparameters left as they were: " + reason;
  else if (summary.num_evaluations >= options.max_evaluations)
    summary.message = fmt::format("stopped after {} evaluations", summary.num_evaluations);
  else
    summary.message = fmt::format("converged: a step gains less than {} nats", options.absolute_tolerance);
  if (failed && std::isfinite(result.f(0))) summary.message += "; some trial steps were numerically singular and were shortened";
  return summary;
}

}  // namespace salvo
