#include "run/failures.h"

#include <algorithm>

namespace salvo::runner {

bool by_machine(const ProcessResult& result, const std::vector<int>& codes) {
  if (result.timed_out) return false;
  const int code = result.signal != 0 ? 128 + result.signal : result.exit_code;
  return std::find(codes.begin(), codes.end(), code) != codes.end();
}

}  // namespace salvo::runner
