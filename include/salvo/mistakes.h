#pragma once
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace salvo {

// What is wrong with a file that a person wrote, one line each, so that all of it can be said at once.
class Mistakes {
 public:
  explicit Mistakes(std::string path) : path_(std::move(path)) {}
  // Line 0: of the file as a whole; column 0: of the line as a whole.
  void add(std::size_t line, const std::string& problem, std::size_t column = 0);
  [[nodiscard]] bool empty() const { return said_.empty(); }
  [[nodiscard]] std::size_t size() const { return said_.size(); }
  // Throws InputError unless empty: the first 20 in the order of the file, then the advice, if there is any.
  void raise(const std::string& advice = "") const;

 private:
  std::string path_;
  std::vector<std::pair<std::size_t, std::string>> said_;  // by line
};

}  // namespace salvo
