#pragma once
#include <salvo/features.h>

namespace salvo {

// AAt += ΦᵀΦ/τ (lower triangle) and Ay += Φᵀy/τ, streamed over the rows of X in chunks: memory O(m² + chunk·m).
// scale as in compute/gram.h: rows of Φ are multiplied by it, y is taken as it is.
void add_features(const Eigenfunctions& functions, double noise, const Matrix& X, const Vector& y, Matrix& AAt, Vector& Ay,
                  const Vector& scale = {});

}  // namespace salvo
