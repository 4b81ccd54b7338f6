#include "run/builtin.h"

#include <fmt/format.h>

#include <algorithm>

#include "text/text.h"

namespace salvo::runner {
namespace {

std::string names_of(const std::vector<Output>& outputs) {
  std::vector<std::string_view> names;
  for (const Output& output : outputs) names.emplace_back(output.name);
  return listed(names);
}

}  // namespace

Builtin::Builtin(const ObjectiveOptions& objective, const StudyOptions& study)
    : problem_(problem(objective.builtin)),
      noise_stddev_(problem_.noise_deviations(objective.noise_variance)),
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
  if (study.one_output() && problem_.outputs.size() == 1) {  // whatever the study calls it
    which_ = {0};
    return;
  }
  for (const Output& output : study.outputs) {
    const auto found = std::find_if(problem_.outputs.begin(), problem_.outputs.end(),
                                    [&](const Output& known) { return known.name == output.name; });
    if (found == problem_.outputs.end())
      throw std::invalid_argument(fmt::format("run: the built-in problem \"{}\" has the outputs {}, the study has \"{}\"",
                                              objective.builtin, names_of(problem_.outputs), shown(output.name)));
    which_.push_back(static_cast<std::size_t>(found - problem_.outputs.begin()));
  }
}

std::vector<double> Builtin::true_values(const Params& params) const {
  const std::vector<double> all = problem_.values(params);
  std::vector<double> values;
  for (const std::size_t i : which_) values.push_back(all[i]);
  return values;
}

Values Builtin::operator()(const Trial& trial) const {
  std::vector<double> normal(noise_stddev_.size());
  noise_.fold(static_cast<std::uint64_t>(trial.id)).fill_normal(normal);
  std::vector<double> values = true_values(trial.params);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] += noise_stddev_[which_[i]] * normal[which_[i]];
  return {.outputs = std::move(values)};
}

}  // namespace salvo::runner
