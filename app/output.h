#pragma once
#include <exception>
#include <string>
#include <string_view>

namespace salvo::app {

// The reader of our standard output went away (salvo export | head): the command ends quietly.
struct BrokenPipe : std::exception {};

// Where a command's result goes: a file, or standard output ("" or "-"). The file is opened at once, so that an
// unwritable one is found before work is done, but its old content goes only with the first write. A new file that could not be
// finished (a full disk) goes away again.
class Output {
 public:
  explicit Output(std::string path = "");
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  ~Output();

  void write(std::string_view text);  // buffered
  void flush();                       // throws Error with the system's words, or BrokenPipe
  void finish();                      // flush and close
  [[nodiscard]] bool is_stdout() const { return fd_ == 1; }

 private:
  void send(std::string_view text);
  std::string path_, buffer_;
  int fd_ = 1;
  bool touched_ = false, created_ = false, finished_ = false;
};

// Puts a file in the place of what is there, all at once: whoever reads it sees the old one or the new one. Throws Error.
void replace_file(const std::string& path, std::string_view text);

void print(std::string_view text);        // to standard output, at once
void print_error(std::string_view text);  // to standard error; nothing can be done when that fails

}  // namespace salvo::app
