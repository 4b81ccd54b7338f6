#include "text/store_file.h"

#include <gtest/gtest.h>
#include <salvo/error.h>

#include <filesystem>
#include <string>
#include <vector>

#include "support/folder.h"
#include "text/leftovers.h"

namespace salvo {
namespace {

namespace fs = std::filesystem;

TEST(StoreFile, BelongsToItsStoreByEveryName) {
  const test::Folder folder;
  const std::string store = folder.path("a.db");
  test::write(store, std::string("SQLite format 3\0 and more", 25));
  test::write(folder.path("plain.csv"), "x\n");
  fs::create_directory(folder.path("sub"));
  fs::create_symlink("a.db", folder.path("soft"));
  fs::create_symlink("a.db-wal", folder.path("dangling"));
  fs::create_hard_link(store, folder.path("hard"));
  for (const std::string name :
       {"a.db", "a.db-wal", "a.db-shm", "a.db-journal", "sub/../a.db-wal", "./a.db", "soft", "dangling", "hard"})
    EXPECT_NE(store_of_file(folder.path(name)), "") << name;
  for (const std::string name : {"plain.csv", "a.db-other", "b.db", "b.db-wal", "sub/a.db", "no/such/folder"})
    EXPECT_EQ(store_of_file(folder.path(name)), "") << name;
  EXPECT_THROW(check_not_in_store(folder.path("a.db-shm")), InputError);
}

TEST(StoreFile, AStoreThatDoesNotExistYetCounts) {
  const test::Folder folder;
  fs::create_symlink("real", folder.path("link"));
  const std::vector<std::string> stores = {folder.path("odd name"), folder.path("link"), ":memory:"};
  for (const std::string name : {"odd name", "odd name-wal", "link", "link-shm", "real", "real-journal"})
    EXPECT_NE(store_of_file(folder.path(name), stores), "") << name;
  for (const std::string name : {"odd", "odd name-", "real.csv", ":memory:"})
    EXPECT_EQ(store_of_file(folder.path(name), stores), "") << name;
}

TEST(Leftovers, OnlyThoseOfTheDeadGo) {
  const test::Folder folder;
  const std::string path = folder.path("a.db"), ours = temporary_name(path);
  EXPECT_NE(ours, temporary_name(path));
  const int nobody = 0x3fffffff;  // more than any system gives out
  const std::string dead = path + ".new-" + std::to_string(nobody) + "-1", child = path + ".new-1-1";
  for (const std::string& name : {ours, dead, dead + "-wal", dead + "-other", child, path + ".new-x"}) test::write(name, "x");
  remove_leftovers(path);
  for (const std::string& name : {dead, dead + "-wal"}) EXPECT_FALSE(fs::exists(name)) << name;
  for (const std::string& name : {ours, dead + "-other", child, path + ".new-x"}) EXPECT_TRUE(fs::exists(name)) << name;
  EXPECT_NO_THROW(remove_leftovers("/no/such/folder/a.db"));
}

}  // namespace
}  // namespace salvo
