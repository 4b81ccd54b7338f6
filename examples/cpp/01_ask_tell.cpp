// Minimise a noisy function of three parameters by asking for batches and telling what came out.
#include <salvo/salvo.h>

#include <cmath>
#include <cstdio>
#include <random>
#include <string>
#include <variant>

namespace {

// The thing to optimise: lowest, at 0.5, for x = 2, rate = 0.01 and the method "smooth".
double measure(const salvo::Params& params, std::mt19937& noise) {
  const double x = std::get<double>(params[0]);
  const double rate = std::get<double>(params[1]);
  const bool smooth = std::get<std::string>(params[2]) == "smooth";
  const double truth = 0.5 + (x - 2) * (x - 2) + std::pow(std::log10(rate) + 2, 2) + (smooth ? 0 : 1);
  return truth + std::normal_distribution<double>(0, 0.1)(noise);
}

}  // namespace

int main() {
  const salvo::Space space({
      {"x", salvo::Float{.low = -5, .high = 5}},
      {"rate", salvo::Float{.low = 1e-4, .high = 1, .scale = salvo::Scale::log}},
      {"method", salvo::Categorical{{std::string("rough"), std::string("smooth")}}},
  });
  const salvo::StudyOptions options{.name = "ask-tell",
                                    .outputs = salvo::one_objective(salvo::Direction::minimize),
                                    .batch = 20,
                                    .search = salvo::SpaceSearch{.space = space}};
  salvo::Study study = salvo::Study::create(options, ":memory:");  // a file name keeps the study on disk

  std::mt19937 noise(1);
  for (int batch = 0; batch < 10; ++batch) {
    for (const salvo::Trial& trial : study.ask(options.batch)) study.tell(trial.id, measure(trial.params, noise));
  }

  const salvo::Recommendation best = study.recommend().value();
  std::printf("after %lld evaluations: x = %s, rate = %s, method = %s, value %.2f ± %.2f\n",
              static_cast<long long>(study.counts().done), salvo::to_string(best.trial.params[0]).c_str(),
              salvo::to_string(best.trial.params[1]).c_str(), salvo::to_string(best.trial.params[2]).c_str(), best.mean,
              best.stddev);
  return best.mean < 0.8 ? 0 : 1;
}
