#pragma once
#include <salvo/model_options.h>
#include <salvo/sparse_gp.h>

#include <span>
#include <vector>

#include "acquire/frame.h"
#include "search/observations.h"

namespace salvo {

// What is learned about a neighbourhood: units of its own for the values, the axes along which they vary (those of the box, or
// the principal axes of the best points, whichever the evidence prefers), and how fast.
struct LocalShape {
  Anchor units;
  Matrix axes;            // [c,c] columns: directions among the continuous coordinates
  Vector scales;          // [c] deviations of the neighbourhood along them
  Hyperparameters hyper;  // in units of these
  bool turned = false;    // the axes are not the box's
  double evidence = 0;    // in nats
};

// A neighbourhood: the `count` rows nearest to row `at` among the first `num_rows` that were told, by trial.
[[nodiscard]] std::vector<std::int64_t> nearest_rows(const Observations& data, std::int64_t num_rows, std::int64_t at,
                                                     std::int64_t count);
// Learned from these rows (from some of them, where they are many) of the first `num_rows`. The noise is known to have the
// standard deviation `least_noise` at least, in the values' own units. Where everything seems to be a sum of functions of one
// parameter each, so may the neighbourhood.
[[nodiscard]] LocalShape learn_shape(const Encoding& space, const ModelOptions& model, const Observations& data,
                                     std::int64_t num_rows, std::span<const std::int64_t> rows, double least_noise,
                                     bool may_be_sum = false);
// The units of such a shape.
[[nodiscard]] Anchor local_units(const ModelOptions& model, const Observations& data, std::span<const std::int64_t> rows);

// The exact GP of the observations around a place: it shows what a model of everything smooths.
class LocalModel {
 public:
  // Of these rows; row `at` is the origin of its frame.
  LocalModel(const Encoding& space, const LocalShape& shape, const Observations& data, std::int64_t at,
             std::vector<std::int64_t> rows);

  [[nodiscard]] const std::vector<std::int64_t>& rows() const { return rows_; }  // of the data, by trial
  [[nodiscard]] const Vector& y() const { return y_; }                           // of these, in the shape's units
  [[nodiscard]] const Vector& r() const { return r_; }                           // their noise over τ; empty: 1 for all
  [[nodiscard]] const Frame& frame() const { return frame_; }
  [[nodiscard]] const SparseGp& gp() const { return gp_; }  // in the frame
  [[nodiscard]] Prediction predict(const Matrix& X) const { return gp_.predict(frame_.inside(X)); }
  // The row with the highest mean.
  [[nodiscard]] std::int64_t favourite() const;
  // Half the sides of a region of this length, in the frame: in proportion to how slowly the objective varies along each axis.
  [[nodiscard]] Eigen::RowVectorXd half(const Encoding& space, double length) const;

 private:
  std::vector<std::int64_t> rows_;
  Frame frame_;
  Vector scales_;
  Matrix T_;  // rows() in the frame
  Vector y_, r_;
  SparseGp gp_;
};

}  // namespace salvo
