#include "math/linalg.h"

#include <cblas.h>
#include <gtest/gtest.h>
#include <salvo/random.h>
#include <salvo/threads.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <Eigen/Cholesky>
#include <atomic>
#include <thread>

#include "math/parallel.h"
#include "support/data.h"

namespace salvo {
namespace {

Matrix random(Eigen::Index n, Eigen::Index m, int seed) {
  return testing::uniform(n, m, Key(static_cast<std::uint64_t>(seed))).array() - 0.5;
}

// Sizes around the block sizes, where splits go wrong.
class EverySize : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Sizes, EverySize, ::testing::Values(1, 2, 63, 64, 127, 128, 129, 191, 192, 193, 400));

TEST_P(EverySize, CholeskyAndInverse) {
  const int m = GetParam();
  const Matrix B = random(m, m, 1);
  Matrix A = B * B.transpose() + Matrix::Identity(m, m);
  const Matrix expected = A;
  ASSERT_TRUE(cholesky_in_place(A));
  EXPECT_LT((A * A.transpose() - expected).cwiseAbs().maxCoeff(), 1e-12 * m);
  EXPECT_EQ(A(0, m - 1) * (m > 1 ? 1 : 0), 0.0);
  EXPECT_LT((invert_lower(A) * A - Matrix::Identity(m, m)).cwiseAbs().maxCoeff(), 1e-10);
  Matrix X = B;
  solve_lower(A, Trans::no, X);
  EXPECT_LT((A * X - B).cwiseAbs().maxCoeff(), 1e-11);
  X = B;
  solve_lower(A, Trans::yes, X);
  EXPECT_LT((A.transpose() * X - B).cwiseAbs().maxCoeff(), 1e-11);
}

TEST_P(EverySize, ProductsAndGram) {
  const int m = GetParam();
  const Matrix A = random(70, m, 2), B = random(m, 33, 3);
  EXPECT_LT((product(A, Trans::no, B, Trans::no) - A * B).cwiseAbs().maxCoeff(), 1e-12);
  const Matrix At = A.transpose(), Bt = B.transpose();
  EXPECT_LT((product(At, Trans::yes, Bt, Trans::yes) - A * B).cwiseAbs().maxCoeff(), 1e-12);
  Matrix C = Matrix::Ones(m, m);
  add_gram(2.0, A, 50, C);
  symmetrise(C);
  const Matrix expected = 2.0 * A.topRows(50).transpose() * A.topRows(50) + Matrix::Ones(m, m);
  EXPECT_LT((C - expected).cwiseAbs().maxCoeff(), 1e-12);
}

TEST_P(EverySize, TriangularProducts) {
  const int m = GetParam();
  const Matrix T = random(m, m, 4).triangularView<Eigen::Lower>(), B = random(m, 40, 5), Bt = B.transpose();
  EXPECT_LT((product_lower(T, Trans::no, B, Trans::no) - T * B).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT((product_lower(T, Trans::yes, B, Trans::no) - T.transpose() * B).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT((product_lower(T, Trans::no, Bt, Trans::yes) - T * B).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT((product_lower(T, Trans::yes, Bt, Trans::yes) - T.transpose() * B).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT((gram_lower(T) - T.transpose() * T).cwiseAbs().maxCoeff(), 1e-12);
  Matrix rows = Bt;
  multiply_rows(T, 2.0, rows.data(), rows.rows());
  EXPECT_LT((rows - 2.0 * Bt * T.transpose()).cwiseAbs().maxCoeff(), 1e-12);
  const Matrix L = T + Matrix::Identity(m, m) * (1.0 + m);
  EXPECT_LT((L * solve_lower_lower(L, T) - T).cwiseAbs().maxCoeff(), 1e-12);
  rows = Bt;
  solve_rows(L, rows.data(), rows.rows());
  EXPECT_LT((rows * L.transpose() - Bt).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(Cholesky, AddsJitterWhenItMustAndSaysHowMuch) {
  const Matrix singular = Matrix::Ones(50, 50);
  EXPECT_EQ(cholesky(Matrix::Identity(5, 5), 1.0, 1e-6).jitter, 1e-6);
  EXPECT_GE(cholesky(singular, 1.0, 1e-20).jitter, 1e-18);
  EXPECT_THROW((void)cholesky(-singular, 1.0, 1e-6), std::runtime_error);
}

TEST(Parallel, RunsEveryTaskOnceAndRethrows) {
  for (const int threads : {1, 2, 5}) {
    set_num_threads(threads);
    std::vector<std::atomic<int>> ran(1000);
    parallel_for(1000, [&](std::int64_t i) { ++ran[static_cast<std::size_t>(i)]; });
    for (const auto& count : ran) EXPECT_EQ(count, 1);
    EXPECT_THROW(parallel_for(100,
                              [](std::int64_t i) {
                                if (i == 37) throw std::runtime_error("37");
                              }),
                 std::runtime_error);
    std::atomic<int> nested{0};
    parallel_for(8, [&](std::int64_t) { parallel_for(8, [&](std::int64_t) { ++nested; }); });
    EXPECT_EQ(nested, 64);
  }
  set_num_threads(0);
  EXPECT_THROW(set_num_threads(-1), std::invalid_argument);
}

// OpenBLAS must take calls from several threads, and answer each on one: whatever build it is, whatever the environment.
TEST(Parallel, BlasIsSafeInEveryThread) {
  set_num_threads(3);
  EXPECT_TRUE(openblas_get_parallel() != OPENBLAS_SEQUENTIAL || num_threads() == 1);
  std::atomic<int> several{0};
  const auto look = [&] { parallel_for(30, [&](std::int64_t) { several += openblas_get_num_threads() != 1; }); };
  look();
  std::thread(look).join();
  set_num_threads(0);
  EXPECT_EQ(several, 0);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // they reserve more address space than the limit
TEST(Parallel, MakesDoWithTheThreadsThatTheSystemGives) {
  const pid_t child = fork();
  if (child == 0) {
    const rlimit limit{2UL << 30, 2UL << 30};  // stacks of 8 MB: room for some 200 threads
    setrlimit(RLIMIT_AS, &limit);
    set_num_threads(4096);
    std::atomic<int> ran{0};
    parallel_for(100, [&](std::int64_t) { ++ran; });
    _exit(ran == 100 && num_threads() < 4096 ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}
#endif

TEST(Random, NumbersDependOnTheKeyAndIndexAlone) {
  const Key key = Key(7).fold("draw").fold(3);
  std::vector<double> all(10), part(7);
  key.fill_uniform(all);
  key.fill_uniform(part);
  for (std::size_t i = 0; i < part.size(); ++i) EXPECT_EQ(all[i], part[i]);
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i], key.uniform(i));
  EXPECT_NE(key.uniform(0), Key(7).fold("draw").fold(4).uniform(0));
  EXPECT_NE(key.uniform(0), Key(8).fold("draw").fold(3).uniform(0));
}

TEST(Random, MomentsOfAMillionNumbers) {
  const std::size_t n = 1000000;
  std::vector<double> u(n), z(n);
  Key(1).fill_uniform(u);
  Key(2).fill_normal(z);
  double mean = 0, square = 0, fourth = 0, uniform = 0;
  for (std::size_t i = 0; i < n; ++i) {
    mean += z[i] / n;
    square += z[i] * z[i] / n;
    fourth += z[i] * z[i] * z[i] * z[i] / n;
    uniform += u[i] / n;
  }
  // Five standard errors: 1/√n, √(2/n), √(96/n), 1/√(12n).
  EXPECT_NEAR(mean, 0, 5e-3);
  EXPECT_NEAR(square, 1, 7.1e-3);
  EXPECT_NEAR(fourth, 3, 4.9e-2);
  EXPECT_NEAR(uniform, 0.5, 1.5e-3);
}

}  // namespace
}  // namespace salvo
