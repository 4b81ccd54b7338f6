#include "sample/around.h"

#include <algorithm>
#include <cmath>

#include "sample/candidates.h"
#include "sample/taken.h"

namespace salvo {
namespace {

using Index = Eigen::Index;
constexpr Index kCandidates = 50;  // for a function to choose from: few, so that they lie on all sides of the centre
constexpr double kHalf = 0.2;      // half the box's side, in length-scales; less beyond six dimensions, lest its corners
constexpr double kDimensions = 6;  // leave the basin

// The member with its continuous coordinates inside the box; discrete ones stay what its function wants.
Matrix neighbours(const Encoding& space, const Vector& half, const Eigen::RowVectorXd& centre, const Eigen::RowVectorXd& member,
                  Key key) {
  Matrix X = random_points(space, kCandidates, key);
  for (Index i = 0; i < X.rows(); ++i) {
    const Eigen::RowVectorXd u = X.row(i);
    X.row(i) = member;
    for (const int e : space.continuous_dims()) {
      const double low = std::max(0.0, centre(e) - half(e)), high = std::min(1.0, centre(e) + half(e));
      X(i, e) = low + (high - low) * u(e);
    }
    space.snap(row_of(X, i));
  }
  return X;
}

}  // namespace

void look_around(const Functions& functions, const Encoding& space, const Eigen::RowVectorXd& centre, double share,
                 const Matrix& taken, Matrix& batch, Key key) {
  if (space.continuous_dims().empty()) return;
  const Vector& ell = functions.kernel().lengthscales;
  const Vector half = kHalf * std::sqrt(std::min(1.0, kDimensions / static_cast<double>(space.continuous_dims().size()))) * ell;
  Taken used(taken);
  for (Index b = 0; b < batch.rows(); ++b) used.insert(row_of(batch, b));
  for (Index b = 0; b < batch.rows(); ++b) {
    const auto number = static_cast<std::uint64_t>(b);
    const double distance = ((batch.row(b) - centre).transpose().array() / ell.array()).matrix().squaredNorm();
    if (distance >= 1 || key.fold("share").uniform(number) >= share) continue;
    const Matrix X = neighbours(space, half, centre, batch.row(b), key.fold("points").fold(number));
    Vector f;
    functions.evaluate(X, std::vector<int>(static_cast<std::size_t>(X.rows()), static_cast<int>(b)), f);
    (void)take_best(X, f, used, batch.row(b));  // where all are taken it stays where it is
  }
}

}  // namespace salvo
