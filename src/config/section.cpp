#include "config/section.h"

#include <fmt/format.h>
#include <salvo/error.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "space/value.h"
#include "text/numbers.h"
#include "text/text.h"
#include "text/words.h"

namespace salvo {
namespace {

using Kind = Tree::Kind;
constexpr std::size_t kMaxErrors = 20;

}  // namespace

void FileErrors::add(const Place& place, std::string_view key, const std::string& problem) {
  const std::size_t line = place.line > 0 ? place.line : std::numeric_limits<std::size_t>::max();  // no place: last
  const auto after =
      std::upper_bound(errors_.begin(), errors_.end(), line, [](std::size_t l, const auto& e) { return l < e.first; });
  errors_.emplace(after, line, fmt::format("{}: {}: {}", place.shown(path_), key, problem));
}

void FileErrors::raise() const {
  if (errors_.empty()) return;
  std::string text;
  for (std::size_t i = 0; i < errors_.size() && i < kMaxErrors; ++i) text += (i == 0 ? "" : "\n") + errors_[i].second;
  if (errors_.size() > kMaxErrors) text += fmt::format("\n{}: and {} more", path_, errors_.size() - kMaxErrors);
  throw InputError(text);
}

Section::Section(const Tree* table, std::string path, FileErrors& errors)
    : node_(table), path_(std::move(path)), errors_(errors) {
  if (node_ && node_->kind != Kind::table) node_ = nullptr;
}

std::string Section::path_of(std::string_view key) const {
  return path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
}

void Section::wrong(std::string_view key, const std::string& problem) {
  const Tree* value = node_ ? node_->find(key) : nullptr;
  errors_.add(value ? value->place : place(), path_of(key), problem);
}

const Tree* Section::anything(std::string_view key) {
  if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.push_back(key);  // read in two forms, named once
  return node_ ? node_->find(key) : nullptr;
}

bool Section::refuse(std::string_view key, const std::string& expected, const Tree& got) {
  wrong(key, fmt::format("expected {}, got {}", expected, got.words()));
  return false;
}

bool Section::text(std::string_view key, std::string& out) {
  const Tree* value = anything(key);
  if (!value) return false;
  const bool from_override = !value->place.set.empty() && !value->text.empty();
  if (value->kind != Kind::text && !from_override) return refuse(key, "a text in quotes", *value);
  if (value->text.find('\0') != std::string::npos) return refuse(key, "a text without NUL characters", *value);
  out = value->text;
  return true;
}

bool Section::boolean(std::string_view key, bool& out) {
  const Tree* value = anything(key);
  if (!value) return false;
  if (value->kind != Kind::boolean) return refuse(key, "true or false", *value);
  out = value->boolean;
  return true;
}

bool Section::integer(std::string_view key, std::int64_t& out, const Whole& rule) {
  const Tree* value = anything(key);
  if (!value) return false;
  const auto whole = value->kind == Kind::integer ? value->integer
                     : value->kind == Kind::real  ? to_int64(value->real)
                                                  : std::nullopt;
  if (!whole || !rule.allows(*whole)) return refuse(key, rule.expected(), *value);
  out = *whole;
  return true;
}

bool Section::number(std::string_view key, double& out, const std::string& expected, const std::function<bool(double)>& allowed) {
  const Tree* value = anything(key);
  if (!value) return false;
  const bool is_number = value->kind == Kind::integer || value->kind == Kind::real;
  const double x = value->kind == Kind::integer ? static_cast<double>(value->integer) : value->real;
  if (!is_number || !std::isfinite(x) || !allowed(x)) return refuse(key, expected, *value);
  out = x;
  return true;
}

bool Section::word(std::string_view key, std::string& out, std::span<const std::string_view> known) {
  std::string text_value;
  if (!text(key, text_value)) return false;
  if (std::find(known.begin(), known.end(), text_value) == known.end()) {
    const std::string_view near = nearest_word(text_value, known);
    const std::string meant = near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near);
    wrong(key, fmt::format("expected {}, got \"{}\"{}", listed(known), shown(text_value), meant));
    return false;
  }
  out = text_value;
  return true;
}

bool Section::duration(std::string_view key, double& out) {
  const Tree* value = anything(key);
  if (!value) return false;
  double seconds = -1;
  if (value->kind == Kind::text) seconds = to_seconds(value->text).value_or(-1);
  if (value->kind == Kind::integer) seconds = static_cast<double>(value->integer);
  if (value->kind == Kind::real) seconds = value->real;
  if (!Duration::allows(seconds)) return refuse(key, Duration::expected(), *value);
  out = seconds;
  return true;
}

bool Section::list(std::string_view key, std::vector<Tree>& out) {
  const Tree* value = anything(key);
  if (!value) return false;
  if (value->kind != Kind::array) return refuse(key, "a list in [ ]", *value);
  out = value->items;
  return true;
}

bool Section::texts(std::string_view key, std::vector<std::string>& out) {
  std::vector<Tree> items;
  if (!list(key, items)) return false;
  std::vector<std::string> texts;
  for (const Tree& item : items) {
    if (item.kind != Kind::text) return refuse(key, "a list of texts in quotes", item);
    if (item.text.find('\0') != std::string::npos) return refuse(key, "texts without NUL characters", item);
    texts.push_back(item.text);
  }
  if (texts.empty()) {
    wrong(key, "expected a list of at least one text, got an empty one");
    return false;
  }
  out = std::move(texts);
  return true;
}

bool Section::exit_codes(std::string_view key, std::vector<int>& out) {
  const Tree* value = anything(key);
  if (!value) return false;
  if (value->kind != Kind::array) return refuse(key, ExitCodes::expected(), *value);
  std::vector<int> codes;
  for (const Tree& item : value->items) {
    const bool small = item.kind == Kind::integer && item.integer > 0 && item.integer < 1000;
    if (!small || !ExitCodes::allows({static_cast<int>(item.integer)})) return refuse(key, ExitCodes::expected(), item);
    codes.push_back(static_cast<int>(item.integer));
  }
  out = std::move(codes);
  return true;
}

const Tree* Section::table(std::string_view key) {
  const Tree* value = anything(key);
  if (!value || value->kind == Kind::table) return value;
  (void)refuse(key, "a table", *value);
  return nullptr;
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
