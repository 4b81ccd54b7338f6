#include "nearest.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

namespace salvo::app {
namespace {

// Edits (insert, delete, replace, swap of neighbours) between two words.
std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = last;
    last = row;
  }
  return last[b.size()];
}

}  // namespace

std::string suggestion(std::string_view word, const std::vector<std::string>& known) {
  if (word.size() > 100) return "";
  const std::string* best = nullptr;
  std::size_t distance = std::max<std::size_t>(2, word.size() / 2) + 1;
  for (const std::string& candidate : known) {
    const std::size_t d = edits(word, candidate);
    if (d < distance) {
      distance = d;
      best = &candidate;
    }
  }
  return best ? fmt::format(" (did you mean {}?)", *best) : "";
}

}  // namespace salvo::app
