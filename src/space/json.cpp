#include "space/json.h"

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

Scale scale_from(const Json& json) { return parse<Scale>(json.get<std::string>()); }

struct DomainWriter {
  Json operator()(const Float& d) const {
    Json out = {{"type", "float"}, {"low", d.low}, {"high", d.high}, {"scale", to_string(d.scale)}};
    if (d.step != 0) out["step"] = d.step;
    if (d.digits != 0) out["digits"] = d.digits;
    return out;
  }
  Json operator()(const Int& d) const {
    Json out = {{"type", "int"}, {"low", d.low}, {"high", d.high}, {"scale", to_string(d.scale)}};
    if (d.step != 1) out["step"] = d.step;
    return out;
  }
  Json operator()(const Categorical& d) const {
    Json out = {{"type", "categorical"}, {"choices", to_json(d.choices)}};
    if (d.described()) out["numbers"] = d.numbers;
    return out;
  }
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
  if (type == "float")
    return Float{json.at("low"), json.at("high"), scale_from(json.at("scale")), json.value("step", 0.0), json.value("digits", 0)};
  if (type == "int")
    return Int{json.at("low"), json.at("high"), scale_from(json.at("scale")), json.value("step", std::int64_t{1})};
  if (type == "categorical")
    return Categorical{values_from(json.at("choices")), json.value("numbers", std::vector<std::vector<double>>())};
  if (type == "ordinal") return Ordinal{values_from(json.at("choices"))};
  if (type == "candidate") return Candidate{json.at("count")};
  if (type == "fixed") return Fixed{value_from(json.at("value"))};
  throw std::invalid_argument(fmt::format("unknown parameter type \"{}\"", type));
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

std::string named_to_json(const std::map<std::string, Value>& values) { return with_values("{}", values); }

std::map<std::string, Value> named_from_json(std::string_view text) {
  return reading(text, [&](const Json& json) {
    std::map<std::string, Value> out;
    for (const auto& [name, value] : json.get_ref<const Json::object_t&>()) out.emplace(name, value_from(value));
    return out;
  });
}

std::string with_values(std::string_view text, const std::map<std::string, Value>& values) {
  return reading(text, [&](Json json) {
    for (const auto& [name, value] : values) json[name] = to_json(value);
    return dump(json);
  });
}

std::string parameter_to_json(const Parameter& parameter) { return dump(to_json(parameter)); }

std::string space_to_json(const Space& space) {
  Json out = Json::array();
  for (const Parameter& parameter : space.parameters()) out.push_back(to_json(parameter));
  if (!space.where().empty()) out = {{"parameters", std::move(out)}, {"where", space.where()}};
  return dump(out);
}

Space space_from_json(std::string_view text) {
  return reading(text, [](const Json& json) {
    std::vector<Parameter> parameters;
    std::vector<std::string> where;
    if (json.is_object()) where = json.at("where").get<std::vector<std::string>>();
    for (const Json& item : json.is_object() ? json.at("parameters") : json)
      parameters.push_back({item.at("name").get<std::string>(), domain_from(item)});
    return Space(std::move(parameters), std::move(where));
  });
}

}  // namespace salvo
