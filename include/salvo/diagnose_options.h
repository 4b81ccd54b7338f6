#pragma once

namespace salvo {

// May the sparse model and its sample paths be trusted? Measures what the theory assumes (Assumptions 1 and 2) against
// the exact GP on the same data (docs/theory.md).
struct DiagnoseOptions {
  int max_observations = 2000;  // the exact GP is O(n³): beyond this both models see a random subset
  int num_points = 1500;        // where they are compared: a third each anywhere, at observations, near the best ones
  void validate() const;        // throws std::invalid_argument
};

}  // namespace salvo
