#include <fmt/format.h>
#include <salvo/error.h>
#include <salvo/plan.h>

#include <algorithm>
#include <cmath>

#include "arguments.h"
#include "json.h"
#include "output.h"
#include "plan_study.h"
#include "text.h"

namespace salvo::app {
namespace {

PlanOptions options_of(const PlanArgs& args) {
  PlanOptions options = args.options;
  if (args.nu && !args.matern) throw InputError("--nu: belongs to --kernel matern; se has none and matern52 says it itself");
  if (args.matern && !args.nu) throw InputError("--kernel matern: which ν? Give --nu 0.5, 1.5 or 2.5");
  if (args.matern) {
    if (*args.nu != 0.5 && *args.nu != 1.5 && *args.nu != 2.5)
      throw InputError(fmt::format("--nu: expected 0.5, 1.5 or 2.5 (the kernels Salvo has), got {}", *args.nu));
    options.kernel = *args.nu == 0.5 ? KernelType::matern12 : *args.nu == 1.5 ? KernelType::matern32 : KernelType::matern52;
  }
  return options;
}

std::string size_text(double x) {
  if (std::isinf(x)) return "none";
  return x < 1e9 ? count(static_cast<std::int64_t>(x)) : number(x, 2);
}

std::string constant(double x, int digits = 3) { return std::isfinite(x) ? number(x, digits) : "–"; }

std::string bound_text(const std::optional<RegretBound>& bound) { return bound ? number(bound->total(), 3) : "says nothing"; }

std::string gain_json(const GainBound& gain) {
  return JsonObject()
      .add("greedy", gain.greedy)
      .add("greedy_over_guarantee", gain.over_guarantee)
      .add("spectral", gain.spectral)
      .add("used", gain.value)
      .text();
}

std::string approximation_json(const Approximation& a) {
  return JsonObject()
      .add("speaks", a.speaks())
      .add("kappa", a.kappa)
      .add("a_low", a.a_low)
      .add("a_high", a.a_high)
      .add("c", a.c)
      .add("epsilon", a.epsilon)
      .text();
}

std::string bound_json(const std::optional<RegretBound>& bound) {
  if (!bound) return "null";
  return JsonObject()
      .add("total", bound->total())
      .add("exploring", bound->exploring)
      .add("approximating", bound->approximating)
      .add("constant", bound->constant)
      .add("alpha", bound->alpha)
      .add("b", bound->b)
      .add("beta", bound->beta)
      .text();
}

std::string rule_json(const RulePlan& rule) {
  return JsonObject()
      .add("rule", rule.rule)
      .add("m", rule.m)
      .add("M", rule.M)
      .add("more_than_data", rule.more_than_data)
      .add("cost", rule.cost)
      .raw("table1", JsonObject().add("m", rule.m_order).add("M", rule.M_order).add("cost", rule.cost_order).text())
      .raw("proposition1", approximation_json(rule.approximation))
      .raw("theorem1", bound_json(rule.bound))
      .raw("given", approximation_json(rule.given))
      .raw("given_theorem1", bound_json(rule.given_bound))
      .add("m_to_speak", rule.m_to_speak)
      .text();
}

std::string plan_json(const Plan& plan) {
  const PlanOptions& o = plan.options;
  std::vector<std::string> rules, notes;
  for (const RulePlan& rule : plan.rules) rules.push_back(rule_json(rule));
  for (const std::string& note : plan.notes) notes.push_back(json_string(note));
  return JsonObject()
      .add("event", "plan")
      .add("kernel", to_string(o.kernel))
      .add("dims", o.num_dims)
      .add("steps", o.steps)
      .add("batch", o.batch)
      .add("observations", plan.num_observations)
      .add("noise", o.noise)
      .add("lengthscale", o.lengthscale)
      .add("norm", o.norm)
      .add("subgaussian", o.subgaussian)
      .add("delta", o.delta)
      .add("epsilon0", o.epsilon0)
      .add("kappa", o.kappa)
      .add("inducing", o.num_inducing)
      .add("features", o.num_features)
      .add("candidates", o.num_candidates)
      .raw("gamma_T", gain_json(plan.gamma_steps))
      .raw("gamma_TB", gain_json(plan.gamma_all))
      .add("C1", plan.inverse_norm)
      .add("trivial_regret", plan.trivial)
      .raw("rules", fmt::format("[{}]", fmt::join(rules, ",")))
      .raw("notes", fmt::format("[{}]", fmt::join(notes, ",")))
      .line();
}

using Row = std::vector<std::string>;

// Columns as wide as their widest cell; a row of one cell is a heading.
std::string table(const std::vector<Row>& rows) {
  std::vector<int> widths;
  for (const Row& row : rows) {
    if (row.size() < 2) continue;
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
  }
  std::string text;
  for (const Row& row : rows) {
    std::string line = "  ";
    for (std::size_t i = 0; i < row.size(); ++i) line += row.size() < 2 ? row[i] : pad(row[i], widths[i] + 3);
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

template <class Cell>
Row row(const std::string& title, const Plan& plan, Cell cell) {
  Row out{title};
  for (const RulePlan& rule : plan.rules) out.push_back(cell(rule));
  return out;
}

std::string gains_text(const Plan& plan) {
  const auto line = [](const char* name, const GainBound& gain) {
    return fmt::format("  {:<6} between {} and {}: greedy {}, over 1 − 1/e {}, from the spectrum {}\n", name, number(gain.greedy),
                       number(gain.value), number(gain.greedy), number(gain.over_guarantee), number(gain.spectral));
  };
  return fmt::format("Information gain (greedy on {} points; the greedy choice reaches at least 1 − 1/e of the best)\n",
                     count(plan.options.design)) +
         line("γ_T", plan.gamma_steps) + line("γ_TB", plan.gamma_all);
}

std::string plan_text(const Plan& plan) {
  const PlanOptions& o = plan.options;
  const auto vanilla = [](const RulePlan& rule) { return rule.m_order.empty(); };
  std::string text = fmt::format("Plan for {}, d = {}, T = {} steps of B = {} (n = {}), τ = {}, ℓ = {}, 𝓑 = {}, R = {}\n\n",
                                 to_string(o.kernel), o.num_dims, count(o.steps), count(o.batch), count(plan.num_observations),
                                 number(o.noise, 3), number(o.lengthscale, 3), number(o.norm, 3), number(o.subgaussian, 3));
  text += gains_text(plan) + "\n";
  std::vector<Row> rows;
  rows.push_back({"", "rule (5), points", "rule (6), features", "vanilla GP-TS"});
  rows.push_back(row("m needed", plan, [&](const RulePlan& r) {
    return fmt::format("{}{}{}", vanilla(r) ? "n = " : "", size_text(r.m), r.more_than_data && std::isfinite(r.m) ? " > n" : "");
  }));
  rows.push_back(row("  Table 1", plan, [&](const RulePlan& r) { return vanilla(r) ? "–" : r.m_order; }));
  rows.push_back(row("M needed", plan, [&](const RulePlan& r) { return vanilla(r) ? "–" : size_text(r.M); }));
  rows.push_back(row("  Table 1", plan, [&](const RulePlan& r) { return vanilla(r) ? "–" : r.M_order; }));
  rows.push_back(row("operations", plan, [&](const RulePlan& r) { return std::isfinite(r.cost) ? number(r.cost, 2) : "none"; }));
  rows.push_back(row("  Table 1", plan, [&](const RulePlan& r) { return r.cost_order; }));
  rows.push_back(row("κ", plan, [](const RulePlan& r) { return constant(r.approximation.kappa); }));
  rows.push_back(row("a̲", plan, [](const RulePlan& r) { return constant(r.approximation.a_low); }));
  rows.push_back(row("ā", plan, [](const RulePlan& r) { return constant(r.approximation.a_high); }));
  rows.push_back(row("c", plan, [](const RulePlan& r) { return constant(r.approximation.c); }));
  rows.push_back(row("ε", plan, [](const RulePlan& r) { return constant(r.approximation.epsilon); }));
  rows.push_back(row("α_T", plan, [](const RulePlan& r) { return r.bound ? number(r.bound->alpha, 3) : "–"; }));
  rows.push_back(row("regret ≤", plan, [](const RulePlan& r) { return bound_text(r.bound); }));
  rows.push_back({""});
  rows.push_back({fmt::format("With m = {} and M = {}", count(o.num_inducing), count(o.num_features))});
  rows.push_back(row("κ", plan, [&](const RulePlan& r) { return vanilla(r) ? "0" : constant(r.given.kappa); }));
  rows.push_back(row("a̲", plan, [](const RulePlan& r) { return constant(r.given.a_low); }));
  rows.push_back(row("ε", plan, [](const RulePlan& r) { return constant(r.given.epsilon); }));
  rows.push_back(row("regret ≤", plan, [](const RulePlan& r) { return bound_text(r.given_bound); }));
  rows.push_back(row("speaks from m", plan, [&](const RulePlan& r) { return vanilla(r) ? "–" : size_text(r.m_to_speak); }));
  text += table(rows);
  text += fmt::format("\n  N = {} candidates, δ = {}, ε₀ = {}, C₁ = {}. The regret of {} evaluations is never above 2𝓑TB = {}.\n",
                      count(o.num_candidates), number(o.delta, 2), number(o.epsilon0, 2), number(plan.inverse_norm, 3),
                      count(plan.num_observations), number(plan.trivial, 3));
  for (const std::string& note : plan.notes) text += fmt::format("\n  ! {}.\n", note);
  return text;
}

}  // namespace

int execute(const Common& common, const PlanArgs& args) {
  if (!common.study.empty()) return plan_study(common, args);
  if (args.quick) throw InputError("--quick: belongs to a study file: salvo plan STUDY.toml --quick");
  const Plan made = plan(options_of(args));
  print(common.json ? plan_json(made) : plan_text(made));
  return 0;
}

}  // namespace salvo::app
