#include "early.h"

#include <sys/resource.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>

namespace salvo::app {
namespace {

char kThreads[] = "OPENBLAS_NUM_THREADS=1", kMark[] = "SALVO_STARTED_AGAIN=1";

}  // namespace

void forget_early_settings() {
  if (!std::getenv("SALVO_STARTED_AGAIN")) return;
  ::unsetenv("SALVO_STARTED_AGAIN");
  ::unsetenv("OPENBLAS_NUM_THREADS");
}

#ifdef __linux__
namespace {

// Before the constructors of any library, so that nothing but system calls and the strings of C may be used.
[[gnu::no_sanitize("address", "undefined", "thread")]] bool is_limited() {
  rlimit all{}, data{};
  ::getrlimit(RLIMIT_AS, &all);
  ::getrlimit(RLIMIT_DATA, &data);
  return all.rlim_cur != RLIM_INFINITY || data.rlim_cur != RLIM_INFINITY;
}

[[gnu::no_sanitize("address", "undefined", "thread")]] void start_again(int, char** argv, char** environment) {
  constexpr std::size_t kMost = 4096;
  static char* variables[kMost];
  if (!is_limited()) return;
  std::size_t count = 0;
  for (; environment[count]; ++count) {
    const bool said = std::strncmp(environment[count], "OPENBLAS_NUM_THREADS=", 21) == 0;
    if (said || count + 3 >= kMost) return;
    variables[count] = environment[count];
  }
  variables[count] = kThreads;
  variables[count + 1] = kMark;
  variables[count + 2] = nullptr;
  ::execve("/proc/self/exe", argv, variables);  // where it fails, we go on as we are
}

[[gnu::section(".preinit_array"), gnu::used]] void (*const kBeforeAll)(int, char**, char**) = start_again;

}  // namespace
#endif

}  // namespace salvo::app
