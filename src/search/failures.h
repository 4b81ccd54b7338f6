#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "acquire/success.h"
#include "search/learned.h"

namespace salvo {

// Where evaluations fail, as far as the failures so far tell (docs/math.md §17). Nothing of it is stored: every ask learns it
// anew from the recorded trials.
class Failures {
 public:
  explicit Failures(int num_dims) : failed_(num_dims) {}
  void add(const Record& record, const Vector& x) { failed_.add(record, x, 0); }
  [[nodiscard]] std::int64_t size() const { return failed_.size(); }

  // From these and from `data`, the trials with values.
  [[nodiscard]] Success learn(const Learning& learning, const Observations& data) const;

 private:
  Observations failed_;
};

// The share of the space where this model expects failures.
[[nodiscard]] double failing_share(const SparseGp& success, const Encoding& space);

}  // namespace salvo
