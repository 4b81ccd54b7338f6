#include "search/local_model.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "search/few_levels.h"

namespace salvo {
namespace {

using Index = Eigen::Index;
constexpr Index kLearned = 300;        // observations that a shape is learned from, of more a part
constexpr int kShapeEvaluations = 40;  // of the evidence, for each choice of axes
constexpr double kTail = 2,
                 kOutlier = 8;  // of the worst twentieth and the worst, in distances from the median to the best: see units_of
constexpr double kSmallestNoise = 1e-6;           // of the variance of the values
constexpr double kWorst = 1e6, kWorstPlain = 20;  // such distances that a value may be worse than the median: more counts as that
constexpr int kFirstLook = 8;                     // evaluations that tell whether a model of sums is worth more …
constexpr double kHopelessNear = 40;              // … nats that it may be behind then …
constexpr double kClearlySums = 5;                // … and must be ahead by in the end
constexpr Index kForAxes = 8;                     // observations for each dimension, before axes are turned

}  // namespace

std::vector<std::int64_t> nearest_rows(const Observations& data, std::int64_t num_rows, std::int64_t at, std::int64_t count) {
  const auto X = data.X();
  std::vector<std::pair<double, std::int64_t>> found;
  for (std::int64_t i = 0; i < num_rows; ++i) found.emplace_back((X.row(i) - X.row(at)).squaredNorm(), i);
  const auto nearer = [&](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : data.id(a.second) < data.id(b.second);
  };
  const auto end = found.begin() + std::min<std::int64_t>(count, std::ssize(found));
  if (end != found.end()) std::nth_element(found.begin(), end, found.end(), nearer);
  std::vector<std::int64_t> out;
  for (auto each = found.begin(); each != end; ++each) out.push_back(each->second);
  std::sort(out.begin(), out.end(), [&](auto a, auto b) { return data.id(a) < data.id(b); });
  return out;
}

namespace {

// Mean 0 and deviation 1, squeezed first where there is a long tail of bad values.
Anchor units_of(const Observations& data, std::span<const std::int64_t> rows, Transform transform) {
  std::vector<double> y;
  for (const std::int64_t row : rows) y.push_back(data.y(row));
  Anchor out;
  std::vector<double> sorted = y;
  std::sort(sorted.begin(), sorted.end());
  const double median = sorted[sorted.size() / 2], above = sorted.back() - median;
  // Without bound a penalty of 1e100 would hide what the others differ by, squeezed or not.
  if (std::isnormal(above)) {
    const double lowest = median - (transform == Transform::none ? kWorstPlain : kWorst) * above;
    out.lowest = lowest_for(data, rows, lowest, median, above);
  }
  const bool tail = median - sorted[sorted.size() / 20] > kTail * above || median - sorted.front() > kOutlier * above;
  if (transform != Transform::none && std::isnormal(above) && (tail || transform == Transform::squeeze)) {
    out.middle = median;
    out.width = above;
  }
  long double sum = 0, squares = 0;
  for (double& value : y) sum += (value = out.to_model(value));
  const long double mean = sum / static_cast<long double>(y.size());
  for (const double value : y) squares += (value - mean) * (value - mean);
  const auto deviation = static_cast<double>(std::sqrt(squares / static_cast<long double>(y.size())));
  out.centre = static_cast<double>(mean);
  out.scale = std::isnormal(deviation) ? deviation : 1.0;
  return out;
}

// The principal axes of the best fifth: they lie along narrow, tilted valleys.
Matrix principal_axes(const Matrix& X, const Vector& y) {
  const Index d = X.cols(), n = X.rows();
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return y(a) > y(b); });
  order.resize(static_cast<std::size_t>(std::min(n, std::max(4 * d, n / 5))));
  Eigen::MatrixXd top = X(order, Eigen::all);
  top.rowwise() -= top.colwise().mean().eval();
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(top.transpose() * top).eigenvectors();
}

FitOptions shape_bounds(const Encoding& space, double least_noise) {
  const Index d = space.num_dims();
  FitOptions out{.max_evaluations = kShapeEvaluations,
                 .absolute_tolerance = 0.05,
                 .min_lengthscales = Vector::Constant(d, 0.05),
                 .max_lengthscales = Vector::Constant(d, 30),
                 .min_variance = 0.05,
                 .max_variance = 1e4,
                 .min_noise = least_noise};
  for (const Encoding::Discrete& discrete : space.discretes()) {
    const auto steps = static_cast<double>(std::max<std::int64_t>(1, discrete.num_levels - 1));
    const double spacing = discrete.is_one_hot()   ? 1.4
                           : discrete.is_ordered() ? 1 / steps
                                                   : std::pow(steps, -1.0 / discrete.width);
    out.min_lengthscales.segment(discrete.offset, discrete.width).setConstant(0.3 * spacing);
    out.max_lengthscales.segment(discrete.offset, discrete.width).setConstant(3.0);
  }
  return out;
}

