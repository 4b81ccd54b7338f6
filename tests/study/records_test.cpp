#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <salvo/encoding.h>
#include <salvo/error.h>
#include <salvo/records.h>

namespace salvo {
namespace {

const Space& space() {
  static const Space s({{"rate", Float{0, 1}},
                        {"stages", Int{1, 8}},
                        {"metal", Categorical{{std::string("Pd"), std::string("a, \"b\"\nc")}}},
                        {"k", Fixed{std::int64_t{3}}}});
  return s;
}

double value_of(const ToldRow& row) { return std::get<Values>(row.outcome).outputs.at(0); }

std::string error_of(const std::string& text, Format format) {
  try {
    (void)parse_records(text, "in", space(), format);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Records, CsvOutcomesById) {
  const ToldFile file = parse_records(
      "trial,value,state,error\n7,1.5,,\n8,,failed,\n9,,,no memory\n10,,abandoned,\n11,,pending,\n12,2,pending,\n13,,,\n", "in",
      space(), Format::csv);
  const auto& records = file.rows;
  EXPECT_EQ(file.num_open, 2);
  ASSERT_EQ(records.size(), 5U);
  EXPECT_EQ(records[0].id, 7);
  EXPECT_EQ(value_of(records[0]), 1.5);
  EXPECT_EQ(records[0].line, 2U);
  EXPECT_EQ(records[1].outcome, Outcome(Failure{"failed"}));
  EXPECT_EQ(records[2].outcome, Outcome(Failure{"no memory"}));
  EXPECT_EQ(records[3].outcome, Outcome(Abandoned{}));
  EXPECT_EQ(records[4].id, 12);
  EXPECT_EQ(value_of(records[4]), 2);
}

TEST(Records, CsvPointsFromElsewhere) {
  const auto records = parse_records("metal,rate,stages,value\nPd,0.5,3.0,1e-3\n", "in", space(), Format::csv).rows;
  ASSERT_EQ(records.size(), 1U);
  EXPECT_FALSE(records[0].id);
  EXPECT_EQ(*records[0].params, (Params{0.5, std::int64_t{3}, std::string("Pd"), std::int64_t{3}}));
}

TEST(Records, CsvMistakes) {
  const auto error = [](const std::string& text) { return error_of(text, Format::csv); };
  EXPECT_EQ(error("trial,value\n7,nan\n"),
            "in:2: value: expected a finite number, got \"nan\"; leave the cell empty where nothing was measured");
  EXPECT_EQ(error("trial,value\n1,1\n7,Infinity\n"), "in:3: value: expected a finite number, got \"Infinity\"");
  EXPECT_EQ(error("trial,value\n7,1e999\n"), "in:2: value: expected a finite number, got \"1e999\"");
  EXPECT_EQ(error("trial,value\n7.5,1\n"), "in:2: trial: expected a whole number, got \"7.5\"");
  EXPECT_EQ(error("trial,value\n0,1\n"), "in:2: trial: expected 1 or more, got 0");
  EXPECT_EQ(error("trial,vlaue\n7,1\n"),
            "in: unknown column \"vlaue\"; did you mean \"value\"? A column of your own needs another name");
  EXPECT_EQ(error("rate,stages,value\n0.5,3,1\n"), "in: expected a column for the parameter \"metal\", there is none");
  EXPECT_EQ(error("rate,stages,metal,value\n1.5,3,Pd,1\n"), "in:2: parameter \"rate\": expected a number from 0 to 1, got 1.5");
  EXPECT_EQ(error("rate,stages,metal,value\n0.5,3,Pt,1\n").substr(0, 25), "in:2: parameter \"metal\": ");
  for (const char* text :
       {"trial\n7\n", "value\n1\n", "trial,id,value\n1,1,1\n", "trial,value\n,1\n", "trial,value,error\n7,1,bad\n",
        "trial,value,state\n7,1,failed\n", "trial,value,state\n7,,done\n", "trial,value,state\n7,1,dnoe\n",
        "trial,state,error\n7,abandoned,why\n", "rate,stages,metal,value\n,,,1\n", "trial,value\n99999999999999999999,1\n",
        "rate,stages,metal,k,value\n0.5,3,Pd,4,1\n"})
    EXPECT_EQ(error(text).substr(0, 2), "in") << text;
}

TEST(Records, JsonLinesAndArrays) {
  const std::string a = R"({"trial": 7, "value": 1.5})",
                    b = R"({"params": {"rate": 1, "stages": 2, "metal": "Pd"}, "value": -2})",
                    c = R"({"id": 9, "state": "failed", "error": null})";
  for (const std::string& text : {fmt::format("{}\n\n{}\r\n{}", a, b, c), fmt::format("[{},\n\n{},\n{}]", a, b, c)}) {
    const auto records = parse_records(text, "in", space(), Format::json).rows;
    ASSERT_EQ(records.size(), 3U);
    EXPECT_EQ(records[0].id, 7);
    EXPECT_EQ(*records[1].params, (Params{1.0, std::int64_t{2}, std::string("Pd"), std::int64_t{3}}));
    EXPECT_EQ(records[1].line, 3U);
    EXPECT_EQ(records[2].line, 4U);
    EXPECT_EQ(records[2].outcome, Outcome(Failure{"failed"}));
  }
  EXPECT_TRUE(parse_records("[]", "in", space(), Format::json).rows.empty());
}

TEST(Records, JsonMistakes) {
  const auto error = [](const std::string& text) { return error_of(text, Format::json); };
  EXPECT_EQ(error("{\"trial\": 1, \"value\": 2}\n{\"trial\": 7, \"value\": NaN}").substr(0, 17), "in:2:23: not JSON");
  EXPECT_EQ(error("{\"trial\": 7, \"vlaue\": 1}"),
            "in:1: unknown key \"vlaue\"; did you mean \"value\"? A key of your own needs another name");
  EXPECT_EQ(error("{\"trial\": 7, \"value\": \"1\"}"), "in:1: value: expected a finite number, got \"1\"");
  EXPECT_EQ(error("{\"trial\": 7, \"value\": 1, \"value\": 2}"), "in:1: the key \"value\" is there twice");
  EXPECT_EQ(error("[\n{\"trial\": 7, \"value\": 1},\n{\"trial\": 0, \"value\": 1}]").substr(0, 5), "in:3:");
  EXPECT_EQ(error("{\"params\": {\"rate\": 0.5, \"stages\": 2}, \"value\": 1}"),
            "in:1: params: expected \"metal\", it is not there");
  EXPECT_EQ(error("{\"params\": {\"rate\": 0.5, \"stages\": 2, \"metl\": 1}, \"value\": 1}"),
            "in:1: params: unknown parameter \"metl\"; did you mean \"metal\"?");
  for (const char* text :
       {"", "  ", "3", "null", "[1]", "[", "{", "{}", "{\"trial\": 7.5, \"value\": 1}", "{\"trial\": 1e3, \"value\": 1}",
        "{\"trial\": 18446744073709551615, \"value\": 1}", "{\"trial\": 7, \"value\": 1e999}", "{\"trial\": 7, \"value\": 1} x",
        "{\"trial\": 7, \"id\": 7, \"value\": 1}", "{\"trial\": 7, \"state\": 3}", "{\"params\": [], \"value\": 1}",
        "{\"params\": {\"rate\": [], \"stages\": 2, \"metal\": \"Pd\"}, \"value\": 1}", "{\"trial\": 7, \"error\": \"\xff\"}",
        "{\"trial\": 7, \"value\": [[[[[[1]]]]]]}"})
    EXPECT_EQ(error(text).substr(0, 2), "in") << text;
  EXPECT_NE(error(std::string(1'000'000, '[')), "");
}

Trial any_trial(const Encoding& s) {
  std::vector<double> x(s.num_dims());
  for (double& v : x) v = *rc::gen::inRange(0, 1 << 30) / double(1 << 30);
  Trial trial{.id = *rc::gen::inRange<std::int64_t>(1, INT64_MAX), .params = s.decode(x)};
  trial.asked_at = 1.7e9 + *rc::gen::inRange(0, 1 << 30) / 1e3;
  if (*rc::gen::arbitrary<bool>()) {
    trial.outcome = Values{{*rc::gen::arbitrary<int>() / 7.0}};
    trial.told_at = trial.asked_at + 1;
  } else {
    trial.outcome = Failure{"exit 1, \"no\"\nmemory"};
  }
  return trial;
}

RC_GTEST_PROP(Records, WhatIsWrittenReadsBackTheSame, ()) {
  const Trial trial = any_trial(space());
  for (const Format form : {Format::csv, Format::json}) {
    const std::string text =
        form == Format::csv ? csv_header(space()) + "\n" + to_csv(trial, space()) + "\n" : to_json(trial, space()) + "\n";
    const auto records = parse_records(text, "x", space(), form).rows;
    RC_ASSERT(records.size() == 1U);
    RC_ASSERT(records[0].id == trial.id);
    for (int i = 0; i < 4; ++i) RC_ASSERT(space().parse(i, records[0].written[i]) == trial.params[i]);
    RC_ASSERT(records[0].outcome == *trial.outcome);
  }
}

TEST(Records, WhatElseWasMeasuredReadsBack) {
  Trial trial{.id = 7, .params = {0.5, std::int64_t{2}, std::string("Pd"), std::int64_t{3}}};
  trial.outcome = Values{{1.5}, {{"bytes", 12}, {"a, b", -0.25}}};
  const std::vector<std::string> names = measured_names({&trial, 1});
  EXPECT_EQ(names, (std::vector<std::string>{"a, b", "bytes"}));
  const std::string csv = csv_header(space(), names) + "\n" + to_csv(trial, space(), names) + "\n";
  for (const auto& [text, format] : {std::pair(csv, Format::csv), std::pair(to_json(trial, space()), Format::json)}) {
    const ToldFile file = parse_records(text, "in", space(), format);
    ASSERT_EQ(file.rows.size(), 1U) << text;
    EXPECT_EQ(file.rows[0].outcome, *trial.outcome);
    EXPECT_TRUE(file.left_out.empty());
  }
  EXPECT_NE(error_of("trial,value,measured.bytes\n1,2,many\n", Format::csv).find("measured.bytes"), std::string::npos);
  EXPECT_NE(error_of(R"({"trial": 1, "value": 2, "measured": {"bytes": "many"}})", Format::json).find("measured.bytes"),
            std::string::npos);
}

TEST(Records, TextsReadBackAndTagsAreRead) {
  Trial trial{.id = 7, .params = {0.5, std::int64_t{2}, std::string("Pd"), std::int64_t{3}}};
  trial.outcome = Values{{1.5}, {{"bytes", 12}}, {{"by", "=cmd"}, {"log", "a, \"b\"\nc"}, {"n", "12"}}};
  const std::vector<std::string> names = measured_names({&trial, 1}), said = said_names({&trial, 1});
  EXPECT_EQ(said, (std::vector<std::string>{"by", "log", "n"}));
  const std::string csv = csv_header(space(), names, said) + "\n" + to_csv(trial, space(), names, said) + "\n";
  for (const auto& [text, format] : {std::pair(csv, Format::csv), std::pair(to_json(trial, space()), Format::json)}) {
    const ToldFile file = parse_records(text, "in", space(), format);
    ASSERT_EQ(file.rows.size(), 1U) << text;
    EXPECT_EQ(file.rows[0].outcome, *trial.outcome);
    EXPECT_TRUE(file.left_out.empty());
  }
  const std::vector<std::string> tags{"pilot", "oven-2"};
  EXPECT_EQ(parse_records("trial,value,Tags\n7,1,pilot; oven-2\n", "in", space(), Format::csv).rows[0].tags, tags);
  EXPECT_EQ(parse_records(R"({"trial": 7, "value": 1, "tags": ["pilot", "oven-2"]})", "in", space(), Format::json).rows[0].tags,
            tags);
  const auto says = [](const char* text, Format format, const char* problem) {
    EXPECT_NE(error_of(text, format).find(problem), std::string::npos) << error_of(text, format);
  };
  says("trial,value,tags\n7,1,\"a,b\"\n", Format::csv, "tags: expected a word without commas");
  says(R"({"trial": 7, "value": 1, "tags": [1]})", Format::json, "tags: expected a list of words");
  says(R"({"trial": 7, "value": 1, "said": {"a": 1}})", Format::json, "said.a: expected a text");
  says("trial,value,measured.a,said.a\n7,1,2,x\n", Format::csv, "said.a: expected another name");
}

TEST(Records, PendingTrialsWrittenByAskAreNoOutcomes) {
  const Trial trial{.id = 3, .params = {0.5, std::int64_t{2}, std::string("Pd"), std::int64_t{3}}};
  EXPECT_TRUE(parse_records(csv_header(space()) + "\n" + to_csv(trial, space()), "x", space(), Format::csv).rows.empty());
  EXPECT_TRUE(parse_records(to_json(trial, space()), "x", space(), Format::json).rows.empty());
}

TEST(Records, FormatNames) {
  EXPECT_EQ(parse<Format>("csv"), Format::csv);
  EXPECT_EQ(parse<Format>("json"), Format::json);
  EXPECT_EQ(parse<Format>("jsonl"), Format::json);
  EXPECT_THROW((void)parse<Format>("xml"), std::invalid_argument);
}

}  // namespace
}  // namespace salvo
