#include "bench/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "json.h"
#include "text.h"

namespace salvo::app {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

double quantile(const std::vector<double>& sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto i = static_cast<std::size_t>(at);
  const double next = sorted[std::min(i + 1, sorted.size() - 1)], part = at - static_cast<double>(i);
  if (part == 0 || std::isinf(sorted[i])) return sorted[i];
  return sorted[i] + part * (next - sorted[i]);
}

std::string cell(double value) {
  if (std::isinf(value)) return "infeasible";
  return std::isnan(value) ? "–" : number(value, 3);
}

// Columns as wide as their widest cell; the first to the left, numbers to the right.
std::string markdown(const std::vector<std::vector<std::string>>& rows) {
  std::vector<int> widths(rows[0].size(), 3);
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
  std::string text;
  const auto line = [&](const std::vector<std::string>& row) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string air(static_cast<std::size_t>(widths[i] - width(row[i])), ' ');
      text += i == 0 ? fmt::format("| {}{} ", row[i], air) : fmt::format("| {}{} ", air, row[i]);
    }
    text += "|\n";
  };
  line(rows[0]);
  for (std::size_t i = 0; i < widths.size(); ++i) {
    const std::string dashes(static_cast<std::size_t>(widths[i]), '-');
    text += i == 0 ? fmt::format("|-{}-", dashes) : fmt::format("|-{}:", dashes);
  }
  text += "|\n";
  for (std::size_t r = 1; r < rows.size(); ++r) line(rows[r]);
  return text;
}

std::string label(const std::string& text) {
  std::string out;
  for (const char c : shorten(text, 48)) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

std::string final_table(const std::vector<const CaseSummary*>& cases) {
  const BenchCase& first = *cases[0]->which;
  const bool stuck = cases[0]->knows_stuck();
  const bool queried = std::any_of(cases.begin(), cases.end(), [](const auto* c) { return !std::isnan(c->queried.median); });
  const bool summed = std::any_of(cases.begin(), cases.end(), [](const auto* c) { return !std::isnan(c->cumulative.median); });
  std::vector<std::vector<std::string>> rows = {
      {"method", "runs", "batch", "evaluations", "median", "quartiles", "mean ± error"}};
  if (stuck) rows[0].push_back(fmt::format("above {}", number(first.stuck, 3)));
  if (queried) rows[0].emplace_back("best tried");
  if (summed) rows[0].emplace_back("cumulative");
  rows[0].emplace_back("CPU seconds");
  for (const CaseSummary* c : cases) {
    std::vector<std::string> row = {
        label(c->which->method),
        count(std::ssize(c->runs)),
        count(c->which->file.budget.batch),
        count(c->curve.back().evaluations),
        cell(c->regret.median),
        fmt::format("{} to {}", cell(c->regret.lower), cell(c->regret.upper)),
        std::isnan(c->regret.error) ? cell(c->regret.mean) : with_error(c->regret.mean, c->regret.error)};
    if (stuck) row.push_back(fmt::format("{} of {}", c->stuck, c->runs.size()));
    if (queried) row.push_back(cell(c->queried.median));
    if (summed) row.push_back(cell(c->cumulative.median));
    row.push_back(cell(c->cpu.median));
    rows.push_back(std::move(row));
  }
  return markdown(rows);
}

// Medians at the same number of evaluations, so that methods with different budgets can be compared.
std::string course_table(const std::vector<const CaseSummary*>& cases) {
  std::set<std::int64_t> marks;
  std::int64_t most = 0, first = std::numeric_limits<std::int64_t>::max();
  for (const CaseSummary* c : cases) {
    first = std::min(first, c->curve.front().evaluations);
    marks.insert(c->curve.back().evaluations);
    most = std::max(most, c->curve.back().evaluations);
  }
  for (const std::int64_t part : {16, 8, 4, 2})
    if (most / part >= first) marks.insert(most / part);
  std::vector<std::vector<std::string>> rows = {{"median regret after"}};
  for (const std::int64_t n : marks) rows[0].push_back(count(n));
  for (const CaseSummary* c : cases) {
    std::vector<std::string> row = {label(c->which->method)};
    for (const std::int64_t n : marks) {
      std::vector<double> values;
      for (const BenchRun* run : c->runs) values.push_back(regret_after(*run, n));
      row.push_back(n > c->curve.back().evaluations ? "–" : cell(spread(std::move(values)).median));
    }
    rows.push_back(std::move(row));
  }
  return markdown(rows);
}

}  // namespace

