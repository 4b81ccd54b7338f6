#pragma once
#include <salvo/options.h>

#include <string>

namespace salvo {

// Throws InputError that says what differs when `wanted` is another study than `stored`: a space or a pool, which pool, outputs
// or seed. Another space is Study::review_space's to judge.
void require_same_study(const StudyOptions& stored, const StudyOptions& wanted, const std::string& path);

// What a study goes on with: a search of the whole box stays one, since a trust region would have to begin anew.
[[nodiscard]] StudyOptions going_on(const StudyOptions& stored, StudyOptions wanted);

}  // namespace salvo
