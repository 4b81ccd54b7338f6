#include "text/toml.h"

#include <fmt/format.h>
#include <salvo/error.h>

#include <algorithm>
#include <array>

// toml++ 3.3 asserts, and tells an optimising compiler for a fact, what a file may well violate ("[`x]"): without both it
// goes on to its own message.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(expression) static_cast<void>(0)
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

#include "text/file.h"
#include "text/text.h"
#include "text/toml_letters.h"

namespace salvo {
namespace {

constexpr std::size_t kMaxKeyDots = 100;

Place place_of(const toml::source_region& source) { return {source.begin.line, source.begin.column, {}}; }

// Where the text or comment that begins at `start` ends: one past its last character. `start` itself when none does.
std::size_t skip_quoted(std::string_view text, std::size_t start) {
  const char c = text[start];
  if (c == '#') return std::min(text.find('\n', start), text.size());
  if (c != '"' && c != '\'') return start;
  const std::string three(3, c);
  const bool multiline = text.substr(start, 3) == three;
  const std::string_view close = multiline ? three : std::string_view(three).substr(0, 1);
  for (std::size_t i = start + close.size(); i < text.size(); ++i) {
    if (text[i] == '\n' && !multiline) return i;  // not closed: toml++ will say so
    if (c == '"' && text[i] == '\\') {
      ++i;
    } else if (text.substr(i, close.size()) == close) {
      i += close.size();
      for (int extra = 0; multiline && extra < 2 && i < text.size() && text[i] == c; ++extra) ++i;  // """a"" may end in five
      return i;
    }
  }
  return text.size();
}

// toml++ destroys nested tables by recursion, so a key of a hundred thousand dots would overflow the stack.
void refuse_deep_keys(std::string_view text, const std::string& path) {
  std::size_t dots = 0, line = 1;
  for (std::size_t i = 0; i < text.size();) {
    if (const std::size_t end = skip_quoted(text, i); end > i) {
      line += static_cast<std::size_t>(
          std::count(text.begin() + static_cast<std::ptrdiff_t>(i), text.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
      i = end;
      continue;
    }
    const char c = text[i++];
    if (c == '.' && ++dots > kMaxKeyDots)
      throw InputError(fmt::format("{}:{}: a key with more than {} dots", path, line, kMaxKeyDots));
    if (std::string_view("=,{}[]\n").find(c) != std::string_view::npos) dots = 0;
    line += c == '\n';
  }
}

Tree convert(const toml::node& node) {
  using Kind = Tree::Kind;
  Tree out;
  out.place = place_of(node.source());
  if (const auto* table = node.as_table()) {
    // toml++ sorts keys by name; the file's own order is the order of the parameters.
    std::vector<const toml::key*> keys;
    for (const auto& [key, value] : *table) keys.push_back(&key);
    std::sort(keys.begin(), keys.end(), [](const toml::key* a, const toml::key* b) {
      const auto &x = a->source().begin, &y = b->source().begin;
      return std::pair(x.line, x.column) < std::pair(y.line, y.column);
    });
    for (const toml::key* key : keys) {
      out.keys.push_back(move_letters_back(key->str()));
      out.key_places.push_back(place_of(key->source()));
      out.items.push_back(convert(*table->get(key->str())));
    }
  } else if (const auto* array = node.as_array()) {
    out.kind = Kind::array;
    for (const toml::node& item : *array) out.items.push_back(convert(item));
  } else if (const auto* text = node.as_string()) {
    out.kind = Kind::text;
    out.text = move_letters_back(text->get());
  } else if (const auto* integer = node.as_integer()) {
    out.kind = Kind::integer;
    out.integer = integer->get();
  } else if (const auto* real = node.as_floating_point()) {
    out.kind = Kind::real;
    out.real = real->get();
  } else if (const auto* boolean = node.as_boolean()) {
    out.kind = Kind::boolean;
    out.boolean = boolean->get();
  } else {
    out.kind = Kind::other;
    out.text = "a date or a time";
  }
  return out;
}

Tree& child(Tree& table, const std::string& key, const Place& place) {
  const auto found = std::find(table.keys.begin(), table.keys.end(), key);
  if (found != table.keys.end()) return table.items[static_cast<std::size_t>(found - table.keys.begin())];
  table.keys.push_back(key);
  table.key_places.push_back(place);
  table.items.emplace_back().place = place;
  return table.items.back();
}

constexpr std::array<std::string_view, 6> kKeysOfOutputs = {"direction", "reference", "min", "max", "probability", "passed"};

// {"parameters", "learning.rate", "low"}: the name of a parameter or an output may hold dots, a section's and a key's may not.
// {"outputs", "learning.rate"}: an output may be one word.
std::vector<std::string> split(const std::string& key) {
  const std::size_t first = key.find('.');
  if (first == std::string::npos) return {key};
  const std::string section = key.substr(0, first), rest = key.substr(first + 1);
  const std::size_t last = rest.rfind('.');
  const std::string_view end = last == std::string::npos ? std::string_view() : std::string_view(rest).substr(last + 1);
  const bool of_output = std::find(kKeysOfOutputs.begin(), kKeysOfOutputs.end(), end) != kKeysOfOutputs.end();
  if (last == std::string::npos || (section != "parameters" && !(section == "outputs" && of_output))) return {section, rest};
  return {section, rest.substr(0, last), std::string(end)};
}

// cost = "minimize" is short for { direction = "minimize" }, and a key of it can be set all the same.
void open_up(Tree& output) {
  if (output.kind != Tree::Kind::text) return;
  Tree table;
  table.place = output.place;
  const bool passed = output.text == "passed";
  table.keys = {passed ? "passed" : "direction"};
  table.key_places = {output.place};
  table.items = {passed ? Tree::of(true) : output};
  table.items[0].place = output.place;
  output = std::move(table);
}

void set_place(Tree& node, const Place& place) {
  node.place = place;
  std::fill(node.key_places.begin(), node.key_places.end(), place);
  for (Tree& item : node.items) set_place(item, place);
}

}  // namespace

Tree parse_toml(std::string_view text, const std::string& path) {
  if (const std::size_t line = first_bad_utf8_line(text))
    throw InputError(fmt::format("{}:{}: expected text in UTF-8, got other bytes", path, line));
  if (has_private_letters(text)) throw InputError(fmt::format("{}: letters for private use (U+F0000 to U+FFFFF)", path));
  refuse_deep_keys(text, path);
  try {
    return convert(toml::parse(move_letters_up(text)));
  } catch (const toml::parse_error& error) {
    throw InputError(fmt::format("{}: {}", place_of(error.source()).shown(path), move_letters_back(error.description())));
  }
}

void set_file(Tree& node, const std::string& path) {
  node.place.file = path;
  for (Place& place : node.key_places) place.file = path;
  for (Tree& item : node.items) set_file(item, path);
}

void apply_override(Tree& root, const std::string& key, const std::string& value) {
  const Place place{0, 0, key + "=" + value};
  if (first_bad_utf8_line(place.set)) throw InputError("--set: expected text in UTF-8, got other bytes");
  Tree parsed;
  parsed.kind = Tree::Kind::text;
  parsed.text = value;
  try {
    const Tree document = parse_toml("value = " + value, "");
    if (document.items.size() == 1 && document.keys[0] == "value") parsed = document.items[0];
  } catch (const InputError&) {
    // Not TOML: 10m, uniform, a path. Taken as plain text.
  }
  set_place(parsed, place);
  Tree* node = &root;
  const std::vector<std::string> names = split(key);
  for (const std::string& name : names) {
    if (names.size() == 3 && names[0] == "outputs" && &name == &names[2]) open_up(*node);
    if (node->kind != Tree::Kind::table) return;  // the file's own mistake will be reported
    node = &child(*node, name, place);
  }
  if (parsed.kind != Tree::Kind::text && parsed.kind != Tree::Kind::array && parsed.kind != Tree::Kind::table)
    parsed.text = value;  // name=2024 means the text, where a text is wanted
  *node = std::move(parsed);
}

}  // namespace salvo
