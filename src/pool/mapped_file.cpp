#include "pool/mapped_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <salvo/error.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace salvo {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 20;

[[noreturn]] void refuse(const std::string& path, const char* what) {
  throw Error(fmt::format("{}: cannot {}: {}", path, what, std::strerror(errno)));
}

int nameless_file(const std::string& folder) {
  std::string path = folder + "/.salvo-pool-XXXXXX";
  const int fd = ::mkostemp(path.data(), O_CLOEXEC);
  if (fd < 0) refuse(folder, "make a file there");
  ::unlink(path.c_str());
  return fd;
}

}  // namespace

OpenFile::~OpenFile() {
  if (fd_ >= 0) ::close(fd_);
}

MappedFile::MappedFile(int fd, std::size_t size, const std::string& path) : size_(size) {
  if (size == 0) return;
  at_ = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, fd, 0);
  if (at_ == MAP_FAILED) refuse(path, "map it into memory");
}

MappedFile::~MappedFile() {
  if (at_ != nullptr) ::munmap(at_, size_);
}

Spill::Spill(const std::string& folder) : folder_(folder), file_(nameless_file(folder)) { buffer_.reserve(kBufferBytes); }

void Spill::append(const void* bytes, std::size_t size) {
  if (buffer_.size() + size > kBufferBytes) flush();
  if (size > kBufferBytes) {
    write_whole(fd(), bytes, size, folder_);
    written_ += size;
    return;
  }
  const char* at = static_cast<const char*>(bytes);
  buffer_.insert(buffer_.end(), at, at + size);
}

void Spill::read(std::size_t begin, void* to, std::size_t size) const {
  if (begin >= written_) {
    std::memcpy(to, buffer_.data() + (begin - written_), size);
    return;
  }
  // What is appended in one piece lies in the file or in the buffer, never in both.
  read_whole(fd(), to, size, begin, folder_);
}

void Spill::flush() {
  write_whole(fd(), buffer_.data(), buffer_.size(), folder_);
  written_ += buffer_.size();
  buffer_.clear();
}

void write_whole(int fd, const void* bytes, std::size_t size, const std::string& path) {
  const char* at = static_cast<const char*>(bytes);
  while (size > 0) {
    const ssize_t count = ::write(fd, at, size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) refuse(path, "write");
    at += count;
    size -= static_cast<std::size_t>(count);
  }
}

void read_whole(int fd, void* to, std::size_t size, std::size_t begin, const std::string& path) {
  char* at = static_cast<char*>(to);
  while (size > 0) {
    const ssize_t count = ::pread(fd, at, size, static_cast<off_t>(begin));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) refuse(path, "read");
    if (count == 0) throw Error(fmt::format("{}: the file became shorter while it was read", path));
    at += count;
    begin += static_cast<std::size_t>(count);
    size -= static_cast<std::size_t>(count);
  }
}

}  // namespace salvo
