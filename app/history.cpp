#include "history.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cmath>

#include "json.h"
#include "text.h"
#include "text/csv.h"
#include "text/formula.h"
#include "told_values.h"

namespace salvo::app {
namespace {

std::string exact(const std::optional<double>& value) { return value ? to_string(Value(*value)) : ""; }

// As an export shows a trial's outcome: state, value, standard error, error.
Trial trial_of(const std::optional<Outcome>& outcome) { return {.outcome = outcome}; }

std::optional<double> sd_of(const Trial& trial) {
  const auto* values = trial.outcome ? std::get_if<Values>(&*trial.outcome) : nullptr;
  return values ? standard_error(*values) : std::nullopt;
}

// None: it was not measured, or there is no value.
std::vector<std::optional<double>> values_of(const Trial& trial, const Outputs& outputs) {
  const auto* values = trial.outcome ? std::get_if<Values>(&*trial.outcome) : nullptr;
  std::vector<std::optional<double>> out(outputs.size());
  for (std::size_t i = 0; values && i < outputs.size(); ++i)
    if (!std::isnan(values->outputs.at(i))) out[i] = values->outputs[i];
  return out;
}

// With several outputs there are no standard errors.
std::string cells(const Trial& trial, const Outputs& outputs) {
  std::string text(to_string(trial.state()));
  for (const auto& value : values_of(trial, outputs)) text += "," + exact(value);
  if (outputs.size() == 1) text += "," + exact(sd_of(trial));
  return text + "," + csv_cell(guarded(trial.error()));
}

// Of a change that is no trial's.
std::string empty_cells(const Outputs& outputs) { return std::string(2 * (outputs.size() + (outputs.size() == 1 ? 3 : 2)), ','); }

JsonObject object(const Trial& trial, const Outputs& outputs) {
  JsonObject out;
  out.add("state", to_string(trial.state()));
  if (has_names(outputs)) {
    JsonObject values;
    const auto all = values_of(trial, outputs);
    for (std::size_t i = 0; i < outputs.size(); ++i) values.add(outputs[i].name, all[i]);
    out.raw("values", trial.state() == TrialState::done ? values.text() : "null");
  } else {
    out.add("value", trial.value());
  }
  if (const auto sd = sd_of(trial)) out.add("sd", *sd);
  if (!trial.error().empty()) out.add("error", trial.error());
  return out;
}

std::string utc(double seconds) { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(static_cast<std::time_t>(seconds))); }

}  // namespace

std::string in_words(const std::optional<Outcome>& outcome, const Outputs& outputs) {
  const Trial trial = trial_of(outcome);
  if (trial.state() == TrialState::done) return in_words(std::get<Values>(*outcome), outputs);
  if (trial.state() == TrialState::failed) return fmt::format("failed ({})", shorten(one_line(trial.error()), 60));
  return std::string(to_string(trial.state()));
}

std::string history_header(const Outputs& outputs) {
  const auto columns = [&](const std::string& prefix) {
    std::string text = prefix + "state";
    for (const salvo::Output& output : outputs) text += "," + prefix + output.name;
    return text + (outputs.size() == 1 ? "," + prefix + "sd" : "") + "," + prefix + "error";
  };
  return fmt::format("trial,amended_at,{},{},reason", columns("old_"), columns(""));
}

std::string history_csv(const Amendment& change, const Outputs& outputs) {
  return fmt::format("{},{},{},{},{}", change.id, utc(change.at), cells(trial_of(change.before), outputs),
                     cells(trial_of(change.after), outputs), csv_cell(guarded(change.reason)));
}

std::string history_json(const Amendment& change, const Outputs& outputs) {
  return JsonObject()
      .add("trial", change.id)
      .add("amended_at", utc(change.at))
      .raw("before", object(trial_of(change.before), outputs).text())
      .raw("after", object(trial_of(change.after), outputs).text())
      .add("reason", change.reason)
      .text();
}

std::string history_csv(const SpaceChange& change, const Outputs& outputs) {
  return fmt::format(",{},{}{}", utc(change.at), empty_cells(outputs),
                     csv_cell(guarded(fmt::format("{}", fmt::join(change.words, "; ")))));
}

std::string history_json(const SpaceChange& change, const Outputs&) {
  return JsonObject().raw("trial", "null").add("changed_at", utc(change.at)).raw("parameters", json_list(change.words)).text();
}

std::string history_csv(const PriorChange& change, const Outputs& outputs) {
  const std::string words =
      change.from.empty() ? "prior: none" : fmt::format("prior: {} from {}", plural(change.num_trials, "value"), change.from);
  return fmt::format(",{},{}{}", utc(change.at), empty_cells(outputs), csv_cell(guarded(words)));
}

std::string history_json(const PriorChange& change, const Outputs&) {
  JsonObject out;
  out.raw("trial", "null").add("changed_at", utc(change.at));
  if (change.from.empty()) return out.raw("prior", "null").text();
  return out.raw("prior", JsonObject().add("from", change.from).add("trials", change.num_trials).text()).text();
}

}  // namespace salvo::app
