#include "compute/score.h"

#include <cblas.h>

#include <algorithm>
#include <limits>

#include "compute/rows.h"
#include "math/parallel.h"

namespace salvo::compute {

std::vector<int> best_candidates(const FeatureSums& functions, const Matrix& C, int num_blocks) {
  constexpr int kRows = 128;
  const int M = static_cast<int>(functions.W.rows()), m = static_cast<int>(functions.Z.rows()),
            B = static_cast<int>(functions.w.rows());
  const int E = functions.eigen.size(), d = static_cast<int>(C.cols()), width = M + E + m;
  const int block = static_cast<int>(C.rows()) / num_blocks, chunks = (block + kRows - 1) / kRows;
  const Vector ones = Vector::Ones(d);
  const ScaledPoints<float> W(functions.W, ones), Z(functions.Z, functions.kernel.lengthscales);
  const Eigen::VectorXf b = functions.b.cast<float>();
  const Eigen::ArrayXf inverse_lengthscales = functions.kernel.lengthscales.cwiseInverse().cast<float>();
  MatrixF weights(B, width);                                   // [B, M+E+m]
  if (M > 0) weights.leftCols(M) = functions.w.cast<float>();  // a part that is not there may have no rows either
  if (E > 0) weights.middleCols(M, E) = functions.e.cast<float>();
  if (m > 0) weights.rightCols(m) = functions.v.cast<float>();

  struct Best {
    float value;
    int row;
  };
  std::vector<Best> bests(static_cast<std::size_t>(num_blocks) * static_cast<std::size_t>(chunks) * static_cast<std::size_t>(B));
  parallel_for(static_cast<std::int64_t>(num_blocks) * chunks, [&](std::int64_t task) {
    const int first = static_cast<int>(task / chunks) * block;
    const int begin = first + static_cast<int>(task % chunks) * kRows, rows = std::min(kRows, first + block - begin);
    MatrixF F(rows, width), V(rows, B);
    Eigen::ArrayXf x(d), scaled(d);
    for (int i = 0; i < rows; ++i) {
      x = C.row(begin + i).transpose().cast<float>();
      scaled = x * inverse_lengthscales;
      if (M > 0) cosine_row(x.data(), W, b.data(), F.row(i).data());
      if (m > 0) kernel_row(functions.kernel.type, functions.kernel.variance, scaled.data(), Z, F.row(i).data() + M + E);
    }
    if (E > 0) F.middleCols(M, E) = functions.eigen.features(C.middleRows(begin, rows)).cast<float>();
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, rows, B, width, 1.0F, F.data(), width, weights.data(), width, 0.0F,
                V.data(), B);
    if (functions.common) V.colwise() += functions.common->segment(begin, rows).cast<float>();
    Best* best = bests.data() + task * B;
    for (int p = 0; p < B; ++p) best[p] = {-std::numeric_limits<float>::infinity(), begin};
    for (int i = 0; i < rows; ++i)
      for (int p = 0; p < B; ++p)
        if (V(i, p) > best[p].value) best[p] = {V(i, p), begin + i};
  });

  std::vector<int> rows(static_cast<std::size_t>(num_blocks) * static_cast<std::size_t>(B));
  for (int k = 0; k < num_blocks; ++k)
    for (int p = 0; p < B; ++p) {
      const auto at = [&](int c) -> const Best& {
        return bests[(static_cast<std::size_t>(k) * static_cast<std::size_t>(chunks) + static_cast<std::size_t>(c)) *
                         static_cast<std::size_t>(B) +
                     static_cast<std::size_t>(p)];
      };
      Best best = at(0);
      for (int c = 1; c < chunks; ++c)
        if (at(c).value > best.value) best = at(c);
      rows[static_cast<std::size_t>(k) * static_cast<std::size_t>(B) + static_cast<std::size_t>(p)] = best.row;
    }
  return rows;
}

}  // namespace salvo::compute
