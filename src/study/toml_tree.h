#pragma once
#include <salvo/study_file.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// A TOML document as a plain tree that knows where everything stands and keeps the order of the file.
namespace salvo {

struct TomlPlace {
  std::size_t line = 0, column = 0;
  std::string set;                                                 // "model.num_inducing=250" when it came from the command line
  std::string file{};                                              // where it stands in another file than the rest
  [[nodiscard]] std::string shown(const std::string& path) const;  // "reactor.toml:7:3" or "--set model.…"
};

struct TomlNode {
  enum class Kind { boolean, integer, real, text, array, table, other };
  Kind kind = Kind::table;
  bool boolean = false;
  std::int64_t integer = 0;
  double real = 0;
  std::string text;             // a text; for a date or a time its kind in words
  std::vector<TomlNode> items;  // of an array or a table
  std::vector<std::string> keys;
  std::vector<TomlPlace> key_places;
  TomlPlace place;

  [[nodiscard]] const TomlNode* find(std::string_view key) const;
  [[nodiscard]] std::string words() const;  // for messages: "lgo" in quotes, 250, a table
};

// Throws InputError with the place of the first mistake.
[[nodiscard]] TomlNode parse_toml(std::string_view text, const std::string& path);

// Marks all of a tree as coming from `path`, for trees that are merged into another file's.
void set_file(TomlNode& node, const std::string& path);

// Puts "model.num_inducing" = "250" into the tree. The value is read as TOML where it is TOML, else as plain text.
void apply_override(TomlNode& root, const std::string& key, const std::string& value);

}  // namespace salvo
