#pragma once
#include <salvo/options.h>
#include <salvo/pool_model.h>
#include <salvo/study.h>

#include <optional>
#include <vector>

#include "compute/pool_worth.h"
#include "search/failure_labels.h"

namespace salvo {

// Which candidates have values, +1, and which fail, −1, both less what is expected of one that nothing is known of.
struct PoolSuccess {
  PoolModel model;
  double least = 0.8, most = 1.0;  // levels of the members, as Success has them
  double weight = 1;               // the share of members that mind it: 0 where failures are chance
};

// Which candidates of a pool fail, as far as those that were tried tell (docs/math.md §17). Nothing of it is stored: every ask
// learns it anew from the recorded trials.
class PoolFailures {
 public:
  explicit PoolFailures(const StudyOptions& options);
  void observe(const Record& record, std::int64_t row);  // one with a value or a failure
  // What a batch minds; none: nothing failed, or it is not to be learned from, or has nothing to do with the candidate.
  [[nodiscard]] std::optional<PoolSuccess> learn() const;
  [[nodiscard]] std::optional<ModelReport::Failing> report() const;

 private:
  [[nodiscard]] bool heeds() const;
  [[nodiscard]] std::vector<FailureLabel> labels() const;  // by id
  [[nodiscard]] PoolSuccess success() const;
  PoolSearch search_;
  std::uint64_t seed_;
  std::vector<FailureLabel> labels_;
  std::int64_t num_failures_ = 0;
};

// Success as one more constraint of what samples are worth together: members stay above levels of their own.
void add_success(const PoolSuccess& success, Key key, compute::PoolWorth& worth);

}  // namespace salvo
