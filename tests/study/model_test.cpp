// The words of [model] at work in a study.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <salvo/error.h>
#include <salvo/study_file.h>

#include "space/json.h"
#include "support.h"

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
  options.model = model;
  options.model.num_starts = 2;
  options.model.num_candidates = 60;
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
    EXPECT_EQ(model_to_json(study.options().model), model_to_json(options.model));
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
    const Prediction there = study.predict(std::vector<Params>{{0.3, 0.6}});
    EXPECT_NEAR(there.mean(0), 0, 0.2) << number;
  }
}

// Up to exact_until m does not matter: every point is an inducing point. Beyond, it does.
TEST(Model, IsExactUntilTold) {
  const auto predicted = [](int m, int exact_until, int observations) {
    StudyOptions options = options_with({.num_inducing = m, .exact_until = exact_until, .num_features = 50});
    options.batch = observations;
    Study study = Study::create(options, ":memory:");
    test::tell_all(study, study.ask(observations));
    return study.predict(std::vector<Params>{{0.3, 0.6}}).variance(0);
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
  options.model.max_variance_error = 1e-9;
  options.model.max_features = 500;
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
      options.model.num_features = 2000;
      options.batch = 400;
      Study study = Study::create(options, ":memory:");
      test::tell_all(study, study.ask(400));
      (void)study.ask(1);
      const ModelReport report = *study.model_report();
      if (report.theta_over_tau <= options.model.max_kl)
        EXPECT_THAT(report.sizes, HasSubstr("at most 1"));
      else
        EXPECT_THAT(report.sizes, HasSubstr("stopped by"));
      EXPECT_TRUE(report.theta_over_tau <= options.model.max_kl || report.num_inducing > 200)
          << report.sizes << "; now " << report.theta_over_tau;
    }
  }
}

// Both fits climb the same bound, and mini-batches gain at least nine tenths of what there is to gain.
TEST(Model, AStudyFitsByMiniBatchesBeyondOne) {
  StudyOptions options =
      options_with({.fit = FitMethod::stochastic, .minibatch = 100, .num_inducing = 20, .exact_until = 0, .num_features = 50});
  options.batch = 400;
  const auto told = [&](int observations) {
    Study study = Study::create(options, ":memory:");
    for (const Trial& trial : study.ask(observations))
      study.tell(trial.id, bowl(trial.params) + 0.05 * std::sin(1e4 * bowl(trial.params)));
    return study;
  };
  EXPECT_THAT(told(100).model_report()->fit.message, ::testing::Not(HasSubstr("stochastic")));  // all of it is one batch
  Study by_batches = told(400);
  EXPECT_THAT(by_batches.model_report()->fit.message, HasSubstr("stochastic"));
  EXPECT_GT(by_batches.model_report()->fit.num_evaluations, 100);
  options.model.fit = FitMethod::collapsed;
  Study collapsed = told(400);
  EXPECT_THAT(collapsed.model_report()->fit.message, ::testing::Not(HasSubstr("stochastic")));
  const double best = collapsed.fitted_model()->gp.bound(), first = collapsed.model_report()->fit.initial_bound;
  EXPECT_GE(by_batches.fitted_model()->gp.bound(), best - 0.1 * (best - first));
}

