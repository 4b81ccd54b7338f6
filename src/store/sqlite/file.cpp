#include "store/sqlite/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <salvo/error.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "store/sqlite/sqlite.h"
#include "text/leftovers.h"

namespace salvo {
namespace {

constexpr std::string_view kMagic("SQLite format 3\0", 16);
constexpr std::size_t kHeaderSize = 100;  // https://www.sqlite.org/fileformat2.html §1.3
constexpr std::size_t kPageSizeAt = 16, kVersionAt = 60, kApplicationAt = 68;

[[noreturn]] void refuse(const std::string& path, const std::string& what) { throw StoreError(path + ": " + what); }

// Closes a file descriptor.
struct File {
  int fd;
  explicit File(int descriptor) : fd(descriptor) {}
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    if (fd >= 0) ::close(fd);
  }
};

std::uint32_t big_endian(const char* at, int num_bytes = 4) {
  std::uint32_t value = 0;
  for (int i = 0; i < num_bytes; ++i) value = value << 8 | static_cast<unsigned char>(at[i]);
  return value;
}

std::string folder_of(const std::string& path) {
  const auto folder = std::filesystem::path(path).parent_path();
  return folder.empty() ? "." : folder.string();
}

void require_writable(const std::string& path, const std::string& whose) {
  if (access(path.c_str(), R_OK | W_OK) == 0) return;
  refuse(path, fmt::format("{}. Make {} readable and writable", std::strerror(errno), whose));
}

// SQLite makes -wal before -shm and removes it after: -shm alone means that somebody else has taken -wal away. Looked at twice,
// as another process may close the study at this moment, and a third one open it.
void require_log(const std::string& path) {
  for (int look = 1; look <= 2; ++look)
    if (!file_id(path + "-shm") || file_id(path + "-wal")) return;
  refuse(path, fmt::format("its log {0}-wal is missing, though {0}-shm says that the study is or was in use: what was recorded "
                           "last is not in the file. End all programs that use the study and put the log back. Where it is gone "
                           "for good, remove {0}-shm: the study goes on from what is in the file",
                           path));
}

// False when the file was gone before it got its name.
bool build_and_name(const std::string& path, const std::function<void(const std::string& temporary)>& build, bool may_be_lost) {
  const std::string temporary = temporary_name(path);
  const auto clean_up = [&] {
    for (const char* suffix : {"", "-wal", "-shm", "-journal"}) ::unlink((temporary + suffix).c_str());
  };
  clean_up();  // what a process of the same number left behind when it was killed
  try {
    build(temporary);
    if (const File built(::open(temporary.c_str(), O_RDONLY | O_CLOEXEC)); built.fd >= 0) fsync(built.fd);
    if (::link(temporary.c_str(), path.c_str()) != 0) {  // unlike rename, it never replaces anything
      if (errno == ENOENT && may_be_lost) return false;
      if (errno == EEXIST) refuse(path, "is there already: another process created it at this moment. Open it");
      refuse(path, fmt::format("cannot be created: {}", std::strerror(errno)));
    }
  } catch (...) {
    clean_up();
    throw;
  }
  clean_up();
  return true;
}

}  // namespace

void inspect_study_file(const std::string& path, std::int64_t newest_version) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) {
    refuse(path, fmt::format("{}. Expected the database of a study; create it first, or check the path", std::strerror(errno)));
  }
  if (S_ISDIR(info.st_mode)) refuse(path, "is a folder, not the database of a study. Name a file");
  if (!S_ISREG(info.st_mode)) refuse(path, "is not a regular file, so it cannot be the database of a study. Name another");
  require_writable(path, "the file");
  require_writable(folder_of(path), "the folder (SQLite keeps its log beside the study)");

  const auto [header, size] = head_of(path, kHeaderSize);
  if (size == 0) refuse(path, "is empty, so it is not the database of a study. Remove it, or name another file");
  if (!header.starts_with(kMagic)) {
    refuse(path, "is not an SQLite database, so it is not the database of a study. Name another file");
  }
  if (header.size() < kHeaderSize) {
    refuse(path, fmt::format("is cut off after {} bytes: the file is damaged. Restore a copy", size));
  }
  if (big_endian(header.data() + kApplicationAt) != kApplicationId) {
    refuse(path, "is an SQLite database, but not a study of Salvo. Name another file");
  }
  // SQLite finds missing pages by itself, but not the missing end of the last one. (A killed process may leave half a
  // page, too; then the log has it whole.)
  const std::uint32_t page_size = big_endian(header.data() + kPageSizeAt, 2);
  struct stat log {};
  const bool has_log = stat((path + "-wal").c_str(), &log) == 0 && log.st_size > 0;
  require_log(path);
  if (page_size > 1 && info.st_size % page_size != 0 && !has_log) {
    refuse(path, fmt::format("is cut off after {} bytes, inside a page: the file is damaged. Restore a copy", info.st_size));
  }
  const std::int64_t version = big_endian(header.data() + kVersionAt);
  if (version > newest_version) {
    refuse(path, fmt::format("was written by a newer Salvo: its schema has version {}, this program knows up to {}. Use the "
                             "newer program",
                             version, newest_version));
  }
}

void create_whole_file(const std::string& path, const std::function<void(const std::string& temporary)>& build) {
  const std::string folder = folder_of(path);
  struct stat info {};
  if (lstat(path.c_str(), &info) == 0) refuse(path, "is there already. Open it, remove it, or name another file");
  if (stat(folder.c_str(), &info) != 0) {
    refuse(path, fmt::format("cannot be created: {}: {}. Create the folder first", folder, std::strerror(errno)));
  }
  if (!S_ISDIR(info.st_mode)) refuse(path, fmt::format("cannot be created: {} is not a folder", folder));
  require_writable(folder, "the folder");

  remove_leftovers(path);
  // Two containers do not see each other's processes: one may take what the other builds for a leftover. Then it builds again.
  constexpr int kAttempts = 3;
  for (int attempt = 1; !build_and_name(path, build, attempt < kAttempts); ++attempt) {
  }
  const File directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.fd >= 0) fsync(directory.fd);  // the new name is on disk, too
}

}  // namespace salvo
