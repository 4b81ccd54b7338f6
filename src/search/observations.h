#pragma once
#include <salvo/matrix.h>

#include <cstdint>
#include <vector>

#include "search/known_noise.h"
#include "search/results.h"

namespace salvo {

// Results with their encoded points.
class Observations : public Results {
 public:
  explicit Observations(int num_dims) : num_dims_(num_dims) {}
  void add(const Record& record, const Vector& x, double y);

  [[nodiscard]] Eigen::Map<const Matrix> X() const { return {x_.data(), size(), num_dims_}; }
  // The points of the `count` trials with the highest ids (of all, if there are fewer), by id.
  [[nodiscard]] Matrix newest(std::int64_t count) const;

 private:
  int num_dims_;
  std::vector<double> x_;  // [n,d]
};

struct Block {
  Matrix X;
  Vector y;
  Vector r{};  // the noise of each value over τ; empty: 1 for all
};
// Rows begin … end−1 by trial id, in the model's units.
[[nodiscard]] Block block(const Observations& data, std::int64_t begin, std::int64_t end, const Anchor& units,
                          const KnownNoise& noise);
// Some of its rows.
[[nodiscard]] Block part_of(const Block& all, std::span<const Eigen::Index> rows);

}  // namespace salvo
