#include <fmt/core.h>
#include <salvo/pool_model.h>

#include <array>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace salvo {
namespace {

constexpr std::array<std::pair<PoolKernelType, std::string_view>, 6> kKernels{{{PoolKernelType::arccosine, "arccosine"},
                                                                               {PoolKernelType::tanimoto, "tanimoto"},
                                                                               {PoolKernelType::se, "se"},
                                                                               {PoolKernelType::matern12, "matern12"},
                                                                               {PoolKernelType::matern32, "matern32"},
                                                                               {PoolKernelType::matern52, "matern52"}}};
constexpr std::array<std::pair<PoolInducing, std::string_view>, 3> kInducing{
    {{PoolInducing::uniform, "uniform"}, {PoolInducing::greedy, "greedy"}, {PoolInducing::leaders, "leaders"}}};

template <class Names, class T>
std::string_view name_of(const Names& names, T value) {
  for (const auto& [known, name] : names)
    if (known == value) return name;
  return "unknown";
}

template <class Names>
auto value_of(const Names& names, const char* what, std::string_view wanted) {
  std::string known;
  for (const auto& [value, name] : names) {
    if (name == wanted) return value;
    known += (known.empty() ? "" : ", ") + std::string(name);
  }
  throw std::invalid_argument(fmt::format("{} of a pool: expected one of {}; got \"{}\"", what, known, wanted));
}

}  // namespace

std::string_view to_string(PoolKernelType type) { return name_of(kKernels, type); }
PoolKernelType pool_kernel_type(std::string_view name) { return value_of(kKernels, "kernel", name); }
std::string_view to_string(PoolInducing inducing) { return name_of(kInducing, inducing); }
PoolInducing pool_inducing(std::string_view name) { return value_of(kInducing, "inducing", name); }

PoolKind kind_of(PoolKernelType type) {
  return type == PoolKernelType::arccosine || type == PoolKernelType::tanimoto ? PoolKind::bits : PoolKind::numbers;
}

void PoolModelOptions::validate() const {
  const auto check = [](bool ok, const char* what, auto got) {
    if (!ok) throw std::invalid_argument(fmt::format("model.{}, got {}", what, got));
  };
  check(num_inducing >= 0, "num_inducing must be at least 1, or 0 (automatic)", num_inducing);
  check(num_features >= 1 && num_features <= 32768, "num_features must be 1 to 32768", num_features);
  check(alpha >= 0 && alpha <= 1e6, "alpha must be 0 to 1e6", alpha);
  check(!floor || std::isfinite(*floor), "floor must be finite, or none", floor.value_or(0));
  check(subset >= 0, "subset must not be negative (0: all candidates)", subset);
  check(byte_budget >= 16 << 20, "byte_budget must be at least 16777216 (16 MB)", byte_budget);
  check(min_variance > 0 && max_variance >= min_variance, "min_variance must be positive and at most max_variance", min_variance);
  check(min_noise > 0 && max_noise >= min_noise, "min_noise must be positive and at most max_noise", min_noise);
  check(std::isfinite(max_variance) && std::isfinite(max_noise), "max_variance and max_noise must be finite", max_variance);
  check(max_mean >= 0 && std::isfinite(max_mean), "max_mean must be finite and not negative", max_mean);
}

}  // namespace salvo
