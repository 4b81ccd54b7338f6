// What becomes of a study's file: bad files, full disks. Old files: upgrade_test.cpp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <salvo/error.h>
#include <salvo/study.h>
#include <sqlite3.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <sstream>

#include "store/sqlite/file.h"
#include "store/sqlite/schema.h"
#include "support/folder.h"
#include "support/helper.h"
#include "support/message.h"
#include "support/studies.h"

namespace salvo {
namespace {

using test::message;
using test::small_options;
using test::write;
using testing::AllOf;
using testing::HasSubstr;

void run_sql(const std::string& path, const std::string& sql) {
  sqlite3* handle = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &handle), SQLITE_OK);
  char* error = nullptr;
  sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, &error);
  EXPECT_EQ(error, nullptr) << error;
  sqlite3_close(handle);
}

// A closed study with some trials: one file, no log beside it.
std::string study_with_trials(const test::Folder& folder, int num_trials = 20) {
  const std::string path = folder.path("study.db");
  Study study = Study::create(small_options(test::mixed_space()), path);
  test::tell_all(study, study.ask(num_trials));
  return path;
}

// Opening fails with a message about the path, and the file stays as it was.
std::string refusal(const std::string& path) {
  const std::string before = test::contents(path);
  const std::string said = message<StoreError>([&] { (void)Study::open(path); });
  EXPECT_THAT(said, HasSubstr(path));
  EXPECT_TRUE(test::contents(path) == before) << "the file was changed: " << said;
  EXPECT_THROW((void)Study::open_or_create(small_options(test::mixed_space()), path), StoreError);
  EXPECT_TRUE(test::contents(path) == before) << "the file was changed: " << said;
  return said;
}

TEST(StoreFile, AStudyIsOneFileWhenItIsClosed) {
  const test::Folder folder;
  const std::string path = study_with_trials(folder);
  EXPECT_TRUE(std::filesystem::exists(path));
  for (const char* suffix : {"-wal", "-shm", "-journal"}) EXPECT_FALSE(std::filesystem::exists(path + suffix)) << suffix;
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path("")), {}), 1);
}

TEST(StoreFile, OddNamesAreJustNames) {
  const test::Folder folder;
  const auto start = std::filesystem::current_path();
  std::filesystem::current_path(folder.path(""));
  for (const char* name : {"file:x.db?mode=memory", ":memory:x", "a b'\"%41.db", "Größe.db"}) {
    { (void)Study::create(small_options(test::mixed_space()), name).ask(2); }
    EXPECT_TRUE(std::filesystem::exists(folder.path(name))) << name;
    EXPECT_EQ(Study::open(name).counts().pending, 2) << name;
  }
  std::filesystem::current_path(start);
}

TEST(StoreFile, RefusesWhatIsNoStudyAndLeavesItAlone) {
  const test::Folder folder;
  const std::string path = folder.path("thing");
  EXPECT_THAT(message<StoreError>([&] { (void)Study::open(path); }), AllOf(HasSubstr(path), HasSubstr("No such file")));
  write(path, "");
  EXPECT_THAT(refusal(path), HasSubstr("empty"));
  write(path, "name = \"reactor\"\n");
  EXPECT_THAT(refusal(path), HasSubstr("not an SQLite database"));
  write(path, std::string("SQLite format 3\0abc", 19));
  EXPECT_THAT(refusal(path), HasSubstr("cut off"));
  std::filesystem::remove(path);
  run_sql(path, "CREATE TABLE person (name TEXT); INSERT INTO person VALUES ('Ada');");
  EXPECT_THAT(refusal(path), HasSubstr("not a study"));
  EXPECT_THAT(message<StoreError>([&] { (void)Study::open(folder.path("")); }), HasSubstr("folder"));
  ASSERT_EQ(mkfifo(folder.path("pipe").c_str(), 0600), 0);
  EXPECT_THAT(message<StoreError>([&] { (void)Study::open(folder.path("pipe")); }), HasSubstr("regular file"));
}

