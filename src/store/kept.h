#pragma once
#include <map>
#include <string>

#include "store/store.h"

namespace salvo {

using ByName = std::map<std::string, Value>;

// A point of the past in the space as it is now: what it lies outside of, it keeps the values it had.
struct Kept {
  Params params;
  bool outside = false;
};
// Throws std::invalid_argument when a parameter has no value.
[[nodiscard]] Kept kept_in(const Definition& now, const ByName& values);

[[nodiscard]] ByName named(const Space& space, const Params& params);

// Throws std::invalid_argument when a parameter is new and there is no value of it that trials had.
void require_before(const Definition& now, const Store::NewSpace& wanted);

// The definition with another space; throws std::invalid_argument when a parameter is gone that was not fixed.
[[nodiscard]] Definition with_space(Definition now, const Space& space);

}  // namespace salvo
