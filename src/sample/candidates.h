#pragma once
#include <salvo/encoding.h>
#include <salvo/random.h>

#include <span>

namespace salvo {

[[nodiscard]] inline std::span<double> row_of(Matrix& X, Eigen::Index i) {
  return {X.row(i).data(), static_cast<std::size_t>(X.cols())};
}

// 500 per parameter as long as they fit into 128 MB, which some 180 floats fill.
[[nodiscard]] int default_candidates(const Encoding& space);
// Uniformly random valid points; in a finite space some may be equal.
[[nodiscard]] Matrix random_points(const Encoding& space, Eigen::Index count, Key key);

constexpr double kEnumerate = 8192;  // finite spaces up to this size are searched exhaustively

// Finite spaces: the first point in the order of Encoding::next, all in that order.
[[nodiscard]] Matrix first_point(const Encoding& space);
[[nodiscard]] Matrix enumerate_points(const Encoding& space);

}  // namespace salvo
