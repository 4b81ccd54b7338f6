// Values with their own standard errors, through whole studies.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <salvo/study.h>

#include <cmath>

#include "support/folder.h"
#include "support/studies.h"

namespace salvo {
namespace {

using test::points;
using test::small_options;

void tell_some(Study& study, int batches, double sd) {
  for (int batch = 0; batch < batches; ++batch) {
    std::vector<Told> outcomes;
    for (const Trial& trial : study.ask(8)) {
      const double own = trial.id % 3 == 0 ? 5 * sd : sd, value = test::objective(trial.params);
      outcomes.push_back(sd > 0 ? told(trial.id, value, own) : told(trial.id, value));
    }
    study.tell(outcomes);
  }
}

TEST(Precision, StandardErrorsAreKeptAndAResumedStudyGoesOnAlike) {
  const test::Folder folder;
  const auto options = small_options(test::mixed_space(), 3);
  Study one = Study::create(options, folder.path("a.db"));
  tell_some(one, 4, 0.1);
  Study two = Study::create(options, folder.path("b.db"));
  tell_some(two, 2, 0.1);
  Study again = Study::open(folder.path("b.db"));
  tell_some(again, 2, 0.1);
  EXPECT_EQ(points(one.ask(6)), points(again.ask(6)));
  EXPECT_EQ(standard_error(std::get<Values>(*one.trial(3)->outcome)), 0.5);
}

// Errors that are all alike and no errors at all are the same to the ratios; what they change is how far τ may go.
TEST(Precision, WhoSaysNothingIsTreatedAsEver) {
  const auto options = small_options(test::mixed_space(), 3);
  Study plain = Study::create(options, ":memory:"), measured = Study::create(options, ":memory:");
  tell_some(plain, 3, 0);
  for (int batch = 0; batch < 3; ++batch)
    for (const Trial& trial : measured.ask(8))
      measured.tell(std::vector{Told{trial.id, Values{{test::objective(trial.params)}, {{"seconds", 3.0}}}}});
  EXPECT_EQ(points(plain.ask(4)), points(measured.ask(4)));
}

// A slip of a machine that knows its own error: nobody goes there.
TEST(Precision, AnImpreciseValueThatIsFarTooGoodIsNotRecommended) {
  for (const bool says_so : {false, true}) {
    const auto options = small_options(Space({{"x", Float{0, 1}}}), 8);
    Study study = Study::create(options, ":memory:");
    std::vector<Params> at;
    std::vector<Values> values;
    for (int i = 0; i < 40; ++i) {
      const double x = (i + 0.5) / 40;
      at.push_back({x});
      values.push_back({{-(x - 0.3) * (x - 0.3) + 0.01 * std::sin(37.0 * i)}, {{kStandardError, 0.01}}});
    }
    values[36].outputs[0] = 0.8;
    if (says_so) values[36].others[kStandardError] = 1;
    study.add(at, values);
    const double best = std::get<double>(study.recommend()->trial.params[0]);
    EXPECT_NEAR(best, says_so ? 0.3 : 0.9125, 0.15);  // who does not say so may have found a peak, for all that anybody knows
  }
}

TEST(Precision, ANegativeErrorIsRefused) {
  Study study = Study::create(small_options(test::mixed_space(), 3), ":memory:");
  const Trial trial = study.ask(1)[0];
  try {
    study.tell(std::vector{told(trial.id, 1, -0.5)});
    FAIL() << "taken";
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(),
                ::testing::HasSubstr("sd: expected the standard error of the value, which is not negative, got -0.5"));
  }
  EXPECT_FALSE(study.trial(trial.id)->outcome);
}

}  // namespace
}  // namespace salvo
