// Asks of one study take turns, first come, first served, and nobody waits for the dead or for ever.
#include "store/sqlite/turn.h"

#include <gtest/gtest.h>
#include <salvo/threads.h>

#include <filesystem>
#include <fstream>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "support/folder.h"
#include "support/helper.h"
#include "support/options.h"

namespace salvo {
namespace {

using namespace std::chrono_literals;

// The last number that was drawn, as the queue's file says; 0: there is no file.
std::int64_t latest_number(const std::string& study) {
  std::int64_t latest = 0;
  std::ifstream in(study + "-turn", std::ios::binary);
  in.seekg(8);  // behind the mark
  in.read(reinterpret_cast<char*>(&latest), sizeof latest);
  return in ? latest : 0;
}

void wait_for_number(const std::string& study, std::int64_t number) {
  while (latest_number(study) < number) std::this_thread::sleep_for(1ms);
}

TEST(Turns, AreServedInTheOrderTheyCame) {
  const test::Folder folder;
  const std::string study = folder.path("study.db");
  auto first = take_file_turn(study);
  ASSERT_TRUE(first);
  constexpr int kWaiting = 6;
  std::mutex mutex;
  std::vector<int> served;
  std::vector<std::thread> threads;
  for (int i = 0; i < kWaiting; ++i) {
    threads.emplace_back([&, i] {
      const auto turn = take_file_turn(study);
      const std::lock_guard lock(mutex);
      served.push_back(i);
    });
    wait_for_number(study, i + 2);
  }
  {
    const std::lock_guard lock(mutex);
    EXPECT_TRUE(served.empty());
  }
  first.reset();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(served, (std::vector<int>{0, 1, 2, 3, 4, 5}));
  EXPECT_FALSE(std::filesystem::exists(study + "-turn")) << "the last one removes the queue";
}

TEST(Turns, OneThatHangsIsPassedOnceForAll) {
  const test::Folder folder;
  const std::string study = folder.path("study.db");
  const auto hangs = take_file_turn(study);
  auto impatient = take_file_turn(study, 20ms);
  ASSERT_TRUE(impatient);
  std::thread next([&] { EXPECT_TRUE(take_file_turn(study, 24h)); });
  wait_for_number(study, 3);
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(latest_number(study), 3) << "it waits for the impatient one, which goes on";
  impatient.reset();
  next.join();
}

TEST(Turns, OfTheDeadEndByThemselves) {
  const test::Folder folder;
  const std::string study = folder.path("study.db");
  test::Helper helper({"hold_turn", study});
  helper.wait_for_output();
  EXPECT_EQ(latest_number(study), 1);
  std::thread waiting([&] { EXPECT_TRUE(take_file_turn(study, 24h)); });
  wait_for_number(study, 2);
  helper.kill();
  waiting.join();
  EXPECT_FALSE(std::filesystem::exists(study + "-turn"));
}

TEST(Turns, WaitingCanBeInterrupted) {
  const test::Folder folder;
  const std::string study = folder.path("study.db");
  auto first = take_file_turn(study);
  {
    const Watch watch([] { throw std::runtime_error("Ctrl-C"); }, 1ms);
    EXPECT_THROW((void)take_file_turn(study), std::runtime_error);
  }
  first.reset();
  EXPECT_TRUE(take_file_turn(study, 24h)) << "who left is not waited for";
}

TEST(Turns, ThereAreNoneWhereNoFileCanBe) {
  const test::Folder folder;
  EXPECT_FALSE(take_file_turn(folder.path("missing/study.db")));
  EXPECT_FALSE(take_file_turn("/proc/study.db"));
  std::filesystem::create_directory(folder.path("study.db-turn"));
  EXPECT_FALSE(take_file_turn(folder.path("study.db")));
}

TEST(Turns, AFileThatWasLeftBehindOrMakesNoSenseDoesNoHarm) {
  const test::Folder folder;
  const std::string study = folder.path("study.db");
  test::write(study + "-turn", "");
  EXPECT_TRUE(take_file_turn(study, 24h));
  EXPECT_FALSE(std::filesystem::exists(study + "-turn"));
  test::write(study + "-turn", "alvoturn" + std::string(16, '\xff'));
  EXPECT_TRUE(take_file_turn(study, 24h)) << "an asker's, but no numbers";
  EXPECT_FALSE(std::filesystem::exists(study + "-turn"));
  // Somebody else's file of that name stays as it is, and asks go on without turns.
  for (const std::string& text : {std::string("my notes"), std::string(24, 'x'), std::string(64, '\x7f')}) {
    test::write(study + "-turn", text);
    EXPECT_FALSE(take_file_turn(study, 24h));
    EXPECT_EQ(test::contents(study + "-turn"), text);
  }
  test::write(folder.path("mine"), "");
  std::filesystem::remove(study + "-turn");
  std::filesystem::create_hard_link(folder.path("mine"), study + "-turn");
  EXPECT_FALSE(take_file_turn(study, 24h));
  EXPECT_TRUE(std::filesystem::exists(study + "-turn"));
}

// Each looks, thinks for a moment and claims: what it thought is never in vain.
void expect_no_ask_in_vain(Store& store, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    const auto turn = store.take_turn();
    const std::int64_t asks = store.snapshot(0, -1).asks;
    std::this_thread::sleep_for(200us);
    const Store::NewTrial point{{300.0, 0.01, std::int64_t{3}, std::string("huge"), std::string("Ni"), std::string("north")}};
    EXPECT_TRUE(store.claim(asks, {&point, 1}, nullptr, ""));
  }
}

TEST(Turns, SixteenAskersComputeEachAskOnce) {
  constexpr int kAskers = 16, kRounds = 4;
  const test::Folder folder;
  for (const std::string& url : {folder.path("study.db"), std::string(kInMemory)}) {
    const auto store = create_store(url, {test::mixed_space(), {"value"}, "{}"});
    std::vector<std::thread> threads;
    for (int i = 0; i < kAskers; ++i)
      threads.emplace_back([&] {
        const auto mine = url == kInMemory ? nullptr : open_store(url);
        expect_no_ask_in_vain(mine ? *mine : *store, kRounds);
      });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(store->counts().pending, kAskers * kRounds) << url;
  }
}

}  // namespace
}  // namespace salvo
