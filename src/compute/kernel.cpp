#include <salvo/kernel.h>

#include <cmath>
#include <stdexcept>
#include <string>

namespace salvo {
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
