#include "trial.h"

#include <fmt/format.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

namespace salvo::python {
namespace {

// Numbers by name, and texts.
Values to_values(nb::handle object, const std::vector<std::string>& outputs, std::int64_t id) {
  Values values;
  std::map<std::string, double> measured;
  for (const auto& [name, each] : nb::cast<nb::dict>(object)) {
    const auto key = take<std::string>("tell: measured", name);
    if (PyUnicode_Check(each.ptr()))
      values.said[key] = to_text(each);
    else
      measured[key] = take<double>("tell: measured", each);
  }
  for (const std::string& name : outputs) {
    const auto found = measured.find(name);
    if (found == measured.end())
      throw std::invalid_argument(
          fmt::format("tell: trial {}: expected a mapping with the key \"{}\", got one without", id, name));
    values.outputs.push_back(found->second);
    measured.erase(found);
  }
  values.others = std::move(measured);
  return values;
}

Outcome to_outcome(nb::handle object, const std::vector<std::string>& outputs, std::int64_t id) {
  if (object.is_none()) return Abandoned{};
  if (PyUnicode_Check(object.ptr())) return Failure{to_text(object)};
  if (PyDict_Check(object.ptr())) return to_values(object, outputs, id);
  return Values{{take<double>("tell: value", object)}};
}

}  // namespace

std::vector<Told> to_told(const StudyBox& box, const List& list) {
  std::vector<Told> out;
  for (const nb::handle item : list) {
    const Tuple pair = take_tuple("tell", item, 2);
    const auto id = take<std::int64_t>("tell: trial", pair[0]);
    out.push_back({id, to_outcome(pair[1], box.outputs(), id)});
  }
  return out;
}

Tuple from_trial(const Space& space, const Trial& t) {
  const auto text = [](std::string_view view) { return nb::str(view.data(), view.size()); };
  const auto* values = t.outcome ? std::get_if<Values>(&*t.outcome) : nullptr;
  return nb::make_tuple(t.id, from_params(space, t.params), text(to_string(t.state())), text(to_string(t.source)), t.value(),
                        t.error(), t.asked_at, t.told_at, values ? values->others : std::map<std::string, double>{}, t.outside,
                        values ? values->said : std::map<std::string, std::string>{});
}

nb::object from_trial(const Space& space, const std::optional<Trial>& trial) {
  return trial ? nb::object(from_trial(space, *trial)) : nb::none();
}

std::optional<double> sd_of(const Trial& trial) {
  const auto* values = trial.outcome ? std::get_if<Values>(&*trial.outcome) : nullptr;
  return values ? standard_error(*values) : std::nullopt;
}

// (trial, at, reason, state and value and error before, and after, and the standard errors)
List from_amendments(const std::vector<Amendment>& changes) {
  const auto text = [](std::string_view view) { return nb::str(view.data(), view.size()); };
  List out;
  for (const Amendment& change : changes) {
    const Trial before{.outcome = change.before}, after{.outcome = change.after};
    out.append(nb::make_tuple(change.id, change.at, text(change.reason), text(to_string(before.state())), before.value(),
                              before.error(), text(to_string(after.state())), after.value(), after.error(), sd_of(before),
                              sd_of(after)));
  }
  return out;
}

List from_trials(const Space& space, const std::vector<Trial>& trials) {
  List out;
  for (const Trial& trial : trials) out.append(from_trial(space, trial));
  return out;
}

}  // namespace salvo::python
