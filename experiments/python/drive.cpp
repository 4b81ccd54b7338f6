// The study of binding.py, driven from C++: prints what it took and what it found, for Python to compare with.
#include <salvo/salvo.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

#include "experiments.h"
#include "support/measure.h"

namespace salvo::experiments {
namespace {

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }  // of all threads

// Seconds by the clock and of CPU, the best value.
void study(const std::string& name, int evaluations, int batch, int seed) {
  const Problem truth = problem(name);
  const double begin = now(), cpu = cpu_seconds();
  Study study = Study::create({.outputs = one_objective(Direction::minimize),
                               .seed = static_cast<std::uint64_t>(seed),
                               .batch = batch,
                               .search = SpaceSearch{.space = truth.space}},
                              ":memory:");
  for (int done = 0; done < evaluations; done += batch) {
    std::vector<Told> outcomes;
    for (const Trial& trial : study.ask(batch)) outcomes.push_back(told(trial.id, truth.value(trial.params)));
    study.tell(outcomes);
  }
  const double best = study.observed_best()->value().value();
  std::printf("%.6f %.6f %.17g\n", now() - begin, cpu_seconds() - cpu, best);
}

// Seconds of an ask of the initial design and of a tell: medians.
void calls(int count) {
  const Problem truth = problem("hartmann6");
  Study study = Study::create(
      {.outputs = one_objective(Direction::minimize), .num_initial = count, .search = SpaceSearch{.space = truth.space}},
      ":memory:");
  std::vector<double> asking, telling;
  for (int i = 0; i < count; ++i) {
    const double start = now();
    const Trial trial = study.ask(1).front();
    const double asked = now();
    study.tell(trial.id, 1.0);
    telling.push_back(now() - asked);
    asking.push_back(asked - start);
  }
  std::printf("%.9f %.9f\n", median(asking), median(telling));
}

}  // namespace

int run_drive(Arguments& arguments) {
  std::string name = "hartmann6";
  int evaluations = 1000, batch = 100, seed = 0, count = 0;
  arguments.option("--problem", name, "a built-in problem");
  arguments.option("--evaluations", evaluations, "of the whole study", kPositive);
  arguments.option("--batch", batch, "points of a batch", kPositive);
  arguments.option("--seed", seed, "of the study", {0, 1e9});
  arguments.option("--calls", count, "instead: so many single asks and tells, and their medians", {0, 1e6});
  arguments.parse();
  if (count > 0)
    calls(count);
  else
    study(name, evaluations, batch, seed);
  return 0;
}

}  // namespace salvo::experiments
