#pragma once
#include <salvo/space.h>

#include <optional>
#include <string>
#include <string_view>

#include "text/numbers.h"

namespace salvo {

[[nodiscard]] std::optional<double> number(const Value& value);  // of an int or a double
[[nodiscard]] bool same_value(const Value& a, const Value& b);   // 3 and 3.0 are the same
[[nodiscard]] std::string quoted(const Value& value);            // for messages: "Pd", 3, true

// What a domain accepts, in words: "a number from 300 to 900", "one of "Pd", "Pt", "Ni"".
[[nodiscard]] std::string expectation(const Domain& domain);
// What it hands out: "a number from 300 to 900 in steps of 5".
[[nodiscard]] std::string offered(const Domain& domain);
// " in steps of 5", " with 2 significant digits"; empty where any number between the bounds is handed out.
[[nodiscard]] std::string grid_in_words(const Domain& domain);
// The value that may be handed out nearest to one that the domain accepts: the same but where there is a grid.
[[nodiscard]] Value nearest_offered(const Domain& domain, const Value& value);

}  // namespace salvo
