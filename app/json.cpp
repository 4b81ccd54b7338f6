#include "json.h"

#include <fmt/core.h>

#include <cmath>

#include "text.h"

namespace salvo::app {

std::string json_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : clean_utf8(text)) {
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          out += fmt::format("\\u{:04x}", static_cast<int>(c));
        } else {
          out += c;
        }
    }
  }
  return out + '"';
}

std::string json_number(double value) { return std::isfinite(value) ? fmt::format("{}", value) : "null"; }

std::string json_list(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts) list += fmt::format("{}{}", list.empty() ? "" : ",", json_string(text));
  return fmt::format("[{}]", list);
}

std::string json_value(const Value& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
  if (const auto* number = std::get_if<double>(&value)) return json_number(*number);
  return json_string(std::get<std::string>(value));
}

std::string json_params(const Params& params, const Space& space) {
  JsonObject object;
  for (std::size_t i = 0; i < params.size(); ++i) object.raw(space.parameters()[i].name, json_value(params[i]));
  return object.text();
}

JsonObject& JsonObject::raw(std::string_view key, std::string_view json) {
  if (!body_.empty()) body_ += ',';
  body_ += json_string(key);
  body_ += ':';
  body_ += json;
  return *this;
}

}  // namespace salvo::app
