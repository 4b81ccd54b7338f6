#include "run/owner_slot.h"

#include <fmt/format.h>

#include <mutex>
#include <set>

#include "store/owner.h"

namespace salvo::runner {
namespace {

std::mutex mutex;
std::set<int>& taken() {
  static std::set<int> numbers;
  return numbers;
}

}  // namespace

OwnerSlot::OwnerSlot() {
  const std::lock_guard lock(mutex);
  while (taken().contains(number_)) ++number_;
  name_ = fmt::format("{} {}", owner_of_this_process(), number_);
  taken().insert(number_);
}

OwnerSlot::~OwnerSlot() {
  const std::lock_guard lock(mutex);
  taken().erase(number_);
}

}  // namespace salvo::runner
