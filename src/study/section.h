#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "study/toml_tree.h"

namespace salvo {

// All that is wrong with a study file, one line each.
class FileErrors {
 public:
  explicit FileErrors(std::string path) : path_(std::move(path)) {}
  void add(const TomlPlace& place, std::string_view key, const std::string& problem);
  [[nodiscard]] bool empty() const { return errors_.empty(); }
  void raise() const;  // throws InputError unless empty

 private:
  std::string path_;
  std::vector<std::pair<std::size_t, std::string>> errors_;  // by line
};

// One table of the study file. Each read gives true and sets `out` when the key is there and right; a wrong value is
// noted in the errors. Keys that nobody asked for are unknown.
class Section {
 public:
  // A null table is an empty one. `path` is "model", or "" at the top.
  Section(const TomlNode* table, std::string path, FileErrors& errors);

  bool text(std::string_view key, std::string& out);
  bool boolean(std::string_view key, bool& out);
  bool integer(std::string_view key, std::int64_t& out, std::int64_t low, std::int64_t high);
  bool integer(std::string_view key, int& out, int low = 1);
  bool real(std::string_view key, double& out, double low, bool low_included = true);
  bool share(std::string_view key, double& out, bool zero_included = true);  // at most 1
  bool word(std::string_view key, std::string& out, std::span<const std::string_view> known);
  bool duration(std::string_view key, double& out);  // 90, "90s", "10m", "1h30m"
  bool list(std::string_view key, std::vector<TomlNode>& out);
  const TomlNode* table(std::string_view key);     // null when it is not there or no table
  const TomlNode* anything(std::string_view key);  // marks the key as known

  [[nodiscard]] bool has(std::string_view key) const { return node_ && node_->find(key); }
  [[nodiscard]] TomlPlace place() const { return node_ ? node_->place : TomlPlace{}; }
  [[nodiscard]] std::string path_of(std::string_view key) const;
  void wrong(std::string_view key, const std::string& problem);  // at the key's value, or at the table
  void finish();                                                 // notes the unknown keys

 private:
  bool number(std::string_view key, double& out, const std::string& expected, const std::function<bool(double)>& allowed);

  const TomlNode* node_;
  std::string path_;
  FileErrors& errors_;
  std::vector<std::string_view> known_;
};

}  // namespace salvo
