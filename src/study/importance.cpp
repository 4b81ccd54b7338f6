#include <fmt/format.h>
#include <salvo/fitted_model.h>
#include <salvo/importance.h>
#include <salvo/paths.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <memory>
#include <stdexcept>

#include "study/sobol_indices.h"

namespace salvo {
namespace {

// As many points as so many evaluations allow, a power of two: the sequence is most even there.
int default_points(int num_free, bool several) {
  constexpr unsigned kFewest = 64, kMost = 2048;
  const unsigned evaluations = several ? 1U << 13 : 1U << 16;  // of several outputs each costs its variances as well
  return static_cast<int>(std::clamp(std::bit_floor(evaluations / static_cast<unsigned>(num_free + 2)), kFewest, kMost));
}

// The value is the mean's own; what the paths differ from it and the points' share of chance add up to its deviation.
VarianceShare share_of(const Matrix& indices, Eigen::Index parameter, double error) {
  const double value = indices(0, parameter);
  const Eigen::Index num_paths = indices.rows() - 1;
  if (num_paths == 0) return {value, error};
  const double spread = (indices.col(parameter).tail(num_paths).array() - value).square().sum() / static_cast<double>(num_paths);
  return {value, std::sqrt(spread + error * error)};
}

// Values at rows of the unit cube, a column each.
using ValuesOfRows = std::function<Matrix(const Matrix&)>;

// The mean, then sample paths of the posterior, in the model's units.
ValuesOfRows mean_and_paths(Study& study, const SpaceSearch& search, const ImportanceOptions& options, const Key& key) {
  const auto model = std::make_shared<FittedModel>(study.fitted_model().value());
  const auto paths = std::make_shared<Paths>(draw_paths(model->gp,
                                                        {.num_paths = options.num_paths,
                                                         .num_features = model->num_features,
                                                         .features = search.model.features,
                                                         .eigenfunctions = search.model.eigenfunctions},
                                                        key));
  return [model, paths, num_paths = options.num_paths](const Matrix& X) {
    Matrix values(X.rows(), 1 + num_paths);
    values.col(0) = model->gp.predict_mean(X);
    values.rightCols(num_paths) = paths->values(X);
    return values;
  };
}

// The mean of one of several outputs, in the user's units.
ValuesOfRows mean_of(Study& study, const Encoding& space, int output) {
  return [&study, &space, output](const Matrix& X) {
    std::vector<Params> points;
    for (Eigen::Index i = 0; i < X.rows(); ++i)
      points.push_back(space.decode({X.row(i).data(), static_cast<std::size_t>(X.cols())}));
    const auto estimates = study.predict_outputs(points);
    Matrix values(X.rows(), 1);
    for (Eigen::Index i = 0; i < X.rows(); ++i)
      values(i, 0) = estimates[static_cast<std::size_t>(i)][static_cast<std::size_t>(output)].mean;
    return values;
  };
}

}  // namespace

void ImportanceOptions::validate() const {
  if (num_points != 0 && (num_points < 16 || num_points > 1'000'000))
    throw std::invalid_argument(
        fmt::format("ImportanceOptions: num_points must be from 16 to 1000000, or 0 for automatic, got {}", num_points));
  if (num_paths < 1 || num_paths > 1000)
    throw std::invalid_argument(fmt::format("ImportanceOptions: num_paths must be from 1 to 1000, got {}", num_paths));
}

Importance importance(Study& study, const ImportanceOptions& options) {
  options.validate();
  const auto num_outputs = static_cast<int>(study.options().outputs.size());
  if (options.output < 0 || options.output >= num_outputs)
    throw std::invalid_argument(
        fmt::format("importance: expected one of {} outputs, got number {}", num_outputs, options.output));
  const auto* search = std::get_if<SpaceSearch>(&study.options().search);
  if (!search)
    throw std::invalid_argument(
        "importance: expected a study over a space, got one over a pool: its candidates are no points that one parameter of "
        "could be drawn anew");
  if (!study.model_report())
    throw std::invalid_argument("importance: expected a study with at least one value, got one without. Tell a value first");
  const Encoding space(search->space);
  const bool several = num_outputs > 1;
  Importance out{.parameters = {},
                 .num_points = options.num_points > 0 ? options.num_points : default_points(space.num_free(), several),
                 .num_paths = several ? 0 : options.num_paths};
  const Key key = Key(study.options().seed).fold("importance").fold(options.seed);
  const auto functions =
      several ? mean_of(study, space, options.output) : mean_and_paths(study, *search, options, key.fold("paths"));
  const SobolIndices found = sobol_indices(functions, space, out.num_points, key.fold("points"));
  Eigen::Index i = 0;
  for (int p = 0; p < static_cast<int>(search->space.parameters().size()); ++p) {
    const Parameter& parameter = search->space.parameters()[static_cast<std::size_t>(p)];
    if (std::holds_alternative<Fixed>(parameter.domain) || search->space.follows(p)) continue;
    out.parameters.push_back({.name = parameter.name,
                              .first = share_of(found.first, i, found.first_error(i)),
                              .total = share_of(found.total, i, found.total_error(i))});
    ++i;
  }
  std::stable_sort(out.parameters.begin(), out.parameters.end(),
                   [](const auto& a, const auto& b) { return a.total.value > b.total.value; });
  return out;
}

}  // namespace salvo
