#pragma once
#include <salvo/encoding.h>
#include <salvo/matrix.h>
#include <salvo/random.h>
#include <salvo/sparse_gp.h>

#include <vector>

namespace salvo {

// B sample paths of the posterior (docs/math.md §5), each the sum of up to three parts:
//   f̃_b(x) = c₀ + t(x) + cos(Wx + b)ᵀ w_b + Φ(x)ᵀ e_b + k_xZ v_b,   Φ eigenfunctions.
// Rule (5) is waves and k_xZ, or eigenfunctions and k_xZ; rule (6) is eigenfunctions alone; a part that is not there has
// no columns. A path is a function: it can be evaluated and differentiated anywhere, at O(M + m) a point.
struct Paths {
  Kernel kernel;
  double mean = 0;       // c₀
  Matrix W;              // [M,d] frequencies, divided by the length-scales
  Vector b;              // [M] phases
  Matrix own_b;          // [B,M] instead of b, where each path has its own; see merged_pairs
  Matrix Z;              // [m,d]
  Matrix w;              // [B,M] prior weights, √(2σ²/M)·α folded in
  Matrix v;              // [B,m] update weights
  Eigenfunctions eigen;  // Φ
  Matrix e;              // [B,M]
  Trend trend;           // t, which all paths share
  [[nodiscard]] int size() const { return static_cast<int>(w.rows()); }

  [[nodiscard]] Matrix values(const Matrix& X) const;  // [n,B], every path at every row
  // Path index[k] at row k: values [K] and, when asked for, gradients [K,d].
  void evaluate(const Matrix& X, const std::vector<int>& index, Vector& values, Matrix* gradients = nullptr) const;
};

// The same functions with one wave for each pair of features of one frequency: w cos φ + w' sin φ is a single cosine with an
// amplitude and a phase of its own. Half the work of evaluate() for all features that come in pairs; for it alone.
[[nodiscard]] Paths merged_pairs(Paths paths);

struct PathOptions {
  int num_paths = 1;                                // B
  int num_features = 1000;                          // M
  double alpha = 1.0;                               // scales the spread and leaves the mean
  FeatureType features = FeatureType::fourier;      // of rule (5); rule (6) has the model's own eigenfunctions
  EigenType eigenfunctions = EigenType::automatic;  // of features = eigen
  void validate() const;
};

// Rule (5) for a model with inducing points, rule (6) for one with inducing features, where num_features must not be
// below their number.
[[nodiscard]] Paths draw_paths(const SparseGp& gp, const PathOptions& options, Key key);

// How large M must be: doubles it, from 250 (with features of a model: from their number), until the standard deviations
// of paths agree with the model's own at check points in the unit box, up to `tolerance` of these (root mean square).
struct FeatureCount {
  int num_features = 0;
  double error = 0;  // that was reached
};
[[nodiscard]] FeatureCount choose_num_features(const SparseGp& gp, const PathOptions& options, double tolerance, int most,
                                               Key key);

// α_t = 2ũ_t(1/t²) of Theorem 1 (docs/math.md §5): ũ = 𝓑 + R √(2(γ + 1 + log t²)), with γ the information gain of the data
// conditioned on. rkhs_norm: 𝓑 of the objective in units of the signal's deviation, 0: that of the posterior mean.
// noise_bound: R in units of the noise's deviation, 1 for Gaussian noise.
[[nodiscard]] double theory_alpha(const SparseGp& gp, double step, double rkhs_norm, double noise_bound);

struct MaximiseOptions {
  int num_candidates = 0;   // shared by all paths; 0: 500 per dimension (at least 500, at most 128 MB)
  int num_starts = 10;      // local searches per path
  int max_iterations = 20;  // of each local search
  // More than this share of the batch does not go to one basin (points less than a length-scale apart), `taken` counted in:
  // the others take their best elsewhere, unless that is lower than their best by more than `reach` signal deviations.
  double max_share = 1;
  double reach = 1;
  void validate() const;
};

// The maximiser of every path over the space: [B,d] valid encoded points, distinct from each other and from the
// rows of `taken`; a path whose best is taken gives its next best. Continuous coordinates move by gradient,
// discrete ones by exchange. Throws std::invalid_argument when the space has too few points left.
[[nodiscard]] Matrix maximise(const Paths& paths, const Encoding& space, const Matrix& taken, const MaximiseOptions& options,
                              Key key);

}  // namespace salvo
