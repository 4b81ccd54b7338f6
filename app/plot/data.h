#pragma once
#include <salvo/importance.h>
#include <salvo/study.h>
#include <salvo/study_file.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "front_report.h"

namespace salvo::app::plot {

// What the figures show, read from a study once.
struct Data {
  std::string name;
  Space space;
  Direction direction = Direction::maximize;
  Outputs outputs;                        // of the study
  int output = 0;                         // of which the values are: a trial's value() is of this one
  std::optional<ShownFront> front;        // of several objectives
  std::vector<bool> feasible;             // of each of those with a value, whether it is known to keep to the constraints
  std::vector<std::vector<double>> seen;  // of each of those all outputs, in the study's order
  std::map<std::int64_t, std::vector<double>> partly;  // the same of trials whose value was not measured, by number
  std::vector<Trial> done;                             // with a value, in the order the outcomes came
  std::vector<double> mean;                            // the final model's, at each of them; none without a model
  std::vector<Trial> others;                           // without a value: failed, pending, abandoned
  std::int64_t failed = 0;
  std::optional<Recommendation> recommended;
  std::optional<ModelReport> model;
  std::optional<Importance> importance;  // none over a pool
  std::optional<double> optimum;         // of a built-in problem or a pool whose values are known, or as the study file says
  std::optional<StudyFile> file;
  std::vector<double> known;                  // all values of such a pool, best first
  Tags tags;                                  // that trials carry
  std::string note;                           // of the study
  std::map<std::int64_t, std::string> notes;  // of trials, by number

  // What a parameter is called in a figure.
  [[nodiscard]] const std::string& label(const Parameter& parameter) const {
    return file ? file->label(parameter.name) : parameter.name;
  }
  // The values' own name, and what is wanted of them: "value (more is better)", "purity (at least 0.95)".
  [[nodiscard]] const std::string& value_name() const { return outputs.at(static_cast<std::size_t>(output)).name; }
  [[nodiscard]] std::string value_label() const;
  [[nodiscard]] const Constraint* bounds() const {  // of a constraint; null: it is an objective
    return std::get_if<Constraint>(&outputs.at(static_cast<std::size_t>(output)).role);
  }
  [[nodiscard]] bool better(double a, double b) const { return direction == Direction::maximize ? a > b : a < b; }
};

// Without the model: only what was told, at once, where learning one would take minutes. Of the trials those with all `tags`.
[[nodiscard]] Data read_data(Study& study, const std::optional<StudyFile>& file, bool with_model = true,
                             const std::vector<std::string>& tags = {}, int output = 0);

// Positions of the parameters that vary, at most `limit`: the most important ones, in their own order.
[[nodiscard]] std::vector<int> shown_parameters(const Data& data, std::size_t limit);
[[nodiscard]] const std::vector<Value>* choices_of(const Domain& domain);  // of a category or an ordinal, else null
// Places along a parameter to draw a line through, or all its levels when they are few and separate.
[[nodiscard]] std::vector<Value> places(const Domain& domain, bool& levels);
[[nodiscard]] double as_number(const Value& value);
// Values below which a share of the sorted values lies.
[[nodiscard]] double quantile(const std::vector<double>& sorted, double share);

}  // namespace salvo::app::plot
