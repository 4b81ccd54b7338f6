#include "sample/candidates.h"

#include <algorithm>

#include "math/parallel.h"
#include "space/allowed.h"

namespace salvo {
namespace {

constexpr double kCandidateBytes = 128e6;  // that the candidates of an automatic number may take

}  // namespace

int default_candidates(const Encoding& space) {
  const double room = kCandidateBytes / (8.0 * space.num_dims());
  return std::max(500, static_cast<int>(std::min(500.0 * space.num_free(), room)));
}

Matrix random_points(const Encoding& space, Eigen::Index count, Key key) {
  Matrix X(count, space.num_dims());
  if (space.allowed()) {
    parallel_blocks(count, 64, [&](Eigen::Index begin, Eigen::Index end) {
      for (Eigen::Index i = begin; i < end; ++i) space.allowed()->draw(row_of(X, i), key.fold(static_cast<std::uint64_t>(i)));
    });
    return X;
  }
  Matrix U(count, space.num_free());
  key.fill_uniform({U.data(), static_cast<std::size_t>(U.size())});
  for (Eigen::Index i = 0; i < count; ++i) space.from_unit(row_of(U, i), row_of(X, i));
  return X;
}

Matrix first_point(const Encoding& space) {
  Matrix x = Matrix::Zero(1, space.num_dims());
  space.snap(row_of(x, 0));
  if (!space.allowed()) return x;
  while (space.next(row_of(x, 0))) continue;  // the first one comes after the last
  return x;
}

Matrix enumerate_points(const Encoding& space) {
  Matrix X(static_cast<Eigen::Index>(space.num_points()), space.num_dims());
  Matrix x = first_point(space);
  for (Eigen::Index i = 0; i < X.rows(); ++i) {
    X.row(i) = x;
    (void)space.next(row_of(x, 0));
  }
  return X;
}

}  // namespace salvo
