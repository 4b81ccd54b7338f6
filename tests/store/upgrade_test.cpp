// Files that earlier versions wrote (tests/store/data, see record there) are brought up to date and go on as they would have.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <salvo/check.h>
#include <salvo/encoding.h>
#include <salvo/error.h>
#include <salvo/pool_build.h>
#include <salvo/study.h>
#include <salvo/study_file.h>

#include <filesystem>
#include <sstream>

#include "config/options_json.h"
#include "search/results.h"
#include "search/settings.h"
#include "space/json.h"
#include "store/sqlite/sqlite.h"
#include "store/store.h"
#include "support/folder.h"
#include "support/studies.h"
#include "text/json.h"

namespace salvo {
namespace {

using ::testing::HasSubstr;

const std::string kData = std::string(SALVO_TEST_SOURCES) + "/store/data/";

// A study of version 4 with its study file and its pool, where it has one, in a folder.
struct OldStudy {
  explicit OldStudy(const std::string& study) : name(study), path(folder.path(study + ".db")) {
    Database(path, Database::Mode::create).run(test::contents(kData + name + ".sql"));
    std::filesystem::copy_file(kData + name + ".toml", folder.path(name + ".toml"));
    if (std::filesystem::exists(kData + name + ".csv"))
      build_pool({.library = kData + name + ".csv", .hex = name == "bits" ? "hex" : ""}, folder.path(name + ".pool"));
  }
  // The batch that the old version asked for next.
  [[nodiscard]] std::vector<Params> next_batch(const Space& space) const {
    std::istringstream lines(test::contents(kData + name + ".next.jsonl"));
    std::vector<Params> out;
    for (std::string line; std::getline(lines, line);) out.push_back(params_from_json(space, line));
    return out;
  }

