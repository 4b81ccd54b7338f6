#include <cmath>

#include "backend.h"
#include "support/data.h"
#include "support/reference.h"

namespace salvo {
namespace {

using testing::uniform;
class EveryBackendsCandidates : public testing::EveryBackend {};
INSTANTIATE_TEST_SUITE_P(Backends, EveryBackendsCandidates, ::testing::ValuesIn(testing::kBackends), testing::backend_name);

// Functions of all three parts, or of some.
struct Parts {
  Kernel kernel = testing::hyper(KernelType::matern52, 2).kernel;
  Matrix W, Z, w, e, v;
  Vector b;
  Eigenfunctions eigen;

  Parts(bool waves, bool functions, bool kernels) {
    const Eigen::Index B = 9, M = waves ? 70 : 0, E = functions ? 12 : 0, m = kernels ? 30 : 0;
    W = 10 * uniform(M, 2, Key(1)).array() - 5;
    b = 6 * uniform(M, 1, Key(2)).col(0);
    Z = uniform(m, 2, Key(3));
    w = uniform(B, M, Key(4)).array() - 0.5;
    e = uniform(B, E, Key(5)).array() - 0.5;
    v = uniform(B, m, Key(6)).array() - 0.5;
    eigen.kernel = kernel;
    eigen.centre = Vector::Constant(2, 0.5);
    eigen.width = Vector::Constant(2, 0.8);
    eigen.scale = uniform(E, 1, Key(7)).col(0);
    eigen.index.resize(E, 2);
    for (int j = 0; j < eigen.size(); ++j) eigen.index.row(j) << j % 4, j / 4;
  }
  [[nodiscard]] compute::FeatureSums sums() const { return {kernel, W, b, eigen, Z, w, e, v}; }

  // Every function at every row of C, term by term.
  [[nodiscard]] Matrix values(const Matrix& C) const {
    Matrix V = Matrix::Zero(C.rows(), w.rows());
    for (Eigen::Index i = 0; i < C.rows(); ++i)
      for (Eigen::Index p = 0; p < w.rows(); ++p) {
        for (Eigen::Index r = 0; r < W.rows(); ++r) V(i, p) += w(p, r) * std::cos(W.row(r).dot(C.row(i)) + b(r));
        for (Eigen::Index j = 0; j < Z.rows(); ++j) V(i, p) += v(p, j) * reference::kernel(kernel, C.row(i), Z.row(j));
        for (int j = 0; j < eigen.size(); ++j) {
          double phi = eigen.scale(j);
          for (Eigen::Index d = 0; d < 2; ++d)
            phi *= std::sin((eigen.index(j, d) + 1) * std::numbers::pi * (C(i, d) - 0.5 + 0.8) / 1.6) / std::sqrt(0.8);
          V(i, p) += e(p, j) * phi;
        }
      }
    return V;
  }
};

TEST_P(EveryBackendsCandidates, BestCandidatesAreTheHighestOfTheirRun) {
  for (const Parts& parts : {Parts(true, false, true), Parts(false, true, true), Parts(true, true, true),
                             Parts(true, false, false), Parts(false, false, true)})
    for (const int runs : {1, 7}) {
      const Matrix C = uniform(2110, 2, Key(8)), V = parts.values(C);
      const Eigen::Index length = C.rows() / runs;  // what is left over belongs to no run
      const std::vector<int> best = GetParam().best_candidates(parts.sums(), C, runs);
      ASSERT_EQ(best.size(), static_cast<std::size_t>(runs * 9));
      for (int k = 0; k < runs; ++k)
        for (int p = 0; p < 9; ++p) {
          const int row = best[static_cast<std::size_t>(k * 9 + p)];
          ASSERT_EQ(row / length, k);
          EXPECT_NEAR(V(row, p), V.col(p).segment(k * length, length).maxCoeff(), 1e-4);  // single precision
        }
    }
}

TEST_P(EveryBackendsCandidates, OfEqualCandidatesTheFirstIsTaken) {
  const Parts parts(true, false, true);
  const Matrix once = uniform(40, 2, Key(9));
  const Matrix C = once.replicate(10, 1);
  for (const int row : GetParam().best_candidates(parts.sums(), C, 1)) EXPECT_LT(row, 40);
}

TEST_P(EveryBackendsCandidates, BestCandidatesAreTheSameOnAnyNumberOfThreads) {
  const Parts parts(true, true, true);
  const Matrix C = uniform(3000, 2, Key(10));
  const auto [one, three] = testing::on_one_and_three_threads([&] { return GetParam().best_candidates(parts.sums(), C, 4); });
  EXPECT_EQ(one, three);
}

}  // namespace
}  // namespace salvo
