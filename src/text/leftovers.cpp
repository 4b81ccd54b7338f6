#include "text/leftovers.h"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <filesystem>
#include <string_view>
#include <vector>

namespace salvo {
namespace {

namespace fs = std::filesystem;

// "4711-1", "4711-1-wal": the process, when it is such a name.
pid_t builder_of(std::string_view rest) {
  pid_t process = 0;
  const char* const end = rest.data() + rest.size();
  const auto [after, error] = std::from_chars(rest.data(), end, process);
  if (error != std::errc() || after == end || *after != '-') return 0;
  int call = 0;
  const auto number = std::from_chars(after + 1, end, call);
  if (number.ec != std::errc()) return 0;
  const std::string_view suffix(number.ptr, static_cast<std::size_t>(end - number.ptr));
  const bool known = suffix.empty() || suffix == "-wal" || suffix == "-shm" || suffix == "-journal";
  return known ? process : 0;
}

bool is_dead(pid_t process) { return process > 0 && ::kill(process, 0) != 0 && errno == ESRCH; }

}  // namespace

std::string temporary_name(const std::string& path) {
  static std::atomic<int> calls = 0;  // threads of one process may build the same file at once
  return fmt::format("{}.new-{}-{}", path, ::getpid(), ++calls);
}

void remove_leftovers(const std::string& path) {
  const fs::path file(path);
  const std::string prefix = file.filename().string() + ".new-";
  std::error_code failed;
  std::vector<fs::path> dead;
  for (fs::directory_iterator entry(file.has_parent_path() ? file.parent_path() : fs::path("."), failed), end;
       !failed && entry != end; entry.increment(failed)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with(prefix) && is_dead(builder_of(std::string_view(name).substr(prefix.size()))))
      dead.push_back(entry->path());
  }
  for (const fs::path& leftover : dead) fs::remove(leftover, failed);
}

}  // namespace salvo
