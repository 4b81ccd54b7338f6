#pragma once
#include <salvo/importance.h>
#include <salvo/study.h>
#include <salvo/study_file.h>

#include <optional>
#include <string>
#include <vector>

namespace salvo::app::plot {

// What the figures show, read from a study once.
struct Data {
  std::string name;
  Space space;
  Direction direction = Direction::maximize;
  std::vector<Trial> done;    // with a value, in the order the outcomes came
  std::vector<double> mean;   // the final model's, at each of them; none without a model
  std::vector<Trial> others;  // without a value: failed, pending, abandoned
  std::int64_t failed = 0;
  std::optional<Recommendation> recommended;
  std::optional<ModelReport> model;
  std::optional<Importance> importance;  // none over a pool
  std::optional<double> optimum;         // of a built-in problem or a pool whose values are known, or as the study file says
  std::optional<StudyFile> file;
  std::vector<double> known;  // all values of such a pool, best first
  Tags tags;                  // that trials carry

  // What a parameter is called in a figure.
  [[nodiscard]] const std::string& label(const Parameter& parameter) const {
    return file ? file->label(parameter.name) : parameter.name;
  }
  [[nodiscard]] bool better(double a, double b) const { return direction == Direction::maximize ? a > b : a < b; }
};

// Without the model: only what was told, at once, where learning one would take minutes. Of the trials those with all `tags`.
[[nodiscard]] Data read_data(Study& study, const std::optional<StudyFile>& file, bool with_model = true,
                             const std::vector<std::string>& tags = {});

// Positions of the parameters that vary, at most `limit`: the most important ones, in their own order.
[[nodiscard]] std::vector<int> shown_parameters(const Data& data, std::size_t limit);
[[nodiscard]] const std::vector<Value>* choices_of(const Domain& domain);  // of a category or an ordinal, else null
// Places along a parameter to draw a line through, or all its levels when they are few and separate.
[[nodiscard]] std::vector<Value> places(const Domain& domain, bool& levels);
[[nodiscard]] double as_number(const Value& value);
// Values below which a share of the sorted values lies.
[[nodiscard]] double quantile(const std::vector<double>& sorted, double share);

}  // namespace salvo::app::plot