// Learns the rest of a shape that has its units and axes; the log evidence. What is far behind another evidence
// after the first steps is left as it is.
double learn_along(LocalShape& shape, const Encoding& space, KernelType kernel, const Block& data, double least_noise,
                   double other = -std::numeric_limits<double>::infinity()) {
  const Matrix& X = data.X;
  const std::vector<int>& continuous = space.continuous_dims();
  const Matrix C = X(Eigen::all, continuous) * shape.axes;
  shape.scales.resize(C.cols());
  for (Index e = 0; e < C.cols(); ++e) {
    const double deviation = std::sqrt((C.col(e).array() - C.col(e).mean()).square().mean());
    shape.scales(e) = std::max(1e-12, deviation);
  }
  const Matrix T = make_frame(space, X.row(0), shape.axes, shape.scales).inside(X);
  Vector ell = Vector::Ones(space.num_dims());
  for (const int e : continuous) ell(e) = std::sqrt(static_cast<double>(space.num_dims()));
  shape.hyper = {.kernel = {kernel, 1.0, ell}, .noise = std::max(0.01, least_noise), .mean = 0};
  FitOptions fitting = shape_bounds(space, least_noise);
  if (std::isfinite(other)) {
    fitting.max_evaluations = kFirstLook;
    FitSummary found = fit(shape.hyper, T, T, data.y, fitting, data.r);
    if (!(found.bound > other - kHopelessNear)) return shape.evidence = found.bound;
    fitting.max_evaluations = kShapeEvaluations - kFirstLook;
    fitting.curvature = std::move(found.curvature);
  }
  return shape.evidence = fit(shape.hyper, T, T, data.y, fitting, data.r).bound;
}

Vector in_units(const Anchor& units, const Observations& data, std::span<const std::int64_t> rows) {
  Vector y(std::ssize(rows));
  for (Index i = 0; i < y.size(); ++i) y(i) = units.to_model(data.y(rows[static_cast<std::size_t>(i)]));
  return y;
}

}  // namespace

Anchor local_units(const ModelOptions& model, const Observations& data, std::span<const std::int64_t> rows) {
  return units_of(data, rows, model.transform);
}

LocalShape learn_shape(const Encoding& space, const ModelOptions& model, const Observations& data, std::int64_t num_rows,
                       std::span<const std::int64_t> rows, double least_noise, bool may_be_sum) {
  const auto c = static_cast<Index>(space.continuous_dims().size());
  const auto n = static_cast<Index>(rows.size()), kept = std::min(n, kLearned);
  LocalShape box{.units = local_units(model, data, rows), .axes = Matrix::Identity(c, c), .scales = {}, .hyper = {}};
  const Block all{data.X()(rows, Eigen::all), in_units(box.units, data, rows),
                  KnownNoise(data, num_rows, box.units).ratios(rows)};
  std::vector<Index> some;  // spread over all of them
  for (Index i = 0; i < kept; ++i) some.push_back(i * n / kept);
  const Block learned = part_of(all, some);
  const KernelType kernel = model.kernel.value_or(few_levels(space) ? KernelType::matern32 : KernelType::matern52);
  const double least = std::clamp(std::pow(least_noise / box.units.unit(), 2), kSmallestNoise, 1.0);
  LocalShape turned = box, sums = box;
  double evidence = learn_along(box, space, kernel, learned, least);
  if (may_be_sum && !is_additive(kernel)) {
    const double of_sums = learn_along(sums, space, additive(kernel), learned, least, evidence);
    if (of_sums > evidence + kClearlySums) {
      box = std::move(sums);
      evidence = of_sums;
    }
  }
  if (c < 2 || n < kForAxes * c) return box;
  turned.axes = principal_axes(all.X(Eigen::all, space.continuous_dims()), all.y);
  turned.turned = true;
  return learn_along(turned, space, kernel, learned, least) > evidence ? turned : box;
}

LocalModel::LocalModel(const Encoding& space, const LocalShape& shape, const Observations& data, std::int64_t at,
                       std::vector<std::int64_t> rows)
    : rows_(std::move(rows)),
      frame_(make_frame(space, data.X().row(at), shape.axes, shape.scales)),
      scales_(shape.scales),
      T_(frame_.inside(data.X()(rows_, Eigen::all))),
      y_(in_units(shape.units, data, rows_)),
      r_(KnownNoise(data, data.size(), shape.units).ratios(rows_)) {
  const auto all = static_cast<int>(T_.rows());
  gp_ = SparseGp(shape.hyper, choose_inducing(Inducing::automatic, shape.hyper, T_, y_, all, Key(0)));
  gp_.condition(T_, y_, r_);
}

std::int64_t LocalModel::favourite() const {
  Index best = 0;
  gp_.predict_mean(T_).maxCoeff(&best);
  return rows_[static_cast<std::size_t>(best)];
}

Eigen::RowVectorXd LocalModel::half(const Encoding& space, double length) const {
  const Vector& ell = gp_.hyper().kernel.lengthscales;
  const std::vector<int>& continuous = space.continuous_dims();
  Eigen::RowVectorXd out = Eigen::RowVectorXd::Zero(space.num_dims());
  double log_mean = 0;
  for (std::size_t e = 0; e < continuous.size(); ++e)
    log_mean += std::log(ell(continuous[e]) * scales_(static_cast<Index>(e))) / static_cast<double>(continuous.size());
  for (const int e : continuous) out(e) = 0.5 * length * ell(e) / std::exp(log_mean);
  // Whole numbers and ordered choices move as far as the rest, but by a level or two at least.
  for (const Encoding::Discrete& discrete : space.discretes())
    if (discrete.is_ordered()) out(discrete.offset) = std::max(0.5 * length, 1.6 / static_cast<double>(discrete.num_levels - 1));
  return out;
}

}  // namespace salvo
