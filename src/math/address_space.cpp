#include "math/address_space.h"

#include <fmt/format.h>
#include <salvo/error.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <fstream>

namespace salvo {
namespace {

constexpr std::int64_t kMiB = 1 << 20;
// What OpenBLAS maps for each thread that calls it and once for itself (measured with 0.3.21 on x86-64), a thread's stack, and
// what a small study takes besides.
constexpr std::int64_t kBuffer = 128 * kMiB, kStack = 8 * kMiB, kOurs = 48 * kMiB;

struct Used {
  std::int64_t all = 0, data = 0;  // bytes of address space; 0 where the system does not say
};

Used used_memory() {
  std::int64_t size = 0, resident = 0, shared = 0, text = 0, library = 0, data = 0;
  std::ifstream file("/proc/self/statm");
  if (!(file >> size >> resident >> shared >> text >> library >> data)) return {};
  const std::int64_t page = sysconf(_SC_PAGESIZE);
  return {size * page, data * page};
}

}  // namespace

int threads_that_fit(int wanted) {
  const Used used = used_memory();
  int fit = wanted;
  const auto look = [&](auto resource, std::int64_t in_use, const char* option) {
    rlimit limit{};
    if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > (rlim_t{1} << 62)) return;
    const auto allowed = static_cast<std::int64_t>(limit.rlim_cur);
    const std::int64_t least = in_use + kOurs + 2 * kBuffer + kStack;
    if (allowed < least)
      throw Error(
          fmt::format("too little memory to compute: this process may map {} MiB (ulimit {}), uses {} MiB of it and needs at "
                      "least {} MiB in all; allow more, as with ulimit {} {}",
                      allowed / kMiB, option, in_use / kMiB, least / kMiB + 1, option, least / 1024 + 1024));
    fit = std::min<std::int64_t>(fit, 1 + (allowed - least) / (kBuffer + kStack));
  };
  look(RLIMIT_AS, used.all, "-v");
  look(RLIMIT_DATA, used.data, "-d");
  return std::max(1, fit);
}

}  // namespace salvo
