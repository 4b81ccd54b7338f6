#pragma once
#include <salvo/kernel.h>

namespace salvo {

// 2ν of a Matérn kernel, the degrees of freedom of its spectral density; 0 for the squared exponential, whose ν is infinite.
[[nodiscard]] inline int twice_nu(KernelType type) {
  switch (type) {
    case KernelType::matern12:
      return 1;
    case KernelType::matern32:
    case KernelType::additive32:
      return 3;
    case KernelType::matern52:
    case KernelType::additive52:
      return 5;
    case KernelType::se:
      break;
  }
  return 0;
}

}  // namespace salvo
