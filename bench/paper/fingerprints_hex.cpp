#include <fmt/core.h>
#include <salvo/error.h>

#include "paper/fingerprints.h"

namespace salvo::bench {
namespace {

bool is_hex(const std::string& text, int num_bits) {
  return static_cast<int>(text.size()) * 4 == num_bits && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

}  // namespace

Pool fingerprints(const std::vector<std::pair<std::string, double>>& rows, int radius, int num_bits) {
  const auto words = static_cast<std::size_t>((num_bits + 63) / 64);
  std::vector<std::uint64_t> out(rows.size() * words);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string& text = rows[i].first;
    if (!is_hex(text, num_bits))
      throw Error(fmt::format("row {}: \"{}\" is not a fingerprint of {} bits (radius {}) in hexadecimal", i + 1, text, num_bits,
                              radius));
    for (std::size_t byte = 0; byte < text.size() / 2; ++byte)
      out[i * words + byte / 8] |= static_cast<std::uint64_t>(std::stoul(text.substr(2 * byte, 2), nullptr, 16))
                                   << (8 * (byte % 8));
  }
  return Pool::from_bits(std::move(out), num_bits, {});
}

}  // namespace salvo::bench
