#pragma once
#include <salvo/pool.h>

#include <string>
#include <vector>

namespace salvo::experiments {

// A library whose values are all known: the oracle is a look into a table.
struct Library {
  std::string name;
  Pool pool;
  std::vector<double> values;  // larger is better
  std::string remark;          // what ties and duplicates count as
  double tip = 0.01;           // the best of the best: the other share whose recall counts
};

// name: cep, enamine, gb1 or tfbind8, from its file in `folder`. With a planted objective: made, `size` fingerprints in families;
// zinc, `size` fingerprints drawn like those of ZINC's molecules, a sample of which is in `folder`.
// Throws Error that names the file and where it was looked for.
[[nodiscard]] Library load_library(const std::string& name, const std::string& folder, std::int64_t size);

}  // namespace salvo::experiments
