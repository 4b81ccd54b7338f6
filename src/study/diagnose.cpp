#include <fmt/format.h>
#include <salvo/diagnose.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "math/sobol.h"
#include "sample/candidates.h"

namespace salvo {
namespace {

using Index = Eigen::Index;

// What passes as a good approximation: standard deviations within a factor √2, so that a̲ā, by which the regret's bound
// grows, is at most 2; means within one standard deviation; paths within a tenth of the prior's.
constexpr double kRatio = 1.415, kMean = 1.0, kEpsilon = 0.1;

bool model_good(const MeasuredQuality& q) { return q.a_low <= kRatio && q.a_high <= kRatio && q.c <= kMean; }
bool paths_good(const MeasuredQuality& q) { return q.epsilon <= kEpsilon; }

// `count` of the rows, in their order, each with the same chance.
std::vector<Index> random_rows(Index size, Index count, Key key) {
  std::vector<Index> rows(static_cast<std::size_t>(size));
  std::iota(rows.begin(), rows.end(), Index{0});
  for (Index i = 0; i < std::min(count, size); ++i) {
    const auto j = i + static_cast<Index>(key.at(static_cast<std::uint64_t>(i)).below(static_cast<std::uint64_t>(size - i)));
    std::swap(rows[static_cast<std::size_t>(i)], rows[static_cast<std::size_t>(j)]);
  }
  rows.resize(static_cast<std::size_t>(std::min(count, size)));
  std::sort(rows.begin(), rows.end());
  return rows;
}

Matrix rows_of(const Matrix& X, const std::vector<Index>& rows) { return X(rows, Eigen::all); }

// The rows of the best means, each moved by about a tenth of a length-scale.
Matrix near_best(const Encoding& space, const SparseGp& gp, const Matrix& X, Index count, Key key) {
  constexpr Index kBest = 20;
  const Vector mean = gp.predict_mean(X);
  std::vector<Index> order(static_cast<std::size_t>(X.rows()));
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index i, Index j) { return mean(i) != mean(j) ? mean(i) > mean(j) : i < j; });
  Matrix out(count, X.cols()), steps(count, X.cols());
  key.fill_normal({steps.data(), static_cast<std::size_t>(steps.size())});
  for (Index i = 0; i < count; ++i) {
    const Index from = order[static_cast<std::size_t>(i % std::min<Index>(kBest, X.rows()))];
    out.row(i) = X.row(from).array() + 0.1 * steps.row(i).array() * gp.hyper().kernel.lengthscales.transpose().array();
    out.row(i) = out.row(i).cwiseMax(0.0).cwiseMin(1.0);
    space.snap(row_of(out, i));
  }
  return out;
}

Matrix anywhere(const Encoding& space, Index count, Key key) {
  if (space.allowed()) return random_points(space, count, key);
  Matrix U = space.num_free() <= kMaxSobolDims ? sobol(0, static_cast<int>(count), space.num_free(), key)
                                               : Matrix(count, space.num_free());
  if (space.num_free() > kMaxSobolDims) key.fill_uniform({U.data(), static_cast<std::size_t>(U.size())});
  Matrix X(count, space.num_dims());
  for (Index i = 0; i < count; ++i) space.from_unit(row_of(U, i), row_of(X, i));
  return X;
}

MeasuredQuality worst_of(const std::vector<Diagnosis::Place>& places, bool usual) {
  MeasuredQuality out;
  for (const auto& place : places) {
    const MeasuredQuality& q = usual ? place.usual : place.worst;
    out = {std::max(out.a_low, q.a_low), std::max(out.a_high, q.a_high), std::max(out.c, q.c), std::max(out.epsilon, q.epsilon)};
  }
  return out;
}

// The models compared at `points`, and what to try instead of them.
struct Attempt {
  const ModelOptions& options;
  const FittedModel& model;
  const Matrix& X;  // observations that both models are given
  const Vector& y;
  const Matrix& points;
  double stddev;
  Key key;

