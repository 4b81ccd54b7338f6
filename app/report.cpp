#include "report.h"

#include <fmt/core.h>
#include <salvo/problems.h>

#include <algorithm>
#include <cmath>

#include "json.h"
#include "text.h"

namespace salvo::app {
namespace {

constexpr int kMaxCell = 32;

std::string model_cell(const ShownPoint& point) { return point.mean ? with_error(*point.mean, *point.stddev) : "–"; }

// Candidates have ids and nothing else: a row each.
std::string candidates_table(const std::vector<ShownPoint>& points) {
  std::vector<std::vector<std::string>> rows = {{"", "trial", "model", "observed", "candidate"}};
  for (const ShownPoint& point : points) {
    rows.push_back({point.title, count(point.trial.id), model_cell(point),
                    point.trial.value() ? number(*point.trial.value()) : "–", one_line(to_string(point.trial.params.at(0)))});
  }
  return columns(rows);
}

}  // namespace

std::string value_text(const Value& value) {
  const auto* real = std::get_if<double>(&value);
  if (!real) return to_string(value);
  const std::string size = number(std::abs(*real), 6);
  return *real < 0 ? "-" + size : size;
}

std::string points_table(const std::vector<ShownPoint>& points, const Space& space, const std::optional<StudyFile>& file) {
  if (std::holds_alternative<Candidate>(space.parameters()[0].domain)) return candidates_table(points);
  std::vector<std::vector<std::string>> columns(1);
  columns[0] = {"", "trial", "model", "observed"};
  for (const Parameter& parameter : space.parameters())
    columns[0].push_back(shorten(file ? file->label(parameter.name) : parameter.name, kMaxCell));
  for (const ShownPoint& point : points) {
    columns.push_back(
        {point.title, count(point.trial.id), model_cell(point), point.trial.value() ? number(*point.trial.value()) : "–"});
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

std::string point_json(const ShownPoint& point, const Space& space) {
  return JsonObject()
      .add("trial", point.trial.id)
      .raw("params", json_params(point.trial.params, space))
      .add("value", point.trial.value())
      .add("mean", point.mean)
      .add("stddev", point.stddev)
      .text();
}

std::vector<ShownPoint> best_points(Study& study) {
  const std::optional<Recommendation> recommended = study.recommend();
  const std::optional<Trial> raw = study.observed_best();
  if (!recommended || !raw) return {};
  const ShownPoint first{"recommended", recommended->trial, recommended->mean, recommended->stddev};
  // The recommendation has a finer model of its neighbourhood: one trial, one prediction.
  if (raw->id == first.trial.id) return {first, {"raw best", *raw, first.mean, first.stddev}};
  const Estimate at_raw = study.predict(std::vector<Params>{raw->params})[0];
  return {first, {"raw best", *raw, at_raw.mean, at_raw.stddev}};
}

std::vector<ShownPoint> raw_best(Study& study) {
  const std::optional<Trial> raw = study.observed_best();
  if (!raw) return {};
  return {{"raw best", *raw, std::nullopt, std::nullopt}};
}

std::optional<Regret> regret_at(const ObjectiveOptions& objective, const Params& point) {
  if (objective.builtin.empty()) return std::nullopt;
  const Problem known = problem(objective.builtin);
  return Regret{known.value(point) - known.optimum, known.optimum};
}

}  // namespace salvo::app
