#include "text/file.h"

#include <fmt/format.h>
#include <salvo/error.h>

#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

namespace salvo {

std::string shown_path(const std::string& path) { return path == "-" ? "standard input" : path; }

std::string read_text(const std::string& path, std::size_t max_bytes) {
  const auto fail = [&](const std::string& why) {
    throw InputError(fmt::format("{}: cannot read it: {}", shown_path(path), why));
  };
  const auto close = [](std::FILE* file) {
    if (file != stdin) std::fclose(file);
  };
  const std::unique_ptr<std::FILE, decltype(close)> file(path == "-" ? stdin : std::fopen(path.c_str(), "rb"), close);
  if (!file) fail(std::generic_category().message(errno));
  std::string text;
  char buffer[1 << 16];
  while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, file.get())) {
    text.append(buffer, count);
    if (text.size() > max_bytes) fail(fmt::format("larger than {} MiB", max_bytes >> 20));
  }
  if (std::ferror(file.get())) fail(std::generic_category().message(errno));
  return text;
}

}  // namespace salvo
