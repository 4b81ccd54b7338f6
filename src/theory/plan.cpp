#include <fmt/format.h>
#include <salvo/plan.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "math/linalg.h"
#include "math/sobol.h"
#include "model/jitter.h"
#include "model/selection.h"
#include "theory/information_gain.h"
#include "theory/spectrum.h"
#include "theory/table1.h"

namespace salvo {
namespace {

constexpr double kSilent = 1.0 / 3;  // κ from which Proposition 1 has nothing to say

Kernel unit_kernel(const PlanOptions& options) {
  return {options.kernel, 1.0, Vector::Constant(options.num_dims, options.lengthscale)};
}

double log_at_least_one(double x) { return std::max(1.0, std::log(x)); }

PlanOptions completed(PlanOptions options) {
  const auto T = static_cast<double>(options.steps), n = T * static_cast<double>(options.batch);
  if (options.subgaussian == 0) options.subgaussian = std::sqrt(options.noise);
  if (options.delta == 0) options.delta = std::min(0.5, 1 / T);
  if (options.epsilon0 == 0) {
    const double half = options.kappa * options.noise * options.delta / (8 * n);  // half of the wanted κ
    options.epsilon0 = std::min(1 / (T * T * log_at_least_one(T)), half);
  }
  if (options.num_candidates == 0) options.num_candidates = 500 * static_cast<std::int64_t>(options.num_dims);
  return options;
}

// κ of Proposition 1 and the m that a wanted κ needs, for one kind of model.
class Rule {
 public:
  Rule(const PlanOptions& options, const Spectra& spectra, bool points) : spectra_(spectra), points_(points) {
    const double n = static_cast<double>(options.steps) * static_cast<double>(options.batch);
    scale_ = 2 * n / options.noise / (points ? options.delta : 1.0);
    fixed_ = points ? 4 * n * options.epsilon0 / (options.noise * options.delta) : 0.0;
    possible_ = !points || 2 * smoothness(options.kernel) > options.num_dims;
  }

  [[nodiscard]] double kappa(double m) const { return scale_ * (points_ ? m + 1 : 1) * spectra_.tail(m) + fixed_; }
  [[nodiscard]] double size_for(double kappa) const {
    const double target = (kappa - fixed_) / scale_;
    return possible_ && target > 0 ? spectra_.size_for(target, points_) : kInfinity;
  }

