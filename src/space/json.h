#pragma once
#include <salvo/space.h>

#include <map>
#include <string>
#include <string_view>

// What the database keeps as JSON text: readable with any SQLite tool, and read back as exactly the same values.
// Readers throw std::invalid_argument with what is wrong; writers throw it for text that is not UTF-8.
namespace salvo {

[[nodiscard]] std::string params_to_json(const Space& space, const Params& params);  // {"rate":0.1,"catalyst":"Pd"}
[[nodiscard]] Params params_from_json(const Space& space, std::string_view text);

// Values by name, whatever the space is.
[[nodiscard]] std::string named_to_json(const std::map<std::string, Value>& values);
[[nodiscard]] std::map<std::string, Value> named_from_json(std::string_view text);
// The same text with these values, in the place of others of the same names.
[[nodiscard]] std::string with_values(std::string_view text, const std::map<std::string, Value>& values);

[[nodiscard]] std::string parameter_to_json(const Parameter& parameter);
[[nodiscard]] std::string space_to_json(const Space& space);
[[nodiscard]] Space space_from_json(std::string_view text);

}  // namespace salvo
