#pragma once
#include <salvo/names.h>
#include <salvo/space.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace salvo {

// What came of a trial: numbers, a failure and why, or nothing, since nobody will evaluate it.
struct Values {
  // One for each of the study's outputs, in their order and the user's own direction. NaN: it was not measured, since the
  // evaluation stopped early, say; one of them must have been.
  std::vector<double> outputs;
  std::map<std::string, double> others{};      // whatever else was measured, by name
  std::map<std::string, std::string> said{};   // texts that came with it, by name: kept for people, read by no model
  bool operator==(const Values& other) const;  // what neither has measured is alike
};
inline constexpr std::size_t kLongestSaid = 1000;  // bytes of such a text
// What is measured under this name is the standard error of the value: the model weighs values by it.
inline constexpr const char* kStandardError = "sd";
[[nodiscard]] inline std::optional<double> standard_error(const Values& values) {
  const auto found = values.others.find(kStandardError);
  return found == values.others.end() ? std::nullopt : std::optional(found->second);
}
struct Failure {
  std::string reason;
  bool operator==(const Failure&) const = default;
};
struct Abandoned {
  bool operator==(const Abandoned&) const = default;
};
using Outcome = std::variant<Values, Failure, Abandoned>;

// The outcome of one trial, as tell() takes it.
struct Told {
  std::int64_t id = 0;
  Outcome outcome;
};
[[nodiscard]] inline Told told(std::int64_t id, double value) { return {id, Values{{value}}}; }
[[nodiscard]] inline Told told(std::int64_t id, double value, double sd) { return {id, Values{{value}, {{kStandardError, sd}}}}; }

enum class TrialState { pending, done, failed, abandoned };
template <>
struct Names<TrialState> {
  static constexpr std::string_view what = "state";
  static constexpr NameList<TrialState, 4> list{{{TrialState::done, "done"},
                                                 {TrialState::failed, "failed"},
                                                 {TrialState::abandoned, "abandoned"},
                                                 {TrialState::pending, "pending"}}};
};

// Which part of a study chose a point: its initial design, the model of everything, that of the best point's neighbourhood, the
// wish to see a value twice; queue: somebody wanted it tried; told: evaluated elsewhere and handed in.
enum class Source { initial, model, local, repeat, queue, told };
template <>
struct Names<Source> {
  static constexpr std::string_view what = "origin";
  static constexpr NameList<Source, 6> list{{{Source::initial, "initial"},
                                             {Source::model, "model"},
                                             {Source::local, "local"},
                                             {Source::repeat, "repeat"},
                                             {Source::queue, "queue"},
                                             {Source::told, "told"}}};
};
[[nodiscard]] constexpr bool chosen_by_people(Source source) { return source == Source::queue || source == Source::told; }
[[nodiscard]] constexpr bool chosen_by_search(Source source) { return source != Source::initial && !chosen_by_people(source); }

struct Trial {
  std::int64_t id = 0;  // 1, 2, …
  Params params{};
  Source source = Source::initial;
  std::optional<Outcome> outcome{};  // none: pending
  double asked_at = 0;               // seconds since 1970
  double told_at = 0;                // 0 while pending
  bool outside = false;              // of the space as it is now (Study::set_space): history, which teaches nothing
  std::string owner{};               // the runner that evaluates it, or did; empty: whoever asked for it

  [[nodiscard]] TrialState state() const;
  [[nodiscard]] std::optional<double> value() const;  // of the first output; none: it was not measured
  [[nodiscard]] const std::string& error() const;     // why it failed; empty: it did not
};

// A trial's values with another one for the first output; what else was measured stays.
[[nodiscard]] Values with_value(const Trial& trial, double value);

// An outcome put right, as amend() takes it; none: the trial is pending again.
struct Correction {
  std::int64_t id = 0;
  std::optional<Outcome> outcome{};
  std::string reason{};
};

// What an amend() has changed.
struct Amendment {
  std::int64_t id = 0;  // the trial's
  double at = 0;        // seconds since 1970
  std::string reason{};
  Outcome before{};
  std::optional<Outcome> after{};
};

// What a change of the space was.
struct SpaceChange {
  double at = 0;  // seconds since 1970
  Space before{}, after{};
  std::vector<std::string> words{};  // what changed, parameter by parameter
};

// A point that waits to be tried.
struct Queued {
  std::int64_t id = 0;  // its number in the queue: those before it have smaller ones
  Params params{};
  [[nodiscard]] bool operator==(const Queued&) const = default;
};

// A trial with its outcome and when it became known: each has the next sequence number.
struct Record {
  std::int64_t id = 0, sequence = 0;
  Params params{};
  Outcome outcome{};
  Source source = Source::initial;
  bool outside = false;  // of the space as it is now
};

struct Counts {
  std::int64_t pending = 0, done = 0, failed = 0, abandoned = 0;
  [[nodiscard]] std::int64_t total() const { return pending + done + failed + abandoned; }
};

}  // namespace salvo
