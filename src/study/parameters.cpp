#include "study/parameters.h"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <optional>

#include "space/text.h"

namespace salvo {
namespace {

using Kind = TomlNode::Kind;
constexpr double no_bound = -std::numeric_limits<double>::infinity();

std::optional<Value> value_of(const TomlNode& node) {
  switch (node.kind) {
    case Kind::boolean:
      return node.boolean;
    case Kind::integer:
      return node.integer;
    case Kind::real:
      return node.real;
    case Kind::text:
      return node.text;
    default:
      return std::nullopt;
  }
}

// Exactly one of the forms: low and high, choices, value.
std::string form_of(const Section& section) {
  if (section.has("value")) return "value";
  if (section.has("choices")) return "choices";
  return section.has("low") || section.has("high") ? "range" : "";
}

std::optional<Domain> read_range(Section& section, const std::string& type) {
  static constexpr std::array<std::string_view, 2> scales = {"linear", "log"};
  std::string scale_name = "linear";
  const bool scale_ok = section.word("scale", scale_name, scales) || !section.has("scale");
  const Scale scale = scale_name == "log" ? Scale::log : Scale::linear;
  for (const char* key : {"low", "high"})
    if (!section.has(key)) section.wrong(key, "expected a number, it is not there");
  if (type == "int") {
    constexpr auto least = std::numeric_limits<std::int64_t>::min(), most = std::numeric_limits<std::int64_t>::max();
    Int domain{.low = 0, .high = 0, .scale = scale};
    const bool low = section.integer("low", domain.low, least, most), high = section.integer("high", domain.high, least, most);
    return low && high && scale_ok ? std::optional<Domain>(domain) : std::nullopt;
  }
  Float domain{.low = 0, .high = 0, .scale = scale};
  const bool low = section.real("low", domain.low, no_bound), high = section.real("high", domain.high, no_bound);
  return low && high && scale_ok ? std::optional<Domain>(domain) : std::nullopt;
}

std::optional<Domain> read_choices(Section& section, const std::string& type) {
  std::vector<TomlNode> items;
  bool ordered = type == "ordinal";
  const bool has_ordered = section.boolean("ordered", ordered);
  if (has_ordered && !type.empty() && ordered != (type == "ordinal"))
    section.wrong("ordered", fmt::format("says the opposite of type = \"{}\"; keep one", type));
  if (!section.list("choices", items)) return std::nullopt;
  std::vector<Value> choices;
  for (const TomlNode& item : items) {
    const auto value = value_of(item);
    if (!value) return section.wrong("choices", "expected texts, numbers, true or false, got " + item.words()), std::nullopt;
    choices.push_back(*value);
  }
  return ordered ? Domain(Ordinal{std::move(choices)}) : Domain(Categorical{std::move(choices)});
}

std::optional<Domain> read_fixed(Section& section) {
  const TomlNode* node = section.anything("value");
  const auto value = value_of(*node);
  if (!value) return section.wrong("value", "expected a text, a number, true or false, got " + node->words()), std::nullopt;
  return Fixed{*value};
}

std::optional<Domain> read_domain(Section& section) {
  static constexpr std::array<std::string_view, 2> range_types = {"float", "int"};
  static constexpr std::array<std::string_view, 2> choice_types = {"categorical", "ordinal"};
  static constexpr std::array<std::string_view, 1> fixed_types = {"fixed"};
  static constexpr std::array<std::string_view, 7> all_keys = {"low", "high", "scale", "type", "choices", "ordered", "value"};
  const std::string form = form_of(section);
  std::string type;
  std::optional<Domain> domain;
  if (form == "range") {
    if (section.word("type", type, range_types) || !section.has("type")) domain = read_range(section, type);
  } else if (form == "choices") {
    if (section.word("type", type, choice_types) || !section.has("type")) domain = read_choices(section, type);
  } else if (form == "value") {
    if (section.word("type", type, fixed_types) || !section.has("type")) domain = read_fixed(section);
  }
  for (const std::string_view key : all_keys) {
    const bool asked = key == "type" || (form == "range" && (key == "low" || key == "high" || key == "scale")) ||
                       (form == "choices" && (key == "choices" || key == "ordered")) || (form == "value" && key == "value");
    if (!section.anything(key) || asked || form.empty()) continue;
    section.wrong(key, form == "value"     ? "a fixed parameter has a value and nothing else"
                       : form == "choices" ? "a parameter has choices, or low and high; not both"
                                           : "only for a parameter with choices");
    domain.reset();
  }
  return domain;
}

}  // namespace

std::vector<Parameter> read_parameters(const TomlNode& table, FileErrors& errors) {
  std::vector<Parameter> parameters;
  for (std::size_t i = 0; i < table.keys.size(); ++i) {
    const std::string& name = table.keys[i];
    const TomlNode& node = table.items[i];
    const std::string path = "parameters." + shown(name);
    if (node.kind != Kind::table) {
      errors.add(node.place, path, "expected { low = …, high = … }, { choices = […] } or { value = … }, got " + node.words());
      continue;
    }
    Section section(&node, path, errors);
    const auto domain = read_domain(section);
    if (form_of(section).empty()) errors.add(node.place, path, "expected low and high, choices, or value");
    section.finish();
    const Parameter parameter{name, domain.value_or(Float{})};
    try {
      parameter.validate();
      if (domain) parameters.push_back(parameter);
    } catch (const std::invalid_argument& error) {
      const std::string_view what = error.what();
      const std::string prefix = "parameter \"" + name + "\": ";
      errors.add(table.key_places[i], path, std::string(what.starts_with(prefix) ? what.substr(prefix.size()) : what));
    }
  }
  return parameters;
}

}  // namespace salvo
