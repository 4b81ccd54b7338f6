#pragma once
#include <sys/types.h>

#include <string>
#include <vector>

namespace salvo::test {

// A process of this test program that runs one of the helpers of helpers.cpp.
class Helper {
 public:
  explicit Helper(const std::vector<std::string>& args);
  Helper(const Helper&) = delete;
  Helper& operator=(const Helper&) = delete;
  ~Helper();
  void wait_for_output();                               // until it has written something or ended
  void kill();                                          // SIGKILL
  [[nodiscard]] std::string finish();                   // waits for its end and returns all it wrote
  [[nodiscard]] int status() const { return status_; }  // of waitpid, after finish()
  [[nodiscard]] pid_t pid() const { return pid_; }

 private:
  pid_t pid_ = -1;
  int output_ = -1;
  int status_ = 0;
};

}  // namespace salvo::test
