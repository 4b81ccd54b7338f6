#include "space/value.h"

#include <fmt/format.h>

#include <cmath>

#include "space/grid.h"
#include "space/scale.h"

namespace salvo {
namespace {

std::string list(const std::vector<Value>& choices) {
  constexpr std::size_t kMost = 8;
  std::string text;
  for (std::size_t i = 0; i < choices.size() && i < kMost; ++i) text += (i == 0 ? "" : ", ") + quoted(choices[i]);
  if (choices.size() > kMost) text += fmt::format(", … ({} in all)", choices.size());
  return text;
}

}  // namespace

std::string to_string(const Value& value) {
  if (const auto* b = std::get_if<bool>(&value)) return *b ? "true" : "false";
  if (const auto* i = std::get_if<std::int64_t>(&value)) return fmt::to_string(*i);
  if (const auto* s = std::get_if<std::string>(&value)) return *s;
  return shortest(std::get<double>(value));
}

std::optional<double> number(const Value& value) {
  if (const auto* i = std::get_if<std::int64_t>(&value)) return static_cast<double>(*i);
  if (const auto* d = std::get_if<double>(&value)) return *d;
  return std::nullopt;
}

bool same_value(const Value& a, const Value& b) {
  if (a == b) return true;
  if (a.index() == b.index()) return false;
  const auto x = number(a), y = number(b);
  return x && y && *x == *y;
}

std::string quoted(const Value& value) {
  return std::holds_alternative<std::string>(value) ? fmt::format("\"{}\"", std::get<std::string>(value)) : to_string(value);
}

std::string expectation(const Domain& domain) {
  struct Words {
    std::string operator()(const Float& d) const {
      return fmt::format("a number from {} to {}", to_string(Value(d.low)), to_string(Value(d.high)));
    }
    std::string operator()(const Int& d) const { return fmt::format("a whole number from {} to {}", d.low, d.high); }
    std::string operator()(const Categorical& d) const { return "one of " + list(d.choices); }
    std::string operator()(const Ordinal& d) const { return "one of " + list(d.choices); }
    std::string operator()(const Candidate&) const { return "the id of a candidate"; }
    std::string operator()(const Fixed& d) const { return "its fixed value " + quoted(d.value); }
  };
  return std::visit(Words{}, domain);
}

std::string grid_in_words(const Domain& domain) {
  if (const auto* d = std::get_if<Int>(&domain); d && d->step > 1) return fmt::format(" in steps of {}", d->step);
  const auto* d = std::get_if<Float>(&domain);
  if (!d || !d->on_grid()) return "";
  if (d->step != 0) return " in steps of " + shortest(d->step);
  return fmt::format(" with {} {}{}", d->digits, d->scale == Scale::log ? "significant digit" : "decimal",
                     d->digits == 1 ? "" : "s");
}

std::string offered(const Domain& domain) { return expectation(domain) + grid_in_words(domain); }

Value nearest_offered(const Domain& domain, const Value& value) {
  if (const auto* d = std::get_if<Float>(&domain); d && d->on_grid()) {
    const Grid grid(*d);
    return grid.value(grid.nearest(std::get<double>(value)));
  }
  if (const auto* d = std::get_if<Int>(&domain); d && d->step > 1) {
    const auto* whole = std::get_if<std::int64_t>(&value);
    const std::int64_t up = *whole - d->low, level = up / d->step + (2 * (up % d->step) >= d->step ? 1 : 0);
    return d->low + std::min(level, (d->high - d->low) / d->step) * d->step;
  }
  return value;
}

}  // namespace salvo
