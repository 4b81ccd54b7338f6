#include "paper/fingerprints.h"

#include <fmt/core.h>
#include <salvo/error.h>

#include "math/parallel.h"
#include "pool/fingerprint.h"

namespace salvo::experiments {

Pool fingerprints(const std::vector<std::pair<std::string, double>>& rows, int radius, int num_bits) {
  const auto words = static_cast<std::size_t>((num_bits + 63) / 64);
  std::vector<std::uint64_t> out(rows.size() * words);
  const Morgan morgan(radius, num_bits);
  parallel_blocks(static_cast<std::int64_t>(rows.size()), 256, [&](std::int64_t begin, std::int64_t end) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
      if (const std::string reason = morgan.fingerprint(rows[i].first, {out.data() + i * words, words}); !reason.empty())
        throw Error(fmt::format("row {}: \"{}\": {}", i + 1, rows[i].first, reason));
  });
  return Pool::from_bits(std::move(out), num_bits, {});
}

}  // namespace salvo::experiments
