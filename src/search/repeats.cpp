#include "search/repeats.h"

#include <algorithm>

#include "sample/taken.h"

namespace salvo {

std::vector<std::int64_t> due_repeats(const Observations& data, const Matrix& taken, int wanted, int count) {
  constexpr std::int64_t kOneOf = 25;
  const std::int64_t allowed = std::min<std::int64_t>(wanted, (data.size() + taken.rows() + count) / kOneOf);
  if (allowed == 0) return {};
  const Matrix none(0, data.X().cols());
  Taken once(none), twice(none), pending(taken);
  const auto row_of_data = [&](std::int64_t row) {
    return std::span<const double>(data.X().row(row).data(), static_cast<std::size_t>(data.X().cols()));
  };
  std::vector<std::int64_t> rows = data.by_id(0, data.size());
  // Repeats come early: few rows are looked at.
  for (std::size_t i = 0; i < rows.size() && static_cast<std::int64_t>(twice.size()) < allowed; ++i) {
    const auto x = row_of_data(rows[i]);
    if (!once.insert(x) || pending.contains(x)) twice.insert(x);
  }
  const std::int64_t due = std::min<std::int64_t>(count, allowed - static_cast<std::int64_t>(twice.size()));
  if (due <= 0) return {};
  std::stable_sort(rows.begin(), rows.end(), [&](auto a, auto b) { return data.y(a) > data.y(b); });
  std::vector<std::int64_t> out;
  for (const std::int64_t row : rows) {
    if (std::ssize(out) >= due) break;
    if (twice.insert(row_of_data(row))) out.push_back(row);
  }
  return out;
}

}  // namespace salvo
