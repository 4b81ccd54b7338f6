#include "search/results.h"

#include <gtest/gtest.h>
#include <salvo/random.h>

#include <cmath>

#include "search/learned.h"

namespace salvo {
namespace {

Observations observations(const Matrix& X, const Vector& y) {
  Observations out(static_cast<int>(X.cols()));
  for (Eigen::Index i = 0; i < y.size(); ++i) {
    Record record{.id = i + 1, .sequence = i + 1};
    out.add(record, X.row(i).transpose(), y(i));
  }
  return out;
}

Matrix uniform(Eigen::Index n, Eigen::Index d) {
  Matrix X(n, d);
  Key(1).fill_uniform({X.data(), static_cast<std::size_t>(X.size())});
  return X;
}

// Values of every size and sign: there and back, in the same order, and better values as they are.
TEST(Anchor, SqueezesAndUndoesValuesOfAnySize) {
  for (const double size : {1e-200, 1e-6, 1.0, 1e9, 1e200}) {
    for (const double shift : {0.0, -3.0, 5.0}) {
      Vector y(101);
      for (int i = 0; i <= 100; ++i) y(i) = size * (shift - std::pow(10.0, 0.08 * i));
      const Observations data = observations(uniform(101, 2), y);
      const Anchor units = squeezed_anchor(data, 101);
      ASSERT_TRUE(units.squeezed());
      for (int i = 0; i <= 100; ++i) {
        EXPECT_NEAR(units.from_model(units.to_model(y(i))) / y(i), 1, 1e-9);
        EXPECT_LT(units.to_model(y(i)), i > 0 ? units.to_model(y(i - 1)) : 1e6);
      }
      const double step = units.to_model(y(0)) - units.to_model(y(1));
      EXPECT_NEAR(step * units.unit() / (y(0) - y(1)), 1, 1e-6);
      EXPECT_GT(units.to_model(y(100)), -20);
    }
  }
}

TEST(Anchor, ConstantValuesAreNotSqueezed) {
  const Observations data = observations(uniform(30, 2), Vector::Constant(30, -7));
  EXPECT_FALSE(squeezed_anchor(data, 16).squeezed());
  EXPECT_EQ(squeezed_anchor(data, 16).to_model(-7), 0);
}

// Decades ask for it, noise that is the same everywhere forbids it, and who says none gets none.
TEST(Anchor, TheEvidenceDecides) {
  const Matrix X = uniform(120, 3);
  const Vector far = (X.array() - 0.4).square().rowwise().sum();
  Vector noise(120);
  Key(2).fill_normal({noise.data(), 120});
  const Space space({{"a", Float{0, 1}}, {"b", Float{0, 1}}, {"c", Float{0, 1}}});
  const auto squeezed = [&](const Vector& y, Transform transform) {
    const Learning learning{Encoding(space), ModelOptions{.transform = transform}, 100};
    return learn(learning, observations(X, y), nullptr, Key(3)).anchor.squeezed();
  };
  const Vector decades = -(12 * far.array()).exp(), hill = (-4 * far.array()).exp() + 0.1 * noise.array();
  EXPECT_TRUE(squeezed(decades, Transform::automatic));
  EXPECT_FALSE(squeezed(decades, Transform::none));
  EXPECT_FALSE(squeezed(hill, Transform::automatic));
  EXPECT_FALSE(squeezed(-far + 0.1 * noise, Transform::automatic));
  EXPECT_TRUE(squeezed(hill, Transform::squeeze));
}

}  // namespace
}  // namespace salvo
