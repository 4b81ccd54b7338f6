#pragma once
#include <salvo/space.h>
#include <salvo/study.h>

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace salvo::app {

[[nodiscard]] std::string json_string(std::string_view text);  // quoted; bytes that are not UTF-8 are replaced
[[nodiscard]] std::string json_number(double value);           // null when not finite
[[nodiscard]] std::string json_list(const std::vector<std::string>& texts);
[[nodiscard]] std::string json_value(const Value& value);
[[nodiscard]] std::string json_params(const Params& params, const Space& space);

// One JSON object, written in the order given.
class JsonObject {
 public:
  JsonObject& add(std::string_view key, std::string_view text) { return raw(key, json_string(text)); }
  JsonObject& add(std::string_view key, const char* text) { return raw(key, json_string(text)); }
  JsonObject& add(std::string_view key, double value) { return raw(key, json_number(value)); }
  JsonObject& add(std::string_view key, bool value) { return raw(key, value ? "true" : "false"); }
  template <class T>
  requires std::is_integral_v<T> JsonObject& add(std::string_view key, T value) { return raw(key, std::to_string(value)); }
  template <class T>
  JsonObject& add(std::string_view key, const std::optional<T>& value) {
    return value ? add(key, *value) : raw(key, "null");
  }
  JsonObject& raw(std::string_view key, std::string_view json);
  [[nodiscard]] bool empty() const { return body_.empty(); }
  [[nodiscard]] std::string text() const { return "{" + body_ + "}"; }
  [[nodiscard]] std::string line() const { return text() + "\n"; }

 private:
  std::string body_;
};

}  // namespace salvo::app
