#include "support/made_library.h"

#include <algorithm>
#include <cmath>

#include "math/parallel.h"

namespace salvo::experiments {
namespace {

// Numbers for one row, without a call of the counter-based generator for each.
struct Stream {
  std::uint64_t state;
  std::uint64_t next() {
    std::uint64_t z = (state += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }
};

// Bits by how common they are: the square makes the first ones far more frequent.
int draw_bit(Stream& stream, const std::vector<int>& order) {
  const double u = stream.uniform();
  return order[static_cast<std::size_t>(u * u * static_cast<double>(order.size()))];
}

}  // namespace

Pool made_library(std::int64_t size, int num_bits, int num_families, Key key) {
  const auto words = static_cast<std::size_t>((num_bits + 63) / 64);
  const int family_bits = num_bits * 60 / 512, own_bits = num_bits * 32 / 512;
  std::vector<int> order(static_cast<std::size_t>(num_bits));
  for (int i = 0; i < num_bits; ++i) order[static_cast<std::size_t>(i)] = i;
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[key.fold("order").at(i).below(i)]);
  std::vector<std::vector<int>> families(static_cast<std::size_t>(num_families));
  for (std::size_t f = 0; f < families.size(); ++f) {
    Stream stream{key.fold("families").bits(f)};
    for (int i = 0; i < family_bits; ++i) families[f].push_back(draw_bit(stream, order));
  }
  std::vector<std::uint64_t> rows(static_cast<std::size_t>(size) * words);
  const Key row_key = key.fold("rows");
  parallel_blocks(size, 4096, [&](std::int64_t a, std::int64_t b) {
    for (std::int64_t row = a; row < b; ++row) {
      Stream stream{row_key.bits(static_cast<std::uint64_t>(row))};
      std::uint64_t* x = rows.data() + static_cast<std::size_t>(row) * words;
      const auto set = [x](int bit) { x[bit / 64] |= std::uint64_t{1} << (bit % 64); };
      for (const int bit : families[stream.next() % families.size()])
        if (stream.uniform() < 0.85) set(bit);
      for (int i = 0; i < own_bits; ++i) set(draw_bit(stream, order));
    }
  });
  return Pool::from_bits(std::move(rows), num_bits, {});
}

}  // namespace salvo::experiments
