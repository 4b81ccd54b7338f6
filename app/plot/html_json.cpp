#include <fmt/format.h>
#include <salvo/front.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <map>

#include "json.h"
#include "plot/html_report.h"
#include "text/text.h"

namespace salvo::app::plot {
namespace {

// As many digits as a picture, and a table that is read by people, can use.
std::string rounded(double value) { return std::isfinite(value) ? fmt::format("{:.9g}", value) : "null"; }

std::string list_of(std::size_t size, const std::function<std::string(std::size_t)>& item) {
  std::string out = "[";
  for (std::size_t i = 0; i < size; ++i) {
    if (i > 0) out += ',';
    out += item(i);
  }
  return out + "]";
}

std::string numbers(const std::vector<double>& values) {
  return list_of(values.size(), [&](std::size_t i) { return rounded(values[i]); });
}

// Of a choice its position, so that every parameter has places on an axis.
std::string place_json(const Domain& domain, const Value& value) {
  if (const std::vector<Value>* choices = choices_of(domain))
    return std::to_string(std::find(choices->begin(), choices->end(), value) - choices->begin());
  if (const auto* real = std::get_if<double>(&value)) return rounded(*real);
  return json_value(value);
}

std::string parameter_json(const Data& data, int number) {
  const Parameter& parameter = data.space.parameters()[static_cast<std::size_t>(number)];
  JsonObject out;
  out.add("name", parameter.name).add("label", data.label(parameter));
  if (const std::vector<Value>* choices = choices_of(parameter.domain))
    out.raw("choices", list_of(choices->size(), [&](std::size_t i) { return json_string(to_string((*choices)[i])); }));
  if (const auto* real = std::get_if<Float>(&parameter.domain))
    out.add("low", real->low).add("high", real->high).add("log", real->scale == Scale::log);
  if (const auto* whole = std::get_if<Int>(&parameter.domain))
    out.add("low", whole->low).add("high", whole->high).add("log", whole->scale == Scale::log);
  if (data.space.may_be_left_out(number)) out.add("fixed", true);  // it varies, if at all, with the others
  return out.text();
}

template <class Enum>
std::string names_json() {
  std::vector<std::string> names;
  for (const auto& [value, name] : Names<Enum>::list) names.emplace_back(name);
  return json_list(names);
}
template <class Enum>
std::string position(Enum value) {
  const auto& list = Names<Enum>::list;
  return std::to_string(std::find_if(list.begin(), list.end(), [&](const auto& each) { return each.first == value; }) -
                        list.begin());
}

// Of every trial a column for each output, and whether it is known to keep to the constraints (1, 0; null: it has no values).
void add_outputs(const Data& data, const std::vector<const Trial*>& all, JsonObject& out) {
  std::map<std::int64_t, const std::vector<double>*> seen;
  for (std::size_t i = 0; i < data.done.size(); ++i) seen[data.done[i].id] = &data.seen[i];
  for (const auto& [id, values] : data.partly) seen[id] = &values;
  const auto of = [&](std::size_t i) {
    const auto found = seen.find(all[i]->id);
    return found == seen.end() ? nullptr : found->second;
  };
  out.raw("outputs", list_of(data.outputs.size(), [&](std::size_t k) {
            return list_of(all.size(), [&](std::size_t i) { return of(i) ? rounded((*of(i))[k]) : std::string("null"); });
          }));
  out.raw("feasible", list_of(all.size(), [&](std::size_t i) {
            return !of(i) ? "null" : keeps_to_constraints(Values{*of(i)}, data.outputs) ? "1" : "0";
          }));
}

constexpr std::size_t kMostBeside = 30;    // names of what is kept beside the values,
constexpr std::size_t kMostOfAText = 200;  // and bytes of each: people read on in the export

// Columns of what was kept beside the values, numbers or texts, by their names.
template <class T>
std::string beside_json(const std::vector<const Trial*>& all, std::map<std::string, T> Values::*kept,
                        const std::function<std::string(const T&)>& shown) {
  std::map<std::string, std::vector<std::string>> columns;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto* values = all[i]->outcome ? std::get_if<Values>(&*all[i]->outcome) : nullptr;
    if (!values) continue;
    for (const auto& [name, value] : values->*kept) {
      if (columns.size() == kMostBeside && !columns.contains(name)) continue;
      columns.try_emplace(name, all.size(), "null").first->second[i] = shown(value);
    }
  }
  JsonObject out;
  for (const auto& [name, column] : columns) out.raw(name, fmt::format("[{}]", fmt::join(column, ",")));
  return out.text();
}

// A column for each thing that is known of a trial: half the size of an object for each trial.
std::string trials_json(const Data& data) {
  std::vector<const Trial*> all;
  std::map<std::int64_t, double> mean;
  for (std::size_t i = 0; i < data.done.size(); ++i) {
    all.push_back(&data.done[i]);
    if (!data.mean.empty()) mean[data.done[i].id] = data.mean[i];
  }
  for (const Trial& trial : data.others) all.push_back(&trial);
  std::sort(all.begin(), all.end(), [](const Trial* a, const Trial* b) { return a->id < b->id; });
  const auto column = [&](const std::function<std::string(const Trial&)>& of) {
    return list_of(all.size(), [&](std::size_t i) { return of(*all[i]); });
  };
  const auto& parameters = data.space.parameters();
  JsonObject errors;
  for (const Trial* trial : all)
    if (!trial->error().empty()) errors.add(std::to_string(trial->id), trial->error());
  JsonObject out;
  out.raw("id", column([](const Trial& t) { return std::to_string(t.id); }))
      .raw("state", column([](const Trial& t) { return position(t.state()); }))
      .raw("origin", column([](const Trial& t) { return position(t.source); }))
      .raw("value", column([](const Trial& t) { return t.value() ? rounded(*t.value()) : "null"; }))
      .raw("asked", column([](const Trial& t) { return fmt::format("{:.3f}", t.asked_at); }))
      .raw("told", column([](const Trial& t) { return t.told_at > 0 ? fmt::format("{:.3f}", t.told_at) : "0"; }))
      .raw("params", list_of(parameters.size(),
                             [&](std::size_t p) {
                               return column([&](const Trial& t) { return place_json(parameters[p].domain, t.params[p]); });
                             }))
      .raw("error", errors.text());
  if (has_names(data.outputs)) add_outputs(data, all, out);
  out.raw("measured", beside_json<double>(all, &Values::others, rounded))
      .raw("said", beside_json<std::string>(all, &Values::said,
                                            [](const std::string& text) { return json_string(beginning(text, kMostOfAText)); }));
  JsonObject notes;
  for (const Trial* trial : all)
    if (const auto found = data.notes.find(trial->id); found != data.notes.end())
      notes.add(std::to_string(trial->id), beginning(found->second, kMostOfAText));
  if (!notes.empty()) out.raw("notes", notes.text());
  JsonObject tags;
  for (const Trial* trial : all)
    if (const auto found = data.tags.find(trial->id); found != data.tags.end())
      tags.raw(std::to_string(trial->id), json_list(found->second));
  if (!data.tags.empty()) out.raw("tags", tags.text());
  if (!mean.empty())
    out.raw("mean", column([&](const Trial& t) {
              const auto found = mean.find(t.id);
              return found == mean.end() ? "null" : rounded(found->second);
            }));
  return out.text();
}

std::string slice_json(const Data& data, const Slice& slice) {
  const Domain& domain = data.space.parameters()[static_cast<std::size_t>(slice.parameter)].domain;
  return JsonObject()
      .add("parameter", slice.parameter)
      .add("levels", slice.levels)
      .raw("x", list_of(slice.values.size(), [&](std::size_t i) { return place_json(domain, slice.values[i]); }))
      .raw("mean", numbers(slice.mean))
      .raw("stddev", numbers(slice.stddev))
      .text();
}

// What is wanted of an output.
std::string role_json(const salvo::Output& output) {
  JsonObject out;
  if (const auto* objective = std::get_if<Objective>(&output.role))
    return out.add("direction", to_string(objective->direction)).text();
  return out.add("passed", std::get<Constraint>(output.role).passed).text();
}

// A list for each point, and in it the estimates of all outputs.
std::string front_json(const Front& front) {
  const auto column = [&](const std::function<std::string(const Recommendation&)>& of) {
    return list_of(front.points.size(), [&](std::size_t i) { return of(front.points[i]); });
  };
  const auto of_each = [](const Recommendation& point, double Estimate::*number) {
    return list_of(point.outputs.size(), [&](std::size_t k) { return rounded(point.outputs[k].*number); });
  };
  return JsonObject()
      .raw("trial", column([](const Recommendation& point) { return std::to_string(point.trial.id); }))
      .raw("mean", column([&](const Recommendation& point) { return of_each(point, &Estimate::mean); }))
      .raw("stddev", column([&](const Recommendation& point) { return of_each(point, &Estimate::stddev); }))
      .raw("allowed", column([](const Recommendation& point) { return point.allowed ? "1" : "0"; }))
      .raw("reference", numbers(front.reference))
      .add("hypervolume", front.hypervolume)
      .text();
}

std::string share_json(const VarianceShare& share) { return fmt::format("[{},{}]", rounded(share.value), rounded(share.stddev)); }

}  // namespace

