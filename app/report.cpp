#include "report.h"

#include <fmt/core.h>
#include <salvo/problems.h>

#include <algorithm>
#include <cmath>

#include "front_report.h"
#include "json.h"
#include "text.h"
#include "text/numbers.h"
#include "told_values.h"

namespace salvo::app {
namespace {

constexpr int kMaxCell = 32;
constexpr const char* kRawBest = "raw best";

std::string model_cell(const ShownPoint& point) { return point.mean ? with_error(*point.mean, *point.stddev) : "–"; }

bool has_constraints(const Outputs& outputs) {
  return std::any_of(outputs.begin(), outputs.end(),
                     [](const salvo::Output& output) { return std::holds_alternative<Constraint>(output.role); });
}

// What the model thinks of the outputs and what was seen of them, a line each beside its name.
std::vector<std::string> output_labels(const Outputs& outputs) {
  if (!has_names(outputs)) return {"model", "observed"};
  std::vector<std::string> out;
  for (const salvo::Output& output : outputs) {
    const bool bound = std::holds_alternative<Constraint>(output.role);
    const std::string words = in_words(output);
    out.push_back(bound ? fmt::format("{} ({})", output.name, words.substr(0, words.find(", with"))) : output.name);
    out.emplace_back("  observed");
  }
  if (has_constraints(outputs)) out.emplace_back("feasible");
  return out;
}

std::vector<std::string> output_cells(const ShownPoint& point, const Outputs& outputs) {
  if (!has_names(outputs))
    return {model_cell(point), point.trial.value() ? number_beside(*point.trial.value(), point.stddev.value_or(0)) : "–"};
  const auto* values = point.trial.outcome ? std::get_if<Values>(&*point.trial.outcome) : nullptr;
  std::vector<std::string> out;
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    out.push_back(k < point.outputs.size() ? estimate_text(point.outputs[k], outputs[k]) : "–");
    const double seen = values ? values->outputs.at(k) : std::nan("");
    out.push_back(value_text(seen, outputs[k]));
  }
  if (has_constraints(outputs))
    out.push_back(point.outputs.empty() ? "–"
                                        : fmt::format("{:.0f}%{}", 100 * point.feasible, point.allowed ? "" : ", too little"));
  return out;
}

// Candidates have ids and nothing else: a row each.
std::string candidates_table(const std::vector<ShownPoint>& points, const Outputs& outputs) {
  std::vector<std::vector<std::string>> rows = {{"", "trial"}};
  for (const std::string& label : output_labels(outputs)) rows[0].push_back(label.substr(label.find_first_not_of(' ')));
  rows[0].emplace_back("candidate");
  for (const ShownPoint& point : points) {
    std::vector<std::string>& row = rows.emplace_back(std::vector<std::string>{point.title, count(point.trial.id)});
    for (std::string& cell : output_cells(point, outputs)) row.push_back(std::move(cell));
    row.push_back(one_line(to_string(point.trial.params.at(0))));
  }
  return columns(rows);
}

}  // namespace

std::string value_text(const Value& value) {
  const auto* real = std::get_if<double>(&value);
  constexpr int kDigits = 6;
  if (!real || num_digits(to_string(value)) <= kDigits) return to_string(value);
  const std::string size = number(std::abs(*real), kDigits);
  return *real < 0 ? "-" + size : size;
}

