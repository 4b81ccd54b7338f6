#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "store/kept.h"

namespace salvo {

// Trials that have a value of a parameter only since somebody said, when it was new, what it had been. Kept as a note, so that
// it can be put right: what a trial was handed out with is never touched.
struct FilledIn {
  Value value{};
  std::vector<std::pair<std::int64_t, std::int64_t>> trials{};  // the first and the last of each row of numbers
  void add(std::int64_t id);                                    // greater than those before
  [[nodiscard]] bool has(std::int64_t id) const;
  [[nodiscard]] std::int64_t size() const;
};
using FilledByName = std::map<std::string, FilledIn>;

// Notes by their keys.
[[nodiscard]] std::map<std::string, std::string> to_notes(const FilledByName& filled);

// Of parameters that the store has and the new space has as well: what was filled in as another value than `before` says. With
// the old values.
[[nodiscard]] FilledByName filled_otherwise(Store& store, const Space& after, const ByName& before);

// Of parameters that the store does not have, but had once: what was filled in then as the value that `before` says now. More
// trials may join it, and all of it can be put right as one.
[[nodiscard]] FilledByName filled_alike(Store& store, const ByName& before);

// The values that a trial gets: of those that it does not have, which are added to `filled`, and of those that were filled in
// `wrong`.
[[nodiscard]] ByName to_fill_in(std::int64_t id, const ByName& point, const ByName& before, const FilledByName& wrong,
                                FilledByName& filled);

}  // namespace salvo
