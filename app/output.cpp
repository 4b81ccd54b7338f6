#include "output.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <salvo/error.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "text/store_file.h"

namespace salvo::app {
namespace {

[[noreturn]] void fail(const std::string& path, int error) {
  if (error == EPIPE && path.empty()) throw BrokenPipe();
  const char* advice = error == EFBIG    ? "; this shell limits how large a file may be: ulimit -f"
                       : error == EMFILE ? "; this shell limits how many files may be open: ulimit -n"
                                         : "";
  throw Error(fmt::format("cannot write {}: {}{}", path.empty() ? "to standard output" : path, std::strerror(error), advice));
}

}  // namespace

Output::Output(std::string path) : path_(path == "-" ? "" : std::move(path)) {
  if (path_.empty()) return;
  check_not_in_store(path_);
  struct stat info {};
  created_ = ::stat(path_.c_str(), &info) != 0;
  fd_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (fd_ < 0) fail(path_, errno);
}

Output::~Output() {
  if (fd_ == 1) return;
  if (fd_ >= 0) ::close(fd_);
  if (created_ && !finished_) ::unlink(path_.c_str());
}

void Output::write(std::string_view text) {
  buffer_ += text;
  if (buffer_.size() > (1U << 16)) flush();
}

void Output::flush() {
  const std::string text = std::move(buffer_);
  buffer_.clear();
  send(text);
}

void Output::finish() {
  flush();
  if (fd_ == 1) return;
  const int fd = fd_;
  fd_ = -1;
  if (::close(fd) != 0) fail(path_, errno);
  finished_ = true;
}

void Output::send(std::string_view text) {
  if (!touched_ && fd_ != 1) {
    struct stat info {};
    if (::fstat(fd_, &info) == 0 && S_ISREG(info.st_mode) && ::ftruncate(fd_, 0) != 0) fail(path_, errno);
    touched_ = true;
  }
  while (!text.empty()) {
    const ssize_t sent = ::write(fd_, text.data(), text.size());
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) fail(path_, errno);
    text.remove_prefix(static_cast<std::size_t>(sent));
  }
}

void replace_file(const std::string& path, std::string_view text) {
  check_not_in_store(path);
  std::error_code failed;
  const std::string real =
      std::filesystem::weakly_canonical(path, failed).string();  // a link stays, and what it leads to is replaced
  const std::string target = failed || real.empty() ? path : real;
  struct stat info {};
  const bool exists = ::stat(target.c_str(), &info) == 0;
  if (exists && !S_ISREG(info.st_mode)) {  // a pipe or a device has nothing to be replaced
    Output out(path);
    out.write(text);
    return out.finish();
  }
  const std::string part = fmt::format("{}.{}.part", target, ::getpid());
  try {
    Output out(part);
    out.write(text);
    out.finish();
    if (exists) (void)::chmod(part.c_str(), info.st_mode & 07777);
  } catch (const Error& error) {
    throw Error(fmt::format("{} (to be put in the place of {})", error.what(), path));
  }
  if (::rename(part.c_str(), target.c_str()) == 0) return;
  const int error = errno;
  ::unlink(part.c_str());
  fail(path, error);
}

void print(std::string_view text) {
  Output out;
  out.write(text);
  out.finish();
}

void print_error(std::string_view text) {
  while (!text.empty()) {
    const ssize_t sent = ::write(2, text.data(), text.size());
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(sent));
  }
}

}  // namespace salvo::app
