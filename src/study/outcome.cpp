#include "study/outcome.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cmath>
#include <ctime>
#include <stdexcept>

namespace salvo {

void validate(const Outcome& outcome) {
  if (!outcome.value) return;
  if (!std::isfinite(*outcome.value)) {
    throw std::invalid_argument(fmt::format(
        "tell: trial {}: expected a finite value, got {}. Report a trial without a value as failed", outcome.id, *outcome.value));
  }
  if (outcome.abandoned || !outcome.error.empty()) {
    throw std::invalid_argument(fmt::format("tell: trial {}: expected a value or a failure, got both: {} and \"{}\"", outcome.id,
                                            *outcome.value, outcome.abandoned ? "abandoned" : outcome.error));
  }
}

void refuse_second(const Trial& trial) {
  std::string how = "was abandoned already";
  if (trial.value) how = fmt::format("was told already, with the value {}", *trial.value);
  if (trial.state == TrialState::failed) how = fmt::format("has failed already (\"{}\")", trial.error);
  const auto when = fmt::gmtime(static_cast<std::time_t>(trial.told_at));
  throw std::invalid_argument(
      fmt::format("tell: trial {} {}, at {:%Y-%m-%d %H:%M:%S} UTC. Nothing was changed; a second value of the same point can be "
                  "handed in as a point evaluated elsewhere",
                  trial.id, how, when));
}

}  // namespace salvo
