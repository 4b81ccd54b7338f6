// What becomes of a study's file that is not as Salvo wrote it: bits that a disk has turned over, and documents that somebody
// has changed. It is as it was, or there is an error; never another value, a crash or a mountain of memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <salvo/check.h>
#include <salvo/error.h>
#include <salvo/pool.h>
#include <salvo/random.h>
#include <salvo/study.h>

#include <filesystem>
#include <regex>
#include <sstream>

#include "space/json.h"
#include "store/sqlite/schema.h"
#include "store/store.h"
#include "support/folder.h"
#include "support/helper.h"
#include "support/message.h"
#include "support/studies.h"

namespace salvo {
namespace {

using test::message;
using ::testing::AllOf;
using ::testing::HasSubstr;

// A closed study with values, a failure, pending trials, a note and something learned.
std::string whole_study(const test::Folder& folder, int told = 30) {
  const std::string path = folder.path("study.db");
  Study study = Study::create(test::small_options(test::mixed_space()), path);
  test::tell_all(study, study.ask(told));
  const auto more = study.ask(4);
  study.fail(more[0].id, "the pump stopped");
  study.tell(more[1].id, -0.5);
  study.set_note("a", "b");
  std::vector<Params> wanted;
  for (int i = 0; i < 30; ++i)
    wanted.push_back({300.0 + i, 0.01, std::int64_t{3}, std::string("huge"), std::string("Ni"), std::string("north")});
  study.enqueue(wanted);
  return path;
}

// Everything that others read from it, as text.
std::string all_of(const std::string& path) {
  const auto store = open_store(path);
  const Space& space = store->definition().space;
  std::ostringstream out;
  out.precision(17);
  for (const Trial& trial : store->trials())
    out << trial.id << params_to_json(space, trial.params) << to_string(trial.state()) << to_string(trial.source)
        << trial.value().value_or(0) << trial.error() << trial.asked_at << ' ' << trial.told_at << '\n';
  const auto known = store->snapshot(0, -1);
  for (const Record& record : known.records) out << record.sequence << ':' << record.id << ' ';
  for (const Params& params : known.pending) out << params_to_json(space, params);
  for (const Queued& each : known.queue) out << each.id << params_to_json(space, each.params);
  out << known.asks << ' ' << known.num_initial << known.learned->document << known.learned->arrays.size();
  out << store->definition().options << *store->note("a");
  const Counts counts = store->counts();
  out << counts.done << ' ' << counts.failed << ' ' << counts.pending;
  return out.str();
}

void put(const std::string& path, const std::string& bytes) {
  for (const char* suffix : {"-wal", "-shm", "-journal"}) std::filesystem::remove(path + suffix);
  test::write(path, bytes);
}

TEST(Damage, BitsThatTurnOverChangeNothingUnnoticed) {
  const test::Folder folder;
  const std::string path = whole_study(folder, 60), expected = all_of(path), whole = test::contents(path);
  constexpr std::size_t kPlaces = 500;
  int noticed = 0;
  for (std::size_t i = 0; i < kPlaces; ++i) {
    // Every other time a single bit, else a burst. The header and the first page, where the tables are described, more often.
    const std::size_t at = i % 5 == 0 ? (i * 41) % 4096 : (i * 7919) % (whole.size() - 8);
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << (i % 8)));
    for (std::size_t k = 1; k < (i % 2 == 0 ? 1 : 8); ++k) damaged[at + k] = static_cast<char>(damaged[at + k] ^ (37 * k + i));
    put(path, damaged);
    try {
      EXPECT_EQ(all_of(path), expected) << "byte " << at;
    } catch (const StoreError& error) {
      EXPECT_THAT(error.what(), HasSubstr(path));
      ++noticed;
    }
  }
  EXPECT_GT(noticed, static_cast<int>(kPlaces) / 4);
}

void run(const std::string& path, const std::string& sql, bool sealed) {
  Database database(path, Database::Mode::open);
  database.run("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON;" + sql);
  if (!sealed) return;
  for (const Sealed& table : kSealed) seal(database, table);
}

