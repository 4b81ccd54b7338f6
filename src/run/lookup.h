#pragma once
#include <salvo/pool.h>
#include <salvo/study.h>
#include <salvo/study_file.h>

namespace salvo::runner {

// A column of the pool as an objective. A candidate without a number there fails.
class Lookup {
 public:
  // Throws InputError when the study has no pool, or the pool keeps no such column.
  Lookup(const ObjectiveOptions& objective, const StudyOptions& study);
  [[nodiscard]] Outcome operator()(const Trial& trial) const;

 private:
  Pool pool_;
  int column_;
};

}  // namespace salvo::runner
