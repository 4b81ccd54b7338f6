#include "plot/png.h"

#include <fmt/core.h>
#include <salvo/error.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

extern char** environ;

namespace salvo::app::plot {
namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

[[noreturn]] void fail(const char* what, int error) {
  throw Error(fmt::format("drawing a PNG: {}: {}", what, std::strerror(error)));
}

// An unnamed file: with files on all three streams there is no pipe that could fill up.
File scratch() {
  File file(std::tmpfile(), std::fclose);
  if (!file) fail("a temporary file", errno);
  return file;
}

std::string content(std::FILE* file) {
  std::string text;
  char block[1 << 16];
  std::rewind(file);
  for (std::size_t size = 0; (size = std::fread(block, 1, sizeof block, file)) > 0;) text.append(block, size);
  return text;
}

}  // namespace

std::string find_converter() {
  const char* path = std::getenv("PATH");
  std::string folders = path ? path : "/usr/local/bin:/usr/bin:/bin";
  for (std::size_t at = 0; at <= folders.size();) {
    const std::size_t end = std::min(folders.find(':', at), folders.size());
    const std::string program = folders.substr(at, end - at) + "/rsvg-convert";
    if (::access(program.c_str(), X_OK) == 0) return program;
    at = end + 1;
  }
  throw Error(
      "PNG needs the program rsvg-convert, which is not installed (Debian: apt install librsvg2-bin); SVG and HTML do not");
}

std::string to_png(const std::string& svg) {
  const std::string program = find_converter();
  const File in = scratch(), out = scratch(), errors = scratch();
  if (std::fwrite(svg.data(), 1, svg.size(), in.get()) != svg.size() || std::fflush(in.get()) != 0)
    fail("a temporary file", errno);
  std::rewind(in.get());

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, fileno(in.get()), 0);
  posix_spawn_file_actions_adddup2(&actions, fileno(out.get()), 1);
  posix_spawn_file_actions_adddup2(&actions, fileno(errors.get()), 2);
  const char* arguments[] = {program.c_str(), "--zoom", "2", "--format", "png", "--unlimited", nullptr};
  pid_t child = 0;
  const int failed = ::posix_spawn(&child, program.c_str(), &actions, nullptr, const_cast<char* const*>(arguments), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) fail(program.c_str(), failed);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) fail(program.c_str(), errno);
  }
  if (status != 0) throw Error(fmt::format("drawing a PNG: {} failed: {}", program, content(errors.get())));
  return content(out.get());
}

}  // namespace salvo::app::plot
