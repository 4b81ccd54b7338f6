#include "run/process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <salvo/error.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <thread>

#include "support/folder.h"

namespace salvo::runner {
namespace {

using namespace std::chrono_literals;

ProcessLimits quick() { return {.grace = 0.3, .drain = 0.1}; }

ProcessResult run_one(const Command& command, const ProcessLimits& limits = quick()) {
  ProcessPool pool(1, limits);
  pool.start(1, command);
  while (true) {
    auto results = pool.wait(10);
    if (!results.empty()) return std::move(results.front());
  }
}

ProcessResult run_text(const std::string& text) { return run_one({.text = text}); }

std::string slurp(const std::filesystem::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

bool alive(pid_t pid) {
  // A killed grandchild may stay a zombie for a moment, until its new parent looks.
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  std::string text((std::istreambuf_iterator<char>(stat)), {});
  const auto close = text.rfind(')');
  return close != std::string::npos && text.size() > close + 2 && text[close + 2] != 'Z';
}

bool all_die(const std::filesystem::path& pids) {
  for (int attempt = 0; attempt < 200; ++attempt) {
    std::ifstream in(pids);
    bool any = false;
    for (pid_t pid = 0; in >> pid;) any = any || alive(pid);
    if (!any) return true;
    std::this_thread::sleep_for(10ms);
  }
  return false;
}

int count_lines(const std::filesystem::path& path) {
  const std::string text = slurp(path);
  return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
}

double seconds_of(const auto& action) {
  const auto start = Clock::now();
  action();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

class ProcessTest : public testing::TestWithParam<bool> {
 protected:
  ProcessLimits limits() const {
    ProcessLimits limits = quick();
    limits.use_pidfd = GetParam();
    return limits;
  }
  test::Folder folder_;
};
INSTANTIATE_TEST_SUITE_P(WithAndWithoutPidfd, ProcessTest, testing::Bool());

TEST_P(ProcessTest, ReportsExitCodesAndBothStreams) {
  for (const int code : {0, 1, 3, 126, 127, 255}) {
    const auto result = run_one({.text = "echo out; echo err >&2; exit " + std::to_string(code)}, limits());
    EXPECT_EQ(result.exit_code, code);
    EXPECT_EQ(result.signal, 0);
    EXPECT_EQ(result.out.text(), "out\n");
    EXPECT_EQ(result.err.text(), "err\n");
    EXPECT_FALSE(result.timed_out);
  }
}

TEST_P(ProcessTest, ReportsTheSignalThatKilledIt) {
  for (const int signal : {SIGKILL, SIGTERM, SIGSEGV}) {
    const auto result = run_one({.text = "kill -" + std::to_string(signal) + " $$"}, limits());
    EXPECT_EQ(result.exit_code, -1);
    EXPECT_EQ(result.signal, signal);
  }
}

// Three generations that ignore SIGTERM, one of them with its output elsewhere.
TEST_P(ProcessTest, TimeoutKillsTheWholeTree) {
  const std::string file = folder_.path("pids");
  const std::string tree = "trap '' TERM; (echo $$; sh -c 'echo $$; (sh -c \"echo \\$\\$; exec sleep 100\") & sleep 100') >> " +
                           file + " & sh -c 'trap \"\" TERM; echo $$ >> " + file + "; sleep 100; sleep 100' & wait; sleep 100";
  ProcessResult result;
  const double seconds = seconds_of([&] { result = run_one({.text = tree, .timeout = 1}, limits()); });
  EXPECT_TRUE(result.timed_out);
  EXPECT_GE(seconds, 1);
  EXPECT_LT(seconds, 10);
  EXPECT_GE(count_lines(file), 4);
  EXPECT_TRUE(all_die(file));
}

TEST_P(ProcessTest, TimeoutLetsTheCommandTidyUp) {
  const std::string file = folder_.path("tidy");
  ProcessLimits patient = limits();
  patient.grace = 20;
  // The shell dies of SIGTERM at once; its child needs a moment.
  const std::string text = "(trap 'sleep 0.2; echo tidied > " + file + "; exit' TERM; sleep 100 & wait); exit";
  const double seconds = seconds_of([&] { EXPECT_TRUE(run_one({.text = text, .timeout = 0.6}, patient).timed_out); });
  EXPECT_EQ(slurp(file), "tidied\n");
  EXPECT_LT(seconds, 15) << "the grace time is an upper limit";
}

TEST_P(ProcessTest, AGrandchildWithTheOpenPipeDoesNotHoldItUp) {
  const std::string file = folder_.path("pids");
  ProcessResult result;
  const double seconds =
      seconds_of([&] { result = run_one({.text = "sleep 100 & echo $! > " + file + "; echo 4.5"}, limits()); });
  EXPECT_LT(seconds, 5);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out.text(), "4.5\n");
  EXPECT_TRUE(all_die(file));
}

TEST_P(ProcessTest, AnEscapedGrandchildDoesNotHoldItUpEither) {
  const std::string file = folder_.path("pids");
  const double seconds = seconds_of(
      [&] { run_one({.text = "setsid sh -c 'echo $$ > " + file + "; exec sleep 20' & echo 1; sleep 0.1"}, limits()); });
  EXPECT_LT(seconds, 5);
  std::ifstream in(file);
  pid_t pid = 0;
  if (in >> pid) kill(pid, SIGKILL);
}

TEST_P(ProcessTest, WhatTheCommandLeavesRunningInItsGroupDies) {
  const std::string file = folder_.path("pids");
  run_one({.text = "sleep 100 >/dev/null 2>&1 & echo $! > " + file}, limits());
  EXPECT_EQ(count_lines(file), 1);
  EXPECT_TRUE(all_die(file));
}

TEST_P(ProcessTest, HugeOutputKeepsItsTailOnly) {
  const auto result = run_one({.text = "head -c 100000000 /dev/zero | tr '\\0' 'x'; echo; echo 7"}, limits());
  EXPECT_EQ(result.out.total(), 100000003u);
  EXPECT_TRUE(result.out.cut());
  EXPECT_EQ(result.out.text().size(), quick().out_bytes);
  EXPECT_TRUE(result.out.text().ends_with("x\n7\n"));
}

TEST_P(ProcessTest, EndlessOutputIsStoppedByTheTimeout) {
  const auto result = run_one({.text = "yes | cat >&2", .timeout = 0.2}, limits());
  EXPECT_TRUE(result.timed_out);
  EXPECT_LE(result.err.text().size(), quick().err_bytes);
}

TEST_P(ProcessTest, SlowDripIsPutTogether) {
  const auto result = run_one({.text = "for c in 1 . 2 5; do printf $c; sleep 0.03; done"}, limits());
  EXPECT_EQ(result.out.text(), "1.25");
}

TEST_P(ProcessTest, InputOfAnySizeArrivesWholeAndMayBeIgnored) {
  const std::string megabytes(3 << 20, 'a');
  EXPECT_EQ(run_one({.text = "wc -c | tr -d ' '", .input = megabytes}, limits()).out.text(), "3145728\n");
  EXPECT_EQ(run_one({.text = "echo done", .input = megabytes}, limits()).out.text(), "done\n");
  EXPECT_EQ(run_one({.text = "wc -c | tr -d ' '"}, limits()).out.text(), "0\n") << "no input is an empty input";
}

TEST(Process, GetsADirectoryAndAnEnvironment) {
  test::Folder folder;
  const Command command{.text = "pwd -P; printf %s \"$SALVO_A\"; printf %s \"$HOME\"",
                        .directory = folder.path(),
                        .environment = {{"SALVO_A", "b c"}, {"HOME", "replaced"}}};
  EXPECT_EQ(run_one(command).out.text(), std::filesystem::canonical(folder.path()).string() + "\nb creplaced");
}

TEST(Process, AMissingDirectoryIsAnErrorThatNamesIt) {
  try {
    run_one({.text = "echo 1", .directory = "/no/such/folder"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("/no/such/folder"), std::string::npos) << error.what();
  }
}

TEST(Process, ATooLongCommandIsAnError) { EXPECT_THROW(run_text("true " + std::string(4 << 20, 'x')), Error); }

TEST(Process, StartsWithDefaultSignalsAndNoDescriptorsOfOurs) {
  struct sigaction ignore = {}, before;
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGUSR1, &ignore, &before);
  sigset_t mask, old;
  sigemptyset(&mask);
  sigaddset(&mask, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &mask, &old);
  EXPECT_EQ(run_text("kill -USR1 $$; echo alive").signal, SIGUSR1);
  EXPECT_EQ(run_text("kill -USR2 $$; echo alive").signal, SIGUSR2);
  pthread_sigmask(SIG_SETMASK, &old, nullptr);
  sigaction(SIGUSR1, &before, nullptr);

  // What whoever started the tests left open for their children is theirs; nothing of the pool's may come on top.
  std::set<int> expected = {0, 1, 2};
  for (int fd = 3; fd < 1024; ++fd)
    if (const int flags = fcntl(fd, F_GETFD); flags >= 0 && !(flags & FD_CLOEXEC)) expected.insert(fd);
  ProcessPool pool(3, quick());
  for (int tag = 0; tag < 3; ++tag) pool.start(tag, {.text = "sleep 0.1; ls /proc/$$/fd; true"});
  int seen = 0;
  while (seen < 3)
    for (const auto& result : pool.wait(10)) {
      std::istringstream list{std::string(result.out.text())};
      EXPECT_EQ(std::set<int>(std::istream_iterator<int>(list), {}), expected);
      ++seen;
    }
}

TEST(Process, ExitCodesSurviveAnIgnoredSigchld) {
  struct sigaction ignore = {}, before, after;
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGCHLD, &ignore, &before);
  EXPECT_EQ(run_text("exit 5").exit_code, 5);
  sigaction(SIGCHLD, nullptr, &after);
  EXPECT_EQ(after.sa_handler, SIG_IGN) << "as it was";
  sigaction(SIGCHLD, &before, nullptr);
}

TEST(ProcessPool, TwoHundredAtOnce) {
  test::Folder folder;
  ProcessPool pool(200, quick());
  // Each waits until all have started: it ends only when they truly run side by side.
  const std::string text = "echo >> started; while [ $(wc -l < started) -lt 200 ]; do sleep 0.2; done; echo $SALVO_TRIAL";
  for (int tag = 0; tag < 200; ++tag)
    pool.start(tag,
               {.text = text, .directory = folder.path(), .environment = {{"SALVO_TRIAL", std::to_string(tag)}}, .timeout = 60});
  std::map<std::int64_t, std::string> results;
  while (results.size() < 200)
    for (const auto& result : pool.wait(10)) results[result.tag] = result.out.text();
  for (const auto& [tag, out] : results) EXPECT_EQ(out, std::to_string(tag) + "\n");
}

TEST(ProcessPool, RaisesTheLimitOnOpenFilesForItselfOnly) {
  rlimit before{};
  getrlimit(RLIMIT_NOFILE, &before);
  rlimit low = before;
  low.rlim_cur = 80;
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &low), 0);
  {
    ProcessPool pool(100, quick());
    for (int tag = 0; tag < 100; ++tag) pool.start(tag, {.text = "ulimit -Sn; sleep 0.1"});
    int seen = 0;
    while (seen < 100)
      for (const auto& result : pool.wait(10)) {
        EXPECT_EQ(result.out.text(), "80\n");
        ++seen;
      }
  }
  rlimit now{};
  getrlimit(RLIMIT_NOFILE, &now);
  EXPECT_EQ(now.rlim_cur, 80u);
  setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_THROW(ProcessPool(100'000'000, quick()), Error);
}

