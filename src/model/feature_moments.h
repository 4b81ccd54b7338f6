#pragma once
#include <salvo/features.h>

namespace salvo {

// AAt += ΦᵀΦ/τ (lower triangle) and Ay += Φᵀy/τ, streamed over the rows of X in chunks: memory O(m² + chunk·m).
void add_features(const Eigenfunctions& functions, double noise, const Matrix& X, const Vector& y, Matrix& AAt, Vector& Ay);

}  // namespace salvo
