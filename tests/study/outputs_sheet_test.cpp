// Sheets and JSON of studies with several outputs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <salvo/error.h>
#include <salvo/records.h>

#include <cmath>
#include <limits>

#include "support/message.h"

namespace salvo {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::NanSensitiveDoubleEq;

const double kNothing = std::numeric_limits<double>::quiet_NaN();

const Space& oven() {
  static const Space space({{"rate", Float{0, 1}}, {"stages", Int{1, 8}}});
  return space;
}
const std::vector<Output> kOven = {
    {"yield", Objective{Direction::maximize}}, {"purity", Constraint{.min = 0.9}}, {"sound", passes()}};

ToldFile read_oven(const std::string& text, Format format = Format::csv) {
  return parse_records(text, "in", oven(), format, nullptr, kOven);
}

std::string oven_error(const std::string& text, Format format = Format::csv) {
  return test::message<InputError>([&] { (void)read_oven(text, format); });
}

const std::vector<double>& outputs_of(const ToldRow& row) { return std::get<Values>(row.outcome).outputs; }

auto numbers(double a, double b, double c) {
  return ElementsAre(NanSensitiveDoubleEq(a), NanSensitiveDoubleEq(b), NanSensitiveDoubleEq(c));
}

TEST(OutputsSheet, HaveAColumnEachInAnyOrderAndCase) {
  const ToldFile file =
      read_oven("Sound,trial,YIELD,purity\npassed,1,0.5,0.97\n0,2,,0.8\nTRUE,3,,\n,4,0.2,\n,5,,\nfailed,6,1,1\n");
  ASSERT_EQ(file.rows.size(), 5U);
  EXPECT_EQ(file.num_open, 1) << "all empty: not yet measured";
  EXPECT_THAT(outputs_of(file.rows[0]), numbers(0.5, 0.97, 1));
  EXPECT_THAT(outputs_of(file.rows[1]), numbers(kNothing, 0.8, 0)) << "one empty: it was not measured";
  EXPECT_THAT(outputs_of(file.rows[2]), numbers(kNothing, kNothing, 1));
  EXPECT_THAT(outputs_of(file.rows[3]), numbers(0.2, kNothing, kNothing));
  EXPECT_THAT(outputs_of(file.rows[4]), numbers(1, 1, 0));
}

TEST(OutputsSheet, CellsAtTheEndOfARowMayBeMissing) {
  const ToldFile file = read_oven("trial,yield,purity,sound\n1,0.5\n2\n");
  ASSERT_EQ(file.rows.size(), 1U);
  EXPECT_THAT(outputs_of(file.rows[0]), numbers(0.5, kNothing, kNothing));
  EXPECT_EQ(file.num_open, 1);
}

TEST(OutputsSheet, SayWhatIsWrongByName) {
  EXPECT_EQ(oven_error("trial,yield,purity\n1,nan,1\n"),
            "in:2: yield: expected a finite number, got \"nan\"; leave the cell empty where nothing was measured");
  EXPECT_EQ(oven_error("trial,yield,purity\n1,1,inf\n"), "in:2: purity: expected a finite number, got \"inf\"");
  EXPECT_EQ(oven_error("trial,sound\n1,0.5\n"), "in:2: sound: expected passed or failed (1 or 0, true or false), got \"0.5\"");
  EXPECT_EQ(oven_error("trial,value\n1,0.5\n"),
            "in: column \"value\": expected columns \"yield\", \"purity\" or \"sound\" in its place");
  EXPECT_EQ(oven_error("trial,yeild\n1,0.5\n"),
            "in: unknown column \"yeild\"; did you mean \"yield\"? A column of your own needs another name");
  EXPECT_EQ(oven_error("trial,colour\n1,red\n"),
            "in: expected a column \"yield\", \"purity\" or \"sound\" (or \"state\", or \"error\"), there is none; not known: "
            "\"colour\"");
  EXPECT_EQ(oven_error("trial,yield,sd\n1,0.5,0.1\n"),
            "in:2: sd: standard errors are for a study with one output, this one has 3; leave the column out");
  EXPECT_EQ(oven_error("trial,yield,state\n1,,done\n"),
            "in:2: the state is \"done\", expected a value of \"yield\", \"purity\" or \"sound\", got nothing");
  EXPECT_EQ(oven_error("trial,yield,state\n1,2,failed\n"), "in:2: a value, but the state is \"failed\"");
  EXPECT_EQ(oven_error("rate,stages,yield,state\n0.5,2,,failed\n"),
            "in:2: a point evaluated elsewhere needs a value of \"yield\", \"purity\" or \"sound\", got nothing");
  EXPECT_EQ(oven_error("trial,yield,Yield\n1,2,2\n"), "in: the column \"Yield\" is there twice");
}

TEST(OutputsSheet, AreKeysOfJsonOrStandInOneOfThem) {
  for (const char* text :
       {R"({"trial": 1, "yield": 0.5, "sound": true})", R"({"trial": 1, "values": {"yield": 0.5, "sound": "passed"}})",
        R"({"trial": 1, "yield": 0.5, "purity": null, "values": {"sound": 1}})"}) {
    const ToldFile file = read_oven(text, Format::json);
    ASSERT_EQ(file.rows.size(), 1U) << text;
    EXPECT_THAT(outputs_of(file.rows[0]), numbers(0.5, kNothing, 1)) << text;
  }
  EXPECT_EQ(read_oven(R"({"trial": 1, "yield": null, "purity": null})", Format::json).num_open, 1);
  EXPECT_EQ(oven_error(R"({"trial": 1, "yield": "much"})", Format::json), "in:1: yield: expected a finite number, got \"much\"");
  EXPECT_THAT(oven_error(R"({"trial": 1, "yield": 1, "purity": NaN})", Format::json), HasSubstr("not JSON"));
  EXPECT_EQ(oven_error(R"({"trial": 1, "value": 1})", Format::json),
            "in:1: value: expected \"yield\", \"purity\" or \"sound\" in its place");
  EXPECT_EQ(oven_error(R"({"trial": 1, "values": {"yeild": 1}})", Format::json),
            "in:1: values: expected \"yield\", \"purity\" or \"sound\", got \"yeild\"");
  EXPECT_EQ(oven_error(R"({"trial": 1, "yield": 1, "values": {"yield": 1}})", Format::json),
            "in:1: yield: \"yield\" and \"values.yield\" say the same; keep one");
  EXPECT_EQ(oven_error(R"({"trial": 1, "sound": 0.5})", Format::json),
            "in:1: sound: expected passed or failed (1 or 0, true or false), got 0.5");
}

TEST(OutputsSheet, AreReadBackAsTheyWereWritten) {
  for (const Values& values : {Values{{0.1, 1e-300, 1}, {{"seconds", 3}}, {{"by", "Ann"}}}, Values{{kNothing, 0.3, kNothing}},
                               Values{{-1.0 / 3, kNothing, 0}}}) {
    const Trial trial{.id = 7, .params = {0.25, std::int64_t{3}}, .outcome = values, .asked_at = 1, .told_at = 2};
    const std::vector<std::string> measured = {"seconds"}, said = {"by"};
    const std::string csv = csv_header(oven(), measured, said, kOven) + "\n" + to_csv(trial, oven(), measured, said, kOven);
    for (const auto& [text, format] : {std::pair(csv, Format::csv), std::pair(to_json(trial, oven(), kOven), Format::json)}) {
      const ToldFile file = read_oven(text, format);
      ASSERT_EQ(file.rows.size(), 1U) << text;
      EXPECT_EQ(file.rows[0].outcome, Outcome(values)) << text;
      EXPECT_TRUE(says_same(file.rows[0], *trial.outcome)) << text;
    }
  }
  const Trial open{.id = 7, .params = {0.25, std::int64_t{3}}};
  EXPECT_EQ(csv_header(oven(), {}, {}, kOven), "trial,rate,stages,yield,purity,sound,state,origin,asked_at,told_at,error");
  EXPECT_EQ(read_oven(csv_header(oven(), {}, {}, kOven) + "\n" + to_csv(open, oven(), {}, {}, kOven)).num_open, 1);
  EXPECT_EQ(read_oven(to_json(open, oven(), kOven), Format::json).num_open, 1);
}

TEST(OutputsSheet, ARowSaysTheSameWhenEachOutputItNamesDoes) {
  const auto same = [](const std::string& cells, const Outcome& told) {
    return says_same(read_oven("trial,yield,purity,sound\n1," + cells + "\n").rows.at(0), told);
  };
  const Values told{{0.5, 0.97, 1}};
  EXPECT_TRUE(same("0.5,0.97,passed", told));
  EXPECT_TRUE(same(",0.97,", told)) << "it says nothing of the others";
  EXPECT_FALSE(same("0.5,0.98,", told));
  EXPECT_FALSE(same("0.5,0.97,failed", told));
  EXPECT_FALSE(same("0.5,,", Values{{kNothing, 0.97, 1}})) << "it says more than was told";
  EXPECT_TRUE(same("0.123456789,,", Values{{0.1234567890123, 1, 1}})) << "a spreadsheet's rounding";
}

TEST(OutputsSheet, OneWithANameOfItsOwnIsAlsoCalledValue) {
  const std::vector<Output> one = {{"yield", Objective{Direction::maximize}}};
  for (const char* text : {"trial,yield\n1,2\n", "trial,value\n1,2\n"})
    EXPECT_EQ(std::get<Values>(parse_records(text, "in", oven(), Format::csv, nullptr, one).rows.at(0).outcome).outputs[0], 2);
  const std::string both = test::message<InputError>(
      [&] { (void)parse_records("trial,yield,value\n1,2,2\n", "in", oven(), Format::csv, nullptr, one); });
  EXPECT_EQ(both, "in: the columns \"yield\" and \"value\" say the same; keep one");
}

TEST(OutputsSheet, AnExportCanBeQueued) {
  const Trial trial{.id = 7, .params = {0.25, std::int64_t{3}}, .outcome = Values{{1, 2, 1}}};
  const std::string csv = csv_header(oven(), {}, {}, kOven) + "\n" + to_csv(trial, oven(), {}, {}, kOven);
  EXPECT_EQ(parse_points(csv, "in", oven(), Format::csv, kOven).rows.at(0).params, trial.params);
  EXPECT_EQ(parse_points(to_json(trial, oven(), kOven), "in", oven(), Format::json, kOven).rows.at(0).params, trial.params);
}

}  // namespace
}  // namespace salvo
