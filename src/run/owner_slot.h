#pragma once
#include <string>

namespace salvo::runner {

// The name under which one run owns its trials: this process, and a number among the runs that go on in it now.
// A later run of the same process gets the same number again, and with it what the earlier one left pending.
class OwnerSlot {
 public:
  OwnerSlot();
  ~OwnerSlot();
  OwnerSlot(const OwnerSlot&) = delete;
  OwnerSlot& operator=(const OwnerSlot&) = delete;
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  int number_ = 1;
  std::string name_;
};

}  // namespace salvo::runner
