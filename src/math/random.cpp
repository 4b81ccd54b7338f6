#include <Random123/philox.h>
#include <salvo/random.h>

#include <cmath>
#include <numbers>

namespace salvo {
namespace {

using Philox = r123::Philox4x64;

Philox::ctr_type block(std::uint64_t hi, std::uint64_t lo, std::uint64_t index, std::uint64_t domain) {
  return Philox()(Philox::ctr_type{{index, domain, 0, 0}}, Philox::key_type{{hi, lo}});
}

// Counters of folds and of numbers must never meet.
enum Domain : std::uint64_t { kFoldNumber, kFoldText, kNumbers };

// (0, 1), never 0: 53 bits and half a step.
double unit(std::uint64_t bits) { return (static_cast<double>(bits >> 11) + 0.5) * 0x1p-53; }

}  // namespace

Key Key::fold(std::uint64_t value) const {
  const auto r = block(hi_, lo_, value, kFoldNumber);
  return Key(r[0], r[1]);
}

Key Key::fold(std::string_view purpose) const {
  std::uint64_t hash = 0xcbf29ce484222325ULL;  // FNV-1a
  for (const char c : purpose) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  const auto r = block(hi_, lo_, hash, kFoldText);
  return Key(r[0], r[1]);
}

std::uint64_t Key::bits(std::uint64_t index) const { return block(hi_, lo_, index / 4, kNumbers)[index % 4]; }

double Key::uniform(std::uint64_t index) const { return unit(bits(index)); }

std::uint64_t Key::Draw::below(std::uint64_t bound) const {
  // The high half of a 128-bit product; its bias is below bound / 2^64.
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((static_cast<Wide>(bits) * bound) >> 64);
}

void Key::fill_uniform(std::span<double> out) const {
  for (std::size_t i = 0; i < out.size(); i += 4) {
    const auto r = block(hi_, lo_, i / 4, kNumbers);
    for (std::size_t j = 0; j < 4 && i + j < out.size(); ++j) out[i + j] = unit(r[j]);
  }
}

void Key::fill_normal(std::span<double> out) const {
  for (std::size_t i = 0; i < out.size(); i += 4) {
    const auto r = block(hi_, lo_, i / 4, kNumbers);
    for (std::size_t j = 0; j < 4 && i + j < out.size(); j += 2) {  // Box–Muller, a pair at a time
      const double radius = std::sqrt(-2.0 * std::log(unit(r[j])));
      const double angle = 2.0 * std::numbers::pi * unit(r[j + 1]);
      out[i + j] = radius * std::cos(angle);
      if (i + j + 1 < out.size()) out[i + j + 1] = radius * std::sin(angle);
    }
  }
}

}  // namespace salvo
