#include "config/fields_docs.h"

#include <fmt/format.h>
#include <salvo/fields.h>

#include <stdexcept>

#include "config/fields_table.h"

namespace salvo {
namespace {

std::string table_of(std::string_view name) {
  if (name == "model") return model_table();
  if (name == "pool model") return pool_model_table();
  if (name == "objective") return objective_table();
  if (name == "budget") return budget_table();
  throw std::invalid_argument(fmt::format("fields: expected model, pool model, objective or budget, got \"{}\"", name));
}

}  // namespace

std::string model_table() { return fields_table<ModelOptions>(); }
std::string pool_model_table() { return fields_table<PoolModelOptions>(); }
std::string objective_table() { return fields_table<ObjectiveOptions>(); }
std::string budget_table() { return fields_table<Budget>(); }

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
