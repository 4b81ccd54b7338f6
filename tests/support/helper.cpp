#include "support/helper.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <stdexcept>

namespace salvo::test {

Helper::Helper(const std::vector<std::string>& args) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("pipe2 failed");
  std::vector<const char*> argv{"/proc/self/exe", "--helper"};
  for (const std::string& arg : args) argv.push_back(arg.c_str());
  argv.push_back(nullptr);
  pid_ = fork();
  if (pid_ == 0) {
    dup2(ends[1], STDOUT_FILENO);
    execv("/proc/self/exe", const_cast<char* const*>(argv.data()));
    _exit(127);
  }
  close(ends[1]);
  output_ = ends[0];
}

Helper::~Helper() {
  if (pid_ > 0) {
    kill();
    (void)finish();
  }
}

void Helper::wait_for_output() {
  pollfd waiting{.fd = output_, .events = POLLIN, .revents = 0};
  poll(&waiting, 1, 30'000);
}

void Helper::kill() { ::kill(pid_, SIGKILL); }

std::string Helper::finish() {
  std::string all;
  std::array<char, 4096> buffer{};
  for (ssize_t size = 0; (size = read(output_, buffer.data(), buffer.size())) > 0;) {
    all.append(buffer.data(), static_cast<std::size_t>(size));
  }
  close(output_);
  waitpid(pid_, &status_, 0);
  pid_ = -1;
  return all;
}

}  // namespace salvo::test
