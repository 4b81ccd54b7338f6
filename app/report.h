#pragma once
#include <salvo/run.h>
#include <salvo/study.h>
#include <salvo/study_file.h>

#include <optional>
#include <string>
#include <vector>

namespace salvo::app {

// A point as it is shown: what was observed there and what the model thinks of it.
struct ShownPoint {
  std::string title;  // "recommended"
  Trial trial;
  std::optional<double> mean, stddev;
  std::vector<Estimate> outputs{};  // of every output; empty: there is no model
  double feasible = 1;              // the probability that every constraint holds there
  bool allowed = true;              // each with the probability it asks for
};

// With a plain minus sign, because people copy parameters into their programs.
[[nodiscard]] std::string value_text(const Value& value);
// Points side by side, a line per parameter, and per output where these have names of their own.
[[nodiscard]] std::string points_table(const std::vector<ShownPoint>& points, const StudyOptions& options,
                                       const std::optional<StudyFile>& file);
// Of a coordinate of the model's, "x1" or "catalyst=Pd", under the parameter's label.
[[nodiscard]] std::string coordinate_label(const std::optional<StudyFile>& file, const std::string& coordinate);
[[nodiscard]] std::string point_json(const ShownPoint& point, const StudyOptions& options);

// The recommendation and the raw best, with the model's word on both; empty before the first value. There is no raw best while
// no trial keeps to the constraints, and with several objectives.
[[nodiscard]] std::vector<ShownPoint> best_points(Study& study);
// The raw best alone, where learning a model would take minutes that nobody has asked for.
[[nodiscard]] std::vector<ShownPoint> raw_best(Study& study);
// Of what these two gave: null where it is not there.
[[nodiscard]] const ShownPoint* recommended_among(const std::vector<ShownPoint>& points);
[[nodiscard]] const ShownPoint* raw_among(const std::vector<ShownPoint>& points);
[[nodiscard]] std::string point_json(const ShownPoint* point, const StudyOptions& options);  // null for none
inline constexpr const char* kNotLearned =
    "no model has been learned from these values yet, which takes a while; the next ask does it";

// Where the optimum of a built-in problem is known: the true value at `point` minus the optimum (docs/math.md).
struct Regret {
  double regret = 0, optimum = 0;
};
[[nodiscard]] std::optional<Regret> regret_at(const ObjectiveOptions& objective, const Params& point);

// "x1", or "catalyst=Pd" for one coordinate of a category.
// Of the model's length-scales: the same, or the columns of a pool of numbers.

}  // namespace salvo::app
