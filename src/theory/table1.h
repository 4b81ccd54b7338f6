#pragma once
#include <salvo/plan.h>

#include <string>

namespace salvo {

// Table 1 of the paper: orders of growth, for reading beside the numbers.
struct Table1 {
  std::string m, M, cost;
};
[[nodiscard]] Table1 table1(KernelType type, int num_dims, bool points);

// B(M + m)N T + B m² T², and vanilla's B N³ T + B³T⁴, constants left out.
[[nodiscard]] double table1_cost(const PlanOptions& options, double m, double M);
[[nodiscard]] double vanilla_cost(const PlanOptions& options);

}  // namespace salvo
