#include "text/numbers.h"

#include <gtest/gtest.h>

#include <cmath>

namespace salvo {
namespace {

TEST(Numbers, AsPeopleWriteThem) {
  EXPECT_EQ(to_double("+1"), 1.0);
  EXPECT_EQ(to_double(" -1.5e3\t"), -1500.0);
  EXPECT_FALSE(to_double("+-1"));
  EXPECT_EQ(to_double("\u00A0\u22121.5\u202F "), -1.5) << "as a word processor sets it";
  for (const char* no : {"\u2212", "\u2212-1", "\u2212+1", "\u2212inf", "\u2212\u22121", "1\u00A0000", "\u00A0"})
    EXPECT_FALSE(to_double(no)) << no;
  EXPECT_FALSE(to_double("1x"));
  EXPECT_FALSE(to_double(""));
}

TEST(Numbers, WhatIsTooSmallIsZeroAndWhatIsTooLargeIsNone) {
  for (const char* text : {"1e-400", "+1e-400", "0.0001e-400", "123456e-410", "1E-99999999999999999999", ".1e-330"})
    EXPECT_EQ(to_double(text), 0.0) << text;
  EXPECT_TRUE(std::signbit(to_double("-1e-400").value()));
  for (const char* text : {"1e400", "-1e400", "0.001e400", "1e99999999999999999999", "1000e306", "inf", "nan"})
    EXPECT_FALSE(to_double(text)) << text;
  EXPECT_EQ(to_double("5e-324"), 5e-324);
}

TEST(Numbers, DurationsMayHaveBlanksAndSeveralUnits) {
  for (const auto& [text, seconds] : {std::pair("30s", 30.0), std::pair("90 min", 5400.0), std::pair("2h", 7200.0),
                                      std::pair(" 1h 30m ", 5400.0), std::pair("250ms", 0.25), std::pair("1.5 d", 129600.0)})
    EXPECT_EQ(to_seconds(text), seconds) << text;
  for (const char* text : {"", " ", "h", "2", "2 hours", "2x", "1h30", "-5s", "1..5s"}) EXPECT_FALSE(to_seconds(text)) << text;
}

TEST(Numbers, ARoundingIsHalfAUnitOfTheLastDigitAway) {
  for (const char* text : {"45.18", "45.2", "45", "4.518e1", "45.1835", " 45.18 "})
    EXPECT_TRUE(is_rounding(text, 45.1835)) << text;
  for (const char* text : {"45.19", "45.1", "46", "4.51e1", "45.1836", "", "x"}) EXPECT_FALSE(is_rounding(text, 45.1835)) << text;
  EXPECT_TRUE(is_rounding("0.00", 1.6e-4));
  EXPECT_FALSE(is_rounding("1,6E-04", 1.6e-4));
  EXPECT_EQ(num_digits("0.0450"), 3);
  EXPECT_EQ(num_digits("-1.25E+10"), 3);
  EXPECT_EQ(num_digits("0"), 0);
}

}  // namespace
}  // namespace salvo
