#include "acquire/score_functions.h"

#include <gtest/gtest.h>

#include <set>

#include "acquire/acquire.h"
#include "acquire/improvement.h"
#include "sample/candidates.h"
#include "sample/exchange.h"
#include "sample/maximise.h"
#include "support/data.h"

namespace salvo {
namespace {

SparseGp exact_gp(int d) {
  const auto data = testing::wavy(60, d, 0.3, 4);
  SparseGp gp(testing::hyper(KernelType::matern52, d), data.X);
  gp.condition(data.X, data.y);
  return gp;
}

// Single precision screens, double decides.
TEST(ScoreFunctions, BestCandidatesAreThoseWithTheLargestScore) {
  const SparseGp gp = exact_gp(3);
  Belief belief(gp, true);
  belief.add(testing::uniform(3, 3, Key(1)));
  const ScoreFunctions functions(belief, log_expected_improvement(belief, 1.2));
  const Matrix C = testing::uniform(2000, 3, Key(2));
  const Vector f = functions.values(C).col(0);
  const std::vector<int> best = functions.best_candidates({0}, C, 5);
  ASSERT_EQ(best.size(), 5U);
  for (int k = 0; k < 5; ++k) EXPECT_EQ(f(best[static_cast<std::size_t>(k)]), f.segment(400 * k, 400).maxCoeff()) << k;
}

TEST(ScoreFunctions, TheTopIsAboveTenThousandRandomPoints) {
  const SparseGp gp = exact_gp(2);
  const Belief belief(gp, true);
  const Encoding square(Space({{"x", Float{0, 1}}, {"y", Float{0, 1}}}));
  const ScoreFunctions functions(belief, log_expected_improvement(belief, 1.2));
  const Matrix top = maximise(functions, square, Matrix(0, 2), {.num_starts = 3, .max_iterations = 59}, Key(3));
  EXPECT_GE(functions.values(top)(0, 0), functions.values(testing::uniform(10'000, 2, Key(4))).maxCoeff() - 1e-5);
}

TEST(ScoreFunctions, ExchangeEndsWhereNoSingleChangeIsBetter) {
  const Encoding space(Space({{"n", Int{0, 12}}, {"o", Ordinal{{true, false}}}, {"m", Int{1, 9}}}));
  const SparseGp gp = exact_gp(3);
  const Belief belief(gp, true);
  const ScoreFunctions functions(belief, log_expected_improvement(belief, 1.2));
  Matrix X = random_points(space, 5, Key(5));
  Vector f;
  functions.evaluate(X, {}, f);
  (void)exchange(functions, space, std::vector<int>(5, 0), X, f);
  for (Eigen::Index i = 0; i < X.rows(); ++i)
    for (const Encoding::Discrete& discrete : space.discretes())
      for (std::int64_t level = 0; level < discrete.num_levels; ++level) {
        Matrix other = X.row(i);
        space.set_level(discrete, level, row_of(other, 0));
        EXPECT_LE(functions.values(other)(0, 0), f(i) + 1e-9);
      }
}

// A batch is distinct in itself and from what is pending, also where a criterion would rather repeat itself.
TEST(EveryGreedyMethod, GivesDistinctValidPoints) {
  const Encoding spaces[] = {Space({{"x", Float{0, 1}}, {"n", Int{1, 200}}, {"m", Int{1, 50}}}),
                             Space({{"a", Int{1, 30}}, {"b", Int{1, 30}}, {"c", Int{1, 30}}}),
                             Space({{"a", Int{1, 3}}, {"b", Int{1, 2}}, {"c", Int{1, 2}}})};  // 12 points, all of them handed out
  for (const Encoding& space : spaces)
    for (const Method method : {Method::ei, Method::aei, Method::lp, Method::gibbon, Method::qei}) {
      const Matrix X = random_points(space, 60, Key(6));
      const Vector y = X.rowwise().sum();
      SparseGp gp(testing::hyper(KernelType::matern52, 3), testing::uniform(20, 3, Key(7)));
      gp.condition(X, y);
      Matrix taken = random_points(space, 1, Key(8));
      std::vector<std::int64_t> by_trial(60);
      const std::vector<bool> chosen(60, true);
      const ModelOptions model;
      Seconds seconds;
      const Matrix batch = acquire(method, {.space = space,
                                            .X = {X.data(), X.rows(), X.cols()},
                                            .y = y,
                                            .newest = X,
                                            .by_trial = by_trial,
                                            .chosen = chosen,
                                            .gp = gp,
                                            .model = model,
                                            .taken = taken,
                                            .size = 11,
                                            .batch = 11,
                                            .key = Key(9),
                                            .seconds = seconds});
      std::set<std::vector<double>> seen = {{taken.data(), taken.data() + 3}};
      for (Eigen::Index i = 0; i < batch.rows(); ++i) {
        std::vector<double> x(batch.row(i).data(), batch.row(i).data() + 3), snapped = x;
        space.snap(snapped);
        EXPECT_EQ(x, snapped) << to_string(method);
        EXPECT_TRUE(seen.insert(x).second) << to_string(method);
      }
    }
}

}  // namespace
}  // namespace salvo
