#include "bench/tree.h"

#include <fmt/format.h>

#include <algorithm>

namespace salvo::benching {
namespace {

using Kind = Tree::Kind;

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<int>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

void flatten(const Tree& node, const std::string& path, std::vector<std::string>& lines) {
  if (node.kind != Kind::table) return lines.push_back(path + " = " + toml_text(node));
  for (std::size_t i = 0; i < node.keys.size(); ++i)
    flatten(node.items[i], path.empty() ? node.keys[i] : path + "." + node.keys[i], lines);
}

}  // namespace

void merge(Tree& into, const Tree& from) {
  if (into.kind != Kind::table || from.kind != Kind::table) {
    into = from;
    return;
  }
  for (std::size_t i = 0; i < from.keys.size(); ++i) {
    const auto found = std::find(into.keys.begin(), into.keys.end(), from.keys[i]);
    if (found != into.keys.end()) {
      into.key_places[static_cast<std::size_t>(found - into.keys.begin())] = from.key_places[i];
      merge(into.items[static_cast<std::size_t>(found - into.keys.begin())], from.items[i]);
    } else {
      into.keys.push_back(from.keys[i]);
      into.key_places.push_back(from.key_places[i]);
      into.items.push_back(from.items[i]);
    }
  }
}

std::string toml_text(const Tree& node) {
  switch (node.kind) {
    case Kind::boolean:
      return node.boolean ? "true" : "false";
    case Kind::integer:
      return fmt::to_string(node.integer);
    case Kind::real:
      return fmt::format("{}", node.real);
    case Kind::text:
      return quoted(node.text);
    case Kind::array:
    case Kind::table: {
      std::vector<std::string> parts;
      for (std::size_t i = 0; i < node.items.size(); ++i)
        parts.push_back((node.kind == Kind::table ? node.keys[i] + " = " : "") + toml_text(node.items[i]));
      return fmt::format("{}{}{}", node.kind == Kind::array ? "[" : "{", fmt::join(parts, ", "),
                         node.kind == Kind::array ? "]" : "}");
    }
    case Kind::other:
      break;
  }
  return node.text;
}

std::string flat_text(const Tree& root, const std::vector<std::string_view>& without) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < root.keys.size(); ++i)
    if (std::find(without.begin(), without.end(), root.keys[i]) == without.end()) flatten(root.items[i], root.keys[i], lines);
  std::sort(lines.begin(), lines.end());
  return fmt::format("{}", fmt::join(lines, "\n"));
}

Tree text_node(std::string text) {
  Tree node;
  node.kind = Kind::text;
  node.text = std::move(text);
  return node;
}

Tree& entry(Tree& table, const std::string& key) {
  const auto found = std::find(table.keys.begin(), table.keys.end(), key);
  if (found != table.keys.end()) return table.items[static_cast<std::size_t>(found - table.keys.begin())];
  table.keys.push_back(key);
  table.key_places.emplace_back();
  return table.items.emplace_back();
}

}  // namespace salvo::benching
