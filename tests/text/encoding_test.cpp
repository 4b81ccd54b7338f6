#include "text/encoding.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <salvo/error.h>

#include "text/formula.h"

namespace salvo {
namespace {

TEST(Encoding, MarksAndLineBreaksOfOldMacsGo) {
  EXPECT_EQ(to_utf8("\xEF\xBB\xBF"
                    "a\r\nb",
                    "x"),
            "a\r\nb");
  EXPECT_EQ(to_utf8("a\rb\r", "x"), "a\nb\n");
  EXPECT_EQ(to_utf8(std::string("\xFF\xFE\xAC\x20\n\0", 6), "x"), "\u20ac\n");
  EXPECT_EQ(to_utf8(std::string("\xFE\xFF\x20\xAC\0\n", 6), "x"), "\u20ac\n");
  EXPECT_EQ(to_utf8("", "x"), "");
}

TEST(Encoding, Utf16IsKnownWithoutItsMark) {
  for (const std::string wanted : {"trial,value\n1,2.5\n", "x;\u20ac\n"}) {
    std::string little, big;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const bool euro = std::string_view(wanted).substr(i).starts_with("\u20ac");
      little += euro ? std::string("\xAC\x20") : std::string{wanted[i], '\0'};
      big += euro ? std::string("\x20\xAC") : std::string{'\0', wanted[i]};
      i += euro ? 2 : 0;
    }
    EXPECT_EQ(to_utf8(little, "x"), wanted);
    EXPECT_EQ(to_utf8(big, "x"), wanted);
  }
  EXPECT_EQ(to_utf8(std::string("a\0b", 3), "x"), std::string("a\0b", 3));  // a stray zero is no encoding
}

TEST(Encoding, HalfALetterHasItsLine) {
  for (const std::string& text :
       {std::string("\xFF\xFE\n\0\0\xDC", 6), std::string("\xFF\xFE\n\0\0\xD8", 6), std::string("\xFF\xFE\n\0a", 5)}) {
    try {
      (void)to_utf8(text, "in.csv");
      ADD_FAILURE();
    } catch (const InputError& error) {
      EXPECT_EQ(std::string(error.what()).substr(0, 9), "in.csv:2:");
    }
  }
}

TEST(Formula, OnlyTextThatRunsIsGuarded) {
  for (const char* text : {"=1+1", "+cmd", "-cmd", "@sum", "\tx", "\rx"}) EXPECT_EQ(guarded(text), "'" + std::string(text));
  for (const char* text : {"Pd", "-1.5", "+3e-4", "", "a=b", "'quoted'"}) EXPECT_EQ(guarded(text), text);
}

RC_GTEST_PROP(Formula, WhatWasGuardedComesBack, ()) {
  const auto text = *rc::gen::container<std::string>(rc::gen::element('\'', '=', '-', '1', 'a', '\t', ' '));
  RC_ASSERT(without_guard(guarded(text)) == text);
}

}  // namespace
}  // namespace salvo
