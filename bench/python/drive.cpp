// The study of binding.py, driven from C++: prints what it took and what it found, for Python to compare with.
//   drive PROBLEM EVALUATIONS BATCH SEED     → seconds of the study by the clock and of CPU, best value
//   drive calls COUNT                        → seconds of an ask of the initial design, seconds of a tell: medians
#include <salvo/salvo.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }  // of all threads

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

void study(const std::string& name, int evaluations, int batch, int seed) {
  const salvo::Problem problem = salvo::problem(name);
  const double begin = now(), cpu = cpu_seconds();
  salvo::Study study = salvo::Study::create(
      {.space = problem.space, .direction = salvo::Direction::minimize, .seed = static_cast<std::uint64_t>(seed), .batch = batch},
      ":memory:");
  for (int done = 0; done < evaluations; done += batch) {
    std::vector<salvo::Outcome> outcomes;
    for (const salvo::Trial& trial : study.ask(batch)) outcomes.push_back({.id = trial.id, .value = problem.value(trial.params)});
    study.tell(outcomes);
  }
  const double best = study.observed_best()->value.value();
  std::printf("%.6f %.6f %.17g\n", now() - begin, cpu_seconds() - cpu, best);
}

void calls(int count) {
  const salvo::Problem problem = salvo::problem("hartmann6");
  salvo::Study study = salvo::Study::create({.space = problem.space, .num_initial = count}, ":memory:");
  std::vector<double> asking, telling;
  for (int i = 0; i < count; ++i) {
    const double start = now();
    const salvo::Trial trial = study.ask(1).front();
    const double asked = now();
    study.tell(trial.id, 1.0);
    telling.push_back(now() - asked);
    asking.push_back(asked - start);
  }
  std::printf("%.9f %.9f\n", median(asking), median(telling));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3) calls(std::atoi(argv[2]));
  if (argc == 5) study(argv[1], std::atoi(argv[2]), std::atoi(argv[3]), std::atoi(argv[4]));
  return argc == 3 || argc == 5 ? 0 : 2;
}
