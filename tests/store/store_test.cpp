// What every kind of store promises: a second kind of database is a second entry of kStores, and has passed when these have.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <salvo/error.h>
#include <salvo/study.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "store/every_store.h"
#include "support/message.h"

namespace salvo {
namespace {

using test::message;
using ::testing::AllOf;
using ::testing::HasSubstr;

INSTANTIATE_TEST_SUITE_P(Kinds, EveryStore, ::testing::ValuesIn(kStores), [](const auto& kind) { return kind.param.name; });

void expect_same(const Trial& a, const Trial& b) {
  EXPECT_EQ(a.id, b.id);
  EXPECT_EQ(a.params, b.params);
  EXPECT_EQ(a.source, b.source);
  EXPECT_EQ(a.outcome, b.outcome);
  EXPECT_EQ(a.asked_at, b.asked_at);
  EXPECT_EQ(a.told_at, b.told_at);
}

TEST_P(EveryStore, KeepsWhatTheStudyIsAndItsNewOptions) {
  begin({"yield", "cost"});
  EXPECT_EQ(store_->url(), GetParam().url(folder_));
  for (const std::string options : {R"({"any": "document"})", "another\n\"ü\""}) {
    store_->set_options(options);
    const Definition& kept = again().definition();
    EXPECT_EQ(kept.options, options);
    EXPECT_EQ(kept.outputs, (std::vector<std::string>{"yield", "cost"}));
    EXPECT_EQ(kept.space.check(point(450)), point(450));
  }
}

std::vector<std::int64_t> numbers(const std::vector<Queued>& queue) {
  std::vector<std::int64_t> out;
  for (const Queued& each : queue) out.push_back(each.id);
  return out;
}

TEST_P(EveryStore, TheQueueKeepsItsOrderAndNoNumberIsUsedTwice) {
  begin();
  const std::vector<Params> first{point(500), point(400), point(500)};
  EXPECT_EQ(store_->enqueue(first), 2);  // the third is there already
  EXPECT_EQ(again().queue(), (std::vector<Queued>{{1, point(500)}, {2, point(400)}}));
  const std::int64_t gone[] = {2, 7};
  EXPECT_EQ(store_->unqueue(gone), 1);
  const std::vector<Params> second{point(600)};
  EXPECT_EQ(again().enqueue(second), 1);
  EXPECT_EQ(numbers(store_->queue()), (std::vector<std::int64_t>{1, 3}));
  EXPECT_EQ(store_->snapshot(0, -1).queue, store_->queue());
}

TEST_P(EveryStore, PointsLeaveTheQueueWithTheirTrialsOrNotAtAll) {
  begin();
  const std::vector<Params> wanted{point(500), point(400)};
  (void)store_->enqueue(wanted);
  const Store::NewTrial one{point(500), Source::queue};
  const std::int64_t gone[] = {1};
  const std::int64_t ask = store_->snapshot(0, -1).asks;
  EXPECT_FALSE(store_->claim(ask + 1, {&one, 1}, nullptr, "", gone).has_value());
  EXPECT_EQ(numbers(store_->queue()), (std::vector<std::int64_t>{1, 2}));
  const auto trials = store_->claim(ask, {&one, 1}, nullptr, "", gone);
  ASSERT_TRUE(trials.has_value());
  EXPECT_EQ(trials->at(0).source, Source::queue);
  EXPECT_EQ(numbers(again().queue()), (std::vector<std::int64_t>{2}));
}

TEST_P(EveryStore, NotesAreFoundByTheBeginningOfTheirKeys) {
  begin();
  store_->set_note("trial 7", "foam");
  store_->set_note("trial 12", "");
  store_->set_note("other", "x");
  EXPECT_EQ(again().notes("trial "), (std::map<std::string, std::string>{{"trial 12", ""}, {"trial 7", "foam"}}));
  EXPECT_TRUE(store_->notes("trial 7 ").empty());
  EXPECT_EQ(store_->notes("").size(), 3U);
  store_->set_notes({{"trial 7", "fine"}, {"trial 70", "new"}});
  EXPECT_EQ(again().notes("trial 7"), (std::map<std::string, std::string>{{"trial 7", "fine"}, {"trial 70", "new"}}));
}

// Otherwise it would hand out what was taken back while it computed.
TEST_P(EveryStore, AnAskThatSawAPointWhichWasTakenOutIsComputedAgain) {
  begin();
  const std::vector<Params> wanted{point(500)};
  (void)store_->enqueue(wanted);
  const std::int64_t ask = store_->snapshot(0, -1).asks;
  const std::int64_t gone[] = {1};
  (void)store_->unqueue(gone);
  const Store::NewTrial one{point(500), Source::queue};
  EXPECT_FALSE(store_->claim(ask, {&one, 1}, nullptr, "", gone).has_value());
}

TEST_P(EveryStore, TrialsAreNumberedAndComeBackAsTheyWereHandedOut) {
  begin();
  const auto first = claim(3), second = claim(2);
  ASSERT_EQ(first.size(), 3U);
  EXPECT_EQ(first[2].id, 3);
  EXPECT_EQ(second[0].id, 4);
  EXPECT_EQ(first[1].source, Source::model);
  EXPECT_GT(first[0].asked_at, 1.6e9);
  const auto trials = again().trials();
  ASSERT_EQ(trials.size(), 5U);
  for (std::size_t i = 0; i < 3; ++i) expect_same(trials[i], first[i]);
  expect_same(*store_->trial(5), second[1]);
  EXPECT_FALSE(store_->trial(6));
  EXPECT_FALSE(store_->trial(0));
  EXPECT_FALSE(store_->trial(-1));
  tell(2, Abandoned{});
  const auto pending = again().pending();
  ASSERT_EQ(pending.size(), 4U);
  expect_same(pending[0], first[0]);
  expect_same(pending[1], first[2]);
}

TEST_P(EveryStore, TheNewestOutcomesComeFirstAndTrialsHaveTheirOwner) {
  begin();
  claim(3, nullptr, "lab 1 2");
  EXPECT_TRUE(store_->told_last(5).empty());
  tell(3, Values{{1}});
  tell(1, Failure{"no"});
  again();
  const auto last = store_->told_last(5);
  ASSERT_EQ(last.size(), 2U);
  EXPECT_EQ(last[0].id, 1);
  EXPECT_EQ(last[1].id, 3);
  ASSERT_EQ(store_->told_last(1).size(), 1U);
  EXPECT_EQ(store_->told_last(1)[0].error(), "no");
  for (const Trial& trial : store_->trials()) EXPECT_EQ(trial.owner, "lab 1 2");
}

TEST_P(EveryStore, SeveralOutputsAndWhateverElseWasMeasuredComeBackExactly) {
  begin({"yield", "cost", "colour"});
  claim(3);
  const Values all{{0.1, -1e-300, 1e300}, {{"temperature", 0.30000000000000004}, {"größe", -0.0}}};
  const Values plain{{1.0 / 3, 2, 3}};
  tell(2, all);
  tell(1, plain);
  const std::vector<Params> elsewhere{point(555)};
  const auto ids = store_->add(elsewhere, {&all, 1}, false);
  again();
  EXPECT_EQ(store_->trial(2)->outcome, Outcome(all));
  EXPECT_EQ(store_->trial(2)->value(), 0.1);
  EXPECT_EQ(store_->trial(1)->outcome, Outcome(plain));
  EXPECT_EQ(store_->trial(ids.at(0))->outcome, Outcome(all));
  const auto records = store_->snapshot(0, -1).records;
  ASSERT_EQ(records.size(), 3U);
  EXPECT_EQ(records[0].outcome, Outcome(all));
  EXPECT_EQ(records[1].outcome, Outcome(plain));
  EXPECT_EQ(records[2].outcome, Outcome(all));
}

// An evaluation that stopped early has measured some outputs: these are kept, and nothing is made up for the others.
TEST_P(EveryStore, WhatWasNotMeasuredComesBackAsThat) {
  begin({"yield", "cost", "colour"});
  claim(4);
  const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  const Values first{{nan, 2, 3}}, last{{1, nan, nan}, {{"mass", 4}}}, middle{{nan, 2, nan}, {}, {{"why", "it stopped"}}};
  tell(1, first);
  tell(2, last);
  const std::vector<Params> elsewhere{point(555)};
  const std::int64_t added = store_->add(elsewhere, {&middle, 1}, false).at(0);
  const Correction later{2, Values{{nan, 5, nan}}, "the balance"};
  store_->amend({&later, 1});
  again();
  EXPECT_EQ(store_->trial(1)->outcome, Outcome(first));
  EXPECT_EQ(store_->trial(1)->value(), std::nullopt);
  EXPECT_EQ(store_->trial(1)->state(), TrialState::done);
  EXPECT_EQ(store_->trial(2)->outcome, later.outcome);
  EXPECT_EQ(store_->trial(added)->outcome, Outcome(middle));
  EXPECT_EQ(store_->amendments().at(0).before, Outcome(last));
  EXPECT_EQ(store_->amendments().at(0).after, later.outcome);
  EXPECT_EQ(store_->counts().done, 3);
  EXPECT_EQ(store_->counts().pending, 2);
  EXPECT_NE(Outcome(first), Outcome(middle));
  const auto refused = [&](std::int64_t id, const Values& values) {
    return message<std::invalid_argument>([&] { tell(id, values); });
  };
  EXPECT_THAT(refused(3, Values{{nan, nan, nan}}), HasSubstr("trial 3: expected a value of one of 3 outputs at least, got none"));
  EXPECT_THAT(refused(3, Values{{1, inf, 2}}), HasSubstr("trial 3: cost: expected a finite value, got inf"));
  EXPECT_THAT(refused(1, first), HasSubstr("was told already, with the values not measured, 2, 3"));
  const Correction back{1, {}, ""};
  EXPECT_THAT(message<std::invalid_argument>([&] { store_->amend({&back, 1}); }), HasSubstr("not measured"));
}

TEST_P(EveryStore, FailuresKeepTheirReasonAndAbandonedTrialsAreNone) {
  begin();
  claim(4);
  const std::string reason = "exit code 3; stderr: \"no\"\nlicence ü";
  tell(1, Failure{reason});
  tell(2, Failure{""});
  tell(3, Abandoned{});
  again();
  EXPECT_EQ(store_->trial(1)->error(), reason);
  EXPECT_EQ(store_->trial(1)->state(), TrialState::failed);
  EXPECT_EQ(store_->trial(2)->outcome, Outcome(Failure{}));
  EXPECT_EQ(store_->trial(3)->outcome, Outcome(Abandoned{}));
  EXPECT_GT(store_->trial(3)->told_at, 1.6e9);
  EXPECT_EQ(store_->trial(4)->told_at, 0);
  const Counts counts = store_->counts();
  EXPECT_EQ(counts.pending, 1);
  EXPECT_EQ(counts.failed, 2);
  EXPECT_EQ(counts.abandoned, 1);
  EXPECT_EQ(counts.done, 0);
  EXPECT_EQ(counts.total(), 4);
}

TEST_P(EveryStore, ASnapshotHasWhatBecameKnownSinceInThatOrder) {
  begin();
  const auto trials = claim(5);
  EXPECT_TRUE(store_->snapshot(0, -1).records.empty());
  tell(4, Values{{1.5}});
  const std::vector<Told> more{{2, Failure{"broken"}}, {5, Abandoned{}}, told(1, -2)};
  store_->tell(more);
  const std::vector<Params> elsewhere{point(555)};
  const Values seven{{7}};
  store_->add(elsewhere, {&seven, 1}, false);
  const auto all = again().snapshot(0, -1);
  ASSERT_EQ(all.records.size(), 5U);
  const std::int64_t ids[] = {4, 2, 5, 1, 6};
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(all.records[i].sequence, static_cast<std::int64_t>(i) + 1);
    EXPECT_EQ(all.records[i].id, ids[i]);
    EXPECT_EQ(all.records[i].params, store_->trial(ids[i])->params);
    EXPECT_EQ(all.records[i].source, store_->trial(ids[i])->source);
    EXPECT_EQ(all.records[i].outcome, *store_->trial(ids[i])->outcome);
  }
  EXPECT_EQ(all.records[4].source, Source::told);
  EXPECT_EQ(all.asks, 1);
  EXPECT_EQ(all.num_initial, 3);
  EXPECT_EQ(all.pending, (std::vector<Params>{trials[2].params}));
  const auto later = store_->snapshot(3, -1).records;
  ASSERT_EQ(later.size(), 2U);
  EXPECT_EQ(later[0].id, 1);
  EXPECT_EQ(later[1].id, 6);
  EXPECT_TRUE(store_->snapshot(5, -1).records.empty());
}

// Who computed with what is no longer so gets nothing and changes nothing.
TEST_P(EveryStore, ClaimIsCompareAndSet) {
  begin();
  const std::vector<Store::NewTrial> points{{point(400), Source::model}};
  const Learned learned{.ask = 0, .document = "first"}, late{.ask = 0, .document = "late"};
  EXPECT_FALSE(store_->claim(1, points, &late, "")) << "nobody has asked yet";
  ASSERT_TRUE(store_->claim(0, points, &learned, ""));
  EXPECT_FALSE(store_->claim(0, points, &late, ""));
  EXPECT_EQ(again().counts().total(), 1);
  EXPECT_EQ(store_->snapshot(0, -1).asks, 1);
  EXPECT_EQ(store_->snapshot(0, -1).learned->document, "first");
  EXPECT_TRUE(store_->claim(1, points, nullptr, ""));
  EXPECT_EQ(again().counts().total(), 2);
}

TEST_P(EveryStore, TellIsAllOrNothing) {
  begin({"yield", "cost"});
  claim(4);
  tell(1, Values{{1.25, 0}});
  tell(2, Failure{"boom"});
  tell(3, Abandoned{});
  const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  const auto attempt = [&](const Told& bad) {
    const std::vector<Told> outcomes{{4, Values{{3.0, 4.0}}}, bad};
    const std::string said = message<std::invalid_argument>([&] { store_->tell(outcomes); });
    EXPECT_EQ(again().counts().pending, 1) << said;
    EXPECT_EQ(store_->snapshot(0, -1).records.size(), 3U) << said;
    return said;
  };
  const Values good{{9, 9}};
  EXPECT_THAT(attempt({1, good}), AllOf(HasSubstr("trial 1"), HasSubstr("1.25"), HasSubstr("UTC")));
  EXPECT_THAT(attempt({2, good}), AllOf(HasSubstr("trial 2"), HasSubstr("boom")));
  EXPECT_THAT(attempt({3, good}), AllOf(HasSubstr("trial 3"), HasSubstr("abandoned")));
  EXPECT_THAT(attempt({4, good}), AllOf(HasSubstr("trial 4"), HasSubstr("told already"))) << "twice in one call";
  EXPECT_THAT(attempt({4, Abandoned{}}), HasSubstr("trial 4"));
  EXPECT_THAT(attempt({99, good}), AllOf(HasSubstr("no trial 99"), HasSubstr("has 4")));
  EXPECT_THAT(attempt({-1, good}), HasSubstr("no trial -1"));
  EXPECT_THAT(attempt({4, Values{{nan, nan}}}), HasSubstr("got none"));
  EXPECT_THAT(attempt({4, Values{{-inf, 1}}}), HasSubstr("finite"));
  EXPECT_THAT(attempt({4, Values{{1, 2}, {{"mass", nan}}}}), AllOf(HasSubstr("mass"), HasSubstr("finite")));
  EXPECT_THAT(attempt({4, Values{{1, 2}, {{"cost", 3}}}}), AllOf(HasSubstr("cost"), HasSubstr("output")));
  EXPECT_THAT(attempt({4, Values{{1}}}), AllOf(HasSubstr("2 outputs"), HasSubstr("got 1")));
  EXPECT_EQ(store_->trial(1)->value(), 1.25);
  tell(4, good);
  EXPECT_EQ(again().snapshot(0, -1).records.back().sequence, 4) << "what was refused left no gap";
}

TEST_P(EveryStore, PointsEvaluatedElsewhereAreNewTrialsOrTellPendingOnes) {
  begin();
  const auto trials = claim(2, nullptr, "somebody");
  const std::vector<Params> points{trials[0].params, point(777), trials[0].params};
  const std::vector<Values> values{{{1}}, {{2}}, {{3}}};
  EXPECT_EQ(store_->add(points, values, false), (std::vector<std::int64_t>{3, 4, 5}));
  EXPECT_EQ(again().counts().pending, 2);
  EXPECT_EQ(store_->add(points, values, true), (std::vector<std::int64_t>{1, 6, 7})) << "once it has an outcome it is new";
  again();
  EXPECT_EQ(store_->trial(1)->value(), 1);
  EXPECT_EQ(store_->trial(1)->source, Source::initial);
  EXPECT_EQ(store_->trial(1)->asked_at, trials[0].asked_at);
  EXPECT_EQ(store_->trial(7)->value(), 3);
  EXPECT_EQ(store_->trial(7)->source, Source::told);
  EXPECT_EQ(store_->trial(7)->params, trials[0].params);
  EXPECT_EQ(store_->counts().pending, 1);
  EXPECT_EQ(store_->counts().done, 6);
  EXPECT_TRUE(store_->add({}, {}, true).empty());
}

TEST_P(EveryStore, FailuresFromElsewhereAreKeptLikeValues) {
  begin();
  claim(1);
  const std::vector<Params> points{point(500), point(300), point(501)};
  const std::vector<Outcome> outcomes{Failure{"the pump"}, Failure{"no"}, Values{{3}}};
  EXPECT_EQ(store_->add_all(points, outcomes, true), (std::vector<std::int64_t>{2, 1, 3}));  // one was pending
  EXPECT_EQ(again().trial(2)->error(), "the pump");
  EXPECT_EQ(store_->trial(2)->source, Source::told);
  EXPECT_EQ(store_->trial(1)->error(), "no");
  EXPECT_EQ(store_->counts().failed, 2);
  EXPECT_EQ(store_->counts().pending, 0);
  EXPECT_EQ(store_->snapshot(0, -1).records.size(), 3U);
}

TEST_P(EveryStore, OutcomesArePutRightAndWhatTheyWereIsKept) {
  begin();
  claim(4, nullptr, "me");
  const Learned learned{.ask = 1, .document = "from what was wrong"};
  const std::vector<Told> outcomes{told(1, 410), {2, Failure{"the pump"}}, {3, Abandoned{}}, told(4, 1)};
  store_->tell(outcomes);
  claim(1, &learned);
  const Store::Snapshot before = store_->snapshot(0, -1);
  const double told_at = store_->trial(1)->told_at;
  const std::vector<Correction> corrections{
      {1, Values{{4.1}, {{"seconds", 3}}}, "a point was missing"}, {2, {}, "repaired"}, {4, Abandoned{}, "wrong oven"}};
  store_->amend(corrections);
  EXPECT_EQ(again().trial(1)->outcome, (Outcome{Values{{4.1}, {{"seconds", 3}}}}));
  EXPECT_EQ(store_->trial(1)->told_at, told_at);
  EXPECT_EQ(store_->trial(2)->state(), TrialState::pending);
  EXPECT_EQ(store_->trial(2)->told_at, 0);
  EXPECT_EQ(store_->trial(4)->state(), TrialState::abandoned);
  const Counts counts = store_->counts();
  EXPECT_EQ(counts.done, 1);
  EXPECT_EQ(counts.pending, 2);
  EXPECT_EQ(counts.failed, 0);
  EXPECT_EQ(counts.abandoned, 2);
  // Who goes by what was known before notices: numbers of outcomes have no gaps, nothing is learned, no ask can be claimed.
  const Store::Snapshot now = store_->snapshot(0, -1);
  EXPECT_EQ(before.amendments, 0);
  EXPECT_EQ(now.amendments, 3);
  EXPECT_FALSE(now.learned);
  EXPECT_NE(now.asks, before.asks);
  ASSERT_EQ(now.records.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(now.records[i].sequence, static_cast<std::int64_t>(i) + 1);
  EXPECT_FALSE(store_->claim(before.asks, {}, nullptr, ""));
  EXPECT_EQ(now.pending.size(), 2U);
  // The history.
  const std::vector<Amendment> history = store_->amendments();
  ASSERT_EQ(history.size(), 3U);
  EXPECT_EQ(history[0].id, 1);
  EXPECT_EQ(history[0].before, Outcome{Values{{410}}});
  EXPECT_EQ(history[0].after, corrections[0].outcome);
  EXPECT_EQ(history[0].reason, "a point was missing");
  EXPECT_EQ(history[1].before, Outcome{Failure{"the pump"}});
  EXPECT_EQ(history[1].after, std::nullopt);
  EXPECT_EQ(history[2].after, Outcome{Abandoned{}});
  EXPECT_GE(history[2].at, history[0].at);
  // A trial that is pending again is its owner's, can be told, and put right again.
  EXPECT_EQ(store_->claim_orphans("me").size(), 1U);
  tell(2, Values{{7}});
  EXPECT_EQ(store_->snapshot(3, -1).records.size(), 1U);
  const Correction twice{2, Values{{8}}, ""};
  store_->amend({&twice, 1});
  EXPECT_EQ(again().trial(2)->value(), 8);
  EXPECT_EQ(store_->amendments().size(), 4U);
}

TEST_P(EveryStore, CorrectionsAreTakenWholeOrNotAtAll) {
  begin();
  claim(4);
  const std::vector<Told> outcomes{told(1, 1), {2, Abandoned{}}, {3, Failure{"x"}}};
  store_->tell(outcomes);
  const Correction good{1, Values{{2}}, "better"};
  const auto refused = [&](const Correction& bad) {
    const std::vector<Correction> both{good, bad};
    const std::string said = message<std::invalid_argument>([&] { store_->amend(both); });
    EXPECT_EQ(again().trial(1)->value(), 1);
    EXPECT_TRUE(store_->amendments().empty());
    EXPECT_EQ(store_->counts().pending, 1);
    return said;
  };
  EXPECT_THAT(refused({9, Values{{2}}, ""}), HasSubstr("there is no trial 9; the study has 4"));
  EXPECT_THAT(refused({4, Values{{2}}, ""}), HasSubstr("trial 4 is pending: tell its outcome instead"));
  EXPECT_THAT(refused({1, {}, ""}), HasSubstr("trial 1 has the value 2"));  // as the one before it left it
  EXPECT_THAT(refused({2, Values{{std::nan("")}}, ""}), HasSubstr("finite"));
  // A point is pending once.
  const std::vector<Store::NewTrial> again_two{{store_->trial(2)->params, Source::model}};
  ASSERT_TRUE(store_->claim(store_->snapshot(0, -1).asks, again_two, nullptr, ""));
  const Correction revived{2, {}, ""};
  EXPECT_THAT(message<std::invalid_argument>([&] {
                store_->amend({&revived, 1});
              }),
              HasSubstr("the point of trial 2 is pending as trial 5"));
}

TEST_P(EveryStore, APriorTakesThePlaceOfTheOneBeforeAndIsLearnedWithAnew) {
  begin();
  EXPECT_TRUE(store_->priors().empty());
  EXPECT_EQ(store_->snapshot(0, -1).priors, 0);
  const Learned learned{.ask = 0, .document = "without one"};
  claim(2, &learned);
  std::int64_t asks = store_->snapshot(0, -1).asks;
  std::int64_t count = 0;
  for (const std::string document : {R"({"any": "document"})", "another\n\"ü\"", ""}) {
    store_->set_prior(document);
    const std::vector<KeptPrior> all = again().priors();
    ASSERT_EQ(std::ssize(all), ++count);
    EXPECT_EQ(all.back().document, document);
    EXPECT_GT(all.back().at, 1.6e9);
    const Store::Snapshot now = store_->snapshot(0, -1);
    EXPECT_EQ(now.priors, count);
    EXPECT_FALSE(now.learned);
    EXPECT_FALSE(store_->claim(asks, {}, nullptr, "")) << "computed with the one before";
    asks = now.asks;
  }
  EXPECT_EQ(store_->pending().size(), 2U);
}

TEST_P(EveryStore, ABackupIsAStudyOfItsOwn) {
  begin();
  claim(3);
  tell(1, Values{{1}});
  const std::string copy = folder_.path("copy.db");
  if (!GetParam().lasts) {
    EXPECT_THAT(message<StoreError>([&] { store_->backup(copy); }), HasSubstr("in memory"));
    return;
  }
  store_->backup(copy);
  tell(2, Values{{2}});  // the study goes on, the copy does not
  const auto copied = open_store(copy);
  EXPECT_EQ(copied->counts().done, 1);
  EXPECT_EQ(copied->counts().pending, 2);
  EXPECT_TRUE(check_store(copy).damage.empty());
  EXPECT_EQ(store_->counts().done, 2);
  EXPECT_THAT(message<StoreError>([&] { store_->backup(copy); }), HasSubstr("is there already"));
}

TEST_P(EveryStore, KeepsNotes) {
  begin();
  EXPECT_FALSE(store_->note("objective"));
  store_->set_note("objective", "a");
  store_->set_note("objective", std::string("b\0c\xff", 4));
  store_->set_note("", "");
  EXPECT_EQ(again().note("objective"), std::string("b\0c\xff", 4));
  EXPECT_EQ(store_->note(""), "");
  EXPECT_FALSE(store_->note("Objective"));
}

TEST_P(EveryStore, WhatWasLearnedComesBackByteByByte) {
  begin();
  Learned learned{.ask = 0, .sequence = 7, .settings = "a=1 b=ü", .document = "{\n\"any\": 'text'"};
  for (int byte = 0; byte < 256; ++byte) learned.arrays.push_back(static_cast<std::byte>(byte));
  const auto expect_kept = [&] {
    const auto kept = again().snapshot(0, -1).learned;
    ASSERT_TRUE(kept);
    EXPECT_TRUE(kept->same_as(learned));
    EXPECT_EQ(kept->document, learned.document);
    EXPECT_EQ(kept->arrays, learned.arrays);
  };
  EXPECT_FALSE(store_->snapshot(0, -1).learned);
  claim(1, &learned);
  expect_kept();
  EXPECT_FALSE(store_->snapshot(0, 0).learned) << "it is known already";
  claim(1);  // learns nothing
  expect_kept();
  learned = {.ask = 2, .sequence = 9, .settings = "", .document = ""};
  claim(1, &learned);
  expect_kept();
  EXPECT_TRUE(store_->snapshot(0, 0).learned) << "what is known is no longer the latest";
}

// Of this process, but with the start time of an earlier one.
std::string dead_owner() {
  const std::string mine = owner_of_this_process();
  return mine.substr(0, mine.rfind(' ')) + " 1";
}

TEST_P(EveryStore, TrialsOfTheDeadAreClaimedAndNobodyElses) {
  begin();
  claim(1);                                    // nobody's
  claim(1, nullptr, "elsewhere 1 1");          // of another host
  claim(1, nullptr, owner_of_this_process());  // alive
  const auto left = claim(3, nullptr, dead_owner());
  tell(left[1].id, Values{{1}});
  const auto orphans = again().claim_orphans("somebody new");
  ASSERT_EQ(orphans.size(), 2U);
  expect_same(orphans[0], left[0]);
  expect_same(orphans[1], left[2]);
  EXPECT_EQ(again().claim_orphans("somebody new").size(), 2U) << "they are its own now";
  EXPECT_TRUE(store_->claim_orphans("yet another").empty());
  EXPECT_EQ(store_->claim_orphans(owner_of_this_process()).size(), 1U);
}

}  // namespace
}  // namespace salvo
