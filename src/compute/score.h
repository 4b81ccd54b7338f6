#pragma once
#include <salvo/features.h>
#include <salvo/kernel.h>

#include <vector>

namespace salvo::compute {

// B functions as weighted sums of shared features, up to a constant: f_b(x) = cos(Wx + b)ᵀ w_b + Φ(x)ᵀ e_b + k_xZ v_b, and what
// all of them have in common. A part that is not there has no columns. Refers to what it is made of.
struct FeatureSums {
  const Kernel& kernel;
  const Matrix& W;                 // [M,d]
  const Vector& b;                 // [M]
  const Eigenfunctions& eigen;     // Φ
  const Matrix& Z;                 // [m,d]
  const Matrix& w;                 // [B,M]
  const Matrix& e;                 // [B,E]
  const Matrix& v;                 // [B,m]
  const Vector* common = nullptr;  // [n] at the rows of C
};

// Splits the rows of C into num_blocks runs of equal length and gives, for every run and function, the row where the function
// is highest: [num_blocks][B]. In single precision (error about 3e-4 of the spread): good enough to choose where a
// search begins, at twice the speed. Never holds more than a few hundred rows of features.
[[nodiscard]] std::vector<int> best_candidates(const FeatureSums& functions, const Matrix& C, int num_blocks);

}  // namespace salvo::compute
