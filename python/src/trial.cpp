#include "trial.h"

#include <fmt/format.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <cmath>
#include <limits>

namespace salvo::python {
namespace {

std::string listed_names(const std::vector<Output>& outputs) {
  std::string text;
  for (const Output& output : outputs) text += fmt::format("{}\"{}\"", text.empty() ? "" : ", ", output.name);
  return text;
}

// "passed" and "failed" of what is told so; elsewhere a text is none.
double from_word(const Output& output, const std::string& word, const std::string& where) {
  const auto* constraint = std::get_if<Constraint>(&output.role);
  const auto value = constraint && constraint->passed ? passed_value(word) : std::nullopt;
  if (value) return *value;
  throw std::invalid_argument(fmt::format("{}: {}: expected {}, got \"{}\"", where, output.name,
                                          constraint && constraint->passed ? "passed or failed" : "a number", word));
}

// Of several outputs some may be missing: they were not measured.
std::vector<double> take_outputs(Values& values, const std::vector<Output>& outputs, const std::string& where) {
  std::vector<double> out;
  for (const Output& output : outputs) {
    const auto number = values.others.find(output.name);
    const auto word = values.said.find(output.name);
    if (number != values.others.end()) {
      if (outputs.size() > 1 && !std::isfinite(number->second))
        throw std::invalid_argument(fmt::format("{}: {}: expected a finite value, got {} (None: it was not measured)", where,
                                                output.name, number->second));
      out.push_back(number->second);
      values.others.erase(number);
    } else if (word != values.said.end()) {
      out.push_back(from_word(output, word->second, where));
      values.said.erase(word);
    } else if (outputs.size() == 1) {
      throw std::invalid_argument(fmt::format("{}: expected a mapping with the key \"{}\", got one without", where, output.name));
    } else {
      out.push_back(std::numeric_limits<double>::quiet_NaN());
    }
  }
  if (outputs.size() > 1 && values.others.contains(kStandardError))
    throw std::invalid_argument(
        fmt::format("{}: sd: standard errors are for a study with one output, this one has {}", where, outputs.size()));
  return out;
}

// Numbers by name, and texts.
Values to_values(nb::handle object, const std::vector<Output>& outputs, const std::string& where) {
  Values values;
  for (const auto& [name, each] : nb::cast<nb::dict>(object)) {
    const auto key = take<std::string>("tell: measured", name);
    if (PyUnicode_Check(each.ptr()))
      values.said[key] = to_text(each);
    else
      values.others[key] = take<double>("tell: measured", each);
  }
  values.outputs = take_outputs(values, outputs, where);
  return values;
}

Outcome to_outcome(nb::handle object, const std::vector<Output>& outputs, std::int64_t id) {
  if (object.is_none()) return Abandoned{};
  if (PyUnicode_Check(object.ptr())) return Failure{to_text(object)};
  const std::string where = fmt::format("tell: trial {}", id);
  if (PyDict_Check(object.ptr())) return to_values(object, outputs, where);
  const auto value = take<double>("tell: value", object);
  if (outputs.size() > 1)
    throw std::invalid_argument(
        fmt::format("{}: expected a mapping of {} to values, got a number", where, listed_names(outputs)));
  return Values{{value}};
}

// {name: value or None} of a trial with values.
nb::dict values_of(const Values* values, const std::vector<Output>& outputs) {
  nb::dict out;
  for (std::size_t i = 0; values && i < outputs.size(); ++i) {
    const double value = values->outputs.at(i);
    out[outputs[i].name.c_str()] = std::isnan(value) ? nb::none() : nb::cast(value);
  }
  return out;
}

}  // namespace

std::vector<Outcome> to_outcomes(const StudyBox& box, const List& list, const char* what) {
  std::vector<Outcome> out;
  for (const nb::handle each : list) {
    if (PyUnicode_Check(each.ptr())) {
      out.emplace_back(Failure{to_text(each)});
      continue;
    }
    if (!PyDict_Check(each.ptr())) refuse_class(what, each);
    out.emplace_back(to_values(each, box.outputs(), fmt::format("{}: point {}", what, out.size() + 1)));
  }
  return out;
}

std::vector<Told> to_told(const StudyBox& box, const List& list) {
  std::vector<Told> out;
  for (const nb::handle item : list) {
    const Tuple pair = take_tuple("tell", item, 2);
    const auto id = take<std::int64_t>("tell: trial", pair[0]);
    out.push_back({id, to_outcome(pair[1], box.outputs(), id)});
  }
  return out;
}

Tuple from_trial(const StudyBox& box, const Trial& t) {
  const auto text = [](std::string_view view) { return nb::str(view.data(), view.size()); };
  const auto* values = t.outcome ? std::get_if<Values>(&*t.outcome) : nullptr;
  return nb::make_tuple(t.id, from_params(box.space(), t.params), text(to_string(t.state())), text(to_string(t.source)),
                        t.value(), t.error(), t.asked_at, t.told_at, values ? values->others : std::map<std::string, double>{},
                        t.outside, values ? values->said : std::map<std::string, std::string>{},
                        values_of(values, box.outputs()));
}

nb::object from_trial(const StudyBox& box, const std::optional<Trial>& trial) {
  return trial ? nb::object(from_trial(box, *trial)) : nb::none();
}

std::optional<double> sd_of(const Trial& trial) {
  const auto* values = trial.outcome ? std::get_if<Values>(&*trial.outcome) : nullptr;
  return values ? standard_error(*values) : std::nullopt;
}

// (trial, at, reason, state and value and error before, and after, and the standard errors)
List from_amendments(const StudyBox& box, const std::vector<Amendment>& changes) {
  const auto values = [&](const Trial& trial) {
    return values_of(trial.outcome ? std::get_if<Values>(&*trial.outcome) : nullptr, box.outputs());
  };
  const auto text = [](std::string_view view) { return nb::str(view.data(), view.size()); };
  List out;
  for (const Amendment& change : changes) {
    const Trial before{.outcome = change.before}, after{.outcome = change.after};
    out.append(nb::make_tuple(change.id, change.at, text(change.reason), text(to_string(before.state())), before.value(),
                              before.error(), text(to_string(after.state())), after.value(), after.error(), sd_of(before),
                              sd_of(after), values(before), values(after)));
  }
  return out;
}

List from_trials(const StudyBox& box, const std::vector<Trial>& trials) {
  List out;
  for (const Trial& trial : trials) out.append(from_trial(box, trial));
  return out;
}

}  // namespace salvo::python
