// The model on its own: fit a sparse Gaussian process to 2,000 noisy observations, predict, and draw functions from it.
#include <salvo/salvo.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

int main() {
  const salvo::Key key(7);  // every random number below is a function of this key

  // y = sin(8x) + noise, with x uniform in the unit interval.
  const int n = 2000;
  salvo::Matrix X(n, 1);
  salvo::Vector y(n);
  key.fold("x").fill_uniform({X.data(), static_cast<std::size_t>(n)});
  key.fold("noise").fill_normal({y.data(), static_cast<std::size_t>(n)});
  for (int i = 0; i < n; ++i) y[i] = std::sin(8 * X(i, 0)) + 0.3 * y[i];

  // Learn length-scale, variance, noise and mean by the collapsed bound, with 30 inducing points.
  salvo::Hyperparameters hyper;
  hyper.kernel.lengthscales = salvo::Vector::Constant(1, 0.3);
  const salvo::Matrix Z = salvo::choose_inducing(salvo::Inducing::kmeans, hyper.kernel, X, y, 30, key.fold("inducing"));
  const salvo::FitSummary summary = salvo::fit(hyper, Z, X, y);
  std::printf("%s\nlength-scale %.3f, noise %.3f, bound %.1f\n", summary.message.c_str(), hyper.kernel.lengthscales[0],
              std::sqrt(hyper.noise), summary.bound);

  // The posterior at a few points.
  salvo::SparseGp gp(hyper, Z);
  gp.condition(X, y);
  const salvo::Matrix grid = salvo::Vector::LinSpaced(5, 0, 1);
  const salvo::Prediction prediction = gp.predict(grid);

  // Functions drawn from the posterior: each can be evaluated anywhere.
  const salvo::Paths paths = salvo::draw_paths(gp, {.num_paths = 3}, key.fold("draw"));
  const salvo::Matrix values = paths.values(grid);  // [5,3]

  double worst = 0;
  for (int i = 0; i < grid.rows(); ++i) {
    const double truth = std::sin(8 * grid(i, 0));
    std::printf("x %.2f: truth % .2f, posterior % .2f ± %.2f, samples % .2f % .2f % .2f\n", grid(i, 0), truth, prediction.mean[i],
                std::sqrt(prediction.variance[i]), values(i, 0), values(i, 1), values(i, 2));
    worst = std::max(worst, std::abs(prediction.mean[i] - truth));
  }
  return worst < 0.2 ? 0 : 1;
}
