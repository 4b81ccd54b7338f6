#include "sample/limit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sample/candidates.h"
#include "sample/maximise.h"

namespace salvo {
namespace {

using Index = Eigen::Index;

// Paths of two models of values at random points.
Paths paths_of(std::uint64_t seed, int count, int d = 2) {
  const Hyperparameters hyper{.kernel = {KernelType::matern52, 1.0, Vector::Constant(d, 0.4)}, .noise = 0.01};
  Matrix X(30, d);
  Vector y(30);
  Key(seed).fold("X").fill_uniform({X.data(), static_cast<std::size_t>(X.size())});
  Key(seed).fold("y").fill_normal({y.data(), static_cast<std::size_t>(y.size())});
  SparseGp gp(hyper, X);
  gp.condition(X, y);
  return draw_paths(gp, {.num_paths = count, .num_features = 200}, Key(seed).fold("draw"));
}

struct Scene {
  static constexpr int kSize = 6;
  Paths f = paths_of(1, kSize), g = paths_of(2, kSize);
  PathFunctions free{f}, limiting{g};
  Vector least = Vector::LinSpaced(kSize, -0.5, 0.5);
  Limit limit{g, least, 10.0};
  LimitedFunctions limited{free, &limit};
  Encoding space{Space({{"x", Float{0, 1}}, {"y", Float{0, 1}}})};
  Matrix X = random_points(space, 400, Key(3));
};

TEST(Limit, InsideNothingChangesAndOutsideItIsLowerTheFartherTheLower) {
  const Scene scene;
  const Matrix before = scene.free.values(scene.X), now = scene.limited.values(scene.X), g = scene.limiting.values(scene.X);
  for (Index b = 0; b < now.cols(); ++b)
    for (Index i = 0; i < now.rows(); ++i) {
      const double missing = scene.least(b) - g(i, b), lost = before(i, b) - now(i, b);
      if (missing <= 0)
        EXPECT_EQ(lost, 0);
      else
        EXPECT_NEAR(lost, missing < 0.1 ? 50 * missing * missing : 10 * missing - 0.5, 1e-9);
    }
}

TEST(Limit, AllWaysToEvaluateSayTheSame) {
  const Scene scene;
  const Matrix all = scene.limited.values(scene.X);
  for (int b = 0; b < Scene::kSize; ++b) {
    Vector values;
    scene.limited.evaluate(scene.X, std::vector<int>(400, b), values);
    EXPECT_LT((values - all.col(b)).cwiseAbs().maxCoeff(), 1e-9);
  }
  std::vector<int> members(Scene::kSize);
  for (int b = 0; b < Scene::kSize; ++b) members[static_cast<std::size_t>(b)] = b;
  const std::vector<int> best = scene.limited.best_candidates(members, scene.X, 4);
  for (std::size_t s = 0; s < best.size(); ++s) {
    const auto block = static_cast<Index>(s) / Scene::kSize * 100;
    const int b = members[s % Scene::kSize];
    EXPECT_EQ(all(best[s], b), all.col(b).segment(block, 100).maxCoeff());
  }
  EXPECT_EQ(scene.limited.best_candidates({2}, scene.X, 4)[1], best[Scene::kSize + 2]);
}

TEST(Limit, GradientsAreThoseOfDifferences) {
  const Scene scene;
  constexpr double h = 1e-5;
  std::vector<int> index(400);
  for (std::size_t i = 0; i < index.size(); ++i) index[i] = static_cast<int>(i) % Scene::kSize;
  Vector values;
  Matrix gradients;
  scene.limited.evaluate(scene.X, index, values, &gradients);
  for (Index e = 0; e < 2; ++e) {
    Matrix above = scene.X, below = scene.X;
    above.col(e).array() += h;
    below.col(e).array() -= h;
    Vector high, low;
    scene.limited.evaluate(above, index, high);
    scene.limited.evaluate(below, index, low);
    // Where the loss turns from quadratic to linear its second derivative jumps by 100 |∇g|²: an error of h times that.
    EXPECT_LT(((high - low) / (2 * h) - gradients.col(e)).cwiseAbs().maxCoeff(), h * 100 * 400);
  }
}

TEST(Limit, AChangeOfALevelIsWhatTheFunctionIsThere) {
  const Encoding space(Space({{"x", Float{0, 1}}, {"n", Int{0, 4}}}));
  const Scene scene;
  Matrix x = random_points(space, 1, Key(5));
  const Encoding::Discrete discrete = space.discretes().front();
  std::vector<Change> changes;
  for (std::int64_t level = 0; level < discrete.num_levels; ++level) changes.push_back({discrete, level});
  std::vector<double> values(changes.size());
  scene.limited.changed(space, 3, row_of(x, 0), changes, values);
  for (std::size_t i = 0; i < changes.size(); ++i) {
    Matrix there = x;
    space.set_level(discrete, changes[i].level, row_of(there, 0));
    Vector f;
    scene.limited.evaluate(there, {3}, f);
    EXPECT_NEAR(values[i], f(0), 1e-6);
  }
}

TEST(Limit, MaximisersStayInside) {
  const Scene scene;
  const Matrix best = maximise(scene.limited, scene.space, Matrix(0, 2), {}, Key(4));
  Vector g;
  scene.limiting.evaluate(best, {0, 1, 2, 3, 4, 5}, g);
  // Where the loss is quadratic it stops a climb that gains s a unit of g when s = 10 · missing / 0.1.
  for (int b = 0; b < Scene::kSize; ++b) EXPECT_GT(g(b), scene.least(b) - 0.1);
}

}  // namespace
}  // namespace salvo
