#include "front_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "json.h"
#include "text.h"
#include "told_values.h"

namespace salvo::app {
namespace {

constexpr std::size_t kMostParameters = 8;  // beside the outputs in one row
constexpr int kWidestCell = 24;

bool is_constraint(const salvo::Output& output) { return std::holds_alternative<Constraint>(output.role); }

// How many values of an output were told, and how many of them hold.
struct Kept {
  std::int64_t told = 0, held = 0;
};
Kept kept(const Outputs& outputs, std::size_t k, const std::vector<Trial>& trials) {
  Kept out;
  const auto* constraint = std::get_if<Constraint>(&outputs[k].role);
  for (const Trial& trial : trials) {
    const auto* values = trial.outcome ? std::get_if<Values>(&*trial.outcome) : nullptr;
    if (!values || trial.outside || std::isnan(values->outputs.at(k))) continue;
    ++out.told;
    if (constraint && constraint->holds(values->outputs[k])) ++out.held;
  }
  return out;
}

std::string output_json(const salvo::Output& output) {
  JsonObject out;
  if (const auto* objective = std::get_if<Objective>(&output.role)) {
    out.add("direction", to_string(objective->direction)).add("reference", objective->reference);
  } else {
    const auto& constraint = std::get<Constraint>(output.role);
    out.add("min", constraint.passed ? std::nan("") : constraint.min).add("max", constraint.max);  // null: there is none
    out.add("probability", constraint.probability).add("passed", constraint.passed);
  }
  return out.text();
}

}  // namespace

std::optional<ShownFront> front_of(Study& study, const std::vector<Trial>& trials) {
  if (study.options().num_objectives() < 2) return std::nullopt;
  Front front = study.front();
  if (front.points.empty()) return std::nullopt;
  std::vector<HypervolumeStep> growth;
  if (std::ssize(front.reference) == study.options().num_objectives())
    growth = observed_hypervolumes(trials, study.options().outputs, front.reference);
  return ShownFront{std::move(front), std::move(growth)};
}

std::string front_table(const Front& front, const StudyOptions& options, const std::optional<StudyFile>& file, std::size_t most) {
  const Outputs& outputs = options.outputs;
  const auto& parameters = options.space().parameters();
  const bool constrained = std::any_of(outputs.begin(), outputs.end(), is_constraint);
  const std::size_t num_parameters = std::min(kMostParameters, parameters.size());
  std::vector<std::vector<std::string>> rows(1);
  rows[0] = {"trial"};
  for (const salvo::Output& output : outputs) rows[0].push_back(shorten(output.name, kWidestCell));
  if (constrained) rows[0].emplace_back("feasible");
  for (std::size_t i = 0; i < num_parameters; ++i)
    rows[0].push_back(shorten(file ? file->label(parameters[i].name) : parameters[i].name, kWidestCell));
  const std::size_t shown = most == 0 ? front.points.size() : std::min(most, front.points.size());
  for (std::size_t p = 0; p < shown; ++p) {
    const Recommendation& point = front.points[p];
    std::vector<std::string>& row = rows.emplace_back();
    row.push_back(count(point.trial.id));
    for (std::size_t k = 0; k < point.outputs.size(); ++k) row.push_back(estimate_text(point.outputs[k], outputs[k]));
    if (constrained) row.push_back(fmt::format("{:.0f}%", 100 * point.feasible));
    for (std::size_t i = 0; i < num_parameters; ++i) row.push_back(shorten(value_text(point.trial.params.at(i)), kWidestCell));
  }
  std::string text = columns(rows);
  if (shown < front.points.size()) text += fmt::format("  and {} more\n", front.points.size() - shown);
  if (num_parameters < parameters.size())
    text += fmt::format("  and {} more of each (--format csv has all)\n",
                        plural(static_cast<std::int64_t>(parameters.size() - num_parameters), "parameter"));
  return text;
}

const char* nothing_allowed(const Outputs& outputs) {
  return std::any_of(outputs.begin(), outputs.end(), is_constraint)
             ? "no trial is known to keep to all constraints yet: this is the one that comes nearest"
             : "no trial has a value of every objective yet";
}

std::string front_words(const Front& front, const Outputs& outputs) {
  const auto allowed = [](const Recommendation& point) { return point.allowed; };
  if (std::none_of(front.points.begin(), front.points.end(), allowed)) return "no point yet";
  std::string reference;
  for (std::size_t k = 0; k < front.reference.size(); ++k)
    reference += fmt::format("{}{} {}", k == 0 ? "" : ", ", outputs[k].name, number(front.reference[k]));
  const bool none = !front.reference.empty() && !(front.hypervolume > 0);
  return fmt::format("{}, hypervolume {} down to the reference {}{}", plural(std::ssize(front.points), "point"),
                     number(front.hypervolume), reference, none ? "; none is better than it in every objective yet" : "");
}

std::string front_json(const Front& front, const Outputs& outputs) {
  JsonObject reference;
  for (std::size_t k = 0; k < front.reference.size(); ++k) reference.add(outputs[k].name, front.reference[k]);
  return JsonObject()
      .add("points", std::ssize(front.points))
      .add("hypervolume", front.hypervolume)
      .raw("reference", reference.text())
      .text();
}

std::string growth_words(const std::vector<HypervolumeStep>& growth) {
  static constexpr const char* kLevels[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  double most = 0;
  for (const HypervolumeStep& step : growth) most = std::max(most, step.hypervolume);
  std::string text;
  for (const HypervolumeStep& step : growth)
    text += kLevels[most > 0 ? static_cast<std::size_t>(std::lround(7 * step.hypervolume / most)) : 0];
  return text;
}

std::string front_lines(const ShownFront& shown, const Outputs& outputs) {
  std::string text = fmt::format("  front    {}\n", front_words(shown.front, outputs));
  if (!shown.growth.empty()) text += fmt::format("           {} hypervolume over the evaluations\n", growth_words(shown.growth));
  return text;
}

std::string growth_json(const std::vector<HypervolumeStep>& growth) {
  std::vector<std::string> steps;
  for (const HypervolumeStep& step : growth)
    steps.push_back(JsonObject().add("evaluations", step.evaluations).add("hypervolume", step.hypervolume).text());
  return fmt::format("[{}]", fmt::join(steps, ","));
}

std::string value_text(double seen, const salvo::Output& output) {
  return std::isnan(seen) ? "–" : is_passed(output) ? passed_word(seen) : number(seen);
}

bool is_known(const Estimate& estimate) { return estimate.mean != 0 || !std::isinf(estimate.stddev); }

std::string estimate_text(const Estimate& estimate, const salvo::Output& output) {
  if (!is_known(estimate)) return "–";
  if (estimate.stddev > 0) return with_error(estimate.mean, estimate.stddev);
  const bool word = is_passed(output) && (estimate.mean == 0 || estimate.mean == 1);
  return word ? passed_word(estimate.mean) : number(estimate.mean);
}

ShownPoint shown_point(const std::string& title, const Recommendation& found) {
  return {title, found.trial, found.mean, found.stddev, found.outputs, found.feasible, found.allowed};
}

std::string outputs_text(const Outputs& outputs, const std::vector<Trial>& trials) {
  std::vector<std::vector<std::string>> rows;
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    const Kept values = kept(outputs, k, trials);
    const std::string held = is_constraint(outputs[k]) ? fmt::format(", {} of them hold", count(values.held)) : std::string();
    rows.push_back({k == 0 ? "outputs" : "", shorten(outputs[k].name, kWidestCell), in_words(outputs[k]),
                    plural(values.told, "value") + held});
  }
  std::string text = columns(rows);
  if (const auto share = feasible_share(outputs, trials))
    text += fmt::format("  feasible {:.0f}% of the trials with a value keep to all constraints, as told\n", 100 * *share);
  return text;
}

std::string outputs_json(const Outputs& outputs, const std::vector<Trial>& trials) {
  JsonObject out;
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    const Kept values = kept(outputs, k, trials);
    std::string each = output_json(outputs[k]);
    each.insert(each.size() - 1, fmt::format(",\"values\":{}", values.told));
    if (is_constraint(outputs[k])) each.insert(each.size() - 1, fmt::format(",\"hold\":{}", values.held));
    out.raw(outputs[k].name, each);
  }
  return out.text();
}

std::string aims(const Outputs& outputs) {
  if (!has_names(outputs)) return std::string(to_string(std::get<Objective>(outputs[0].role).direction));
  std::string text;
  std::int64_t constraints = 0;
  for (const salvo::Output& output : outputs) {
    if (is_constraint(output))
      ++constraints;
    else
      text +=
          fmt::format("{}{} {}", text.empty() ? "" : ", ", to_string(std::get<Objective>(output.role).direction), output.name);
  }
  return text + (constraints > 0 ? fmt::format(", {}", plural(constraints, "constraint")) : "");
}

std::optional<double> feasible_share(const Outputs& outputs, const std::vector<Trial>& trials) {
  if (std::none_of(outputs.begin(), outputs.end(), is_constraint)) return std::nullopt;
  std::int64_t told = 0, feasible = 0;
  for (const Trial& trial : trials) {
    const auto* values = trial.outcome ? std::get_if<Values>(&*trial.outcome) : nullptr;
    if (!values || trial.outside) continue;
    ++told;
    feasible += keeps_to_constraints(*values, outputs) ? 1 : 0;
  }
  return told > 0 ? std::optional(static_cast<double>(feasible) / static_cast<double>(told)) : std::nullopt;
}

}  // namespace salvo::app