TEST(StoreFile, CreateNeverReplacesAnythingAndNeedsAFolder) {
  const test::Folder folder;
  const auto options = small_options(test::mixed_space());
  const std::string path = study_with_trials(folder);
  const std::string before = test::contents(path);
  EXPECT_THAT(message<StoreError>([&] { (void)Study::create(options, path); }), AllOf(HasSubstr(path), HasSubstr("already")));
  EXPECT_TRUE(test::contents(path) == before);
  const auto attempt = [&](const std::string& name) {
    return message<StoreError>([&] { (void)Study::create(options, folder.path(name)); });
  };
  EXPECT_THAT(attempt("missing/study.db"), AllOf(HasSubstr("missing"), HasSubstr("No such file or directory")));
  EXPECT_THAT(attempt("study.db/study.db"), HasSubstr("not a folder"));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path("")), {}), 1);
}

// Another container may take the file for a leftover, since it does not see our process.
TEST(StoreFile, AFileThatIsLostBeforeItHasItsNameIsBuiltAgain) {
  const test::Folder folder;
  int builds = 0;
  const auto build = [&](const std::string& temporary) {
    test::write(temporary, "x");
    if (++builds == 1) std::filesystem::remove(temporary);
  };
  create_whole_file(folder.path("a.db"), build);
  EXPECT_EQ(builds, 2);
  EXPECT_EQ(test::contents(folder.path("a.db")), "x");
  EXPECT_THROW(create_whole_file(folder.path("b.db"), [](const std::string&) {}), StoreError);
}

TEST(StoreFile, RefusesANewerVersion) {
  const test::Folder folder;
  const std::string path = study_with_trials(folder);
  run_sql(path, "PRAGMA user_version = 99");
  EXPECT_THAT(refusal(path), AllOf(HasSubstr("newer"), HasSubstr("99")));
}

TEST(StoreFile, RefusesANewerVersionThatIsStillInTheLog) {
  const test::Folder folder;
  const std::string path = study_with_trials(folder);
  Study keeps_the_log = Study::open(path);
  run_sql(path, "PRAGMA user_version = 99");
  EXPECT_THAT(refusal(path), AllOf(HasSubstr("newer"), HasSubstr("99")));
}

TEST(StoreFile, FindsDamageAndLeavesItAlone) {
  const test::Folder folder;
  const std::string path = study_with_trials(folder, 200);
  const std::string whole = test::contents(path);
  for (const std::size_t size : {std::size_t{200}, std::size_t{4096}, whole.size() / 2, whole.size() - 1}) {
    write(path, whole.substr(0, size));
    EXPECT_THAT(refusal(path), HasSubstr("damaged")) << "cut off at " << size;
  }
  for (const std::size_t page : {std::size_t{1}, std::size_t{3}, whole.size() / 4096 - 1}) {
    std::string damaged = whole;
    damaged.replace(page * 4096, 512, std::string(512, '\x5a'));
    write(path, damaged);
    EXPECT_THAT(refusal(path), HasSubstr("damaged")) << "page " << page;
  }
  write(path, whole);
  EXPECT_EQ(Study::open(path).counts().done, 200);
}

// What was acknowledged is safe even then, as long as nobody has begun another log.
TEST(StoreFile, ALogThatIsRemovedWhileInUseIsNoticed) {
  const test::Folder folder;
  const std::string path = study_with_trials(folder);
  for (const std::string suffix : {"-wal", "-shm"}) {
    std::vector<Trial> trials;
    {
      Study study = Study::open(path);
      test::tell_all(study, study.ask(3));
      (void)study.ask(2);
      trials = study.trials();
      std::filesystem::remove(path + suffix);
      const auto noticed = AllOf(HasSubstr(path + suffix), HasSubstr("removed"), HasSubstr("is in the study's file"));
      EXPECT_THAT(message<StoreError>([&] { (void)study.ask(1); }), noticed);
      EXPECT_THAT(message<StoreError>([&] { study.tell(trials.back().id, 1.0); }), noticed);
      EXPECT_THAT(message<StoreError>([&] { (void)study.counts(); }), noticed);
      EXPECT_THAT(message<StoreError>([&] { (void)study.trials(); }), noticed);
      EXPECT_THAT(message<StoreError>([&] { study.set_note("a", "b"); }), noticed);
    }
    for (const char* left : {"-wal", "-shm"}) std::filesystem::remove(path + left);
    EXPECT_EQ(test::points(Study::open(path).trials()), test::points(trials));
  }
}

