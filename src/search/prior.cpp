#include "search/prior.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>
#include <stdexcept>

#include "sample/taken.h"
#include "search/posterior.h"
#include "space/json.h"
#include "space/value.h"
#include "text/json.h"

namespace salvo {
namespace {

constexpr int kPoints = 300;  // that the old mean is kept at
constexpr int kBest = 10;     // and the best that it knew

// The other study's values seen as this one's would be, by one model of moderate size.
Learning for_prior(Learning learning) {
  learning.trend = {};
  learning.model.type = ModelType::inducing_points;
  learning.model.fit = FitMethod::collapsed;
  learning.model.features = FeatureType::fourier;
  learning.model.num_features = 250;  // no path is drawn
  learning.model.num_inducing = learning.model.exact_until = kPoints;
  return learning;
}

std::vector<Eigen::Index> best_first(const Vector& values) {
  std::vector<Eigen::Index> order(static_cast<std::size_t>(values.size()));
  std::iota(order.begin(), order.end(), Eigen::Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Eigen::Index a, Eigen::Index b) { return values(a) > values(b); });
  return order;
}

// The model's own points, through which its mean is known everywhere, and the best ones.
Matrix kept_points(const SparseGp& gp, const Matrix& X) {
  Matrix out = gp.Z();
  Taken known(out);
  const Eigen::Index first = out.rows();
  for (const Eigen::Index row : best_first(gp.predict_mean(X))) {
    if (out.rows() == first + kBest) break;
    if (!known.insert({X.row(row).data(), static_cast<std::size_t>(X.cols())})) continue;
    out.conservativeResize(out.rows() + 1, Eigen::NoChange);
    out.bottomRows(1) = X.row(row);
  }
  return out;
}

// None when it is no point of the space.
std::optional<Params> in_space(const Space& space, const std::map<std::string, Value>& gone,
                               const std::map<std::string, Value>& point) {
  for (const auto& [name, value] : gone) {
    const auto found = point.find(name);
    if (found != point.end() && !same_value(found->second, value)) return std::nullopt;
  }
  Params out;
  for (const Parameter& parameter : space.parameters()) {
    const auto found = point.find(parameter.name);
    const auto* fixed = std::get_if<Fixed>(&parameter.domain);
    if (found == point.end() && !fixed) return std::nullopt;
    out.push_back(found == point.end() ? fixed->value : found->second);
  }
  try {
    return space.check(out);
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
}

Observations observed(const Encoding& space, std::span<const Params> points, const Vector& y) {
  Observations out(space.num_dims());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto number = static_cast<std::int64_t>(i) + 1;
    out.add({.id = number, .sequence = number, .params = points[i], .outcome = Abandoned{}}, space.encode(points[i]),
            y(static_cast<Eigen::Index>(i)));
  }
  return out;
}

// Centres of clusters are none of a discrete parameter's points: a mean belongs to the point that is kept.
Matrix as_decoded(const Encoding& space, const Matrix& Z) {
  std::set<Params> seen;
  Matrix out(0, Z.cols());
  for (Eigen::Index i = 0; i < Z.rows(); ++i) {
    const Params params = space.decode({Z.row(i).data(), static_cast<std::size_t>(Z.cols())});
    if (!seen.insert(params).second) continue;
    out.conservativeResize(out.rows() + 1, Eigen::NoChange);
    out.bottomRows(1) = space.encode(params).transpose();
  }
  return out;
}

}  // namespace

Prior learn_prior(const Learning& learning, const Observations& old, std::span<const Params> points, const std::string& from) {
  const Learning mine = for_prior(learning);
  const Posterior posterior(learn(mine, old, nullptr, Key(0).fold("prior")), old, mine.model);
  const SparseGp& gp = posterior.gp();
  const Matrix Z = as_decoded(learning.space, kept_points(gp, old.X()));
  const Space& space = learning.space.space();
  Prior out{.from = from,
            .num_trials = old.size(),
            .unit = posterior.learned().anchor.unit(),
            .means = gp.predict_mean(Z).array() - gp.hyper().mean,
            .space = space_to_json(space),
            .kernel = gp.hyper().kernel};
  const auto decoded = [&](const auto& row) { return learning.space.decode({row.data(), static_cast<std::size_t>(row.size())}); };
  std::map<Params, Params> told;  // coordinates are rounded, and who fixes a parameter at 0.2 means the points told with 0.2
  for (Eigen::Index i = 0; i < old.X().rows(); ++i) told.emplace(decoded(old.X().row(i)), points[static_cast<std::size_t>(i)]);
  for (Eigen::Index i = 0; i < Z.rows(); ++i) {
    const Params rounded = decoded(Z.row(i));
    const auto known = told.find(rounded);
    const Params& params = known == told.end() ? rounded : known->second;
    auto& point = out.points.emplace_back();
    for (std::size_t k = 0; k < params.size(); ++k) point.emplace(space.parameters()[k].name, params[k]);
  }
  return out;
}

