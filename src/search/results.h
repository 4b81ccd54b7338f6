#pragma once
#include <salvo/trial.h>

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace salvo {

// The values of a study in the order they were told, with the direction folded in: larger is better.
class Results {
 public:
  void add(const Record& record, double y);
  void set_y(std::int64_t row, double y) { y_[static_cast<std::size_t>(row)] = y; }  // seen in another way

  [[nodiscard]] std::int64_t size() const { return std::ssize(y_); }
  [[nodiscard]] std::int64_t last_sequence() const { return last_sequence_; }  // 0: nothing told yet
  [[nodiscard]] std::int64_t id(std::int64_t row) const { return ids_[static_cast<std::size_t>(row)]; }
  [[nodiscard]] Source source(std::int64_t row) const { return sources_[static_cast<std::size_t>(row)]; }
  [[nodiscard]] double y(std::int64_t row) const { return y_[static_cast<std::size_t>(row)]; }
  // The value's standard error; negative: nobody told one.
  [[nodiscard]] double sd(std::int64_t row) const { return num_sds_ == 0 ? -1.0 : sds_[static_cast<std::size_t>(row)]; }
  // What values have to reach, of a constraint: how far below it they lie counts, however far away the others are. ∞: nothing.
  void set_bound(double bound) { bound_ = bound; }
  [[nodiscard]] double bound() const { return bound_; }
  [[nodiscard]] std::int64_t num_sds() const { return num_sds_; }
  // Rows begin … end−1 by trial id: sums over them do not depend on who finished first.
  [[nodiscard]] std::vector<std::int64_t> by_id(std::int64_t begin, std::int64_t end) const;
  // The rows of the `count` best values, best first; of equals the first trial.
  [[nodiscard]] std::vector<std::int64_t> best(std::int64_t count) const;
  // The row of the largest of `values`; of equal ones the trial that was asked for first.
  template <class Values>
  [[nodiscard]] std::int64_t best_row(const Values& values) const {
    std::int64_t best = 0;
    for (std::int64_t i = 1; i < size(); ++i)
      if (values[i] > values[best] || (values[i] == values[best] && id(i) < id(best))) best = i;
    return best;
  }

 private:
  std::int64_t last_sequence_ = 0;
  double bound_ = std::numeric_limits<double>::infinity();
  std::vector<std::int64_t> ids_;
  std::vector<double> y_, sds_;
  std::int64_t num_sds_ = 0;  // of values that have one
  std::vector<Source> sources_;
};

// The model's units: (y − centre) / scale. Anchored in the first trials (by id: the initial design, whoever finished
// first), because an optimiser's later data are ever more alike, and a scale that follows them makes the model forget
// how much the objective can vary. Values far worse than all of these (a penalty for a crash, say) count as `lowest`:
// how bad a bad point is says nothing about where the good ones are, and would drown all that does.
// Squeezed, a value that is z widths worse than `middle` counts as if it were log(1 + z) widths worse, before all that.
struct Anchor {
  double centre = 0, scale = 1;
  double lowest = std::numeric_limits<double>::lowest();
  double middle = 0, width = 0;  // width 0: not squeezed
  [[nodiscard]] bool squeezed() const { return width > 0; }
  [[nodiscard]] double to_model(double y) const;
  [[nodiscard]] double from_model(double y) const;
  // Of the user's units in one of the model's: where the model has this value; of any value better than the middle.
  [[nodiscard]] double unit_at(double y) const;
  [[nodiscard]] double unit() const { return squeezed() ? scale * width : scale; }
};
// Where some count as `lowest` and a bound lies near it or below, values count as far down as the centre lies above the bound:
// what is hidden there would seem to keep to it.
[[nodiscard]] double lowest_for(const Results& data, std::span<const std::int64_t> rows, double lowest, double centre,
                                double unit);
[[nodiscard]] Anchor anchor(const Results& data, std::int64_t num_anchored);
// The same, squeezed: the middle is the median of all values so far, the width from there to the best. Not squeezed where
// these are the same.
[[nodiscard]] Anchor squeezed_anchor(const Results& data, std::int64_t num_anchored);
// How much farther the worst twentieth is from the median than the best value: 1 for values that lie alike on both sides.
[[nodiscard]] double tail(const Results& data);
// First trials that the units are anchored in.
[[nodiscard]] std::int64_t num_anchored(int num_initial, int batch);

// The data has grown by the share since.
[[nodiscard]] bool grown(std::int64_t before, std::int64_t now, double share);

}  // namespace salvo
