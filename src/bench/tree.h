#pragma once
#include <string>

#include "text/toml.h"

namespace salvo::benching {

// Tables are merged key by key, anything else is replaced.
void merge(Tree& into, const Tree& from);

// The value as TOML again: 250, "kmeans", [1, 2].
[[nodiscard]] std::string toml_text(const Tree& node);

// Every value as "model.num_inducing = 250", one line each, by key; without those under the keys given.
[[nodiscard]] std::string flat_text(const Tree& root, const std::vector<std::string_view>& without);

[[nodiscard]] Tree text_node(std::string text);
[[nodiscard]] Tree& entry(Tree& table, const std::string& key);  // made when it is not there

}  // namespace salvo::benching
