#pragma once
#include "search/learned.h"

namespace salvo {

// A fit that begins where the last one ended stays on its hill of the evidence, with its kernel and its structure. These begin
// elsewhere, and change what was learned where that is clearly better.

// From the first guess.
void fit_afresh(SpaceLearned& now, const Learning& learning, const Block& all);

// Whether the values choose the kernel.
[[nodiscard]] bool chooses_kernel(const ModelOptions& model);
// The kernel that their choice begins with.
[[nodiscard]] KernelType kernel_before(const Learning& learning, const SpaceLearned* previous);
// exact: Z is all points. At most so many evaluations of the bound of a sparse model follow a change.
void try_other_kernel(SpaceLearned& now, const Learning& learning, const Block& all, bool exact, int max_evaluations = 15);
void try_other_structure(SpaceLearned& now, const Learning& learning, const Block& all, bool exact, int max_evaluations = 15);

}  // namespace salvo
