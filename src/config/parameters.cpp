#include "config/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "space/grid.h"
#include "space/value.h"
#include "text/text.h"

namespace salvo {
namespace {

using Kind = Tree::Kind;

// Exactly one of the forms: low and high, choices, value, or yes and no, which need neither.
std::string form_of(const Tree& node, const Section& section) {
  const Tree* type = node.find("type");
  if (type && type->kind == Kind::text && type->text == "bool") return "bool";
  if (section.has("value")) return "value";
  if (section.has("choices")) return "choices";
  return section.has("low") || section.has("high") ? "range" : "";
}

std::optional<Domain> read_range(Section& section, const std::string& type) {
  Scale scale = Scale::linear;
  bool right = section.choice("scale", scale) || !section.has("scale");
  for (const char* key : {"low", "high"})
    if (!section.has(key)) section.wrong(key, "expected a number, it is not there");
  if (type == "int") {
    const Whole any{std::numeric_limits<std::int64_t>::min()};
    Int domain{.low = 0, .high = 0, .scale = scale};
    right = section.integer("low", domain.low, any) && right;
    right = section.integer("high", domain.high, any) && right;
    right = (section.integer("step", domain.step, Whole{1}) || !section.has("step")) && right;
    if (section.anything("digits")) section.wrong("digits", "only for floats; whole numbers have none behind the point");
    return right && !section.has("digits") ? std::optional<Domain>(domain) : std::nullopt;
  }
  Float domain{.low = 0, .high = 0, .scale = scale};
  std::int64_t digits = 0;
  right = section.number("low", domain.low, Real{}) && right;
  right = section.number("high", domain.high, Real{}) && right;
  right = (section.number("step", domain.step, Real{0, true}) || !section.has("step")) && right;
  right = (section.integer("digits", digits, Whole{1, kMostDigits}) || !section.has("digits")) && right;
  domain.digits = static_cast<int>(digits);
  return right ? std::optional<Domain>(domain) : std::nullopt;
}

// choices = { Pd = [0.12, 46], Pt = [0.05, 78] }; a single number needs no list.
std::optional<Domain> read_described(const Tree& table, Section& section) {
  Categorical out;
  bool right = true;
  for (std::size_t i = 0; i < table.keys.size(); ++i) {
    const Tree& node = table.items[i];
    std::vector<double> row;
    for (const Tree& item : node.kind == Kind::array ? node.items : std::vector{node}) {
      const auto value = value_of(item);
      const auto x = value ? number(*value) : std::nullopt;
      if (x) row.push_back(*x);
      if (!x && right) section.wrong("choices", fmt::format("{}: expected numbers, got {}", shown(table.keys[i]), item.words()));
      right = right && x;
    }
    out.choices.emplace_back(table.keys[i]);
    out.numbers.push_back(std::move(row));
  }
  return right ? std::optional<Domain>(out) : std::nullopt;
}

std::optional<Domain> read_choices(Section& section, const std::string& type) {
  std::vector<Tree> items;
  bool ordered = type == "ordinal";
  const bool has_ordered = section.boolean("ordered", ordered);
  if (has_ordered && !type.empty() && ordered != (type == "ordinal"))
    section.wrong("ordered", fmt::format("says the opposite of type = \"{}\"; keep one", type));
  if (const Tree* node = section.anything("choices"); node && node->kind == Kind::table) {
    if (ordered) section.wrong("ordered", "choices with numbers are near to each other by those, and have no order");
    return read_described(*node, section);
  }
  if (!section.list("choices", items)) return std::nullopt;
  std::vector<Value> choices;
  for (const Tree& item : items) {
    const auto value = value_of(item);
    if (!value) {
      section.wrong("choices", "expected texts, numbers, true or false, got " + item.words());
      return std::nullopt;
    }
    choices.push_back(*value);
  }
  return ordered ? Domain(Ordinal{std::move(choices)}) : Domain(Categorical{std::move(choices)});
}

std::optional<Domain> read_fixed(Section& section) {
  const Tree* node = section.anything("value");
  const auto value = value_of(*node);
  if (value) return Fixed{*value};
  section.wrong("value", "expected a text, a number, true or false, got " + node->words());
  return std::nullopt;
}

std::optional<Domain> read_domain(const Tree& node, Section& section) {
  static constexpr std::array<std::string_view, 2> kRangeTypes = {"float", "int"};
  static constexpr std::array<std::string_view, 2> kChoiceTypes = {"categorical", "ordinal"};
  static constexpr std::array<std::string_view, 1> kFixedTypes = {"fixed"};
  static constexpr std::array<std::string_view, 5> kRangeKeys = {"low", "high", "scale", "step", "digits"};
  static constexpr std::array<std::string_view, 9> kAllKeys = {"low",  "high",    "scale",   "step", "digits",
                                                               "type", "choices", "ordered", "value"};
  const std::string form = form_of(node, section);
  std::string type;
  std::optional<Domain> domain;
  if (form == "range") {
    if (section.word("type", type, kRangeTypes) || !section.has("type")) domain = read_range(section, type);
  } else if (form == "choices") {
    if (section.word("type", type, kChoiceTypes) || !section.has("type")) domain = read_choices(section, type);
  } else if (form == "value") {
    if (section.word("type", type, kFixedTypes) || !section.has("type")) domain = read_fixed(section);
  } else if (form == "bool") {
    domain = Categorical{{false, true}};
  }
  for (const std::string_view key : kAllKeys) {
    const bool of_range = std::find(kRangeKeys.begin(), kRangeKeys.end(), key) != kRangeKeys.end();
    const bool asked = key == "type" || (form == "range" && of_range) ||
                       (form == "choices" && (key == "choices" || key == "ordered")) || (form == "value" && key == "value");
    if (!section.anything(key) || asked || form.empty()) continue;
    section.wrong(key, form == "value"     ? "a fixed parameter has a value and nothing else"
                       : form == "bool"    ? "true or false has a type and nothing else"
                       : form == "choices" ? "a parameter has choices, or low and high; not both"
                                           : "only for a parameter with choices");
    domain.reset();
  }
  return domain;
}

void read_label(Section& section, const std::string& name, Labels& labels) {
  std::string label;
  if (!section.text("label", label)) return;
  const bool control =
      std::any_of(label.begin(), label.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
  if (label.empty() || label.size() > 200 || control)
    section.wrong("label", fmt::format("expected 1 to 200 bytes of text without line breaks, got \"{}\"", shown(label)));
  labels[name] = label;
}

// Whether a parameter can ever have had the value: it need not lie within today's bounds.
bool could_be(const Domain& domain, const Value& value) {
  if (std::holds_alternative<Float>(domain))
    return std::holds_alternative<double>(value) || std::holds_alternative<std::int64_t>(value);
  if (std::holds_alternative<Int>(domain)) return std::holds_alternative<std::int64_t>(value);
  const auto among = [&](const std::vector<Value>& all) { return std::find(all.begin(), all.end(), value) != all.end(); };
  if (const auto* d = std::get_if<Ordinal>(&domain)) return among(d->choices);
  if (const auto* d = std::get_if<Categorical>(&domain)) return among(d->choices);
  return true;
}

void read_before(Section& section, const std::string& name, const std::optional<Domain>& domain,
                 std::map<std::string, Value>& before) {
  const Tree* node = section.anything("before");
  if (!node) return;
  const auto value = value_of(*node);
  const auto* number = value ? std::get_if<double>(&*value) : nullptr;
  if (value && (!domain || could_be(*domain, *value)) && (!number || std::isfinite(*number)))
    before[name] = *value;
  else
    section.wrong("before", "expected the value that earlier trials had, one that the parameter can have, got " + node->words());
}

}  // namespace

std::optional<Value> value_of(const Tree& node) {
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

std::vector<Parameter> read_parameters(const Tree& table, FileErrors& errors, Labels& labels,
                                       std::map<std::string, Value>& before) {
  std::vector<Parameter> parameters;
  for (std::size_t i = 0; i < table.keys.size(); ++i) {
    const std::string& name = table.keys[i];
    const Tree& node = table.items[i];
    const std::string path = "parameters." + shown(name);
    if (node.kind != Kind::table) {
      errors.add(node.place, path, "expected { low = …, high = … }, { choices = […] } or { value = … }, got " + node.words());
      continue;
    }
    Section section(&node, path, errors);
    const auto domain = read_domain(node, section);
    read_label(section, name, labels);
    read_before(section, name, domain, before);
    if (form_of(node, section).empty()) errors.add(node.place, path, "expected low and high, choices, or value");
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
