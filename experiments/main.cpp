// What Salvo's figures and defaults stand on: one program, one word for each experiment.
#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <exception>

#include "experiments.h"
#include "nearest.h"

namespace salvo::experiments {
namespace {

struct Experiment {
  std::string name, about, example;
  int (*run)(Arguments&);
};

const std::vector<Experiment> kExperiments{
    {"quality", "final regret of the built-in problems over many seeds, against our goals",
     "quality --problems shekel --seeds 30 --set model.num_inducing=250", run_quality},
    {"recommendation", "the recommended point beside the best point tried, on every built-in problem",
     "recommendation --problems shekel --seeds 10", run_recommendation},
    {"speed", "times of the hot paths, against goals in work over the machine's own dgemm rate", "speed --json", run_speed},
    {"pool", "speed of pools, as ratios to the machine's own 8-bit product", "pool --quick --check", run_pool},
    {"molecules", "how much of the best of a library a campaign finds",
     "molecules cep --data FOLDER --methods tanimoto-auto,random", run_molecules},
    {"fingerprints", "how fast SMILES become a pool, beside RDKit's own single thread",
     "fingerprints zinc250k_smiles.csv.gz smiles 20000", run_fingerprints},
    {"features", "error of every kind of prior features against the kernel, at equal M", "features --seeds 10", run_features},
    {"costs", "costs of a step against N, n and m, with exponents beside Table 1's of the paper", "costs --repeats 3", run_costs},
    {"starvation", "spread of samples where there are no data, against the exact GP's, as data grow", "starvation --quick",
     run_starvation},
    {"exactness", "regret of sparse against exact Thompson sampling over many seeds", "exactness --problems shekel --jobs 2",
     run_exactness},
    {"assumptions", "a̲, ā, c and ε as measured, against m and M, beside Proposition 1", "assumptions --dims 3", run_assumptions},
    {"stochastic", "the stochastic fit against the collapsed optimum on three data sets", "stochastic --inducing 100",
     run_stochastic},
    {"where", "known conditions among parameters: told, learned from failures, and random points",
     "where --problems mixture --seeds 10", run_where},
    {"prior", "regret with and without an old study as a prior: alike, shifted, unrelated, opposite",
     "prior --problems hartmann6", run_prior},
    {"failures", "evaluations that fail somewhere: how many do and what is found, with and without learning from them",
     "failures --problems edge2 --seeds 10", run_failures},
    {"choices", "categories whose choices have a best point each: how often the best choice is found",
     "choices --problems reactor --seeds 10", run_choices},
    {"calibration", "how often what is said of the best trials of several noisy outputs is true",
     "calibration --problems curve2 --seeds 10", run_calibration},
    {"classifiers",
     "what is said of the chance that an evaluation succeeds, beside the truth: regressions and a probit classifier",
     "classifiers --problems edge2 --seeds 10", run_classifiers},
    {"drive", "the study of experiments/python/binding.py, driven from C++", "drive --problem hartmann6 --evaluations 1000",
     run_drive},
};

std::string help() {
  std::string text =
      "usage: experiments NAME [OPTIONS]\n\nWhat Salvo's figures and defaults stand on. Run from the root of the repository.\n\n";
  for (const Experiment& each : kExperiments) text += fmt::format("  {:<16}{}\n", each.name, each.about);
  return text +
         "\nexperiments NAME --help tells its options. Example:\n  experiments quality --problems shekel --seeds 30\n"
         "Status: 0, or 1 when a goal was missed, or 2 when an experiment could not be done.\n";
}

int run_experiment(const Experiment& experiment, std::vector<std::string> words) {
  Arguments arguments(experiment.name, fmt::format("{}\nExample: experiments {}", experiment.about, experiment.example),
                      std::move(words));
  try {
    return experiment.run(arguments);
  } catch (const Usage& usage) {
    if (usage.status == 0)
      fmt::print("{}", usage.text);
    else
      fmt::print(stderr, "experiments {}: {}", experiment.name, usage.text);
    return usage.status;
  } catch (const std::exception& error) {
    fmt::print(stderr, "experiments {}: {}\n", experiment.name, error.what());
    return 2;
  }
}

int run(const std::vector<std::string>& words) {
  if (words.empty() || words[0] == "--help" || words[0] == "-h") {
    std::fputs(help().c_str(), words.empty() ? stderr : stdout);
    return words.empty() ? 2 : 0;
  }
  std::vector<std::string> names;
  for (const Experiment& each : kExperiments) {
    if (each.name == words[0]) return run_experiment(each, {words.begin() + 1, words.end()});
    names.push_back(each.name);
  }
  fmt::print(stderr, "experiments: there is no experiment {}{}; experiments --help names all\n", words[0],
             app::suggestion(words[0], names));
  return 2;
}

}  // namespace
}  // namespace salvo::experiments

int main(int argc, char** argv) { return salvo::experiments::run({argv + 1, argv + argc}); }
