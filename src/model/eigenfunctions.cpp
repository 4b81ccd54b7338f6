// Eigenfunctions of stationary kernels (docs/math.md §2): products of one-dimensional functions.
#include <fmt/core.h>
#include <salvo/features.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <queue>
#include <set>
#include <stdexcept>
#include <vector>

#include "compute/eigen_tables.h"
#include "compute/smoothness.h"
#include "math/sobol.h"

namespace salvo {
namespace {

using Index = Eigen::Index;
using Indices = std::vector<int>;

constexpr int kMaxDims = 12;  // beyond, not even the first functions are within reach
// What the image of a point behind the extended box may take from its variance. Data at the edges pay for it in the bound,
// and a fit would shorten the length-scales to avoid that: 1% costs ten nats where 0.03% costs less than one.
constexpr double kAtBoundary = 3e-4;
constexpr double kDeviation = 0.35;  // of the Gaussian measure: the box's corners are at 1.4 deviations per coordinate

// How far in length-scales two points are whose correlation is kAtBoundary.
double reach(KernelType type) {
  const Kernel unit{type, 1.0, Vector::Ones(1)};
  double low = 0, high = 20;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (gram(unit, Matrix::Zero(1, 1), Matrix::Constant(1, 1, middle))(0, 0) > kAtBoundary ? low : high) = middle;
  }
  return high;
}

// −2 log λ_j up to a constant, in the order of the eigenvalues: a sum over coordinates that grows with each index.
double cost(const Eigenfunctions& f, Index d, int k) {
  if (f.type == EigenType::gaussian) return -k * std::log(Hermite(f.kernel.lengthscales(d), f.width(d)).ratio());
  const double frequency = std::numbers::pi * (k + 1) / (2 * f.width(d)) * f.kernel.lengthscales(d);
  return frequency * frequency;
}

// The num_features index tuples of least cost that are not in `known`, cheapest first.
std::vector<Indices> cheapest(const Eigenfunctions& f, int num_features, const std::set<Indices>& known) {
  const Index dims = f.kernel.lengthscales.size();
  std::vector<std::vector<double>> costs(static_cast<std::size_t>(dims));
  const auto at = [&](Index d, int k) {
    auto& table = costs[static_cast<std::size_t>(d)];
    while (static_cast<int>(table.size()) <= k) table.push_back(cost(f, d, static_cast<int>(table.size())));
    return table[static_cast<std::size_t>(k)];
  };
  struct Node {
    double cost;
    Indices index;
    Index last;  // coordinates before it stay: every tuple is reached once
  };
  const auto later = [](const Node& a, const Node& b) { return a.cost != b.cost ? a.cost > b.cost : a.index > b.index; };
  std::priority_queue<Node, std::vector<Node>, decltype(later)> open(later);
  const auto total = [&](const Indices& index) {  // summed afresh, so that equal tuples cost the same to the last bit
    double sum = 0;
    for (Index d = 0; d < dims; ++d) sum += at(d, index[static_cast<std::size_t>(d)]);
    return sum;
  };
  const Indices first(static_cast<std::size_t>(dims), 0);
  open.push({total(first), first, 0});
  std::vector<Indices> out;
  while (static_cast<int>(out.size()) < num_features) {
    const Node node = open.top();
    open.pop();
    if (!known.contains(node.index)) out.push_back(node.index);
    for (Index d = node.last; d < dims; ++d) {
      Indices next = node.index;
      ++next[static_cast<std::size_t>(d)];
      const double next_cost = total(next);
      open.push({next_cost, std::move(next), d});
    }
  }
  return out;
}

void append(Eigenfunctions& f, const std::vector<Indices>& more) {
  const Index before = f.index.rows();
  f.index.conservativeResize(before + static_cast<Index>(more.size()), f.kernel.lengthscales.size());
  for (std::size_t j = 0; j < more.size(); ++j)
    for (std::size_t d = 0; d < more[j].size(); ++d) f.index(before + static_cast<Index>(j), static_cast<Index>(d)) = more[j][d];
}

// log of the spectral density of a stationary kernel at scaled frequency r (r² = Σ (ω_d ℓ_d)²).
double log_spectral_density(const Kernel& kernel, double r2) {
  const auto d = static_cast<double>(kernel.lengthscales.size());
  const double scales = std::log(kernel.variance) + kernel.lengthscales.array().log().sum();
  const double nu = 0.5 * twice_nu(kernel.type);
  if (nu == 0) return scales + 0.5 * d * std::log(2 * std::numbers::pi) - 0.5 * r2;
  return scales + d * std::log(2.0) + 0.5 * d * std::log(std::numbers::pi) + std::lgamma(nu + 0.5 * d) - std::lgamma(nu) +
         nu * std::log(2 * nu) - (nu + 0.5 * d) * std::log(2 * nu + r2);
}

void set_scale(Eigenfunctions& f) {
  f.scale.resize(f.size());
  for (Index j = 0; j < f.size(); ++j) {
    double log_lambda = 0;
    if (f.type == EigenType::gaussian) {
      log_lambda = std::log(f.kernel.variance);
      for (Index d = 0; d < f.num_dims(); ++d)
        log_lambda += Hermite(f.kernel.lengthscales(d), f.width(d)).log_eigenvalue(f.index(j, d));
    } else {
      double r2 = 0;
      for (Index d = 0; d < f.num_dims(); ++d) r2 += cost(f, d, f.index(j, d));
      log_lambda = log_spectral_density(f.kernel, r2);
    }
    f.scale(j) = std::exp(0.5 * log_lambda);
  }
}

}  // namespace

