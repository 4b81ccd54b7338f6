#include "sample/sweep.h"

#include <algorithm>
#include <cmath>

#include "math/parallel.h"
#include "sample/candidates.h"

namespace salvo {
namespace {

using Index = Eigen::Index;
constexpr int kSweeps = 2;  // the second is for what the coordinates have to do with each other
constexpr double kFewestPlaces = 8, kMostPlaces = 64;
constexpr double kForALengthscale = 2;  // places

}  // namespace

void sweep(const Functions& functions, const std::vector<int>& index, const Matrix& low, const Matrix& high, Matrix& X) {
  const Vector& ell = functions.kernel().lengthscales;
  parallel_blocks(X.rows(), 1, [&](Index begin, Index end) {
    std::vector<double> places, values;
    for (Index i = begin; i < end; ++i)
      for (int round = 0; round < kSweeps; ++round)
        for (Index e = 0; e < X.cols(); ++e) {
          const double span = high(i, e) - low(i, e);
          if (!(span > 0)) continue;
          const auto count =
              static_cast<int>(std::clamp(std::ceil(kForALengthscale * span / ell(e)), kFewestPlaces, kMostPlaces));
          places.assign(1, X(i, e));  // where it is
          for (int k = 0; k < count; ++k) places.push_back(low(i, e) + span * (k + 0.5) / count);
          values.resize(places.size());
          functions.along(index[static_cast<std::size_t>(i)], row_of(X, i), static_cast<int>(e), places, values);
          X(i, e) = places[static_cast<std::size_t>(std::max_element(values.begin(), values.end()) - values.begin())];
        }
  });
}

}  // namespace salvo
