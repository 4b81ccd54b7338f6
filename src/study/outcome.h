#pragma once
#include <salvo/study.h>

namespace salvo {

void validate(const Outcome& outcome);  // throws std::invalid_argument: a value that is not finite, or both kinds of outcome

// Throws std::invalid_argument: the trial has an outcome already, which one and since when.
[[noreturn]] void refuse_second(const Trial& trial);

}  // namespace salvo
