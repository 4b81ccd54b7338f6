#include <fmt/format.h>
#include <salvo/output.h>

#include <algorithm>
#include <cmath>

#include "text/numbers.h"
#include "text/text.h"

namespace salvo {
namespace {

std::string in_words(const Objective& objective) {
  std::string text(to_string(objective.direction));
  return objective.reference ? fmt::format("{}, reference {}", text, shortest(*objective.reference)) : text;
}

std::string in_words(const Constraint& constraint) {
  const bool low = std::isfinite(constraint.min), high = std::isfinite(constraint.max);
  const std::string bounds = constraint.passed ? "passed"
                             : low && high     ? fmt::format("{} to {}", shortest(constraint.min), shortest(constraint.max))
                             : low             ? fmt::format("at least {}", shortest(constraint.min))
                                               : fmt::format("at most {}", shortest(constraint.max));
  return fmt::format("{}, with probability {}", bounds, shortest(constraint.probability));
}

}  // namespace

std::string in_words(const Output& output) {
  return std::visit([](const auto& role) { return in_words(role); }, output.role);
}

int find_output(const std::vector<Output>& outputs, std::string_view name) {
  const auto found = std::find_if(outputs.begin(), outputs.end(), [&](const Output& output) { return output.name == name; });
  return found == outputs.end() ? -1 : static_cast<int>(found - outputs.begin());
}

std::optional<double> passed_value(std::string_view word) {
  const std::string lower = lower_case(word);
  if (lower == "passed" || lower == "true" || lower == "1") return 1;
  if (lower == "failed" || lower == "false" || lower == "0") return 0;
  return std::nullopt;
}

std::vector<std::string> changed_outputs(const std::vector<Output>& before, const std::vector<Output>& now) {
  std::vector<std::string> lines;
  for (const Output& output : before) {
    const int place = find_output(now, output.name);
    if (place < 0) {
      lines.push_back(fmt::format("{}: it was there ({}), and is not any more", output.name, in_words(output)));
    } else if (const Output& other = now[static_cast<std::size_t>(place)]; other.role != output.role) {
      lines.push_back(fmt::format("{}: it was {}, and is {}", output.name, in_words(output), in_words(other)));
    }
  }
  for (const Output& output : now)
    if (find_output(before, output.name) < 0) lines.push_back(fmt::format("{}: it is new ({})", output.name, in_words(output)));
  return lines;
}

}  // namespace salvo
