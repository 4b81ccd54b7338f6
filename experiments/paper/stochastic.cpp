// Does the stochastic fit end where the collapsed one does? Three data sets, by n and the size of the mini-batch: how far
// the collapsed bound at the hyperparameters found lies below its optimum.
#include <fmt/core.h>
#include <salvo/salvo.h>

#include <cmath>

#include "experiments.h"
#include "support/measure.h"
#include "support/result.h"

namespace salvo::experiments {
namespace {

// f(X) and noise of `noise` times its deviation, of variance 1 in all.
Data noisy(Matrix X, Vector f, double noise, Key key) {
  f.array() -= f.mean();
  Vector eps(f.size());
  key.fill_normal({eps.data(), static_cast<std::size_t>(eps.size())});
  f += noise * std::sqrt(f.squaredNorm() / static_cast<double>(f.size())) * eps;
  f /= std::sqrt(f.squaredNorm() / static_cast<double>(f.size()));
  return {std::move(X), std::move(f)};
}

Data waves(Eigen::Index n, Key key) {
  Matrix X = uniform(n, 2, key);
  Vector f = (9 * X.col(0).array()).sin() * (7 * X.col(1).array()).cos();
  return noisy(std::move(X), std::move(f), 0.5, key.fold("noise"));
}

Data ackley(Eigen::Index n, Key key) {
  const Problem truth = problem("ackley5");
  const Encoding space(truth.space);
  Matrix X = uniform(n, 5, key);
  Vector f(n);
  for (Eigen::Index i = 0; i < n; ++i) f(i) = truth.value(space.decode({X.row(i).data(), static_cast<std::size_t>(X.cols())}));
  return noisy(std::move(X), std::move(f), 0.7, key.fold("noise"));
}

Data matern(Eigen::Index n, Key key) {
  Matrix X = uniform(n, 2, key);
  const Hyperparameters hyper{.kernel = {KernelType::matern32, 1.0, Vector::Constant(2, 0.15)}};
  const SparseGp prior(hyper, X.topRows(1));
  Vector f = draw_paths(prior, {.num_paths = 1, .num_features = 4000}, key.fold("f")).values(X).col(0);
  return noisy(std::move(X), std::move(f), 0.3, key.fold("noise"));
}

}  // namespace

int run_stochastic(Arguments& arguments) {
  bool quick = false;
  int m = 100;
  std::string folder = "docs/results";
  arguments.flag("--quick", quick, "small sizes, for the test suite");
  arguments.option("--inducing", m, "m", kPositive);
  arguments.option("--out", folder, "folder of the result");
  arguments.parse();
  if (quick) m = 15;
  Result result{.name = "stochastic",
                .title = "Stochastic fits against the collapsed optimum",
                .remark = fmt::format("nats by which the collapsed bound at the hyperparameters found lies below its "
                                      "optimum, divided by n; m = {}, Matérn 5/2",
                                      m),
                .numbers = {{"quick", quick}, {"m", m}},
                .panels = {{"gap per observation against the batch", "batch", "nats", true, true, {}},
                           {"steps against the batch", "batch", "steps", true, true, {}}}};
  const std::pair<const char*, Data (*)(Eigen::Index, Key)> sets[] = {
      {"two waves, d = 2", waves}, {"Ackley, d = 5", ackley}, {"Matérn 3/2 draw, d = 2", matern}};
  fmt::print("{:<24} {:>6} {:>6} {:>12} {:>10} {:>8} {:>6}\n", "", "n", "batch", "optimum", "gap, nats", "gap/n", "steps");
  for (const auto& [name, make] : sets) {
    const Eigen::Index n = quick ? 300 : 8000;
    const Key key = Key(3).fold(name);
    const Data data = make(n, key);
    Hyperparameters best;
    best.kernel = {KernelType::matern52, 1.0, Vector::Constant(data.X.cols(), 0.3)};
    const Hyperparameters start = best;
    const Matrix Z = choose_inducing(Inducing::kmeans, best.kernel, data.X, data.y, m, key.fold("Z"));
    const double optimum = fit(best, Z, data.X, data.y, {.max_evaluations = 300, .absolute_tolerance = 1e-5}).bound;
    std::vector<double> batches, gaps, steps;
    for (int batch = quick ? 100 : 250; batch <= (quick ? 200 : 2000); batch *= 2) {
      Hyperparameters found = start;
      const FitSummary summary = fit_stochastic(found, Z, data.X, data.y, {}, {.batch_size = batch}, key.fold("fit"));
      const double gap = optimum - bound_gradient(found, Z, data.X, data.y).bound;
      fmt::print("{:<24} {:>6} {:>6} {:>12.1f} {:>10.2f} {:>8.1e} {:>6}\n", name, n, batch, optimum, gap,
                 gap / static_cast<double>(n), summary.num_evaluations);
      std::fflush(stdout);
      result.numbers["fits"].push_back({{"data", name},
                                        {"n", n},
                                        {"batch", batch},
                                        {"optimum", optimum},
                                        {"gap", gap},
                                        {"steps", summary.num_evaluations},
                                        {"message", summary.message}});
      batches.push_back(batch);
      gaps.push_back(std::max(gap, 1e-6) / static_cast<double>(n));
      steps.push_back(summary.num_evaluations);
    }
    result.panels[0].series.push_back({name, batches, gaps});
    result.panels[1].series.push_back({name, batches, steps});
  }
  write_result(result, folder, arguments.command());
  return 0;
}

}  // namespace salvo::experiments
