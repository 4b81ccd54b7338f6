#include "run/value.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <limits>
#include <string>

#include "run/text.h"
#include "text/text.h"

namespace salvo::runner {
namespace {

std::optional<double> value_of(const Reading& reading) {
  return reading.outputs.size() == 1 ? std::optional(reading.outputs[0]) : std::nullopt;
}
std::optional<double> value(std::string_view text) { return value_of(read_value(text)); }
std::string error(std::string_view text) {
  const Reading reading = read_value(text);
  EXPECT_FALSE(reading.has_value()) << text;
  EXPECT_FALSE(reading.error.empty());
  EXPECT_EQ(first_bad_utf8_line(reading.error), 0U) << "an error must be valid UTF-8";
  return reading.error;
}

TEST(ReadValue, TakesANumberFromTheLastLineThatIsNotBlank) {
  EXPECT_EQ(value("1.5"), 1.5);
  EXPECT_EQ(value("epoch 1\nepoch 2\n-2e-3\n"), -2e-3);
  EXPECT_EQ(value("7\n\n  \n\t\n"), 7);
  EXPECT_EQ(value("1\r\n2\r\n"), 2);
  EXPECT_EQ(value("  +3 "), 3);
  EXPECT_EQ(value("0"), 0);
  EXPECT_EQ(value("-0.0"), 0);
  EXPECT_EQ(value(std::string("\0\xff garbage\n", 11) + "4"), 4);
}

TEST(ReadValue, KeepsTextsOfBoundedLength) {
  const Reading reading =
      read_value(R"({"value": 1, "by": "gcc", "none": "", "sd": "x", "bell": "a\u0007\u0000b", "list": ["x"]})");
  EXPECT_EQ(reading.said, (std::map<std::string, std::string>{{"by", "gcc"}, {"bell", "a\\x07\\x00b"}}));
  const auto said = [](const std::string& text) { return read_value("{\"value\": 1, \"a\": \"" + text + "\"}").said.at("a"); };
  EXPECT_EQ(said(std::string(2000, 'x')), std::string(1000, 'x'));
  std::string euros, bells;
  for (int i = 0; i < 400; ++i) {
    euros += "\u20ac";
    bells += "\\u0007";
  }
  EXPECT_EQ(said(euros), euros.substr(0, 999));  // whole letters
  EXPECT_EQ(said(bells).size(), 1000U);          // four bytes stand for each
  EXPECT_TRUE(read_value(R"({"value": 1, "error": null, "x": null})").said.empty());
}

TEST(ReadValue, KeepsWhateverElseIsANumber) {
  const Reading reading =
      read_value(R"({"value": 1, "bytes": 12, "ok": true, "name": "x", "list": [1], "none": null, "deep": {"a": 1}})");
  EXPECT_EQ(reading.others, (std::map<std::string, double>{{"bytes", 12}, {"ok", 1}}));
  const Reading odd = read_value(R"({"value": 2, "auc": NaN, "low": -Infinity, "say": "NaN \" Infinity", "n\u0000": 1, "": 2})");
  EXPECT_EQ(value_of(odd), 2);  // Python prints such
  EXPECT_TRUE(odd.others.empty());
  EXPECT_TRUE(read_value("3").others.empty());
  EXPECT_EQ(read_value(R"({"value": 2, "sd": 0.5})").others.at("sd"), 0.5);
  EXPECT_THAT(read_value(R"({"value": 2, "sd": -0.5})").error, ::testing::HasSubstr("\"sd\" is negative"));
  EXPECT_TRUE(read_value(R"({"value": "high", "bytes": 12})").others.empty());
  std::string many = R"({"value": 1)";
  for (int i = 0; i < 1000; ++i) many += ", \"k" + std::to_string(i) + "\": 1";
  EXPECT_EQ(read_value(many + "}").others.size(), 100U);
}

TEST(ReadValue, TakesAnObjectWithValueAndIgnoresTheRest) {
  EXPECT_EQ(value(R"({"value": 1.25})"), 1.25);
  EXPECT_EQ(value("log\n{\"loss\": [1, {\"a\": 2}], \"value\": 3, \"value2\": null}\n"), 3);
  EXPECT_EQ(value(R"({"value": 2, "error": null})"), 2);
}

TEST(ReadValue, AReportedErrorIsAFailureWithItsText) {
  EXPECT_NE(error(R"({"error": "reactor on fire"})").find("reactor on fire"), std::string::npos);
  EXPECT_NE(error(R"({"error": {"code": 4}, "value": 3})").find("4"), std::string::npos);
}

TEST(ReadValue, EverythingElseIsAFailureThatQuotesWhatCame) {
  for (const char* text : {"",
                           "\n \n",
                           "hello",
                           "1.5 2.5",
                           "1,5",
                           "0x10",
                           "[1]",
                           "True",
                           "1.5e",
                           "--1",
                           "+-1",
                           "+",
                           ".",
                           "-",
                           "{}",
                           "{\"value\": \"1\"}",
                           "{\"value\": null}",
                           "{\"value\": true}",
                           "{\"value\": NaN}",
                           "{\"value\": 1",
                           "{\"value\": 1e999}",
                           "\"1\"",
                           "1\n2\nthree"})
    EXPECT_FALSE(value(text)) << text;
  for (const char* text : {"nan", "-nan", "inf", "-inf", "Infinity", "1e400", "+inf"}) EXPECT_FALSE(value(text)) << text;
  EXPECT_NE(error("1\nhello").find("\"hello\""), std::string::npos);
  EXPECT_NE(error("nan").find("finite"), std::string::npos);
  EXPECT_NE(error(std::string("\x01\xff\xfe\0z", 5)).find("\\x01\\xff\\xfe\\x00z"), std::string::npos);
  EXPECT_LT(error(std::string(100000, 'x')).size(), 400u);
}

// Half a number is a number too, but not the one that was printed.
TEST(ReadValue, NeverReadsHalfALine) {
  EXPECT_FALSE(read_value("456", true).has_value());
  EXPECT_FALSE(read_value("456\n\n", true).has_value());
  EXPECT_EQ(value_of(read_value("456\n7\n", true)), 7);
  EXPECT_EQ(value_of(read_value("\n7\n", true)), 7);
}

const std::vector<Output> kSeveral = {
    {"yield", Objective{Direction::maximize}}, {"purity", Constraint{.min = 0.9}}, {"sound", passes()}};

Reading several(std::string_view text, bool cut = false) { return read_value(text, cut, kSeveral); }

auto numbers(double a, double b, double c) {
  using ::testing::NanSensitiveDoubleEq;
  return ::testing::ElementsAre(NanSensitiveDoubleEq(a), NanSensitiveDoubleEq(b), NanSensitiveDoubleEq(c));
}
const double kNone = std::numeric_limits<double>::quiet_NaN();

TEST(ReadValues, TakesAnObjectWithTheirNames) {
  const Reading all =
      several("log\n{\"purity\": 0.97, \"yield\": 1, \"sound\": true, \"seconds\": 3, \"by\": \"gcc\", \"value\": 4}\n");
  EXPECT_THAT(all.outputs, numbers(1, 0.97, 1));
  EXPECT_EQ(all.others, (std::map<std::string, double>{{"seconds", 3}, {"value", 4}}));
  EXPECT_EQ(all.said, (std::map<std::string, std::string>{{"by", "gcc"}}));
  EXPECT_THAT(several(R"({"yield": null, "purity": 0.5, "sound": "FAILED"})").outputs, numbers(kNone, 0.5, 0));
  EXPECT_THAT(several(R"({"sound": 1})").outputs, numbers(kNone, kNone, 1)) << "what is not there was not measured";
  EXPECT_THAT(several(R"({"yield": 2, "loss": NaN})").outputs, numbers(2, kNone, kNone)) << "as Python prints what is no output";
}

TEST(ReadValues, TakesALineForEachName) {
  EXPECT_THAT(several("yield 0.5\npurity: 0.97\nsound = passed\n").outputs, numbers(0.5, 0.97, 1));
  EXPECT_THAT(several("sound=0\n\npurity:1\n").outputs, numbers(kNone, 1, 0));
  const Reading epochs = several("epoch 1\nyield 0.1\npurity 0.2\nepoch 2\nyield 0.3\npurity 0.4\n");
  EXPECT_THAT(epochs.outputs, numbers(0.3, 0.4, kNone)) << "a name that comes again is older";
  EXPECT_EQ(epochs.others, (std::map<std::string, double>{{"epoch", 2}}));
  EXPECT_THAT(several("yield 0.1\nall done\npurity 0.2\n").outputs, numbers(kNone, 0.2, kNone)) << "up to another line";
  EXPECT_THAT(several("yield 0.1\npurity 0.2\n", true).outputs, numbers(kNone, 0.2, kNone)) << "half a line is none";
}

TEST(ReadValues, SaysWhichOutputIsWrong) {
  const auto error = [](std::string_view text) {
    EXPECT_FALSE(several(text).has_value()) << text;
    return several(text).error;
  };
  EXPECT_EQ(error(R"({"yield": 1, "purity": NaN})"),
            "purity: expected a finite number, got one that is not finite; measured: yield 1");
  EXPECT_EQ(error(R"({"yield": -Infinity, "purity": 1})"),
            "yield: expected a finite number, got one that is not finite; measured: purity 1");
  EXPECT_EQ(error("purity 1\nyield nan\n"), "yield: expected a finite number, got \"nan\"; measured: purity 1");
  EXPECT_EQ(error(R"({"yield": true})"), "yield: expected a finite number, got \"true\"");
  EXPECT_EQ(error(R"({"yield": 1, "sound": 0.5})"),
            "sound: expected passed or failed (1 or 0, true or false), got \"0.5\"; measured: yield 1");
  EXPECT_EQ(error(R"({"yield": 1, "sd": 0.5})"),
            "\"sd\": standard errors are for a study with one output, this one has 3; leave it out; measured: yield 1, sd 0.5");
  const std::string wanted =
      "expected a JSON object with \"yield\", \"purity\" or \"sound\" as the last line of its output, or a line NAME VALUE for "
      "each";
  EXPECT_EQ(error("0.5\n"), "no value: " + wanted + ", got \"0.5\"");
  EXPECT_EQ(error(R"({"yeild": 1})"), "no value: " + wanted + R"(, got "{"yeild": 1}")");
  EXPECT_EQ(error(R"({"yield": null})"), "no value: " + wanted + R"(, got "{"yield": null}")");
  EXPECT_EQ(error(""), "it printed nothing: " + wanted);
  EXPECT_EQ(error(R"({"yield": 1, "error": "the pump"})"), "the command reported an error: the pump; measured: yield 1");
}

// One output that is wrong takes the trial with it, but nothing that came has to be measured again.
TEST(ReadValues, AFailureKeepsWhatWasMeasuredInItsReason) {
  const auto measured = [](std::string_view text) {
    const Reading reading = several(text);
    EXPECT_FALSE(reading.has_value()) << text;
    const std::size_t at = reading.error.find("; measured: ");
    return at == std::string::npos ? std::string() : reading.error.substr(at + 12);
  };
  EXPECT_EQ(measured(R"({"yield": NaN, "purity": 0.25, "sound": true, "seconds": 31.5})"),
            "purity 0.25, sound passed, seconds 31.5");
  EXPECT_EQ(measured("seconds 31.5\nsound failed\npurity 0.25\nyield nan\n"), "purity 0.25, sound failed, seconds 31.5");
  EXPECT_EQ(measured(R"({"yield": NaN, "purity": null})"), "");
  const std::string both = several(R"({"yield": NaN, "purity": "high", "sound": 1})").error;
  EXPECT_EQ(both,
            "yield: expected a finite number, got one that is not finite; purity: expected a finite number, got \"\"high\"\"; "
            "measured: sound passed");
  std::string many = R"({"yield": NaN, "purity": 1)";
  for (int i = 0; i < 90; ++i) many += fmt::format(R"(, "{}{}": 1)", std::string(60, 'k'), i);
  EXPECT_LT(measured(many + "}").size(), 1200U);
}

TEST(ReadValues, OneWithANameMayComeAsANumberOrUnderItsName) {
  const std::vector<Output> one = {{"yield", Objective{Direction::maximize}}};
  for (const char* text : {"0.5", "{\"yield\": 0.5}", "{\"value\": 0.5}", "yield: 0.5", "yield 0.5"})
    EXPECT_EQ(value_of(read_value(text, false, one)), 0.5) << text;
  EXPECT_EQ(read_value(R"({"yield": 0.5, "sd": 0.1})", false, one).others.at("sd"), 0.1);
  EXPECT_EQ(read_value("hello", false, one).error,
            "no value: expected a finite number, or a JSON object with \"value\", as the last line of its output, got \"hello\"");
}

ProcessResult result(int exit_code, int signal, std::string_view out, std::string_view err) {
  ProcessResult result{.exit_code = exit_code, .signal = signal, .out = Tail(1000), .err = Tail(5000)};
  result.out.append(out);
  result.err.append(err);
  return result;
}

TEST(ReadResult, AValueCountsOnlyWithExitCodeZero) {
  EXPECT_EQ(value_of(read_result(result(0, 0, "3\n", "a warning"), 0)), 3);
  const Reading failed = read_result(result(3, 0, "3\n", "first\nno licence\n"), 0);
  EXPECT_FALSE(failed.has_value());
  EXPECT_EQ(failed.error, "exit code 3; stderr: first\nno licence");
}

TEST(ReadResult, NamesTheWayItEnded) {
  EXPECT_NE(read_result(result(-1, SIGSEGV, "", ""), 0).error.find("signal 11"), std::string::npos);
  EXPECT_NE(read_result(result(137, 0, "", ""), 0).error.find("signal 9"), std::string::npos);
  EXPECT_NE(read_result(result(127, 0, "", ""), 0).error.find("not found"), std::string::npos);
  ProcessResult late = result(0, 0, "3\n", "");
  late.timed_out = true;
  EXPECT_EQ(read_result(late, 2.5).error, "timed out after 2.5 s");
  EXPECT_FALSE(read_result(late, 2.5).has_value());
}

TEST(ReadResult, KeepsTheEndOfALongStandardError) {
  std::string err;
  for (int i = 0; i < 500; ++i) err += "line " + std::to_string(i) + "\n";
  const std::string text = read_result(result(1, 0, "", err), 0).error;
  EXPECT_LT(text.size(), 1100u);
  EXPECT_TRUE(text.ends_with("line 499"));
}

TEST(Text, IsPrintableWhateverCame) {
  EXPECT_EQ(printable("a\tb\nΣ€😀"), "a\tb\nΣ€😀");
  EXPECT_EQ(printable("\x1b[31m"), "\\x1b[31m");
  EXPECT_EQ(printable("\xc0\xaf\xed\xa0\x80\xf5"), "\\xc0\\xaf\\xed\\xa0\\x80\\xf5");  // too long, surrogate, out of range
  EXPECT_EQ(printable("\xe2\x82"), "\\xe2\\x82");                                      // cut off
  EXPECT_EQ(excerpt("a\nb"), "\"a\\nb\"");
  EXPECT_EQ(excerpt("ab€cd", 3), "\"ab\"…");
  EXPECT_EQ(excerpt("ab€cd", 5), "\"ab€\"…");
  EXPECT_EQ(trim(" \t\r\n"), "");
}

}  // namespace
}  // namespace salvo::runner
