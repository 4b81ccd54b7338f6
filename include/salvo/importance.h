#pragma once
#include <salvo/study.h>

#include <cstdint>
#include <string>
#include <vector>

namespace salvo {

// Which parameters matter: shares of the variance of the model's mean over the whole space (Sobol' indices, docs/math.md §15).
// Points are uniform in each parameter's own scale, choices equally likely; a category is one parameter.
struct ImportanceOptions {
  int num_points = 0;      // N: N(d + 2) evaluations of the model; 0: 2048, or fewer where there are many parameters
  int num_paths = 16;      // sample paths of the posterior, which say how sure that is
  std::uint64_t seed = 0;  // of the points and the paths
  int output = 0;          // of which; with several outputs no paths are drawn, and the points alone say how sure it is
  void validate() const;   // throws std::invalid_argument
};

// What a share is, and how far it may be off: by the spread of the paths around it, and by the finite number of points.
struct VarianceShare {
  double value = 0, stddev = 0;
};

struct ParameterImportance {
  std::string name;
  VarianceShare first;  // what would go if this parameter alone were known
  VarianceShare total;  // what would stay if all others were known: with its part of all interactions
};

struct Importance {
  std::vector<ParameterImportance> parameters;  // that vary; the largest total first, of equals in the space's order
  int num_points = 0, num_paths = 0;
};

// Of values that the model squeezes (Transform), shares of the variance as the model sees them. All shares are zero where the
// model's mean is constant. Throws std::invalid_argument for a study without a value and for one over a pool. Stores nothing.
[[nodiscard]] Importance importance(Study& study, const ImportanceOptions& options = {});

}  // namespace salvo
