#pragma once
#include <salvo/matrix.h>
#include <salvo/space.h>

#include <cstdint>
#include <span>
#include <vector>

namespace salvo {

// The choices of a category as points: their numbers, each scaled to [0,1].
class Described {
 public:
  explicit Described(const Categorical& category);

  [[nodiscard]] int width() const { return static_cast<int>(at_.cols()); }
  [[nodiscard]] std::span<const double> at(std::int64_t choice) const;
  [[nodiscard]] std::int64_t nearest(std::span<const double> x) const;  // the first of those that are as near
  // The `count` choices nearest to one, without itself.
  [[nodiscard]] std::vector<std::int64_t> around(std::int64_t choice, std::size_t count) const;

 private:
  Matrix at_;  // [choices,width]
};

}  // namespace salvo
