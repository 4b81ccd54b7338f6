#include "support/replicates.h"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <map>
#include <stdexcept>

namespace salvo::experiments {
namespace {

struct Child {
  int index;
  pid_t pid;
  std::string text;
};

// The read end of a pipe on which a new process writes what body gives.
std::pair<int, pid_t> start(const std::function<std::string(int)>& body, int index) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error(std::string("pipe: ") + std::strerror(errno));
  std::fflush(nullptr);
  const pid_t pid = fork();
  if (pid < 0) throw std::runtime_error(std::string("fork: ") + std::strerror(errno));
  if (pid == 0) {
    close(ends[0]);
    int status = 0;
    try {
      const std::string text = body(index);
      for (std::size_t sent = 0; sent < text.size();) {
        const ssize_t n = ::write(ends[1], text.data() + sent, text.size() - sent);
        if (n <= 0) break;
        sent += static_cast<std::size_t>(n);
      }
    } catch (const std::exception& error) {
      std::fprintf(stderr, "replicate %d: %s\n", index, error.what());
      status = 1;
    }
    _exit(status);
  }
  close(ends[1]);
  return {ends[0], pid};
}

}  // namespace

std::vector<std::string> replicate(int count, int jobs, const std::function<std::string(int)>& body,
                                   const std::function<void(int, const std::string&)>& done) {
  std::vector<std::string> results(static_cast<std::size_t>(count));
  std::map<int, Child> running;  // by descriptor
  int next = 0;
  while (next < count || !running.empty()) {
    while (next < count && static_cast<int>(running.size()) < jobs) {
      const auto [fd, pid] = start(body, next);
      running[fd] = {next++, pid, {}};
    }
    std::vector<pollfd> fds;
    for (const auto& [fd, child] : running) fds.push_back({fd, POLLIN, 0});
    if (poll(fds.data(), fds.size(), -1) < 0 && errno != EINTR)
      throw std::runtime_error(std::string("poll: ") + std::strerror(errno));
    for (const pollfd& at : fds) {
      if (at.revents == 0) continue;
      Child& child = running[at.fd];
      char buffer[4096];
      const ssize_t n = read(at.fd, buffer, sizeof buffer);
      if (n > 0) {
        child.text.append(buffer, static_cast<std::size_t>(n));
        continue;
      }
      close(at.fd);
      int status = 0;
      waitpid(child.pid, &status, 0);
      if (status == 0) results[static_cast<std::size_t>(child.index)] = child.text;
      done(child.index, results[static_cast<std::size_t>(child.index)]);
      running.erase(at.fd);
    }
  }
  return results;
}

void keep_memory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 512 << 20);
#endif
}

}  // namespace salvo::experiments
