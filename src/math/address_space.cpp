#include "math/address_space.h"

#include <fmt/format.h>
#include <salvo/error.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <vector>

// OpenBLAS's own way to a buffer; one that it is given back stays mapped for the next call. Other builds may not have it.
extern "C" {
[[gnu::weak]] void* blas_memory_alloc(int);
[[gnu::weak]] void blas_memory_free(void*);
}

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

// False where there is no such limit; else `fit` is lowered to what it allows.
bool look_at(decltype(RLIMIT_AS) resource, std::int64_t in_use, const char* option, int& fit) {
  rlimit limit{};
  if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > (rlim_t{1} << 62)) return false;
  const auto allowed = static_cast<std::int64_t>(limit.rlim_cur);
  const std::int64_t least = in_use + kOurs + 2 * kBuffer + kStack;
  if (allowed < least)
    throw Error(
        fmt::format("too little memory to compute: this process may map {} MiB (ulimit {}), uses {} MiB of it and needs at "
                    "least {} MiB in all; allow more, as with ulimit {} {}",
                    allowed / kMiB, option, in_use / kMiB, least / kMiB + 1, option, least / 1024 + 1024));
  fit = static_cast<int>(std::min<std::int64_t>(fit, 1 + (allowed - least) / (kBuffer + kStack)));
  return true;
}

int num_mapped = 0;  // buffers, by us

// Now, while there is room: once a study has grown up to the limit, OpenBLAS would wait for ever.
void map_buffers(int count) {
  constexpr int kMost = 32;  // it has places for at least so many
  if (!blas_memory_alloc || !blas_memory_free) return;
  std::vector<void*> buffers;
  for (int i = 0; i < std::min(count, kMost); ++i) buffers.push_back(blas_memory_alloc(0));
  for (void* buffer : buffers) blas_memory_free(buffer);
  num_mapped = std::max(num_mapped, static_cast<int>(buffers.size()));
}

}  // namespace

int threads_that_fit(int wanted) {
  Used used = used_memory();
  used.all = std::max<std::int64_t>(0, used.all - num_mapped * kBuffer);
  used.data = std::max<std::int64_t>(0, used.data - num_mapped * kBuffer);
  int fit = wanted;
  bool limited = false;
  const auto look = [&](auto resource, std::int64_t in_use, const char* option) {
    limited = look_at(resource, in_use, option, fit) || limited;
  };
  look(RLIMIT_AS, used.all, "-v");
  look(RLIMIT_DATA, used.data, "-d");
  if (limited) map_buffers(fit);
  return fit;
}

}  // namespace salvo
