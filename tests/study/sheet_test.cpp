// Sheets as people make them: what a spreadsheet saves must read as what it shows.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <salvo/error.h>
#include <salvo/records.h>

#include <algorithm>

namespace salvo {
namespace {

const Space& lab() {
  static const Space s(
      {{"temperature", Float{300, 900}},
       {"stages", Int{1, 8}},
       {"metal", Categorical{{std::string("Pd"), std::string("=Pt"), std::string("'=Pt"), std::string("1,5")}}}});
  return s;
}

ToldFile read_lab(const std::string& text) { return parse_records(text, "in", lab(), Format::csv); }

std::string mistakes_in(const std::string& text, Format format = Format::csv) {
  try {
    (void)parse_records(text, "in", lab(), format);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

double told_value(const ToldRow& row) { return std::get<Values>(row.outcome).outputs.at(0); }

std::string in_utf16(std::string_view text, bool little) {
  std::string out = little ? "\xFF\xFE" : "\xFE\xFF";
  for (const char c : text) {
    if (!little) out += '\0';
    out += c;
    if (little) out += '\0';
  }
  return out;
}

TEST(Sheet, SeparatorsMarksAndEncodingsReadAlike) {
  const std::string plain = "trial,temperature,value\n7,450.25,1.5\n8,,-2e-3\n";
  const auto with = [&](char separator, char point) {
    std::string text = plain;
    for (char& c : text) c = c == ',' ? separator : c == '.' ? point : c;
    return text;
  };
  for (const std::string& text :
       {plain, with(';', '.'), with(';', ','), with('\t', ','), "sep=;\r\n" + with(';', ','), "\xEF\xBB\xBF" + with(';', ','),
        in_utf16(plain, true), in_utf16(plain, false), in_utf16(with('\t', ','), true)}) {
    const auto rows = read_lab(text).rows;
    ASSERT_EQ(rows.size(), 2U) << text;
    EXPECT_EQ(rows[0].id, 7);
    EXPECT_EQ(rows[0].written, (std::vector<std::string>{"450.25", "", ""}));
    EXPECT_EQ(told_value(rows[0]), 1.5);
    EXPECT_EQ(told_value(rows[1]), -2e-3);
  }
}

TEST(Sheet, LettersBeyondAsciiComeThroughUtf16) {
  std::string text = in_utf16("trial,value,error\n7,,", true);
  text += std::string("\xE9\x00\x3D\xD8\x00\xDE", 6);  // é and an emoji, which takes two halves
  EXPECT_EQ(std::get<Failure>(read_lab(text).rows.at(0).outcome).reason, "\u00e9\U0001F600");
  text.resize(text.size() - 2);
  EXPECT_NE(mistakes_in(text).find("half a letter"), std::string::npos);
}

TEST(Sheet, ColumnsInAnyOrderAndCaseAndOthersKept) {
  const ToldFile file = read_lab("Operator,VALUE,Trial,remark,,State,Origin\nAnn,3,7,\"late; but fine\",,,model\n,,,,,,\n");
  ASSERT_EQ(file.rows.size(), 1U);
  EXPECT_EQ(file.rows[0].id, 7);
  EXPECT_EQ(told_value(file.rows[0]), 3);
  EXPECT_EQ(file.kept, (std::vector<std::string>{"said.Operator", "said.remark"}));
  EXPECT_EQ(std::get<Values>(file.rows[0].outcome).said.at("remark"), "late; but fine");
  EXPECT_EQ(file.num_open, 0);
}

// Whatever stands in a column of somebody's own, the file is taken: a number where all of its cells are, a text otherwise.
TEST(Sheet, AColumnOfOnesOwnIsKeptAsWhatItIs) {
  const ToldFile file = read_lab(
      "trial;value;seconds;sample;barcode;mixed;date;version;empty;sentence\n"
      "1;1,5;30;007;1234567890123456789;1;12.11.2026;1.2;;a\n"
      "2;2,5;-0,25;008;1234567890123456780;no;13.11.2026;1.3;;=b\n");
  const auto& first = std::get<Values>(file.rows.at(0).outcome);
  EXPECT_EQ(first.others, (std::map<std::string, double>{{"seconds", 30}}));
  EXPECT_EQ(first.said, (std::map<std::string, std::string>{{"sample", "007"},
                                                            {"barcode", "1234567890123456789"},
                                                            {"mixed", "1"},
                                                            {"date", "12.11.2026"},
                                                            {"version", "1.2"},
                                                            {"sentence", "a"}}))
      << "1.2 may be a thousand and more where numbers have decimal commas";
  EXPECT_EQ(std::get<Values>(file.rows.at(1).outcome).others.at("seconds"), -0.25);
  EXPECT_EQ(file.kept.size(), 7U) << "of an empty column there is nothing to keep";
  EXPECT_EQ(mistakes_in("trial,value,op,op\n7,1,a,b\n"), "in: the column \"op\" is there twice");
  EXPECT_EQ(mistakes_in("trial,value,op,said.op\n7,1,a,b\n"), "in: the columns \"said.op\" and \"op\" say the same; keep one");
}

TEST(Sheet, WhatIsTooLongIsKeptToItsBeginningAndTooManyAreLeftOut) {
  std::string header = "trial,value,long", row = "1,2," + std::string(999, 'x') + "\u00e9";
  for (int i = 0; i < 120; ++i) {
    header += fmt::format(",c{}", i);
    row += ",1";
  }
  const ToldFile file = read_lab(header + ",n" + std::string(100, 'n') + "\n" + row + ",1\n");
  EXPECT_EQ(std::get<Values>(file.rows.at(0).outcome).said.at("long"), std::string(999, 'x')) << "in whole letters";
  EXPECT_EQ(file.kept.size(), 100U);
  EXPECT_EQ(file.left_out.size(), 22U);
}

TEST(Sheet, KeysOfOnesOwnAreKeptAsProgramsAre) {
  const ToldFile file = parse_records(
      R"({"trial": 7, "value": 1, "operator": "Ann", "seconds": 2.5, "ok": true, "list": [1], "none": null, "note": "late"})",
      "in", lab(), Format::json);
  const auto& values = std::get<Values>(file.rows.at(0).outcome);
  EXPECT_EQ(values.said, (std::map<std::string, std::string>{{"operator", "Ann"}}));
  EXPECT_EQ(values.others, (std::map<std::string, double>{{"ok", 1}, {"seconds", 2.5}}));
  EXPECT_EQ(file.left_out, (std::vector<std::string>{"list"}));
  EXPECT_EQ(file.rows.at(0).note, "late");
  EXPECT_EQ(mistakes_in(R"({"trial": 7, "value": 1, "a": 1, "measured": {"a": 2}})", Format::json),
            "in:1: \"a\" and \"measured.a\" say the same; keep one");
}

TEST(Sheet, SlipsOfThePenAreMistakes) {
  EXPECT_EQ(mistakes_in("trial,vlaue\n7,1\n"),
            "in: unknown column \"vlaue\"; did you mean \"value\"? A column of your own needs another name");
  EXPECT_EQ(mistakes_in("trial,temprature,value\n7,400,1\n"),
            "in: unknown column \"temprature\"; did you mean \"temperature\"? A column of your own needs another name");
  EXPECT_EQ(mistakes_in("trial,temperature (K),value\n7,400,1\n"),
            "in: unknown column \"temperature (K)\"; did you mean \"temperature\"? A column of your own needs another name");
  EXPECT_EQ(mistakes_in("trial,value,date\n7,1,12.11.2026\n"), "") << "no slip of \"state\"";
  EXPECT_NE(mistakes_in("trial,value,sate\n7,,failed\n").find("did you mean \"state\""), std::string::npos);
  EXPECT_EQ(mistakes_in(R"({"trial": 7, "value": 1, "date": "today"})", Format::json), "");
  EXPECT_NE(mistakes_in(R"({"trial": 7, "sate": "failed"})", Format::json).find("\"state\""), std::string::npos);
  EXPECT_EQ(mistakes_in("trial,value,vlaue\n7,1,1\n"), "") << "the column is there; the other one is somebody's own";
  EXPECT_EQ(mistakes_in("trial,value,Value\n7,1,1\n"), "in: the column \"Value\" is there twice");
  EXPECT_EQ(mistakes_in("{\"trial\": 7, \"valeu\": 1}", Format::json),
            "in:1: unknown key \"valeu\"; did you mean \"value\"? A key of your own needs another name");
}

TEST(Sheet, ARowWithoutAnOutcomeWaitsForOne) {
  const ToldFile file = read_lab("trial,value,state\n1,,\n2,,pending\n3,4,pending\n4,5,\n");
  EXPECT_EQ(file.rows.size(), 2U);
  EXPECT_EQ(file.num_open, 2);
  EXPECT_EQ(read_lab("temperature,stages,metal,value\n400,3,Pd,\n").num_open, 1);
}

TEST(Sheet, NumbersOfTrialsAreReadAsProgramsWriteThemBesideEmptyCells) {
  EXPECT_EQ(read_lab("trial,value\n7.0,1\n").rows.at(0).id, 7);
  EXPECT_EQ(read_lab("trial;value\n7,0;1,5\n").rows.at(0).id, 7);
  for (const std::string wrong : {"7.5", "7.00", "7.", ".0", "Sum", "-7"})
    EXPECT_NE(mistakes_in("trial,value\n" + wrong + ",1\n").find("trial: expected a whole number"), std::string::npos) << wrong;
}

TEST(Sheet, EmptyRowsMayStandAboveTheHeaderAndNothingElse) {
  const ToldFile file = read_lab(";;;\n;;;\ntrial;value;;\n7;1,5;;\n");
  ASSERT_EQ(file.rows.size(), 1U);
  EXPECT_EQ(file.rows[0].line, 4U);
  EXPECT_NE(mistakes_in("Monday's batch,,\ntrial,value,\n7,1,\n").find("nothing may stand above it"), std::string::npos);
}

TEST(Sheet, WhatStandsForNothingIsNoValueAndTheMistakeSaysWhatIs) {
  for (const std::string filler : {"n/a", "NA", "#N/A", "-", "TBD"})
    EXPECT_NE(mistakes_in("trial,value\n7," + filler + "\n").find("leave the cell empty"), std::string::npos) << filler;
  EXPECT_EQ(mistakes_in("trial,value\n7,much\n"), "in:2: value: expected a finite number, got \"much\"");
}

TEST(Sheet, EmptyCellsAtTheEndOfARowNeedNotBeThere) {
  const ToldFile file = read_lab("trial,value,error,remark\n1,2\n2,3,,\n3,4,,fine,,\n");
  EXPECT_EQ(file.rows.size(), 3U);
  EXPECT_EQ(mistakes_in("trial,value\n1,2\n2\n"), "in:3: expected 2 cells, as in the header, got 1") << "a file that was cut off";
}

TEST(Sheet, AllMistakesAreSaidAtOnce) {
  EXPECT_EQ(mistakes_in("temperature,stages,metal,value\n1000,9,Pd,x\n400,3,Pd,1\n400,3,Au,2\n"),
            "in:2: value: expected a finite number, got \"x\"\n"
            "in:2: parameter \"temperature\": expected a number from 300 to 900, got 1000\n"
            "in:2: parameter \"stages\": expected a whole number from 1 to 8, got 9\n"
            "in:4: parameter \"metal\": expected one of \"Pd\", \"=Pt\", \"'=Pt\", \"1,5\", got \"Au\"");
  std::string many = "trial,value\n";
  for (int i = 0; i < 25; ++i) many += fmt::format("{},?\n", i + 1);
  const std::string error = mistakes_in(many);
  EXPECT_EQ(std::count(error.begin(), error.end(), '\n'), 20);
  EXPECT_TRUE(error.ends_with("in: and 5 more")) << error;
  EXPECT_EQ(
      mistakes_in("{\"trial\": 0, \"value\": 1}\n{\"trial\": 1\n{\"trial\": 3, \"value\": \"x\"}\n", Format::json).substr(0, 5),
      "in:1:");
}

TEST(Sheet, NumbersThatCouldMeanTwoThingsAreMistakes) {
  EXPECT_EQ(mistakes_in("trial;value\n1;12,5\n2;1.234\n"),
            "in:3: value: \"1.234\" has a decimal point, line 2 a decimal comma; write the numbers of a column alike");
  EXPECT_NE(mistakes_in("trial;value\n1;1.234,5\n").find("thousands"), std::string::npos);
  EXPECT_NE(mistakes_in("trial,value\n1,\"12,5\"\n").find("semicolons"), std::string::npos);
  EXPECT_NE(mistakes_in("trial,value\n1,12,5\n").find("decimal comma"), std::string::npos);
  EXPECT_NE(mistakes_in("trial;temperature;value\n1;400,5;1.234\n").find("numbers of a file alike"), std::string::npos);
  EXPECT_NE(mistakes_in("trial;value\n1.000;12,5\n").find("trial: expected a whole number"), std::string::npos);
}

TEST(Sheet, ATrialsValueRoundedToTheDigitsWrittenIsTheSame) {
  const auto same = [](const char* written, const Value& value, int parameter = 0) {
    return says_same(lab(), parameter, written, value);
  };
  EXPECT_TRUE(same("451.84", 451.8354));
  EXPECT_TRUE(same("452", 451.8354));
  EXPECT_TRUE(same("4.518E+02", 451.8354));
  EXPECT_TRUE(same("900.00", 899.9999));
  EXPECT_TRUE(same("451.83538818359375", 451.8354)) << "single precision";
  EXPECT_FALSE(same("451.83", 451.8354));
  EXPECT_FALSE(same("451", 451.8354));
  EXPECT_FALSE(same("4.51E+02", 451.8354));
  EXPECT_TRUE(same("3.0", std::int64_t{3}, 1));
  EXPECT_FALSE(same("4", std::int64_t{3}, 1));
  EXPECT_FALSE(same("Pd", std::string("=Pt"), 2));
  const Space choices({{"dose", Ordinal{{1.5, 2.0}}}, {"on", Categorical{{true, false}}}});
  EXPECT_FALSE(says_same(choices, 0, "2", 1.5)) << "another choice is no rounding";
  EXPECT_TRUE(says_same(choices, 1, "TRUE", true));
  EXPECT_TRUE(says_same(candidate_space(9), 0, "7", std::string("007")));
  EXPECT_FALSE(says_same(candidate_space(9), 0, "8", std::string("007")));
}

TEST(Sheet, WhatWasToldIsKnownAgain) {
  const auto row = [](const std::string& value) { return read_lab("trial,value\n1," + value + "\n").rows.at(0); };
  EXPECT_TRUE(says_same(row("12.4"), Values{{12.4}}));
  EXPECT_FALSE(says_same(row("12"), Values{{12.4}})) << "a correction";
  EXPECT_TRUE(says_same(row("0.158880453"), Values{{0.15888045329169473}})) << "a spreadsheet's rounding";
  EXPECT_FALSE(says_same(row("12.4"), Failure{"no"}));
  const ToldRow failed = read_lab("trial,state,value\n1,failed,\n").rows.at(0);
  EXPECT_TRUE(says_same(failed, Failure{"the pump stopped"}));
  EXPECT_FALSE(says_same(failed, Values{{1}}));
}

TEST(Sheet, CellsThatASpreadsheetWouldRunAreNot) {
  Trial trial{.id = 3, .params = {400.0, std::int64_t{2}, std::string("=Pt")}, .outcome = Failure{"-5 volts, @pump"}};
  EXPECT_NE(to_csv(trial, lab()).find(",'=Pt,"), std::string::npos);
  EXPECT_NE(to_csv(trial, lab()).find("\"'-5 volts, @pump\""), std::string::npos);
  for (const char* metal : {"=Pt", "'=Pt", "1,5", "Pd"}) {
    trial.params[2] = std::string(metal);
    const ToldRow row = read_lab(csv_header(lab()) + "\n" + to_csv(trial, lab())).rows.at(0);
    EXPECT_EQ(row.written[2], metal);
    EXPECT_EQ(row.outcome, *trial.outcome);
  }
  trial.outcome = Values{{-5}};
  EXPECT_NE(to_csv(trial, lab()).find(",-5,done"), std::string::npos) << "numbers are numbers";
}

TEST(Sheet, TimesAreIso8601) {
  const Trial trial{.id = 1,
                    .params = {400.0, std::int64_t{2}, std::string("Pd")},
                    .outcome = Values{{1}},
                    .asked_at = 1794741726.25,
                    .told_at = 1794741727};
  EXPECT_NE(to_csv(trial, lab()).find(",2026-11-15T11:22:06.250000Z,2026-11-15T11:22:07.000000Z,"), std::string::npos)
      << to_csv(trial, lab());
  EXPECT_NE(to_json(trial, lab()).find("\"asked_at\":\"2026-11-15T11:22:06.250000Z\""), std::string::npos);
  EXPECT_EQ(read_lab("trial,value,asked_at\n1,2,1794741726.25\n").rows.size(), 1U) << "as older exports have it";
}

}  // namespace
}  // namespace salvo
