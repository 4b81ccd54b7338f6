#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <salvo/study.h>

#include <filesystem>

#include "support/folder.h"
#include "support/message.h"
#include "support/studies.h"

namespace salvo {
namespace {

using test::points;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

Space changed(const Domain& temperature, const Domain& catalyst) {
  std::vector<Parameter> parameters = test::mixed_space().parameters();
  parameters[0].domain = temperature;
  parameters[4].domain = catalyst;
  return Space(parameters);
}

const std::string kNothing = "(nothing was thrown)";
const Domain kAll = Categorical{{std::string("Pd"), std::string("Pt"), std::string("Ni")}};
const Domain kOther = Categorical{{std::string("Pd"), std::string("Ni"), std::string("Co")}};

Study told_study(const std::string& url) {
  Study study = Study::create(test::small_options(test::mixed_space(), 3), url);
  for (int batch = 0; batch < 3; ++batch) test::tell_all(study, study.ask(4));
  (void)study.ask(3);
  return study;
}

TEST(SpaceChange, SaysWhatItDoes) {
  Study study = told_study(":memory:");
  const SpaceReview wider = study.review_space(changed(Float{300, 1200}, kAll));
  EXPECT_THAT(wider.changes, ElementsAre("temperature: 300 … 900 becomes 300 … 1200; 15 trials keep their points"));
  EXPECT_EQ(wider.num_outside, 0);
  const SpaceReview narrow = study.review_space(changed(Float{300, 500, Scale::log}, kOther));
  ASSERT_EQ(narrow.changes.size(), 2U);
  EXPECT_THAT(narrow.changes[0], StartsWith("temperature: 300 … 900 becomes 300 … 500 (log scale); "));
  EXPECT_THAT(narrow.changes[1], StartsWith("catalyst: \"Pt\" is gone, \"Co\" is new"));
  EXPECT_GT(narrow.num_outside, 0);
  EXPECT_FALSE(narrow.abandoned.empty());
  EXPECT_TRUE(study.review_space(test::mixed_space()).changes.empty());
  std::vector<Parameter> turned = test::mixed_space().parameters();
  std::swap(turned[0], turned[1]);
  EXPECT_THAT(study.review_space(Space(turned)).changes, ElementsAre("the parameters are in another order"));
  turned.push_back({"pressure", Float{1, 5}});
  EXPECT_FALSE(study.review_space(Space(turned)).possible());
  EXPECT_TRUE(study.review_space(Space(turned), {{"pressure", 1.0}}).possible());
  EXPECT_EQ(as_toml(turned.back().domain, "before = 1"), "{ low = 1, high = 5, before = 1 }");
}

// Nothing of what is outside is left in what the study says, and one who opens it goes on as one who changed it.
TEST(SpaceChange, GoesOnInTheNewSpaceWhoeverOpensIt) {
  const test::Folder folder;
  for (const bool in_memory : {true, false}) {
    Study study = told_study(in_memory ? ":memory:" : folder.path("a.db"));
    const Space narrow = changed(Float{300, 600}, kOther);
    const std::int64_t best = study.observed_best()->id;
    const SpaceReview done = study.set_space(narrow);
    EXPECT_EQ(study.space_changes().size(), 1U);
    EXPECT_EQ(study.space_changes()[0].words, done.changes);
    const auto fits = [&](const Params& params) {
      return test::message<std::exception>([&] { (void)narrow.check(params); }) == kNothing;
    };
    for (const Trial& trial : study.trials()) {
      EXPECT_EQ(trial.outside, !fits(trial.params)) << trial.id;
      EXPECT_FALSE(trial.outside && !trial.outcome) << trial.id;
    }
    EXPECT_FALSE(study.observed_best()->outside);
    EXPECT_FALSE(study.recommend()->trial.outside);
    EXPECT_GT(best, 0);
    std::vector<Params> copied;
    if (!in_memory) {
      for (const std::string part : {"", "-wal"})
        std::filesystem::copy_file(folder.path("a.db" + part), folder.path("b.db" + part));
      Study fresh = Study::open(folder.path("b.db"));
      EXPECT_EQ(fresh.recommend()->mean, study.recommend()->mean);
      copied = points(fresh.ask(4));
    }
    const auto asked = study.ask(4);
    for (const Trial& trial : asked) EXPECT_TRUE(fits(trial.params));
    if (!in_memory) {
      EXPECT_EQ(points(asked), copied);
    }
    test::tell_all(study, asked);
    for (const Params& point : points(study.ask(4))) EXPECT_TRUE(fits(point));
  }
}

// A parameter that is new has in old trials the value they had, and the model knows.
TEST(SpaceChange, AParameterMoreAndOneLess) {
  Study study = told_study(":memory:");
  std::vector<Parameter> more = test::mixed_space().parameters();
  more.pop_back();  // the site, which was fixed
  more.push_back({"pressure", Float{1, 5}});
  EXPECT_THAT(test::message<std::exception>([&] { (void)study.set_space(Space(more)); }), HasSubstr("pressure is new"));
  EXPECT_EQ(study.space().parameters().size(), 6U);
  (void)study.set_space(Space(more), {{"pressure", 1.0}});
  EXPECT_EQ(study.trials().front().params.back(), Value(1.0));
  EXPECT_EQ(study.ask(2).front().params.size(), 6U);
  EXPECT_EQ(study.recommend()->trial.params.back(), Value(1.0));
}

TEST(SpaceChange, OpeningWithAnotherSpaceNeedsAYes) {
  const test::Folder folder;
  const std::string path = folder.path("a.db");
  (void)told_study(path);
  const StudyOptions wider = test::small_options(changed(Float{300, 1200}, kAll), 3);
  EXPECT_THAT(test::message<std::exception>([&] { (void)Study::open_or_create(wider, path); }), HasSubstr("becomes 300 … 1200"));
  EXPECT_EQ(std::get<Float>(Study::open(path).space().parameters()[0].domain).high, 900);
  Study study = Study::open_or_create(wider, path, {.accept = true});
  EXPECT_EQ(std::get<Float>(study.options().space().parameters()[0].domain).high, 1200);
  EXPECT_EQ(study.ask(2).size(), 2U);
  EXPECT_EQ(Study::open_or_create(wider, path).space_changes().size(), 1U);
  StudyOptions other = wider;
  other.outputs = one_objective(Direction::minimize);
  EXPECT_THAT(test::message<std::exception>([&] { (void)Study::open_or_create(other, path, {.accept = true}); }),
              HasSubstr("direction differs"));
}

TEST(SpaceChange, OthersWhoHaveTheStudyOpenStopWithWords) {
  const test::Folder folder;
  Study mine = told_study(folder.path("a.db"));
  Study other = Study::open(folder.path("a.db"));
  (void)other.set_space(changed(Float{300, 1200}, kAll));
  EXPECT_THAT(test::message<std::exception>([&] { (void)mine.ask(1); }), HasSubstr("open the study again"));
  EXPECT_THAT(test::message<std::exception>([&] { (void)mine.recommend(); }), HasSubstr("open the study again"));
  mine.tell(15, 0.5);  // what it evaluated is taken all the same
  EXPECT_EQ(other.trial(15)->value(), 0.5);
}

// Of trials that had their own value none is touched, and what lay outside by a wrong word comes in.
TEST(SpaceChange, AWrongWordOfWhatWasBeforeIsPutRight) {
  const test::Folder folder;
  for (const std::string& url : {std::string(":memory:"), folder.path("a.db")}) {
    Study study = told_study(url);
    std::vector<Parameter> more = test::mixed_space().parameters();
    more.push_back({"pressure", Float{1, 5}});
    const Space space(more);
    (void)study.set_space(space, {{"pressure", 9.0}});
    EXPECT_TRUE(study.trial(1)->outside);
    test::tell_all(study, study.ask(2));
    const Value own = study.trials().back().params.back();
    EXPECT_TRUE(study.review_space(space, {{"pressure", std::int64_t{9}}}).changes.empty());  // the same as said
    EXPECT_TRUE(study.review_space(space).changes.empty());
    const std::map<std::string, Value> right{{"pressure", 2.0}};
    const SpaceReview review = study.review_space(space, right);
    EXPECT_THAT(review.changes, ElementsAre("pressure: 15 earlier trials have 9; they become 2"));
    EXPECT_EQ(review.num_outside, 0);
    EXPECT_EQ(study.set_space(space, right).changes, review.changes);
    for (const Trial& trial : study.trials()) {
      EXPECT_EQ(trial.params.back() == Value(2.0), trial.id <= 15) << trial.id;
      EXPECT_FALSE(trial.outside);
    }
    EXPECT_EQ(study.trials().back().params.back(), own);
    EXPECT_EQ(study.ask(2).size(), 2U);
    EXPECT_EQ(study.space_changes().size(), 2U);
    (void)study.set_space(space, {{"pressure", 3.0}});  // and once more
    EXPECT_EQ(study.trial(15)->params.back(), Value(3.0));
    if (url == ":memory:") continue;
    Study other = Study::open(url);
    EXPECT_EQ(points(other.trials()), points(study.trials()));
    EXPECT_TRUE(other.review_space(space, {{"pressure", 3.0}}).changes.empty());
  }
}

// A parameter comes with a wrong word of what was before, goes, and comes back with the same word: all of it is put right at
// once.
TEST(SpaceChange, AWordOfWhatWasBeforeOutlivesThatItsParameterWasGone) {
  const test::Folder folder;
  for (const std::string& url : {std::string(":memory:"), folder.path("a.db")}) {
    Study study = told_study(url);
    const Space without = test::mixed_space();
    const auto with = [&](const Domain& pressure) {
      std::vector<Parameter> more = without.parameters();
      more.push_back({"pressure", pressure});
      return Space(more);
    };
    const Space space = with(Float{1, 5});
    const std::map<std::string, Value> word{{"pressure", 2.0}};
    (void)study.set_space(space, word);
    (void)study.set_space(with(Fixed{2.0}), word);
    (void)study.set_space(without, word);
    test::tell_all(study, study.ask(2));
    (void)study.set_space(space, word);
    const std::map<std::string, Value> right{{"pressure", 3.0}};
    EXPECT_THAT(study.review_space(space, right).changes, ElementsAre("pressure: 17 earlier trials have 2; they become 3"));
    (void)study.set_space(space, right);
    for (const Trial& trial : study.trials()) EXPECT_EQ(trial.params.back(), Value(3.0)) << trial.id;
  }
}

}  // namespace
}  // namespace salvo