  test::Folder folder;
  std::string name, path;
};

struct OldTrial {
  std::int64_t id;
  std::string params, state, source, error;
  std::optional<double> value;
  double asked_at, told_at;
};

std::vector<OldTrial> old_trials(const std::string& path) {
  Database database(path, Database::Mode::open);
  auto row = database.query("SELECT id, params, state, origin, error, value, asked_at, told_at FROM trial ORDER BY id");
  std::vector<OldTrial> out;
  while (row.next())
    out.push_back({row.integer(0), row.text(1), row.text(2), row.text(3), row.text(4),
                   row.null(5) ? std::nullopt : std::optional(row.real(5)), row.real(6), row.real(7)});
  return out;
}

struct OldLearned {
  std::int64_t ask = 0, sequence = 0, num_observations = 0;
  double centre = 0, scale = 0, lowest = 0;
  std::string hyper;
  std::vector<std::byte> inducing;
};

OldLearned old_learned(const std::string& path) {
  Database database(path, Database::Mode::open);
  auto row = database.query("SELECT ask, sequence, num_observations, centre, scale, lowest, hyper, inducing FROM learned");
  EXPECT_TRUE(row.next());
  const auto blob = row.blob(7);
  return {row.integer(0), row.integer(1), row.integer(2), row.real(3),
          row.real(4),    row.real(5),    row.text(6),    {blob.begin(), blob.end()}};
}

std::int64_t latest_learned_ask(const std::string& path) { return open_store(path)->snapshot(0, -1).learned->ask; }

// Number by number as it was.
void expect_same(const Learned& now, const OldLearned& old) {
  EXPECT_EQ(now.ask, old.ask);
  EXPECT_EQ(now.sequence, old.sequence);
  EXPECT_EQ(now.arrays, old.inducing);
  const Tree document = parse_json(now.document), hyper = parse_json(old.hyper);
  EXPECT_EQ(whole_of(document, "num_observations"), old.num_observations);
  EXPECT_EQ(number_of(document, "centre"), old.centre);
  EXPECT_EQ(number_of(document, "scale"), old.scale);
  EXPECT_EQ(number_of(document, "lowest"), old.lowest);
  for (std::size_t i = 0; i < hyper.keys.size(); ++i) {
    const std::string& key = hyper.keys[i];
    if (hyper.items[i].kind == Tree::Kind::other)  // null: none
      EXPECT_FALSE(document.find(key)) << key;
    else if (key == "features")  // a seed of 64 bits
      EXPECT_THAT(old.hyper, HasSubstr("\"features\":" + text_of(document, key) + (i + 1 < hyper.keys.size() ? "," : "}")));
    else
      EXPECT_EQ(to_json(document.at(key)), to_json(hyper.items[i])) << key;
  }
}

// The same candidates; or, over a space, to a millionth of each range: the last bits of a climb differ between processors.
void expect_near(const Space& space, const Params& a, const Params& b, bool pool) {
  if (pool) {
    EXPECT_EQ(a, b);
    return;
  }
  const Encoding encoding(space);
  EXPECT_LE((encoding.encode(a) - encoding.encode(b)).cwiseAbs().maxCoeff(), 1e-6);
}

class UpgradedFile : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(StoreFile, UpgradedFile, ::testing::Values("box", "theory", "bits", "numbers"),
                         [](const auto& name) { return name.param; });

TEST_P(UpgradedFile, KeepsEveryTrial) {
  const OldStudy old(GetParam());
  const auto before = old_trials(old.path);
  Study study = Study::open(old.path);
  const auto now = study.trials();
  ASSERT_EQ(now.size(), before.size());
  ASSERT_EQ(now.size(), 35U);
  for (std::size_t i = 0; i < now.size(); ++i) {
    EXPECT_EQ(now[i].id, before[i].id);
    EXPECT_EQ(params_to_json(study.space(), now[i].params), before[i].params);
    EXPECT_EQ(to_string(now[i].state()), before[i].state);
    EXPECT_EQ(to_string(now[i].source), before[i].source);
    EXPECT_EQ(now[i].error(), before[i].error);
    EXPECT_EQ(now[i].value(), before[i].value);
    EXPECT_EQ(now[i].asked_at, before[i].asked_at);
    EXPECT_EQ(now[i].told_at, before[i].told_at);
  }
  EXPECT_EQ(study.counts().pending, 3);
  EXPECT_EQ(study.counts().failed, 1);
  EXPECT_EQ(study.counts().abandoned, 1);
}

// What the study file says is what the study has, so a run of the same file goes on and changes nothing.
TEST_P(UpgradedFile, KeepsEveryOption) {
  const OldStudy old(GetParam());
  StudyOptions given = read_study_file(old.folder.path(old.name + ".toml")).study;
  if (auto* search = std::get_if<SpaceSearch>(&given.search)) {  // what came later
    search->method = Method::thompson;
    search->model.transform = Transform::none;
    search->model.failures = FailureUse::ignore;
    search->model.summit_share = 0;
    search->model.choice_share = 0;
  }
  if (auto* search = std::get_if<PoolSearch>(&given.search)) search->model.failures = FailureUse::ignore;
  EXPECT_EQ(options_to_json(Study::open(old.path).options()), options_to_json(given));
  EXPECT_NO_THROW((void)Study::open_or_create(given, old.path));
}

TEST_P(UpgradedFile, KeepsWhatWasLearned) {
  const OldStudy old(GetParam());
  const OldLearned before = old_learned(old.path);
  const auto now = open_store(old.path)->snapshot(0, -1).learned;
  ASSERT_TRUE(now);
  expect_same(*now, before);
  const StudyOptions options = Study::open(old.path).options();
  const std::int64_t anchored = num_anchored(options.num_initial, options.batch);
  EXPECT_EQ(now->settings,
            std::visit([&](const auto& search) { return learning_settings(search.model, anchored); }, options.search));
}

TEST_P(UpgradedFile, AsksForTheSameNextBatch) {
  const OldStudy old(GetParam());
  Study study = Study::open(old.path);
  const auto wanted = old.next_batch(study.space());
  const auto trials = study.ask(static_cast<int>(wanted.size()));
  ASSERT_EQ(trials.size(), wanted.size());
  for (std::size_t i = 0; i < trials.size(); ++i)
    expect_near(study.space(), trials[i].params, wanted[i], study.options().pool() != nullptr);
  EXPECT_EQ(latest_learned_ask(old.path), 4) << "by what was learned before, as the old version did";
}

TEST(StoreFile, BringsAnOldVersionUpToDateAndGoesOnAlike) {
  const OldStudy old("box");
  const std::string current = old.folder.path("new.db");
  std::filesystem::copy_file(old.path, current);
  {
    Database database(old.path, Database::Mode::open);  // as version 1 wrote it: without owners, notes, methods and pools
    database.run("DROP TABLE note; ALTER TABLE trial DROP COLUMN owner");
    for (const std::string column : {"method", "pool", "pool_checksum", "pool_model"})
      database.run("ALTER TABLE study DROP COLUMN " + column);
    database.run("PRAGMA user_version = 1");
  }
  Study first = Study::open(old.path), fourth = Study::open(current);
  EXPECT_EQ(first.counts().done, 30);
  first.set_note("a", "b");
  EXPECT_EQ(first.note("a"), "b");
  EXPECT_EQ(first.options().method(), Method::thompson);
  EXPECT_EQ(test::points(first.ask(2, "me 1 1")), test::points(fourth.ask(2)));
  EXPECT_EQ(Study::open(old.path).counts().pending, 5);
  for (const std::string& path : {old.path, current}) {  // what came from then has its checksums now
    EXPECT_TRUE(check_study(path).damage.empty()) << check_study(path).damage.front();
    Database(path, Database::Mode::open).run("UPDATE trial SET value = value + 1 WHERE id = 3; UPDATE learned SET ask = ask + 1");
    EXPECT_THAT(check_study(path).damage, ::testing::ElementsAre(HasSubstr("\"learned\""), HasSubstr("trial 3")));
    EXPECT_THROW((void)Study::open(path).trials(), StoreError);
  }
}

// Version 11 had no trial without a first value. Amendments refer to trials, whose table is made anew.
TEST(StoreFile, CorrectionsOutliveANewTableOfTrials) {
  const test::Folder folder;
  const std::string path = folder.path("s.db");
  {
    Study study = Study::create(test::small_branin(), path);
    (void)study.ask(3);
    study.tell(1, 1.5);
    study.tell(2, 2.5);
    study.amend(1, 0.5, "a slip");
  }
  const auto before = old_trials(path);
  Database(path, Database::Mode::open).run("PRAGMA user_version = 11");
  Study study = Study::open(path);
  ASSERT_EQ(study.amendments().size(), 1U);
  EXPECT_EQ(study.amendments()[0].reason, "a slip");
  const auto now = old_trials(path);
  ASSERT_EQ(now.size(), before.size());
  for (std::size_t i = 0; i < now.size(); ++i) EXPECT_EQ(now[i].value, before[i].value);
  study.amend(2, 3.5, "another");
  EXPECT_EQ(study.amendments().size(), 2U);
  EXPECT_TRUE(check_study(path).damage.empty());
  Database database(path, Database::Mode::open);
  EXPECT_FALSE(database.query("PRAGMA foreign_key_check").next());
}

// Options that came later are off: a study goes on with what it began with.
TEST(StoreFile, OptionsOfTheFirstVersionAreRead) {
  const OldStudy old("box");
  Database(old.path, Database::Mode::open)
      .query("UPDATE study SET model = ?",
             R"({"kernel":"matern32","num_inducing":250,"num_features":700,"inducing":"greedy","alpha":1.25,)"
             R"("max_lengthscale":0.6,"refit_growth":0.1,"num_starts":3,"num_candidates":9})")
      .run();
  const StudyOptions options = Study::open(old.path).options();
  const ModelOptions& model = test::model_of(options);
  EXPECT_EQ(model.kernel, KernelType::matern32);
  EXPECT_EQ(model.num_inducing, 250);
  EXPECT_EQ(model.num_features, 700);
  EXPECT_EQ(model.inducing, Inducing::greedy);
  EXPECT_EQ(model.alpha, 1.25);
  EXPECT_EQ(model.max_lengthscale, 0.6);
  EXPECT_EQ(model.refit_growth, 0.1);
  EXPECT_EQ(model.num_starts, 3);
  EXPECT_EQ(model.num_candidates, 9);
  EXPECT_EQ(model.type, ModelType::inducing_points);
  EXPECT_EQ(model.features, FeatureType::fourier);
  EXPECT_EQ(model.alpha_rule, AlphaRule::constant);
  EXPECT_EQ(model.max_share, 1);
  EXPECT_EQ(model.near_share, 0);
  EXPECT_EQ(model.scout_share, 0);
  EXPECT_EQ(model.exact_until, 0);
}

// The first pools had no floor: their study has none now, and what it learned stays learned.
TEST(StoreFile, APoolsOptionsWithoutAFloorAreRead) {
  const OldStudy old("bits");
  Database(old.path, Database::Mode::open)
      .run(R"(UPDATE study SET pool_model = replace(pool_model, ',"floor":0.5', '');)"
           R"(UPDATE learned SET settings = replace(settings, ',"floor":0.5', ''))");
  Study study = Study::open(old.path);
  EXPECT_EQ(std::get<PoolSearch>(study.options().search).model.floor, std::nullopt);
  (void)study.ask(2);
  EXPECT_EQ(latest_learned_ask(old.path), 4);
}

}  // namespace
}  // namespace salvo
