#include "support/studies.h"

#include <cmath>

namespace salvo::test {

double objective(const Params& params) {
  double sum = 0, weight = 1;
  for (const Value& value : params) {
    const double x = std::visit(
        [](const auto& v) {
          if constexpr (std::is_same_v<std::decay_t<decltype(v)>, std::string>)
            return static_cast<double>(v.size() + v.front());
          else
            return static_cast<double>(v);
        },
        value);
    sum += std::sin(weight * x) + 0.1 * std::cos(1e4 * x);
    weight += 0.7;
  }
  return sum;
}

void tell_all(Study& study, const std::vector<Trial>& trials) {
  for (const Trial& trial : trials) study.tell(trial.id, objective(trial.params));
}

std::vector<Params> points(const std::vector<Trial>& trials) {
  std::vector<Params> out;
  for (const Trial& trial : trials) out.push_back(trial.params);
  return out;
}

}  // namespace salvo::test
