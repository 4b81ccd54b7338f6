#include "search/failures.h"

#include <algorithm>
#include <cmath>

#include "model/left_out.h"
#include "sample/candidates.h"

namespace salvo {
namespace {

using Index = Eigen::Index;
constexpr Index kSummarised = 300;                      // trials that its length-scales are learned from, and its inducing points
constexpr int kLookedAt = 25;                           // evaluations of the evidence
constexpr double kExpected = 0.5;                       // of a place that nothing is known of: rather a value than a failure
constexpr double kLately = 50;                          // trials that tell whether too many fail
constexpr double kUsual = 0.04;                         // share of failures that is no reason to take more care …
constexpr double kCare = 6;                             // … and how much the levels rise for each above it
constexpr double kMostCare = 1;                         // beyond it nothing but the distance from failures would count
constexpr Index kFewestLabels = 20, kFewestOfEach = 5;  // trials, of either outcome, that tell chance from place
constexpr double kByChance = 0.15, kByPlace = 0.3;      // shares that the place foretells: failures are chance up to the one,
                                                        // and the limit holds in full from the other on
constexpr KernelType kKernel = KernelType::matern32;    // the edge of what works is sharp

// Every trial with a value or a failure, by id.
struct Labelled {
  Matrix X;
  Vector y;
  Index best = 0;            // the row of the best value
  double failed_lately = 0;  // share of the newest that the search chose
};

Labelled labelled(const Observations& data, const Observations& failed) {
  struct Row {
    std::int64_t id, row;
    bool success, chosen;
  };
  std::vector<Row> rows;
  for (std::int64_t i = 0; i < data.size(); ++i) rows.push_back({data.id(i), i, true, chosen_by_search(data.source(i))});
  for (std::int64_t i = 0; i < failed.size(); ++i) rows.push_back({failed.id(i), i, false, chosen_by_search(failed.source(i))});
  std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.id < b.id; });
  const std::int64_t best = data.size() > 0 ? data.best(1).front() : -1;
  Labelled out{Matrix(std::ssize(rows), failed.X().cols()), Vector(std::ssize(rows))};
  for (Index i = 0; i < out.y.size(); ++i) {
    const Row& row = rows[static_cast<std::size_t>(i)];
    out.X.row(i) = (row.success ? data : failed).X().row(row.row);
    out.y(i) = row.success ? 1 : -1;
    if (row.success && row.row == best) out.best = i;
  }
  double looked = 0, bad = 0;
  for (auto row = rows.rbegin(); row != rows.rend() && looked < kLately; ++row) {
    if (!row->chosen) continue;
    ++looked;
    bad += row->success ? 0 : 1;
  }
  out.failed_lately = looked > 0 ? bad / looked : 0;
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

// How much of the labels' variance their places foretell, each left out in turn, against the mean of the others. 0 on average
// where failures are chance, or less; along a run at an edge it is above a half.
double told_by_the_place(const Hyperparameters& hyper, const Matrix& Z, const Block& some) {
  SparseGp gp(hyper, Z);
  gp.condition(some.X, some.y);
  const double model = (some.y - left_out_means(gp.predict(some.X), some.y, hyper.noise)).squaredNorm();
  const auto n = static_cast<double>(some.y.size());
  const double mean = (some.y.array() - some.y.mean()).square().sum() * std::pow(n / (n - 1), 2);
  return mean > 0 ? 1 - model / mean : 0;
}

bool enough_to_tell(const Labelled& all) {
  const Index failed = (all.y.array() < 0).count();
  return all.y.size() >= kFewestLabels && std::min(failed, all.y.size() - failed) >= kFewestOfEach;
}

}  // namespace

Success Failures::learn(const Learning& learning, const Observations& data) const {
  const Labelled all = labelled(data, failed_);
  const std::vector<Index> rows = summary(all);
  const Block some{all.X(rows, Eigen::all), (all.y(rows).array() - kExpected).matrix()};
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
  const double told = told_by_the_place(hyper, Z, some);
  hyper.mean = kExpected;
  Success out{.gp = SparseGp(hyper, Z)};
  out.gp.condition(all.X, all.y);
  if (enough_to_tell(all)) out.weight = std::clamp((told - kByChance) / (kByPlace - kByChance), 0.0, 1.0);
  const double care = std::min(kMostCare, kCare * std::max(0.0, all.failed_lately - kUsual));
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
