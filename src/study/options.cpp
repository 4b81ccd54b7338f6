#include <fmt/format.h>
#include <salvo/study.h>

#include <cmath>
#include <stdexcept>

#include "math/sobol.h"

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

void ModelOptions::validate() const {
  require(num_inducing >= 1, "model.num_inducing", "at least 1", num_inducing);
  require(num_features >= 1, "model.num_features", "at least 1", num_features);
  require(std::isfinite(alpha) && alpha >= 0, "model.alpha", "a finite number ≥ 0", alpha);
  const double shortest = FitOptions{}.min_lengthscale;
  require(std::isfinite(max_lengthscale) && max_lengthscale > shortest, "model.max_lengthscale",
          fmt::format("a finite number > {}", shortest), max_lengthscale);
  require(std::isfinite(refit_growth) && refit_growth >= 0, "model.refit_growth", "a finite number ≥ 0", refit_growth);
  require(num_starts >= 1, "model.num_starts", "at least 1", num_starts);
  require(num_candidates >= 0, "model.num_candidates", "0 (automatic) or more", num_candidates);
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
  if (!pool) return;
  pool_model.validate();
  require(method == Method::thompson || info(method).model == ModelUse::none, "method",
          "\"thompson\" or \"random\" for a study over a pool", to_string(method));
  require(kind_of(pool_model.kernel) == pool->kind(), "model.kernel",
          pool->kind() == PoolKind::bits ? "\"arccosine\" or \"tanimoto\" for a pool of bits"
                                         : "\"matern52\", \"matern32\", \"matern12\" or \"se\" for a pool of numbers",
          to_string(pool_model.kernel));
}

}  // namespace salvo
