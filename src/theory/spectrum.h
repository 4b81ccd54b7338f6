#pragma once
#include <salvo/kernel.h>

#include <limits>
#include <vector>

namespace salvo {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

// ν of a Matérn kernel; infinity for the squared exponential.
[[nodiscard]] double smoothness(KernelType type);

// The expansion k = Σ λ_j φ_j φ_j of a kernel of unit variance and one length-scale on the unit cube, in the sine waves
// of a box that reaches `margin` beyond it (docs/theory.md). φ̄_j² is the same for all waves, so λ_j φ̄_j² falls with
// the frequency. The largest are computed one by one, what lies beyond them from the kernel's spectral distribution.
class Spectrum {
 public:
  // The wider the margin the smaller the error at the cube's border (`images`), which is at most `accuracy`.
  Spectrum(KernelType type, int num_dims, double lengthscale, double accuracy);

  // δ_m = Σ_{j>m} λ_j φ̄_j² plus the border's error: at least sup_x k(x,x) − Σ_{j≤m} λ_j φ_j(x)².
  [[nodiscard]] double tail(double m) const;
  // The smallest m with tail(m) ≤ target (times m + 1 where `weighted`); infinity when there is none.
  [[nodiscard]] double size_for(double target, bool weighted = false) const;

  [[nodiscard]] const std::vector<double>& masses() const { return masses_; }  // λ_j φ̄_j², falling
  [[nodiscard]] double images() const { return images_; }
  [[nodiscard]] double margin() const { return margin_; }

 private:
  [[nodiscard]] double tail_beyond(double frequency) const;  // of all waves above it, an upper bound
  [[nodiscard]] double log_count(double frequency) const;    // Weyl's law: how many waves lie below it
  [[nodiscard]] double log_mass(double frequency) const;
  KernelType type_;
  int num_dims_;
  double lengthscale_, margin_ = 0, length_ = 1, images_ = 0;
  std::vector<double> masses_, tails_;  // tails_[j] = Σ_{i≥j} masses_[i] + the rest
};

// The best of several margins, for every question: a narrow one has fewer waves, a wide one a smaller error at the border.
class Spectra {
 public:
  Spectra(KernelType type, int num_dims, double lengthscale);
  [[nodiscard]] double tail(double m) const;
  [[nodiscard]] double size_for(double target, bool weighted = false) const;

 private:
  std::vector<Spectrum> spectra_;
};

}  // namespace salvo
