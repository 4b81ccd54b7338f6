#include "sample/functions.h"

#include <algorithm>

#include "sample/candidates.h"

namespace salvo {

using Index = Eigen::Index;

Matrix Functions::values(const Matrix& X) const {
  Matrix out(X.rows(), size());
  Vector column;
  for (int b = 0; b < size(); ++b) {
    evaluate(X, std::vector<int>(static_cast<std::size_t>(X.rows()), b), column);
    out.col(b) = column;
  }
  return out;
}

std::vector<int> Functions::best_candidates(const std::vector<int>& members, const Matrix& C, int num_blocks) const {
  const Index block = C.rows() / num_blocks;
  std::vector<int> rows;
  for (int k = 0; k < num_blocks; ++k) {
    const Matrix run = C.middleRows(k * block, block);
    for (const int member : members) {
      Vector f;
      evaluate(run, std::vector<int>(static_cast<std::size_t>(block), member), f);
      rows.push_back(static_cast<int>(k * block + std::distance(f.begin(), std::max_element(f.begin(), f.end()))));
    }
  }
  return rows;
}

void Functions::along(int function, std::span<const double> x, int e, std::span<const double> places,
                      std::span<double> values) const {
  const Matrix X = moved_along(x, e, places);
  Vector f;
  evaluate(X, std::vector<int>(places.size(), function), f);
  std::copy(f.begin(), f.end(), values.begin());
}

Matrix moved_along(std::span<const double> x, int e, std::span<const double> places) {
  Matrix out(std::ssize(places), std::ssize(x));
  for (Index i = 0; i < out.rows(); ++i) {
    std::copy(x.begin(), x.end(), out.row(i).data());
    out(i, e) = places[static_cast<std::size_t>(i)];
  }
  return out;
}

void Functions::changed(const Encoding& space, int function, std::span<const double> x, std::span<const Change> changes,
                        std::span<double> values) const {
  Matrix N(std::ssize(changes), std::ssize(x));
  for (Index i = 0; i < N.rows(); ++i) {
    const Change& change = changes[static_cast<std::size_t>(i)];
    std::copy(x.begin(), x.end(), N.row(i).data());
    space.set_level(change.discrete, change.level, row_of(N, i));
  }
  Vector f;
  evaluate(N, std::vector<int>(changes.size(), function), f);
  std::copy(f.begin(), f.end(), values.begin());
}

}  // namespace salvo
