#include "math/parallel.h"

#include <gtest/gtest.h>
#include <salvo/threads.h>

#include <atomic>
#include <stdexcept>
#include <thread>

namespace salvo {
namespace {

using std::chrono::milliseconds;

struct Ended {};

TEST(Watch, IsAskedByTheLoopsOfItsThreadWhateverTheNumberOfThreads) {
  for (const int threads : {1, 2, 5}) {
    set_num_threads(threads);
    const auto me = std::this_thread::get_id();
    int looks = 0;  // not atomic: none but this thread may look
    const Watch watch(
        [&] {
          EXPECT_EQ(std::this_thread::get_id(), me);
          ++looks;
        },
        milliseconds(0));
    parallel_for(3, [](std::int64_t) {});
    EXPECT_GE(looks, 1);
    EXPECT_LE(looks, 4);
  }
  set_num_threads(0);
}

TEST(Watch, EndsTheLoopByThrowing) {
  for (const int threads : {1, 3}) {
    set_num_threads(threads);
    std::atomic<bool> now{false};
    const Watch watch([&] { now ? throw Ended() : void(); }, milliseconds(0));
    parallel_for(10, [](std::int64_t) {});
    now = true;
    EXPECT_THROW(parallel_for(10, [](std::int64_t) {}), Ended);
    now = false;
    std::atomic<int> done{0};
    parallel_for(10, [&](std::int64_t) { ++done; });
    EXPECT_EQ(done, 10);  // the pool is as it was
  }
  set_num_threads(0);
}

TEST(Watch, LooksNoMoreOftenThanItsPeriodAndNotAfterItsEnd) {
  int outer = 0, inner = 0;
  const Watch watch([&] { ++outer; }, milliseconds(0));
  {
    const Watch seldom([&] { ++inner; }, std::chrono::hours(1));
    parallel_for(10, [](std::int64_t) {});
  }
  EXPECT_EQ(inner, 0);
  EXPECT_EQ(outer, 0);  // the inner one stood before it
  parallel_for(1, [](std::int64_t) {});
  EXPECT_EQ(outer, 2);
}

}  // namespace
}  // namespace salvo