TEST(Damage, CheckSaysWhatIsWrongAndWhatIsWhole) {
  const test::Folder folder;
  const std::string path = whole_study(folder), whole = test::contents(path);
  const StudyCheck good = check_study(path);
  EXPECT_TRUE(good.damage.empty()) << good.damage.front();
  EXPECT_EQ(good.num_trials, 34);
  EXPECT_EQ(good.whole.size(), 34U);
  EXPECT_TRUE(good.notes.empty());
  EXPECT_TRUE(test::contents(path) == whole);

  const auto after = [&](const std::string& sql) {
    put(path, whole);
    run(path, sql, false);
    const std::string before = test::contents(path);
    StudyCheck found = check_study(path);
    EXPECT_TRUE(test::contents(path) == before) << sql;
    return found;
  };
  StudyCheck found = after("UPDATE trial SET value = value + 1e-9 WHERE id = 7; UPDATE trial SET error = 'x' WHERE id = 31");
  EXPECT_THAT(found.damage, testing::ElementsAre("trial 7: its checksum is wrong", "trial 31: its checksum is wrong"));
  EXPECT_EQ(found.whole.size(), 32U);
  found = after("DELETE FROM trial WHERE id IN (3, 10, 11, 12, 34)");
  EXPECT_THAT(found.damage, testing::ElementsAre("trial 3: it is not there", "trials 10 to 12: they are not there",
                                                 "trial 34: it is not there", HasSubstr("outcomes are there")));
  found = after("UPDATE learned SET document = document || ' '");
  EXPECT_THAT(found.damage, testing::ElementsAre(HasSubstr("\"learned\"")));
  EXPECT_EQ(found.whole.size(), 34U);
  EXPECT_THAT(after("UPDATE note SET value = 'c'").damage, testing::ElementsAre(HasSubstr("\"note\", row a")));
  EXPECT_THAT(after("UPDATE study SET asks = 0").damage, testing::ElementsAre(HasSubstr("\"study\"")));
  const std::string mine = owner_of_this_process(), dead = mine.substr(0, mine.rfind(' ')) + " 1";
  put(path, whole);
  run(path, "UPDATE trial SET owner = '" + dead + "' WHERE state = 'pending'", true);
  found = check_study(path);
  EXPECT_TRUE(found.damage.empty());
  EXPECT_THAT(found.notes, testing::ElementsAre(AllOf(HasSubstr("2 pending"), HasSubstr(dead))));

  std::string cut = whole;
  cut.replace(std::size_t{3} * 4096, 512, std::string(512, '\x5a'));
  put(path, cut);
  EXPECT_FALSE(check_study(path).damage.empty());
  EXPECT_THROW((void)check_study(folder.path("none.db")), StoreError);
}

// A trial that is not there any more would be handed out again, under the same number.
TEST(Damage, ATrialThatWasRemovedIsMissed) {
  const test::Folder folder;
  const std::string path = whole_study(folder), whole = test::contents(path);
  for (const char* which : {"id = 5", "id = 33", "id = 34", "state = 'failed'", "state = 'pending'"}) {
    put(path, whole);
    run(path, std::string("DELETE FROM trial WHERE ") + which, true);
    EXPECT_THAT(message<StoreError>([&] { (void)Study::open(path).ask(1); }), AllOf(HasSubstr(path), HasSubstr("damaged")))
        << which;
    EXPECT_THAT(message<StoreError>([&] { (void)Study::open(path).trials(); }), HasSubstr("not there")) << which;
  }
}

std::string column(const std::string& path, const std::string& table, const std::string& name) {
  Database database(path, Database::Mode::open);
  auto row = database.query("SELECT " + name + " FROM " + table);
  return row.next() ? row.text(0) : "";
}

void set_column(const std::string& path, const std::string& table, const std::string& name, const std::string& text) {
  {
    Database database(path, Database::Mode::open);
    database.query("UPDATE " + table + " SET " + name + " = ?", text).run();
  }
  run(path, "", true);
}

// The helper does all that a study can do with it.
void expect_works_or_says_why(const std::string& path, const std::string& what) {
  test::Helper helper({"use", path});
  std::istringstream lines(helper.finish());
  EXPECT_EQ(helper.status(), 0) << what;
  std::string said, memory;
  std::getline(lines, said);
  std::getline(lines, memory);
  EXPECT_TRUE(said == "works" || said.starts_with("refused " + path)) << what << ": " << said;
  for (const char* word : {"std::", "stoull", "bad_alloc", "vector"}) EXPECT_THAT(said, testing::Not(HasSubstr(word))) << what;
  EXPECT_LT(std::strtoll(memory.c_str(), nullptr, 10), 1'000'000) << what << ": kilobytes";
}

// Numbers and texts of a document become others, one at a time, and keys are called otherwise.
TEST(Damage, ChangedDocumentsWorkOrAreRefusedWithAReason) {
  const test::Folder folder;
  const std::string path = whole_study(folder), whole = test::contents(path);
  const std::vector<std::string> others{"1e9", "-1", "\"abc\"", "0", "1e308", "[]", "null"};
  const std::regex value(R"re(:("[^"]*"|-?[0-9][-+.0-9eE]*|true|false|null))re"), key(R"re("([a-z_]+)":)re");
  for (const auto& where : {std::pair{"study", "options"}, std::pair{"study", "space"}, std::pair{"learned", "document"}}) {
    const std::string table = where.first, name = where.second;
    const std::string document = column(path, table, name);
    std::size_t turn = 0;
    const auto attempt = [&](const std::smatch& found, const std::string& by) {
      std::string changed = document;
      changed.replace(static_cast<std::size_t>(found.position(1)), static_cast<std::size_t>(found.length(1)), by);
      put(path, whole);
      set_column(path, table, name, changed);
      expect_works_or_says_why(path, name + ": " + found.str() + " by " + by);
    };
    // All of what was learned, which only Salvo writes; every second of what people write as well, and is checked by other tests.
    const bool every = name == "document";
    for (std::sregex_iterator it(document.begin(), document.end(), value), end; it != end; ++it, ++turn)
      if (every || turn % 2 == 0) attempt(*it, others[(every ? turn : turn / 2) % others.size()]);
    turn = 0;
    for (std::sregex_iterator it(document.begin(), document.end(), key), end; it != end; ++it)
      if (++turn % 6 == 0) attempt(*it, "x");
  }
}

