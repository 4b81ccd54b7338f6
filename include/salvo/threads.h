#pragma once
#include <chrono>
#include <functional>

namespace salvo {

// Threads that Salvo's own loops use; 0 means one per core this process may run on. Results do not depend on it.
void set_num_threads(int num_threads);
[[nodiscard]] int num_threads();

// While it lives, the long calls of the thread that made it run `check` every `period` or so, to look for Ctrl-C, say.
// What `check` throws ends the call as any other exception would: an ask that is ended so has handed out nothing. One
// product or factorisation of large matrices is not interrupted. Watches nest; the innermost one looks.
class Watch {
 public:
  explicit Watch(std::function<void()> check, std::chrono::milliseconds period = std::chrono::milliseconds(50));
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  void look();  // runs `check` when its time has come

 private:
  std::function<void()> check_;
  std::chrono::milliseconds period_;
  std::chrono::steady_clock::time_point last_;
  Watch* outer_;
};

}  // namespace salvo
