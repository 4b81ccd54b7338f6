#include <salvo/failing.h>

#include <bit>
#include <utility>
#include <variant>

namespace salvo {
namespace {

constexpr std::int64_t kFewestToTell = 5, kLately = 20;

}  // namespace

void FailureWatch::count(const Outcome& outcome) {
  ++num_outcomes_;
  ++outcomes_lately_;
  const auto* failure = std::get_if<Failure>(&outcome);
  if (!failure) return;
  ++num_failed_;
  ++failed_lately_;
  last_reason_ = failure->reason;
}

std::optional<Failing> FailureWatch::look(bool batch_done) {
  const bool due = async_ ? outcomes_lately_ >= kLately : batch_done && outcomes_lately_ >= kFewestToTell;
  if (!due) return std::nullopt;
  const Failing now{.failed = std::exchange(failed_lately_, 0), .of = std::exchange(outcomes_lately_, 0), .reason = last_reason_};
  if (now.failed < kFewestToTell || 2 * now.failed < now.of) {
    bad_in_a_row_ = 0;
    return std::nullopt;
  }
  return std::has_single_bit(++bad_in_a_row_) ? std::optional(now) : std::nullopt;
}

}  // namespace salvo
