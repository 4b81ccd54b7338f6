#pragma once
#include <string>
#include <string_view>

#include "text/tree.h"

namespace salvo {

// Throws InputError with the place of the first mistake.
[[nodiscard]] Tree parse_toml(std::string_view text, const std::string& path);

// Marks all of a tree as coming from `path`, for trees that are merged into another file's.
void set_file(Tree& node, const std::string& path);

// Puts "model.num_inducing" = "250" into the tree. The value is read as TOML where it is TOML, else as plain text.
void apply_override(Tree& root, const std::string& key, const std::string& value);

}  // namespace salvo