Eigenfunctions eigenfunctions(EigenType type, const Kernel& kernel, int num_features) {
  kernel.validate();
  constexpr int kMost = 200000;
  if (num_features < 1 || num_features > kMost)
    throw std::invalid_argument(fmt::format("eigenfunctions: expected 1 to {} functions, got {}", kMost, num_features));
  // Of the squared exponential's variance the Gaussian measure's functions carry more from three coordinates on (M = 1000,
  // ℓ = 0.3, d = 5: 98% against 85%); in one or two the box carries all of it, and its fits sweep the data once.
  if (type == EigenType::automatic)
    type = kernel.type == KernelType::se && kernel.lengthscales.size() > 2 ? EigenType::gaussian : EigenType::box;
  if (is_additive(kernel.type))
    throw std::invalid_argument(fmt::format("eigenfunctions: expected a kernel of all inputs together, got {}. Use {}",
                                            to_string(kernel.type), to_string(joint(kernel.type))));
  if (type == EigenType::gaussian && kernel.type != KernelType::se)
    throw std::invalid_argument(fmt::format(
        "eigenfunctions: the kernel \"{}\" has no eigenfunctions of a Gaussian measure in closed form; \"se\" has, and "
        "\"box\" works for every kernel here",
        to_string(kernel.type)));
  const Index d = kernel.lengthscales.size();
  if (d > kMaxDims)
    throw std::invalid_argument(
        fmt::format("eigenfunctions: {} coordinates are too many, their number grows as a power of the dimension (at most {} are "
                    "tried). Inducing points and Fourier features work in any dimension",
                    d, kMaxDims));
  Eigenfunctions f;
  f.type = type;
  f.kernel = kernel;
  f.centre = Vector::Constant(d, 0.5);
  if (type == EigenType::gaussian)
    f.width = Vector::Constant(d, kDeviation);
  else
    f.width = 0.5 + 0.5 * reach(kernel.type) * kernel.lengthscales.array();
  f.index.resize(0, d);
  append(f, cheapest(f, num_features, {}));
  set_scale(f);
  return f;
}

Eigenfunctions extended(const Eigenfunctions& given, int num_features) {
  Eigenfunctions f = given;
  if (num_features <= given.size()) return f;
  std::set<Indices> known;
  for (Index j = 0; j < given.index.rows(); ++j)
    known.emplace(given.index.row(j).data(), given.index.row(j).data() + given.index.cols());
  append(f, cheapest(f, num_features - given.size(), known));
  set_scale(f);
  return f;
}

Eigenfunctions Eigenfunctions::retuned(const Kernel& other) const {
  Eigenfunctions f = *this;
  f.kernel = other;
  set_scale(f);
  return f;
}

Matrix Eigenfunctions::log_eigenvalue_gradient() const {
  Matrix out(size(), num_dims());
  const double nu = twice_nu(kernel.type);
  for (Index j = 0; j < size(); ++j) {
    if (type == EigenType::gaussian) {
      for (Index d = 0; d < num_dims(); ++d)
        out(j, d) = Hermite(kernel.lengthscales(d), width(d)).log_eigenvalue_gradient(index(j, d));
      continue;
    }
    double r2 = 0;
    for (Index d = 0; d < num_dims(); ++d) r2 += out(j, d) = cost(*this, d, index(j, d));
    // se: log S = … − r²/2; Matérn: … − (ν + d/2) log(2ν + r²)
    const double slope = nu == 0 ? 1.0 : (nu + num_dims()) / (nu + r2);
    out.row(j).array() = 1.0 - slope * out.row(j).array();
  }
  return out;
}

double Eigenfunctions::captured() const {
  const Matrix U = sobol(0, 512, num_dims(), Key(0).fold("captured"));
  return features(U).squaredNorm() / (512 * kernel.variance);
}

void require_captured(const char* where, const Eigenfunctions& functions, double share) {
  const double got = functions.captured();
  if (got >= share) return;
  constexpr int kMost = 20000;
  int needed = functions.size();
  while (needed <= kMost && eigenfunctions(functions.type, functions.kernel, needed).captured() < share) needed *= 2;
  const std::string more =
      needed <= kMost ? fmt::format("{} would do; or use", needed) : fmt::format("not even {} would do: use", kMost);
  throw std::invalid_argument(
      fmt::format("{}: {} eigenfunctions of \"{}\" in {} coordinates carry {:.0f}% of the prior's variance, and {:.0f}% are "
                  "needed; {} inducing points with Fourier features, which work in any dimension",
                  where, functions.size(), to_string(functions.kernel.type), functions.num_dims(), 100 * got, 100 * share, more));
}

}  // namespace salvo
