#include "search/learned.h"

#include <salvo/fields.h>

#include <cmath>
#include <cstring>
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

}  // namespace

Matrix all_points(const Hyperparameters& hyper, const Block& all) {
  const auto n = static_cast<int>(all.X.rows());
  return choose_inducing(Inducing::automatic, hyper, all.X, all.y, n, Key(0));
}

std::string Learning::settings() const { return learning_settings(model, num_anchored); }

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

SpaceLearned SpaceLearned::from(const Learned& stored, int num_dims) {
  const Tree tree = parse_json(stored.document);
  SpaceLearned out{.ask = stored.ask,
                   .sequence = stored.sequence,
                   .num_observations = whole_of(tree, "num_observations"),
                   .settings = stored.settings,
                   .anchor = anchor_from(tree)};
  const std::vector<double> scales = numbers_of(tree.at("lengthscales"));
  Kernel& kernel = out.hyper.kernel;
  kernel.type = parse<KernelType>(tree.at("kernel").text);
  kernel.variance = number_of(tree, "variance");
  kernel.lengthscales = Vector::Map(scales.data(), std::ssize(scales));
  kernel.validate();
  out.hyper.noise = number_of(tree, "noise");
  out.hyper.mean = number_of(tree, "mean");
  out.num_fitted = whole_of(tree, "num_fitted", out.num_observations);     // stores of earlier versions: the same
  out.num_inducing = static_cast<int>(whole_of(tree, "num_inducing", 0));  // stores of the first version: the option's
  out.num_features = static_cast<int>(whole_of(tree, "num_features", 0));
  out.fit.num_evaluations = static_cast<int>(whole_of(tree, "evaluations", 0));
  out.fit.initial_bound = number_of(tree, "initial_bound", 0);
  out.fit.bound = number_of(tree, "bound", 0);
  out.fit.jitter = number_of(tree, "jitter", 0);
  if (const Tree* message = tree.find("message")) out.fit.message = message->text;
  if (const Tree* sizes = tree.find("sizes")) out.sizes = sizes->text;
  if (const Tree* steps = tree.find("steps")) out.fit.curvature = {matrix_of(*steps), matrix_of(tree.at("changes"))};
  const std::size_t row = static_cast<std::size_t>(num_dims) * sizeof(double);
  if (stored.arrays.size() % row != 0) throw std::invalid_argument("inducing points of the wrong size");
  out.Z.resize(static_cast<Eigen::Index>(stored.arrays.size() / row), num_dims);
  if (!stored.arrays.empty()) std::memcpy(out.Z.data(), stored.arrays.data(), stored.arrays.size());
  return out;
}

}  // namespace salvo
