#include "study/json.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace salvo {
namespace {

using Json = nlohmann::ordered_json;  // keeps the parameters in the order of the space

std::string dump(const Json& json) try { return json.dump(); } catch (const Json::exception&) {
  throw std::invalid_argument("expected text in UTF-8, got other bytes in a name or a choice");
}

// Runs a reader and says what is wrong with the text in plain words.
template <class Read>
auto reading(std::string_view text, Read read) try {
  return read(Json::parse(text));
} catch (const Json::exception& error) {
  throw std::invalid_argument(fmt::format("{} in {}", error.what(), text));
}

Json to_json(const Value& value) {
  return std::visit([](const auto& v) { return Json(v); }, value);
}

Value value_from(const Json& json) {
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number_integer()) return json.get<std::int64_t>();
  if (json.is_number_float()) return json.get<double>();
  return json.get<std::string>();
}

Json to_json(const std::vector<Value>& values) {
  Json out = Json::array();
  for (const Value& value : values) out.push_back(to_json(value));
  return out;
}

std::vector<Value> values_from(const Json& json) {
  std::vector<Value> out;
  for (const Json& item : json) out.push_back(value_from(item));
  return out;
}

std::string_view name_of(Scale scale) { return scale == Scale::log ? "log" : "linear"; }

Scale scale_from(const Json& json) {
  const auto name = json.get<std::string>();
  if (name == "log") return Scale::log;
  if (name == "linear") return Scale::linear;
  throw std::invalid_argument(fmt::format("expected the scale \"linear\" or \"log\", got \"{}\"", name));
}

struct DomainWriter {
  Json operator()(const Float& d) const {
    return {{"type", "float"}, {"low", d.low}, {"high", d.high}, {"scale", name_of(d.scale)}};
  }
  Json operator()(const Int& d) const { return {{"type", "int"}, {"low", d.low}, {"high", d.high}, {"scale", name_of(d.scale)}}; }
  Json operator()(const Categorical& d) const { return {{"type", "categorical"}, {"choices", to_json(d.choices)}}; }
  Json operator()(const Ordinal& d) const { return {{"type", "ordinal"}, {"choices", to_json(d.choices)}}; }
  Json operator()(const Fixed& d) const { return {{"type", "fixed"}, {"value", to_json(d.value)}}; }
  Json operator()(const Candidate& d) const { return {{"type", "candidate"}, {"count", d.count}}; }
};

Json to_json(const Parameter& parameter) {
  Json out = {{"name", parameter.name}};
  out.update(std::visit(DomainWriter{}, parameter.domain));
  return out;
}

Domain domain_from(const Json& json) {
  const auto type = json.at("type").get<std::string>();
  if (type == "float") return Float{json.at("low"), json.at("high"), scale_from(json.at("scale"))};
  if (type == "int") return Int{json.at("low"), json.at("high"), scale_from(json.at("scale"))};
  if (type == "categorical") return Categorical{values_from(json.at("choices"))};
  if (type == "ordinal") return Ordinal{values_from(json.at("choices"))};
  if (type == "candidate") return Candidate{json.at("count")};
  if (type == "fixed") return Fixed{value_from(json.at("value"))};
  throw std::invalid_argument(fmt::format("unknown parameter type \"{}\"", type));
}

template <class T, std::size_t n>
T named(const Json& json, const char* key, const T (&choices)[n], T fallback) {
  if (!json.contains(key)) return fallback;
  const auto name = json.at(key).get<std::string>();
  for (const T choice : choices)
    if (to_string(choice) == name) return choice;
  throw std::invalid_argument(fmt::format("unknown {} \"{}\"", key, name));
}

}  // namespace

std::string params_to_json(const Space& space, const Params& params) {
  Json out = Json::object();
  for (std::size_t i = 0; i < params.size(); ++i) out[space.parameters()[i].name] = to_json(params[i]);
  return dump(out);
}

Params params_from_json(const Space& space, std::string_view text) {
  return reading(text, [&](const Json& json) {
    Params params;
    params.reserve(space.parameters().size());
    for (const Parameter& parameter : space.parameters()) params.push_back(value_from(json.at(parameter.name)));
    return space.check(params);
  });
}

std::string parameter_to_json(const Parameter& parameter) { return dump(to_json(parameter)); }

std::string space_to_json(const Space& space) {
  Json out = Json::array();
  for (const Parameter& parameter : space.parameters()) out.push_back(to_json(parameter));
  return dump(out);
}

