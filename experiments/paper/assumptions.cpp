// Assumptions 1 and 2 as measured, against m and M, beside what Proposition 1 promises.
#include <fmt/core.h>
#include <salvo/salvo.h>

#include <cmath>
#include <functional>

#include "experiments.h"
#include "math/sobol.h"
#include "support/measure.h"
#include "support/result.h"

namespace salvo::experiments {
namespace {

struct Setting {
  int n = 1000, points = 1000, d = 2;
  double lengthscale = 0.25, noise = 0.1;
};

// Data that the kernel's own prior has drawn, as the theory has them.
Data prior_data(const Setting& s, const Hyperparameters& hyper, Key key) {
  Data data{sobol(0, s.n, s.d, key.fold("X")), Vector(s.n)};
  const SparseGp prior(hyper, data.X.topRows(1));
  data.y = draw_paths(prior, {.num_paths = 1, .num_features = 4000}, key.fold("f")).values(data.X).col(0);
  Vector noise(s.n);
  key.fold("noise").fill_normal({noise.data(), static_cast<std::size_t>(s.n)});
  data.y += std::sqrt(s.noise) * noise;
  return data;
}

struct Sweep {
  nlohmann::ordered_json rows;
  std::vector<Series> lines;
  bool kept = true;  // what is promised
  double exponent = 0;
};

// a̲, ā and c, beside what Proposition 1 promises from θ/τ where it speaks.
Sweep against_m(const Setting& s, bool quick, const Data& data, const Matrix& at, const std::function<SparseGp(int)>& model,
                Key key) {
  Sweep out;
  std::vector<double> ms, a_low, a_high, c, promised_a, promised_c;
  fmt::print("{:>6} {:>10} {:>10} {:>10} {:>10} {:>24}\n", "m", "a̲", "ā", "c", "θ/τ", "promised a̲, ā, c");
  for (int m = 10; m <= (quick ? 40 : std::min(640, s.n)); m *= 2) {
    const ModelComparison models(model(m), data.X, data.y, {.num_features = std::max(500, m)}, key.fold("features"));
    const MeasuredQuality q = measure(models.at(at), 1);
    const Approximation promised = proposition1(2 * models.theta_over_tau(), 0);
    ms.push_back(m);
    a_low.push_back(q.a_low - 1);
    a_high.push_back(q.a_high - 1);
    c.push_back(q.c);
    promised_a.push_back(promised.speaks() ? promised.a_low - 1 : std::nan(""));
    promised_c.push_back(promised.speaks() ? promised.c : std::nan(""));
    const bool kept = !promised.speaks() || (q.a_low <= promised.a_low && q.a_high <= promised.a_high && q.c <= promised.c);
    out.kept = out.kept && kept;
    fmt::print("{:>6} {:>9.4f} {:>9.4f} {:>10.4f} {:>10.3g} {}\n", m, q.a_low, q.a_high, q.c, models.theta_over_tau(),
               promised.speaks() ? fmt::format("{:>9.4f} {:.4f} {:.4f} {}", promised.a_low, promised.a_high, promised.c,
                                               kept ? "kept" : "BROKEN")
                                 : "       nothing");
    out.rows.push_back({{"m", m},
                        {"a_low", q.a_low},
                        {"a_high", q.a_high},
                        {"c", q.c},
                        {"theta_over_tau", models.theta_over_tau()},
                        {"promised", promised.speaks()},
                        {"kept", kept}});
  }
  out.lines = {{"a̲ − 1", ms, a_low},
               {"ā − 1", ms, a_high},
               {"c", ms, c},
               {"a̲ − 1, promised", ms, promised_a, true},
               {"c, promised", ms, promised_c, true}};
  return out;
}

// ε. Random features are luck, so the mean of several sets of them; of eigenfunctions √δ_M bounds it, with δ_M the largest
// variance that they leave out at a point.
Sweep against_M(bool quick, bool features, const Data& data, const Matrix& at, const SparseGp& gp, Key key) {
  Sweep out;
  std::vector<double> Ms, epsilons, bounds;
  for (int M = 100; M <= (quick ? 400 : 6400); M *= 2) {
    const std::uint64_t draws = quick || features ? 1 : 5;
    double sum = 0, lost = 0;
    for (std::uint64_t draw = 0; draw < draws; ++draw) {
      const Key one = key.fold("features").fold(static_cast<std::uint64_t>(M)).fold(draw);
      const ModelComparison models(gp, data.X, data.y, {.num_features = M}, one);
      sum += measure(models.at(at), 1).epsilon;
      lost = models.lost_variance(at).cwiseAbs().maxCoeff();
    }
    Ms.push_back(M);
    epsilons.push_back(sum / static_cast<double>(draws));
    bounds.push_back(std::sqrt(lost));
    if (features) out.kept = out.kept && epsilons.back() <= bounds.back() + 1e-9;
    out.rows.push_back({{"M", M}, {"epsilon", epsilons.back()}});
    if (features) out.rows.back()["root_delta_M"] = bounds.back();
  }
  out.exponent = fitted_exponent(Ms, epsilons, Ms.size());
  fmt::print("  ε from {:.2g} at M = {:.0f} to {:.2g} at M = {:.0f}: falls as M^{:.2f}{}\n", epsilons.front(), Ms.front(),
             epsilons.back(), Ms.back(), out.exponent,
             features ? fmt::format(" ({} √δ_M)", out.kept ? "within" : "ABOVE") : " (random features: M^−0.5)");
  out.lines = {{"ε", Ms, epsilons}};
  if (features) out.lines.push_back({"√δ_M", Ms, bounds, true});
  return out;
}

}  // namespace

int run_assumptions(Arguments& arguments) {
  bool quick = false;
  Setting s;
  std::string folder = "docs/results";
  arguments.flag("--quick", quick, "small sizes, for the test suite");
  arguments.option("--observations", s.n, "n", {2, 20000});
  arguments.option("--dims", s.d, "d", {1, 20});
  arguments.option("--out", folder, "folder of the result");
  arguments.parse();
  if (quick) {
    s.n = 100;
    s.points = 100;
  }
  Result result{
      .name = "assumptions",
      .title = "Assumptions 1 and 2, measured",
      .remark = fmt::format("n = {}, d = {}, length-scale {}, τ = {}; rule (5): Z greedy; rule (6): the eigenfunctions of a "
                            "box; dashed: promised by Proposition 1 from θ/τ, where it speaks",
                            s.n, s.d, s.lengthscale, s.noise),
      .numbers = {{"quick", quick}, {"n", s.n}, {"d", s.d}, {"lengthscale", s.lengthscale}, {"noise", s.noise}},
      .panels = {}};
  bool holds = true;
  for (const KernelType type : {KernelType::se, KernelType::matern52, KernelType::matern32}) {
    const Hyperparameters hyper{.kernel = {type, 1.0, Vector::Constant(s.d, s.lengthscale)}, .noise = s.noise, .mean = 0};
    const Key key = Key(7).fold(to_string(type));
    const Data data = prior_data(s, hyper, key);
    const Matrix at = sobol(0, s.points, s.d, key.fold("at"));
    for (const bool features : {false, true}) {
      const auto model = [&](int m) {
        if (features) return SparseGp(hyper, eigenfunctions(EigenType::box, hyper.kernel, m));
        return SparseGp(hyper, choose_inducing(Inducing::greedy, hyper.kernel, data.X, data.y, m, key.fold("Z")));
      };
      const std::string name = fmt::format("{}, {}", to_string(type), features ? "rule (6)" : "rule (5)");
      fmt::print("\n{}\n", name);
      const Sweep by_m = against_m(s, quick, data, at, model, key);
      const Sweep by_M = against_M(quick, features, data, at, model(20), key);
      holds = holds && by_m.kept && by_M.kept;
      result.numbers["kernels"].push_back({{"kernel", to_string(type)},
                                           {"rule", features ? 6 : 5},
                                           {"by_m", by_m.rows},
                                           {"by_M", by_M.rows},
                                           {"epsilon_exponent", by_M.exponent}});
      result.panels.push_back({fmt::format("{}: a̲ − 1, ā − 1 and c against m", name), "m", "", true, true, by_m.lines});
      result.panels.push_back(
          {fmt::format("{}: ε against M (falls as M^{:.2f})", name, by_M.exponent), "M", "", true, true, by_M.lines});
    }
  }
  result.numbers["promise_kept"] = holds;
  fmt::print("\nProposition 1's promise {} at every m where it speaks.\n", holds ? "is kept" : "IS BROKEN");
  write_result(result, folder, arguments.command());
  return holds ? 0 : 1;
}

}  // namespace salvo::experiments
