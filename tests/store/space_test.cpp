// What every kind of store promises of a space that changes.
#include <gmock/gmock.h>
#include <salvo/error.h>

#include <functional>

#include "store/every_store.h"
#include "support/message.h"

namespace salvo {
namespace {

using test::message;
using ::testing::HasSubstr;

// The parameters with another one in the place of that of its name.
Space with(Parameter changed, Space space = test::mixed_space()) {
  std::vector<Parameter> parameters = space.parameters();
  for (Parameter& parameter : parameters)
    if (parameter.name == changed.name) parameter = changed;
  return Space(parameters);
}

Space without(const std::string& name, const Space& space = test::mixed_space()) {
  std::vector<Parameter> parameters = space.parameters();
  std::erase_if(parameters, [&](const Parameter& parameter) { return parameter.name == name; });
  return Space(parameters);
}

std::vector<std::int64_t> outside(Store& store) {
  std::vector<std::int64_t> out;
  for (const Trial& trial : store.trials())
    if (trial.outside) out.push_back(trial.id);
  return out;
}

TEST_P(EveryStore, ANarrowerSpaceKeepsItsTrialsAndLetsGoOfWhatIsOutside) {
  begin();
  claim(6);  // 300 … 305
  tell(1, Values{{1}});
  tell(3, Values{{3}});
  tell(4, Failure{"no"});
  const std::vector<Params> wanted{point(500), point(302.5)};
  (void)store_->enqueue(wanted);
  const Learned learned{.ask = 1, .document = "of the old space"};
  claim(1, &learned);  // 306
  const Store::Snapshot before = store_->snapshot(0, -1);
  const Store::Moved moved = store_->set_space({with({"temperature", Float{302, 400}}), {}, {"temperature: …", "ü\n\"two\""}});
  EXPECT_EQ(moved.abandoned, (std::vector<std::int64_t>{2}));
  EXPECT_EQ(moved.unqueued, 1);
  EXPECT_EQ(outside(again()), (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(store_->trial(1)->params, point(300));
  EXPECT_EQ(store_->trial(1)->value(), 1);
  EXPECT_EQ(store_->trial(2)->state(), TrialState::abandoned);
  EXPECT_EQ(store_->trial(5)->state(), TrialState::pending);
  EXPECT_EQ(store_->queue(), (std::vector<Queued>{{2, point(302.5)}}));
  const Store::Snapshot now = store_->snapshot(0, -1);
  EXPECT_FALSE(now.learned);
  EXPECT_NE(now.asks, before.asks);
  EXPECT_FALSE(store_->claim(before.asks, {}, nullptr, ""));
  ASSERT_EQ(now.records.size(), 4U);
  EXPECT_TRUE(now.records[0].outside);
  EXPECT_FALSE(now.records[1].outside);
  const Counts counts = store_->counts();
  EXPECT_EQ(counts.done, 2);
  EXPECT_EQ(counts.pending, 3);
  EXPECT_EQ(counts.abandoned, 1);
  const std::vector<SpaceChange> history = store_->space_changes();
  ASSERT_EQ(history.size(), 1U);
  EXPECT_EQ(history[0].words, (std::vector<std::string>{"temperature: …", "ü\n\"two\""}));
  EXPECT_EQ(std::get<Float>(history[0].before.parameters()[0].domain).high, 900);
  EXPECT_EQ(std::get<Float>(history[0].after.parameters()[0].domain).high, 400);
  EXPECT_GT(history[0].at, 1.6e9);
  // What is outside stays told and cannot be tried again; it comes back with the space.
  const Correction back{2, {}, ""};
  EXPECT_THAT(message<std::exception>([&] { store_->amend({&back, 1}); }), HasSubstr("outside"));
  (void)store_->set_space({test::mixed_space(), {}, {}});
  EXPECT_TRUE(outside(again()).empty());
  store_->amend({&back, 1});
  EXPECT_EQ(store_->trial(2)->state(), TrialState::pending);
}

TEST_P(EveryStore, AParameterComesWithTheValueThatTrialsHadAndGoesWithOne) {
  begin();
  claim(2);
  tell(1, Values{{1}});
  const std::vector<Params> wanted{point(500)};
  (void)store_->enqueue(wanted);
  std::vector<Parameter> more = test::mixed_space().parameters();
  more.insert(more.begin(), {"pressure", Float{1, 5}});
  EXPECT_THROW((void)store_->set_space({Space(more), {}, {}}), std::invalid_argument);  // without a value nothing is changed
  EXPECT_EQ(again().definition().space.find("pressure"), -1);
  EXPECT_TRUE(store_->space_changes().empty());

  (void)store_->set_space({Space(more), {{"pressure", std::int64_t{1}}}, {}});
  EXPECT_EQ(again().trial(1)->params.size(), 7U);
  EXPECT_EQ(store_->trial(1)->params[0], Value(1.0));
  EXPECT_EQ(store_->queue().at(0).params[0], Value(1.0));
  EXPECT_EQ(store_->pending().size(), 1U);
  Params elsewhere = point(333);
  elsewhere.insert(elsewhere.begin(), 3.0);
  const Values value{{7}};
  (void)store_->add({&elsewhere, 1}, {&value, 1}, false);

  EXPECT_THAT(message<std::exception>([&] {
                (void)store_->set_space({without("pressure", Space(more)), {}, {}});
              }),
              HasSubstr("varied"));
  const Space fixed = with({"pressure", Fixed{1.0}}, Space(more));
  (void)store_->set_space({fixed, {}, {}});
  EXPECT_EQ(outside(again()), (std::vector<std::int64_t>{3}));
  (void)store_->set_space({without("pressure", fixed), {}, {}});
  EXPECT_EQ(outside(again()), (std::vector<std::int64_t>{3}));  // by a value that is not seen any more
  EXPECT_EQ(store_->trial(3)->params, point(333));
  claim(1);
  // It comes back: each trial has what it had, and those of the meantime what is said.
  (void)store_->set_space({Space(more), {{"pressure", 2.0}}, {}});
  EXPECT_TRUE(outside(again()).empty());
  EXPECT_EQ(store_->trial(1)->params[0], Value(1.0));
  EXPECT_EQ(store_->trial(3)->params[0], Value(3.0));
  EXPECT_EQ(store_->trial(4)->params[0], Value(2.0));
  EXPECT_EQ(store_->space_changes().size(), 4U);
}

TEST_P(EveryStore, WhoOpenedItBeforeMayTellAndNothingElse) {
  if (!GetParam().lasts) return;
  begin();
  claim(3);
  const auto old = open_store(GetParam().url(folder_));
  (void)store_->set_space({with({"temperature", Float{301, 400}}), {}, {}});
  const Told inside = told(2, 5), gone = told(1, 5);
  old->tell({&inside, 1});
  EXPECT_EQ(store_->trial(2)->value(), 5);
  EXPECT_THAT(message<std::exception>([&] { old->tell({&gone, 1}); }), HasSubstr("abandoned already"));
  EXPECT_EQ(old->counts().pending, 1);
  const std::vector<Params> points{point(350)};
  const Values value{{1}};
  for (const std::function<void()>& call : std::initializer_list<std::function<void()>>{
           [&] { (void)old->snapshot(0, -1); }, [&] { (void)old->trials(); }, [&] { (void)old->pending(); },
           [&] { (void)old->trial(2); }, [&] { (void)old->queue(); }, [&] { (void)old->enqueue(points); },
           [&] {
             (void)old->add(points, {&value, 1}, false);
           },
           [&] { (void)old->claim(2, {}, nullptr, ""); }, [&] { old->set_options("{}"); },
           [&] {
             (void)old->set_space({test::mixed_space(), {}, {}});
           },
           [&] { (void)old->claim_orphans("me"); }})
    EXPECT_THAT(message<std::exception>(call), HasSubstr("open the study again"));
  EXPECT_EQ(store_->counts().total(), 3);
  EXPECT_TRUE(store_->queue().empty());
}

}  // namespace
}  // namespace salvo
