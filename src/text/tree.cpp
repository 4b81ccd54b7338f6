#include "text/tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "text/numbers.h"
#include "text/text.h"

namespace salvo {

Tree Tree::of(bool value) {
  Tree out{.kind = Kind::boolean};
  out.boolean = value;
  return out;
}

Tree Tree::of(std::int64_t value) {
  Tree out{.kind = Kind::integer};
  out.integer = value;
  return out;
}

Tree Tree::of(double value) {
  Tree out{.kind = Kind::real};
  out.real = value;
  return out;
}

Tree Tree::of(std::string_view value) {
  Tree out{.kind = Kind::text};
  out.text = value;
  return out;
}

Tree Tree::list() { return {.kind = Kind::array}; }

const Tree& Tree::at(std::string_view key) const {
  if (const Tree* found = find(key)) return *found;
  throw std::invalid_argument(fmt::format("expected the key \"{}\", it is not there", key));
}

Tree& Tree::add(std::string_view key, Tree value) {
  keys.emplace_back(key);
  key_places.emplace_back();
  return items.emplace_back(std::move(value));
}

std::string Place::shown(const std::string& path) const {
  if (!set.empty()) return "--set " + salvo::shown(set);
  const std::string& here = file.empty() ? path : file;
  return line == 0 ? here : fmt::format("{}:{}:{}", here, line, column);
}

const Tree* Tree::find(std::string_view key) const {
  const auto found = std::find(keys.begin(), keys.end(), key);
  return kind == Kind::table && found != keys.end() ? &items[static_cast<std::size_t>(found - keys.begin())] : nullptr;
}

std::string Tree::words() const {
  switch (kind) {
    case Kind::boolean:
      return boolean ? "true" : "false";
    case Kind::integer:
      return fmt::to_string(integer);
    case Kind::real:
      return shortest(real);
    case Kind::text:
      return fmt::format("\"{}\"", shown(text));
    case Kind::array:
      return fmt::format("a list of {}", items.size());
    case Kind::table:
      return "a table";
    case Kind::other:
      break;
  }
  return text;
}

namespace {

double number(const Tree& tree) {
  if (tree.kind == Tree::Kind::real) return tree.real;
  if (tree.kind == Tree::Kind::integer) return static_cast<double>(tree.integer);
  throw std::invalid_argument("expected a number, got " + tree.words());
}

[[noreturn]] void refuse(std::string_view key, const std::string& expected, const Tree& tree) {
  throw std::invalid_argument(fmt::format("{}: expected {}, got {}", key, expected, tree.words()));
}

}  // namespace

double number_of(const Tree& table, std::string_view key, std::optional<double> fallback) {
  if (fallback && !table.find(key)) return *fallback;
  return number(table.at(key));
}

std::int64_t whole_of(const Tree& table, std::string_view key, std::optional<std::int64_t> fallback) {
  if (fallback && !table.find(key)) return *fallback;
  const Tree& value = table.at(key);
  if (value.kind != Tree::Kind::integer) refuse(key, "a whole number", value);
  return value.integer;
}

const std::string& text_of(const Tree& table, std::string_view key) {
  const Tree& value = table.at(key);
  if (value.kind != Tree::Kind::text) refuse(key, "a text", value);
  return value.text;
}

std::vector<double> numbers_of(const Tree& list) {
  std::vector<double> out;
  for (const Tree& item : list.items) out.push_back(number(item));
  return out;
}

}  // namespace salvo
