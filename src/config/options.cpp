#include <fmt/format.h>
#include <salvo/fields.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "config/objective.h"
#include "config/outputs.h"
#include "math/sobol.h"
#include "search/learned.h"
#include "search/results.h"
#include "text/check_fields.h"

namespace salvo {
namespace {

void require(bool holds, std::string_view option, std::string_view expected, const auto& got) {
  if (!holds) throw std::invalid_argument(fmt::format("{}: expected {}, got {}", option, expected, got));
}

void validate_role(const Output& output) {
  const std::string name = fmt::format("outputs.{}", output.name);
  if (const auto* objective = std::get_if<Objective>(&output.role)) {
    const double reference = objective->reference.value_or(0);
    require(std::isfinite(reference), name + ".reference", "a finite number", reference);
    return;
  }
  const auto& constraint = std::get<Constraint>(output.role);
  require(std::isfinite(constraint.min) || std::isfinite(constraint.max), name, "a bound: min, max or both", "none");
  require(constraint.min < constraint.max, name, "a min below its max", fmt::format("{} and {}", constraint.min, constraint.max));
  require(constraint.probability > 0 && constraint.probability < 1, name + ".probability", "a number between 0 and 1",
          constraint.probability);
}

void validate_outputs(const std::vector<Output>& outputs) {
  require(!outputs.empty(), "outputs", "an objective, to minimize or to maximize", "none");
  require(outputs.size() <= kMostOutputs, "outputs", fmt::format("at most {}", kMostOutputs), outputs.size());
  int num_objectives = 0;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const Output& output = outputs[i];
    require(!output.name.empty(), "outputs", "a name for each", "an empty text");
    for (std::size_t j = 0; j < i; ++j) require(outputs[j].name != output.name, "outputs", "different names", output.name);
    require(output.name != kStandardError, "outputs", "another name than that of a standard error", output.name);
    const bool objective = std::holds_alternative<Objective>(output.role);
    require(!objective || i == static_cast<std::size_t>(num_objectives), "outputs", "objectives before constraints", output.name);
    num_objectives += objective ? 1 : 0;
    validate_role(output);
  }
  require(num_objectives > 0, "outputs", "an objective, to minimize or to maximize", "constraints alone");
  require(num_objectives <= kMostObjectives, "outputs", fmt::format("at most {} objectives", kMostObjectives), num_objectives);
}

// Sample paths of every output are what a search of several goes by.
void validate_several(Method method) {
  const bool draws = method == Method::automatic || method == Method::thompson || method == Method::thompson_exact;
  require(draws || info(method).model == ModelUse::none, "method",
          "auto, thompson, thompson-exact, random or sobol in a study with several outputs", to_string(method));
}

void validate_search(const SpaceSearch& search, const StudyOptions& options) {
  if (!options.one_output()) validate_several(search.method);
  const ModelOptions& model = search.model;
  require(search.space.num_free() > 0, "space", "at least one parameter that varies", "none");
  require(!std::holds_alternative<Candidate>(search.space.parameters()[0].domain), "pool",
          "the pool whose candidates the space has", "none");
  const Encoding space(search.space);
  require(search.initial != Initial::sobol || space.num_free() <= kMaxSobolDims, "initial",
          fmt::format("at most {} varying parameters for \"sobol\" (\"uniform\" has no limit)", kMaxSobolDims), space.num_free());
  model.validate();
  require(model.inducing != Inducing::sobol || space.num_dims() <= kMaxSobolDims, "model.inducing",
          fmt::format("at most {} coordinates for \"sobol\" (the other ways have no limit)", kMaxSobolDims), space.num_dims());
  require(model.features != FeatureType::quasi_random || space.num_dims() < kMaxSobolDims, "model.features",
          fmt::format("fewer than {} coordinates for \"quasi-random\" (\"auto\" has no limit)", kMaxSobolDims), space.num_dims());
  check_eigenfunctions({space, model, num_anchored(options.num_initial, options.batch)});
}

void validate_search(const PoolSearch& search, const StudyOptions&) {
  search.model.validate();
  require(search.method == Method::automatic || search.method == Method::thompson || info(search.method).model == ModelUse::none,
          "method", "\"auto\", \"thompson\" or \"random\" for a study over a pool", to_string(search.method));
  require(kind_of(search.model.kernel) == search.pool.kind(), "model.kernel", pool_kernels(search.pool.kind()),
          to_string(search.model.kernel));
}

}  // namespace

void ModelOptions::validate() const {
  each_field(*this, CheckFields("model."));
  const bool eigen = type == ModelType::inducing_features || features == FeatureType::eigen;
  require(!eigen || eigenfunctions != EigenType::gaussian || kernel == KernelType::se, "model.eigenfunctions",
          fmt::format("\"box\" or \"auto\" with model.kernel = \"{}\" (only \"se\" has those of a Gaussian measure)",
                      kernel ? to_string(*kernel) : "auto"),
          "\"gaussian\"");
  require(!eigen || !kernel || !is_additive(*kernel), "model.kernel",
          "a kernel of all parameters together with eigenfunctions (\"se\", \"matern12\", \"matern32\", \"matern52\")",
          fmt::format("\"{}\"", kernel ? to_string(*kernel) : ""));
  if (type == ModelType::inducing_features) {
    require(fit == FitMethod::collapsed, "model.fit", "\"collapsed\" with inducing features, whose fit sweeps the data once",
            "\"stochastic\"");
    const int most_inducing = num_inducing > 0 ? num_inducing : max_inducing;
    const int most_features = num_features > 0 ? num_features : max_features;
    require(most_features >= most_inducing, num_features > 0 ? "model.num_features" : "model.max_features",
            fmt::format("at least {} with inducing features: a path needs all that the model has (num_inducing)", most_inducing),
            most_features);
  }
}

const Space& StudyOptions::space() const {
  const Pool* over = pool();
  return over ? over->space() : std::get<SpaceSearch>(search).space;
}

Method StudyOptions::method() const {
  return std::visit([](const auto& how) { return how.method; }, search);
}

void StudyOptions::validate() const {
  require(!name.empty(), "name", "a name", "an empty text");
  each_field(*this, CheckFields(""));
  validate_outputs(outputs);
  check_output_names(outputs, space());
  std::visit([&](const auto& how) { validate_search(how, *this); }, search);
}

}  // namespace salvo
