#include "plot/data.h"

#include <fmt/format.h>
#include <salvo/front.h>
#include <salvo/problems.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "plot/axis.h"
#include "source.h"
#include "tagged.h"

namespace salvo::app::plot {
namespace {

constexpr std::size_t kNumPoints = 61, kMaxLevels = 24;

void read_known(Data& data, const Pool& pool, const std::string& column) {
  const int text = pool.find_text(column);
  for (std::int64_t row = 0; text >= 0 && row < pool.size(); ++row) {
    const std::string_view cell = pool.text(row, text);
    double value = 0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (error == std::errc() && std::isfinite(value)) data.known.push_back(value);
  }
  std::sort(data.known.begin(), data.known.end(), [&](double a, double b) { return data.better(a, b); });
  if (!data.known.empty()) data.optimum = data.known.front();
}

// The trial as if the output were the first.
void bring_forward(Trial& trial, std::size_t output) {
  auto* values = trial.outcome ? std::get_if<Values>(&*trial.outcome) : nullptr;
  if (values) std::swap(values->outputs[0], values->outputs.at(output));
}

// More of what has a lower bound alone, or none above, is better.
Direction direction_of(const salvo::Output& output) {
  if (const auto* objective = std::get_if<Objective>(&output.role)) return objective->direction;
  return std::isfinite(std::get<Constraint>(output.role).min) ? Direction::maximize : Direction::minimize;
}

}  // namespace

std::string Data::value_label() const {
  if (!bounds()) return fmt::format("{} ({} is better)", value_name(), direction == Direction::maximize ? "more" : "less");
  const std::string words = in_words(outputs.at(static_cast<std::size_t>(output)));
  return fmt::format("{} ({})", value_name(), words.substr(0, words.find(", with")));
}

Data read_data(Study& study, const std::optional<StudyFile>& file, bool with_model, const std::vector<std::string>& tags,
               int output) {
  const auto chosen = static_cast<std::size_t>(output);
  Data data;
  const StudyOptions& options = study.options();
  data.name = options.name;
  data.file = file;
  data.space = options.space();
  data.outputs = options.outputs;
  data.output = output;
  data.direction = direction_of(options.outputs.at(chosen));
  const Tagged tagged(study, tags);
  data.tags = tagged.all();
  data.note = study.note(kRemark).value_or("");
  data.notes = study.annotations();
  std::vector<Params> points;
  for (Trial& trial : study.trials()) {
    if (trial.outside || !tagged(trial)) continue;
    data.failed += trial.state() == TrialState::failed;
    if (output != 0) bring_forward(trial, chosen);
    (trial.value() ? data.done : data.others).push_back(std::move(trial));
  }
  std::stable_sort(data.done.begin(), data.done.end(), [](const Trial& a, const Trial& b) { return a.told_at < b.told_at; });
  for (const Trial& trial : data.done) {
    Trial plain = trial;
    bring_forward(plain, chosen);
    const auto& values = std::get<Values>(*plain.outcome);
    data.feasible.push_back(keeps_to_constraints(values, options.outputs));
    data.seen.push_back(values.outputs);
  }
  for (Trial trial : data.others) {
    bring_forward(trial, chosen);
    if (trial.state() == TrialState::done) data.partly[trial.id] = std::get<Values>(*trial.outcome).outputs;
  }
  if (data.done.empty()) return data;
  if (with_model) {
    for (const Trial& trial : data.done) points.push_back(trial.params);
    if (output == 0)
      for (const Estimate& estimate : study.predict(points)) data.mean.push_back(estimate.mean);
    else
      for (const auto& estimates : study.predict_outputs(points)) data.mean.push_back(estimates.at(chosen).mean);
    data.recommended = study.recommend();
    if (data.recommended && !tagged(data.recommended->trial)) data.recommended.reset();
    if (data.recommended && output != 0) {
      const Estimate& there = data.recommended->outputs.at(chosen);
      data.recommended->mean = there.mean;
      data.recommended->stddev = there.stddev;
      bring_forward(data.recommended->trial, chosen);
    }
    const std::vector<ModelReport> models = study.model_reports();
    if (chosen < models.size()) data.model = models[chosen];
    if (!options.pool()) data.importance = importance(study, {.output = output});
    data.front = front_of(study, study.trials());
  }
  if (output != 0 || options.num_objectives() > 1) return data;
  if (file) data.optimum = file->objective.optimum;
  if (file && !file->objective.builtin.empty())
    if (const double known = problem(file->objective.builtin).optimum; !std::isnan(known)) data.optimum = known;
  if (const Pool* pool = options.pool(); pool && file && !file->objective.lookup.empty())
    read_known(data, *pool, file->objective.lookup);
  return data;
}

std::vector<int> shown_parameters(const Data& data, std::size_t limit) {
  std::vector<int> shown;
  if (data.importance) {
    for (const ParameterImportance& each : data.importance->parameters) shown.push_back(data.space.find(each.name));
  } else {
    const auto& parameters = data.space.parameters();
    for (std::size_t i = 0; i < parameters.size(); ++i)
      if (!data.space.may_be_left_out(static_cast<int>(i))) shown.push_back(static_cast<int>(i));
  }
  shown.resize(std::min(limit, shown.size()));
  std::sort(shown.begin(), shown.end());
  return shown;
}

const std::vector<Value>* choices_of(const Domain& domain) {
  if (const auto* category = std::get_if<Categorical>(&domain)) return &category->choices;
  if (const auto* ordinal = std::get_if<Ordinal>(&domain)) return &ordinal->choices;
  return nullptr;
}

std::vector<Value> places(const Domain& domain, bool& levels) {
  std::vector<Value> values;
  if (const std::vector<Value>* choices = choices_of(domain)) {
    levels = true;
    return {choices->begin(), choices->begin() + static_cast<std::ptrdiff_t>(std::min(choices->size(), kMaxLevels))};
  }
  if (const auto* real = std::get_if<Float>(&domain)) {
    const Axis axis(real->low, real->high, real->scale, 0, 1);
    for (std::size_t i = 0; i < kNumPoints; ++i) {
      values.emplace_back(std::clamp(axis.value_at(static_cast<double>(i) / (kNumPoints - 1)), real->low, real->high));
    }
  } else if (const auto* whole = std::get_if<Int>(&domain)) {
    const double low = static_cast<double>(whole->low), high = static_cast<double>(whole->high);
    levels = high - low < static_cast<double>(kMaxLevels);
    if (levels) {
      for (std::int64_t v = whole->low; v <= whole->high; ++v) values.emplace_back(v);
      return values;
    }
    const Axis axis(low, high, whole->scale, 0, 1);
    for (std::size_t i = 0; i < kNumPoints; ++i) {
      const double at = std::clamp(std::round(axis.value_at(static_cast<double>(i) / (kNumPoints - 1))), low, high);
      const auto v = at >= high ? whole->high : static_cast<std::int64_t>(at);
      if (values.empty() || std::get<std::int64_t>(values.back()) < v) values.emplace_back(v);
    }
  }
  return values;
}

double as_number(const Value& value) {
  if (const auto* real = std::get_if<double>(&value)) return *real;
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? 1 : 0;
  return std::numeric_limits<double>::quiet_NaN();
}

double quantile(const std::vector<double>& sorted, double share) {
  return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
}

}  // namespace salvo::app::plot
