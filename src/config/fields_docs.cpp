#include "config/fields_docs.h"

#include <fmt/format.h>
#include <salvo/fields.h>

#include <stdexcept>

#include "config/fields_tree.h"
#include "text/numbers.h"

namespace salvo {
namespace {

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

std::string value_cell(const Tree& value) {
  if (value.kind == Tree::Kind::text) return fmt::format("`\"{}\"`", value.text);
  return fmt::format("`{}`", value.words());
}

// A row for each field, its default as a study file would say it.
template <class Options>
std::string table() {
  const Options defaults;
  std::string out = "| key | type | default | what it is |\n|---|---|---|---|\n";
  each_field(defaults, [&](std::string_view key, const auto& value, const auto& rule, const Says& says) {
    Tree written;
    WriteFields{written}(key, value, rule, says);
    const std::string type = says.type.empty() ? TypeCell{}(value, rule) : std::string(says.type);
    const std::string standard = says.standard.empty() ? value_cell(written.at(key)) : std::string(says.standard);
    out += fmt::format("| `{}` | {} | {} | {} |\n", key, type, standard, says.what);
  });
  return out;
}

std::string table_of(std::string_view name) {
  if (name == "model") return model_table();
  if (name == "pool model") return pool_model_table();
  if (name == "objective") return objective_table();
  if (name == "budget") return budget_table();
  throw std::invalid_argument(fmt::format("fields: expected model, pool model, objective or budget, got \"{}\"", name));
}

}  // namespace

std::string model_table() { return table<ModelOptions>(); }
std::string pool_model_table() { return table<PoolModelOptions>(); }
std::string objective_table() { return table<ObjectiveOptions>(); }
std::string budget_table() { return table<Budget>(); }

std::string with_tables(const std::string& document) {
  constexpr std::string_view kBegin = "<!-- fields: ", kClose = " -->\n", kEnd = "<!-- end -->";
  std::string out;
  std::size_t from = 0;
  for (std::size_t begin = 0; (begin = document.find(kBegin, from)) != std::string::npos;) {
    const std::size_t name = begin + kBegin.size(), close = document.find(kClose, name), end = document.find(kEnd, name);
    if (close == std::string::npos || end == std::string::npos)
      throw std::invalid_argument("fields: expected a mark <!-- fields: NAME --> on a line of its own and <!-- end -->");
    out += document.substr(from, close + kClose.size() - from) + table_of(document.substr(name, close - name));
    from = end;
  }
  return out + document.substr(from);
}

}  // namespace salvo
