#pragma once
#include <salvo/fields.h>

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/section.h"

// Fields in a tree: visitors of each_field.
namespace salvo {

// Writes every field as a study file would say it.
class WriteFields {
 public:
  explicit WriteFields(Tree& table) : table_(table) {}

  template <class Rule>
  void operator()(std::string_view key, const std::string& value, const Rule&, const Says&) const {
    table_.add(key, Tree::of(value));
  }
  void operator()(std::string_view key, const CommandLine& value, const Text&, const Says&) const {
    if (value.words.empty()) {
      table_.add(key, Tree::of(value.line));
      return;
    }
    Tree& list = table_.add(key, Tree::list());
    for (const std::string& word : value.words) list.items.push_back(Tree::of(word));
  }
  void operator()(std::string_view key, const std::vector<int>& value, const ExitCodes&, const Says&) const {
    Tree& list = table_.add(key, Tree::list());
    for (const int each : value) list.items.push_back(Tree::of(std::int64_t{each}));
  }
  template <Named Enum>
  void operator()(std::string_view key, const Enum& value, const Word&, const Says&) const {
    table_.add(key, Tree::of(to_string(value)));
  }
  template <Named Enum>
  void operator()(std::string_view key, const std::optional<Enum>& value, const WordOrAuto&, const Says&) const {
    table_.add(key, Tree::of(value ? to_string(*value) : std::string_view("auto")));
  }
  template <std::integral Number>
  void operator()(std::string_view key, const Number& value, const Whole&, const Says&) const {
    table_.add(key, Tree::of(static_cast<std::int64_t>(value)));
  }
  void operator()(std::string_view key, const int& value, const Size&, const Says&) const {
    table_.add(key, value == 0 ? Tree::of(std::string_view("auto")) : Tree::of(std::int64_t{value}));
  }
  template <class Rule>
  void operator()(std::string_view key, const double& value, const Rule&, const Says&) const {
    table_.add(key, Tree::of(value));
  }
  void operator()(std::string_view key, const std::optional<double>& value, const NumberOr& rule, const Says&) const {
    if (value || !rule.none.empty()) table_.add(key, value ? Tree::of(*value) : Tree::of(rule.none));
  }
  template <class Which>
  void operator()(std::string_view key, const std::optional<double>& value, const NumberOrRule<Which>& other, const Says&) const {
    if (other.rule != AlphaRule::constant)
      table_.add(key, Tree::of(to_string(other.rule)));
    else
      table_.add(key, value ? Tree::of(*value) : Tree::of(std::string_view("auto")));
  }

 private:
  Tree& table_;
};

// Reads every field from a section; a key that is not there keeps its value, what is wrong is noted in the errors.
class ReadFields {
 public:
  explicit ReadFields(Section& section) : section_(section) {}

  void operator()(std::string_view key, std::string& value, const Text&, const Says&) const { section_.text(key, value); }
  void operator()(std::string_view key, CommandLine& value, const Text&, const Says&) const {
    const Tree* there = section_.anything(key);
    if (there && there->kind == Tree::Kind::array) {
      if (std::vector<std::string> words; section_.texts(key, words)) value = CommandLine(std::move(words));
    } else if (std::string line; section_.text(key, line)) {
      value = CommandLine(std::move(line));
    }
  }
  void operator()(std::string_view key, std::vector<int>& value, const ExitCodes&, const Says&) const {
    section_.exit_codes(key, value);
  }
  template <Named Enum>
  void operator()(std::string_view key, Enum& value, const Word&, const Says&) const {
    section_.choice(key, value);
  }
  template <Named Enum>
  void operator()(std::string_view key, std::optional<Enum>& value, const WordOrAuto&, const Says&) const {
    std::vector<std::string_view> words{"auto"};
    for (const auto& [each, name] : Names<Enum>::list) words.push_back(name);
    if (std::string word; section_.word(key, word, words))
      value = word == "auto" ? std::nullopt : std::optional(parse<Enum>(word));
  }
  template <std::integral Number>
  void operator()(std::string_view key, Number& value, Whole rule, const Says&) const {
    rule.high = std::min<std::int64_t>(rule.high, std::numeric_limits<Number>::max());
    std::int64_t whole = value;
    if (section_.integer(key, whole, rule)) value = static_cast<Number>(whole);
  }
  void operator()(std::string_view key, int& value, const Size&, const Says&) const {
    const Tree* there = section_.anything(key);
    if (is_word(there, "auto"))
      value = 0;
    else if (there && there->kind == Tree::Kind::text)
      section_.wrong(key, "expected a whole number, 1 or more, or \"auto\", got " + there->words());
    else
      (*this)(key, value, Whole{}, {});
  }
  template <class Rule>
  void operator()(std::string_view key, double& value, const Rule& rule, const Says&) const {
    section_.number(key, value, rule);
  }
  void operator()(std::string_view key, double& value, const Duration&, const Says&) const { section_.duration(key, value); }
  void operator()(std::string_view key, std::optional<double>& value, const NumberOr& rule, const Says&) const {
    read_number_or(key, value, rule.real, rule.none, {});
  }
  void operator()(std::string_view key, std::optional<double>& value, const NumberOrRule<AlphaRule>& other, const Says&) const {
    if (!section_.anything(key)) return;
    other.rule = is_word(section_.anything(key), "theory") ? AlphaRule::theory : AlphaRule::constant;
    read_number_or(key, value, Real{0}, "auto", "theory");
  }

 private:
  struct OrWords {  // a rule whose wording names the words that may stand instead
    const Real& real;
    const std::string& words;
    [[nodiscard]] bool allows(double number) const { return real.allows(number); }
    [[nodiscard]] const std::string& expected() const { return words; }
  };
  static bool is_word(const Tree* value, std::string_view word) {
    return value && value->kind == Tree::Kind::text && value->text == word && !word.empty();
  }
  void read_number_or(std::string_view key, std::optional<double>& value, const Real& real, std::string_view none,
                      std::string_view other) const {
    const Tree* there = section_.anything(key);
    if (!there) return;
    if (is_word(there, none) || is_word(there, other)) return value.reset();
    std::string expected = real.expected();
    if (!other.empty())
      expected += ", \"" + std::string(none) + "\" or \"" + std::string(other) + "\"";
    else if (!none.empty())
      expected += " or \"" + std::string(none) + "\"";
    if (double number = 0; section_.number(key, number, OrWords{real, expected})) value = number;
  }
  Section& section_;
};

}  // namespace salvo
