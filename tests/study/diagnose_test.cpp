#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <salvo/diagnose.h>

#include <cmath>

#include "support/message.h"
#include "support/studies.h"

namespace salvo {
namespace {

using ::testing::HasSubstr;

Study told_study(int observations, const ModelOptions& model) {
  StudyOptions options = test::small_options(Space({{"x", Float{0, 1}}, {"y", Float{0, 1}}}));
  options.outputs = one_objective(Direction::minimize);
  test::model_of(options) = model;
  Study study = Study::create(options, ":memory:");
  for (const Trial& trial : study.ask(observations)) {
    const double x = std::get<double>(trial.params[0]), y = std::get<double>(trial.params[1]);
    study.tell(trial.id, 40 + 5 * std::sin(9 * x) * std::cos(7 * y) + 0.01 * std::sin(1e4 * (x + y)));
  }
  return study;
}
Study told_study(int observations, int inducing) {
  return told_study(observations, {.num_inducing = inducing, .exact_until = 0, .num_features = 2000});
}

TEST(Diagnose, ASmallStudyIsExactAndTrusted) {
  Study study = told_study(40, 100);
  const Diagnosis d = diagnose(study, {.num_points = 300});
  EXPECT_EQ(d.trust, Trust::yes) << d.verdict;
  EXPECT_THAT(d.verdict, HasSubstr("exact"));
  EXPECT_EQ(d.places.size(), 3U);
  EXPECT_TRUE(d.advice.empty());
}

TEST(Diagnose, TooFewInducingPointsAreFoundAndTheAdviceHelps) {
  Study study = told_study(200, 8);
  const Diagnosis d = diagnose(study, {.num_points = 300});
  EXPECT_EQ(d.trust, Trust::no) << d.verdict;
  ASSERT_FALSE(d.advice.empty());
  EXPECT_THAT(d.advice[0], HasSubstr("model.num_inducing = 16"));
}

TEST(Diagnose, ALargeStudyIsComparedOnASubset) {
  Study study = told_study(120, 30);
  const Diagnosis d = diagnose(study, {.max_observations = 50, .num_points = 90});
  EXPECT_EQ(d.num_observations, 120);
  EXPECT_EQ(d.num_compared, 50);
  EXPECT_THAT(d.verdict, HasSubstr("50 of 120 observations"));
}

TEST(Diagnose, InducingFeaturesAreMeasuredToo) {
  const ModelOptions model{.type = ModelType::inducing_features, .num_inducing = 300, .num_features = 600};
  Study good = told_study(80, model);
  const Diagnosis d = diagnose(good, {.num_points = 300});
  EXPECT_EQ(d.type, ModelType::inducing_features);
  EXPECT_EQ(d.num_inducing, 300);
  EXPECT_EQ(d.trust, Trust::yes) << d.verdict;
  EXPECT_THAT(d.verdict, ::testing::Not(HasSubstr("no more observations")));
  ModelOptions few = model;
  few.num_inducing = 12;
  few.num_features = 60;
  Study bad = told_study(80, few);
  const Diagnosis found = diagnose(bad, {.num_points = 300});
  EXPECT_EQ(found.trust, Trust::no) << found.verdict;
  EXPECT_GT(found.lost_mean, d.lost_mean);
  ASSERT_FALSE(found.advice.empty());
  EXPECT_THAT(found.advice[0], HasSubstr("more inducing features: with 24"));
}

// The features of the paths are those that the study asks for, not random ones in their place.
TEST(Diagnose, KnowsTheKindOfThePriorsFeatures) {
  const ModelOptions model{.num_inducing = 30, .num_features = 400};
  ModelOptions pairs = model, eigen = model;
  pairs.features = FeatureType::fourier_pairs;
  eigen.features = FeatureType::eigen;
  Study a = told_study(60, pairs), b = told_study(60, eigen);
  const Diagnosis of_pairs = diagnose(a, {.num_points = 90}), of_eigen = diagnose(b, {.num_points = 90});
  // cos² + sin² = 1: pairs lose nothing anywhere; eigenfunctions lose everywhere in the box.
  EXPECT_NEAR(of_pairs.lost_worst, 0, 1e-12);
  EXPECT_GT(of_eigen.lost_mean, 1e-6);
}

TEST(Diagnose, ComparesInTheUsersUnitsAndDirection) {
  Study study = told_study(60, 100);
  const Diagnosis d = diagnose(study, {.num_points = 90});
  const std::vector<Params> points = {{0.2, 0.3}, {0.9, 0.5}};
  const auto model = study.predict(points);
  const Comparison at = d.at(points);
  for (const int i : {0, 1}) {
    const auto [mean, stddev] = model[static_cast<std::size_t>(i)];
    EXPECT_NEAR(at.sparse_mean(i), mean, 1e-6 * std::abs(mean));
    EXPECT_NEAR(at.sparse_stddev(i), stddev, 1e-6 + 1e-4 * stddev);
  }
}

TEST(Diagnose, AStudyWithoutValuesIsToldToRun) {
  Study study = Study::create(test::small_options(test::mixed_space()), ":memory:");
  EXPECT_THAT(test::message<std::invalid_argument>([&] { (void)diagnose(study); }), HasSubstr("at least two values, got none"));
  study.tell(study.ask(1)[0].id, 1.0);
  EXPECT_THAT(test::message<std::invalid_argument>([&] { (void)diagnose(study); }), HasSubstr("got one value"));
  EXPECT_THROW((void)diagnose(study, {.max_observations = 1}), std::invalid_argument);
}

TEST(Diagnose, APoolIsRefusedInItsOwnWords) {
  const Pool pool = Pool::from_numbers({0, 1, 2}, {"x"}, {"a", "b", "c"});
  const StudyOptions options{.outputs = one_objective(Direction::maximize),
                             .search = PoolSearch{.pool = pool, .model = {.kernel = PoolKernelType::matern52}}};
  Study study = Study::create(options, ":memory:");
  EXPECT_THAT(test::message<std::invalid_argument>([&] { (void)diagnose(study); }),
              ::testing::AllOf(HasSubstr("pool"), HasSubstr("θ/τ")));
}

TEST(Diagnose, MixedSpacesAndConstantValues) {
  Study study = Study::create(test::small_options(test::mixed_space()), ":memory:");
  for (const Trial& trial : study.ask(30)) study.tell(trial.id, 3.0);
  const Diagnosis d = diagnose(study, {.num_points = 60});
  for (const auto& place : d.places) EXPECT_TRUE(std::isfinite(place.worst.c + place.worst.a_low + place.worst.epsilon));
}

}  // namespace
}  // namespace salvo
