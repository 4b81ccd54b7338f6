#include "text/json.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace salvo {
namespace {

using Json = nlohmann::ordered_json;  // keeps the order of keys

Tree tree_of(const Json& json) {
  if (json.is_boolean()) return Tree::of(json.get<bool>());
  if (json.is_number_unsigned() && json.get<std::uint64_t>() > std::numeric_limits<std::int64_t>::max())
    return Tree::of(json.get<double>());
  if (json.is_number_integer()) return Tree::of(json.get<std::int64_t>());
  if (json.is_number()) return Tree::of(json.get<double>());
  if (json.is_string()) return Tree::of(std::string_view(json.get_ref<const std::string&>()));
  Tree out{.kind = Tree::Kind::other};
  out.text = "null";
  if (json.is_array()) {
    out = Tree::list();
    for (const Json& item : json) out.items.push_back(tree_of(item));
  } else if (json.is_object()) {
    out = {};
    for (const auto& item : json.items()) out.add(item.key(), tree_of(item.value()));
  }
  return out;
}

Json json_of(const Tree& tree) {
  switch (tree.kind) {
    case Tree::Kind::boolean:
      return tree.boolean;
    case Tree::Kind::integer:
      return tree.integer;
    case Tree::Kind::real:
      if (!std::isfinite(tree.real)) throw std::invalid_argument("expected finite numbers, got NaN or infinity");
      return tree.real;
    case Tree::Kind::text:
      return tree.text;
    case Tree::Kind::array: {
      Json out = Json::array();
      for (const Tree& item : tree.items) out.push_back(json_of(item));
      return out;
    }
    case Tree::Kind::table: {
      Json out = Json::object();
      for (std::size_t i = 0; i < tree.items.size(); ++i) out[tree.keys[i]] = json_of(tree.items[i]);
      return out;
    }
    case Tree::Kind::other:
      break;
  }
  return nullptr;
}

}  // namespace

Tree parse_json(std::string_view text) try { return tree_of(Json::parse(text)); } catch (const Json::exception& error) {
  throw std::invalid_argument(fmt::format("{} in {}", error.what(), text.substr(0, 200)));
}

std::string to_json(const Tree& tree) try { return json_of(tree).dump(); } catch (const Json::exception&) {
  throw std::invalid_argument("expected text in UTF-8, got other bytes in a name or a choice");
}

}  // namespace salvo
