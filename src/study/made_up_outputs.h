#pragma once
#include <salvo/output.h>
#include <salvo/trial.h>

#include <vector>

namespace salvo {

// A made-up value of each output, from one number: objectives have it, constraints hold by its size, what passes or fails passes.
[[nodiscard]] Values made_up_values(double value, const std::vector<Output>& outputs);

}  // namespace salvo
