#pragma once
#include <sys/resource.h>
#include <sys/types.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace salvo::runner {

// A file descriptor that closes itself.
class Fd {
 public:
  Fd() = default;
  explicit Fd(int fd) : fd_(fd) {}
  Fd(Fd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Fd& operator=(Fd&& other) noexcept {
    std::swap(fd_, other.fd_);
    other.close();
    return *this;
  }
  ~Fd() { close(); }
  void close();
  [[nodiscard]] int get() const { return fd_; }
  [[nodiscard]] bool open() const { return fd_ >= 0; }

 private:
  int fd_ = -1;
};

// What is to be run.
struct Command {
  std::string text = {};                                              // sh -c text
  std::vector<std::string> words = {};                                // or a program and its arguments, without a shell
  std::string directory = {};                                         // empty: where we are
  std::vector<std::pair<std::string, std::string>> environment = {};  // on top of our own
  std::optional<std::string> input = {};                              // none: /dev/null
  double timeout = 0;                                                 // seconds, 0: none
};

// A running command, leader of its own session and process group.
struct Child {
  pid_t pid = -1;
  Fd pidfd;     // readable when it has exited; closed where the system has none
  Fd out, err;  // our ends of the pipes, non-blocking
};

// Throws Error when the process cannot be started (directory missing, command too long, too many processes).
// open_files: the limit the child gets, whatever ours was raised to.
[[nodiscard]] Child spawn(const Command& command, const rlimit& open_files, bool use_pidfd);

}  // namespace salvo::runner
