#include <gtest/gtest.h>
#include <salvo/method.h>

#include <set>

#include "study/support.h"

namespace salvo {
namespace {

using test::points;

// Whatever the method: valid points, none twice, the same from the same seed, and the same after a restart.
TEST(EveryMethod, HandsOutValidDistinctPointsAndGoesOnAlikeAfterARestart) {
  for (const MethodInfo& known : methods()) {
    SCOPED_TRACE(known.name);
    const test::Folder folder;
    StudyOptions options = test::small_options(test::mixed_space(), 3);
    options.batch = 12;
    options.method = known.method;
    Study whole = Study::create(options, folder.path("whole.db"));
    { (void)Study::create(options, folder.path("parts.db")); }
    std::set<Params> seen;
    for (int step = 0; step < 3; ++step) {
      const auto trials = whole.ask(12);
      ASSERT_EQ(trials.size(), 12U);
      for (const Trial& trial : trials) {
        EXPECT_EQ(options.space.check(trial.params), trial.params);
        EXPECT_TRUE(seen.insert(trial.params).second);
      }
      Study part = Study::open(folder.path("parts.db"));
      EXPECT_EQ(part.options().method, known.method);
      const auto again = part.ask(12);
      EXPECT_EQ(points(again), points(trials));
      test::tell_all(whole, trials);
      test::tell_all(part, again);
    }
    EXPECT_TRUE(whole.recommend().has_value());
  }
}

TEST(Method, MayChangeInTheLifeOfAStudy) {
  const test::Folder folder;
  StudyOptions options = test::small_options(test::mixed_space());
  options.batch = 10;
  options.method = Method::random;
  Study study = Study::open_or_create(options, folder.path("study.db"));
  for (int step = 0; step < 2; ++step) test::tell_all(study, study.ask(10));
  EXPECT_EQ(study.trials().back().origin, Origin::initial);
  options.method = Method::thompson;
  Study changed = Study::open_or_create(options, folder.path("study.db"));
  EXPECT_EQ(changed.ask(1).front().origin, Origin::model);
}

}  // namespace
}  // namespace salvo
