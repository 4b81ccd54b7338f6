#pragma once
#include "search/learned.h"

namespace salvo {

// Of these two `kernel = "auto"` chooses. Not se: where its evidence is the highest (Hartmann-6) its paths are too sure of
// what lies between the data, and end no better (docs/how-it-works.md, "Smooth or rough").
inline constexpr KernelType kSmooth = KernelType::matern52, kRough = KernelType::matern32;

// What a fit begins with when nothing was learned before: its hyperparameters, in the anchor's units.
[[nodiscard]] Hyperparameters first_guess(const Learning& learning, KernelType type);

}  // namespace salvo
