#include "text/tags.h"

#include <gtest/gtest.h>

namespace salvo {
namespace {

TEST(Tags, AreShortWords) {
  for (const char* name : {"pilot", "oven-2", "Säure", "a.b/c:d=1", "日本"}) EXPECT_EQ(tag_problem(name), "") << name;
  EXPECT_EQ(tag_problem(std::string(64, 'a')), "");
  EXPECT_NE(tag_problem(std::string(65, 'a')).find("at most 64 bytes, got 65"), std::string::npos);
  for (const char* name : {"", "a b", "a\tb", "a,b", "a;b", "a\"b", "it's", "a\x01", "a\x7f", "caf\xe9", "a\u00a0b", "a\u2003b",
                           "a\u3000b", "a\xc2\x85"})
    EXPECT_NE(tag_problem(name).find("expected"), std::string::npos) << name;
}

TEST(Tags, OfACellAreItsWords) {
  EXPECT_EQ(split_tags(" pilot;oven-2 ; dry\n"), (std::vector<std::string>{"pilot", "oven-2", "dry"}));
  EXPECT_TRUE(split_tags(" ;; ").empty());
  EXPECT_EQ(split_tags(joined_tags({"a", "b"})), (std::vector<std::string>{"a", "b"}));
}

}  // namespace
}  // namespace salvo
