#include "model/selection.h"

#include <gtest/gtest.h>
#include <salvo/sparse_gp.h>

#include <set>

#include "data.h"
#include "reference.h"

namespace salvo {
namespace {

using testing::uniform;

std::set<std::vector<double>> as_set(const Matrix& X) {
  std::set<std::vector<double>> out;
  for (Eigen::Index i = 0; i < X.rows(); ++i) out.emplace(X.row(i).data(), X.row(i).data() + X.cols());
  return out;
}

const Inducing kWays[] = {Inducing::automatic, Inducing::kmeans, Inducing::greedy, Inducing::coverage};

TEST(ChooseInducing, NeverReturnsDuplicatesNorMoreThanAsked) {
  Matrix X(300, 2);
  X << uniform(100, 2, Key(1)), uniform(100, 2, Key(1)), Matrix::Constant(100, 2, 0.5);  // 101 distinct rows
  const Kernel kernel{KernelType::matern52, 1.0, Vector::Constant(2, 0.3)};
  const Vector y = testing::normal(300, Key(2));
  for (const Inducing how : kWays)
    for (const int m : {1, 2, 7, 50, 100, 101, 300}) {
      const Matrix Z = choose_inducing(how, kernel, X, y, m, Key(3));
      EXPECT_LE(Z.rows(), std::min(m, 101)) << to_string(how);
      EXPECT_GE(Z.rows(), 1);
      EXPECT_EQ(static_cast<Eigen::Index>(as_set(Z).size()), Z.rows()) << to_string(how) << " m " << m;
      if (m >= 101) {
        EXPECT_EQ(as_set(Z), as_set(X));  // small studies are exact
      }
    }
}

TEST(ChooseInducing, NamesRoundTrip) {
  for (const Inducing how : kWays) EXPECT_EQ(inducing(to_string(how)), how);
  EXPECT_THROW((void)inducing("kmean"), std::invalid_argument);
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
  const Matrix Z = greedy_variance(kernel, X, 12, Key(7));
  for (int j = 1; j < 12; ++j) {
    const Matrix before = Z.topRows(j);
    const Eigen::MatrixXd Kxz = reference::dense_gram(kernel, X, before);
    const Vector left =
        kernel.variance - (Kxz * reference::dense_gram(kernel, before, before).llt().solve(Kxz.transpose())).diagonal().array();
    const Eigen::MatrixXd kz = reference::dense_gram(kernel, Z.row(j), before);
    const double mine = kernel.variance - (kz * reference::dense_gram(kernel, before, before).llt().solve(kz.transpose()))(0, 0);
    EXPECT_NEAR(mine, left.maxCoeff(), 1e-10);
  }
}

TEST(GreedyVariance, StopsWhenNothingIsLeft) {
  Matrix X(60, 1);
  for (int i = 0; i < 60; ++i) X(i, 0) = i / 60.0;
  const Kernel smooth{KernelType::se, 1.0, Vector::Constant(1, 5.0)};  // numerically of rank ~6
  EXPECT_LT(greedy_variance(smooth, X, 60, Key(1)).rows(), 20);
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
