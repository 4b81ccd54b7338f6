#pragma once
#include <salvo/output.h>

#include <cstdint>
#include <vector>

#include "search/results.h"

namespace salvo {

// How the values of a constraint are seen where a few lie very far from its bound: logarithmically, the farther the more, on both
// sides. What matters is which side a value is on, and how near.
struct Warp {
  double centre = 0, width = 0;  // the bound, or the middle of two; width 0: values are seen as they are
  [[nodiscard]] double seen(double y) const;
  [[nodiscard]] double meant(double z) const;
  [[nodiscard]] double slope(double z) const;  // of meant()
};

// The values of one of several outputs as its models see them: turned so that larger is better, or of a constraint with one bound
// safer, and perhaps warped; so are its bounds.
class SeenOutput {
 public:
  explicit SeenOutput(Output output);

  [[nodiscard]] const Output& output() const { return output_; }
  [[nodiscard]] bool is_constraint() const { return std::holds_alternative<Constraint>(output_.role); }
  [[nodiscard]] bool is_test() const;  // told as passed or failed
  [[nodiscard]] double sign() const { return sign_; }
  [[nodiscard]] double low() const { return low_; }    // −∞: no bound
  [[nodiscard]] double high() const { return high_; }  // ∞: no bound
  // The bounds as models see them. Where values lie exactly on a bound, counts of defects say, it is half-way to the next value:
  // such a value keeps to it, and a model that is never certain would give it a chance of a half.
  [[nodiscard]] double seen_low() const { return seen_low_; }
  [[nodiscard]] double seen_high() const { return seen_high_; }
  [[nodiscard]] const Warp& warp() const { return warp_; }

  void add(double value) { values_.push_back(sign_ * value); }
  [[nodiscard]] std::int64_t size() const { return std::ssize(values_); }
  [[nodiscard]] double value(std::int64_t row) const { return values_[static_cast<std::size_t>(row)]; }  // turned
  [[nodiscard]] double seen(std::int64_t row) const { return warp_.seen(value(row)); }
  // From the first values, those that a model is learned from, so that a resumed study sees them alike. Whether they are warped
  // in another way than before.
  bool choose_warp(std::int64_t num_rows);

  // What a value misses of the bounds, in the units of a model; 0: they hold.
  [[nodiscard]] double missed(double value, const Anchor& units) const;
  // The chance that a value is within these bounds. Of a certain value they are kept exactly.
  [[nodiscard]] double chance(double low, double high, double mean, double sd) const;
  // The chance that the bounds hold where a model has this mean and deviation in its units, `value` and `value_sd` in the
  // values' own: counted as the model sees values, where they are normal. Of a test that it would be passed again.
  [[nodiscard]] double holds(const Anchor& units, double mean, double sd, double value, double value_sd) const;
  // A bound as paths have to keep to it, in the units of their model.
  [[nodiscard]] double bound_of_paths(double bound, const Anchor& units) const;

 private:
  [[nodiscard]] double room_at(double bound, std::int64_t num_rows) const;
  Output output_;
  double sign_ = 1, low_, high_, seen_low_, seen_high_;
  std::vector<double> values_;
  Warp warp_;
};

}  // namespace salvo