TEST(ProcessPool, LeavesNothingBehindWhenDestroyed) {
  test::Folder folder;
  const std::string file = folder.path("pids");
  {
    ProcessPool pool(4, quick());
    for (int tag = 0; tag < 4; ++tag)
      pool.start(tag,
                 {.text = "trap '' TERM INT HUP; echo $$ >> " + file + "; sh -c 'echo $$ >> " + file + "; sleep 100'; echo x"});
    while (count_lines(file) < 8) (void)pool.wait(0.02);
  }
  EXPECT_TRUE(all_die(file));
}

#ifdef __linux__
TEST(ProcessPool, CommandsDieWhenTheirRunnerIsKilled) {
  test::Folder folder;
  const std::string file = folder.path("pids");
  const pid_t runner = fork();
  if (runner == 0) {
    ProcessPool pool(2, quick());
    for (int tag = 0; tag < 2; ++tag) pool.start(tag, {.text = "echo $$ >> " + file + "; while :; do sleep 0.1; done"});
    while (true) (void)pool.wait(10);
  }
  while (count_lines(file) < 2) std::this_thread::sleep_for(10ms);
  kill(runner, SIGKILL);
  waitpid(runner, nullptr, 0);
  EXPECT_TRUE(all_die(file));
}
#endif

}  // namespace
}  // namespace salvo::runner
