#include "math/blas_core.h"

#include <cblas.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

extern "C" {
[[gnu::weak]] void gotoblas_dynamic_init();
[[gnu::weak]] void gotoblas_dynamic_quit();
}

namespace salvo {
namespace {

constexpr auto* kVariable = "OPENBLAS_CORETYPE";

class BlasCore : public testing::Test {
 protected:
  void SetUp() override {
#ifdef __x86_64__
    if (!gotoblas_dynamic_init || !gotoblas_dynamic_quit) GTEST_SKIP() << "this OpenBLAS was built for one kind of processor";
    if (std::getenv(kVariable)) GTEST_SKIP() << kVariable << " is set: the user has chosen";
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) GTEST_SKIP() << "this processor has no AVX2";
#else
    GTEST_SKIP() << "for x86-64 only";
#endif
  }
};

TEST_F(BlasCore, WasChosenWhenSalvoWasLoaded) {
  EXPECT_STRNE(openblas_get_corename(), "Prescott");
  EXPECT_FALSE(choose_blas_core());  // nothing is left to do
}

TEST_F(BlasCore, OfAProcessorThatOpenBlasDoesNotKnowIsThatOfItsInstructions) {
  const auto load = [](const char* core) {  // as if OpenBLAS were loaded now
    if (core) setenv(kVariable, core, 1);
    gotoblas_dynamic_quit();
    gotoblas_dynamic_init();
  };
  load("Prescott");
  EXPECT_FALSE(choose_blas_core());  // the variable says so
  EXPECT_STREQ(openblas_get_corename(), "Prescott");
  unsetenv(kVariable);
  EXPECT_TRUE(choose_blas_core());
  const std::string core = openblas_get_corename();
  EXPECT_TRUE(core == "SkylakeX" || core == "Haswell") << core;
  EXPECT_EQ(std::getenv(kVariable), nullptr);
  const double a[] = {1, 2, 3, 4}, b[] = {5, 6, 7, 8};  // and it multiplies
  double c[4];
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, 2, 2, 2, 1, a, 2, b, 2, 0, c, 2);
  EXPECT_EQ(c[0], 19);
  EXPECT_EQ(c[3], 50);
  load(nullptr);
  (void)choose_blas_core();  // as it was
}

}  // namespace
}  // namespace salvo