Trend Prior::trend(const Learning& learning) const {
  std::vector<Params> inside;
  std::vector<double> there;
  for (std::size_t i = 0; i < points.size(); ++i) {
    auto params = in_space(learning.space.space(), gone, points[i]);
    if (!params) continue;
    inside.push_back(std::move(*params));
    there.push_back(means(static_cast<Eigen::Index>(i)));
  }
  const Vector values = Vector::Map(there.data(), std::ssize(there));
  if (inside.size() < 2) return {};
  const Observations known = observed(learning.space, inside, values);
  if (space == space_to_json(learning.space.space())) return Trend::through(kernel, known.X(), values);
  Learning mine = for_prior(learning);
  mine.model.transform = Transform::none;  // they are what a transform made
  const SpaceLearned found = learn(mine, known, nullptr, Key(0).fold("prior"));
  // Points may lie closer together than they did, or have become one: the model smooths what no function goes through.
  const Posterior smooth(found, known, mine.model);
  const Matrix& Z = smooth.gp().Z();
  return Trend::through(found.hyper.kernel, Z, (smooth.gp().predict_mean(Z).array() - found.hyper.mean) * found.anchor.scale);
}

std::string Prior::document() const {
  Tree out;
  out.add("from", Tree::of(from));
  out.add("num_trials", Tree::of(num_trials));
  out.add("unit", Tree::of(unit));
  out.add("space", parse_json(space));
  out.add("kernel", Tree::of(to_string(kernel.type)));
  out.add("variance", Tree::of(kernel.variance));
  out.add("lengthscales", list_of(kernel.lengthscales));
  out.add("means", list_of(means));
  if (!gone.empty()) out.add("gone", parse_json(named_to_json(gone)));
  Tree& all = out.add("points", Tree::list());
  for (const auto& point : points) all.items.push_back(parse_json(named_to_json(point)));
  return to_json(out);
}

Prior Prior::from_document(std::string_view text) {
  const Tree tree = parse_json(text);
  const std::vector<double> means = numbers_of(tree.at("means")), scales = numbers_of(tree.at("lengthscales"));
  Prior out{.from = text_of(tree, "from"),
            .num_trials = whole_of(tree, "num_trials"),
            .unit = number_of(tree, "unit"),
            .means = Vector::Map(means.data(), std::ssize(means)),
            .space = space_to_json(space_from_json(to_json(tree.at("space")))),
            .kernel = {.type = parse<KernelType>(text_of(tree, "kernel")),
                       .variance = number_of(tree, "variance"),
                       .lengthscales = Vector::Map(scales.data(), std::ssize(scales))}};
  out.kernel.validate();
  if (const Tree* gone = tree.find("gone")) out.gone = named_from_json(to_json(*gone));
  for (const Tree& point : tree.at("points").items) out.points.push_back(named_from_json(to_json(point)));
  if (out.points.size() != means.size())
    throw std::invalid_argument(fmt::format("expected as many points as means, got {} and {}", out.points.size(), means.size()));
  return out;
}

std::string moved_prior(std::string_view document, const Space& to, const std::map<std::string, Value>& before,
                        const std::map<std::string, Value>& gone) {
  Prior prior = Prior::from_document(document);
  for (const auto& [name, value] : gone) prior.gone[name] = value;
  for (const Parameter& parameter : to.parameters()) prior.gone.erase(parameter.name);
  for (auto& point : prior.points) point.insert(before.begin(), before.end());
  return prior.document();
}

TrendFit fit_slope(const Hyperparameters& hyper, const Block& all, const Vector& t) {
  constexpr Eigen::Index kMost = 500;
  const Eigen::Index n = all.y.size(), count = std::min(n, kMost);
  std::vector<Eigen::Index> rows;
  for (Eigen::Index i = 0; i < count; ++i) rows.push_back(i * n / count);
  const Block some = part_of(all, rows);
  return fit_trend(hyper, some.X, t(rows), some.y, some.r);
}

Matrix favourites(const Trend& trend, int count) {
  constexpr double kApart = 0.5;
  Matrix out(0, trend.Z.cols());
  if (trend.empty()) return out;
  const Eigen::RowVectorXd ell = trend.kernel.lengthscales.transpose();
  for (const Eigen::Index row : best_first(trend.values(trend.Z))) {
    if (out.rows() == count) break;
    const auto near = [&](const auto& other) {
      return ((other - trend.Z.row(row)).array() / ell.array()).matrix().norm() < kApart;
    };
    bool free = true;
    for (Eigen::Index i = 0; i < out.rows() && free; ++i) free = !near(out.row(i));
    if (!free) continue;
    out.conservativeResize(out.rows() + 1, Eigen::NoChange);
    out.bottomRows(1) = trend.Z.row(row);
  }
  return out;
}

}  // namespace salvo