  [[nodiscard]] PathOptions paths(int num_features) const {
    return {.num_features = num_features, .features = options.features, .eigenfunctions = options.eigenfunctions};
  }
  [[nodiscard]] bool waves() const { return !model.gp.eigenfunctions() && options.features != FeatureType::eigen; }
  [[nodiscard]] MeasuredQuality quality(const SparseGp& gp, int num_features) const {
    return measure(ModelComparison(gp, X, y, paths(num_features), key).at(points), stddev);
  }
};

// What twice as many inducing points or features would do, on the same data.
std::string more_inducing(const Attempt& now) {
  const SparseGp& gp = now.model.gp;
  const int more = 2 * gp.num_inducing();
  const bool features = gp.eigenfunctions().has_value();
  const SparseGp larger =
      features ? SparseGp(gp.hyper(), extended(*gp.eigenfunctions(), more), gp.trend())
               : SparseGp(gp.hyper(),
                          choose_inducing(now.options.inducing, gp.hyper().kernel, now.X, now.y, more, now.key.fold("more")),
                          gp.trend());
  const MeasuredQuality q = now.quality(larger, std::max(now.model.num_features, features ? more : 1));
  return fmt::format("more inducing {}: with {} a̲ = {:.2f}, ā = {:.2f} and c = {:.2f} here (model.num_inducing = {})",
                     features ? "features" : "points", larger.num_inducing(), q.a_low, q.a_high, q.c, more);
}

std::string more_features(const Attempt& now, double epsilon) {
  if (now.waves()) {
    const double more = std::ceil(now.model.num_features * std::pow(epsilon / kEpsilon, 2) / 100) * 100;
    return fmt::format("more prior features: ε falls as 1/√M, so about {:.0f} bring it to {} (model.num_features = {:.0f})", more,
                       kEpsilon, more);
  }
  const int more = 2 * now.model.num_features;  // how fast ε falls is the spectrum's matter
  return fmt::format("more prior features: with {} ε = {:.2f} here (model.num_features = {})", more,
                     now.quality(now.model.gp, more).epsilon, more);
}

void judge(Diagnosis& out) {
  const MeasuredQuality worst = worst_of(out.places, false), usual = worst_of(out.places, true);
  const bool all = model_good(worst) && paths_good(worst), most = model_good(usual) && paths_good(usual);
  out.trust = all ? Trust::yes : most ? Trust::mostly : Trust::no;
  const bool exact = out.type == ModelType::inducing_points && out.num_inducing >= out.num_observations;
  switch (out.trust) {
    case Trust::yes:
      out.verdict =
          exact ? "Yes: there are no more observations than inducing points, so the model is exact, and its samples follow it."
                : "Yes: the sparse model and its samples are as good as the exact GP, at every point compared.";
      return;
    case Trust::mostly:
      out.verdict = "Mostly: at 95 of 100 points the approximation is good, at the others it is not.";
      break;
    case Trust::no:
      out.verdict = "No: the approximation differs from the exact GP by more than it should.";
      break;
  }
  if (!model_good(worst))
    out.verdict +=
        fmt::format(" The sparse model is off ({}).",
                    worst.a_low > kRatio    ? "its standard deviation is too small somewhere: it explores too little there"
                    : worst.a_high > kRatio ? "its standard deviation is too large somewhere: it explores too much there"
                                            : "its mean is off");
  if (!paths_good(worst)) out.verdict += " The samples do not follow their model's standard deviation.";
}

}  // namespace

void DiagnoseOptions::validate() const {
  if (max_observations < 2 || max_observations > 20000)
    throw std::invalid_argument(
        fmt::format("DiagnoseOptions: max_observations must be from 2 to 20000, got {}", max_observations));
  if (num_points < 3 || num_points > 1'000'000)
    throw std::invalid_argument(fmt::format("DiagnoseOptions: num_points must be from 3 to 1000000, got {}", num_points));
}

Comparison Diagnosis::at(std::span<const Params> points) const {
  Matrix X(static_cast<Index>(points.size()), space.num_dims());
  for (std::size_t i = 0; i < points.size(); ++i)
    X.row(static_cast<Index>(i)) = space.encode(space.space().check(points[i])).transpose();
  Comparison out = models->at(X);
  for (Vector* mean : {&out.exact_mean, &out.sparse_mean}) *mean = sign * (scale * mean->array() + centre);
  for (Vector* stddev : {&out.exact_stddev, &out.sparse_stddev, &out.path_stddev}) *stddev *= scale;
  return out;
}