Space space_from_json(std::string_view text) {
  return reading(text, [](const Json& json) {
    std::vector<Parameter> parameters;
    for (const Json& item : json) parameters.push_back({item.at("name").get<std::string>(), domain_from(item)});
    return Space(std::move(parameters));
  });
}

std::string model_to_json(const ModelOptions& model) {
  return dump({{"type", to_string(model.type)},
               {"kernel", kernel_choice(model.kernel)},
               {"fit", to_string(model.fit)},
               {"minibatch", model.minibatch},
               {"num_inducing", model.num_inducing},
               {"max_kl", model.max_kl},
               {"max_inducing", model.max_inducing},
               {"num_features", model.num_features},
               {"max_variance_error", model.max_variance_error},
               {"max_features", model.max_features},
               {"inducing", to_string(model.inducing)},
               {"kdpp_steps", model.kdpp_steps},
               {"features", to_string(model.features)},
               {"eigenfunctions", to_string(model.eigenfunctions)},
               {"alpha", model.alpha ? Json(*model.alpha) : Json(nullptr)},
               {"alpha_rule", model.alpha_rule == AlphaRule::theory ? "theory" : "constant"},
               {"rkhs_norm", model.rkhs_norm},
               {"noise_bound", model.noise_bound},
               {"max_lengthscale", model.max_lengthscale},
               {"refit_growth", model.refit_growth},
               {"num_starts", model.num_starts},
               {"num_candidates", model.num_candidates},
               {"max_share", model.max_share},
               {"near_share", model.near_share},
               {"scout_share", model.scout_share},
               {"exact_until", model.exact_until},
               {"max_grid_gib", model.max_grid_gib}});
}

// Keys that a store of an older version does not have keep their default; those of the first version must be there.
ModelOptions model_from_json(std::string_view text) {
  return reading(text, [](const Json& json) {
    ModelOptions model;
    model.type = named(json, "type", kModelTypes, model.type);
    model.kernel = kernel_choice(json.at("kernel").get<std::string>());
    model.fit = named(json, "fit", kFitMethods, model.fit);
    model.minibatch = json.value("minibatch", model.minibatch);
    model.num_inducing = json.at("num_inducing");
    model.max_kl = json.value("max_kl", model.max_kl);
    model.max_inducing = json.value("max_inducing", model.max_inducing);
    model.num_features = json.at("num_features");
    model.max_variance_error = json.value("max_variance_error", model.max_variance_error);
    model.max_features = json.value("max_features", model.max_features);
    model.inducing = inducing(json.at("inducing").get<std::string>());
    model.kdpp_steps = json.value("kdpp_steps", model.kdpp_steps);
    // A study of the first version goes on with the features it began with.
    model.features = feature_type(json.value("features", "fourier"));
    model.eigenfunctions = eigen_type(json.value("eigenfunctions", "auto"));
    if (const Json& alpha = json.at("alpha"); !alpha.is_null()) model.alpha = alpha.get<double>();
    model.alpha_rule = json.value("alpha_rule", "constant") == std::string("theory") ? AlphaRule::theory : AlphaRule::constant;
    model.rkhs_norm = json.value("rkhs_norm", model.rkhs_norm);
    model.noise_bound = json.value("noise_bound", model.noise_bound);
    model.max_lengthscale = json.at("max_lengthscale");
    model.refit_growth = json.at("refit_growth");
    model.num_starts = json.at("num_starts");
    model.num_candidates = json.at("num_candidates");
    model.exact_until = json.value("exact_until", 0);
    model.max_share = json.value("max_share", 1.0);  // likewise: an older study had no limit
    model.near_share = json.value("near_share", 0.0);
    model.scout_share = json.value("scout_share", 0.0);
    model.max_grid_gib = json.value("max_grid_gib", model.max_grid_gib);
    model.validate();
    return model;
  });
}

std::string pool_model_to_json(const PoolModelOptions& model) {
  Json out{{"kernel", to_string(model.kernel)},
           {"inducing", to_string(model.inducing)},
           {"num_inducing", model.num_inducing},
           {"num_features", model.num_features},
           {"alpha", model.alpha},
           {"subset", model.subset}};
  if (model.floor) out["floor"] = *model.floor;  // older versions had none
  return dump(out);
}

PoolModelOptions pool_model_from_json(std::string_view text) {
  return reading(text, [](const Json& json) {
    PoolModelOptions model;
    model.kernel = pool_kernel_type(json.at("kernel").get<std::string>());
    model.inducing = pool_inducing(json.at("inducing").get<std::string>());
    model.num_inducing = json.at("num_inducing");
    model.num_features = json.at("num_features");
    model.alpha = json.at("alpha");
    model.subset = json.at("subset");
    model.floor.reset();
    if (json.contains("floor")) model.floor = json.at("floor").get<double>();
    model.validate();
    return model;
  });
}

