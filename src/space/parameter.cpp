#include <fmt/format.h>
#include <salvo/space.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <stdexcept>

#include "space/grid.h"
#include "space/letters.h"
#include "space/scale.h"
#include "space/value.h"
#include "text/text.h"

namespace salvo {
namespace {

// The columns of `salvo export` and `salvo tell` that are no parameters.
constexpr std::array<std::string_view, 10> kReserved = {"trial",  "id",       "value",   "state", "error",
                                                        "origin", "asked_at", "told_at", "owner", "params"};
constexpr std::size_t kMaxName = 128;
constexpr std::size_t kMaxCategories = 1000, kMaxDescribed = 100'000, kMaxNumbers = 64;

[[noreturn]] void fail(const std::string& name, const std::string& problem) {
  throw std::invalid_argument(fmt::format("parameter \"{}\": {}", name, problem));
}

bool is_name_char(char c) { return is_letter(c) || is_digit(c) || c == '.' || c == '-'; }

void check_name(const std::string& name) {
  if (name.empty()) throw std::invalid_argument("parameter with an empty name: give it one");
  if (name.size() > kMaxName)
    fail(name.substr(0, 20) + "…", fmt::format("the name has {} characters, expected at most {}", name.size(), kMaxName));
  if (!is_letter(name[0]) || !std::all_of(name.begin(), name.end(), is_name_char))
    fail(name, "a name is made of letters, digits, '_', '.' and '-', and begins with a letter or '_'");
  if (std::find(kReserved.begin(), kReserved.end(), name) != kReserved.end())
    fail(name, "this name is a column of the results; choose another");
}

void check_value(const std::string& name, const Value& value) {
  const auto* real = std::get_if<double>(&value);
  if (real && !std::isfinite(*real)) fail(name, fmt::format("expected finite numbers, got {}", to_string(value)));
  const auto* text = std::get_if<std::string>(&value);
  if (text && text->find('\0') != std::string::npos) fail(name, "a text may not hold a NUL byte");
  if (text && first_bad_utf8_line(*text) != 0) fail(name, "expected text in UTF-8, got other bytes");
}

void check_choices(const std::string& name, const std::vector<Value>& choices) {
  if (choices.size() < 2)
    fail(name, fmt::format("expected at least 2 choices, got {} (a fixed value: value = …)", choices.size()));
  std::set<std::string> texts;
  std::set<double> numbers;
  for (const Value& choice : choices) {
    check_value(name, choice);
    // Distinct as text, because that is all a command line or a CSV cell can say; 1e3 and 1000 are one number.
    const auto x = number(choice);
    if (!texts.insert(to_string(choice)).second || (x && !numbers.insert(*x).second))
      fail(name, fmt::format("the choice {} is there twice", quoted(choice)));
  }
}

struct DomainCheck {
  const std::string& name;

