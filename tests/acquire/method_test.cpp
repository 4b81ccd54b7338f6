#include <gtest/gtest.h>
#include <salvo/method.h>

#include <set>
#include <stdexcept>
#include <string>

namespace salvo {
namespace {

TEST(Method, EveryNameLeadsBackToItsMethod) {
  std::set<std::string_view> names;
  for (const MethodInfo& known : methods()) {
    const std::string_view name = to_string(known.method);
    EXPECT_EQ(parse<Method>(name), known.method);
    EXPECT_TRUE(names.insert(name).second) << name << " twice";
    EXPECT_FALSE(known.summary.empty());
  }
  EXPECT_EQ(names.size(), Names<Method>::list.size());
}

TEST(Method, AnUnknownNameListsTheKnownOnes) {
  try {
    (void)parse<Method>("tompson");
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("\"thompson\""), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("\"tompson\""), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace salvo
