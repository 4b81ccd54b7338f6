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

// Throws std::invalid_argument: there is no such trial, it is pending, or it has a value and is to be pending.
void require_correctable(const std::optional<Trial>& trial, const Correction& correction, std::int64_t num_trials);
// Whether a trial counts again that did not: its point may have been handed out meanwhile.
bool comes_back(const Trial& trial, const Correction& correction);
// Throws std::invalid_argument: a trial that comes back has a point that is pending as another one.
void require_free(const Trial& trial, std::span<const Trial> pending);

double seconds_since_1970();  // as stores keep times

}  // namespace salvo
