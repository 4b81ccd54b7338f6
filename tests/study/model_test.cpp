// The words of [model] at work in a study.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <salvo/fitted_model.h>

#include "config/options_json.h"
#include "search/learned.h"
#include "store/store.h"
#include "support/folder.h"
#include "support/studies.h"

namespace salvo {
namespace {

using ::testing::HasSubstr;

Space square() { return Space({{"a", Float{0, 1}}, {"b", Float{0, 1}}}); }

double bowl(const Params& params) {
  const double a = std::get<double>(params[0]), b = std::get<double>(params[1]);
  return -(a - 0.3) * (a - 0.3) - (b - 0.6) * (b - 0.6);
}

StudyOptions options_with(const ModelOptions& model) {
  StudyOptions options = test::small_options(square(), 3);
  options.batch = 10;
  test::model_of(options) = model;
  test::model_of(options).num_starts = 2;
  test::model_of(options).num_candidates = 60;
  return options;
}

// Runs `batches` of ten; when `reopen`, in a new object each time.
std::vector<Params> run(const StudyOptions& options, const std::string& path, int batches, bool reopen) {
  std::vector<Params> out;
  std::optional<Study> study = Study::open_or_create(options, path);
  for (int i = 0; i < batches; ++i) {
    if (reopen && path != ":memory:") study = Study::open(path);
    for (const Trial& trial : study->ask(10)) {
      study->tell(trial.id, bowl(trial.params));
      out.push_back(trial.params);
    }
  }
  return out;
}

std::vector<ModelOptions> every_kind() {
  std::vector<ModelOptions> kinds{
      {.type = ModelType::inducing_features, .num_inducing = 20, .num_features = 120},
      {.type = ModelType::inducing_features,
       .kernel = KernelType::se,
       .num_inducing = 0,
       .max_inducing = 40,
       .num_features = 0,
       .max_features = 100,
       .eigenfunctions = EigenType::gaussian},
      {.num_inducing = 15, .num_features = 100, .features = FeatureType::eigen},
      {.num_inducing = 0, .max_inducing = 25, .num_features = 0, .max_variance_error = 0.1, .max_features = 600},
      {.fit = FitMethod::stochastic, .minibatch = 12, .num_inducing = 10, .num_features = 50},
      {.num_inducing = 10, .num_features = 50, .inducing = Inducing::kdpp, .kdpp_steps = 70},
      {.num_inducing = 12,
       .num_features = 50,
       .inducing = Inducing::quality,
       .features = FeatureType::orthogonal,
       .alpha_rule = AlphaRule::theory},
      {.num_inducing = 12, .num_features = 51, .inducing = Inducing::gradient, .features = FeatureType::fourier_pairs}};
  for (ModelOptions& model : kinds) model.exact_until = 0;
  kinds.push_back({.num_inducing = 12, .exact_until = 25, .num_features = 50});  // exact, then sparse
  return kinds;
}

TEST(Model, EveryKindAsksLearnsAnswersAndResumesAlike) {
  const test::Folder folder;
  int number = 0;
  for (const ModelOptions& model : every_kind()) {
    const std::string path = folder.path(std::to_string(++number) + ".db");
    const StudyOptions options = options_with(model);
    const auto whole = run(options, ":memory:", 4, false);
    EXPECT_EQ(run(options, path, 4, true), whole) << number;
    Study study = Study::open(path);
    EXPECT_EQ(options_to_json(study.options()), options_to_json(options));
    const auto best = study.recommend();
    ASSERT_TRUE(best);
    EXPECT_NEAR(best->mean, bowl(best->trial.params), 0.2) << number;
    const auto report = study.model_report();
    ASSERT_TRUE(report);
    EXPECT_EQ(report->type, model.type);
    EXPECT_FALSE(report->fit.message.empty()) << number;
    EXPECT_GT(report->fit.num_evaluations, 0);
    EXPECT_GT(report->num_features, 0);
    EXPECT_GT(report->num_inducing, 0);
    EXPECT_EQ(report->sizes.empty(), model.num_inducing > 0 && model.num_features > 0 && model.inducing != Inducing::kdpp)
        << report->sizes;
    const Estimate there = study.predict(std::vector<Params>{{0.3, 0.6}})[0];
    EXPECT_NEAR(there.mean, 0, 0.2) << number;
  }
}

// Up to exact_until m does not matter: every point is an inducing point. Beyond, it does.
TEST(Model, IsExactUntilTold) {
  const auto predicted = [](int m, int exact_until, int observations) {
    StudyOptions options = options_with({.num_inducing = m, .exact_until = exact_until, .num_features = 50});
    options.batch = observations;
    Study study = Study::create(options, ":memory:");
    test::tell_all(study, study.ask(observations));
    return study.predict(std::vector<Params>{{0.3, 0.6}})[0].stddev;
  };
  EXPECT_EQ(predicted(5, 60, 60), predicted(60, 0, 60));
  EXPECT_NE(predicted(5, 60, 61), predicted(61, 0, 61));
  EXPECT_EQ(predicted(5, 60, 61), predicted(5, 0, 61));
}

TEST(Model, AutomaticSizesSayWhatTheyFound) {
  StudyOptions options =
      options_with({.num_inducing = 0, .exact_until = 0, .max_kl = 1e6, .num_features = 0, .max_variance_error = 1.0});
  Study easy = Study::create(options, ":memory:");
  test::tell_all(easy, easy.ask(10));
  test::tell_all(easy, easy.ask(10));
  EXPECT_THAT(easy.model_report()->sizes, HasSubstr("θ/τ is"));
  EXPECT_EQ(easy.model_report()->num_features, 250);
  test::model_of(options).max_variance_error = 1e-9;
  test::model_of(options).max_features = 500;
  Study hard = Study::create(options, ":memory:");
  test::tell_all(hard, hard.ask(10));
  test::tell_all(hard, hard.ask(10));
  EXPECT_EQ(hard.model_report()->num_features, 500);
  EXPECT_THAT(hard.model_report()->sizes, HasSubstr("no better within max_features"));
}

// What is said of θ/τ is so after the fit, and m grows as long as it may.
TEST(Model, AnAutomaticNumberKeepsItsPromiseOrSaysWhyNot) {
  for (const ModelType type : {ModelType::inducing_points, ModelType::inducing_features}) {
    for (const Inducing inducing : {Inducing::coverage, Inducing::greedy}) {
      StudyOptions options = options_with({.type = type, .num_inducing = 0, .exact_until = 0, .inducing = inducing});
      test::model_of(options).num_features = 2000;
      options.batch = 400;
      Study study = Study::create(options, ":memory:");
      test::tell_all(study, study.ask(400));
      (void)study.ask(1);
      const ModelReport report = *study.model_report();
      if (report.theta_over_tau <= test::model_of(options).max_kl)
        EXPECT_THAT(report.sizes, HasSubstr("at most 1"));
      else
        EXPECT_THAT(report.sizes, HasSubstr("stopped by"));
      EXPECT_TRUE(report.theta_over_tau <= test::model_of(options).max_kl || report.num_inducing > 200)
          << report.sizes << "; now " << report.theta_over_tau;
    }
  }
}

// What the fit of the next ask began with.
double first_bound(Study& study) {
  (void)study.ask(1);
  const auto known = open_store(study.path())->snapshot(0, -1);
  return SpaceLearned::from(*known.learned, 2, std::ssize(known.records)).fit.initial_bound;
}

// Both fits climb the same bound, and mini-batches gain at least nine tenths of what there is to gain.
TEST(Model, AStudyFitsByMiniBatchesBeyondOne) {
  StudyOptions options =
      options_with({.fit = FitMethod::stochastic, .minibatch = 100, .num_inducing = 20, .exact_until = 0, .num_features = 50});
  options.batch = 400;
  const test::Folder folder;
  int number = 0;
  const auto told = [&](int observations) {
    Study study = Study::create(options, folder.path(std::to_string(++number) + ".db"));
    for (const Trial& trial : study.ask(observations))
      study.tell(trial.id, bowl(trial.params) + 0.05 * std::sin(1e4 * bowl(trial.params)));
    return study;
  };
  EXPECT_THAT(told(100).model_report()->fit.message, ::testing::Not(HasSubstr("stochastic")));  // all of it is one batch
  Study by_batches = told(400);
  EXPECT_THAT(by_batches.model_report()->fit.message, HasSubstr("stochastic"));
  EXPECT_GT(by_batches.model_report()->fit.num_evaluations, 100);
  test::model_of(options).fit = FitMethod::collapsed;
  Study collapsed = told(400);
  EXPECT_THAT(collapsed.model_report()->fit.message, ::testing::Not(HasSubstr("stochastic")));
  const double best = collapsed.fitted_model()->gp.bound(), first = first_bound(collapsed);
  EXPECT_GE(by_batches.fitted_model()->gp.bound(), best - 0.1 * (best - first));
}

TEST(Model, AKdppSaysHowFarItsChainWent) {
  StudyOptions options = options_with({.num_inducing = 3, .exact_until = 0, .num_features = 50, .inducing = Inducing::kdpp});
  options.batch = 12;
  const auto words = [&](int steps) {
    test::model_of(options).kdpp_steps = steps;
    Study study = Study::create(options, ":memory:");
    test::tell_all(study, study.ask(12));
    return study.model_report()->sizes;
  };
  const double asked = kdpp_chain(12, 3).asked;  // few enough here for the budget of operations
  EXPECT_EQ(kdpp_chain(12, 3).made, asked);
  EXPECT_THAT(words(0), HasSubstr("all"));
  EXPECT_THAT(words(40), ::testing::AllOf(HasSubstr("40 exchange steps"), HasSubstr("2θ/τ")));
  EXPECT_THAT(words(1'000'000), HasSubstr("all"));
  test::model_of(options).num_inducing = 12;  // nothing to choose
  EXPECT_EQ(words(0), "");
}

TEST(Model, ASparseModelSamplesMoreBoldlyThanAnExactOne) {
  StudyOptions options = options_with({.num_inducing = 10, .exact_until = 20, .num_features = 50});
  const auto alphas = [&] {
    Study study = Study::create(options, ":memory:");
    std::vector<double> out;
    for (int i = 0; i < 3; ++i) {
      test::tell_all(study, study.ask(10));
      out.push_back(study.model_report()->alpha);
    }
    return out;
  };
  EXPECT_THAT(alphas(), ::testing::ElementsAre(1, 1, 1.5));
  test::model_of(options).alpha = 0.7;
  EXPECT_THAT(alphas(), ::testing::Each(0.7));
}

TEST(Model, TheorysAlphaGrowsWithTheDataAndItsConstants) {
  StudyOptions options = options_with({.num_inducing = 30, .num_features = 50, .alpha_rule = AlphaRule::theory, .rkhs_norm = 2});
  Study study = Study::create(options, ":memory:");
  test::tell_all(study, study.ask(10));
  (void)study.ask(5);
  const double early = study.model_report()->alpha;
  for (int i = 0; i < 3; ++i) test::tell_all(study, study.ask(10));
  const double late = study.model_report()->alpha;
  EXPECT_GT(early, 2 * (2 + std::sqrt(2.0)));  // γ ≥ 0 and t ≥ 1
  EXPECT_GT(late, early);
}

// Discrete coordinates: the encoding is what the functions see, and a few of them are fine.
TEST(Model, InducingFeaturesWorkOnTheEncodingOfDiscreteParameters) {
  StudyOptions options = options_with({.type = ModelType::inducing_features, .num_inducing = 60, .num_features = 400});
  test::search_of(options).space = Space({{"a", Float{0, 1}}, {"n", Int{1, 9}}, {"kind", Ordinal{{1.0, 2.0, 5.0}}}});
  Study study = Study::create(options, ":memory:");
  for (int i = 0; i < 3; ++i)
    for (const Trial& trial : study.ask(10)) {
      EXPECT_NO_THROW((void)options.space().check(trial.params));
      study.tell(trial.id, std::get<double>(trial.params[0]));
    }
  EXPECT_GT(study.model_report()->captured, 0.8);
}

}  // namespace
}  // namespace salvo
