#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <salvo/error.h>
#include <salvo/random.h>
#include <salvo/study.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>
#include <set>

#include "support/folder.h"
#include "support/studies.h"

namespace salvo {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

Pool bits_pool(int size, std::uint64_t seed = 3) {
  std::vector<std::uint64_t> words;
  std::vector<std::string> ids;
  for (int i = 0; i < size; ++i) {
    words.push_back(Key(seed).bits(static_cast<std::uint64_t>(i)) & Key(seed + 1).bits(static_cast<std::uint64_t>(i)));
    ids.push_back(fmt::format("m{}", i));
  }
  return Pool::from_bits(std::move(words), 64, std::move(ids));
}

StudyOptions options_for(const Pool& pool, int batch = 8) {
  const auto kernel = pool.kind() == PoolKind::numbers ? PoolKernelType::matern52 : PoolKernelType::tanimoto;
  const PoolModelOptions model{.kernel = kernel, .num_inducing = 20, .num_features = 64};
  return {.name = "screen",
          .outputs = one_objective(Direction::maximize),
          .seed = 11,
          .batch = batch,
          .search = PoolSearch{.pool = pool, .model = model}};
}

PoolSearch& search_of(StudyOptions& options) { return std::get<PoolSearch>(options.search); }

std::string id_of(const Trial& trial) { return to_string(trial.params.at(0)); }

// Many of its low bits, few of its high ones.
double value_of(const Pool& pool, const Trial& trial) {
  const std::uint64_t word = pool.bits(pool.find(id_of(trial)))[0];
  return std::popcount(word & 0xffffffffULL) - 0.5 * std::popcount(word >> 32);
}

void tell_all(Study& study, const std::vector<Trial>& trials) {
  std::vector<Told> outcomes;
  for (const Trial& trial : trials) outcomes.push_back(told(trial.id, value_of(*study.options().pool(), trial)));
  study.tell(outcomes);
}

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(PoolStudy, CandidatesOfTheQueueComeFirstAndOnce) {
  Study study = Study::create(options_for(bits_pool(6)), ":memory:");
  EXPECT_EQ(study.enqueue(std::vector<Params>{{std::string("m4")}, {std::string("m2")}}), 2);
  const auto first = study.ask(3);
  EXPECT_EQ(id_of(first[0]), "m4");
  EXPECT_EQ(id_of(first[1]), "m2");
  tell_all(study, first);
  EXPECT_EQ(study.enqueue(std::vector<Params>{{std::string("m4")}}), 0);  // its value is known
  EXPECT_THAT(message_of([&] { (void)study.enqueue(std::vector<Params>{{std::string("m4")}}, true); }), HasSubstr("once"));
  EXPECT_THAT(message_of([&] { (void)study.enqueue(std::vector<Params>{{std::string("nobody")}}); }), HasSubstr("nobody"));
  EXPECT_THAT(message_of([&] { (void)study.ask({.size = 1, .fixed = {{"candidate", std::string("m1")}}}); }), HasSubstr("pool"));
  std::vector<Params> rest;
  for (const char* id : {"m0", "m1", "m3", "m5"})
    if (std::none_of(first.begin(), first.end(), [&](const Trial& trial) { return id_of(trial) == id; }))
      rest.push_back({std::string(id)});
  EXPECT_EQ(study.enqueue(rest), 3);
  EXPECT_THAT(study.ask(5), SizeIs(3));  // the last ones were all in the queue
}

TEST(PoolStudy, ExhaustsItsPoolAndHandsOutNoCandidateTwice) {
  const Pool pool = bits_pool(61);
  Study study = Study::create(options_for(pool), ":memory:");
  std::set<std::string> seen;
  for (int left = 61; left > 0; left -= 8) {
    EXPECT_EQ(study.num_left(), left);
    const auto trials = study.ask(8);
    EXPECT_THAT(trials, SizeIs(std::min(8, left)));
    for (const Trial& trial : trials) EXPECT_TRUE(seen.insert(id_of(trial)).second) << id_of(trial);
    tell_all(study, trials);
  }
  EXPECT_THAT(seen, SizeIs(61));
  EXPECT_THAT(message_of([&] { study.ask(1); }), HasSubstr("no candidate is left: all 61"));
}

// Over many pools and seeds: more often, by four standard deviations, than chance would among as many candidates.
TEST(PoolStudy, FindsTheBestLongBeforeItHasSeenAll) {
  constexpr int kStudies = 12, kBatch = 40, kBatches = 8, kCandidates = 2000;
  double found = 0, by_chance = 0, variance = 0;
  for (std::uint64_t seed = 0; seed < kStudies; ++seed) {
    const Pool pool = bits_pool(kCandidates, 100 + 2 * seed);
    StudyOptions options = options_for(pool, kBatch);
    options.seed = seed;
    search_of(options).model.num_inducing = 200;  // with 20 it is luck, whatever the kernel
    Study study = Study::create(options, ":memory:");
    std::vector<double> values;
    for (std::int64_t row = 0; row < pool.size(); ++row)
      values.push_back(value_of(pool, {.params = {std::string(pool.id(row))}}));
    const double best = *std::max_element(values.begin(), values.end());
    const auto num_best = std::count(values.begin(), values.end(), best);
    for (int i = 0; i < kBatches; ++i) tell_all(study, study.ask(kBatch));
    found += *study.observed_best()->value() == best ? 1 : 0;
    double missed = 1;  // by candidates that are drawn without replacement
    for (std::ptrdiff_t i = 0; i < num_best; ++i)
      missed *= static_cast<double>(kCandidates - kBatch * kBatches - i) / static_cast<double>(kCandidates - i);
    by_chance += 1 - missed;
    variance += missed * (1 - missed);
    const auto recommended = study.recommend();
    ASSERT_TRUE(recommended);
    EXPECT_EQ(recommended->mean, study.predict({&recommended->trial.params, 1})[0].mean);
  }
  EXPECT_GT(found, by_chance + 4 * std::sqrt(variance));
}

// What a process chooses depends on the records alone, not on what it remembers.
TEST(PoolStudy, GoesOnAlikeWhenReopenedBeforeEveryAsk) {
  const test::Folder folder;
  const Pool pool = bits_pool(400);
  pool.save(folder.path("p.pool"));
  const Pool mapped = Pool::open(folder.path("p.pool"));
  Study kept = Study::create(options_for(mapped), folder.path("kept.db"));
  (void)Study::create(options_for(mapped), folder.path("reopened.db"));
  for (int i = 0; i < 9; ++i) {
    const auto trials = kept.ask(8);
    tell_all(kept, {trials.begin(), trials.begin() + 5});
    (void)kept.recommend();  // learns, and stores nothing
    tell_all(kept, {trials.begin() + 5, trials.end()});
    Study reopened = Study::open(folder.path("reopened.db"));
    const auto same = reopened.ask(8);
    ASSERT_EQ(same.size(), trials.size());
    for (std::size_t k = 0; k < trials.size(); ++k) ASSERT_EQ(id_of(same[k]), id_of(trials[k])) << "ask " << i;
    tell_all(reopened, same);
  }
}

TEST(PoolStudy, OutcomesThatComeInAnotherOrderMakeTheSameModel) {
  const test::Folder folder;
  const Pool pool = bits_pool(300);
  pool.save(folder.path("p.pool"));
  auto options = options_for(Pool::open(folder.path("p.pool")));
  search_of(options).model.refit_growth = 10;  // so that data is taken in without learning
  Study study = Study::create(options, folder.path("a.db"));
  tell_all(study, study.ask(8));
  const auto first = study.ask(4), second = study.ask(4);
  tell_all(study, second);
  tell_all(study, study.ask(2));
  tell_all(study, first);
  Study other = Study::open(folder.path("a.db"));
  const Params point = {std::string("m5")};
  EXPECT_EQ(study.predict({&point, 1})[0].mean, other.predict({&point, 1})[0].mean);
}

TEST(PoolStudy, WorksOverNumbers) {
  std::vector<float> rows;
  for (int i = 0; i < 900; ++i) rows.insert(rows.end(), {static_cast<float>(i % 30), static_cast<float>(i / 30)});
  const Pool pool = Pool::from_numbers(std::move(rows), {"x", "y"}, {});
  Study study = Study::create(options_for(pool, 10), ":memory:");
  for (int i = 0; i < 8; ++i) {
    for (const Trial& trial : study.ask(10)) {
      const float* at = pool.numbers(pool.find(id_of(trial)));
      study.tell(trial.id, -(at[0] - 20) * (at[0] - 20) - (at[1] - 7) * (at[1] - 7));
    }
  }
  EXPECT_GE(*study.observed_best()->value(), -2);
  EXPECT_EQ(study.model_report()->lengthscales.size(), 2);
}

TEST(PoolStudy, TakesValuesByIdAndOfPendingCandidatesToo) {
  const Pool pool = bits_pool(50);
  Study study = Study::create(options_for(pool), ":memory:");
  const auto trials = study.ask(3);
  const Params elsewhere = {std::string("m49")};
  const Params points[] = {trials[1].params, elsewhere};
  const double values[] = {2.5, 1.5};
  EXPECT_EQ(study.add(points, values).front(), trials[1].id);
  EXPECT_EQ(study.trial(trials[1].id)->state(), TrialState::done);
  EXPECT_EQ(study.counts().pending, 2);
  EXPECT_EQ(study.counts().done, 2);
  EXPECT_EQ(study.num_left(), 50 - (elsewhere == trials[0].params || elsewhere == trials[2].params ? 3 : 4));
  const Params unknown = {std::string("nobody")};
  const double value = 1;
  EXPECT_THAT(message_of([&] {
                study.add({&unknown, 1}, {&value, 1});
              }),
              HasSubstr("expected an id of the pool, got \"nobody\""));
  EXPECT_THAT(message_of([&] { (void)study.predict({&unknown, 1}); }), HasSubstr("nobody"));
}

TEST(PoolStudy, FailedCandidatesStayTakenAndAbandonedOnesDoNot) {
  const Pool pool = bits_pool(10);
  Study study = Study::create(options_for(pool), ":memory:");
  const auto trials = study.ask(9);
  study.fail(trials[0].id, "broke");
  for (int i = 1; i < 8; ++i) study.tell(trials[static_cast<std::size_t>(i)].id, i);
  study.abandon(trials[8].id);
  EXPECT_EQ(study.num_left(), 2);
  std::set<std::string> last;
  for (const Trial& trial : study.ask(5)) last.insert(id_of(trial));
  EXPECT_THAT(last, SizeIs(2));
  EXPECT_TRUE(last.contains(id_of(trials[8])));
  EXPECT_FALSE(last.contains(id_of(trials[0])));
}

TEST(PoolStudy, RefusesAPoolThatHasChanged) {
  const test::Folder folder;
  bits_pool(30).save(folder.path("p.pool"));
  (void)Study::create(options_for(Pool::open(folder.path("p.pool"))), folder.path("a.db"));
  bits_pool(30, 4).save(folder.path("p.pool"));
  EXPECT_THAT(message_of([&] { (void)Study::open(folder.path("a.db")); }), HasSubstr("has changed since the study began"));
  EXPECT_THAT(
      message_of([&] { (void)Study::open_or_create(options_for(Pool::open(folder.path("p.pool"))), folder.path("a.db")); }),
      HasSubstr("has changed"));
  std::filesystem::remove(folder.path("p.pool"));
  EXPECT_THAT(message_of([&] { (void)Study::open(folder.path("a.db")); }), HasSubstr("No such file"));
  // Moved together, they find each other.
  bits_pool(30).save(folder.path("p.pool"));
  std::filesystem::create_directories(folder.path("moved"));
  for (const char* name : {"p.pool", "a.db"}) std::filesystem::rename(folder.path(name), folder.path("moved") + "/" + name);
  EXPECT_EQ(Study::open(folder.path("moved") + "/a.db").options().pool()->size(), 30);
}

TEST(PoolStudy, OptionsMustFitThePool) {
  StudyOptions options = options_for(bits_pool(20));
  search_of(options).model.kernel = PoolKernelType::se;
  EXPECT_THAT(message_of([&] { (void)Study::create(options, ":memory:"); }),
              HasSubstr("model.kernel: expected \"tanimoto\" or \"arccosine\" for a pool of bits, got se"));
  options = options_for(bits_pool(20));
  search_of(options).method = Method::random;
  Study random = Study::create(options, ":memory:");
  for (int i = 0; i < 2; ++i) tell_all(random, random.ask(8));
  EXPECT_THAT(random.ask(8), SizeIs(4));
}

TEST(PoolStudy, HasNoPrior) {
  Study study = Study::create(options_for(bits_pool(20)), ":memory:");
  const std::vector<Params> points{{std::string("m1")}, {std::string("m2")}};
  EXPECT_THAT(message_of([&] { study.set_prior(points, std::vector{1.0, 2.0}, "elsewhere"); }), HasSubstr("got one over a pool"));
  EXPECT_FALSE(study.prior());
}

}  // namespace
}  // namespace salvo
