#pragma once
#include <cstddef>
#include <memory>
#include <string>

#include "text/csv_stream.h"

namespace salvo {

// A file, or standard input for "-", read from its beginning to its end; one made by gzip is unpacked on the way.
// Throws InputError with the system's words.
class LibraryFile {
 public:
  LibraryFile(const std::string& path, std::string name);          // name: what messages call it
  std::size_t read(char* to, std::size_t size);                    // 0 at the end
  [[nodiscard]] double share() const;                              // of the file's bytes read so far; −1: not known
  [[nodiscard]] const std::string& path() const { return path_; }  // its name
  [[nodiscard]] ReadBytes reader();                                // of this file, which must live as long

 private:
  struct Close {
    void operator()(void* file) const;
  };
  [[noreturn]] void fail(const std::string& why) const;
  std::string path_;
  std::unique_ptr<void, Close> file_;  // zlib's
  double size_ = 0;
};

// Exactly `size` bytes; throws InputError that says that the file is cut off.
void read_exactly(const ReadBytes& read, char* to, std::size_t size, const std::string& path);

}  // namespace salvo
