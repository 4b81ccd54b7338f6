#include "input.h"

#include <fmt/core.h>
#include <salvo/error.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace salvo::app {

std::string read_input(const std::string& path) {
  std::FILE* file = path == "-" ? stdin : std::fopen(path.c_str(), "rb");
  std::string text;
  bool failed = file == nullptr;
  int error = errno;
  if (file) {
    char block[1 << 16];
    for (std::size_t size = 0; (size = std::fread(block, 1, sizeof block, file)) > 0;) text.append(block, size);
    error = errno;
    failed = std::ferror(file) != 0;
    if (file != stdin) std::fclose(file);
  }
  if (failed) throw Error(fmt::format("cannot read {}: {}", path == "-" ? "standard input" : path, std::strerror(error)));
  return text;
}

}  // namespace salvo::app
