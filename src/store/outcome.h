#pragma once
#include <salvo/trial.h>

#include <span>

namespace salvo {

// Throws std::invalid_argument: a value that is not finite, or not one for each of the outputs, or another number that is
// called as one of them.
void validate(const Told& told, std::span<const std::string> outputs);
void validate(const Values& values, std::span<const std::string> outputs, const std::string& where);

// Throws std::invalid_argument: there is no such trial, or it has an outcome already, which one and since when.
void require_pending(const std::optional<Trial>& trial, std::int64_t id, std::int64_t num_trials);

double seconds_since_1970();  // as stores keep times

}  // namespace salvo
