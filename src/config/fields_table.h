#pragma once
#include <fmt/format.h>
#include <salvo/fields.h>

#include <string>
#include <vector>

#include "config/fields_tree.h"

// Fields as a table of the documents: another visitor of each_field.
namespace salvo {

template <Named Enum>
std::string words_of() {
  std::string out;
  for (const auto& [each, name] : Names<Enum>::list) out += fmt::format("{}`\"{}\"`", out.empty() ? "" : ", ", name);
  return out;
}

// The cell that says what a field may be.
struct TypeCell {
  std::string operator()(const auto&, const auto& rule) const { return rule.type(); }
  std::string operator()(const std::string&, const Text&) const { return "text"; }
  std::string operator()(const CommandLine&, const Text&) const { return "list of texts, or text"; }
  template <Named Enum>
  std::string operator()(const Enum&, const Word&) const {
    return words_of<Enum>();
  }
  template <Named Enum>
  std::string operator()(const std::optional<Enum>&, const WordOrAuto&) const {
    return "`\"auto\"`, " + words_of<Enum>();
  }
  std::string operator()(const std::optional<double>&, const NumberOr& rule) const {
    return rule.real.type() + (rule.none.empty() ? "" : fmt::format(" or `\"{}\"`", rule.none));
  }
  template <class Which>
  std::string operator()(const std::optional<double>&, const NumberOrRule<Which>&) const {
    return "number ≥ 0, `\"auto\"` or `\"theory\"`";
  }
};

inline std::string value_cell(const Tree& value) {
  if (value.kind == Tree::Kind::text) return fmt::format("`\"{}\"`", value.text);
  return fmt::format("`{}`", value.words());
}

// Each field as the documents have it, its default as a study file would say it; keys without their section.
template <class Options>
[[nodiscard]] std::vector<KeyDoc> field_docs() {
  const Options defaults;
  std::vector<KeyDoc> out;
  each_field(defaults, [&](std::string_view key, const auto& value, const auto& rule, const Says& says) {
    Tree written;
    WriteFields{written}(key, value, rule, says);
    out.push_back({.key = std::string(key),
                   .type = says.type.empty() ? TypeCell{}(value, rule) : std::string(says.type),
                   .standard = says.standard.empty() ? value_cell(written.at(key)) : std::string(says.standard),
                   .what = std::string(says.what)});
  });
  return out;
}

inline std::string docs_table(const std::vector<KeyDoc>& rows) {
  std::string out = "| key | type | default | what it is |\n|---|---|---|---|\n";
  for (const KeyDoc& row : rows) out += fmt::format("| `{}` | {} | {} | {} |\n", row.key, row.type, row.standard, row.what);
  return out;
}

template <class Options>
[[nodiscard]] std::string fields_table() {
  return docs_table(field_docs<Options>());
}

}  // namespace salvo