  void operator()(const Float& d) const {
    if (!std::isfinite(d.low) || !std::isfinite(d.high))
      fail(name, fmt::format("expected finite bounds, got low = {}, high = {}", d.low, d.high));
    if (!(d.low < d.high)) fail(name, fmt::format("expected low < high, got low = {}, high = {}", d.low, d.high));
    if (d.scale == Scale::log && d.low < std::numeric_limits<double>::min())
      fail(name, fmt::format("a log scale needs low > 0, got low = {}", d.low));
    if (d.on_grid()) check_grid(d);
  }
  void check_grid(const Float& d) const {
    if (d.step != 0 && d.digits != 0) fail(name, "has a step and digits; keep one");
    if (d.step != 0 && !(std::isfinite(d.step) && d.step > 0))
      fail(name, fmt::format("expected a step above 0, got step = {}", d.step));
    if (d.digits < 0 || d.digits > kMostDigits)
      fail(name, fmt::format("expected digits from 1 to {}, got digits = {}", kMostDigits, d.digits));
    const double steps = d.digits == 0           ? d.high / d.step - d.low / d.step
                         : d.scale == Scale::log ? std::log10(d.high / d.low) * std::pow(10.0, d.digits)
                                                 : std::max(std::abs(d.low), std::abs(d.high)) * std::pow(10.0, d.digits);
    if (!(steps < kMostLevels))
      fail(name, fmt::format("{} make more than {} numbers of it; leave them out", d.step != 0 ? "such steps" : "so many digits",
                             kMostLevels));
    if (Grid(d).num_levels() < 2)
      fail(name, fmt::format("expected at least two numbers{} from low to high, got low = {}, high = {}", grid_in_words(d), d.low,
                             d.high));
  }
  void operator()(const Int& d) const {
    if (d.low >= d.high) fail(name, fmt::format("expected low < high, got low = {}, high = {}", d.low, d.high));
    if (d.scale == Scale::log && d.low < 1) fail(name, fmt::format("a log scale needs low ≥ 1, got low = {}", d.low));
    if (d.scale == Scale::log && d.high > kMaxLogInt)
      fail(name, fmt::format("an integer on a log scale reaches {} at most, got high = {}; use a float", kMaxLogInt, d.high));
    if (static_cast<std::uint64_t>(d.high) - static_cast<std::uint64_t>(d.low) > std::uint64_t{kMaxIntSpan})
      fail(name, fmt::format("high − low may be {} at most, got low = {}, high = {}; use a float", kMaxIntSpan, d.low, d.high));
    if (d.step < 1) fail(name, fmt::format("expected a step of 1 or more, got step = {}", d.step));
    if (d.step > d.high - d.low)
      fail(name, fmt::format("expected a step of high − low = {} at most, got step = {}", d.high - d.low, d.step));
  }
  void operator()(const Categorical& d) const {
    check_choices(name, d.choices);
    if (d.described()) check_numbers(d);
    const std::size_t most = d.described() ? kMaxDescribed : kMaxCategories;
    if (d.choices.size() > most)
      fail(name, fmt::format("expected at most {} choices {}, got {}", most,
                             d.described() ? "with numbers" : "without order, of which nothing is known", d.choices.size()));
  }
  void check_numbers(const Categorical& d) const {
    if (d.numbers.size() != d.choices.size())
      fail(name, fmt::format("expected numbers for each of {} choices, got {}", d.choices.size(), d.numbers.size()));
    std::map<std::vector<double>, std::size_t> seen;
    for (std::size_t i = 0; i < d.numbers.size(); ++i) {
      const std::vector<double>& row = d.numbers[i];
      if (row.empty() || row.size() > kMaxNumbers || row.size() != d.numbers[0].size())
        fail(name, fmt::format("the choice {} has {} numbers, expected {}", quoted(d.choices[i]), row.size(),
                               d.numbers[0].empty() || d.numbers[0].size() > kMaxNumbers ? fmt::format("1 to {}", kMaxNumbers)
                                                                                         : fmt::to_string(d.numbers[0].size())));
      if (!std::all_of(row.begin(), row.end(), [](double x) { return std::isfinite(x); }))
        fail(name, fmt::format("the choice {}: expected finite numbers", quoted(d.choices[i])));
      const auto [other, is_new] = seen.emplace(row, i);
      if (!is_new)
        fail(name, fmt::format("the choices {} and {} have the same numbers; they would be one", quoted(d.choices[other->second]),
                               quoted(d.choices[i])));
    }
    check_apart(d);
  }
  // Beside 1e300, 1 and 2 are one.
  void check_apart(const Categorical& d) const {
    std::vector<double> low = d.numbers[0], high = low;
    for (const std::vector<double>& row : d.numbers)
      for (std::size_t e = 0; e < row.size(); ++e) {
        low[e] = std::min(low[e], row[e]);
        high[e] = std::max(high[e], row[e]);
      }
    std::map<std::vector<double>, std::size_t> seen;
    for (std::size_t i = 0; i < d.numbers.size(); ++i) {
      std::vector<double> place = d.numbers[i];
      for (std::size_t e = 0; e < place.size(); ++e)
        place[e] = high[e] > low[e] ? std::nearbyint((place[e] / 2 - low[e] / 2) / (high[e] / 2 - low[e] / 2) * 0x1p40) : 0;
      const auto [other, is_new] = seen.emplace(std::move(place), i);
      if (!is_new)
        fail(name, fmt::format("the numbers of {} and {} are too close to tell beside those of the other choices; give their "
                               "logarithms, or leave numbers out",
                               quoted(d.choices[other->second]), quoted(d.choices[i])));
    }
  }
  void operator()(const Ordinal& d) const { check_choices(name, d.choices); }
  void operator()(const Fixed& d) const { check_value(name, d.value); }
  void operator()(const Candidate& d) const {
    if (d.count < 1) fail(name, fmt::format("expected a pool with candidates, got {}", d.count));
  }
};

}  // namespace

std::span<const std::string_view> reserved_names() { return kReserved; }

void Parameter::validate() const {
  check_name(name);
  std::visit(DomainCheck{name}, domain);
}

}  // namespace salvo
