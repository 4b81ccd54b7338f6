#include "text/words.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace salvo {

std::size_t num_edits(std::string_view a, std::string_view b) {
  const auto same = [](char x, char y) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    return lower(x) == lower(y);
  };
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same(a[i - 1], b[j - 1]) ? 0 : 1)});
      if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1])) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

std::string_view nearest_word(std::string_view word, std::span<const std::string_view> known) {
  if (word.empty() || word.size() > 64) return {};
  for (const std::string_view candidate : known)
    if (word.size() >= 3 && candidate.starts_with(word)) return candidate;  // cut short: max for maximize
  std::string_view best;
  std::size_t fewest = std::max<std::size_t>(2, word.size() / 2) + 1;
  for (const std::string_view candidate : known) {
    const std::size_t edits = num_edits(word, candidate);
    if (edits < fewest && edits < candidate.size()) {
      best = candidate;
      fewest = edits;
    }
  }
  return best;
}

std::string_view slip_of(std::string_view word, std::span<const std::string_view> known) {
  if (word.empty() || word.size() > 64) return {};
  const auto is_name_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
  };
  for (const std::string_view name : known) {
    const std::size_t common = std::min(word.size(), name.size());
    if (num_edits(word.substr(0, common), name.substr(0, common)) > 0) continue;
    const bool cut = word.size() >= 3 && word.size() < name.size();
    const bool with_unit = word.size() > name.size() && !is_name_letter(word[name.size()]);
    if (cut || with_unit) return name;
  }
  std::string_view best;
  std::size_t fewest = 3;
  for (const std::string_view name : known) {
    const std::size_t edits = num_edits(word, name), allowed = name.size() < 3 ? 0 : name.size() < 5 ? 1 : 2;
    if (edits <= allowed && edits < fewest) {
      best = name;
      fewest = edits;
    }
  }
  return best;
}

}  // namespace salvo