Spread spread(std::vector<double> values) {
  std::erase_if(values, [](double v) { return std::isnan(v); });
  if (values.empty()) return {kUnknown, kUnknown, kUnknown, kUnknown, kUnknown};
  std::sort(values.begin(), values.end());
  const auto n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0;
  for (const double v : values) squares += (v - mean) * (v - mean);
  return {quantile(values, 0.25), quantile(values, 0.5), quantile(values, 0.75), mean,
          values.size() < 2 || std::isinf(mean) ? kUnknown : std::sqrt(squares / (n - 1) / n)};
}

bool CaseSummary::knows_stuck() const { return !std::isnan(which->stuck); }

double regret_after(const BenchRun& run, std::int64_t evaluations) {
  double regret = kUnknown;
  for (const BenchStep& step : run.steps)
    if (step.evaluations <= evaluations) regret = step.regret;
  return regret;
}

std::vector<CaseSummary> summarise(const BenchPlan& plan, const std::vector<BenchRun>& runs) {
  std::vector<CaseSummary> all;
  for (const BenchCase& which : plan.cases) {
    CaseSummary made{.which = &which, .runs = {}, .curve = {}};
    for (const BenchRun& run : runs)
      if (run.problem == which.problem && run.method == which.method) made.runs.push_back(&run);
    if (made.runs.empty()) continue;
    std::vector<double> final, queried, cumulative, cpu;
    std::map<std::int64_t, std::int64_t> steps;  // evaluations → batches, of any run
    for (const BenchRun* run : made.runs) {
      final.push_back(run->steps.back().regret);
      queried.push_back(run->steps.back().queried);
      cumulative.push_back(run->steps.back().cumulative);
      cpu.push_back(run->steps.back().cpu);
      for (const BenchStep& step : run->steps) steps.emplace(step.evaluations, step.batches);
    }
    for (const auto& [evaluations, batches] : steps) {
      std::vector<double> values;
      for (const BenchRun* run : made.runs) values.push_back(regret_after(*run, evaluations));
      made.curve.push_back({evaluations, batches, spread(std::move(values))});
    }
    made.stuck = static_cast<int>(std::count_if(final.begin(), final.end(), [&](double r) { return r > which.stuck; }));
    made.infeasible = static_cast<int>(std::count_if(final.begin(), final.end(), [](double r) { return std::isinf(r); }));
    made.regret = spread(final);
    made.queried = spread(queried);
    made.cumulative = spread(cumulative);
    made.cpu = spread(cpu);
    all.push_back(std::move(made));
  }
  return all;
}

std::string regret_words(const BenchCase& which) {
  if (!std::isnan(which.hypervolume))
    return fmt::format("Hypervolume of the front's true values, short of the best; that is {}", number(which.hypervolume, 6));
  const std::string optimum = number(which.optimum, 6);
  if (which.file.study.one_output()) return fmt::format("Simple regret; the optimum is {}", optimum);
  return fmt::format("Simple regret of points that keep to the constraints, \"infeasible\" of others; the optimum is {}",
                     optimum);
}

std::string regret_json(double regret) { return std::isinf(regret) ? json_string("infeasible") : json_number(regret); }

std::string table_text(const std::vector<CaseSummary>& cases) {
  std::string text;
  for (std::size_t i = 0; i < cases.size();) {
    const std::string& problem = cases[i].which->problem;
    std::vector<const CaseSummary*> same;
    for (; i < cases.size() && cases[i].which->problem == problem; ++i) same.push_back(&cases[i]);
    text += fmt::format("{}## {}\n\n{}.\n\n{}\n{}", text.empty() ? "" : "\n", one_line(problem), regret_words(*same[0]->which),
                        final_table(same), course_table(same));
  }
  return text;
}

std::string summary_line(const CaseSummary& c) {
  return JsonObject()
      .add("event", "summary")
      .add("problem", c.which->problem)
      .add("method", c.which->method)
      .add("runs", std::ssize(c.runs))
      .add("evaluations", c.curve.back().evaluations)
      .add("batches", c.curve.back().batches)
      .raw("median", regret_json(c.regret.median))
      .raw("lower_quartile", regret_json(c.regret.lower))
      .raw("upper_quartile", regret_json(c.regret.upper))
      .raw("mean", regret_json(c.regret.mean))
      .add("mean_error", c.regret.error)
      .raw("stuck", c.knows_stuck() ? json_number(static_cast<double>(c.stuck) / static_cast<double>(c.runs.size())) : "null")
      .add("infeasible", c.infeasible)
      .raw("queried", regret_json(c.queried.median))
      .raw("cumulative", regret_json(c.cumulative.median))
      .add("cpu_seconds", c.cpu.median)
      .line();
}

}  // namespace salvo::app
