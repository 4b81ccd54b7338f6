#pragma once
#include <salvo/space.h>

#include <cstdint>

// The numbers that a float with a step or digits may have, counted from 0. Each is the double that its decimal text is read as:
// 0.3, and not 0.1 three times.
namespace salvo {

class Grid {
 public:
  explicit Grid(const Float& domain);  // which is on a grid and valid

  [[nodiscard]] std::int64_t num_levels() const { return last_ - first_ + 1; }
  [[nodiscard]] double value(std::int64_t level) const;
  [[nodiscard]] std::int64_t nearest(double value) const;

 private:
  enum class Kind { decimal, plain, significant };
  Kind kind_ = Kind::decimal;
  std::int64_t first_ = 0, last_ = 0;  // of the numbers below
  double low_ = 0, step_ = 1;          // plain: low + k step; decimal: the same in whole units
  double units_ = 1;                   // decimal: of one, a power of ten
  int digits_ = 0;                     // significant: k counts 10, 11, …, 99, 100, 110, … with two of them

  [[nodiscard]] double at(std::int64_t k) const;
};

// Levels of finer grids could not be counted without errors of rounding.
inline constexpr double kMostLevels = 1e9;
inline constexpr int kMostDigits = 8;

}  // namespace salvo
