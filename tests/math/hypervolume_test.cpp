#include "math/hypervolume.h"

#include <gtest/gtest.h>
#include <salvo/random.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace salvo {
namespace {

constexpr int kMost = 6;

Matrix uniform(Eigen::Index n, Eigen::Index M, Key key) {
  Matrix Y(n, M);
  key.fill_uniform({Y.data(), static_cast<std::size_t>(Y.size())});
  return Y;
}

// Rows that hardly beat each other: near the sphere.
Matrix spherical(Eigen::Index n, Eigen::Index M, Key key) {
  Matrix Y = uniform(n, M, key);
  for (Eigen::Index i = 0; i < n; ++i) Y.row(i) /= Y.row(i).norm();
  return Y;
}

// Small whole numbers: many are equal in one objective or in all of them.
Matrix whole(Eigen::Index n, Eigen::Index M, Key key, double most) {
  return (uniform(n, M, key).array() * most).floor().matrix();
}

std::vector<Matrix> fronts(Eigen::Index n, Eigen::Index M, std::uint64_t seed) {
  const Key key = Key(seed).fold(static_cast<std::uint64_t>(M));
  return {uniform(n, M, key.fold("box")), spherical(n, M, key.fold("ball")), whole(n, M, key.fold("grid"), 4)};
}

Matrix without(const Matrix& Y, Eigen::Index i) {
  Matrix rest(Y.rows() - 1, Y.cols());
  rest << Y.topRows(i), Y.bottomRows(Y.rows() - 1 - i);
  return rest;
}

Matrix with(const Matrix& Y, const Eigen::RowVectorXd& y) {
  Matrix more(Y.rows() + 1, y.size());
  more.topRows(Y.rows()) = Y;
  more.row(Y.rows()) = y;
  return more;
}

// Of the union of boxes, by the volumes of what each set of them has in common.
double by_inclusion_and_exclusion(const Matrix& Y, const Vector& reference) {
  double sum = 0;
  for (unsigned set = 1; set < (1U << Y.rows()); ++set) {
    Vector corner = Vector::Constant(Y.cols(), std::numeric_limits<double>::infinity());
    int members = 0;
    for (Eigen::Index i = 0; i < Y.rows(); ++i)
      if (set >> i & 1U) {
        corner = corner.cwiseMin(Y.row(i).transpose());
        ++members;
      }
    sum += (members % 2 ? 1 : -1) * (corner - reference).cwiseMax(0).prod();
  }
  return sum;
}

bool dominated(const Matrix& Y, const Eigen::RowVectorXd& y) {
  for (Eigen::Index i = 0; i < Y.rows(); ++i)
    if ((Y.row(i).array() >= y.array()).all()) return true;
  return false;
}

TEST(Hypervolume, IsThatOfTheUnionOfBoxes) {
  for (Eigen::Index M = 1; M <= kMost; ++M)
    for (std::uint64_t seed = 0; seed < 10; ++seed)
      for (const Matrix& Y : fronts(9, M, seed)) {
        const Vector reference = Vector::Constant(M, 0.1);
        const double naive = by_inclusion_and_exclusion(Y, reference);
        // 2⁹ terms none of which is larger than the box around all rows, each rounded.
        const double scale = (Y.colwise().maxCoeff().transpose() - reference).cwiseMax(0).prod();
        EXPECT_NEAR(hypervolume(Y, reference), naive, 512 * 1e-16 * scale * static_cast<double>(M)) << "M = " << M;
      }
}

// The share of N random points that lie below a row: a binomial's, within five of its deviations.
TEST(Hypervolume, IsTheShareOfRandomPointsBelowTheFront) {
  constexpr Eigen::Index N = 20000;
  for (Eigen::Index M = 2; M <= 5; ++M) {
    const Matrix Y = spherical(60, M, Key(1)), X = uniform(N, M, Key(2));
    const double exact = hypervolume(Y, Vector::Zero(M));
    double below = 0;
    for (Eigen::Index i = 0; i < N; ++i) below += dominated(Y, X.row(i)) ? 1 : 0;
    EXPECT_NEAR(below / N, exact, 5 * std::sqrt(exact * (1 - exact) / N)) << "M = " << M;
  }
}

TEST(Hypervolume, DoesNotDependOnTheOrderOfRowsOrObjectives) {
  for (Eigen::Index M = 1; M <= 5; ++M)
    for (const Matrix& Y : fronts(30, M, 3)) {
      const Vector reference = Vector::LinSpaced(M, 0.05, 0.2);
      const double volume = hypervolume(Y, reference);
      const Vector losses = hypervolume_losses(Y, reference);
      const Matrix turned = Y.colwise().reverse(), swapped = Y.rowwise().reverse();
      const double tolerance = 1e-13 * (1 + volume);
      EXPECT_NEAR(hypervolume(turned, reference), volume, tolerance);
      EXPECT_NEAR(hypervolume(swapped, reference.reverse()), volume, tolerance);
      EXPECT_LE((hypervolume_losses(turned, reference).reverse() - losses).cwiseAbs().maxCoeff(), tolerance);
      EXPECT_LE((hypervolume_losses(swapped, reference.reverse()) - losses).cwiseAbs().maxCoeff(), tolerance);
    }
}

TEST(Hypervolume, GrowsWithEveryScale) {
  for (Eigen::Index M = 1; M <= 5; ++M) {
    const Matrix Y = spherical(25, M, Key(4));
    const Vector scale = Vector::LinSpaced(M, 1e-6, 1e6), shift = Vector::LinSpaced(M, -3, 5);
    const Matrix moved = (Y * scale.asDiagonal()).rowwise() + shift.transpose();
    // Moved by up to 5 with a scale of 1e-6, a value keeps ten digits.
    EXPECT_NEAR(hypervolume(moved, shift) / (scale.prod() * hypervolume(Y, Vector::Zero(M))), 1, 1e-9);
  }
}

TEST(Nondominated, AreTheRowsThatNoOtherBeatsAndTheFirstOfEqualOnes) {
  for (Eigen::Index M = 1; M <= 5; ++M)
    for (const Matrix& Y : fronts(80, M, 5)) {
      std::vector<Eigen::Index> expected;
      for (Eigen::Index i = 0; i < Y.rows(); ++i) {
        bool beaten = dominated(Y.topRows(i), Y.row(i));
        for (Eigen::Index k = i + 1; k < Y.rows(); ++k)
          beaten = beaten || ((Y.row(k).array() >= Y.row(i).array()).all() && Y.row(k) != Y.row(i));
        if (!beaten) expected.push_back(i);
      }
      EXPECT_EQ(nondominated(Y), expected) << "M = " << M;
    }
}

TEST(HypervolumeLosses, AreWhatIsMissingWithoutTheRow) {
  for (Eigen::Index M = 1; M <= 5; ++M)
    for (const Matrix& Y : fronts(25, M, 6)) {
      const Vector reference = Vector::Constant(M, 0.2), losses = hypervolume_losses(Y, reference);
      const double all = hypervolume(Y, reference);
      for (Eigen::Index i = 0; i < Y.rows(); ++i)
        EXPECT_NEAR(losses(i), all - hypervolume(without(Y, i), reference), 1e-13 * (1 + all)) << "M = " << M << ", row " << i;
    }
}

// (3,1) hides (2,1) alone: without it that one still counts. Of two equal rows none is missed.
TEST(HypervolumeLosses, CountWhatARowAloneHadHidden) {
  Matrix Y(5, 2);
  Y << 3, 1, 2, 1, 1, 3, 1, 3, -5, 9;
  const Vector losses = hypervolume_losses(Y, Vector::Zero(2));
  EXPECT_EQ(losses, (Vector(5) << 1, 0, 0, 0, 0).finished());
}

TEST(Undominated, AddsWhatARowAddsToTheHypervolume) {
  for (Eigen::Index M = 1; M <= 5; ++M)
    for (std::uint64_t seed = 0; seed < 4; ++seed)
      for (const Matrix& Y : fronts(20, M, 7 + seed)) {
        const Vector reference = Vector::Constant(M, 0.15);
        const Boxes boxes = undominated(Y, reference);
        const double before = hypervolume(Y, reference);
        for (const double most : {1.0, 1.5, 5.0}) {
          const Matrix X = most * uniform(20, M, Key(seed).fold("new"));
          for (Eigen::Index i = 0; i < X.rows(); ++i) {
            const double after = hypervolume(with(Y, X.row(i)), reference);
            EXPECT_NEAR(improvement(boxes, X.row(i)), after - before, 1e-13 * (1 + after)) << "M = " << M;
          }
        }
        for (Eigen::Index i = 0; i < Y.rows(); ++i) EXPECT_EQ(improvement(boxes, Y.row(i)), 0);
      }
}

TEST(Undominated, BoxesAreDisjointAndHoldWhatNoRowDominates) {
  for (Eigen::Index M = 1; M <= 4; ++M)
    for (const Matrix& Y : fronts(15, M, 8)) {
      const Vector reference = Vector::Constant(M, 0.1);
      const Boxes boxes = undominated(Y, reference);
      const Matrix X = 1.3 * uniform(500, M, Key(9));
      for (Eigen::Index i = 0; i < X.rows(); ++i) {
        int inside = 0;
        for (Eigen::Index k = 0; k < boxes.lower.rows(); ++k)
          inside +=
              ((X.row(i).array() > boxes.lower.row(k).array()).all() && (X.row(i).array() < boxes.upper.row(k).array()).all())
                  ? 1
                  : 0;
        const bool open = (X.row(i).transpose().array() > reference.array()).all() && !dominated(Y, X.row(i));
        EXPECT_EQ(inside, open ? 1 : 0) << "M = " << M;
      }
    }
}

// In general position: n+1 strips; 2n+1 boxes (Yang, Emmerich, Deutz and Bäck 2019).
TEST(Undominated, HasFewBoxes) {
  for (const Eigen::Index n : {1, 10, 100, 300}) {
    EXPECT_EQ(undominated(spherical(n, 2, Key(10)), Vector::Zero(2)).lower.rows(), n + 1);
    EXPECT_LE(undominated(spherical(n, 3, Key(10)), Vector::Zero(3)).lower.rows(), 2 * n + 1);
  }
  EXPECT_EQ(undominated(spherical(100, 1, Key(10)), Vector::Zero(1)).lower.rows(), 1);
}

TEST(Improvement, HasTheGradientOfItsDifferences) {
  constexpr double step = 1e-6;
  for (Eigen::Index M = 1; M <= 5; ++M) {
    const Matrix Y = spherical(20, M, Key(11)), X = 1.2 * uniform(30, M, Key(12));
    const Boxes boxes = undominated(Y, Vector::Zero(M));
    for (Eigen::Index i = 0; i < X.rows(); ++i) {
      Eigen::RowVectorXd gradient, x = X.row(i);
      const double value = improvement(boxes, x, &gradient);
      EXPECT_EQ(value, improvement(boxes, x));
      for (Eigen::Index j = 0; j < M; ++j) {
        Eigen::RowVectorXd up = x, down = x;
        up(j) += step;
        down(j) -= step;
        // Linear in each objective between corners, so a difference is exact up to rounding, 1e-16 / step and some terms.
        EXPECT_NEAR(gradient(j), (improvement(boxes, up) - improvement(boxes, down)) / (2 * step), 1e-7);
      }
    }
  }
}

TEST(Hypervolume, OfNothingIsNothing) {
  for (Eigen::Index M = 1; M <= kMost; ++M) {
    const Vector reference = Vector::Constant(M, 1);
    const Matrix low = Matrix::Constant(3, M, 0.5), level = Matrix::Constant(2, M, 1);
    for (const Matrix& Y : {Matrix(0, M), Matrix(0, 0), low, level}) {
      EXPECT_EQ(hypervolume(Y, reference), 0);
      EXPECT_TRUE((hypervolume_losses(Y, reference).array() == 0).all());
      const Boxes boxes = undominated(Y, reference);
      ASSERT_EQ(boxes.lower.rows(), 1);
      EXPECT_EQ(improvement(boxes, Eigen::RowVectorXd::Constant(M, 3)), std::pow(2, M));
      EXPECT_EQ(improvement(boxes, Eigen::RowVectorXd::Constant(M, 1)), 0);
    }
  }
  EXPECT_TRUE(nondominated(Matrix(0, 2)).empty());
}

TEST(Hypervolume, RefusesWhatIsNoNumberAndSizesThatDoNotFit) {
  Matrix Y = uniform(3, 2, Key(13));
  EXPECT_THROW((void)hypervolume(Y, Vector::Zero(3)), std::invalid_argument);
  EXPECT_THROW((void)hypervolume(Y, Vector::Zero(0)), std::invalid_argument);
  EXPECT_THROW((void)hypervolume(uniform(3, 7, Key(13)), Vector::Zero(7)), std::invalid_argument);
  EXPECT_THROW((void)hypervolume(Y, Vector::Constant(2, std::nan(""))), std::invalid_argument);
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    Y(2, 1) = bad;
    EXPECT_THROW((void)hypervolume(Y, Vector::Zero(2)), std::invalid_argument);
    EXPECT_THROW((void)hypervolume_losses(Y, Vector::Zero(2)), std::invalid_argument);
    EXPECT_THROW((void)undominated(Y, Vector::Zero(2)), std::invalid_argument);
    EXPECT_THROW((void)nondominated(Y), std::invalid_argument);
  }
  EXPECT_EQ(improvement(undominated(Matrix(0, 2), Vector::Zero(2)), Eigen::RowVector2d(std::nan(""), 1)), 0);
}

// Rows on a plane: the hypervolume of a grid of them has a closed form, of as many as a study's front may have.
TEST(Hypervolume, OfManyRowsOnALine) {
  constexpr Eigen::Index n = 4000;
  Matrix Y(n, 2);
  for (Eigen::Index i = 0; i < n; ++i) Y.row(i) << static_cast<double>(i + 1), static_cast<double>(n - i);
  EXPECT_EQ(hypervolume(Y, Vector::Zero(2)), static_cast<double>(n) * (n + 1) / 2);
  EXPECT_TRUE((hypervolume_losses(Y, Vector::Zero(2)).array() == 1).all());
}

}  // namespace
}  // namespace salvo
