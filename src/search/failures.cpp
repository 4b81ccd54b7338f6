#include "search/failures.h"

#include <algorithm>

#include "model/left_out.h"
#include "sample/candidates.h"
#include "search/failure_labels.h"

namespace salvo {
namespace {

using Index = Eigen::Index;
constexpr Index kSummarised = 300;                    // trials that its length-scales are learned from, and its inducing points
constexpr int kLookedAt = 25;                         // evaluations of the evidence
constexpr KernelType kKernel = KernelType::matern32;  // the edge of what works is sharp

// Every trial with a value or a failure, by id.
struct Labelled {
  std::vector<FailureLabel> labels;
  Matrix X;
  Vector y;
  Index best = 0;  // the row of the best value
};

Labelled labelled(const Observations& data, const Observations& failed) {
  std::vector<FailureLabel> labels;
  for (std::int64_t i = 0; i < data.size(); ++i) labels.push_back({data.id(i), i, true, chosen_by_search(data.source(i))});
  for (std::int64_t i = 0; i < failed.size(); ++i) labels.push_back({failed.id(i), i, false, chosen_by_search(failed.source(i))});
  std::sort(labels.begin(), labels.end(), [](const FailureLabel& a, const FailureLabel& b) { return a.id < b.id; });
  const std::int64_t best = data.size() > 0 ? data.best(1).front() : -1;
  Labelled out{{}, Matrix(std::ssize(labels), failed.X().cols()), Vector(std::ssize(labels))};
  for (Index i = 0; i < out.y.size(); ++i) {
    const FailureLabel& label = labels[static_cast<std::size_t>(i)];
    out.X.row(i) = (label.works ? data : failed).X().row(label.row);
    out.y(i) = label.works ? 1 : -1;
    if (label.works && label.row == best) out.best = i;
  }
  out.labels = std::move(labels);
  return out;
}

// Half of them around the best point, where the edge matters, the others from everywhere.
std::vector<Index> summary(const Labelled& all) {
  const Index n = all.y.size();
  std::vector<Index> order(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) order[static_cast<std::size_t>(i)] = i;
  if (n <= kSummarised) return order;
  const Vector distance = (all.X.rowwise() - all.X.row(all.best)).rowwise().squaredNorm();
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return distance(a) < distance(b); });
  const Index near = kSummarised / 2, far = n - near;
  std::vector<Index> rest(order.begin() + near, order.end());
  std::sort(rest.begin(), rest.end());
  order.resize(static_cast<std::size_t>(near));
  for (Index k = 0; k < kSummarised - near; ++k) order.push_back(rest[static_cast<std::size_t>(k * far / (kSummarised - near))]);
  std::sort(order.begin(), order.end());
  return order;
}

Vector left_out(const Hyperparameters& hyper, const Matrix& Z, const Block& some) {
  SparseGp gp(hyper, Z);
  gp.condition(some.X, some.y);
  return left_out_means(gp.predict(some.X), some.y, hyper.noise);
}

}  // namespace

Success Failures::learn(const Learning& learning, const Observations& data) const {
  const Labelled all = labelled(data, failed_);
  const std::vector<Index> rows = summary(all);
  const Block some{all.X(rows, Eigen::all), (all.y(rows).array() - kRatherWorks).matrix()};
  FitOptions fitting = fit_options(learning, false);
  fitting.max_evaluations = kLookedAt;
  fitting.min_variance = 0.3;
  fitting.max_variance = 4;
  fitting.min_noise = 1e-3;
  fitting.max_noise = 1;
  fitting.max_mean = 0;
  Hyperparameters hyper{
      .kernel = {kKernel, 1.0, (0.5 * fitting.max_lengthscales).cwiseMax(fitting.min_lengthscales)}, .noise = 0.05, .mean = 0};
  const Matrix Z = all_points(hyper, some);
  (void)fit(hyper, Z, some.X, some.y, fitting);
  const double told = told_by_the_place(left_out(hyper, Z, some), some.y);
  hyper.mean = kRatherWorks;
  Success out{.gp = SparseGp(hyper, Z)};
  out.gp.condition(all.X, all.y);
  out.weight = weight_of_failures(all.labels, told);
  const double care = care_after(all.labels);
  out.least += care;
  out.most += care;
  return out;
}

double failing_share(const SparseGp& success, const Encoding& space) {
  constexpr Index kPlaces = 2000;
  const Vector mean = success.predict_mean(random_points(space, kPlaces, Key(0).fold("failing")));
  return static_cast<double>((mean.array() < 0).count()) / kPlaces;
}

}  // namespace salvo
