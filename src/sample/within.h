#pragma once
#include <salvo/encoding.h>

#include <vector>

#include "sample/functions.h"

namespace salvo {

// Climbs of a space with conditions: each point stands for the allowed one nearest to it, as far as a climb can know, so that a
// step out of the region leads along its edge. Where every point is allowed nothing happens.
class Within {
 public:
  // Brings the rows of X into the region.
  Within(const Encoding& space, Matrix& X);
  // Gradients with respect to where the rows were.
  void turn(Matrix& gradients) const;

 private:
  struct Edge {
    Eigen::Index row;
    Matrix normals;  // of what holds it there [k,d]
  };
  std::vector<Edge> edges_;
};

// Functions at the points that those of X stand for.
void evaluate_within(const Functions& functions, const Encoding& space, const Matrix& X, const std::vector<int>& index,
                     Vector& values, Matrix* gradients = nullptr);

}  // namespace salvo
