#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <salvo/study.h>

#include "support/folder.h"
#include "support/message.h"
#include "support/studies.h"

namespace salvo {
namespace {

using test::message;
using test::points;
using ::testing::HasSubstr;
using Words = std::vector<std::string>;

TEST(TagsOfTrials, AreKeptShownAndTakenOff) {
  const test::Folder folder;
  for (const std::string& url : {std::string(":memory:"), folder.path("a.db")}) {
    Study study = Study::create(test::small_options(test::mixed_space(), 3), url);
    (void)study.ask(12);
    EXPECT_TRUE(study.tags().empty());
    study.tag({{1, {"pilot", "oven-2"}}, {12, {"pilot"}}});
    study.tag({{1, {"pilot"}}});  // once more is once
    EXPECT_EQ(study.tags(), (Tags{{1, {"oven-2", "pilot"}}, {12, {"pilot"}}}));
    EXPECT_EQ(study.tags(1), (Words{"oven-2", "pilot"}));
    EXPECT_TRUE(study.tags(2).empty());
    study.annotate(1, "foam");
    study.untag({{1, {"pilot", "never"}}});
    EXPECT_EQ(study.tags(), (Tags{{1, {"oven-2"}}, {12, {"pilot"}}}));
    EXPECT_EQ(study.annotations().size(), 1U);
    if (url != ":memory:") {
      EXPECT_EQ(Study::open(url).tags(), study.tags());
    }
  }
}

TEST(TagsOfTrials, AreTakenAllOrNone) {
  Study study = Study::create(test::small_options(test::mixed_space(), 3), ":memory:");
  (void)study.ask(2);
  const Tags nobody{{1, {"a"}}, {3, {"a"}}}, blank{{1, {"a", "b c"}}};
  EXPECT_THAT(message<std::invalid_argument>([&] { study.tag(nobody); }), HasSubstr("tag: there is no trial 3; the study has 2"));
  EXPECT_THAT(message<std::invalid_argument>([&] { study.tag(blank); }), HasSubstr("got \"b c\""));
  EXPECT_TRUE(study.tags().empty());
}

// What people write beside trials changes no point: neither words nor texts that came with a value.
TEST(TagsOfTrials, AreNotReadByTheSearch) {
  const StudyOptions options = test::small_options(test::mixed_space(), 3);
  Study plain = Study::create(options, ":memory:"), remarked = Study::create(options, ":memory:");
  for (int batch = 0; batch < 2; ++batch) {
    test::tell_all(plain, plain.ask(8));
    for (const Trial& trial : remarked.ask(8)) {
      remarked.tell(std::vector{Told{trial.id, Values{{test::objective(trial.params)}, {}, {{"compiler", "gcc 12"}}}}});
      remarked.tag({{trial.id, {"pilot"}}});
    }
  }
  EXPECT_EQ(points(plain.ask(4)), points(remarked.ask(4)));
  EXPECT_EQ(std::get<Values>(*remarked.trial(3)->outcome).said.at("compiler"), "gcc 12");
}

TEST(TextsOfTrials, AreKeptAndBounded) {
  const test::Folder folder;
  for (const std::string& url : {std::string(":memory:"), folder.path("a.db")}) {
    Study study = Study::create(test::small_options(test::mixed_space(), 3), url);
    (void)study.ask(4);
    const Values values{{1.5}, {{"seconds", 7}}, {{"by", "Änne"}, {"log", "a\n\"b\""}}};
    study.tell(std::vector{Told{1, values}});
    EXPECT_EQ(study.trial(1)->outcome, Outcome(values));
    if (url != ":memory:") {
      EXPECT_EQ(Study::open(url).trial(1)->outcome, Outcome(values));
    }
    for (const Values& wrong : {Values{{1}, {}, {{"by", std::string(1001, 'x')}}}, Values{{1}, {{"a", 2}}, {{"a", "x"}}},
                                Values{{1}, {}, {{"sd", "x"}}}, Values{{1}, {}, {{"", "x"}}}, Values{{1}, {}, {{"a", "\xff"}}}})
      EXPECT_THAT(message<std::invalid_argument>([&] { study.tell(std::vector{Told{2, wrong}}); }), HasSubstr("expected"));
    study.amend(1, 2.5, "a slip");
    EXPECT_EQ(std::get<Values>(*study.trial(1)->outcome).said, values.said);
    EXPECT_EQ(study.counts().done, 1);
  }
}

}  // namespace
}  // namespace salvo
