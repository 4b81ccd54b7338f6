// The words of [model]: read, kept in a database, refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <salvo/error.h>
#include <salvo/study_file.h>

#include "config/options_json.h"
#include "support/message.h"
#include "support/options.h"

namespace salvo {
namespace {

using ::testing::HasSubstr;

Space square() { return Space({{"a", Float{0, 1}}, {"b", Float{0, 1}}}); }

// As they come back from the document of a database.
StudyOptions kept(const StudyOptions& options) {
  const auto pool = options.pool() ? std::optional(*options.pool()) : std::nullopt;
  return options_from_json(options_to_json(options), options.space(), "s.db", pool);
}
ModelOptions kept(const ModelOptions& model) {
  StudyOptions options = test::small_options(square());
  test::model_of(options) = model;
  return test::model_of(kept(options));
}

TEST(ModelOptions, AlphaIsANumberOrOneOfTwoWords) {
  const auto model = [](const std::string& alpha) {
    const std::string text = "direction = \"maximize\"\n[parameters]\na = { low = 0, high = 1 }\n[model]\nalpha = " + alpha;
    return test::model_of(parse_study_file(text, "s.toml", {}).study);
  };
  EXPECT_EQ(model("0.4").alpha, 0.4);
  EXPECT_EQ(model("\"auto\"").alpha, std::nullopt);
  EXPECT_EQ(model("\"auto\"").alpha_rule, AlphaRule::constant);
  EXPECT_EQ(model("\"theory\"").alpha_rule, AlphaRule::theory);
  EXPECT_EQ(kept(model("\"auto\"")).alpha, std::nullopt);
  EXPECT_EQ(kept(model("\"theory\"")).alpha_rule, AlphaRule::theory);
  EXPECT_EQ(kept(model("0.4")).alpha, 0.4);
  for (const char* wrong : {"\"magic\"", "-1", "nan", "true", "[1]"}) EXPECT_THROW((void)model(wrong), InputError) << wrong;
}

TEST(ModelOptions, StudyFilesSayTheSameWords) {
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
  const StudyOptions study = parse_study_file(text, "s.toml", {}).study;
  const ModelOptions& model = test::model_of(study);
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
  EXPECT_EQ(options_to_json(kept(study)), options_to_json(study));
}

TEST(ModelOptions, WhatCannotWorkSaysWhatWould) {
  const auto problem = [](const ModelOptions& model, const Space& space) {
    StudyOptions options = test::small_options(space, 3);
    test::model_of(options) = model;
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

TEST(ModelOptions, EveryOptionComesBackFromTheDatabase) {
  const ModelOptions model{.kernel = KernelType::matern12, .inducing = Inducing::greedy, .alpha = 0.1};
  StudyOptions options = test::small_options(square());
  test::model_of(options) = model;
  EXPECT_EQ(options_to_json(kept(options)), options_to_json(options));
}

TEST(PoolModelOptions, TheFloorIsKept) {
  const Pool pool = Pool::from_bits({1, 2, 3}, 64, {});
  for (const std::optional<double> floor : {std::optional<double>{}, {0.0}, {-1.5}}) {
    const StudyOptions options{.outputs = one_objective(Direction::maximize),
                               .search = PoolSearch{.pool = pool, .model = {.floor = floor}}};
    EXPECT_EQ(std::get<PoolSearch>(kept(options).search).model.floor, floor);
  }
}

TEST(PoolModelOptions, AStudyOfBeforeFailuresTaughtOverPoolsGoesOnWithoutThem) {
  const Pool pool = Pool::from_bits({1, 2, 3}, 64, {});
  const StudyOptions options{.outputs = one_objective(Direction::maximize), .search = PoolSearch{.pool = pool}};
  EXPECT_EQ(std::get<PoolSearch>(kept(options).search).model.failures, FailureUse::learn);
  std::string document = options_to_json(options);
  const std::string key = "\"failures\":\"learn\",";
  const std::size_t at = document.find(key);
  ASSERT_NE(at, std::string::npos) << document;
  document.erase(at, key.size());
  const StudyOptions old = options_from_json(document, options.space(), "s.db", pool);
  EXPECT_EQ(std::get<PoolSearch>(old.search).model.failures, FailureUse::ignore);
}

}  // namespace
}  // namespace salvo
