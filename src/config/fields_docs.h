#pragma once
#include <string>

namespace salvo {

// The tables of options in docs/study-file.md, made from their fields.
[[nodiscard]] std::string model_table();
[[nodiscard]] std::string pool_model_table();

// The document with each table between <!-- fields: NAME --> and <!-- end --> replaced by what the fields say.
// Throws std::invalid_argument for a name that is none, or a mark without an end.
[[nodiscard]] std::string with_tables(const std::string& document);

}  // namespace salvo
