#pragma once
#include <salvo/space.h>

#include <string>
#include <vector>

#include "config/section.h"

namespace salvo {

struct WrittenCondition {
  std::string text;
  Place place;
};

// [[where]] with an expression each, or where = ["a + b <= 1", …].
[[nodiscard]] std::vector<WrittenCondition> read_where(Section& top, FileErrors& errors);

// The space of parameters that are right. What is wrong with a condition is said at its own line; then the space is without.
[[nodiscard]] Space with_conditions(std::vector<Parameter> parameters, const std::vector<WrittenCondition>& where,
                                    FileErrors& errors);

}  // namespace salvo
