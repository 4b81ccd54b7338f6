#include "study/sobol_indices.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "math/sobol.h"
#include "sample/candidates.h"

namespace salvo {
namespace {

using Index = Eigen::Index;

constexpr Index kBlocks = 8;     // of points, whose means apart say how far the mean of all may be off
constexpr double kFlat = 1e-20;  // a variance below this share of the squared values is rounding

// Two points in each row, one behind the other.
Matrix pairs(int num_points, int num_free, Key key) {
  if (2 * num_free <= kMaxSobolDims) return sobol(0, num_points, 2 * num_free, key);
  Matrix U(num_points, 2 * num_free);
  key.fill_uniform({U.data(), static_cast<std::size_t>(U.size())});
  return U;
}

Matrix encoded(const Encoding& space, Matrix u) {
  Matrix X(u.rows(), space.num_dims());
  for (Index i = 0; i < u.rows(); ++i) space.from_unit(row_of(u, i), row_of(X, i));
  return X;
}

// First coordinate and number of coordinates of each parameter that varies.
std::vector<std::pair<Index, Index>> coordinates_of(const Encoding& space) {
  std::vector<std::pair<Index, Index>> out;
  for (int i = 0; i < static_cast<int>(space.space().parameters().size()); ++i) {
    const Parameter& parameter = space.space().parameters()[static_cast<std::size_t>(i)];
    if (std::holds_alternative<Fixed>(parameter.domain) || space.space().follows(i)) continue;
    const auto discrete = std::find_if(space.discretes().begin(), space.discretes().end(),
                                       [&](const Encoding::Discrete& each) { return each.parameter == i; });
    out.emplace_back(space.offset(i), discrete == space.discretes().end() ? 1 : discrete->width);
  }
  return out;
}

// A standard deviation of the mean of all terms, from the means of blocks of them: consecutive points of the sequence fill the
// space as evenly as all of them do, so blocks differ less than random points would, and still more than all.
double error_of_mean(const Vector& sums, Index num_terms) {
  const Vector means = sums * static_cast<double>(kBlocks) / static_cast<double>(num_terms);
  return std::sqrt((means.array() - means.mean()).square().sum() / static_cast<double>(kBlocks * (kBlocks - 1)));
}

double ratio(double effect, double variance) { return variance > 0 ? std::max(0.0, effect / variance) : 0.0; }

}  // namespace

// docs/math.md §15: f(B)(f(A_B) − f(A)) for the first order, ½(f(A) − f(A_B))² for the total.
SobolIndices sobol_indices(const std::function<Matrix(const Matrix&)>& functions, const Encoding& space, int num_points,
                           Key key) {
  const Index d = space.num_free(), N = num_points / kBlocks * kBlocks;
  const Matrix U = pairs(static_cast<int>(N), space.num_free(), key);
  Matrix A, B;  // [N,F]
  const auto each_chunk = [&](const auto& use) {
    for (Index begin = 0; begin < N; begin += kSobolRows) {
      const Index rows = std::min(kSobolRows, N - begin);
      use(begin, rows, encoded(space, U.block(begin, 0, rows, d)), encoded(space, U.block(begin, d, rows, d)));
    }
  };
  each_chunk([&](Index begin, Index rows, const Matrix& at_a, const Matrix& at_b) {
    const Matrix a = functions(at_a), b = functions(at_b);
    if (begin == 0) A.resize(N, a.cols());
    if (begin == 0) B.resize(N, a.cols());
    A.middleRows(begin, rows) = a;
    B.middleRows(begin, rows) = b;
  });
  const Index F = A.cols();
  Vector variance(F);
  for (Index f = 0; f < F; ++f) {  // centred, f(B) lets less chance into the products
    const double largest = std::max(A.col(f).cwiseAbs().maxCoeff(), B.col(f).cwiseAbs().maxCoeff());
    const double centre = 0.5 * (A.col(f).mean() + B.col(f).mean());
    B.col(f).array() -= centre;
    variance(f) = 0.5 * ((A.col(f).array() - centre).square().mean() + B.col(f).squaredNorm() / static_cast<double>(N));
    if (variance(f) <= kFlat * largest * largest) variance(f) = 0;
  }
  const auto coordinates = coordinates_of(space);
  Matrix first = Matrix::Zero(F, d), total = Matrix::Zero(F, d);                            // sums over all points …
  Matrix first_blocks = Matrix::Zero(kBlocks, d), total_blocks = Matrix::Zero(kBlocks, d);  // … and blocks of them
  each_chunk([&](Index begin, Index rows, const Matrix& at_a, const Matrix& at_b) {
    for (Index i = 0; i < d; ++i) {
      const auto [from, width] = coordinates[static_cast<std::size_t>(i)];
      Matrix X = at_a;  // A_B: the point of A, parameter i of B
      X.middleCols(from, width) = at_b.middleCols(from, width);
      const Matrix D = functions(X) - A.middleRows(begin, rows);  // [rows,F]
      const Matrix P = D.cwiseProduct(B.middleRows(begin, rows)), H = 0.5 * D.array().square();
      first.col(i) += P.colwise().sum().transpose();
      total.col(i) += H.colwise().sum().transpose();
      for (Index k = 0; k < rows; ++k) {
        const Index block = (begin + k) * kBlocks / N;
        first_blocks(block, i) += P(k, 0);
        total_blocks(block, i) += H(k, 0);
      }
    }
  });
  SobolIndices out{Matrix::Zero(F, d), Matrix::Zero(F, d), Vector::Zero(d), Vector::Zero(d)};
  for (Index i = 0; i < d; ++i) {
    for (Index f = 0; f < F; ++f) {
      out.first(f, i) = ratio(first(f, i) / static_cast<double>(N), variance(f));
      out.total(f, i) = ratio(total(f, i) / static_cast<double>(N), variance(f));
    }
    out.first_error(i) = ratio(error_of_mean(first_blocks.col(i), N), variance(0));
    out.total_error(i) = ratio(error_of_mean(total_blocks.col(i), N), variance(0));
  }
  return out;
}

}  // namespace salvo