std::string points_table(const std::vector<ShownPoint>& points, const StudyOptions& options,
                         const std::optional<StudyFile>& file) {
  const Space& space = options.space();
  if (options.pool()) return candidates_table(points, options.outputs);
  std::vector<std::vector<std::string>> columns(1);
  columns[0] = {"", "trial"};
  for (std::string& label : output_labels(options.outputs)) columns[0].push_back(std::move(label));
  for (const Parameter& parameter : space.parameters())
    columns[0].push_back(shorten(file ? file->label(parameter.name) : parameter.name, kMaxCell));
  for (const ShownPoint& point : points) {
    columns.push_back({point.title, count(point.trial.id)});
    for (std::string& cell : output_cells(point, options.outputs)) columns.back().push_back(std::move(cell));
    for (const Value& value : point.trial.params) columns.back().push_back(shorten(value_text(value), kMaxCell));
  }
  std::string text;
  for (std::size_t row = 0; row < columns[0].size(); ++row) {
    std::string line = "  ";
    for (const auto& column : columns) {
      int widest = 0;
      for (const std::string& cell : column) widest = std::max(widest, width(cell));
      line += pad(column[row], widest + 3);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string coordinate_label(const std::optional<StudyFile>& file, const std::string& coordinate) {
  if (!file) return coordinate;
  const std::size_t end = std::min(coordinate.find('='), coordinate.size());
  return file->label(coordinate.substr(0, end)) + coordinate.substr(end);
}

std::string point_json(const ShownPoint& point, const StudyOptions& options) {
  JsonObject out;
  out.add("trial", point.trial.id).raw("params", json_params(point.trial.params, options.space()));
  if (!has_names(options.outputs))
    return out.add("value", point.trial.value()).add("mean", point.mean).add("stddev", point.stddev).text();
  const auto* values = point.trial.outcome ? std::get_if<Values>(&*point.trial.outcome) : nullptr;
  JsonObject outputs;
  for (std::size_t k = 0; k < options.outputs.size(); ++k) {
    const bool known = k < point.outputs.size() && is_known(point.outputs[k]);
    outputs.raw(options.outputs[k].name, JsonObject()
                                             .add("value", values ? values->outputs.at(k) : std::nan(""))  // null
                                             .add("mean", known ? point.outputs[k].mean : std::nan(""))
                                             .add("stddev", known ? point.outputs[k].stddev : std::nan(""))
                                             .text());
  }
  out.raw("outputs", outputs.text());
  if (point.outputs.empty() || !has_constraints(options.outputs)) return out.text();
  return out.add("feasible", point.feasible).add("allowed", point.allowed).text();
}

std::vector<ShownPoint> best_points(Study& study) {
  const std::optional<Recommendation> recommended = study.recommend();
  const std::optional<Trial> raw = study.observed_best();
  if (!recommended) return {};
  const ShownPoint first = shown_point("recommended", *recommended);
  if (!raw) return {first};
  ShownPoint second = first;  // the recommendation has a finer model of its neighbourhood: one trial, one prediction
  second.title = kRawBest;
  second.trial = *raw;
  if (raw->id == first.trial.id) return {first, second};
  const Outputs& outputs = study.options().outputs;
  second.outputs = study.predict_outputs(std::vector<Params>{raw->params})[0];
  second.mean = second.outputs[0].mean;
  second.stddev = second.outputs[0].stddev;
  second.feasible = probability_feasible(second.outputs, outputs);
  second.allowed = allowed(second.outputs, outputs);
  return {first, second};
}

std::vector<ShownPoint> raw_best(Study& study) {
  const std::optional<Trial> raw = study.observed_best();
  if (!raw) return {};
  return {{kRawBest, *raw, std::nullopt, std::nullopt}};
}

const ShownPoint* recommended_among(const std::vector<ShownPoint>& points) {
  return !points.empty() && points.front().mean ? &points.front() : nullptr;
}

const ShownPoint* raw_among(const std::vector<ShownPoint>& points) {
  return !points.empty() && points.back().title == kRawBest ? &points.back() : nullptr;
}

std::string point_json(const ShownPoint* point, const StudyOptions& options) {
  return point ? point_json(*point, options) : "null";
}

std::optional<Regret> regret_at(const ObjectiveOptions& objective, const Params& point) {
  if (objective.builtin.empty()) return std::nullopt;
  const Problem known = problem(objective.builtin);
  const std::vector<double> values = known.values(point);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (const auto* constraint = std::get_if<Constraint>(&known.outputs[i].role); constraint && !constraint->holds(values[i]))
      return std::nullopt;  // a better value than the optimum would be no merit
  if (std::isnan(known.optimum)) return std::nullopt;
  return Regret{values.front() - known.optimum, known.optimum};
}

}  // namespace salvo::app
