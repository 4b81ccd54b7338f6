#pragma once
// Options between Python and C++: visitors of each_field (salvo/fields.h), so that an option is written there alone.
#include <salvo/fields.h>

#include <limits>
#include <optional>

#include "convert.h"

namespace salvo::python {

// What was given for an option. Errors say what it is called ("model.near_share"), what was expected and what came.
struct Given {
  std::string name;
  nb::object object;
  [[noreturn]] void wrong_type(const std::string& expected) const;   // TypeError
  [[noreturn]] void wrong_value(const std::string& expected) const;  // ValueError
  [[nodiscard]] bool is_text() const { return PyUnicode_Check(object.ptr()); }
  [[nodiscard]] std::string text(const std::string& expected) const;
  [[nodiscard]] std::string word(const std::vector<std::string>& words) const;  // one of them
  [[nodiscard]] double number(const std::string& expected) const;
  // A whole number of the rule that is not above `most`; `otherwise`: what could be in its place, for the error.
  [[nodiscard]] std::int64_t whole(Whole rule, std::int64_t most, const std::string& otherwise = "") const;
};

// A kind of option in Python: its type, how it is read and written, and the words it takes, if these are all it takes.
template <class Field, class Rule>
struct InPython;

struct WithoutWords {
  static std::vector<std::string> words() { return {}; }
};

template <>
struct InPython<std::string, Text> : WithoutWords {
  static constexpr const char* type = "str";
  static void read(const Given& given, std::string& field, const Text&) { field = given.text("a text"); }
  static nb::object write(const std::string& field, const Text&) { return nb::cast(field); }
};

template <Named Enum>
struct InPython<Enum, Word> {
  static constexpr const char* type = "str";
  static std::vector<std::string> words() {
    std::vector<std::string> out;
    for (const auto& [each, name] : Names<Enum>::list) out.emplace_back(name);
    return out;
  }
  static void read(const Given& given, Enum& field, const Word&) { field = parse<Enum>(given.word(words())); }
  static nb::object write(Enum field, const Word&) { return nb::cast(std::string(to_string(field))); }
};

template <Named Enum>
struct InPython<std::optional<Enum>, WordOrAuto> {
  static constexpr const char* type = "str";
  static std::vector<std::string> words() {
    auto out = InPython<Enum, Word>::words();
    out.insert(out.begin(), "auto");
    return out;
  }
  static void read(const Given& given, std::optional<Enum>& field, const WordOrAuto&) {
    const std::string word = given.word(words());
    field = word == "auto" ? std::nullopt : std::optional(parse<Enum>(word));
  }
  static nb::object write(const std::optional<Enum>& field, const WordOrAuto&) {
    return nb::cast(std::string(field ? to_string(*field) : std::string_view("auto")));
  }
};

template <class Number>
struct InPython<Number, Whole> : WithoutWords {
  static constexpr const char* type = "int";
  static void read(const Given& given, Number& field, const Whole& rule) {
    field = static_cast<Number>(given.whole(rule, std::numeric_limits<Number>::max()));
  }
  static nb::object write(Number field, const Whole&) { return nb::cast(field); }
};

template <>
struct InPython<int, Size> : WithoutWords {
  static constexpr const char* type = "int | str";
  static void read(const Given& given, int& field, const Size&) {
    if (!given.is_text())
      field = static_cast<int>(given.whole(Whole{1, kLargestSize}, kLargestSize, ", or \"auto\""));
    else if (given.text("") == "auto")
      field = 0;
    else
      given.wrong_value(Whole{1, kLargestSize}.expected() + ", or \"auto\"");
  }
  static nb::object write(int field, const Size&) { return field == 0 ? nb::cast("auto") : nb::cast(field); }
};

template <class Rule>
struct InPython<double, Rule> : WithoutWords {
  static constexpr const char* type = "float";
  static void read(const Given& given, double& field, const Rule& rule) {
    const double number = given.number(rule.expected());
    if (!rule.allows(number)) given.wrong_value(rule.expected());
    field = number;
  }
  static nb::object write(double field, const Rule&) { return nb::cast(field); }
};

template <>
struct InPython<std::optional<double>, NumberOr> : WithoutWords {  // None, whatever the word elsewhere
  static constexpr const char* type = "float | None";
  static void read(const Given& given, std::optional<double>& field, const NumberOr& rule) {
    const std::string expected = rule.real.expected() + " or None";
    std::optional<double> number;
    if (!given.object.is_none()) number = given.number(expected);
    if (number && !rule.real.allows(*number)) given.wrong_value(expected);
    field = number;
  }
  static nb::object write(const std::optional<double>& field, const NumberOr&) { return field ? nb::cast(*field) : nb::none(); }
};

template <class Which>
struct InPython<std::optional<double>, NumberOrRule<Which>> : WithoutWords {
  static constexpr const char* type = "float | str";
  static void read(const Given& given, std::optional<double>& field, const NumberOrRule<Which>& other) {
    const std::string expected = Real{0}.expected() + ", \"auto\" or \"theory\"";
    const std::string word = given.is_text() ? given.text(expected) : "";
    if (given.is_text() && word != "auto" && word != "theory") given.wrong_value(expected);
    std::optional<double> number;
    if (!given.is_text()) number = given.number(expected);
    if (number && !Real{0}.allows(*number)) given.wrong_value(expected);
    field = number;
    other.rule = word == "theory" ? AlphaRule::theory : AlphaRule::constant;
  }
  static nb::object write(const std::optional<double>& field, const NumberOrRule<Which>& other) {
    if (other.rule == AlphaRule::theory) return nb::cast("theory");
    return field ? nb::cast(*field) : nb::cast("auto");
  }
};

// Reads options from a dictionary; those that are not in it stay as they are.
class ReadFields {
 public:
  ReadFields(const Dict& from, std::string prefix) : from_(from), prefix_(std::move(prefix)) {}

  template <class Field, class Rule>
  void operator()(const char* key, Field& field, const Rule& rule, const Says&) {
    if (const auto given = find(key)) InPython<Field, Rule>::read(*given, field, rule);
  }
  std::optional<Given> find(const char* key);
  void refuse_others(const std::string& where) const;  // ValueError for a key that nobody looked for

 private:
  const Dict& from_;
  std::string prefix_;
  std::vector<std::string> known_;
};

class WriteFields {
 public:
  explicit WriteFields(Dict& into) : into_(into) {}

  template <class Field, class Rule>
  void operator()(const char* key, const Field& field, const Rule& rule, const Says&) const {
    into_[key] = InPython<Field, Rule>::write(field, rule);
  }

 private:
  Dict& into_;
};

// (key, type, default, what it is for, the words it takes, what is said of its type, what is said of its default), for the
// classes that Python makes of them.
class ListFields {
 public:
  explicit ListFields(List& into) : into_(into) {}

  template <class Field, class Rule>
  void operator()(const char* key, const Field& field, const Rule& rule, const Says& says) const {
    using Kind = InPython<Field, Rule>;
    const auto text = [](std::string_view view) { return nb::str(view.data(), view.size()); };
    into_.append(nb::make_tuple(key, Kind::type, Kind::write(field, rule), text(says.what), Kind::words(), text(says.type),
                                text(says.standard)));
  }

 private:
  List& into_;
};

}  // namespace salvo::python
