#include "store/outcome.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <stdexcept>

#include "text/text.h"

namespace salvo {

bool Values::operator==(const Values& other) const {
  const auto same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
  return std::equal(outputs.begin(), outputs.end(), other.outputs.begin(), other.outputs.end(), same) && others == other.others &&
         said == other.said;
}

TrialState Trial::state() const {
  if (!outcome) return TrialState::pending;
  if (std::holds_alternative<Values>(*outcome)) return TrialState::done;
  return std::holds_alternative<Failure>(*outcome) ? TrialState::failed : TrialState::abandoned;
}

std::optional<double> Trial::value() const {
  const auto* values = outcome ? std::get_if<Values>(&*outcome) : nullptr;
  return values && !std::isnan(values->outputs.front()) ? std::optional(values->outputs.front()) : std::nullopt;
}

const std::string& Trial::error() const {
  static const std::string none;
  const auto* failure = outcome ? std::get_if<Failure>(&*outcome) : nullptr;
  return failure ? failure->reason : none;
}

Values with_value(const Trial& trial, double value) {
  const auto* before = trial.outcome ? std::get_if<Values>(&*trial.outcome) : nullptr;
  Values now = before ? *before : Values{{value}};
  now.outputs[0] = value;
  return now;
}

namespace {

void validate_said(const Values& values, std::span<const std::string> outputs, const std::string& where) {
  for (const auto& [name, text] : values.said) {
    if (name.empty() || !is_text(name))
      throw std::invalid_argument(fmt::format("{}: expected a name in UTF-8 for what was said, got \"{}\"", where, shown(name)));
    if (values.others.contains(name) || name == kStandardError ||
        std::find(outputs.begin(), outputs.end(), name) != outputs.end())
      throw std::invalid_argument(
          fmt::format("{}: expected another name for what was said, got \"{}\", which is a number's", where, name));
    if (!is_text(text) || text.size() > kLongestSaid)
      throw std::invalid_argument(fmt::format("{}: {}: expected a text in UTF-8 of at most {} bytes, got {} bytes: \"{}\"", where,
                                              name, kLongestSaid, text.size(), shown(text)));
  }
}

// "the value 1.5", "the values 1.5, not measured, 3".
std::string in_words(const Values& values) {
  if (values.outputs.size() == 1) return fmt::format("the value {}", values.outputs[0]);
  std::string text = "the values ";
  for (std::size_t i = 0; i < values.outputs.size(); ++i) {
    const double value = values.outputs[i];
    text += (i == 0 ? "" : ", ") + (std::isnan(value) ? "not measured" : fmt::format("{}", value));
  }
  return text;
}

}  // namespace

void validate(const Values& values, std::span<const std::string> outputs, const std::string& where) {
  if (values.outputs.size() != outputs.size()) {
    throw std::invalid_argument(
        fmt::format("{}: expected a value for each of {} outputs, got {}", where, outputs.size(), values.outputs.size()));
  }
  const bool several = outputs.size() > 1;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const double value = values.outputs[i];
    if (std::isfinite(value) || (several && std::isnan(value))) continue;
    throw std::invalid_argument(
        fmt::format("{}: {}expected a finite value, got {}", where, several ? outputs[i] + ": " : "", value));
  }
  if (several && std::all_of(values.outputs.begin(), values.outputs.end(), [](double value) { return std::isnan(value); }))
    throw std::invalid_argument(
        fmt::format("{}: expected a value of one of {} outputs at least, got none", where, outputs.size()));
  for (const auto& [name, value] : values.others) {
    if (name.empty() || !is_text(name))
      throw std::invalid_argument(
          fmt::format("{}: expected a name in UTF-8 for what was measured besides, got \"{}\"", where, shown(name)));
    if (!std::isfinite(value))
      throw std::invalid_argument(fmt::format("{}: {}: expected a finite number, got {}", where, name, value));
    if (name == kStandardError && value < 0)
      throw std::invalid_argument(
          fmt::format("{}: {}: expected the standard error of the value, which is not negative, got {}", where, name, value));
    if (std::find(outputs.begin(), outputs.end(), name) != outputs.end())
      throw std::invalid_argument(
          fmt::format("{}: expected another name for what was measured besides, got \"{}\", which is an output", where, name));
  }
  validate_said(values, outputs, where);
}

