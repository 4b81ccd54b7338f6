#include "math/blas_core.h"

#include <cblas.h>

#include <cstdlib>
#include <string_view>

// What OpenBLAS itself calls when it is loaded. A build for one kind of processor has neither.
extern "C" {
[[gnu::weak]] void gotoblas_dynamic_init();
[[gnu::weak]] void gotoblas_dynamic_quit();
}

namespace salvo {

namespace {

// The newest set of kernels that this processor can run; nullptr where the oldest are right.
const char* core_of_this_processor() {
#ifdef __x86_64__
  __builtin_cpu_init();
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
                      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512vl");
  if (avx2 && avx512) return "SkylakeX";
  if (avx2) return "Haswell";
#endif
  return nullptr;
}

}  // namespace

bool choose_blas_core() {
  constexpr auto* kVariable = "OPENBLAS_CORETYPE";
  constexpr std::string_view kUnknown = "Prescott";  // what OpenBLAS takes a processor for that is newer than itself
  if (!gotoblas_dynamic_init || !gotoblas_dynamic_quit || std::getenv(kVariable)) return false;
  const char* core = core_of_this_processor();
  if (!core || openblas_get_corename() != kUnknown) return false;
  if (setenv(kVariable, core, 1) != 0) return false;
  gotoblas_dynamic_quit();
  gotoblas_dynamic_init();
  unsetenv(kVariable);  // programs that we start decide for themselves
  return true;
}

}  // namespace salvo
