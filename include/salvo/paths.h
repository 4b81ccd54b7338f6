#pragma once
#include <salvo/matrix.h>
#include <salvo/random.h>
#include <salvo/space.h>
#include <salvo/sparse_gp.h>

#include <vector>

namespace salvo {

// B sample paths of the posterior by rule (5) (docs/math.md §5): f̃_b(x) = c₀ + Φ(x)ᵀ w_b + k_xZ v_b.
// A path is a function: it can be evaluated and differentiated anywhere, at O(M + m) a point.
struct Paths {
  Kernel kernel;
  double mean = 0;  // c₀
  Matrix W;         // [M,d] frequencies, divided by the length-scales
  Vector b;         // [M] phases
  Matrix Z;         // [m,d]
  Matrix w;         // [B,M] prior weights, √(2σ²/M)·α folded in
  Matrix v;         // [B,m] update weights
  [[nodiscard]] int size() const { return static_cast<int>(w.rows()); }

  [[nodiscard]] Matrix values(const Matrix& X) const;  // [n,B], every path at every row
  // Path index[k] at row k: values [K] and, when asked for, gradients [K,d].
  void evaluate(const Matrix& X, const std::vector<int>& index, Vector& values, Matrix* gradients = nullptr) const;
};

struct PathOptions {
  int num_paths = 1;        // B
  int num_features = 1000;  // M
  double alpha = 1.0;       // scales the spread and leaves the mean
  void validate() const;
};

[[nodiscard]] Paths draw_paths(const SparseGp& gp, const PathOptions& options, Key key);

struct MaximiseOptions {
  int num_candidates = 0;   // shared by all paths; 0: 500 per dimension (at least 500, at most 128 MB)
  int num_starts = 10;      // local searches per path
  int max_iterations = 20;  // of each local search
  void validate() const;
};

// The maximiser of every path over the space: [B,d] valid encoded points, distinct from each other and from the
// rows of `taken`; a path whose best is taken gives its next best. Continuous coordinates move by gradient,
// discrete ones by exchange. Throws std::invalid_argument when the space has too few points left.
[[nodiscard]] Matrix maximise(const Paths& paths, const Space& space, const Matrix& taken, const MaximiseOptions& options,
                              Key key);

}  // namespace salvo
