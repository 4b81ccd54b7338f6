#include "acquire/region.h"

#include <gtest/gtest.h>
#include <salvo/threads.h>

#include <cmath>
#include <set>

#include "sample/candidates.h"

namespace salvo {
namespace {

// A model of a bowl around the middle of a mixed space.
struct Bowl {
  Encoding space{Space({{"a", Float{0, 1}}, {"b", Float{0, 1}}, {"n", Int{0, 30}}, {"c", Categorical{{"u", "v", "w"}}}})};
  Frame frame;
  SparseGp gp;

  Bowl() {
    const double angle = 0.5;
    Matrix axes(2, 2);
    axes << std::cos(angle), -std::sin(angle), std::sin(angle), std::cos(angle);
    frame = make_frame(space, Eigen::RowVectorXd::Constant(6, 0.5), axes, (Vector(2) << 0.3, 0.1).finished());
    Matrix X = random_points(space, 80, Key(3));
    const Vector y = -10 * (X.leftCols(3).array() - 0.45).square().rowwise().sum();
    const Matrix T = frame.inside(X);
    Hyperparameters hyper{.kernel = {KernelType::matern52, 1.0, Vector::Constant(6, 1.5)}, .noise = 1e-4, .mean = 0};
    gp = SparseGp(hyper, T);
    gp.condition(T, y);
  }
  [[nodiscard]] Eigen::RowVectorXd centre() const {
    Matrix x = Matrix::Constant(1, 6, 0.0);
    x(0, 0) = 0.5;
    x(0, 1) = 0.98;  // the region leaves the cube
    x(0, 2) = 0.5;
    x(0, 3) = 1;
    space.snap(row_of(x, 0));
    return x.row(0);
  }
  [[nodiscard]] Matrix search(int size, const Matrix& taken_points, double half) const {
    Taken taken(taken_points);
    Eigen::RowVectorXd sides = Eigen::RowVectorXd::Constant(6, half);
    sides.tail(3).setZero();
    return search_region({.space = space, .gp = gp, .frame = frame, .centre = centre(), .half = sides}, size, 200, 1.0, taken,
                         Key(1));
  }
};

TEST(Region, HandsOutValidDistinctPointsInsideItAndTheCube) {
  const Bowl bowl;
  const Matrix first = bowl.search(20, Matrix(0, 6), 0.2), next = bowl.search(20, first, 0.2);
  std::set<std::vector<double>> seen;
  for (const Matrix* batch : {&first, &next}) {
    for (Eigen::Index i = 0; i < batch->rows(); ++i) {
      Matrix x = batch->row(i);
      EXPECT_TRUE(seen.insert({x.data(), x.data() + 6}).second);
      bowl.space.snap(row_of(x, 0));
      EXPECT_EQ(x, Matrix(batch->row(i)));
      EXPECT_GE(x.minCoeff(), 0);
      EXPECT_LE(x.maxCoeff(), 1);
      // Where the cube's wall cuts the region off a point may be beside it, by no more than was cut off.
      const Matrix away = bowl.frame.inside(x) - bowl.frame.inside(Matrix(bowl.centre()));
      EXPECT_LE(away.leftCols(2).cwiseAbs().maxCoeff(), 2 * 0.2 + 1e-9);
      EXPECT_LE(std::abs(away(0, 2)), 0.2 + 1.0 / 30);
    }
  }
  EXPECT_EQ(seen.size(), 40U);
}

TEST(Region, FindsTheTopOfTheModelWhereThatIsInside) {
  const Bowl bowl;
  const Matrix found = bowl.search(10, Matrix(0, 6), 6.0);
  EXPECT_LT((found.leftCols(2).array() - 0.45).abs().rowwise().maxCoeff().minCoeff(), 0.05);
}

TEST(Region, DoesNotDependOnTheThreads) {
  const Bowl bowl;
  const int before = num_threads();
  set_num_threads(1);
  const Matrix one = bowl.search(12, Matrix(0, 6), 0.3);
  set_num_threads(3);
  const Matrix three = bowl.search(12, Matrix(0, 6), 0.3);
  set_num_threads(before);
  EXPECT_EQ(one, three);
}

}  // namespace
}  // namespace salvo