TEST(Damage, ChangedRowsWorkOrAreRefusedWithAReason) {
  const test::Folder folder;
  const std::string path = whole_study(folder), whole = test::contents(path);
  for (const std::string sql :
       {R"(UPDATE learned SET document = json_set(document, '$.num_observations', 1000000000))",
        R"(UPDATE learned SET document = json_set(document, '$.num_fitted', 1000000000))",
        R"(UPDATE learned SET document = json_set(document, '$.num_inducing', 1000000000), arrays = x'')",
        R"(UPDATE learned SET document = json_set(document, '$.num_features', 1000000000))",
        R"(UPDATE learned SET document = json_set(document, '$.lengthscales', json('[1]')))",
        R"(UPDATE learned SET document = json_set(document, '$.steps', json('[[1]]'), '$.changes', json('[[1]]')))",
        "UPDATE learned SET arrays = x'ff'",
        "UPDATE learned SET arrays = zeroblob(length(arrays) * 100)",
        "UPDATE learned SET ask = -5, sequence = 1000000000",
        "UPDATE learned SET settings = 'abc'",
        "DELETE FROM learned",
        "DELETE FROM study",
        "UPDATE study SET asks = -1",
        "UPDATE study SET asks = 1000000000",
        "UPDATE study SET trials = 1000000000",
        "UPDATE study SET tells = 1000000000",
        "UPDATE study SET outputs = '[]'",
        "UPDATE study SET outputs = '5'",
        "UPDATE trial SET value = 9e999 WHERE id = 4",
        "UPDATE trial SET value = NULL WHERE id = 4",
        "UPDATE trial SET asked_at = 9e999 WHERE id = 4",
        "UPDATE trial SET params = '{}' WHERE id = 4",
        "UPDATE trial SET params = '[' WHERE id = 4",
        "UPDATE trial SET state = 'abc' WHERE id = 4",
        "UPDATE trial SET state = 'failed' WHERE id = 4",
        "UPDATE trial SET origin = 'abc' WHERE id = 4",
        "UPDATE trial SET sequence = 1000000000 WHERE id = 4",
        "UPDATE trial SET measured = 'abc' WHERE id = 4",
        "UPDATE trial SET id = 1000000000 WHERE id = 4"}) {
    put(path, whole);
    run(path, sql, true);
    expect_works_or_says_why(path, sql);
  }
}

// The same of a study over a pool.
TEST(Damage, WhatWasLearnedOverAPoolIsChecked) {
  const test::Folder folder;
  const std::string path = folder.path("study.db");
  std::vector<std::uint64_t> words;
  std::vector<std::string> ids;
  for (std::uint64_t i = 0; i < 200; ++i) {
    words.push_back(Key(3).bits(i));
    ids.push_back("m" + std::to_string(i));
  }
  const Pool pool = Pool::from_bits(words, 64, ids);
  {
    const PoolModelOptions model{.kernel = PoolKernelType::tanimoto, .num_inducing = 20, .num_features = 64};
    Study study = Study::create(
        {.outputs = one_objective(Direction::maximize), .batch = 8, .search = PoolSearch{.pool = pool, .model = model}}, path);
    for (int round = 0; round < 3; ++round)
      for (const Trial& trial : study.ask(8)) study.tell(trial.id, static_cast<double>(trial.id % 5));
  }
  const std::string whole = test::contents(path);
  for (const auto& [key, value] : {std::pair{"features", "'abc'"}, std::pair{"num_observations", "1000000000"},
                                   std::pair{"variance", "-1"}, std::pair{"power", "3"}, std::pair{"scale", "0"}}) {
    put(path, whole);
    run(path, std::string("UPDATE learned SET document = json_set(document, '$.") + key + "', " + value + ")", true);
    EXPECT_THAT(message<StoreError>([&] { (void)Study::open(path, pool).ask(2); }),
                AllOf(HasSubstr(path), HasSubstr("\"learned\" is damaged"), HasSubstr(key)));
  }
  put(path, whole);
  run(path, "UPDATE learned SET arrays = x'ffffffffffffff7f'", true);
  EXPECT_THAT(message<StoreError>([&] { (void)Study::open(path, pool).ask(2); }), HasSubstr("inducing"));
  put(path, whole);
  EXPECT_EQ(Study::open(path, pool).ask(2).size(), 2U);
  EXPECT_THAT(check_study(path).notes, testing::ElementsAre(HasSubstr("pool"))) << "it is not in a file";
}

}  // namespace
}  // namespace salvo
