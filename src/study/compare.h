#pragma once
#include <salvo/study.h>

#include <string>

namespace salvo {

void check_path(const std::string& path);  // throws std::invalid_argument: empty, or with a NUL byte

// Throws InputError that says what differs when `wanted` is another study than `stored`: space, direction or seed.
void require_same_study(const StudyOptions& stored, const StudyOptions& wanted, const std::string& path);

// Whether name, batch, initial design and model, which may change in the life of a study, are equal.
[[nodiscard]] bool same_settings(const StudyOptions& a, const StudyOptions& b);

}  // namespace salvo
