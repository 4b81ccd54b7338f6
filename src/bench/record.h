#pragma once
#include <salvo/bench.h>

#include <limits>
#include <string>
#include <string_view>

namespace salvo::benching {

inline constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

// One line of JSON, without its end.
[[nodiscard]] std::string to_line(const BenchRun& run);
[[nodiscard]] std::string to_line(const BenchStep& step);
// Throws std::invalid_argument that says what is wrong with the line.
[[nodiscard]] BenchRun run_of(std::string_view line);
[[nodiscard]] BenchStep step_of(std::string_view line);

// Appends whole lines to a file that no other process writes.
class RunsFile {
 public:
  // Makes the file when it is not there and drops a last line that was cut off. Throws Error with the system's words.
  explicit RunsFile(std::string path);
  RunsFile(const RunsFile&) = delete;
  RunsFile& operator=(const RunsFile&) = delete;
  ~RunsFile();
  void append(const BenchRun& run);  // on disk when it returns

 private:
  std::string path_;
  int fd_ = -1;
};

}  // namespace salvo::benching
