#pragma once
// Small data sets made from a key.
#include <salvo/random.h>
#include <salvo/sparse_gp.h>

#include <string>
#include <vector>

namespace salvo::testing {

[[nodiscard]] Matrix uniform(Eigen::Index n, Eigen::Index d, Key key);
[[nodiscard]] Vector normal(Eigen::Index n, Key key);
[[nodiscard]] std::vector<int> counted(int count);  // 0, 1, …

struct Data {
  Matrix X;
  Vector y;
};
// A smooth function of all coordinates, with noise.
[[nodiscard]] Data wavy(Eigen::Index n, Eigen::Index d, double noise_stddev, std::uint64_t seed);
[[nodiscard]] std::string test_name(KernelType type);  // letters and digits
[[nodiscard]] Hyperparameters hyper(KernelType type, Eigen::Index d);

inline constexpr KernelType kJointKernels[] = {KernelType::se, KernelType::matern12, KernelType::matern32, KernelType::matern52};
inline constexpr KernelType kAllKernels[] = {KernelType::se,       KernelType::matern12,   KernelType::matern32,
                                             KernelType::matern52, KernelType::additive32, KernelType::additive52};

}  // namespace salvo::testing
