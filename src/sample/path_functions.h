#pragma once
#include <salvo/paths.h>

#include <mutex>

#include "compute/rows.h"
#include "sample/functions.h"

namespace salvo {

// Sample paths, which must live as long.
class PathFunctions : public Functions {
 public:
  explicit PathFunctions(const Paths& paths);

  [[nodiscard]] bool kinked() const override { return kernel().type == KernelType::matern12; }
  // With gradients the waves of one frequency are merged: half the work, and another rounding.
  void evaluate(const Matrix& X, const std::vector<int>& index, Vector& values, Matrix* gradients = nullptr) const override;
  [[nodiscard]] Matrix values(const Matrix& X) const override { return paths_.values(X); }
  // In single precision (error about 3e-4 of the spread): good enough to choose where a search begins, at twice the speed.
  [[nodiscard]] std::vector<int> best_candidates(const std::vector<int>& members, const Matrix& C, int num_blocks) const override;
  [[nodiscard]] bool is_sum() const override { return is_additive(kernel().type); }
  // Of a sum what one coordinate adds changes alone: O(M/d + m) for a place.
  void along(int function, std::span<const double> x, int e, std::span<const double> places,
             std::span<double> values) const override;
  // By differences: O(M + m) for a change, however many coordinates there are.
  void changed(const Encoding& space, int function, std::span<const double> x, std::span<const Change> changes,
               std::span<double> values) const override;

 private:
  [[nodiscard]] double share(int function, int e, double at, Eigen::ArrayXd& k, Eigen::ArrayXd& scratch) const;
  const Paths& paths_;
  ScaledPoints<double> W_, Z_;
  std::vector<std::vector<int>> waves_;  // of a sum: those that move along each coordinate
  mutable std::once_flag once_;
  mutable Paths merged_;  // made by the first who needs it
};

}  // namespace salvo
