#include <gtest/gtest.h>
#include <salvo/random.h>
#include <salvo/run.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>

#include "run/process.h"
#include "support/folder.h"
#include "support/options.h"

namespace salvo {
namespace {

// One worker: then outcomes are told in the order of the trials, as they are for a built-in problem.
RunOptions objective(const std::string& kind) {
  RunOptions options;
  if (kind == "builtin") {
    options.objective.builtin = "branin";
    options.budget = {.batch = 5, .evaluations = 250};
  } else {
    options.objective.command = "echo {x1}";
    options.budget = {.batch = 5, .evaluations = 120};
  }
  return options;
}

// Not a test: the program that the tests below start and kill.
TEST(KilledRun, DISABLED_Child) {
  const char* path = std::getenv("SALVO_TEST_STUDY");
  const char* kind = std::getenv("SALVO_TEST_OBJECTIVE");
  ASSERT_TRUE(path && kind);
  Study study = Study::open_or_create(test::small_branin(), path);
  EXPECT_EQ(run(study, objective(kind)).end, RunEnd::budget_spent);
}

class KilledRun : public testing::TestWithParam<const char*> {
 protected:
  void start(runner::ProcessPool& pool, const std::string& path) const {
    const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
    pool.start(
        1, {.text = "exec '" + self + "' --gtest_also_run_disabled_tests --gtest_filter=KilledRun.DISABLED_Child",
            .environment = {{"SALVO_TEST_STUDY", path}, {"SALVO_TEST_OBJECTIVE", GetParam()}, {"OPENBLAS_NUM_THREADS", "1"}}});
  }
  double finish(const std::string& path) const {
    runner::ProcessPool pool(1);
    start(pool, path);
    while (true)
      for (const auto& result : pool.wait(60)) {
        EXPECT_EQ(result.exit_code, 0) << result.out.text() << result.err.text();
        return result.seconds;
      }
  }
  test::Folder folder_;
};
INSTANTIATE_TEST_SUITE_P(BuiltinAndCommand, KilledRun, testing::Values("builtin", "command"));

TEST_P(KilledRun, GoesOnAsIfNothingHadHappened) {
  const double whole_seconds = finish(folder_.path("whole.db"));
  const std::string path = folder_.path("killed.db");
  int num_kills = 0;
  std::int64_t told_before = 0;
  for (std::uint64_t i = 0; i < 30; ++i) {
    runner::ProcessPool pool(1);
    start(pool, path);
    const double seconds = 0.1 * whole_seconds * Key(1).fold(GetParam()).uniform(i);
    const auto until = runner::Clock::now() + std::chrono::duration<double>(seconds);
    bool ended = false;
    while (!ended && runner::Clock::now() < until)
      ended = !pool.wait(std::chrono::duration<double>(until - runner::Clock::now()).count()).empty();
    pool.kill_all();  // SIGKILL
    num_kills += !ended;
    if (!std::filesystem::exists(path)) continue;
    const auto done = Study::open(path).counts().done;
    EXPECT_GE(done, told_before) << "nothing that was told is lost";
    told_before = done;
  }
  EXPECT_GE(num_kills, 5);
  finish(path);

  const auto whole = Study::open(folder_.path("whole.db")).trials(), killed = Study::open(path).trials();
  ASSERT_EQ(whole.size(), killed.size());
  for (std::size_t i = 0; i < whole.size(); ++i) {
    EXPECT_EQ(whole[i].id, killed[i].id);
    EXPECT_EQ(whole[i].params, killed[i].params) << "trial " << whole[i].id;
    EXPECT_EQ(whole[i].value(), killed[i].value()) << "trial " << whole[i].id;
    EXPECT_EQ(killed[i].state(), TrialState::done);
  }
}

}  // namespace
}  // namespace salvo
