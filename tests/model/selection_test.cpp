#include "model/selection.h"

#include <gtest/gtest.h>
#include <salvo/sparse_gp.h>

#include <map>
#include <set>

#include "model/bound.h"
#include "support/data.h"
#include "support/reference.h"

namespace salvo {
namespace {

using testing::uniform;

std::set<std::vector<double>> as_set(const Matrix& X) {
  std::set<std::vector<double>> out;
  for (Eigen::Index i = 0; i < X.rows(); ++i) out.emplace(X.row(i).data(), X.row(i).data() + X.cols());
  return out;
}

TEST(ChooseInducing, NeverReturnsDuplicatesNorMoreThanAsked) {
  Matrix X(300, 2);
  X << uniform(100, 2, Key(1)), uniform(100, 2, Key(1)), Matrix::Constant(100, 2, 0.5);  // 101 distinct rows
  const Kernel kernel{KernelType::matern52, 1.0, Vector::Constant(2, 0.3)};
  const Vector y = testing::normal(300, Key(2));
  for (const auto& [how, name] : Names<Inducing>::list)
    for (const int m : {1, 2, 7, 50, 100, 101, 300}) {
      const Matrix Z = choose_inducing(how, kernel, X, y, m, Key(3));
      EXPECT_LE(Z.rows(), std::min(m, 101)) << name;
      EXPECT_GE(Z.rows(), 1);
      EXPECT_EQ(static_cast<Eigen::Index>(as_set(Z).size()), Z.rows()) << name << " m " << m;
      if (m >= 101) {
        EXPECT_EQ(as_set(Z), as_set(X));  // small studies are exact
      }
    }
}

TEST(ChooseInducing, NamesRoundTrip) {
  for (const auto& [how, name] : Names<Inducing>::list) EXPECT_EQ(parse<Inducing>(to_string(how)), how);
  EXPECT_THROW((void)parse<Inducing>("kmean"), std::invalid_argument);
}

TEST(Kmeans, ErrorIsBelowThatOfARandomSubset) {
  const Matrix X = uniform(1000, 3, Key(4));
  const Kernel kernel{KernelType::se, 1.0, Vector::Ones(3)};
  const auto error = [&](const Matrix& Z) {
    double sum = 0;
    for (Eigen::Index i = 0; i < X.rows(); ++i) sum += (Z.rowwise() - X.row(i)).rowwise().squaredNorm().minCoeff();
    return sum;
  };
  for (const Seeding seeding : {Seeding::spread, Seeding::random})
    EXPECT_LT(error(kmeans(kernel, X, 40, seeding, Key(5))), 0.8 * error(X.topRows(40)));
}

// Each pick is the point of largest conditional variance given those before: checked against a dense formula.
TEST(GreedyVariance, EachPickHasTheLargestConditionalVariance) {
  const Matrix X = uniform(80, 2, Key(6));
  const Kernel kernel{KernelType::matern32, 1.3, Vector::Constant(2, 0.4)};
  const Matrix Z = greedy_variance(kernel, X, {}, 12, Key(7));
  for (int j = 1; j < 12; ++j) {
    const Matrix before = Z.topRows(j);
    const Eigen::MatrixXd Kxz = reference::dense_gram(kernel, X, before);
    const Eigen::MatrixXd Kzz = reference::dense_gram(kernel, before, before);
    const Vector left = kernel.variance - (Kxz * reference::solve(Kzz, Kxz.transpose())).diagonal().array();
    const Eigen::MatrixXd kz = reference::dense_gram(kernel, Z.row(j), before);
    const double mine = kernel.variance - (kz * reference::solve(Kzz, kz.transpose()))(0, 0);
    EXPECT_NEAR(mine, left.maxCoeff(), 1e-10);
  }
}

// Written without blocks: the rows that the textbook's pivoted Cholesky factorisation picks, weighted or not.
std::vector<Eigen::Index> textbook_pivots(const Eigen::MatrixXd& K, const Vector& weights, int m) {
  Eigen::MatrixXd V = Eigen::MatrixXd::Zero(K.rows(), m);
  Vector left = K.diagonal();
  std::vector<Eigen::Index> picks;
  for (int j = 0; j < m; ++j) {
    Eigen::Index pick = 0;
    left.cwiseProduct(weights).maxCoeff(&pick);
    picks.push_back(pick);
    V.col(j) = (K.col(pick) - V.leftCols(j) * V.row(pick).head(j).transpose()) / std::sqrt(left(pick));
    left -= V.col(j).cwiseAbs2();
    left(pick) = 0;
  }
  return picks;
}

TEST(GreedyVariance, EqualsPivotedCholeskyOfTheGramMatrix) {
  const Matrix X = uniform(900, 3, Key(16));
  for (const KernelType type : testing::kAllKernels) {
    const Kernel kernel{type, 2.0, Vector::Constant(3, 0.2)};
    const Eigen::MatrixXd K = reference::dense_gram(kernel, X, X);
    const Vector weights = uniform(900, 1, Key(17)).col(0);
    // 150 picks: more than one panel, from more rows than a round looks at.
    EXPECT_EQ(greedy_rows(kernel, X, {}, 150, Key(1)), textbook_pivots(K, Vector::Ones(900), 150)) << to_string(type);
    EXPECT_EQ(greedy_rows(kernel, X, weights, 150, Key(1)), textbook_pivots(K, weights, 150)) << to_string(type);
  }
}

TEST(GreedyVariance, StopsWhenNothingIsLeft) {
  Matrix X(60, 1);
  for (int i = 0; i < 60; ++i) X(i, 0) = i / 60.0;
  const Kernel smooth{KernelType::se, 1.0, Vector::Constant(1, 5.0)};  // numerically of rank ~6
  EXPECT_LT(greedy_variance(smooth, X, {}, 60, Key(1)).rows(), 20);
}

// All 20 sets of 3 of 6 points: the chain visits each as often as its determinant says.
TEST(Kdpp, ChainHasTheProbabilitiesOfTheDeterminants) {
  const Matrix X = uniform(6, 2, Key(9));
  const Kernel kernel{KernelType::matern52, 1.5, Vector::Constant(2, 0.5)};
  const Eigen::MatrixXd K = reference::dense_gram(kernel, X, X) + 1e-6 * kernel.variance * Eigen::MatrixXd::Identity(6, 6);
  std::map<std::set<std::vector<double>>, double> chance, count;
  double total = 0;
  for (int a = 0; a < 6; ++a)
    for (int b = a + 1; b < 6; ++b)
      for (int c = b + 1; c < 6; ++c) {
        const std::vector<int> s{a, b, c};
        const double det = reference::determinant(K(s, s));
        chance[as_set(X(s, Eigen::all))] = det;
        total += det;
      }
  const int runs = 20000;
  for (int r = 0; r < runs; ++r) count[as_set(kdpp(kernel, X, 3, 60, Key(10).fold(static_cast<std::uint64_t>(r))))] += 1;
  for (const auto& [set, det] : chance) {
    const double p = det / total;
    // Binomial: four and a half deviations for the worst of twenty sets. Sixty steps leave a bias far below that.
    EXPECT_NEAR(count[set] / runs, p, 4.5 * std::sqrt(p * (1 - p) / runs));
  }
}

TEST(Kdpp, KeepsItsInverseRightOverManyExchanges) {
  const Matrix X = uniform(400, 2, Key(11));
  const Kernel kernel{KernelType::se, 1.0, Vector::Constant(2, 0.2)};
  const Matrix Z = kdpp(kernel, X, 40, 5000, Key(12));
  EXPECT_EQ(as_set(Z).size(), 40U);
  // A typical sample is far more diverse than a random subset of the same size.
  const auto log_det = [&](const Matrix& S) {
    Eigen::MatrixXd K = reference::dense_gram(kernel, S, S);
    K.diagonal().array() += 1e-6;
    const Eigen::MatrixXd L = reference::cholesky(K);
    return 2 * L.diagonal().array().log().sum();
  };
  EXPECT_GT(log_det(Z), log_det(uniform_rows(X, 40, Key(13))) + 10);
  EXPECT_LT(log_det(Z), log_det(greedy_variance(kernel, X, {}, 40, Key(14))));  // greedy is nearly the mode
}

TEST(ChooseInducing, GradientNeverLoosensTheBound) {
  const auto data = testing::wavy(300, 2, 0.3, 15);
  const Hyperparameters h = testing::hyper(KernelType::matern52, 2);
  const auto bound = [&](Inducing how) {
    return bound_gradient(h, choose_inducing(how, h, data.X, data.y, 15, Key(16)), data.X, data.y).bound;
  };
  EXPECT_GT(bound(Inducing::gradient), bound(Inducing::coverage));
}

TEST(ChooseInducing, GradientByZEqualsFiniteDifferences) {
  const auto data = testing::wavy(200, 2, 0.3, 17);
  for (const KernelType type : testing::kAllKernels) {
    const Hyperparameters h = testing::hyper(type, 2);
    const Matrix Z = uniform(10, 2, Key(18));
    Matrix G;
    (void)bound_gradient(h, Z, data.X, data.y, &G);
    for (int j = 0; j < 10; j += 3)
      for (int d = 0; d < 2; ++d) {
        const auto moved = [&](double step) {
          Matrix at = Z;
          at(j, d) += step;
          return bound_gradient(h, at, data.X, data.y).bound;
        };
        const double difference = (moved(1e-5) - moved(-1e-5)) / 2e-5;
        EXPECT_NEAR(G(j, d), difference, 1e-4 * (1 + std::abs(difference))) << to_string(type);
      }
  }
}

TEST(ChooseInducing, QualityKeepsMoreOfZNearTheBest) {
  const Matrix X = uniform(1000, 2, Key(19));
  Vector y(1000);
  for (int i = 0; i < 1000; ++i) y(i) = -20 * (X.row(i).array() - 0.8).square().sum();
  Hyperparameters h = testing::hyper(KernelType::matern52, 2);
  h.kernel.lengthscales.setConstant(0.3);
  const auto near_best = [&](Inducing how) {
    const Matrix Z = choose_inducing(how, h, X, y, 60, Key(20));
    return ((Z.array() - 0.8).square().rowwise().sum() < 0.04).count();
  };
  EXPECT_GT(near_best(Inducing::quality), near_best(Inducing::greedy));
}

TEST(FarthestPoints, CoverWithinTwiceTheBestRadius) {
  const Matrix X = uniform(500, 2, Key(8));
  const Matrix Z = farthest_points(X, X.col(0), 25);
  double radius = 0, separation = 1e9;
  for (Eigen::Index i = 0; i < X.rows(); ++i) radius = std::max(radius, (Z.rowwise() - X.row(i)).rowwise().norm().minCoeff());
  for (Eigen::Index i = 0; i < Z.rows(); ++i)
    for (Eigen::Index j = 0; j < i; ++j) separation = std::min(separation, (Z.row(i) - Z.row(j)).norm());
  EXPECT_LE(radius, separation + 1e-12);  // Gonzalez: picks are at least the final radius apart
}

}  // namespace
}  // namespace salvo
