#include "search/learned.h"

#include <fmt/format.h>
#include <salvo/fields.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "search/settings.h"
#include "text/json.h"

namespace salvo {
namespace {

Tree rows_of(const Matrix& A) {
  Tree out = Tree::list();
  for (const auto& row : A.rowwise()) {
    Tree& line = out.items.emplace_back(Tree::list());
    for (const double x : row) line.items.push_back(Tree::of(x));
  }
  return out;
}

Matrix matrix_of(const Tree& tree) {
  Matrix out(std::ssize(tree.items), tree.items.empty() ? 0 : std::ssize(tree.items[0].items));
  for (Eigen::Index i = 0; i < out.rows(); ++i) {
    const std::vector<double> row = numbers_of(tree.items[static_cast<std::size_t>(i)]);
    if (std::ssize(row) != out.cols()) throw std::invalid_argument("rows of different lengths");
    out.row(i) = Eigen::RowVectorXd::Map(row.data(), out.cols());
  }
  return out;
}

Hyperparameters hyperparameters_of(const Tree& tree, int num_dims) {
  Hyperparameters out;
  const std::vector<double> scales = numbers_of(tree.at("lengthscales"));
  if (std::ssize(scales) != num_dims)
    throw std::invalid_argument(fmt::format("lengthscales: expected {} numbers, got {}", num_dims, scales.size()));
  out.kernel.type = parse<KernelType>(tree.at("kernel").text);
  out.kernel.variance = number_of(tree, "variance");
  out.kernel.lengthscales = Vector::Map(scales.data(), std::ssize(scales));
  out.kernel.validate();
  out.noise = number_of(tree, "noise");
  if (!(out.noise > 0)) throw std::invalid_argument(fmt::format("noise: expected a positive number, got {}", out.noise));
  out.mean = number_of(tree, "mean");
  return out;
}

void check_curvature(const FitCurvature& curvature, int num_dims) {
  const Matrix &steps = curvature.steps, &changes = curvature.changes;
  const bool fits =
      steps.rows() == changes.rows() && steps.cols() == changes.cols() && (steps.rows() == 0 || steps.cols() == num_dims + 3);
  if (!fits) throw std::invalid_argument(fmt::format("steps: expected as many as changes, of {} numbers each", num_dims + 3));
}

// Points of the unit cube.
Matrix points_of(const std::vector<std::byte>& bytes, int num_dims) {
  constexpr double kRounding = 1e-6;
  const std::size_t row = static_cast<std::size_t>(num_dims) * sizeof(double);
  if (row == 0 || bytes.size() % row != 0) throw std::invalid_argument("inducing points of the wrong size");
  Matrix out(static_cast<Eigen::Index>(bytes.size() / row), num_dims);
  if (!bytes.empty()) std::memcpy(out.data(), bytes.data(), bytes.size());
  if (!(out.array() >= -kRounding && out.array() <= 1 + kRounding).all())
    throw std::invalid_argument("inducing points outside of the space");
  return out;
}

}  // namespace

Matrix all_points(const Hyperparameters& hyper, const Block& all) {
  const auto n = static_cast<int>(all.X.rows());
  return choose_inducing(Inducing::automatic, hyper, all.X, all.y, n, Key(0));
}

std::string Learning::settings() const { return learning_settings(model, num_anchored) + also; }

bool must_learn(const Learning& learning, const Observations& data, const SpaceLearned* learned, double growth) {
  if (!learned || learned->settings != learning.settings()) return true;
  return grown(learned->num_observations, data.size(), growth);
}

Learned SpaceLearned::stored() const {
  const auto finite = [](double x) { return std::isfinite(x) ? x : 0.0; };
  Tree out = anchor_tree(anchor, num_observations);
  out.add("kernel", Tree::of(to_string(hyper.kernel.type)));
  out.add("variance", Tree::of(hyper.kernel.variance));
  out.add("lengthscales", list_of(hyper.kernel.lengthscales));
  out.add("noise", Tree::of(hyper.noise));
  out.add("mean", Tree::of(hyper.mean));
  if (slope) out.add("slope", Tree::of(*slope));
  out.add("num_fitted", Tree::of(num_fitted));
  out.add("num_inducing", Tree::of(std::int64_t{num_inducing}));
  out.add("num_features", Tree::of(std::int64_t{num_features}));
  out.add("evaluations", Tree::of(std::int64_t{fit.num_evaluations}));
  out.add("initial_bound", Tree::of(finite(fit.initial_bound)));
  out.add("bound", Tree::of(finite(fit.bound)));
  out.add("jitter", Tree::of(fit.jitter));
  out.add("steps", rows_of(fit.curvature.steps));
  out.add("changes", rows_of(fit.curvature.changes));
  out.add("message", Tree::of(fit.message));
  out.add("sizes", Tree::of(sizes));
  const auto bytes = std::as_bytes(std::span(Z.data(), static_cast<std::size_t>(Z.size())));
  return {ask, sequence, settings, to_json(out), {bytes.begin(), bytes.end()}};
}

SpaceLearned SpaceLearned::from(const Learned& stored, int num_dims, std::int64_t num_known) {
  const Tree tree = parse_json(stored.document);
  SpaceLearned out{.ask = stored.ask,
                   .sequence = stored.sequence,
                   .num_observations = whole_within(tree, "num_observations", 1, num_known),
                   .settings = stored.settings,
                   .anchor = anchor_from(tree)};
  out.hyper = hyperparameters_of(tree, num_dims);
  if (tree.find("slope")) out.slope = number_of(tree, "slope");
  // Stores of earlier versions: the same as num_observations. Stores of the first version: the option's.
  out.num_fitted = whole_within(tree, "num_fitted", 0, out.num_observations, out.num_observations);
  out.num_inducing = static_cast<int>(whole_within(tree, "num_inducing", 0, std::numeric_limits<int>::max(), 0));
  out.num_features = static_cast<int>(whole_within(tree, "num_features", 0, kLargestSize, 0));
  out.fit.num_evaluations = static_cast<int>(whole_within(tree, "evaluations", 0, std::numeric_limits<int>::max(), 0));
  out.fit.initial_bound = number_of(tree, "initial_bound", 0);
  out.fit.bound = number_of(tree, "bound", 0);
  out.fit.jitter = number_of(tree, "jitter", 0);
  if (const Tree* message = tree.find("message")) out.fit.message = message->text;
  if (const Tree* sizes = tree.find("sizes")) out.sizes = sizes->text;
  if (const Tree* steps = tree.find("steps")) out.fit.curvature = {matrix_of(*steps), matrix_of(tree.at("changes"))};
  check_curvature(out.fit.curvature, num_dims);
  out.Z = points_of(stored.arrays, num_dims);
  if (out.Z.rows() > out.num_observations)
    throw std::invalid_argument(fmt::format("expected at most {} inducing points, got {}", out.num_observations, out.Z.rows()));
  if (out.Z.rows() == 0 && out.num_inducing > kLargestSize)  // features
    throw std::invalid_argument(fmt::format("num_inducing: expected at most {}, got {}", kLargestSize, out.num_inducing));
  return out;
}

}  // namespace salvo
