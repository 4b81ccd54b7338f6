#include "study/section.h"

#include <fmt/format.h>
#include <salvo/error.h>
#include <salvo/words.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "space/text.h"
#include "space/value.h"

namespace salvo {
namespace {

using Kind = TomlNode::Kind;
constexpr std::size_t max_errors = 20;

// Seconds of "1h30m"; −1 when it is no duration.
double parse_duration(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, double>, 5> units = {
      {{"ms", 1e-3}, {"s", 1}, {"m", 60}, {"h", 3600}, {"d", 86400}}};
  double seconds = 0;
  if (text.empty()) return -1;
  while (!text.empty()) {
    const std::size_t digits = std::min(text.find_first_not_of("0123456789."), text.size());
    const auto amount = to_double(text.substr(0, digits));
    text.remove_prefix(digits);
    const auto unit = std::find_if(units.begin(), units.end(), [&](const auto& u) { return text.starts_with(u.first); });
    if (!amount || unit == units.end()) return -1;
    seconds += *amount * unit->second;
    text.remove_prefix(unit->first.size());
  }
  return seconds;
}

}  // namespace

void FileErrors::add(const TomlPlace& place, std::string_view key, const std::string& problem) {
  const std::size_t line = place.line > 0 ? place.line : std::numeric_limits<std::size_t>::max();  // no place: last
  const auto after =
      std::upper_bound(errors_.begin(), errors_.end(), line, [](std::size_t l, const auto& e) { return l < e.first; });
  errors_.emplace(after, line, fmt::format("{}: {}: {}", place.shown(path_), key, problem));
}

void FileErrors::raise() const {
  if (errors_.empty()) return;
  std::string text;
  for (std::size_t i = 0; i < errors_.size() && i < max_errors; ++i) text += (i == 0 ? "" : "\n") + errors_[i].second;
  if (errors_.size() > max_errors) text += fmt::format("\n{}: and {} more", path_, errors_.size() - max_errors);
  throw InputError(text);
}

Section::Section(const TomlNode* table, std::string path, FileErrors& errors)
    : node_(table), path_(std::move(path)), errors_(errors) {
  if (node_ && node_->kind != Kind::table) node_ = nullptr;
}

std::string Section::path_of(std::string_view key) const {
  return path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
}

void Section::wrong(std::string_view key, const std::string& problem) {
  const TomlNode* value = node_ ? node_->find(key) : nullptr;
  errors_.add(value ? value->place : place(), path_of(key), problem);
}

const TomlNode* Section::anything(std::string_view key) {
  known_.push_back(key);
  return node_ ? node_->find(key) : nullptr;
}

bool Section::text(std::string_view key, std::string& out) {
  const TomlNode* value = anything(key);
  if (!value) return false;
  const bool from_override = !value->place.set.empty() && !value->text.empty();
  if (value->kind != Kind::text && !from_override) return wrong(key, "expected a text in quotes, got " + value->words()), false;
  if (value->text.find('\0') != std::string::npos) return wrong(key, "a text may not hold a NUL character"), false;
  out = value->text;
  return true;
}

bool Section::boolean(std::string_view key, bool& out) {
  const TomlNode* value = anything(key);
  if (!value) return false;
  if (value->kind != Kind::boolean) return wrong(key, "expected true or false, got " + value->words()), false;
  out = value->boolean;
  return true;
}

bool Section::integer(std::string_view key, std::int64_t& out, std::int64_t low, std::int64_t high) {
  const TomlNode* value = anything(key);
  if (!value) return false;
  const auto whole = value->kind == Kind::integer ? value->integer
                     : value->kind == Kind::real  ? to_int64(value->real)
                                                  : std::nullopt;
  if (!whole || *whole < low || *whole > high) {
    constexpr auto lowest = std::numeric_limits<std::int64_t>::min(), highest = std::numeric_limits<std::int64_t>::max();
    const std::string expected = low == lowest     ? "a whole number"
                                 : high == highest ? fmt::format("a whole number, {} or more", low)
                                                   : fmt::format("a whole number from {} to {}", low, high);
    return wrong(key, fmt::format("expected {}, got {}", expected, value->words())), false;
  }
  out = *whole;
  return true;
}

bool Section::integer(std::string_view key, int& out, int low) {
  std::int64_t value = 0;
  if (!integer(key, value, low, std::numeric_limits<int>::max())) return false;
  out = static_cast<int>(value);
  return true;
}

bool Section::number(std::string_view key, double& out, const std::string& expected, const std::function<bool(double)>& allowed) {
  const TomlNode* value = anything(key);
  if (!value) return false;
  const bool is_number = value->kind == Kind::integer || value->kind == Kind::real;
  const double x = value->kind == Kind::integer ? static_cast<double>(value->integer) : value->real;
  if (!is_number || !std::isfinite(x) || !allowed(x))
    return wrong(key, fmt::format("expected {}, got {}", expected, value->words())), false;
  out = x;
  return true;
}

bool Section::real(std::string_view key, double& out, double low, bool low_included) {
  const std::string bound = std::isfinite(low) ? fmt::format(" {} {}", low_included ? "≥" : ">", to_string(Value(low))) : "";
  return number(key, out, "a finite number" + bound, [&](double x) { return x > low || (x == low && low_included); });
}

bool Section::share(std::string_view key, double& out, bool zero_included) {
  return number(key, out, zero_included ? "a number from 0 to 1" : "a number above 0 and at most 1",
                [&](double x) { return x <= 1 && (x > 0 || (x == 0 && zero_included)); });
}

bool Section::word(std::string_view key, std::string& out, std::span<const std::string_view> known) {
  std::string text_value;
  if (!text(key, text_value)) return false;
  if (std::find(known.begin(), known.end(), text_value) == known.end()) {
    const std::string_view near = nearest_word(text_value, known);
    const std::string meant = near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near);
    return wrong(key, fmt::format("expected {}, got \"{}\"{}", listed(known), shown(text_value), meant)), false;
  }
  out = text_value;
  return true;
}

bool Section::duration(std::string_view key, double& out) {
  const TomlNode* value = anything(key);
  if (!value) return false;
  double seconds = -1;
  if (value->kind == Kind::text) seconds = parse_duration(value->text);
  if (value->kind == Kind::integer) seconds = static_cast<double>(value->integer);
  if (value->kind == Kind::real) seconds = value->real;
  if (!(seconds >= 0 && seconds <= 1e9))
    return wrong(key, fmt::format("expected seconds or a duration like \"90s\", \"10m\" or \"1h30m\", got {}", value->words())),
           false;
  out = seconds;
  return true;
}

bool Section::list(std::string_view key, std::vector<TomlNode>& out) {
  const TomlNode* value = anything(key);
  if (!value) return false;
  if (value->kind != Kind::array) return wrong(key, "expected a list in [ ], got " + value->words()), false;
  out = value->items;
  return true;
}

const TomlNode* Section::table(std::string_view key) {
  const TomlNode* value = anything(key);
  if (value && value->kind != Kind::table) return wrong(key, "expected a table, got " + value->words()), nullptr;
  return value;
}

void Section::finish() {
  if (!node_) return;
  for (std::size_t i = 0; i < node_->keys.size(); ++i) {
    const std::string& key = node_->keys[i];
    if (std::find(known_.begin(), known_.end(), key) == known_.end())
      errors_.add(node_->key_places[i], path_of(shown(key)), "unknown key" + hint(key, known_));
  }
}

}  // namespace salvo
