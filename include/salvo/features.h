#pragma once
#include <salvo/kernel.h>
#include <salvo/matrix.h>

#include <string_view>

namespace salvo {

// Features of the prior, Φ(x)ᵀΦ(x') ≈ k(x,x') (docs/math.md §2): cosines with random frequencies and phases, sine and
// cosine of each random frequency, the same with orthogonal or quasi-random frequencies, eigenfunctions of the kernel.
// automatic, of least error at equal M: quasi-random up to 32 coordinates, orthogonal beyond (experiments/paper/features.cpp).
enum class FeatureType { automatic, fourier, fourier_pairs, orthogonal, quasi_random, eigen };
inline constexpr FeatureType kFeatureTypes[] = {FeatureType::automatic,  FeatureType::fourier,      FeatureType::fourier_pairs,
                                                FeatureType::orthogonal, FeatureType::quasi_random, FeatureType::eigen};
[[nodiscard]] std::string_view to_string(FeatureType type);
[[nodiscard]] FeatureType feature_type(std::string_view name);  // throws std::invalid_argument with the known names

// box: the Laplacian's eigenfunctions on an extension of the unit box (Hilbert-space form), for every stationary kernel.
// gaussian: Mercer's eigenfunctions under a Gaussian measure (Hermite functions), for the squared exponential alone.
// Arc-cosine kernels have step features instead; they are not functions of this kind.
enum class EigenType { automatic, box, gaussian };
inline constexpr EigenType kEigenTypes[] = {EigenType::automatic, EigenType::box, EigenType::gaussian};
[[nodiscard]] std::string_view to_string(EigenType type);
[[nodiscard]] EigenType eigen_type(std::string_view name);  // throws std::invalid_argument with the known names

using IndexMatrix = Eigen::Matrix<int, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// The M leading eigenfunctions of a kernel over the unit box, as features: Φ_j(x) = √λ_j φ_j(x), each φ_j a product of
// one-dimensional functions, by falling eigenvalue.
struct Eigenfunctions {
  EigenType type = EigenType::box;
  Kernel kernel;
  Vector centre, width;  // [d] middle and half-width of the extended box; mean and deviation of the measure
  IndexMatrix index;     // [M,d] which function of each coordinate, from 0
  Vector scale;          // [M] √λ_j

  [[nodiscard]] int size() const { return static_cast<int>(index.rows()); }
  [[nodiscard]] int num_dims() const { return static_cast<int>(index.cols()); }
  [[nodiscard]] Matrix features(const Matrix& X) const;  // [n,M]
  // ∂log λ_j/∂log ℓ_d [M,d]; with respect to log σ² it is 1.
  [[nodiscard]] Matrix log_eigenvalue_gradient() const;
  // ∂Φ_j/∂log ℓ_d at fixed λ_j [n,M]: zero for the box, whose functions do not depend on the kernel.
  [[nodiscard]] Matrix shape_gradient(const Matrix& X, int d) const;
  // Mean of Φ(x)ᵀΦ(x)/σ² over the unit box: the share of the prior's variance that these functions carry.
  [[nodiscard]] double captured() const;
  // The same functions of the same box or measure for other hyperparameters.
  [[nodiscard]] Eigenfunctions retuned(const Kernel& other) const;
};

// Throws std::invalid_argument when the kernel has no such functions, or the dimension is beyond all hope.
[[nodiscard]] Eigenfunctions eigenfunctions(EigenType type, const Kernel& kernel, int num_features);
// The functions given, then those of the same box or measure that come next.
[[nodiscard]] Eigenfunctions extended(const Eigenfunctions& given, int num_features);

// Throws std::invalid_argument, saying what would work instead, when `functions` carry less than `share` of the prior's
// variance. Low dimension only: the number needed grows as a power of it.
void require_captured(const char* where, const Eigenfunctions& functions, double share);

}  // namespace salvo
