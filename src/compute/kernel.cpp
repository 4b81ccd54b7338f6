#include <salvo/kernel.h>

#include <array>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace salvo {
namespace {

constexpr std::array<std::pair<KernelType, std::string_view>, 4> kNames{{{KernelType::se, "se"},
                                                                         {KernelType::matern12, "matern12"},
                                                                         {KernelType::matern32, "matern32"},
                                                                         {KernelType::matern52, "matern52"}}};

}  // namespace

std::string_view to_string(KernelType type) {
  for (const auto& [value, name] : kNames)
    if (value == type) return name;
  return "unknown";
}

KernelType kernel_type(std::string_view name) {
  std::string known;
  for (const auto& [value, text] : kNames) {
    if (text == name) return value;
    known += (known.empty() ? "" : ", ") + std::string(text);
  }
  throw std::invalid_argument("kernel: expected one of " + known + "; got \"" + std::string(name) + "\"");
}

void Kernel::validate() const {
  if (!(variance > 0) || !std::isfinite(variance))
    throw std::invalid_argument("Kernel: variance must be positive and finite, got " + std::to_string(variance));
  if (lengthscales.size() == 0) throw std::invalid_argument("Kernel: expected one length-scale per input, got none");
  for (Eigen::Index d = 0; d < lengthscales.size(); ++d)
    if (!(lengthscales(d) > 0) || !std::isfinite(lengthscales(d)))
      throw std::invalid_argument("Kernel: length-scale " + std::to_string(d) + " must be positive and finite, got " +
                                  std::to_string(lengthscales(d)));
}

}  // namespace salvo
