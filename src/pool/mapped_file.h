#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace salvo {

// A file descriptor that is closed in the end.
class OpenFile {
 public:
  explicit OpenFile(int fd = -1) : fd_(fd) {}
  OpenFile(OpenFile&& other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
  OpenFile& operator=(OpenFile&&) = delete;
  ~OpenFile();
  [[nodiscard]] int fd() const { return fd_; }

 private:
  int fd_;
};

// A whole file as bytes in memory, read as they are needed.
class MappedFile {
 public:
  MappedFile(int fd, std::size_t size, const std::string& path);  // throws Error
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();
  [[nodiscard]] std::span<const char> bytes() const { return {static_cast<const char*>(at_), size_}; }

 private:
  void* at_ = nullptr;
  std::size_t size_ = 0;
};

// Bytes set aside in a file without a name in the given folder, so that memory does not grow with them.
// Throws Error with the system's words.
class Spill {
 public:
  explicit Spill(const std::string& folder);
  void append(const void* bytes, std::size_t size);
  // size() and what was appended at `begin`; it may still be in the buffer.
  [[nodiscard]] std::size_t size() const { return written_ + buffer_.size(); }
  void read(std::size_t begin, void* to, std::size_t size) const;
  void flush();
  [[nodiscard]] int fd() const { return file_.fd(); }
  [[nodiscard]] const std::string& folder() const { return folder_; }

 private:
  std::string folder_;
  OpenFile file_;
  std::vector<char> buffer_;
  std::size_t written_ = 0;
};

void write_whole(int fd, const void* bytes, std::size_t size, const std::string& path);           // throws Error
void read_whole(int fd, void* to, std::size_t size, std::size_t begin, const std::string& path);  // throws Error

}  // namespace salvo
