#pragma once
#include <filesystem>
#include <string>

namespace salvo::test {

// A new empty folder that goes away with the test.
class Folder {
 public:
  Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder();
  [[nodiscard]] std::string path() const { return root_.string(); }
  [[nodiscard]] std::string path(const std::string& name) const { return (root_ / name).string(); }

 private:
  std::filesystem::path root_;
};

[[nodiscard]] std::string contents(const std::string& path);
void write(const std::string& path, const std::string& text);

}  // namespace salvo::test
