#include <fmt/core.h>
#include <salvo/sparse_gp.h>

#include <array>
#include <stdexcept>
#include <utility>

#include "model/check.h"
#include "model/selection.h"

namespace salvo {
namespace {

constexpr std::array<std::pair<Inducing, std::string_view>, 4> kNames{{{Inducing::automatic, "auto"},
                                                                       {Inducing::kmeans, "kmeans"},
                                                                       {Inducing::greedy, "greedy"},
                                                                       {Inducing::coverage, "coverage"}}};

// Half of Z spread over all that was ever visited, so that faint evidence far from the crowd is not forgotten; k-means
// for the rest, begun at random rows so that the crowd is resolved: with k-means++ Shekel's regret is twice as large
// (docs/how-it-works.md has the measurement).
Matrix coverage(const Kernel& kernel, const Matrix& X, const Vector& y, int m, Key key) {
  const Matrix far = farthest_points(X, y, m / 2);
  const Matrix centres = kmeans(kernel, X, m - static_cast<int>(far.rows()), Seeding::random, key);
  Matrix Z(far.rows() + centres.rows(), X.cols());
  Z << far, centres;
  return distinct_rows(Z);
}

}  // namespace

std::string_view to_string(Inducing how) {
  for (const auto& [value, name] : kNames)
    if (value == how) return name;
  return "unknown";
}

Inducing inducing(std::string_view name) {
  std::string known;
  for (const auto& [value, text] : kNames) {
    if (text == name) return value;
    known += (known.empty() ? "" : ", ") + std::string(text);
  }
  throw std::invalid_argument(fmt::format("inducing: expected one of {}; got \"{}\"", known, name));
}

Matrix choose_inducing(Inducing how, const Kernel& kernel, const Matrix& X, const Vector& y, int num_inducing, Key key) {
  kernel.validate();
  check_data("choose_inducing", X, y, kernel.lengthscales.size());
  if (num_inducing < 1)
    throw std::invalid_argument(fmt::format("choose_inducing: expected num_inducing ≥ 1, got {}", num_inducing));
  if (X.rows() == 0) throw std::invalid_argument("choose_inducing: expected at least one row of X, got none");
  const Matrix U = distinct_rows(X);
  if (U.rows() <= num_inducing) return U;  // Z = X: the model is exact
  switch (how) {
    case Inducing::kmeans:
      return distinct_rows(kmeans(kernel, X, num_inducing, Seeding::spread, key));
    case Inducing::greedy:
      return greedy_variance(kernel, U, num_inducing, key);
    case Inducing::automatic:
    case Inducing::coverage:
      break;
  }
  return coverage(kernel, X, y, num_inducing, key);
}

}  // namespace salvo