Diagnosis diagnose(Study& study, const DiagnoseOptions& options) {
  options.validate();
  const auto* search = std::get_if<SpaceSearch>(&study.options().search);
  if (!search)
    throw std::invalid_argument(
        "diagnose: expected a study over a space, got one over a pool, whose kernels are between its rows. `salvo status` shows "
        "θ/τ, which bounds what its sparse model loses");
  if (!study.options().one_output())
    throw std::invalid_argument(
        fmt::format("diagnose: expected a study with one output, got one with {}, each with a model of its own",
                    study.options().outputs.size()));
  const std::optional<FittedModel> model = study.fitted_model();
  if (!model || model->X.rows() < 2)
    throw std::invalid_argument(
        fmt::format("diagnose: expected a study with at least two values, got {}. Run it first", model ? "one value" : "none"));
  const Encoding space(search->space);
  const Key key = Key(study.options().seed).fold("diagnose");
  const std::vector<Index> rows = random_rows(model->X.rows(), options.max_observations, key.fold("subset"));
  const Matrix X = rows_of(model->X, rows);
  const Vector y = model->y(rows);

  Diagnosis out;
  out.space = space;
  out.sign = model->sign;
  out.centre = model->centre;
  out.scale = model->scale;
  out.num_observations = model->X.rows();
  out.num_compared = X.rows();
  out.type = model->gp.eigenfunctions() ? ModelType::inducing_features : ModelType::inducing_points;
  out.num_inducing = model->gp.num_inducing();
  out.num_features = model->num_features;
  out.sizes = study.model_report()->sizes;
  const double stddev = std::sqrt(model->gp.hyper().kernel.variance);
  Matrix all(0, X.cols());
  const Attempt now{search->model, *model, X, y, all, stddev, key};
  auto models = std::make_shared<ModelComparison>(model->gp, X, y, now.paths(out.num_features), key.fold("features"));
  out.theta_over_tau = model->gp.theta() / model->gp.hyper().noise;
  out.promised = proposition1(2 * out.theta_over_tau, 0);
  out.jitter = std::max(model->gp.jitter(), models->jitter());

  const Index third = options.num_points / 3;
  const std::pair<const char*, Matrix> sets[] = {
      {"anywhere", anywhere(space, third, key.fold("anywhere"))},
      {"at observations", rows_of(X, random_rows(X.rows(), third, key.fold("observed")))},
      {"near the best", near_best(space, model->gp, X, third, key.fold("near"))}};
  for (const auto& [where, points] : sets) {
    const Comparison at = models->at(points);
    out.places.push_back({where, static_cast<int>(points.rows()), measure(at, stddev), measure(at, stddev, 0.95)});
    all.conservativeResize(all.rows() + points.rows(), X.cols());
    all.bottomRows(points.rows()) = points;
  }
  const Vector lost = models->lost_variance(sets[0].second);
  out.lost_mean = lost.mean();
  Index worst = 0;
  lost.cwiseAbs().maxCoeff(&worst);
  out.lost_worst = lost(worst);
  out.models = std::move(models);

  judge(out);
  if (out.num_compared < out.num_observations)
    out.verdict +=
        fmt::format(" Measured on {} of {} observations: with all of them there is more to summarise, and less is certain.",
                    out.num_compared, out.num_observations);
  const MeasuredQuality quality = worst_of(out.places, false);
  if (!model_good(quality)) out.advice.push_back(more_inducing(now));
  if (!paths_good(quality)) out.advice.push_back(more_features(now, quality.epsilon));
  if (out.jitter > 1e-5)
    out.advice.push_back(
        fmt::format("the jitter had to grow to {:.1g} of the kernel's variance: inducing points lie too close together for "
                    "this kernel; fewer of them, or inducing = \"greedy\", would help",
                    out.jitter));
  return out;
}

}  // namespace salvo
