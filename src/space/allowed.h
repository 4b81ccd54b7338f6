#pragma once
#include <salvo/encoding.h>
#include <salvo/random.h>

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "space/where.h"

namespace salvo {

// The points of the cube that a space's conditions allow (docs/math.md §21).
class Allowed {
 public:
  // Throws std::invalid_argument, naming a condition, when no point is found. The encoding is that of the same space without
  // conditions but with its followers.
  Allowed(const Encoding& plain, std::shared_ptr<const Where> where);

  [[nodiscard]] const Where& where() const { return *where_; }
  [[nodiscard]] bool any() const { return !where_->conditions().empty(); }  // or all points are allowed
  [[nodiscard]] double share() const { return share_; }                     // of the cube's points, about
  [[nodiscard]] double num_points() const { return num_points_; }           // counted where there are not too many

  [[nodiscard]] bool holds(std::span<const double> x) const;  // at a valid point of the encoding

  // Moves the continuous coordinates of x to the nearest place where every condition that is a comparison of numbers holds, as
  // far as a few linear steps lead; `normals` takes what holds it there: unit vectors, orthogonal to each other, [k,d]. False
  // where x is left as it was.
  bool bring(std::span<double> x, Matrix* normals = nullptr, double margin = kMargin) const;
  // Moves a valid point that is not allowed to a valid one that is, near it.
  void repair(std::span<double> x) const;

  // A point that is allowed, at random: uniform where uniform points are allowed often enough, else after a walk from one of the
  // points known, of steps that keep the uniform distribution.
  void draw(std::span<double> x, Key key) const;
  [[nodiscard]] const Matrix& known() const { return known_; }  // points that are allowed [n,d], drawn so

 private:
  static constexpr double kMargin = 0x1p-38;  // of a coordinate: coordinates are multiples of 2^-40
  static constexpr int kStepsOfAWalk = 8;     // and one for every two parameters
  [[nodiscard]] std::int64_t choice_of(int parameter, std::span<const double> x) const;
  [[nodiscard]] std::vector<double> values(std::span<const double> x) const;
  void find_points();
  [[nodiscard]] std::vector<double> missing(std::span<const double> x) const;
  bool seek(std::span<double> x, const std::vector<double>& usual, Eigen::Index& left, Key key) const;
  void count_points();
  void walk(std::span<double> x, int steps, Key key) const;
  bool move_along(std::span<double> x, Key key) const;
  [[nodiscard]] std::string hardest(Key key) const;
  [[nodiscard]] bool try_point(std::span<double> x, std::span<const double> u) const;

  Encoding plain_;
  std::shared_ptr<const Where> where_;
  std::vector<std::vector<double>> seen_;      // by expressions: of each choice
  std::vector<std::optional<double>> pinned_;  // by expressions, of those that are fixed, if only for a batch
  std::vector<int> dims_;                      // continuous coordinates that may move …
  std::vector<int> parameter_;                 // … and their parameters
  std::vector<int> smooth_;                    // conditions that can be climbed along
  Matrix known_;
  double share_ = 1, num_points_ = 0;
};

}  // namespace salvo
