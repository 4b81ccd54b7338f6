#include <fmt/format.h>
#include <salvo/study.h>

#include <cmath>
#include <stdexcept>

#include "math/sobol.h"
#include "study/learned.h"

namespace salvo {
namespace {

void require(bool holds, std::string_view option, std::string_view expected, const auto& got) {
  if (!holds) throw std::invalid_argument(fmt::format("{}: expected {}, got {}", option, expected, got));
}

}  // namespace

std::string_view to_string(Direction direction) { return direction == Direction::minimize ? "minimize" : "maximize"; }

std::string_view to_string(Initial initial) { return initial == Initial::sobol ? "sobol" : "uniform"; }

std::string_view to_string(TrialState state) {
  switch (state) {
    case TrialState::pending:
      return "pending";
    case TrialState::done:
      return "done";
    case TrialState::failed:
      return "failed";
    case TrialState::abandoned:
      break;
  }
  return "abandoned";
}

std::string_view to_string(Origin origin) {
  switch (origin) {
    case Origin::initial:
      return "initial";
    case Origin::model:
      return "model";
    case Origin::told:
      break;
  }
  return "told";
}

std::string_view to_string(ModelType type) {
  return type == ModelType::inducing_points ? "inducing-points" : "inducing-features";
}

std::string_view kernel_choice(std::optional<KernelType> kernel) { return kernel ? to_string(*kernel) : "auto"; }

std::optional<KernelType> kernel_choice(std::string_view name) {
  if (name == "auto") return {};
  try {
    return kernel_type(name);
  } catch (const std::invalid_argument&) {
    throw std::invalid_argument(
        fmt::format("model.kernel: expected \"auto\", \"se\", \"matern12\", \"matern32\" or \"matern52\", got \"{}\"", name));
  }
}

std::string_view to_string(FitMethod method) { return method == FitMethod::collapsed ? "collapsed" : "stochastic"; }

void ModelOptions::validate() const {
  require(num_inducing >= 0, "model.num_inducing", "at least 1, or 0 (automatic)", num_inducing);
  require(std::isfinite(max_kl) && max_kl > 0, "model.max_kl", "a finite number > 0", max_kl);
  require(max_inducing >= 1, "model.max_inducing", "at least 1", max_inducing);
  require(minibatch >= 1, "model.minibatch", "at least 1", minibatch);
  require(kdpp_steps >= 0, "model.kdpp_steps", "0 (automatic) or more", kdpp_steps);
  require(num_features >= 0, "model.num_features", "at least 1, or 0 (automatic)", num_features);
  require(std::isfinite(max_variance_error) && max_variance_error > 0, "model.max_variance_error", "a finite number > 0",
          max_variance_error);
  require(max_features >= 1, "model.max_features", "at least 1", max_features);
  require(std::isfinite(rkhs_norm) && rkhs_norm >= 0, "model.rkhs_norm", "a finite number ≥ 0", rkhs_norm);
  require(std::isfinite(noise_bound) && noise_bound >= 0, "model.noise_bound", "a finite number ≥ 0", noise_bound);
  const bool eigen = type == ModelType::inducing_features || features == FeatureType::eigen;
  require(!eigen || eigenfunctions != EigenType::gaussian || kernel == KernelType::se, "model.eigenfunctions",
          fmt::format("\"box\" or \"auto\" with model.kernel = \"{}\" (only \"se\" has those of a Gaussian measure)",
                      kernel_choice(kernel)),
          "\"gaussian\"");
  if (type == ModelType::inducing_features) {
    require(fit == FitMethod::collapsed, "model.fit", "\"collapsed\" with inducing features, whose fit sweeps the data once",
            "\"stochastic\"");
    const int most_inducing = num_inducing > 0 ? num_inducing : max_inducing;
    const int most_features = num_features > 0 ? num_features : max_features;
    require(most_features >= most_inducing, num_features > 0 ? "model.num_features" : "model.max_features",
            fmt::format("at least {} with inducing features: a path needs all that the model has (num_inducing)", most_inducing),
            most_features);
  }
  require(!alpha || (std::isfinite(*alpha) && *alpha >= 0), "model.alpha", "a finite number ≥ 0", alpha.value_or(0));
  const double shortest = FitOptions{}.min_lengthscale;
  require(std::isfinite(max_lengthscale) && max_lengthscale > shortest, "model.max_lengthscale",
          fmt::format("a finite number > {}", shortest), max_lengthscale);
  require(std::isfinite(refit_growth) && refit_growth >= 0, "model.refit_growth", "a finite number ≥ 0", refit_growth);
  require(num_starts >= 1, "model.num_starts", "at least 1", num_starts);
  require(num_candidates >= 0, "model.num_candidates", "0 (automatic) or more", num_candidates);
  require(exact_until >= 0 && exact_until <= 10'000, "model.exact_until", "a number from 0 to 10000", exact_until);
  require(max_share > 0 && max_share <= 1, "model.max_share", "a number above 0 and at most 1", max_share);
  require(near_share >= 0 && near_share <= 1, "model.near_share", "a number from 0 to 1", near_share);
  require(scout_share >= 0 && scout_share <= 1, "model.scout_share", "a number from 0 to 1", scout_share);
  require(std::isfinite(max_grid_gib) && max_grid_gib > 0, "model.max_grid_gib", "a finite number > 0", max_grid_gib);
}

void StudyOptions::validate() const {
  require(!name.empty(), "name", "a name", "an empty text");
  require(pool || space.num_free() > 0, "space", "at least one parameter that varies", "none");
  require(pool || !space.is_pool(), "pool", "the pool whose candidates the space has", "none");
  require(batch >= 1, "batch", "at least 1", batch);
  require(num_initial >= 0, "num_initial", "0 (one batch) or more", num_initial);
  require(pool || initial != Initial::sobol || space.num_free() <= kMaxSobolDims, "initial",
          fmt::format("at most {} varying parameters for \"sobol\" (\"uniform\" has no limit)", kMaxSobolDims), space.num_free());
  model.validate();
  require(pool || model.inducing != Inducing::sobol || space.num_dims() <= kMaxSobolDims, "model.inducing",
          fmt::format("at most {} coordinates for \"sobol\" (the other ways have no limit)", kMaxSobolDims), space.num_dims());
  require(pool || model.features != FeatureType::quasi_random || space.num_dims() < kMaxSobolDims, "model.features",
          fmt::format("fewer than {} coordinates for \"quasi-random\" (\"auto\" has no limit)", kMaxSobolDims), space.num_dims());
  if (!pool) return check_eigenfunctions(*this);
  pool_model.validate();
  require(method == Method::automatic || method == Method::thompson || info(method).model == ModelUse::none, "method",
          "\"auto\", \"thompson\" or \"random\" for a study over a pool", to_string(method));
  require(kind_of(pool_model.kernel) == pool->kind(), "model.kernel",
          pool->kind() == PoolKind::bits ? "\"arccosine\" or \"tanimoto\" for a pool of bits"
                                         : "\"matern52\", \"matern32\", \"matern12\" or \"se\" for a pool of numbers",
          to_string(pool_model.kernel));
}

}  // namespace salvo
