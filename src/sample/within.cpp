#include "sample/within.h"

#include "sample/candidates.h"
#include "space/allowed.h"

namespace salvo {

Within::Within(const Encoding& space, Matrix& X) {
  if (!space.allowed()) return;
  for (Eigen::Index i = 0; i < X.rows(); ++i) {
    Matrix normals;
    if (space.allowed()->bring(row_of(X, i), &normals)) edges_.push_back({i, std::move(normals)});
  }
}

void Within::turn(Matrix& gradients) const {
  for (const Edge& edge : edges_)
    gradients.row(edge.row) -= (gradients.row(edge.row) * edge.normals.transpose() * edge.normals).eval();
}

void evaluate_within(const Functions& functions, const Encoding& space, const Matrix& X, const std::vector<int>& index,
                     Vector& values, Matrix* gradients) {
  if (!space.allowed()) return functions.evaluate(X, index, values, gradients);
  Matrix there = X;
  const Within within(space, there);
  functions.evaluate(there, index, values, gradients);
  if (gradients) within.turn(*gradients);
}

}  // namespace salvo
