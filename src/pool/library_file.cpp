#include "pool/library_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <salvo/error.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace salvo {
namespace {

gzFile handle(void* file) { return static_cast<gzFile>(file); }

}  // namespace

void LibraryFile::Close::operator()(void* file) const { gzclose_r(handle(file)); }

void LibraryFile::fail(const std::string& why) const { throw InputError(fmt::format("{}: cannot read it: {}", path_, why)); }

LibraryFile::LibraryFile(const std::string& path, std::string name) : path_(std::move(name)) {
  const int fd = path == "-" ? ::dup(0) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) fail(std::strerror(errno));
  struct stat info {};
  if (fstat(fd, &info) == 0 && S_ISDIR(info.st_mode)) {
    ::close(fd);
    fail(std::strerror(EISDIR));
  }
  size_ = S_ISREG(info.st_mode) ? static_cast<double>(info.st_size) : 0;
  file_.reset(gzdopen(fd, "rb"));
  if (!file_) {
    ::close(fd);
    fail("out of memory");
  }
  gzbuffer(handle(file_.get()), 1 << 18);
}

std::size_t LibraryFile::read(char* to, std::size_t size) {
  const int count = gzread(handle(file_.get()), to, static_cast<unsigned>(std::min<std::size_t>(size, 1 << 30)));
  if (count > 0) return static_cast<std::size_t>(count);
  int code = Z_OK;
  const char* why = gzerror(handle(file_.get()), &code);
  if (code == Z_BUF_ERROR) fail("the gzip file is cut off");
  if (code == Z_ERRNO) fail(std::strerror(errno));
  if (code != Z_OK && code != Z_STREAM_END) fail(fmt::format("the gzip file is damaged: {}", why));
  return 0;
}

double LibraryFile::share() const {
  const auto at = gzoffset(handle(file_.get()));
  return size_ > 0 && at >= 0 ? std::min(1.0, static_cast<double>(at) / size_) : -1;
}

ReadBytes LibraryFile::reader() {
  return [this](char* to, std::size_t size) { return read(to, size); };
}

void read_exactly(const ReadBytes& read, char* to, std::size_t size, const std::string& path) {
  while (size > 0) {
    const std::size_t count = read(to, size);
    if (count == 0) throw InputError(fmt::format("{}: the file is cut off", path));
    to += count;
    size -= count;
  }
}

}  // namespace salvo
