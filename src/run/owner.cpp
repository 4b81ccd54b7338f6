#include <fmt/format.h>
#include <salvo/run_policy.h>

#include <mutex>
#include <set>
#include <utility>

namespace salvo {
namespace {

std::mutex mutex;
std::set<int>& taken() {
  static std::set<int> numbers;
  return numbers;
}

}  // namespace

RunOwner::RunOwner() {
  const std::lock_guard lock(mutex);
  while (taken().contains(number_)) ++number_;
  name_ = fmt::format("{} {}", owner_of_this_process(), number_);
  taken().insert(number_);
}

void RunOwner::release() {
  const std::lock_guard lock(mutex);
  taken().erase(std::exchange(number_, 0));
}

}  // namespace salvo
