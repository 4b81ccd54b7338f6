#pragma once
#include <salvo/run.h>
#include <salvo/trial.h>

#include <cstdint>
#include <optional>
#include <string>

namespace salvo {

// Notices when most evaluations fail, for whatever runs a study: five at least. The same news is told at the first, second,
// fourth, eighth … time in a row.
class FailureWatch {
 public:
  explicit FailureWatch(bool async) : async_(async) {}  // async: there are no batches
  void count(const Outcome& outcome);
  [[nodiscard]] std::optional<Failing> look(bool batch_done);

  [[nodiscard]] std::int64_t num_outcomes() const { return num_outcomes_; }  // of the whole run
  [[nodiscard]] std::int64_t num_failed() const { return num_failed_; }
  [[nodiscard]] const std::string& last_reason() const { return last_reason_; }

 private:
  bool async_;
  std::int64_t num_outcomes_ = 0, num_failed_ = 0;
  std::int64_t outcomes_lately_ = 0, failed_lately_ = 0;
  std::uint64_t bad_in_a_row_ = 0;
  std::string last_reason_;
};

}  // namespace salvo
