#pragma once
#include <salvo/study.h>

#include <string>

namespace salvo {

inline constexpr int kFewestInducing = 125;  // of an automatic m: up to as many observations the model is exact

// What the model summarises the data by; an automatic m is the first of 125, 250, 500, … for which θ/τ ≤ max_kl at the
// hyperparameters given, within max_inducing and a budget of operations: sizes decide, never the clock. `words` says what
// was found.
[[nodiscard]] Matrix choose_points(const ModelOptions& model, const Hyperparameters& hyper, const Matrix& X, const Vector& y,
                                   Key key, std::string& words);
[[nodiscard]] Eigenfunctions choose_eigenfunctions(const ModelOptions& model, const Hyperparameters& hyper, const Matrix& X,
                                                   std::string& words);

}  // namespace salvo
