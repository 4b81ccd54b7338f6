#pragma once
#include <salvo/matrix.h>

#include <functional>
#include <vector>

namespace salvo {

// What a search has seen of the curvature of f: its last steps and how the gradient of −f changed along each, oldest
// first. A later search of nearly the same function begins with it, and so with steps of the right length.
struct Curvature {
  Matrix steps{}, changes{};  // [k,d]
};

struct LbfgsOptions {
  int max_evaluations = 50;  // of each problem
  int history = 8;           // pairs kept
  double tolerance = 1e-9;   // stop when an accepted step gains less, or the next one promises half of it
  double first_step = 0.1;   // length of the first step, in the units of x
  Curvature curvature{};     // that every problem begins with
};

struct LbfgsResult {
  Matrix X;                          // [K,d]
  Vector f;                          // [K]
  std::vector<int> num_evaluations;  // [K]
  Curvature curvature;               // of the first problem, as it ended
};

// f and gradients of problem which[a] at row a of X; values that are not finite count as −∞.
using BatchFunction = std::function<void(const Matrix& X, const std::vector<int>& which, Vector& f, Matrix& G)>;

// Maximises K functions over boxes low ≤ x ≤ high by projected L-BFGS, all in lock-step: every round evaluates all
// problems that are still running in one batch. X0, low, high are [K,d]; a coordinate with low = high stays.
[[nodiscard]] LbfgsResult lbfgs_maximise(const BatchFunction& function, const Matrix& X0, const Matrix& low, const Matrix& high,
                                         const LbfgsOptions& options);

}  // namespace salvo
