#include "config/outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "text/text.h"
#include "text/words.h"

namespace salvo {
namespace {

using Kind = Tree::Kind;
constexpr std::size_t kLongestName = 128;
constexpr std::string_view kPassed = "passed";

// Beside those that no parameter may have either: columns and keys of sheets that are none of a trial's own.
constexpr std::array<std::string_view, 8> kColumns = {"sd", "tags", "note", "outside", "measured", "said", "values", "outputs"};

struct Chance {
  [[nodiscard]] static bool allows(double value) { return value > 0 && value < 1; }
  [[nodiscard]] static std::string expected() { return "a number above 0 and below 1"; }
};

bool among(std::span<const std::string_view> names, const std::string& lower) {
  return std::find(names.begin(), names.end(), lower) != names.end();
}

bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-';
}

// "maximize", "minimize" or "passed".
bool read_word(const Tree& node, const std::string& path, Output& out, FileErrors& errors) {
  static constexpr std::array<std::string_view, 3> kWords = {"maximize", "minimize", kPassed};
  const bool known = std::find(kWords.begin(), kWords.end(), node.text) != kWords.end();
  if (!known) {
    const std::string_view near = nearest_word(node.text, kWords);
    errors.add(node.place, path,
               fmt::format("expected {}, or a constraint {{ min = … }} or {{ max = … }}, got \"{}\"{}", listed(kWords),
                           shown(node.text), near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near)));
  } else if (node.text == kPassed) {
    out.role = passes();
  } else {
    out.role = Objective{parse<Direction>(node.text)};
  }
  return known;
}

bool refuse(const Tree& node, const std::string& path, FileErrors& errors) {
  errors.add(node.place, path,
             "expected \"maximize\", \"minimize\", \"passed\", or a table { direction = … }, { min = … } or { max = … }, got " +
                 node.words());
  return false;
}

void read_objective(Section& section, Output& out) {
  Objective objective{Direction::minimize};
  (void)section.choice("direction", objective.direction);
  if (double reference = 0; section.number("reference", reference, Real{})) objective.reference = reference;
  out.role = objective;
  for (const char* key : {"min", "max", "probability", "passed"})
    if (section.anything(key))
      section.wrong(key, "only of a constraint; what has a direction is an objective. An output is one or the other");
}

void read_constraint(Section& section, const Tree& node, const std::string& path, Output& out, FileErrors& errors) {
  Constraint constraint;
  bool passed = false;
  const bool told = section.boolean(kPassed, passed);
  if (told && !passed) section.wrong(kPassed, "expected true, or no such key, got false");
  if (passed) constraint = passes();
  for (const auto& [key, bound] : {std::pair("min", &constraint.min), std::pair("max", &constraint.max)}) {
    if (told && section.anything(key))
      section.wrong(key, "what is told as passed or failed has no bounds");
    else
      (void)section.number(key, *bound, Real{});
  }
  (void)section.number("probability", constraint.probability, Chance{});
  if (section.anything("reference")) section.wrong("reference", "only of an objective, which has a direction");
  if (!told && !section.has("min") && !section.has("max"))
    errors.add(node.place, path, "expected a direction (an objective), or a bound: min, max or both (a constraint), got neither");
  if (!told && section.has("min") && section.has("max") && !(constraint.min < constraint.max))
    section.wrong("min", fmt::format("expected a min below its max, got {} and {}", constraint.min, constraint.max));
  out.role = constraint;
}

void read_table(const Tree& node, const std::string& path, Output& out, FileErrors& errors) {
  Section section(&node, path, errors);
  (void)section.anything("direction");
  if (section.has("direction"))
    read_objective(section, out);
  else
    read_constraint(section, node, path, out, errors);
  section.finish();
}

// "" for a good name. Sheets tell names apart by more than their case.
std::string name_problem(std::string_view name, std::span<const Output> before, std::span<const std::string> parameters) {
  const std::string lower = lower_case(name);
  if (name.empty() || name.size() > kLongestName)
    return fmt::format("expected a name of 1 to {} characters, got {}", kLongestName, name.size());
  if (!std::all_of(name.begin(), name.end(), is_name_char) || (name[0] >= '0' && name[0] <= '9') || name[0] == '.' ||
      name[0] == '-')
    return fmt::format("expected a name of letters, digits, '_', '.' and '-' that begins with a letter or '_', got \"{}\"",
                       shown(name));
  if (among(reserved_names(), lower) || among(kColumns, lower) || lower.starts_with("measured.") || lower.starts_with("said."))
    return "this name is a column of the results; choose another";
  for (const std::string& parameter : parameters)
    if (lower_case(parameter) == lower) return "a parameter has this name; choose another for one of them";
  for (const Output& other : before)
    if (lower_case(other.name) == lower) return fmt::format("expected different names, got \"{}\" as well", other.name);
  return "";
}

bool is_objective(const Output& output) { return std::holds_alternative<Objective>(output.role); }

void check_counts(std::span<const Output> all, const Place& place, FileErrors& errors) {
  const auto num_objectives = std::count_if(all.begin(), all.end(), is_objective);
  const auto wrong = [&](const std::string& problem) { errors.add(place, "outputs", problem); };
  if (all.empty()) wrong("expected at least one output: yield = \"maximize\", got none");
  if (!all.empty() && num_objectives == 0)
    wrong("expected an objective, an output to \"maximize\" or to \"minimize\", got constraints alone");
  if (num_objectives > kMostObjectives)
    wrong(fmt::format("expected at most {} objectives, got {}", kMostObjectives, num_objectives));
  if (all.size() > std::size_t{kMostOutputs}) wrong(fmt::format("expected at most {} outputs, got {}", kMostOutputs, all.size()));
}

}  // namespace

void check_output_names(std::span<const Output> outputs, const Space& space) {
  if (outputs.size() == 1 && outputs[0].name == kOnlyOutput) return;
  std::vector<std::string> parameters;
  for (const Parameter& parameter : space.parameters()) parameters.push_back(parameter.name);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const std::string& name = outputs[i].name;
    const std::string problem = name_problem(name, outputs.first(i), parameters);
    if (!problem.empty()) throw std::invalid_argument(fmt::format("outputs.{}: {}", shown(name), problem));
  }
}

std::vector<Output> read_outputs(const Tree& table, std::span<const std::string> parameters, FileErrors& errors) {
  std::vector<Output> all;
  bool all_read = true;
  for (std::size_t i = 0; i < table.keys.size(); ++i) {
    const std::string& name = table.keys[i];
    const Tree& node = table.items[i];
    const std::string path = "outputs." + shown(name);
    const std::string problem = table.keys.size() == 1 && name == kOnlyOutput ? "" : name_problem(name, all, parameters);
    if (!problem.empty()) errors.add(table.key_places[i], path, problem);
    Output& output = all.emplace_back(Output{name, Constraint{}});
    if (node.kind == Kind::text)
      all_read = read_word(node, path, output, errors) && all_read;
    else if (node.kind == Kind::table)
      read_table(node, path, output, errors);
    else
      all_read = refuse(node, path, errors);
  }
  if (all_read) check_counts(all, table.place, errors);
  std::stable_partition(all.begin(), all.end(), is_objective);
  return all;
}

}  // namespace salvo
