#pragma once
#include <salvo/paths.h>

#include "sample/path_functions.h"

namespace salvo {

// Where each function of a search may not go: wherever its own path g_b is below least(b). There it counts as lower, the farther
// below the lower (docs/math.md §17), so that a climb that begins outside comes in.
class Limit {
 public:
  // `height` is what a function loses for each unit that g_b is short of least(b); many times what it varies by.
  Limit(Paths g, Vector least, double height);
  Limit(const Limit&) = delete;
  Limit& operator=(const Limit&) = delete;

  // Lowers the values of functions index[k] at row k of X, and their gradients.
  void lower(const Matrix& X, const std::vector<int>& index, Vector& values, Matrix* gradients = nullptr) const;
  void lower(const Matrix& X, Matrix& values) const;  // [n,B], every function at every row
  void lower_changed(const Encoding& space, int function, std::span<const double> x, std::span<const Change> changes,
                     std::span<double> values) const;

 private:
  struct Loss {
    double value = 0, slope = 0;  // slope: with respect to g
  };
  [[nodiscard]] Loss loss(double g, double least) const;
  Paths g_;
  PathFunctions functions_;
  Vector least_;
  double height_;
};

// Functions with a limit, or as they are where there is none. Both must live as long.
class LimitedFunctions : public Functions {
 public:
  LimitedFunctions(const Functions& functions, const Limit* limit)
      : Functions(functions.size(), functions.kernel(), functions.tolerance()), functions_(functions), limit_(limit) {}

  [[nodiscard]] bool kinked() const override { return functions_.kinked(); }
  void evaluate(const Matrix& X, const std::vector<int>& index, Vector& values, Matrix* gradients = nullptr) const override;
  [[nodiscard]] Matrix values(const Matrix& X) const override;
  [[nodiscard]] std::vector<int> best_candidates(const std::vector<int>& members, const Matrix& C, int num_blocks) const override;
  void changed(const Encoding& space, int function, std::span<const double> x, std::span<const Change> changes,
               std::span<double> values) const override;
  [[nodiscard]] bool is_sum() const override { return functions_.is_sum(); }
  void along(int function, std::span<const double> x, int e, std::span<const double> places,
             std::span<double> values) const override;

 private:
  const Functions& functions_;
  const Limit* limit_;
};

}  // namespace salvo
