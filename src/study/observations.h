#pragma once
#include <salvo/study.h>

#include <cstdint>
#include <limits>
#include <vector>

namespace salvo {

// The values of a study in the order they were told, encoded, with the direction folded in: larger is better.
class Observations {
 public:
  explicit Observations(int num_dims) : num_dims_(num_dims) {}
  void add(std::int64_t id, std::int64_t sequence, const Vector& x, double y, bool chosen = true);

  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(y_.size()); }
  [[nodiscard]] std::int64_t last_sequence() const { return last_sequence_; }  // 0: nothing told yet
  [[nodiscard]] std::int64_t id(std::int64_t row) const { return ids_[static_cast<std::size_t>(row)]; }
  [[nodiscard]] bool chosen(std::int64_t row) const { return chosen_[static_cast<std::size_t>(row)]; }  // by a model
  [[nodiscard]] double y(std::int64_t row) const { return y_[static_cast<std::size_t>(row)]; }
  [[nodiscard]] Eigen::Map<const Matrix> X() const { return {x_.data(), size(), num_dims_}; }
  // Rows begin … end−1 by trial id: sums over them do not depend on who finished first.
  [[nodiscard]] std::vector<std::int64_t> by_id(std::int64_t begin, std::int64_t end) const;
  // The points of the `count` trials with the highest ids (of all, if there are fewer), by id.
  [[nodiscard]] Matrix newest(std::int64_t count) const;

 private:
  int num_dims_;
  std::int64_t last_sequence_ = 0;
  std::vector<std::int64_t> ids_;
  std::vector<double> x_;  // [n,d]
  std::vector<double> y_;
  std::vector<bool> chosen_;
};

// The model's units: (y − centre) / scale. Anchored in the first trials (by id: the initial design, whoever finished
// first), because an optimiser's later data are ever more alike, and a scale that follows them makes the model forget
// how much the objective can vary. Values far worse than all of these (a penalty for a crash, say) count as `lowest`:
// how bad a bad point is says nothing about where the good ones are, and would drown all that does.
struct Anchor {
  double centre = 0, scale = 1;
  double lowest = std::numeric_limits<double>::lowest();
  [[nodiscard]] double to_model(double y) const;
  [[nodiscard]] double from_model(double y) const { return y * scale + centre; }
};
[[nodiscard]] Anchor anchor(const Observations& data, std::int64_t num_initial);
[[nodiscard]] std::int64_t num_anchored(const StudyOptions& options);  // first trials that the units are anchored in

struct Block {
  Matrix X;
  Vector y;
};
// Rows begin … end−1 by trial id, in the model's units.
[[nodiscard]] Block block(const Observations& data, std::int64_t begin, std::int64_t end, const Anchor& units);

}  // namespace salvo
