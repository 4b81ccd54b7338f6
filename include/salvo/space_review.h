#pragma once
#include <salvo/error.h>
#include <salvo/space.h>

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace salvo {

// What becomes of a study when another space takes the place of its own.
struct SpaceReview {
  std::vector<std::string> changes{};       // in words, parameter by parameter; none: the two are the same
  std::vector<Parameter> without_before{};  // new parameters, of which the value that earlier trials had is not known
  std::vector<Parameter> still_varying{};   // parameters that are gone, but were not fixed
  std::int64_t num_trials = 0;              // so far
  std::int64_t num_outside = 0;             // of these, outside the new space: history, which teaches nothing
  std::vector<std::int64_t> abandoned{};    // pending trials outside
  std::int64_t num_unqueued = 0;            // points of the queue outside
  [[nodiscard]] bool possible() const { return without_before.empty() && still_varying.empty(); }
};

// Whether a study's space may become the one that it is opened with.
struct SpaceUpdate {
  bool accept = false;
  std::map<std::string, Value> before{};  // of parameters that are new: the value that earlier trials had
};

// The study's space is another one, and nobody has accepted that, or it is not possible.
struct SpaceDiffers : InputError {
  SpaceDiffers(const std::string& message, SpaceReview what) : InputError(message), review(std::move(what)) {}
  SpaceReview review;
};

// What a change does, a line each, without what to do about it.
[[nodiscard]] std::vector<std::string> in_words(const SpaceReview& review);
// { low = 1, high = 5 }, as a study file has it; with `more` before the last brace.
[[nodiscard]] std::string as_toml(const Domain& domain, const std::string& more = "");

}  // namespace salvo
