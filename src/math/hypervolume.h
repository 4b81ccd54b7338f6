#pragma once
#include <salvo/matrix.h>

#include <vector>

namespace salvo {

// Several objectives in the rows of Y [n,M], M = 1 … 6; larger is better, and only what lies above `reference` [M] counts.
// All of these throw std::invalid_argument where a number is not finite or the sizes do not fit. math.md §18.

// The rows that no other row beats or equals in every objective, ascending; of equal rows the first.
[[nodiscard]] std::vector<Eigen::Index> nondominated(const Matrix& Y);

// The volume of what lies below a row and above the reference. Exact; n log n for M = 2 and 3, about n² log n for M = 4.
[[nodiscard]] double hypervolume(const Matrix& Y, const Vector& reference);
// What of it would be lost without each row [n]: nothing for a row that another one beats or equals.
[[nodiscard]] Vector hypervolume_losses(const Matrix& Y, const Vector& reference);

// Disjoint boxes, some of which have no upper end.
struct Boxes {
  Matrix lower, upper;  // [K,M]
};
// The space above the reference that no row dominates: at most n+1 boxes for M = 2, 2n+1 for M = 3.
[[nodiscard]] Boxes undominated(const Matrix& Y, const Vector& reference);

// The hypervolume that a row y [M] would add, from the boxes that the others leave, and its gradient where that is asked for
// (from below at a corner). Nothing is checked: it is what searches climb. A NaN adds nothing.
[[nodiscard]] double improvement(const Boxes& boxes, const Eigen::Ref<const Eigen::RowVectorXd>& y,
                                 Eigen::RowVectorXd* gradient = nullptr);

}  // namespace salvo
