#include <fmt/core.h>
#include <salvo/fourier.h>
#include <salvo/paths.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <stdexcept>

#include "compute/eigen_tables.h"
#include "compute/rows.h"
#include "math/linalg.h"
#include "math/parallel.h"

namespace salvo {

void PathOptions::validate() const {
  if (num_paths < 1) throw std::invalid_argument(fmt::format("PathOptions: num_paths must be at least 1, got {}", num_paths));
  if (num_features < 1)
    throw std::invalid_argument(fmt::format("PathOptions: num_features must be at least 1, got {}", num_features));
  if (!(alpha >= 0) || !std::isfinite(alpha))
    throw std::invalid_argument(fmt::format("PathOptions: alpha must be finite and not negative, got {}", alpha));
}

namespace {

Matrix normals(Eigen::Index rows, Eigen::Index cols, Key key) {
  Matrix out(rows, cols);
  key.fill_normal({out.data(), static_cast<std::size_t>(out.size())});
  return out;
}

Paths without_parts(const SparseGp& gp, Eigen::Index B) {
  const Eigen::Index d = gp.Z().cols();
  Paths paths;
  paths.kernel = gp.hyper().kernel;
  paths.mean = gp.hyper().mean;
  paths.trend = gp.trend();
  paths.W.resize(0, d);
  paths.Z.resize(0, d);
  paths.w.resize(B, 0);
  paths.v.resize(B, 0);
  paths.e.resize(B, 0);
  return paths;
}

// R⁻ᵀ(c + αε) [m,B]: L⁻¹ times a draw of u, its spread scaled by α.
Matrix whitened_draws(const SparseGp& gp, const PathOptions& options, Key key) {
  Matrix E = options.alpha * normals(options.num_paths, gp.num_inducing(), key.fold("update")).transpose();
  E.colwise() += gp.c();
  solve_lower(gp.R(), Trans::yes, E);
  return E;
}

// Adds the prior's features and their weights; returns α Φ_Z w [m,B].
Matrix draw_prior(const SparseGp& gp, const PathOptions& options, Key key, Paths& paths) {
  const Eigen::Index B = options.num_paths, M = options.num_features;
  const Matrix w = options.alpha * normals(B, M, key.fold("weights"));
  if (options.features == FeatureType::eigen) {
    paths.eigen = eigenfunctions(options.eigenfunctions, paths.kernel, options.num_features);
    paths.e = w;
    return product(paths.eigen.features(gp.Z()), Trans::no, w, Trans::yes);
  }
  FourierFeatures features = fourier_features(paths.kernel, options.num_features, key.fold("features"), options.features);
  paths.w = w * features.scale;
  Matrix F = product(features.cosines(gp.Z()), Trans::no, paths.w, Trans::yes);
  paths.W = std::move(features.W);
  paths.b = std::move(features.b);
  return F;
}

// Rule (5), docs/math.md §5: v = L⁻ᵀ( R⁻ᵀ(c + αε) − L⁻¹ α Φ_Z w ).
Paths inducing_points_paths(const SparseGp& gp, const PathOptions& options, Key key) {
  Paths paths = without_parts(gp, options.num_paths);
  paths.Z = gp.Z();
  Matrix E = whitened_draws(gp, options, key);
  Matrix F = draw_prior(gp, options, key, paths);
  solve_lower(gp.L(), Trans::no, F);
  E -= F;
  solve_lower(gp.L(), Trans::yes, E);
  paths.v = E.transpose();
  return paths;
}

// Rule (6): the first m weights from q(u), the others from the prior.
Paths inducing_features_paths(const SparseGp& gp, const PathOptions& options, Key key) {
  const Eigen::Index B = options.num_paths, M = options.num_features, m = gp.num_inducing();
  if (M < m)
    throw std::invalid_argument(
        fmt::format("draw_paths: a path needs at least the model's own features: expected num_features ≥ {} (num_inducing), got "
                    "{}. Use more features or fewer inducing ones",
                    m, M));
  Paths paths = without_parts(gp, B);
  paths.eigen = extended(*gp.eigenfunctions(), options.num_features);
  paths.e = options.alpha * normals(B, M, key.fold("weights"));
  paths.e.leftCols(m) = whitened_draws(gp, options, key).transpose();
  return paths;
}

}  // namespace

Paths draw_paths(const SparseGp& gp, const PathOptions& options, Key key) {
  options.validate();
  return gp.eigenfunctions() ? inducing_features_paths(gp, options, key) : inducing_points_paths(gp, options, key);
}

Paths merged_pairs(Paths paths) {
  const Eigen::Index M = paths.W.rows(), pairs = M / 2, B = paths.w.rows();
  for (Eigen::Index k = 0; k < pairs; ++k)
    if (paths.W.row(2 * k) != paths.W.row(2 * k + 1)) return paths;
  if (M < 2) return paths;
  const Eigen::Index rest = M - pairs;  // with the last of an odd number
  Matrix W(rest, paths.W.cols()), w(B, rest), own(B, rest);
  for (Eigen::Index k = 0; k < rest; ++k) {
    const Eigen::Index i = 2 * k, j = i + 1;
    const auto first = std::polar(1.0, paths.b(i)), second = j < M ? std::polar(1.0, paths.b(j)) : 0.0;
    W.row(k) = paths.W.row(i);
    for (Eigen::Index p = 0; p < B; ++p) {
      const std::complex<double> sum = paths.w(p, i) * first + (j < M ? paths.w(p, j) : 0.0) * second;
      w(p, k) = std::abs(sum);
      own(p, k) = std::arg(sum);
    }
  }
  paths.W = std::move(W);
  paths.w = std::move(w);
  paths.own_b = std::move(own);
  return paths;
}

Matrix Paths::values(const Matrix& X) const {
  if (own_b.rows() > 0) throw std::logic_error("Paths::values: paths with merged pairs can be evaluated one by one only");
  const FourierFeatures features{W, b, 1.0};
  Matrix out(X.rows(), size());
  constexpr Eigen::Index kRows = 512;  // of features held at once
  for (Eigen::Index begin = 0; begin < X.rows(); begin += kRows) {
    const Matrix chunk = X.middleRows(begin, std::min(kRows, X.rows() - begin));
    Matrix V = Matrix::Zero(chunk.rows(), size());
    if (w.cols() > 0) gemm(1.0, features.cosines(chunk), Trans::no, w, Trans::yes, 0.0, V);
    if (e.cols() > 0) gemm(1.0, eigen.features(chunk), Trans::no, e, Trans::yes, 1.0, V);
    if (v.cols() > 0) gemm(1.0, gram(kernel, chunk, Z), Trans::no, v, Trans::yes, 1.0, V);
    if (!trend.empty()) V.colwise() += trend.values(chunk);
    out.middleRows(begin, chunk.rows()) = V.array() + mean;
  }
  return out;
}

void Paths::evaluate(const Matrix& X, const std::vector<int>& index, Vector& values, Matrix* gradients) const {
  const auto d = static_cast<std::size_t>(X.cols());
  const auto M = static_cast<std::size_t>(W.rows()), m = static_cast<std::size_t>(Z.rows());
  const ScaledPoints<double> frequencies(W, Vector::Ones(X.cols())), inducing(Z, kernel.lengthscales);
  values.resize(X.rows());
  if (gradients) gradients->setZero(X.rows(), X.cols());
  parallel_blocks(X.rows(), 8, [&](Eigen::Index begin, Eigen::Index end) {
    static thread_local std::vector<double> buffer;
    buffer.resize(3 * M + m + num_slopes(kernel.type, inducing) + 2 * d);
    double *phase = buffer.data(), *wave = phase + M, *scratch = wave + M, *k = scratch + M, *g = k + m;
    double *x = g + num_slopes(kernel.type, inducing), *part = x + d;  // of the gradient
    EigenTables tables(eigen);
    for (Eigen::Index i = begin; i < end; ++i) {
      const int p = index[static_cast<std::size_t>(i)];
      double value = mean;
      if (M > 0) {
        phases(X.row(i).data(), frequencies, own_b.rows() > 0 ? own_b.row(p).data() : b.data(), phase);
        cosines(phase, static_cast<int>(M), wave);
        value += weighted_sum(w.row(p).data(), wave, static_cast<int>(M));
        if (gradients) {
          sines(phase, static_cast<int>(M), wave);
          frequency_sum(frequencies, w.row(p).data(), wave, scratch, part);
          gradients->row(i) += Eigen::Map<const Eigen::RowVectorXd>(part, X.cols());
        }
      }
      if (e.cols() > 0) {
        value += tables.sum(X.row(i).data(), e.row(p).data(), gradients ? part : nullptr);
        if (gradients) gradients->row(i) += Eigen::Map<const Eigen::RowVectorXd>(part, X.cols());
      }
      if (m > 0) {
        for (std::size_t j = 0; j < d; ++j)
          x[j] = X(i, static_cast<Eigen::Index>(j)) / kernel.lengthscales(static_cast<Eigen::Index>(j));
        kernel_row(kernel.type, kernel.variance, x, inducing, k, gradients ? g : nullptr);
        value += kernel_sum(kernel.type, x, inducing, v.row(p).data(), k, g, gradients ? part : nullptr);
        if (gradients)
          gradients->row(i).array() +=
              Eigen::Map<const Eigen::ArrayXd>(part, X.cols()).transpose() / kernel.lengthscales.transpose().array();
      }
      values(i) = value;
    }
  });
  trend.add_to(X, values, gradients);
}

}  // namespace salvo
