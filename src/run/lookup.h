#pragma once
#include <salvo/pool.h>
#include <salvo/study.h>
#include <salvo/study_file.h>

#include <optional>
#include <string_view>
#include <vector>

namespace salvo::runner {

// Columns of the pool as what an evaluation gives. A candidate without a number there fails; of several outputs an empty one was
// not measured.
class Lookup {
 public:
  // Throws InputError when the study has no pool, or the pool keeps no such columns.
  Lookup(const ObjectiveOptions& objective, const StudyOptions& study);
  [[nodiscard]] Outcome operator()(const Trial& trial) const;

 private:
  [[nodiscard]] std::optional<double> value_of(const Output& output, std::string_view text) const;
  Pool pool_;
  std::vector<Output> outputs_;
  std::vector<int> columns_;  // of each output
};

}  // namespace salvo::runner