TEST(StoreFile, ALogThatIsReplacedWhileInUseIsNoticed) {
  const test::Folder folder;
  const std::string path = study_with_trials(folder);
  const std::string before = test::contents(path);
  {
    Study study = Study::open(path);
    (void)study.ask(2);
    std::filesystem::rename(path + "-wal", path + "-kept");
    write(path + "-wal", "");
    EXPECT_THAT(message<StoreError>([&] { (void)study.ask(1); }), AllOf(HasSubstr(path + "-wal"), HasSubstr("may be lost")));
  }
  EXPECT_TRUE(test::contents(path) == before) << "what is in another log may not be mixed up with this one";
}

// It would go on from what is in the file, and hand out trial 1 again.
TEST(StoreFile, AStudyInUseWithoutItsLogIsNotOpened) {
  const test::Folder folder;
  const std::string path = folder.path("study.db");
  {
    Study study = Study::create(small_options(test::mixed_space()), path);
    (void)study.ask(3);
    std::filesystem::remove(path + "-wal");
    EXPECT_THAT(message<StoreError>([&] { (void)Study::open(path); }),
                AllOf(HasSubstr(path), HasSubstr("-wal is missing"), HasSubstr("-shm")));
    EXPECT_FALSE(std::filesystem::exists(path + "-wal"));
    EXPECT_THROW((void)study.ask(1), StoreError);
  }
  std::filesystem::remove(path + "-shm");
  EXPECT_EQ(Study::open(path).counts().pending, 3);
}

// To close a file drops all locks of the process on it. Without them the next to close the study takes its log away.
TEST(StoreFile, OpeningAStudyTwiceKeepsItsLocks) {
  const test::Folder folder;
  const std::string path = study_with_trials(folder);
  Study study = Study::open(path);
  { (void)Study::open(path); }
  EXPECT_TRUE(names_store(path));
  test::Helper other({"ask_and_die", path, "1"});
  (void)other.finish();
  EXPECT_TRUE(std::filesystem::exists(path + "-wal"));
  EXPECT_EQ(study.ask(1).front().id, 22);
}

TEST(StoreFile, SaysWhichRowCannotBeRead) {
  const test::Folder folder;
  const std::string path = study_with_trials(folder);
  const auto damage = [&](const std::string& sql) {
    run_sql(path, sql);
    return message<StoreError>([&] {
      Study study = Study::open(path);
      (void)study.ask(2);
    });
  };
  const auto seal_all = [&] {  // as if Salvo had written it: then what it says is checked
    Database database(path, Database::Mode::open);
    for (const Sealed& table : kSealed) seal(database, table);
  };
  EXPECT_THAT(damage("UPDATE trial SET value = value + 1e-9 WHERE id = 5"),
              AllOf(HasSubstr("trial 5"), HasSubstr("damaged"), HasSubstr("checksum")));
  seal_all();
  EXPECT_THAT(damage("UPDATE trial SET params = replace(params, 'rate', 'rata') WHERE id = 7"),
              AllOf(HasSubstr("trial 7"), HasSubstr("damaged")));
  seal_all();
  EXPECT_THAT(damage(""), AllOf(HasSubstr("trial 7"), HasSubstr("rata")));
  EXPECT_THAT(damage(R"(UPDATE study SET options = replace(options, '"seed":"0', '"seed":"x'))"),
              AllOf(HasSubstr("\"study\""), HasSubstr("checksum"), HasSubstr("damaged")));
  seal_all();
  EXPECT_THAT(damage(""), AllOf(HasSubstr("\"study\""), HasSubstr("seed"), HasSubstr("damaged")));
  EXPECT_THAT(damage("UPDATE study SET options = 'x'"), AllOf(HasSubstr("\"study\""), HasSubstr("damaged")));
  EXPECT_THAT(damage("UPDATE study SET space = '[]'"), AllOf(HasSubstr("\"study\""), HasSubstr("damaged")));
}

