#include <functional>

#include "backend.h"
#include "math/linalg.h"
#include "support/data.h"
#include "support/reference.h"

namespace salvo {
namespace {

using Index = Eigen::Index;
using reference::dense_gram;
using testing::hyper;
using testing::normal;
using testing::uniform;
class EveryBackendsGram : public testing::EveryBackend {};
INSTANTIATE_TEST_SUITE_P(Backends, EveryBackendsGram, ::testing::ValuesIn(testing::kBackends), testing::backend_name);

// Data on both sides of the borders of blocks and chunks (64, 128, 1024 rows on the CPU).
struct Scene {
  Kernel kernel;
  Matrix Z, X, G;
  Vector y, g;
  Vector scale{};  // of the rows of Kxz; empty: 1
  [[nodiscard]] Eigen::MatrixXd Kzx(const Kernel& k, const Matrix& points) const {
    const Eigen::MatrixXd K = dense_gram(k, points, X);
    return scale.size() == 0 ? K : Eigen::MatrixXd(K * scale.asDiagonal());
  }
};
Scene scene(KernelType type, Index n, Index m = 37) {
  Scene s{hyper(type, 3).kernel, uniform(m, 3, Key(1)), uniform(n, 3, Key(2)), {}, normal(n, Key(3)), normal(m, Key(4))};
  const Matrix half = uniform(m, m, Key(5)).array() - 0.5;
  s.G = half + half.transpose();
  return s;
}
// Both as it is and with rows that are scaled.
std::vector<Scene> scenes(KernelType type, Index n, Index m = 37) {
  std::vector<Scene> out(2, scene(type, n, m));
  out[1].scale = normal(n, Key(6)).array().exp().min(3.0);
  return out;
}
constexpr Index kSizes[] = {1, 63, 64, 1025, 2100};

double largest(const Eigen::Ref<const Eigen::MatrixXd>& A) { return A.cwiseAbs().maxCoeff(); }

TEST_P(EveryBackendsGram, GramIsTheKernelOfEveryPair) {
  for (const KernelType type : testing::kAllKernels)
    for (const Index n : kSizes) {
      const Scene s = scene(type, n);
      EXPECT_LE(largest(GetParam().gram(s.kernel, s.X, s.Z) - dense_gram(s.kernel, s.X, s.Z)), 1e-12);
    }
}

TEST_P(EveryBackendsGram, EqualPointsHaveExactlyTheKernelsVariance) {
  for (const KernelType type : testing::kAllKernels) {
    const Scene s = scene(type, 1, 100);
    const Matrix K = GetParam().gram(s.kernel, s.Z, s.Z);
    for (Index i = 0; i < K.rows(); ++i) EXPECT_DOUBLE_EQ(K(i, i), s.kernel.variance);
  }
}

// Sums of n terms of size σ⁴ or σ²|y|, scaled by up to 3²: n units of rounding at worst, and some room.
TEST_P(EveryBackendsGram, MomentsAreTheProductsOfTheDenseGram) {
  for (const KernelType type : testing::kAllKernels)
    for (const Index n : kSizes)
      for (const Scene& s : scenes(type, n)) {
        const Eigen::MatrixXd K = s.Kzx(s.kernel, s.Z);
        const GramMoments moments = GetParam().gram_moments(s.kernel, s.Z, s.X, s.y, s.scale);
        const double rounding = 1e-14 * static_cast<double>(n + 10) * 10 * (s.scale.size() == 0 ? 1 : 9);
        EXPECT_LE(largest(moments.S - K * K.transpose()), rounding);
        EXPECT_EQ(Matrix(moments.S), Matrix(moments.S.transpose()));
        EXPECT_LE(largest(moments.sy - K * s.y), rounding);
        EXPECT_LE(largest(moments.s1 - K * (s.scale.size() == 0 ? Vector::Ones(n) : s.scale)), rounding);
      }
}

TEST_P(EveryBackendsGram, WhitenedSumsAreAddedToWhatIsThere) {
  const auto check = [&](const Scene& s) {
    const double noise = 0.3;
    Eigen::MatrixXd Kzz = dense_gram(s.kernel, s.Z, s.Z);
    Kzz.diagonal().array() += 0.1;
    const Matrix L = reference::cholesky(Kzz);
    const Eigen::MatrixXd A = L.triangularView<Eigen::Lower>().solve(s.Kzx(s.kernel, s.Z)) / std::sqrt(noise);
    Matrix AAt = Matrix::Identity(L.rows(), L.rows());
    Vector Ay = Vector::Ones(L.rows());
    GetParam().add_whitened(s.kernel, s.Z, invert_lower(L), noise, s.X, s.y, AAt, Ay, s.scale);
    const Eigen::MatrixXd expected = Eigen::MatrixXd::Identity(L.rows(), L.rows()) + A * A.transpose();
    const Eigen::MatrixXd difference = (AAt - expected).triangularView<Eigen::Lower>();
    EXPECT_LE(largest(difference), 1e-11 * largest(expected));
    EXPECT_LE(largest(Ay - (A * s.y / std::sqrt(noise)) - Vector::Ones(L.rows())), 1e-11 * largest(expected));
  };
  for (const Index n : kSizes)
    for (const Scene& s : scenes(KernelType::matern52, n)) check(s);
}

// Derivative of F by central differences of `step` in log ℓ_d (d < 3) and log σ².
double difference(const std::function<double(const Kernel&)>& F, const Kernel& kernel, int d) {
  constexpr double step = 1e-5;
  const auto moved = [&](double by) {
    Kernel k = kernel;
    (d < 3 ? k.lengthscales(d) : k.variance) *= std::exp(by);
    return F(k);
  };
  return (moved(step) - moved(-step)) / (2 * step);
}

// F = Tr(G Kzx Kxz) + gᵀ Kzx y has ∂F/∂Kzx = 2 G Kzx + g yᵀ.
TEST_P(EveryBackendsGram, ContractionsWithDataAreDerivativesOfTheirScalar) {
  const auto check = [&](const Scene& s) {
    const auto F = [&](const Kernel& kernel, const Matrix& Z) {
      const Eigen::MatrixXd K = s.Kzx(kernel, Z);
      return (s.G * K * K.transpose()).trace() + s.g.dot(K * s.y);
    };
    const KernelGradient gradient = GetParam().contract_data(s.kernel, s.Z, s.X, s.y, s.G, s.g, s.scale);
    for (int d = 0; d < 4; ++d) {
      const double expected = difference([&](const Kernel& k) { return F(k, s.Z); }, s.kernel, d);
      EXPECT_NEAR(d < 3 ? gradient.log_lengthscales(d) : gradient.log_variance, expected, 1e-5 * (1 + std::abs(expected)));
    }
    const Matrix by_Z = GetParam().contract_data_points(s.kernel, s.Z, s.X, s.y, s.G, s.g, s.scale);
    for (const Index j : {0L, 19L})
      for (Index d = 0; d < 3; ++d) {
        constexpr double step = 1e-6;
        Matrix up = s.Z, down = s.Z;
        up(j, d) += step;
        down(j, d) -= step;
        const double expected = (F(s.kernel, up) - F(s.kernel, down)) / (2 * step);
        EXPECT_NEAR(by_Z(j, d), expected, 1e-5 * (1 + std::abs(expected)));
      }
  };
  for (const KernelType type : testing::kAllKernels)
    for (const Index n : {5L, 300L})
      for (const Scene& s : scenes(type, n, 20)) check(s);
}

// F = Σ_ij G_ij k(z_i, z_j).
TEST_P(EveryBackendsGram, ContractionsWithInducingPointsAreDerivativesOfTheirScalar) {
  for (const KernelType type : testing::kAllKernels) {
    const Scene s = scene(type, 1, 70);
    const auto F = [&](const Kernel& kernel, const Matrix& Z) { return s.G.cwiseProduct(dense_gram(kernel, Z, Z)).sum(); };
    const KernelGradient gradient = GetParam().contract_inducing(s.kernel, s.Z, s.G);
    for (int d = 0; d < 4; ++d) {
      const double expected = difference([&](const Kernel& k) { return F(k, s.Z); }, s.kernel, d);
      EXPECT_NEAR(d < 3 ? gradient.log_lengthscales(d) : gradient.log_variance, expected, 1e-5 * (1 + std::abs(expected)));
    }
    const Matrix by_Z = GetParam().contract_inducing_points(s.kernel, s.Z, s.G);
    for (const Index j : {0L, 69L})
      for (Index d = 0; d < 3; ++d) {
        constexpr double step = 1e-6;
        Matrix up = s.Z, down = s.Z;
        up(j, d) += step;
        down(j, d) -= step;
        const double expected = (F(s.kernel, up) - F(s.kernel, down)) / (2 * step);
        EXPECT_NEAR(by_Z(j, d), expected, 1e-5 * (1 + std::abs(expected)));
      }
  }
}

TEST_P(EveryBackendsGram, SameBitsOnAnyNumberOfThreads) {
  const Scene s = scenes(KernelType::matern32, 2100)[1];
  const auto [one, three] = testing::on_one_and_three_threads([&] {
    const GramMoments moments = GetParam().gram_moments(s.kernel, s.Z, s.X, s.y, s.scale);
    const KernelGradient data = GetParam().contract_data(s.kernel, s.Z, s.X, s.y, s.G, s.g, s.scale);
    Matrix AAt = Matrix::Zero(37, 37);
    Vector Ay = Vector::Zero(37);
    GetParam().add_whitened(s.kernel, s.Z, Matrix::Identity(37, 37), 0.5, s.X, s.y, AAt, Ay, s.scale);
    return std::tuple(moments.S, moments.sy, data.log_lengthscales, data.log_variance,
                      GetParam().contract_data_points(s.kernel, s.Z, s.X, s.y, s.G, s.g, s.scale), AAt, Ay);
  });
  EXPECT_TRUE(one == three);
}

}  // namespace
}  // namespace salvo
