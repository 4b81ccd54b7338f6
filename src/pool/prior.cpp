#include "pool/prior.h"

#include <fmt/core.h>
#include <salvo/fourier.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace salvo {
namespace {

constexpr int kMaxHashedBits = 32767;  // ranks have 15 bits

void arccosine_planes(compute::PriorFeatures& f, int num_bits, double bias, Key key) {
  const auto stride = static_cast<std::size_t>(f.words) * 64;
  std::vector<double> normals(static_cast<std::size_t>(f.num_features));
  f.planes.assign(stride * (static_cast<std::size_t>(num_bits) + 1), 0.0F);
  for (int i = 0; i <= num_bits; ++i) {
    key.fold(static_cast<std::uint64_t>(i)).fill_normal(normals);
    const double by = i == num_bits ? bias : 1.0;
    std::transform(normals.begin(), normals.end(), f.planes.begin() + static_cast<std::ptrdiff_t>(stride) * i,
                   [&](double g) { return static_cast<float>(by * g); });
  }
}

void tanimoto_hashes(compute::PriorFeatures& f, int num_bits, int power, Key key) {
  if (num_bits > kMaxHashedBits)
    throw std::invalid_argument(
        fmt::format("the Tanimoto kernel takes fingerprints of at most {} bits, got {}: fold them", kMaxHashedBits, num_bits));
  const auto stride = static_cast<std::size_t>(f.words) * 64, table = stride * static_cast<std::size_t>(num_bits);
  const auto p = static_cast<std::size_t>(power);
  f.power = power;
  f.hashes.assign(p * table, 0);
  f.empty.assign(p * stride, 0);
  std::vector<std::uint16_t> order(static_cast<std::size_t>(num_bits));
  for (std::size_t q = 0; q < p * stride; ++q) {
    const Key mine = key.fold(q);
    std::iota(order.begin(), order.end(), std::uint16_t{0});
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[mine.at(i).below(i)]);
    const Key signs = mine.fold("signs");
    std::uint16_t* column = f.hashes.data() + q / stride * table + q % stride;
    for (std::size_t i = 0; i < order.size(); ++i)
      column[i * stride] = static_cast<std::uint16_t>(std::uint64_t{2} * order[i] + (signs.bits(i) & 1U));
    f.empty[q] = static_cast<std::uint16_t>(65534U + (signs.bits(order.size()) & 1U));
  }
}

}  // namespace

compute::PriorFeatures draw_prior(const compute::RowKernel& kernel, int M, std::uint64_t seed) {
  const Key key = Key(seed).fold("prior");
  const int size = kernel.rows.num_features();
  compute::PriorFeatures f;
  f.num_features = M;
  if (!kernel.rows.are_bits()) {
    const FourierFeatures waves = fourier_features({kernel.over_numbers, 1.0, kernel.lengthscales}, M, key);
    f.scale = waves.scale;
    f.frequencies = ScaledPoints<double>(waves.W, Vector::Ones(size));
    f.phases = waves.b;
    f.low = kernel.ranges.low;
    return f;
  }
  f.words = (M + 63) / 64;
  switch (kernel.over_bits) {
    case compute::BitKernel::arccosine:
      f.scale = std::sqrt(0.5 / M);
      f.constant = std::sqrt(0.5);
      arccosine_planes(f, size, kernel.bias, key);
      break;
    case compute::BitKernel::tanimoto:
      f.scale = std::sqrt(1.0 / M);
      tanimoto_hashes(f, size, kernel.power, key);
      break;
  }
  return f;
}

}  // namespace salvo