TEST(StoreFile, SaysWhenItMayNotWrite) {
  const test::Folder folder;
  const std::string path = study_with_trials(folder);
  chmod(folder.path("").c_str(), 0777);
  chmod(path.c_str(), 0444);
  const std::string before = test::contents(path);
  test::Helper reader({"open_as_nobody", path});
  EXPECT_THAT(reader.finish(), AllOf(HasSubstr(path), HasSubstr("Permission denied")));
  chmod(path.c_str(), 0666);
  chmod(folder.path("").c_str(), 0555);
  test::Helper stranger({"open_as_nobody", path});
  EXPECT_THAT(stranger.finish(), AllOf(HasSubstr("Permission denied"), HasSubstr("folder")));
  test::Helper creator({"create_as_nobody", folder.path("other.db")});
  EXPECT_THAT(creator.finish(), AllOf(HasSubstr("Permission denied"), HasSubstr("folder")));
  chmod(folder.path("").c_str(), 0755);
  EXPECT_TRUE(test::contents(path) == before);
}

// Whatever the helper acknowledged before the disk was full is there, and the study goes on once there is space.
void expect_whole_after_full_disk(const std::string& path, const std::string& output) {
  std::istringstream lines(output);
  std::string line;
  std::int64_t told = 0;
  while (std::getline(lines, line) && line.find(path) == std::string::npos) told = std::stoll(line);
  EXPECT_THAT(line, testing::AnyOf(HasSubstr("full"), HasSubstr("File too large"))) << output;
  EXPECT_GT(told, 0);
  Study study = Study::open(path);
  for (std::int64_t id = 1; id <= told; ++id) EXPECT_EQ(study.trial(id)->value(), test::objective(study.trial(id)->params));
  EXPECT_EQ(study.counts().done, told);
  if (study.counts().pending == 0) (void)study.ask(1);
  test::tell_all(study, study.pending());
  EXPECT_EQ(study.counts().done, told + 1);
}

TEST(FullDisk, LosesNothingThatWasAcknowledgedWhenFilesMayNotGrow) {
  const test::Folder folder;
  const std::string path = folder.path("study.db");
  { (void)Study::create(small_options(test::mixed_space()), path); }
  test::Helper helper({"fill", path, std::to_string(300'000)});
  expect_whole_after_full_disk(path, helper.finish());
}

TEST(FullDisk, LosesNothingThatWasAcknowledgedOnASmallFileSystem) {
  const test::Folder folder;
  const std::string disk = folder.path("disk");
  std::filesystem::create_directory(disk);
  if (mount("salvo-test", disk.c_str(), "tmpfs", 0, "size=400k") != 0) GTEST_SKIP() << "may not mount a file system";
  const std::string path = disk + "/study.db";
  { (void)Study::create(small_options(test::mixed_space()), path); }
  write(disk + "/ballast", std::string(100'000, 'x'));
  test::Helper helper({"fill", path, "0"});
  const std::string output = helper.finish();
  EXPECT_THAT(output, HasSubstr("full"));
  std::filesystem::remove(disk + "/ballast");
  expect_whole_after_full_disk(path, output);
  write(disk + "/ballast", std::string(1'000'000, 'x'));
  EXPECT_THAT(message<StoreError>([&] { (void)Study::create(small_options(test::mixed_space()), disk + "/other.db"); }),
              HasSubstr("other.db"));
  EXPECT_FALSE(std::filesystem::exists(disk + "/other.db"));
  umount(disk.c_str());
}

}  // namespace
}  // namespace salvo
