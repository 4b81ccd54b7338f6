// What a step costs: rules (5) and (6), exact pathwise sampling and vanilla GP-TS against N, n and m, with the exponents
// that Table 1 of the paper has. Processor time of one thread, the least of several runs: others on the machine only add.
#include <fmt/core.h>
#include <salvo/salvo.h>

#include <algorithm>
#include <ctime>
#include <functional>

#include "experiments.h"
#include "sample/joint.h"
#include "support/measure.h"
#include "support/result.h"

namespace salvo::experiments {
namespace {

constexpr int kDims = 4;

Hyperparameters hyper() { return {.kernel = {KernelType::matern52, 1.0, Vector::Constant(kDims, 0.3)}, .noise = 0.1, .mean = 0}; }

SparseGp model(Eigen::Index n, Eigen::Index m) {
  const Matrix X = uniform(n, kDims, Key(1));
  SparseGp gp(hyper(), m == n ? X : uniform(m, kDims, Key(2)));
  gp.condition(X, X.col(0));
  return gp;
}

SparseGp feature_model(Eigen::Index n, int m) {
  const Matrix X = uniform(n, kDims, Key(1));
  SparseGp gp(hyper(), eigenfunctions(EigenType::box, hyper().kernel, m));
  gp.condition(X, X.col(0));
  return gp;
}

double seconds_of(const std::function<void()>& body, int repeats) {
  std::vector<double> all;
  for (int i = 0; i < repeats; ++i) {
    timespec a{}, b{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
    body();
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
    all.push_back(static_cast<double>(b.tv_sec - a.tv_sec) + 1e-9 * static_cast<double>(b.tv_nsec - a.tv_nsec));
  }
  return *std::min_element(all.begin(), all.end());
}

struct CostSweep {
  std::string what, against;
  double expected;  // the exponent of Table 1
  std::vector<double> sizes;
  std::function<std::function<void()>(int)> prepare;  // for a size: what to time
};

std::vector<double> doubling(double from, int count) {
  std::vector<double> out;
  for (int i = 0; i < count; ++i) out.push_back(from * (1 << i));
  return out;
}

}  // namespace

int run_costs(Arguments& arguments) {
  bool quick = false;
  int repeats = 5;
  std::string folder = "docs/results";
  arguments.flag("--quick", quick, "small sizes, for the test suite");
  arguments.option("--repeats", repeats, "runs of each, of which the least counts", kPositive);
  arguments.option("--out", folder, "folder of the result");
  arguments.parse();
  set_num_threads(1);
  const int B = quick ? 10 : 50, M = quick ? 100 : 1000, steps = quick ? 3 : 5;
  const double unit = quick ? 0.25 : 1;  // the smallest size of each sweep
  const auto at = [&](double size) { return std::max(16.0, size * unit); };
  if (quick) repeats = 1;
  const int m = quick ? 20 : 200;
  const SparseGp gp = model(quick ? 100 : 2000, m), features = feature_model(quick ? 100 : 2000, m);
  const SparseGp exact = model(quick ? 60 : 500, quick ? 60 : 500);
  const SparseGp few = model(quick ? 16 : 100, quick ? 16 : 100);  // so few that N³ outweighs N²n
  const auto paths_on = [&](const SparseGp& of, int N) {
    return [&of, N, B, M] {
      const Matrix C = uniform(N, kDims, Key(3));
      (void)draw_paths(of, {.num_paths = B, .num_features = M}, Key(4)).values(C);
    };
  };
  const std::vector<CostSweep> sweeps{
      {"rule (5), samples at N candidates", "N", 1, doubling(at(2000), steps), [&](int N) { return paths_on(gp, N); }},
      {"rule (6), samples at N candidates", "N", 1, doubling(at(2000), steps), [&](int N) { return paths_on(features, N); }},
      {"exact pathwise, samples at N candidates", "N", 1, doubling(at(2000), steps), [&](int N) { return paths_on(exact, N); }},
      {"vanilla GP-TS, joint samples at N candidates", "N", 3, doubling(at(400), steps),
       [&](int N) { return [&few, N, B] { (void)joint_samples(few, uniform(N, kDims, Key(3)), B, 1.0, Key(4)); }; }},
      {"sparse model of n observations", "n", 1, doubling(at(2000), steps), [&](int n) { return [n, m] { (void)model(n, m); }; }},
      {"inducing features of n observations", "n", 1, doubling(at(2000), steps),
       [&](int n) { return [n, m] { (void)feature_model(n, m); }; }},
      {"exact model of n observations", "n", 3, doubling(at(125), steps), [&](int n) { return [n] { (void)model(n, n); }; }},
      {"sparse model with m inducing points", "m", 2, doubling(at(64), steps),
       [&](int size) { return [size, quick] { (void)model(quick ? 400 : 20000, size); }; }},
      {"sparse model with m inducing features", "m", 2, doubling(at(64), steps),
       [&](int size) { return [size, quick] { (void)feature_model(quick ? 400 : 20000, size); }; }}};
  Result result{.name = "costs",
                .title = "What a step costs",
                .remark = fmt::format("processor seconds of one thread; d = {}, B = {}, M = {}, m = {}", kDims, B, M, m),
                .numbers = {{"quick", quick}, {"B", B}, {"M", M}, {"m", m}},
                .panels = {{"samples at N candidates", "N", "seconds", true, true, {}},
                           {"models of n observations", "n", "seconds", true, true, {}},
                           {"models with m inducing variables", "m", "seconds", true, true, {}}}};
  fmt::print("{:<46} {:>3} {:>22} {:>10} {:>8}\n", "", "", "sizes", "exponent", "Table 1");
  for (const CostSweep& sweep : sweeps) {
    std::vector<double> seconds;
    for (const double size : sweep.sizes) seconds.push_back(seconds_of(sweep.prepare(static_cast<int>(size)), repeats));
    const double exponent = fitted_exponent(sweep.sizes, seconds, 3);
    fmt::print("{:<46} {:>3} {:>10.0f} to {:>8.0f} {:>10.2f} {:>8.0f}\n", sweep.what, sweep.against, sweep.sizes.front(),
               sweep.sizes.back(), exponent, sweep.expected);
    result.numbers["sweeps"].push_back({{"what", sweep.what},
                                        {"against", sweep.against},
                                        {"sizes", sweep.sizes},
                                        {"seconds", seconds},
                                        {"exponent", exponent},
                                        {"table1", sweep.expected}});
    const std::size_t panel = sweep.against == "N" ? 0 : sweep.against == "n" ? 1 : 2;
    result.panels[panel].series.push_back(
        {fmt::format("{}: exponent {:.2f} (Table 1: {:.0f})", sweep.what, exponent, sweep.expected), sweep.sizes, seconds});
  }
  write_result(result, folder, arguments.command());
  return 0;
}

}  // namespace salvo::experiments
