#include "history.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "json.h"
#include "text.h"
#include "text/csv.h"
#include "text/formula.h"

namespace salvo::app {
namespace {

std::string exact(const std::optional<double>& value) { return value ? to_string(Value(*value)) : ""; }

// As an export shows a trial's outcome: state, value, standard error, error.
Trial trial_of(const std::optional<Outcome>& outcome) { return {.outcome = outcome}; }

std::optional<double> sd_of(const Trial& trial) {
  const auto* values = trial.outcome ? std::get_if<Values>(&*trial.outcome) : nullptr;
  return values ? standard_error(*values) : std::nullopt;
}

std::string cells(const Trial& trial) {
  return fmt::format("{},{},{},{}", to_string(trial.state()), exact(trial.value()), exact(sd_of(trial)),
                     csv_cell(guarded(trial.error())));
}

JsonObject object(const Trial& trial) {
  JsonObject out;
  out.add("state", to_string(trial.state())).add("value", trial.value());
  if (const auto sd = sd_of(trial)) out.add("sd", *sd);
  if (!trial.error().empty()) out.add("error", trial.error());
  return out;
}

std::string utc(double seconds) { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(static_cast<std::time_t>(seconds))); }

}  // namespace

std::string in_words(const std::optional<Outcome>& outcome) {
  const Trial trial = trial_of(outcome);
  if (trial.value()) {
    const auto sd = sd_of(trial);
    return exact(trial.value()) + (sd ? fmt::format(" (sd {})", exact(sd)) : "");
  }
  if (trial.state() == TrialState::failed) return fmt::format("failed ({})", shorten(one_line(trial.error()), 60));
  return std::string(to_string(trial.state()));
}

std::string history_header() { return "trial,amended_at,old_state,old_value,old_sd,old_error,state,value,sd,error,reason"; }

std::string history_csv(const Amendment& change) {
  return fmt::format("{},{},{},{},{}", change.id, utc(change.at), cells(trial_of(change.before)), cells(trial_of(change.after)),
                     csv_cell(guarded(change.reason)));
}

std::string history_json(const Amendment& change) {
  return JsonObject()
      .add("trial", change.id)
      .add("amended_at", utc(change.at))
      .raw("before", object(trial_of(change.before)).text())
      .raw("after", object(trial_of(change.after)).text())
      .add("reason", change.reason)
      .text();
}

std::string history_csv(const SpaceChange& change) {
  return fmt::format(",{},,,,,,,,,{}", utc(change.at), csv_cell(guarded(fmt::format("{}", fmt::join(change.words, "; ")))));
}

std::string history_json(const SpaceChange& change) {
  return JsonObject().raw("trial", "null").add("changed_at", utc(change.at)).raw("parameters", json_list(change.words)).text();
}

std::string history_csv(const PriorChange& change) {
  const std::string words =
      change.from.empty() ? "prior: none" : fmt::format("prior: {} from {}", plural(change.num_trials, "value"), change.from);
  return fmt::format(",{},,,,,,,,,{}", utc(change.at), csv_cell(guarded(words)));
}

std::string history_json(const PriorChange& change) {
  JsonObject out;
  out.raw("trial", "null").add("changed_at", utc(change.at));
  if (change.from.empty()) return out.raw("prior", "null").text();
  return out.raw("prior", JsonObject().add("from", change.from).add("trials", change.num_trials).text()).text();
}

}  // namespace salvo::app
