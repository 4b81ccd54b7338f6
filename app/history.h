#pragma once
#include <salvo/study.h>

#include <optional>
#include <string>

namespace salvo::app {

[[nodiscard]] std::string in_words(const std::optional<Outcome>& outcome,
                                   const Outputs& outputs);  // 4.1, failed (the pump), abandoned, pending

// What was put right, a row each.
[[nodiscard]] std::string history_header(const Outputs& outputs);
[[nodiscard]] std::string history_csv(const Amendment& change, const Outputs& outputs);
[[nodiscard]] std::string history_json(const Amendment& change, const Outputs& outputs);

// The same of a change of the parameters, which is no trial's.
[[nodiscard]] std::string history_csv(const SpaceChange& change, const Outputs& outputs);
[[nodiscard]] std::string history_json(const SpaceChange& change, const Outputs& outputs);

// And of what the study expects.
[[nodiscard]] std::string history_csv(const PriorChange& change, const Outputs& outputs);
[[nodiscard]] std::string history_json(const PriorChange& change, const Outputs& outputs);

}  // namespace salvo::app