TEST(Model, AKdppSaysHowFarItsChainWent) {
  StudyOptions options = options_with({.num_inducing = 3, .exact_until = 0, .num_features = 50, .inducing = Inducing::kdpp});
  options.batch = 12;
  const auto words = [&](int steps) {
    options.model.kdpp_steps = steps;
    Study study = Study::create(options, ":memory:");
    test::tell_all(study, study.ask(12));
    return study.model_report()->sizes;
  };
  const double asked = kdpp_chain(12, 3).asked;  // few enough here for the budget of operations
  EXPECT_EQ(kdpp_chain(12, 3).made, asked);
  EXPECT_THAT(words(0), HasSubstr("all"));
  EXPECT_THAT(words(40), ::testing::AllOf(HasSubstr("40 exchange steps"), HasSubstr("2θ/τ")));
  EXPECT_THAT(words(1'000'000), HasSubstr("all"));
  options.model.num_inducing = 12;  // nothing to choose
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
  options.model.alpha = 0.7;
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

TEST(Model, OptionsOfTheFirstVersionAreRead) {
  const std::string old =
      R"({"kernel":"matern32","num_inducing":250,"num_features":700,"inducing":"greedy","alpha":1.25,"max_lengthscale":0.6,)"
      R"("refit_growth":0.1,"num_starts":3,"num_candidates":9})";
  const ModelOptions model = model_from_json(old);
  EXPECT_EQ(model.num_inducing, 250);
  EXPECT_EQ(model.type, ModelType::inducing_points);
  EXPECT_EQ(model.features, FeatureType::fourier);  // a study goes on with what it began with
  EXPECT_EQ(model.alpha_rule, AlphaRule::constant);
  EXPECT_EQ(model.max_share, 1);
  EXPECT_EQ(model.near_share, 0);
  EXPECT_EQ(model.scout_share, 0);
  EXPECT_EQ(model.exact_until, 0);
  Learned learned;
  learned_from_json(R"({"kernel":"se","variance":2.0,"lengthscales":[0.5],"noise":0.1,"mean":0.2})", learned);
  EXPECT_EQ(learned.hyper.kernel.variance, 2.0);
  EXPECT_EQ(learned.num_features, 0);
}

TEST(Model, AlphaIsANumberOrOneOfTwoWords) {
  const auto model = [](const std::string& alpha) {
    const std::string text = "direction = \"maximize\"\n[parameters]\na = { low = 0, high = 1 }\n[model]\nalpha = " + alpha;
    return parse_study_file(text, "s.toml", {}).study.model;
  };
  EXPECT_EQ(model("0.4").alpha, 0.4);
  EXPECT_EQ(model("\"auto\"").alpha, std::nullopt);
  EXPECT_EQ(model("\"auto\"").alpha_rule, AlphaRule::constant);
  EXPECT_EQ(model("\"theory\"").alpha_rule, AlphaRule::theory);
  EXPECT_EQ(model_from_json(model_to_json(model("\"auto\""))).alpha, std::nullopt);
  EXPECT_EQ(model_from_json(model_to_json(model("0.4"))).alpha, 0.4);
  for (const char* wrong : {"\"magic\"", "-1", "nan", "true", "[1]"}) EXPECT_THROW((void)model(wrong), InputError) << wrong;
}

TEST(Model, StudyFilesSayTheSameWords) {
  const std::string text = R"(
direction = "maximize"
[parameters]
a = { low = 0, high = 1 }
b = { low = 0, high = 1 }
[model]
type = "inducing-features"
kernel = "se"
fit = "collapsed"
minibatch = 300
kdpp_steps = 5000
max_grid_gib = 0.5
num_inducing = "auto"
max_kl = 0.5
max_inducing = 300
num_features = "auto"
max_variance_error = 0.02
max_features = 900
inducing = "kdpp"
features = "quasi-random"
eigenfunctions = "gaussian"
alpha = "theory"
rkhs_norm = 3
noise_bound = 1.5
)";
  const ModelOptions model = parse_study_file(text, "s.toml", {}).study.model;
  EXPECT_EQ(model.type, ModelType::inducing_features);
  EXPECT_EQ(model.num_inducing, 0);
  EXPECT_EQ(model.minibatch, 300);
  EXPECT_EQ(model.kdpp_steps, 5000);
  EXPECT_EQ(model.max_grid_gib, 0.5);
  EXPECT_EQ(model.max_kl, 0.5);
  EXPECT_EQ(model.max_inducing, 300);
  EXPECT_EQ(model.num_features, 0);
  EXPECT_EQ(model.max_variance_error, 0.02);
  EXPECT_EQ(model.max_features, 900);
  EXPECT_EQ(model.inducing, Inducing::kdpp);
  EXPECT_EQ(model.features, FeatureType::quasi_random);
  EXPECT_EQ(model.eigenfunctions, EigenType::gaussian);
  EXPECT_EQ(model.alpha_rule, AlphaRule::theory);
  EXPECT_EQ(model.rkhs_norm, 3);
  EXPECT_EQ(model.noise_bound, 1.5);
  EXPECT_EQ(model_to_json(model_from_json(model_to_json(model))), model_to_json(model));
}

TEST(Model, WhatCannotWorkSaysWhatWould) {
  const auto problem = [](const ModelOptions& model, const Space& space) {
    StudyOptions options = options_with(model);
    options.space = space;
    return test::message<std::invalid_argument>([&] { options.validate(); });
  };
  EXPECT_THAT(problem({.type = ModelType::inducing_features, .num_inducing = 100, .num_features = 99}, square()),
              ::testing::AllOf(HasSubstr("model.num_features"), HasSubstr("at least 100")));
  EXPECT_THAT(problem({.features = FeatureType::eigen, .eigenfunctions = EigenType::gaussian}, square()), HasSubstr("\"box\""));
  std::vector<Parameter> many;
  for (int i = 0; i < 6; ++i) many.push_back({"x" + std::to_string(i), Float{0, 1}});
  EXPECT_THAT(problem({.type = ModelType::inducing_features}, Space(many)),
              ::testing::AllOf(HasSubstr("model.type"), HasSubstr("6 coordinates"), HasSubstr("inducing points")));
  // A categorical takes one coordinate per choice.
  const Space choices({{"c", Categorical{{1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0}}}});
  EXPECT_THAT(problem({.features = FeatureType::eigen}, choices), HasSubstr("any dimension"));
  EXPECT_THAT(problem({.type = ModelType::inducing_features, .fit = FitMethod::stochastic}, square()), HasSubstr("model.fit"));
}

// Discrete coordinates: the encoding is what the functions see, and a few of them are fine.
TEST(Model, InducingFeaturesWorkOnTheEncodingOfDiscreteParameters) {
  StudyOptions options = options_with({.type = ModelType::inducing_features, .num_inducing = 60, .num_features = 400});
  options.space = Space({{"a", Float{0, 1}}, {"n", Int{1, 9}}, {"kind", Ordinal{{1.0, 2.0, 5.0}}}});
  Study study = Study::create(options, ":memory:");
  for (int i = 0; i < 3; ++i)
    for (const Trial& trial : study.ask(10)) {
      EXPECT_NO_THROW((void)options.space.check(trial.params));
      study.tell(trial.id, std::get<double>(trial.params[0]));
    }
  EXPECT_GT(study.model_report()->captured, 0.8);
}

}  // namespace
}  // namespace salvo
