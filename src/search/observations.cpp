#include "search/observations.h"

#include <algorithm>
#include <numeric>

namespace salvo {

void Observations::add(const Record& record, const Vector& x, double y) {
  x_.insert(x_.end(), x.begin(), x.end());
  Results::add(record, y);
}

Matrix Observations::newest(std::int64_t count) const {
  std::vector<std::int64_t> rows(static_cast<std::size_t>(size()));
  std::iota(rows.begin(), rows.end(), std::int64_t{0});
  const auto later = [&](auto a, auto b) { return id(a) > id(b); };
  const auto end = rows.begin() + std::min(count, size());
  std::nth_element(rows.begin(), end, rows.end(), later);  // a study may have a million: no sort of them all
  std::sort(rows.begin(), end, [&](auto a, auto b) { return later(b, a); });
  rows.erase(end, rows.end());
  return X()(rows, Eigen::all);
}

Block block(const Observations& data, std::int64_t begin, std::int64_t end, const Anchor& units, const KnownNoise& noise) {
  const auto rows = data.by_id(begin, end);
  const auto X = data.X();
  Block out{Matrix(end - begin, X.cols()), Vector(end - begin), noise.ratios(rows)};
  for (Eigen::Index i = 0; i < out.y.size(); ++i) {
    const std::int64_t row = rows[static_cast<std::size_t>(i)];
    out.X.row(i) = X.row(row);
    out.y(i) = units.to_model(data.y(row));
  }
  return out;
}

Block part_of(const Block& all, std::span<const Eigen::Index> rows) {
  return {all.X(rows, Eigen::all), all.y(rows), all.r.size() == 0 ? Vector() : Vector(all.r(rows))};
}

}  // namespace salvo
