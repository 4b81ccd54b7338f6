#include "search/standing.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/hypervolume.h"

namespace salvo {
namespace {

using Index = Eigen::Index;
constexpr double kBelowWorst = 0.1;  // of what the best span: where a reference is that nobody told

constexpr double kFarthestApart = std::numeric_limits<double>::max();

void find_reference(Standing& all, std::span<const OutputColumn> outputs, int K) {
  all.ideal = Vector::Constant(K, -std::numeric_limits<double>::infinity());
  all.worst = -all.ideal;
  for (const Index i : all.best) {
    all.ideal = all.ideal.cwiseMax(all.mean.row(i).head(K).transpose());
    all.worst = all.worst.cwiseMin(all.mean.row(i).head(K).transpose());
  }
  all.reference.resize(K);
  for (int k = 0; k < K; ++k) {
    const auto at = static_cast<std::size_t>(k);
    const double span = span_of(all, k);
    const double unit = span > 0 ? span : outputs[at].unit;
    all.reference(k) = all.told[at] ? *all.told[at] : std::max(all.worst(k) - kBelowWorst * unit, -kFarthestApart);
  }
}

}  // namespace

double span_of(const Standing& all, Index k) { return std::min(all.ideal(k) - all.worst(k), kFarthestApart); }

std::vector<Index> best_among(const Standing& all, std::span<const Index> rows, int K) {
  Matrix Y(std::ssize(rows), K);
  for (Index i = 0; i < Y.rows(); ++i) Y.row(i) = all.mean.row(rows[static_cast<std::size_t>(i)]).head(K);
  std::vector<Index> out;
  if (K == 1 && Y.rows() > 0) {
    Index best = 0;
    Y.col(0).maxCoeff(&best);
    out.push_back(rows[static_cast<std::size_t>(best)]);
    return out;
  }
  for (const Index i : nondominated(Y)) out.push_back(rows[static_cast<std::size_t>(i)]);
  std::stable_sort(out.begin(), out.end(), [&](Index a, Index b) { return all.mean(a, 0) > all.mean(b, 0); });
  return out;
}

std::vector<Index> worth_something(const Standing& all, std::span<const Index> rows) {
  std::vector<Index> out(rows.begin(), rows.end());
  std::erase_if(out, [&](Index i) {
    for (std::size_t k = 0; k < all.told.size(); ++k)
      if (all.told[k] && !(all.mean(i, static_cast<Index>(k)) > *all.told[k])) return true;
    return false;
  });
  if (out.empty()) out.assign(rows.begin(), rows.end());
  return out;
}

Standing stand(std::span<const OutputColumn> outputs, std::vector<std::int64_t> ids, std::vector<Source> sources) {
  const auto n = std::ssize(ids), num_outputs = std::ssize(outputs);
  Standing out;
  out.ids = std::move(ids);
  out.sources = std::move(sources);
  out.mean.setZero(n, num_outputs);
  out.sd.setZero(n, num_outputs);
  out.feasible.setOnes(n);
  out.missed.setZero(n);
  out.allowed.assign(static_cast<std::size_t>(n), true);
  out.complete.assign(static_cast<std::size_t>(n), true);
  for (Index o = 0; o < num_outputs; ++o) {
    const OutputColumn& column = outputs[static_cast<std::size_t>(o)];
    const Output& output = column.seen->output();
    out.signs.push_back(column.seen->sign());
    if (const auto* objective = std::get_if<Objective>(&output.role)) {
      out.told.emplace_back();
      if (objective->reference) out.told.back() = column.seen->sign() * *objective->reference;
    }
    if (!column.learned) {  // nobody has measured it yet
      out.sd.col(o).setConstant(std::numeric_limits<double>::infinity());
      out.feasible *= 0.5;
      out.allowed.assign(static_cast<std::size_t>(n), false);
      continue;
    }
    out.mean.col(o) = column.mean;
    out.sd.col(o) = column.sd;
    for (Index i = 0; i < n; ++i) {
      const auto at = static_cast<std::size_t>(i);
      if (!column.seen->is_constraint()) {
        out.complete[at] = out.complete[at] && column.measured[at];
        continue;
      }
      const double p = column.holds(i);
      out.feasible(i) *= p;
      out.allowed[at] = out.allowed[at] && p >= std::get<Constraint>(output.role).probability;
      out.missed(i) += column.missed(i);
    }
  }
  const int K = out.num_objectives();
  std::vector<Index> candidates;
  for (Index i = 0; i < n; ++i)
    if (out.complete[static_cast<std::size_t>(i)] && out.missed(i) == 0) candidates.push_back(i);
  out.holds = !candidates.empty();
  if (out.holds) {
    out.best = best_among(out, K > 1 ? worth_something(out, candidates) : candidates, K);
  } else if (n > 0) {
    Index least = 0;
    out.missed.minCoeff(&least);
    out.best = {least};
  }
  find_reference(out, outputs, K);
  return out;
}

Standing stand(std::span<const OutputModel> outputs, const Observations& points, std::int64_t num_rows, OutputModel::When when) {
  const std::vector<std::int64_t> rows = points.by_id(0, num_rows);
  std::vector<std::int64_t> ids;
  std::vector<Source> sources;
  for (const std::int64_t row : rows) {
    ids.push_back(points.id(row));
    sources.push_back(points.source(row));
  }
  const Matrix X = points.X()(rows, Eigen::all);
  std::vector<OutputColumn> columns;
  for (const OutputModel& output : outputs) {
    OutputColumn& column = columns.emplace_back(OutputColumn{&output.seen()});
    if (!output.learned()) continue;
    OutputModel::Estimates found = output.estimates(ids, X, when);
    column.learned = true;
    column.unit = output.posterior().learned().anchor.unit();
    column.missed.resize(std::ssize(ids));
    for (Index i = 0; i < std::ssize(ids); ++i) {
      column.missed(i) = output.is_constraint() ? output.missed(found.mean(i)) : 0.0;
      column.measured.push_back(output.row(ids[static_cast<std::size_t>(i)]) >= 0);
    }
    column.mean = std::move(found.mean);
    column.sd = std::move(found.sd);
    column.holds = std::move(found.holds);
  }
  Standing out = stand(columns, std::move(ids), std::move(sources));
  out.X = X;
  return out;
}

Vector order_of(const Standing& all, const Matrix& values, int K) {
  Vector out(all.size());
  double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
  const auto holds = [&](Index i) { return all.complete[static_cast<std::size_t>(i)] && all.missed(i) == 0; };
  for (Index i = 0; i < out.size(); ++i) {
    if (!holds(i)) continue;
    out(i) = values(i, 0);
    if (K > 1) {
      const auto span = (all.ideal - all.reference).array().max(1e-300);
      out(i) = ((values.row(i).head(K).transpose() - all.reference).array() / span).minCoeff();
    }
    lowest = std::min(lowest, out(i));
    highest = std::max(highest, out(i));
  }
  const double floor = std::isfinite(lowest) ? lowest : 0.0, unit = highest > lowest ? highest - lowest : 1.0;
  for (Index i = 0; i < out.size(); ++i)
    if (!holds(i)) out(i) = floor - unit * (1e-3 + all.missed(i));
  return out;
}

}  // namespace salvo