 private:
  const Spectra& spectra_;
  bool points_, possible_ = true;
  double scale_ = 0, fixed_ = 0;
};

GainBound gain_bound(const InformationGain& gain, const Spectra& spectra, double noise, std::int64_t picks) {
  const auto n = static_cast<double>(picks);
  GainBound out;
  out.greedy = gain.after(picks);
  out.over_guarantee = out.greedy / (1 - std::exp(-1.0));
  out.spectral = 0.5 * n * std::log1p(1 / noise);  // m = n: every observation as if it were the first
  for (double m = 1; m < n; m = std::max(m + 1, std::floor(m * 1.02)))
    out.spectral = std::min(out.spectral, 0.5 * m * std::log1p(n / (m * noise)) + 0.5 * n * spectra.tail(m) / noise);
  out.value = std::min(out.over_guarantee, out.spectral);
  return out;
}

// C₁ of Proposition 1, measured on a greedy Z; beyond a thousand points what the jitter allows at most.
double inverse_norm(const Kernel& kernel, double m) {
  constexpr double kMeasured = 1000;
  if (m > kMeasured) return 1 + 1 / kJitter;
  const Key key(0);
  const Matrix X = sobol(0, 2048, static_cast<int>(kernel.lengthscales.size()), key);
  const Matrix Z = greedy_variance(kernel, X, Vector(), std::max(1, static_cast<int>(m)), key);
  return 1 + gram_lower(invert_lower(cholesky(gram(kernel, Z, Z), kernel.variance, kJitter).L)).cwiseAbs().maxCoeff();
}

RegretTerms terms_of(const Plan& plan) {
  const PlanOptions& o = plan.options;
  return {o.num_dims, o.steps, o.batch, o.noise, o.norm, o.subgaussian, plan.gamma_steps.value, plan.gamma_all.value};
}

// Theorem 2 wants ε√T to be a small constant; and the approximation's share of the regret shall not pass the
// exploration's.
double epsilon_wanted(const RegretBound& bound, const PlanOptions& options) {
  const auto T = static_cast<double>(options.steps), all = T * static_cast<double>(options.batch);
  return std::min(1 / std::sqrt(T), bound.exploring / ((31 * bound.beta + bound.alpha) * all));
}

RulePlan sparse_plan(const Plan& plan, const Spectra& spectra, bool points) {
  const PlanOptions& o = plan.options;
  const Rule rule(o, spectra, points);
  const double n = static_cast<double>(plan.num_observations);
  RulePlan out{.rule = points ? "inducing points" : "inducing features"};
  out.m = rule.size_for(o.kappa);
  out.more_than_data = out.m > n;
  // Rule (6) misses exactly the waves beyond M; rule (5) spreads their error through Kzz⁻¹.
  const auto factor = [&](double m) { return points ? plan.inverse_norm * std::min(m, n) : 1.0; };
  if (std::isfinite(out.m)) {
    const RegretBound exact_prior = theorem1(terms_of(plan), proposition1(o.kappa, 0));
    const double wanted = epsilon_wanted(exact_prior, o);
    out.M = spectra.size_for(wanted * wanted / factor(out.m));
    if (!points) out.M = std::max(out.M, out.m);
    out.approximation = proposition1(o.kappa, wanted);
    if (std::isfinite(out.M)) out.bound = theorem1(terms_of(plan), out.approximation);
  } else {
    out.M = kInfinity;
    out.approximation = proposition1(kInfinity, kInfinity);
  }
  out.cost = table1_cost(o, std::min(out.m, n), out.M);
  const Table1 orders = table1(o.kernel, o.num_dims, points);
  out.m_order = orders.m;
  out.M_order = orders.M;
  out.cost_order = orders.cost;

  const double m = std::min<double>(o.num_inducing, n);
  // Z = X is the exact GP; features never are.
  const double kappa = points && m >= n ? 0 : rule.kappa(m);
  out.given = proposition1(kappa, std::sqrt(factor(m) * spectra.tail(o.num_features)));
  out.m_to_speak = rule.size_for(kSilent * (1 - 1e-9));
  if (points) out.m_to_speak = std::min(out.m_to_speak, n);
  if (out.given.speaks()) out.given_bound = theorem1(terms_of(plan), out.given);
  return out;
}

RulePlan vanilla_plan(const Plan& plan) {
  RulePlan out{.rule = "vanilla GP-TS", .m = static_cast<double>(plan.num_observations)};
  out.bound = theorem1(terms_of(plan), {});
  out.given_bound = out.bound;
  out.cost = vanilla_cost(plan.options);
  out.cost_order = "B·N³·T + B³·T⁴";
  return out;
}

std::string large(double x) { return x < 1e7 ? fmt::format("{:.0f}", x) : fmt::format("{:.1e}", x); }

std::vector<std::string> notes_of(const Plan& plan) {
  const PlanOptions& o = plan.options;
  std::vector<std::string> notes;
  const double nu = smoothness(o.kernel), n = static_cast<double>(plan.num_observations);
  if (2 * nu <= o.num_dims)
    notes.push_back(fmt::format(
        "2ν = {} ≤ d = {}: under rule (5) no m is enough, because (m+1)δ_m does not fall. Table 1 needs ν > d/2: take a "
        "smoother kernel, fewer dimensions, or inducing features",
        2 * nu, o.num_dims));
  for (const RulePlan& rule : plan.rules) {
    if (rule.rule == "vanilla GP-TS") continue;
    if (std::isfinite(rule.m) && rule.more_than_data)
      notes.push_back(fmt::format("{}: the theory asks for m = {}, more than the {} observations there will be: {}", rule.rule,
                                  large(rule.m), large(n),
                                  rule.rule == "inducing points" ? "then Z = X, the exact GP, at the exact GP's price"
                                                                 : "more than an exact GP would cost"));
    const double fixed = 4 * n * o.epsilon0 / (o.noise * o.delta);
    if (!std::isfinite(rule.m) && 2 * nu > o.num_dims)
      notes.push_back(
          rule.rule == "inducing points" && fixed >= o.kappa
              ? fmt::format("{}: no m reaches κ = {:.3g}, because ε₀ = {:.2g} alone makes κ = {:.2g}; it must be below {:.2g}",
                            rule.rule, o.kappa, o.epsilon0, fixed, o.kappa * o.noise * o.delta / (4 * n))
              : fmt::format("{}: the theory asks for an m beyond 10²⁰", rule.rule));
    if (!rule.given.speaks())
      notes.push_back(fmt::format(
          "{} with m = {}: κ = {:.3g} ≥ 1/3, the bound says nothing here. {}", rule.rule, o.num_inducing, rule.given.kappa,
          std::isfinite(rule.m_to_speak)
              ? fmt::format("It speaks from m = {}{}", large(rule.m_to_speak),
                            rule.rule == "inducing points" && rule.m_to_speak >= n ? ", every observation" : "")
              : "No m makes it speak"));
  }
  if (plan.rules.back().bound->total() > plan.trivial)
    notes.push_back(
        fmt::format("even the exact GP's bound, {:.3g}, is above the trivial 2𝓑TB = {:.3g}: it says how regret grows, not "
                    "how large it is",
                    plan.rules.back().bound->total(), plan.trivial));
  return notes;
}

}  // namespace

void PlanOptions::validate() const {
  const auto fail = [](const char* name, const char* expected, double got) {
    throw std::invalid_argument(fmt::format("plan: {} must be {}, got {}", name, expected, got));
  };
  if (num_dims < 1 || num_dims > 100) fail("num_dims", "from 1 to 100", num_dims);
  if (steps < 1 || steps > 1'000'000'000) fail("steps", "from 1 to 1e9", static_cast<double>(steps));
  if (batch < 1 || batch > 1'000'000'000) fail("batch", "from 1 to 1e9", static_cast<double>(batch));
  const auto positive = [&](const char* name, double value) {
    if (!(value > 0) || !std::isfinite(value)) fail(name, "positive and finite", value);
  };
  if (is_additive(kernel))
    throw std::invalid_argument(
        fmt::format("plan: kernel must be one of all inputs together (the paper's theorems are of these), "
                    "such as \"{}\", got \"{}\"",
                    to_string(joint(kernel)), to_string(kernel)));
  positive("noise", noise);
  positive("lengthscale", lengthscale);
  positive("norm", norm);
  if (lengthscale < 1e-3 || lengthscale > 1e3) fail("lengthscale", "from 0.001 to 1000 (the cube's side is 1)", lengthscale);
  if (noise < 1e-12 || noise > 1e12) fail("noise", "from 1e-12 to 1e12 (the kernel's variance is 1)", noise);
  if (!(subgaussian >= 0) || !std::isfinite(subgaussian)) fail("subgaussian", "finite and not negative", subgaussian);
  if (!(delta >= 0) || delta >= 1) fail("delta", "0 (1/T) or between 0 and 1", delta);
  if (!(epsilon0 >= 0) || !std::isfinite(epsilon0)) fail("epsilon0", "finite and not negative", epsilon0);
  if (!(kappa > 0) || kappa >= kSilent) fail("kappa", "above 0 and below 1/3", kappa);
  if (num_inducing < 1) fail("num_inducing", "at least 1", num_inducing);
  if (num_features < 1) fail("num_features", "at least 1", num_features);
  if (num_candidates < 0) fail("num_candidates", "at least 0", static_cast<double>(num_candidates));
  if (design < 2 || design > 8192) fail("design", "from 2 to 8192", design);
}

Plan plan(const PlanOptions& asked) {
  asked.validate();
  Plan out{.options = completed(asked)};
  const PlanOptions& o = out.options;
  out.num_observations = o.steps * o.batch;
  const InformationGain gain = greedy_information_gain(unit_kernel(o), o.noise, out.num_observations, o.design, Key(0));
  const Spectra spectra(o.kernel, o.num_dims, o.lengthscale);
  out.gamma_steps = gain_bound(gain, spectra, o.noise, o.steps);
  out.gamma_all = gain_bound(gain, spectra, o.noise, out.num_observations);
  out.trivial = 2 * o.norm * static_cast<double>(out.num_observations);
  const double needed = Rule(o, spectra, true).size_for(o.kappa);
  out.inverse_norm = inverse_norm(unit_kernel(o), std::min(needed, static_cast<double>(out.num_observations)));
  out.rules = {sparse_plan(out, spectra, true), sparse_plan(out, spectra, false), vanilla_plan(out)};
  out.notes = notes_of(out);
  return out;
}

}  // namespace salvo
