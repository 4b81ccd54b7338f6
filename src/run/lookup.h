#pragma once
#include <salvo/pool.h>
#include <salvo/study.h>
#include <salvo/study_file.h>

#include <utility>
#include <vector>

namespace salvo::runner {

// A column of the pool as an objective, of several outputs the others by columns of their names. A candidate without a number in
// any of them fails.
class Lookup {
 public:
  // Throws InputError when the study has no pool, or the pool keeps no such column.
  Lookup(const ObjectiveOptions& objective, const StudyOptions& study);
  [[nodiscard]] Outcome operator()(const Trial& trial) const;

 private:
  Pool pool_;
  std::vector<std::pair<int, bool>> columns_;  // of each output, and whether it says passed or failed
};

}  // namespace salvo::runner
