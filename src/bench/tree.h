#pragma once
#include <string>

#include "study/toml_tree.h"

namespace salvo::benching {

// Tables are merged key by key, anything else is replaced.
void merge(TomlNode& into, const TomlNode& from);

// The value as TOML again: 250, "kmeans", [1, 2].
[[nodiscard]] std::string toml_text(const TomlNode& node);

// Every value as "model.num_inducing = 250", one line each, by key; without those under the keys given.
[[nodiscard]] std::string flat_text(const TomlNode& root, const std::vector<std::string_view>& without);

[[nodiscard]] TomlNode text_node(std::string text);
[[nodiscard]] TomlNode& entry(TomlNode& table, const std::string& key);  // made when it is not there

}  // namespace salvo::benching
