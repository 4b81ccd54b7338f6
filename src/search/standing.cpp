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

void find_reference(Standing& all, std::span<const OutputModel> outputs, int K) {
  all.ideal = Vector::Constant(K, -std::numeric_limits<double>::infinity());
  all.worst = -all.ideal;
  for (const Index i : all.best) {
    all.ideal = all.ideal.cwiseMax(all.mean.row(i).head(K).transpose());
    all.worst = all.worst.cwiseMin(all.mean.row(i).head(K).transpose());
  }
  all.reference.resize(K);
  for (int k = 0; k < K; ++k) {
    const OutputModel& output = outputs[static_cast<std::size_t>(k)];
    const auto& told = std::get<Objective>(output.output().role).reference;
    const double span = span_of(all, k);
    const double unit = span > 0 ? span : output.posterior().learned().anchor.unit();
    all.reference(k) = told ? output.sign() * *told : std::max(all.worst(k) - kBelowWorst * unit, -kFarthestApart);
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

std::vector<Index> worth_something(const Standing& all, std::span<const Index> rows, std::span<const OutputModel> outputs) {
  std::vector<Index> out(rows.begin(), rows.end());
  std::erase_if(out, [&](Index i) {
    for (std::size_t k = 0; k < outputs.size(); ++k) {
      const auto* objective = std::get_if<Objective>(&outputs[k].output().role);
      if (objective && objective->reference && !(all.mean(i, static_cast<Index>(k)) > outputs[k].sign() * *objective->reference))
        return true;
    }
    return false;
  });
  if (out.empty()) out.assign(rows.begin(), rows.end());
  return out;
}

Standing stand(std::span<const OutputModel> outputs, const Observations& points, std::int64_t num_rows, OutputModel::When when) {
  const std::vector<std::int64_t> rows = points.by_id(0, num_rows);
  const auto n = std::ssize(rows), num_outputs = std::ssize(outputs);
  Standing out;
  for (const std::int64_t row : rows) {
    out.ids.push_back(points.id(row));
    out.sources.push_back(points.source(row));
  }
  out.X = points.X()(rows, Eigen::all);
  out.mean.setZero(n, num_outputs);
  out.sd.setZero(n, num_outputs);
  out.feasible.setOnes(n);
  out.missed.setZero(n);
  out.allowed.assign(static_cast<std::size_t>(n), true);
  out.complete.assign(static_cast<std::size_t>(n), true);
  int K = 0;
  for (Index o = 0; o < num_outputs; ++o) {
    const OutputModel& output = outputs[static_cast<std::size_t>(o)];
    K += output.is_constraint() ? 0 : 1;
    if (!output.learned()) {  // nobody has measured it yet
      out.sd.col(o).setConstant(std::numeric_limits<double>::infinity());
      out.feasible *= 0.5;
      out.allowed.assign(static_cast<std::size_t>(n), false);
      continue;
    }
    OutputModel::Estimates found = output.estimates(out.ids, out.X, when);
    out.mean.col(o) = found.mean;
    out.sd.col(o) = found.sd;
    for (Index i = 0; i < n; ++i) {
      const auto at = static_cast<std::size_t>(i);
      if (!output.is_constraint()) {
        out.complete[at] = out.complete[at] && output.row(out.ids[at]) >= 0;
        continue;
      }
      const double p = found.holds(i);
      out.feasible(i) *= p;
      out.allowed[at] = out.allowed[at] && p >= std::get<Constraint>(output.output().role).probability;
      out.missed(i) += output.missed(found.mean(i));
    }
  }
  std::vector<Index> candidates;
  for (Index i = 0; i < n; ++i)
    if (out.complete[static_cast<std::size_t>(i)] && out.missed(i) == 0) candidates.push_back(i);
  out.holds = !candidates.empty();
  if (out.holds) {
    out.best = best_among(out, K > 1 ? worth_something(out, candidates, outputs) : candidates, K);
  } else if (n > 0) {
    Index least = 0;
    out.missed.minCoeff(&least);
    out.best = {least};
  }
  find_reference(out, outputs, K);
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
