#pragma once
// The operations of src/compute as one backend has them. Every test of this folder runs on each: a second backend is a second
// entry of kBackends, and has passed when they have.
#include <gtest/gtest.h>
#include <salvo/threads.h>

#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "compute/gram.h"
#include "compute/pool_score.h"
#include "compute/pool_several.h"
#include "compute/score.h"

namespace salvo::testing {

struct Backend {
  const char* name;
  Matrix (*gram)(const Kernel&, const Matrix& X, const Matrix& Z);
  GramMoments (*gram_moments)(const Kernel&, const Matrix& Z, const Matrix& X, const Vector& y, const Vector& scale);
  KernelGradient (*contract_data)(const Kernel&, const Matrix& Z, const Matrix& X, const Vector& y, const Matrix& G,
                                  const Vector& g, const Vector& scale);
  KernelGradient (*contract_inducing)(const Kernel&, const Matrix& Z, const Matrix& G);
  Matrix (*contract_data_points)(const Kernel&, const Matrix& Z, const Matrix& X, const Vector& y, const Matrix& G,
                                 const Vector& g, const Vector& scale);
  Matrix (*contract_inducing_points)(const Kernel&, const Matrix& Z, const Matrix& G);
  void (*add_whitened)(const Kernel&, const Matrix& Z, const Matrix& Linv, double noise, const Matrix& X, const Vector& y,
                       Matrix& AAt, Vector& Ay, const Vector& scale);
  std::vector<int> (*best_candidates)(const compute::FeatureSums&, const Matrix& C, int num_blocks);
  void (*kernel_block)(const compute::RowKernel&, std::span<const std::int64_t> rows, const compute::PreparedRows& Z, double* K);
  void (*feature_bits)(const compute::PriorFeatures&, const compute::Rows&, std::int64_t begin, std::int64_t end,
                       std::uint64_t* out);
  compute::Scores (*score_pool)(const compute::Samples&, const compute::RowSet& blocked, const compute::ScoreOptions&);
  compute::Scores (*score_several)(std::span<const compute::Samples* const>, std::span<const compute::Samples* const> probes,
                                   const compute::PoolWorth&, const compute::RowSet& blocked, const compute::ScoreOptions&);
};

inline std::ostream& operator<<(std::ostream& out, const Backend& backend) { return out << backend.name; }

inline const Backend kBackends[] = {{.name = "cpu",
                                     .gram = salvo::gram,
                                     .gram_moments = salvo::gram_moments,
                                     .contract_data = salvo::contract_data,
                                     .contract_inducing = salvo::contract_inducing,
                                     .contract_data_points = salvo::contract_data_points,
                                     .contract_inducing_points = salvo::contract_inducing_points,
                                     .add_whitened = salvo::add_whitened,
                                     .best_candidates = compute::best_candidates,
                                     .kernel_block = compute::kernel_block,
                                     .feature_bits = compute::feature_bits,
                                     .score_pool = compute::score_pool,
                                     .score_several = compute::score_pool}};

class EveryBackend : public ::testing::TestWithParam<Backend> {};

inline std::string backend_name(const ::testing::TestParamInfo<Backend>& at) { return at.param.name; }

// What body() returns on one thread and on three.
template <class Body>
auto on_one_and_three_threads(const Body& body) {
  set_num_threads(1);
  auto one = body();
  set_num_threads(3);
  auto three = body();
  set_num_threads(0);
  return std::pair(std::move(one), std::move(three));
}

}  // namespace salvo::testing
