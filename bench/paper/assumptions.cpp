// Assumptions 1 and 2 as measured, against m and M, beside what Proposition 1 promises.
#include <fmt/core.h>
#include <salvo/salvo.h>

#include <CLI/CLI.hpp>
#include <cmath>

#include "math/sobol.h"
#include "support/result.h"

namespace {

using namespace salvo;

struct Setting {
  int n = 1000, points = 1000, d = 2;
  double lengthscale = 0.25, noise = 0.1;
};

// Data that the kernel's own prior has drawn, as the theory has them.
struct Data {
  Matrix X;
  Vector y;
};
Data prior_data(const Setting& s, const Hyperparameters& hyper, Key key) {
  Data data{sobol(0, s.n, s.d, key.fold("X")), Vector(s.n)};
  const SparseGp prior(hyper, data.X.topRows(1));
  data.y = draw_paths(prior, {.num_paths = 1, .num_features = 4000}, key.fold("f")).values(data.X).col(0);
  Vector noise(s.n);
  key.fold("noise").fill_normal({noise.data(), static_cast<std::size_t>(s.n)});
  data.y += std::sqrt(s.noise) * noise;
  return data;
}

}  // namespace

int main(int argc, char** argv) {
  bool quick = false;
  Setting s;
  std::string folder = "docs/results";
  CLI::App app{"Measured a̲, ā, c and ε against m and M, beside Proposition 1."};
  app.add_flag("--quick", quick, "small sizes, for the test suite");
  app.add_option("--observations", s.n, "n")->capture_default_str()->check(CLI::Range(2, 20000));
  app.add_option("--dims", s.d, "d")->capture_default_str()->check(CLI::Range(1, 20));
  app.add_option("--out", folder, "folder of the result")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    if (quick) s.n = 100, s.points = 100;
    bench::Result result{
        .name = "assumptions",
        .title = "Assumptions 1 and 2, measured",
        .remark = fmt::format("n = {}, d = {}, length-scale {}, τ = {}; Z greedy; dashed: promised by Proposition 1 "
                              "from θ/τ, where it speaks",
                              s.n, s.d, s.lengthscale, s.noise),
        .numbers = {{"quick", quick}, {"n", s.n}, {"d", s.d}, {"lengthscale", s.lengthscale}, {"noise", s.noise}},
        .panels = {}};
    bool holds = true;
    for (const KernelType type : {KernelType::se, KernelType::matern52, KernelType::matern32}) {
      const Hyperparameters hyper{.kernel = {type, 1.0, Vector::Constant(s.d, s.lengthscale)}, .noise = s.noise, .mean = 0};
      const Key key = Key(7).fold(to_string(type));
      const Data data = prior_data(s, hyper, key);
      const Matrix at = sobol(0, s.points, s.d, key.fold("at"));
      std::vector<double> ms, a_low, a_high, c, promised_a, promised_c, Ms, epsilons;
      nlohmann::ordered_json rows;
      fmt::print("\n{}\n{:>6} {:>10} {:>10} {:>10} {:>10} {:>24}\n", to_string(type), "m", "a̲", "ā", "c", "θ/τ",
                 "promised a̲, ā, c");
      for (int m = 10; m <= (quick ? 40 : std::min(640, s.n)); m *= 2) {
        const Matrix Z = choose_inducing(Inducing::greedy, hyper.kernel, data.X, data.y, m, key.fold("Z"));
        const ModelComparison models(SparseGp(hyper, Z), data.X, data.y, {.num_features = 500}, key.fold("features"));
        const MeasuredQuality q = measure(models.at(at), 1);
        const Approximation promised = proposition1(2 * models.theta_over_tau(), 0);
        ms.push_back(m);
        a_low.push_back(q.a_low - 1);
        a_high.push_back(q.a_high - 1);
        c.push_back(q.c);
        promised_a.push_back(promised.speaks() ? promised.a_low - 1 : std::nan(""));
        promised_c.push_back(promised.speaks() ? promised.c : std::nan(""));
        const bool kept = !promised.speaks() || (q.a_low <= promised.a_low && q.a_high <= promised.a_high && q.c <= promised.c);
        holds = holds && kept;
        fmt::print("{:>6} {:>9.4f} {:>9.4f} {:>10.4f} {:>10.3g} {}\n", m, q.a_low, q.a_high, q.c, models.theta_over_tau(),
                   promised.speaks() ? fmt::format("{:>9.4f} {:.4f} {:.4f} {}", promised.a_low, promised.a_high, promised.c,
                                                   kept ? "kept" : "BROKEN")
                                     : "       nothing");
        rows.push_back({{"m", m},
                        {"a_low", q.a_low},
                        {"a_high", q.a_high},
                        {"c", q.c},
                        {"theta_over_tau", models.theta_over_tau()},
                        {"promised", promised.speaks()},
                        {"kept", kept}});
      }
      const Matrix Z = choose_inducing(Inducing::greedy, hyper.kernel, data.X, data.y, 20, key.fold("Z"));
      for (int M = 100; M <= (quick ? 400 : 6400); M *= 2) {
        double sum = 0;
        const std::uint64_t draws = quick ? 1 : 5;  // one set of random features is luck
        for (std::uint64_t draw = 0; draw < draws; ++draw) {
          const Key features = key.fold("features").fold(static_cast<std::uint64_t>(M)).fold(draw);
          sum += measure(ModelComparison(SparseGp(hyper, Z), data.X, data.y, {.num_features = M}, features).at(at), 1).epsilon;
        }
        Ms.push_back(M);
        epsilons.push_back(sum / static_cast<double>(draws));
      }
      const double exponent = bench::fitted_exponent(Ms, epsilons, Ms.size());
      fmt::print("  ε from {:.4f} at M = {:.0f} to {:.4f} at M = {:.0f}: falls as M^{:.2f} (random features: M^−0.5)\n",
                 epsilons.front(), Ms.front(), epsilons.back(), Ms.back(), exponent);
      result.numbers["kernels"].push_back(
          {{"kernel", to_string(type)}, {"by_m", rows}, {"M", Ms}, {"epsilon", epsilons}, {"epsilon_exponent", exponent}});
      result.panels.push_back({fmt::format("{}: a̲ − 1, ā − 1 and c against m", to_string(type)),
                               "m",
                               "",
                               true,
                               true,
                               {{"a̲ − 1", ms, a_low},
                                {"ā − 1", ms, a_high},
                                {"c", ms, c},
                                {"a̲ − 1, promised", ms, promised_a, true},
                                {"c, promised", ms, promised_c, true}}});
      result.panels.push_back({fmt::format("{}: ε against M (falls as M^{:.2f})", to_string(type), exponent),
                               "M",
                               "",
                               true,
                               true,
                               {{"ε", Ms, epsilons}}});
    }
    result.numbers["promise_kept"] = holds;
    fmt::print("\nProposition 1's promise {} at every m where it speaks.\n", holds ? "is kept" : "IS BROKEN");
    bench::write_result(result, folder, argc, argv);
    return holds ? 0 : 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "paper_assumptions: {}\n", error.what());
    return 2;
  }
}