std::string report_json(const Data& data, const Report& report) {
  const auto& parameters = data.space.parameters();
  const std::vector<ParameterImportance> none;
  const auto& important = data.importance ? data.importance->parameters : none;
  const std::vector<int> axes = shown_parameters(data, 16);
  JsonObject out;
  out.add("version", SALVO_VERSION)
      .add("written", std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count())
      .add("name", data.name)
      .add("direction", to_string(data.direction))
      .add("note", data.note)
      .raw("parts", json_list(report.parts))
      .add("value", data.value_name())
      .add("valueLabel", data.value_label())
      .add("shown", data.output)
      .raw("outputs", list_of(has_names(data.outputs) ? data.outputs.size() : 0,
                              [&](std::size_t k) { return json_string(data.outputs[k].name); }))
      .raw("roles", list_of(data.outputs.size(), [&](std::size_t k) { return role_json(data.outputs[k]); }))
      .raw("front", data.front ? front_json(data.front->front) : "null")
      .add("budget", data.file ? std::optional(data.file->budget.evaluations) : std::nullopt)
      .add("optimum", data.optimum)
      .raw("states", names_json<TrialState>())
      .raw("origins", names_json<salvo::Source>())
      .raw("parameters", list_of(parameters.size(), [&](std::size_t i) { return parameter_json(data, static_cast<int>(i)); }))
      .raw("axes", list_of(axes.size(), [&](std::size_t i) { return std::to_string(axes[i]); }))
      .raw("trials", trials_json(data))
      .raw("recommended", data.recommended ? JsonObject()
                                                 .add("trial", data.recommended->trial.id)
                                                 .add("mean", data.recommended->mean)
                                                 .add("stddev", data.recommended->stddev)
                                                 .text()
                                           : "null")
      .raw("importance", list_of(important.size(),
                                 [&](std::size_t i) {
                                   return JsonObject()
                                       .add("parameter", data.space.find(important[i].name))
                                       .raw("total", share_json(important[i].total))
                                       .raw("first", share_json(important[i].first))
                                       .text();
                                 }))
      .raw("slices", list_of(report.slices.size(), [&](std::size_t i) { return slice_json(data, report.slices[i]); }));
  if (report.run)
    out.raw(
        "live",
        JsonObject().add("running", report.run->running).add("every", report.run->every).add("words", report.run->words).text());
  return out.text();
}

}  // namespace salvo::app::plot
