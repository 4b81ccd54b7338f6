#pragma once
#include <salvo/space.h>

#include <cstdint>
#include <string>

// What the schema and the encoding both ask of a parameter.
namespace salvo {

// Throws std::invalid_argument: parameter "rate": expected a number from 0 to 1, got 2.
[[noreturn]] void refuse_value(const Parameter& parameter, const std::string& got);

[[nodiscard]] const std::vector<Value>* choices_of(const Domain& domain);  // null for what has none
[[nodiscard]] std::int64_t num_levels(const Domain& domain);               // 0 for what has none
[[nodiscard]] double num_values(const Domain& domain);                     // infinity for a float without a grid
// Which choice it is; throws std::invalid_argument when it is none.
[[nodiscard]] std::int64_t choice_index(const Parameter& parameter, const Value& value);

}  // namespace salvo
