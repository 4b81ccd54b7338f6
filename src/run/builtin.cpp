#include "run/builtin.h"

#include <fmt/format.h>

#include <cmath>

namespace salvo::runner {

Builtin::Builtin(const ObjectiveOptions& objective, const StudyOptions& study)
    : problem_(problem(objective.builtin)),
      noise_stddev_(std::sqrt(objective.noise_variance.value_or(problem_.noise_variance))),
      noise_(Key(study.seed).fold("noise")) {
  const auto& wanted = problem_.space.parameters();
  const auto& got = study.space().parameters();
  if (wanted.size() != got.size())
    throw std::invalid_argument(fmt::format("run: the built-in problem \"{}\" has {} parameters, the study has {}",
                                            objective.builtin, wanted.size(), got.size()));
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (wanted[i].name != got[i].name)
      throw std::invalid_argument(fmt::format("run: parameter {} of the built-in problem \"{}\" is \"{}\", of the study \"{}\"",
                                              i + 1, objective.builtin, wanted[i].name, got[i].name));
}

double Builtin::operator()(const Trial& trial) const {
  double normal = 0;
  noise_.fold(static_cast<std::uint64_t>(trial.id)).fill_normal({&normal, 1});
  return problem_.value(trial.params) + noise_stddev_ * normal;
}

}  // namespace salvo::runner
