#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace salvo {

struct Place {
  std::size_t line = 0, column = 0;
  std::string set;                                                 // "model.num_inducing=250" when it came from the command line
  std::string file{};                                              // where it stands in another file than the rest
  [[nodiscard]] std::string shown(const std::string& path) const;  // "reactor.toml:7:3" or "--set model.…"
};

// A document of TOML or JSON as a plain tree that knows where everything stands and keeps the order of the file.
struct Tree {
  enum class Kind { boolean, integer, real, text, array, table, other };
  Kind kind = Kind::table;
  bool boolean = false;
  std::int64_t integer = 0;
  double real = 0;
  std::string text{};         // a text; of other kinds (a date, null) what it is in words
  std::vector<Tree> items{};  // of an array or a table
  std::vector<std::string> keys{};
  std::vector<Place> key_places{};
  Place place{};

  static Tree of(bool value);
  static Tree of(std::int64_t value);
  static Tree of(double value);
  static Tree of(std::string_view value);
  static Tree list();

  [[nodiscard]] const Tree* find(std::string_view key) const;
  [[nodiscard]] const Tree& at(std::string_view key) const;  // throws std::invalid_argument that names the key
  Tree& add(std::string_view key, Tree value);               // to a table; returns what was added
  [[nodiscard]] std::string words() const;                   // for messages: "lgo" in quotes, 250, a table
};

// Of a table; a key that is not there has the fallback, or throws std::invalid_argument as a value of another kind does.
[[nodiscard]] double number_of(const Tree& table, std::string_view key, std::optional<double> fallback = {});
[[nodiscard]] std::int64_t whole_of(const Tree& table, std::string_view key, std::optional<std::int64_t> fallback = {});
[[nodiscard]] const std::string& text_of(const Tree& table, std::string_view key);
[[nodiscard]] std::vector<double> numbers_of(const Tree& list);

template <class Numbers>
[[nodiscard]] Tree list_of(const Numbers& numbers) {
  Tree out = Tree::list();
  for (const double x : numbers) out.items.push_back(Tree::of(x));
  return out;
}

}  // namespace salvo