void validate(const Told& told, std::span<const std::string> outputs) {
  const auto* failure = std::get_if<Failure>(&told.outcome);
  if (failure && !is_text(failure->reason))
    throw std::invalid_argument(fmt::format(
        "tell: trial {}: expected a reason in UTF-8 without a NUL byte, got other bytes. Nothing was changed", told.id));
  const auto* values = std::get_if<Values>(&told.outcome);
  if (!values) return;
  try {
    validate(*values, outputs, fmt::format("tell: trial {}", told.id));
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("{}. Report a trial without a value as failed", error.what()));
  }
}

void require_pending(const std::optional<Trial>& trial, std::int64_t id, std::int64_t num_trials) {
  if (!trial)
    throw std::invalid_argument(fmt::format("tell: there is no trial {}; the study has {}. Nothing was changed", id, num_trials));
  if (!trial->outcome) return;
  std::string how = "was abandoned already";
  if (const auto* values = std::get_if<Values>(&*trial->outcome)) how = "was told already, with " + in_words(*values);
  if (trial->state() == TrialState::failed) how = fmt::format("has failed already (\"{}\")", trial->error());
  const auto when = fmt::gmtime(static_cast<std::time_t>(trial->told_at));
  throw std::invalid_argument(fmt::format(
      "tell: trial {} {}, at {:%Y-%m-%d %H:%M:%S} UTC. Nothing was changed; amend puts an outcome right, and a second "
      "value of the same point can be handed in as a point evaluated elsewhere",
      trial->id, how, when));
}

void require_correctable(const std::optional<Trial>& trial, const Correction& correction, std::int64_t num_trials) {
  const auto fail = [&](const std::string& problem) {
    throw std::invalid_argument(fmt::format("{}. Nothing was changed", problem));
  };
  if (!trial) fail(fmt::format("there is no trial {}; the study has {}", correction.id, num_trials));
  const auto* failure = correction.outcome ? std::get_if<Failure>(&*correction.outcome) : nullptr;
  for (const std::string& words : {correction.reason, failure ? failure->reason : std::string()})
    if (!is_text(words))
      fail(fmt::format("trial {}: expected a reason in UTF-8 without a NUL byte, got other bytes", correction.id));
  const bool forgets = correction.outcome && std::holds_alternative<Abandoned>(*correction.outcome);
  if (!trial->outcome)
    fail(fmt::format("trial {} is pending: {}", correction.id,
                     forgets              ? "nothing was told that could be taken back. Where nobody will evaluate it, abandon it"
                     : correction.outcome ? "tell its outcome instead"
                                          : "it waits for its outcome already"));
  if (!correction.outcome && trial->outside)
    fail(fmt::format("trial {} lies outside the space as it is now: it cannot be evaluated again", correction.id));
  if (const auto* values = std::get_if<Values>(&*trial->outcome); values && !correction.outcome)
    fail(
        fmt::format("trial {} has {}: only trials that failed or were abandoned are pending again. Forget its value "
                    "first, or tell a second value of the same point as one evaluated elsewhere",
                    correction.id, in_words(*values)));
}

bool comes_back(const Trial& trial, const Correction& correction) {
  return !correction.outcome ||
         (trial.state() == TrialState::abandoned && !std::holds_alternative<Abandoned>(*correction.outcome));
}

void require_free(const Trial& trial, std::span<const Trial> pending) {
  for (const Trial& other : pending)
    if (other.params == trial.params)
      throw std::invalid_argument(
          fmt::format("the point of trial {} is pending as trial {}: tell that one. Nothing was changed", trial.id, other.id));
}

double seconds_since_1970() {
  using namespace std::chrono;
  return duration<double>(system_clock::now().time_since_epoch()).count();
}

}  // namespace salvo
