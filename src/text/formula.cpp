#include "text/formula.h"

#include <algorithm>

#include "text/numbers.h"

namespace salvo {
namespace {

bool is_formula(std::string_view text) {
  return !text.empty() && std::string_view("=+-@\t\r").find(text[0]) != std::string_view::npos && !to_double(text);
}

std::string_view without_apostrophes(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of('\''), text.size()));
}

}  // namespace

std::string guarded(std::string_view text) {
  return is_formula(without_apostrophes(text)) ? '\'' + std::string(text) : std::string(text);
}

std::string_view without_guard(std::string_view cell) {
  return cell.starts_with('\'') && is_formula(without_apostrophes(cell)) ? cell.substr(1) : cell;
}

}  // namespace salvo
