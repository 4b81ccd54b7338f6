#pragma once
#include <salvo/bench.h>

#include <string>
#include <vector>

namespace salvo::app {

// What several numbers are like, infinite ones last. All NaN when there are none.
struct Spread {
  double lower, median, upper;  // quartiles
  double mean, error;           // of the mean: standard deviation ÷ √n; NaN for one number
};
[[nodiscard]] Spread spread(std::vector<double> values);

// Regret over the runs of one case, when each had made so many evaluations.
struct CurvePoint {
  std::int64_t evaluations = 0, batches = 0;
  Spread regret{};
};

struct CaseSummary {
  const BenchCase* which = nullptr;
  std::vector<const BenchRun*> runs;
  std::vector<CurvePoint> curve;
  Spread regret{}, queried{}, cumulative{}, cpu{};  // in the end
  int stuck = 0;                                    // runs that ended above the problem's line
  int infeasible = 0;                               // runs that recommended a point that breaks a constraint
  [[nodiscard]] bool knows_stuck() const;
};

// One for each case of the plan that has runs.
[[nodiscard]] std::vector<CaseSummary> summarise(const BenchPlan& plan, const std::vector<BenchRun>& runs);

// The regret after n evaluations: that of the last batch within them; NaN before the first.
[[nodiscard]] double regret_after(const BenchRun& run, std::int64_t evaluations);

// Markdown that reads well as plain text.
[[nodiscard]] std::string table_text(const std::vector<CaseSummary>& cases);
[[nodiscard]] std::string summary_line(const CaseSummary& summary);  // JSON
[[nodiscard]] std::string regret_json(double regret);                // "infeasible" where it is infinite
// What a problem's regret is, in words that begin a line.
[[nodiscard]] std::string regret_words(const BenchCase& which);

}  // namespace salvo::app
