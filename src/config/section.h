#pragma once
#include <salvo/names.h>
#include <salvo/rules.h>

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/tree.h"

namespace salvo {

// All that is wrong with a study file, one line each.
class FileErrors {
 public:
  explicit FileErrors(std::string path) : path_(std::move(path)) {}
  void add(const Place& place, std::string_view key, const std::string& problem);
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
  Section(const Tree* table, std::string path, FileErrors& errors);

  bool text(std::string_view key, std::string& out);
  bool boolean(std::string_view key, bool& out);
  bool integer(std::string_view key, std::int64_t& out, const Whole& rule);
  template <class Rule>
  bool number(std::string_view key, double& out, const Rule& rule) {
    return number(key, out, rule.expected(), [&](double x) { return rule.allows(x); });
  }
  bool word(std::string_view key, std::string& out, std::span<const std::string_view> known);
  template <Named Enum>
  bool choice(std::string_view key, Enum& out) {
    std::vector<std::string_view> words;
    for (const auto& [each, name] : Names<Enum>::list) words.push_back(name);
    std::string chosen;
    if (!word(key, chosen, words)) return false;
    out = parse<Enum>(chosen);
    return true;
  }
  bool duration(std::string_view key, double& out);  // 90, "90s", "10m", "1h30m"
  bool list(std::string_view key, std::vector<Tree>& out);
  bool texts(std::string_view key, std::vector<std::string>& out);  // ["a", "b"], at least one
  bool exit_codes(std::string_view key, std::vector<int>& out);     // [75, 137]
  const Tree* table(std::string_view key);                          // null when it is not there or no table
  const Tree* anything(std::string_view key);                       // marks the key as known

  [[nodiscard]] bool has(std::string_view key) const { return node_ && node_->find(key); }
  [[nodiscard]] Place place() const { return node_ ? node_->place : Place{}; }
  [[nodiscard]] std::string path_of(std::string_view key) const;
  void wrong(std::string_view key, const std::string& problem);  // at the key's value, or at the table
  void finish();                                                 // notes the unknown keys

 private:
  bool refuse(std::string_view key, const std::string& expected, const Tree& got);  // false
  bool number(std::string_view key, double& out, const std::string& expected, const std::function<bool(double)>& allowed);

  const Tree* node_;
  std::string path_;
  FileErrors& errors_;
  std::vector<std::string_view> known_;
};

}  // namespace salvo
