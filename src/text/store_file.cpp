#include "text/store_file.h"

#include <fmt/format.h>
#include <salvo/error.h>
#include <sys/stat.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>

namespace salvo {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 5> kSuffixes = {"", "-wal", "-shm", "-journal", "-turn"};

bool is_sqlite(const std::string& path) {
  constexpr std::string_view kMagic = "SQLite format 3";
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) return false;  // a pipe would wait for ever
  char head[kMagic.size()] = {};
  std::ifstream in(path, std::ios::binary);
  return in.read(head, sizeof head) && std::string_view(head, sizeof head) == kMagic;
}

// Where a write would go: links followed, those to nothing as well, in the one spelling that the folder has.
std::string target_of(const std::string& path) {
  std::error_code failed;
  fs::path target = fs::absolute(path, failed);
  if (failed) return path;
  for (int links = 0; links < 40 && fs::is_symlink(target, failed); ++links) {
    const fs::path next = fs::read_symlink(target, failed);
    if (failed) break;
    target = next.is_absolute() ? next : target.parent_path() / next;
  }
  const fs::path folder = fs::weakly_canonical(target.parent_path(), failed);
  return failed ? target.lexically_normal().string() : (folder / target.filename()).string();
}

bool same_file(const std::string& a, const std::string& b) {
  if (a == b) return true;
  struct stat first {
  }, second{};
  return ::stat(a.c_str(), &first) == 0 && ::stat(b.c_str(), &second) == 0 && first.st_dev == second.st_dev &&
         first.st_ino == second.st_ino;
}

}  // namespace

std::string store_of_file(const std::string& path, std::span<const std::string> stores) {
  const std::string target = target_of(path);
  for (const std::string& store : stores) {
    if (store.empty() || store == ":memory:") continue;
    for (const std::string_view suffix : kSuffixes) {
      // SQLite names the log after the file that a link leads to, older versions after the link.
      const std::string beside = target_of(store) + std::string(suffix), by_name = target_of(store + std::string(suffix));
      if (same_file(target, beside) || same_file(target, by_name)) return store;
    }
  }
  for (const std::string_view suffix : kSuffixes) {
    if (!target.ends_with(suffix)) continue;
    const std::string database = target.substr(0, target.size() - suffix.size());
    if (is_sqlite(database)) return database;
  }
  return "";
}

void check_not_in_store(const std::string& path, std::span<const std::string> stores) {
  const std::string store = store_of_file(path, stores);
  if (store.empty()) return;
  throw InputError(
      fmt::format("{}: that is a file of the store {}, whose trials would be lost; name another file to write", path, store));
}

}  // namespace salvo
