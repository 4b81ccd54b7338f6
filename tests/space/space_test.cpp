#include <gtest/gtest.h>
#include <salvo/space.h>

#include <limits>
#include <string>

namespace salvo {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::string message(const std::vector<Parameter>& parameters) {
  try {
    Space space(parameters);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

void expect_error(const Parameter& parameter, const std::string& words) {
  const std::string text = message({parameter});
  EXPECT_NE(text.find('"' + parameter.name + '"'), std::string::npos) << "does not name the parameter: " << text;
  EXPECT_NE(text.find(words), std::string::npos) << text;
}

TEST(Space, CheckTypesWhatIsMeant) {
  const Space space({{"x", Float{0, 10}}, {"n", Int{0, 10}}, {"c", Categorical{{std::int64_t{1}, 2.5}}}});
  const Params typed = space.check({std::int64_t{3}, 4.0, 1.0});
  EXPECT_EQ(typed, (Params{3.0, std::int64_t{4}, std::int64_t{1}}));
}

TEST(Space, CheckRefusesAndNamesTheParameter) {
  const Space space({{"rate", Float{0, 1}},
                     {"stages", Int{1, 8}},
                     {"metal", Categorical{{std::string("Pd"), std::string("Pt")}}},
                     {"k", Fixed{std::int64_t{3}}}});
  const Params good = {0.5, std::int64_t{2}, std::string("Pd"), std::int64_t{3}};
  EXPECT_NO_THROW((void)space.check(good));
  const std::vector<std::pair<int, Value>> bad = {{0, nan},    {0, inf},
                                                  {0, 1.0001}, {0, std::string("x")},
                                                  {0, true},   {1, 2.5},
                                                  {1, 1e300},  {1, std::int64_t{9}},
                                                  {1, nan},    {2, std::string("Ni")},
                                                  {2, 1.0},    {3, std::int64_t{4}}};
  for (const auto& [index, value] : bad) {
    Params params = good;
    params[index] = value;
    try {
      (void)space.check(params);
      ADD_FAILURE() << "accepted " << to_string(value) << " for " << space.parameters()[index].name;
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string(error.what()).find('"' + space.parameters()[index].name + '"'), std::string::npos) << error.what();
    }
  }
  EXPECT_THROW((void)space.check({0.5}), std::invalid_argument);
}

TEST(Space, ParseReadsTextAndRefusesRubbish) {
  const Space space(
      {{"x", Float{-10, 10}}, {"n", Int{0, 1000}}, {"c", Categorical{{std::int64_t{1}, std::string("a b"), true}}}});
  EXPECT_EQ(space.parse(0, "3"), Value(3.0));
  EXPECT_EQ(space.parse(0, " +1e-3 "), Value(1e-3));
  EXPECT_EQ(space.parse(1, "1e3"), Value(std::int64_t{1000}));
  EXPECT_EQ(space.parse(1, "4.0"), Value(std::int64_t{4}));
  EXPECT_EQ(space.parse(2, "1.0"), Value(std::int64_t{1}));
  EXPECT_EQ(space.parse(2, "a b"), Value(std::string("a b")));
  EXPECT_EQ(space.parse(2, "true"), Value(true));
  for (const char* text : {"", "nan", "inf", "1e999", "0x10", "1,5", "1 2", "--1", "+-1", "11"})
    EXPECT_THROW((void)space.parse(0, text), std::invalid_argument) << text;
  for (const char* text : {"", "2.5", "-1", "99999999999999999999", "1e300"})
    EXPECT_THROW((void)space.parse(1, text), std::invalid_argument) << text;
  EXPECT_THROW((void)space.parse(2, "c"), std::invalid_argument);
}

TEST(Space, RefusesBadDomainsAndNamesTheParameter) {
  const std::string one = "one", two = "two";
  expect_error({"x", Float{1, 1}}, "low < high");
  expect_error({"x", Float{2, 1}}, "low < high");
  expect_error({"x", Float{nan, 1}}, "finite");
  expect_error({"x", Float{0, inf}}, "finite");
  expect_error({"x", Float{0, 1, Scale::log}}, "low > 0");
  expect_error({"x", Float{-1, 1, Scale::log}}, "low > 0");
  expect_error({"x", Float{.low = 0, .high = 1, .step = -1}}, "a step above 0");
  expect_error({"x", Float{.low = 0, .high = 1, .step = nan}}, "a step above 0");
  expect_error({"x", Float{.low = 0, .high = 1, .step = 2}}, "at least two numbers in steps of 2");
  expect_error({"x", Float{.low = 0, .high = 1, .step = 1e-12}}, "more than");
  expect_error({"x", Float{.low = -1e308, .high = 1e308, .step = 1}}, "more than");
  expect_error({"x", Float{.low = 0, .high = 1, .step = 0.1, .digits = 1}}, "keep one");
  expect_error({"x", Float{.low = 0, .high = 1, .digits = 9}}, "digits from 1 to 8");
  expect_error({"x", Float{.low = 0, .high = 1, .digits = -1}}, "digits from 1 to 8");
  expect_error({"x", Float{.low = 0.01, .high = 0.02, .digits = 1}}, "at least two numbers with 1 decimal");
  expect_error({"x", Float{.low = 1e300, .high = 1.7e308, .digits = 1}}, "more than");
  expect_error({"n", Int{.low = 0, .high = 9, .step = 0}}, "a step of 1 or more");
  expect_error({"n", Int{.low = 0, .high = 9, .step = 10}}, "at most");
  expect_error({"n", Int{3, 3}}, "low < high");
  expect_error({"n", Int{0, 8, Scale::log}}, "low ≥ 1");
  expect_error({"n", Int{INT64_MIN, INT64_MAX}}, "use a float");
  expect_error({"n", Int{1, INT64_MAX, Scale::log}}, "use a float");
  expect_error({"c", Categorical{{one}}}, "at least 2 choices");
  expect_error({"c", Categorical{{}}}, "at least 2 choices");
  expect_error({"c", Categorical{{one, two, one}}}, "twice");
  expect_error({"c", Categorical{{std::int64_t{1}, 1.0}}}, "twice");
  expect_error({"c", Categorical{{std::string("true"), true}}}, "twice");
  expect_error({"c", Categorical{{std::int64_t{1000}, 1e3}}}, "twice");
  expect_error({"c", Categorical{{nan, 1.0}}}, "finite");
  expect_error({"o", Ordinal{{one}}}, "at least 2 choices");
  expect_error({"f", Fixed{inf}}, "finite");
}

TEST(Space, RefusesBadNames) {
  EXPECT_NE(message({{"", Float{}}}).find("empty name"), std::string::npos);
  for (const char* name : {"1x", "a b", "a{", "é", "-x", ".x", "a,b", "a\"b", "a=b"}) expect_error({name, Float{}}, "letters");
  for (const std::string_view name : reserved_names()) expect_error({std::string(name), Float{}}, "column");
  EXPECT_NE(message({{"a", Float{}}, {"a", Float{}}}).find("\"a\" is there twice"), std::string::npos);
  EXPECT_NE(message({{"a.b", Float{}}, {"A_b", Float{}}}).find("too like"), std::string::npos);
  EXPECT_NE(message({}).find("empty"), std::string::npos);
  EXPECT_NE(message({{"f", Fixed{1.0}}}).find("fixed"), std::string::npos);
  EXPECT_EQ(message({{"learning-rate_2.x", Float{}}}), "");
}

}  // namespace
}  // namespace salvo