std::string pool_learned_to_json(const PoolLearned& learned) {
  const Vector& scales = learned.lengthscales;
  return dump({{"variance", learned.variance},
               {"noise", learned.noise},
               {"mean", learned.mean},
               {"bias", learned.bias},
               {"power", learned.power},
               {"lengthscales", std::vector<double>(scales.begin(), scales.end())},
               {"features", learned.features},
               {"floor", learned.floor ? Json(*learned.floor) : Json()}});
}

PoolLearned pool_learned_from_json(std::string_view text) {
  return reading(text, [](const Json& json) {
    const auto scales = json.at("lengthscales").get<std::vector<double>>();
    return PoolLearned{.variance = json.at("variance"),
                       .noise = json.at("noise"),
                       .mean = json.at("mean"),
                       .bias = json.at("bias"),
                       .power = json.value("power", 1),  // stores of earlier versions have none
                       .lengthscales = Vector::Map(scales.data(), static_cast<Eigen::Index>(scales.size())),
                       .inducing = {},
                       .features = json.at("features"),
                       .floor = json.contains("floor") && !json.at("floor").is_null()
                                    ? std::optional(json.at("floor").get<double>())
                                    : std::nullopt};
  });
}

namespace {

std::vector<std::vector<double>> rows_of(const Matrix& A) {
  std::vector<std::vector<double>> out;
  for (const auto& row : A.rowwise()) out.emplace_back(row.begin(), row.end());
  return out;
}

Matrix matrix_of(const Json& json) {
  const auto rows = json.get<std::vector<std::vector<double>>>();
  Matrix out(static_cast<Eigen::Index>(rows.size()), rows.empty() ? 0 : static_cast<Eigen::Index>(rows[0].size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].size() != rows[0].size()) throw std::invalid_argument("rows of different lengths");
    out.row(static_cast<Eigen::Index>(i)) = Eigen::RowVectorXd::Map(rows[i].data(), out.cols());
  }
  return out;
}

}  // namespace

std::string learned_to_json(const Learned& learned) {
  const Hyperparameters& hyper = learned.hyper;
  const Vector& scales = hyper.kernel.lengthscales;
  const auto finite = [](double x) { return std::isfinite(x) ? x : 0.0; };
  return dump({{"kernel", to_string(hyper.kernel.type)},
               {"variance", hyper.kernel.variance},
               {"lengthscales", std::vector<double>(scales.begin(), scales.end())},
               {"noise", hyper.noise},
               {"mean", hyper.mean},
               {"num_fitted", learned.num_fitted},
               {"num_inducing", learned.num_inducing},
               {"num_features", learned.num_features},
               {"evaluations", learned.fit.num_evaluations},
               {"initial_bound", finite(learned.fit.initial_bound)},
               {"bound", finite(learned.fit.bound)},
               {"jitter", learned.fit.jitter},
               {"steps", rows_of(learned.fit.curvature.steps)},
               {"changes", rows_of(learned.fit.curvature.changes)},
               {"message", learned.fit.message},
               {"sizes", learned.sizes}});
}

void learned_from_json(std::string_view text, Learned& learned) {
  reading(text, [&](const Json& json) {
    const auto scales = json.at("lengthscales").get<std::vector<double>>();
    Hyperparameters& hyper = learned.hyper;
    hyper.kernel.type = kernel_type(json.at("kernel").get<std::string>());
    hyper.kernel.variance = json.at("variance");
    hyper.kernel.lengthscales = Vector::Map(scales.data(), static_cast<Eigen::Index>(scales.size()));
    hyper.noise = json.at("noise");
    hyper.mean = json.at("mean");
    hyper.kernel.validate();
    learned.num_fitted = json.value("num_fitted", learned.num_observations);  // stores of earlier versions: the same
    learned.num_inducing = json.value("num_inducing", 0);                     // stores of the first version: the option's
    learned.num_features = json.value("num_features", 0);
    learned.fit.num_evaluations = json.value("evaluations", 0);
    learned.fit.initial_bound = json.value("initial_bound", 0.0);
    learned.fit.bound = json.value("bound", 0.0);
    learned.fit.jitter = json.value("jitter", 0.0);
    learned.fit.message = json.value("message", "");
    learned.sizes = json.value("sizes", "");
    if (json.contains("steps")) learned.fit.curvature = {matrix_of(json.at("steps")), matrix_of(json.at("changes"))};
    return 0;
  });
}

}  // namespace salvo
