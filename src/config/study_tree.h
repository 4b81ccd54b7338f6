#pragma once
#include <salvo/study_file.h>

#include "text/toml.h"

namespace salvo {

// The study that a tree describes; `path` is the file that messages name and that relative paths start from.
// Throws InputError with everything that is wrong.
[[nodiscard]] StudyFile read_study_tree(const Tree& root, const std::string& path);

}  // namespace salvo
