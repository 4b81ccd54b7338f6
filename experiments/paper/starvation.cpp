// Variance starvation: the standard deviation of samples where there are no data, against the exact GP's, as n grows.
#include <fmt/core.h>
#include <salvo/salvo.h>

#include <cmath>

#include "experiments.h"
#include "model/exact_gp.h"
#include "sample/path_variance.h"
#include "sample/weight_space.h"
#include "support/measure.h"
#include "support/result.h"

namespace salvo::experiments {
namespace {

double spread(const Matrix& V) {  // root mean square over points of the deviation over draws
  const Vector mean = V.rowwise().mean();
  return std::sqrt((V.colwise() - mean).squaredNorm() / static_cast<double>(V.rows() * (V.cols() - 1)));
}

}  // namespace

int run_starvation(Arguments& arguments) {
  bool quick = false;
  int M = 200, draws = 400, m = 200, seeds = 5;
  std::string folder = "docs/results";
  arguments.flag("--quick", quick, "small sizes, for the test suite");
  arguments.option("--features", M, "M, of both samplers", kPositive);
  arguments.option("--inducing", m, "m, of the decoupled sampler", kPositive);
  arguments.option("--draws", draws, "samples of each", {2, 100000});
  arguments.option("--seeds", seeds, "data sets", kPositive);
  arguments.option("--out", folder, "folder of the result");
  arguments.parse();
  if (quick) {
    M = 40;
    m = 40;
    draws = 50;
    seeds = 1;
  }
  constexpr int kDims = 3;
  const Hyperparameters hyper{.kernel = {KernelType::matern52, 1.0, Vector::Constant(kDims, 0.25)}, .noise = 0.05, .mean = 0};
  const std::vector<double> sizes = quick ? std::vector<double>{20, 80} : std::vector<double>{25, 50, 100, 200, 400, 800, 1600};
  std::vector<double> weights, decoupled;
  fmt::print("Samples where there are no data: their spread over the exact GP's (1 is right), M = {}, m = {}\n\n", M, m);
  fmt::print("{:>6} {:>16} {:>16}\n", "n", "random features", "decoupled");
  for (const double size : sizes) {
    double sum_weights = 0, sum_decoupled = 0;
    for (int seed = 0; seed < seeds; ++seed) {
      const Key key = Key(static_cast<std::uint64_t>(seed)).fold("starvation");
      Matrix X = uniform(static_cast<Eigen::Index>(size), kDims, key.fold("X")), far = uniform(60, kDims, key.fold("far"));
      X.col(0) *= 0.5;                                // data in one half,
      far.col(0) = 0.75 + 0.25 * far.col(0).array();  // looked at in the other
      const Vector y = (6.0 * X.col(0).array()).sin() + (5.0 * X.col(1).array()).cos();
      const double truth = std::sqrt(ExactGp(hyper, X, y).predict(far).variance.mean());
      SparseGp gp(hyper, choose_inducing(Inducing::greedy, hyper.kernel, X, y, m, key.fold("Z")));
      gp.condition(X, y);
      const Paths paths = draw_paths(gp, {.num_paths = 1, .num_features = M}, key.fold("paths"));
      sum_decoupled += std::sqrt(path_variance(gp, paths, far).posterior.mean()) / truth;
      sum_weights +=
          spread(draw_weight_space(hyper, X, y, {.num_paths = draws, .num_features = M}, key.fold("weights")).values(far)) /
          truth;
    }
    weights.push_back(sum_weights / seeds);
    decoupled.push_back(sum_decoupled / seeds);
    fmt::print("{:>6.0f} {:>16.3f} {:>16.3f}\n", size, weights.back(), decoupled.back());
  }
  const std::vector<double> ones(sizes.size(), 1.0);
  write_result({.name = "starvation",
                .title = "Variance starvation",
                .remark = fmt::format(
                    "spread of samples where there are no data over the exact GP's; d = {}, M = {}, m = {}, {} data sets", kDims,
                    M, m, seeds),
                .numbers = {{"quick", quick},
                            {"M", M},
                            {"m", m},
                            {"seeds", seeds},
                            {"draws", draws},
                            {"n", sizes},
                            {"random_features", weights},
                            {"decoupled", decoupled}},
                .panels = {{"as the data grow",
                            "observations n",
                            "spread over the exact GP's",
                            true,
                            false,
                            {{"random features alone (weight space)", sizes, weights},
                             {"decoupled, rule (5)", sizes, decoupled},
                             {"exact", sizes, ones, true}}}}},
               folder, arguments.command());
  return 0;
}

}  // namespace salvo::experiments
