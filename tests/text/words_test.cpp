#include "text/words.h"

#include <gtest/gtest.h>

#include <string>

namespace salvo {
namespace {

TEST(Words, EditsAreCountedBlindToCaseAndASwapIsOne) {
  EXPECT_EQ(num_edits("", "abc"), 3U);
  EXPECT_EQ(num_edits("kernel", "KERNEL"), 0U);
  EXPECT_EQ(num_edits("kernle", "kernel"), 1U);
  EXPECT_EQ(num_edits("tompson", "thompson"), 1U);
  EXPECT_EQ(num_edits("seed", "sends"), num_edits("sends", "seed"));
}

TEST(Words, TheNearestIsMeantOnlyWhenItIsNear) {
  const std::string_view known[] = {"minimize", "maximize", "seed"};
  EXPECT_EQ(nearest_word("mximize", known), "maximize");
  EXPECT_EQ(nearest_word("max", known), "maximize");
  EXPECT_EQ(nearest_word("Seed", known), "seed");
  EXPECT_EQ(nearest_word("temperature", known), "");
  EXPECT_EQ(nearest_word("", known), "");
  EXPECT_EQ(nearest_word(std::string(1000, 'm'), known), "");
  EXPECT_EQ(nearest_word("seed", {}), "");
}

TEST(Words, ASlipOfThePenIsCloserThanAWordOfItsOwn) {
  const std::string_view known[] = {"value", "error", "rate", "x", "temperature"};
  for (const auto& [word, meant] : {std::pair("vlaue", "value"),
                                    {"Valu", "value"},
                                    {"eror", "error"},
                                    {"rat", "rate"},
                                    {"temperture", "temperature"},
                                    {"temp", "temperature"},
                                    {"rate (1/s)", "rate"}})
    EXPECT_EQ(slip_of(word, known), meant) << word;
  for (const char* word : {"operator", "remark", "day", "y", "note", "ratio", "rate_2", ""})
    EXPECT_EQ(slip_of(word, known), "") << word;
}

}  // namespace
}  // namespace salvo
