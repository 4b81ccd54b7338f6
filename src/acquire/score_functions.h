#pragma once
#include "acquire/belief.h"
#include "sample/functions.h"

namespace salvo {

// A score of a belief, as the one function to climb. The belief must live as long.
class ScoreFunctions : public Functions {
 public:
  ScoreFunctions(const Belief& belief, Score score);

  void evaluate(const Matrix& X, const std::vector<int>& index, Vector& values, Matrix* gradients = nullptr) const override;
  // Screens all candidates in the precision of Belief::moments and evaluates those in front, all only where one of the others
  // may be the best.
  [[nodiscard]] std::vector<int> best_candidates(const std::vector<int>& members, const Matrix& C, int num_blocks) const override;

 private:
  [[nodiscard]] Eigen::Index best_of(const Matrix& X) const;

  const Belief& belief_;
  Score score_;
};

}  // namespace salvo
