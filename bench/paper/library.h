#pragma once
#include <salvo/pool.h>

#include <string>
#include <vector>

namespace salvo::bench {

// A library whose values are all known: the oracle is a look into a table.
struct Library {
  std::string name;
  Pool pool;
  std::vector<double> values;  // larger is better
  std::string remark;          // what ties and duplicates count as
};

// name: cep, enamine, gb1 or tfbind8, from its file in `folder`; made: `size` fingerprints with a planted objective.
// Throws Error that names the file and where it was looked for.
[[nodiscard]] Library load_library(const std::string& name, const std::string& folder, std::int64_t size);

}  // namespace salvo::bench
