#include "support/arguments.h"

#include <gtest/gtest.h>

namespace salvo::experiments {
namespace {

// What an experiment binds, of every kind.
struct Bound {
  bool quick = false;
  int seeds = 3;
  double alpha = 1.5;
  std::string library = "cep", kernel = "tanimoto";
  std::vector<std::string> problems{"shekel"}, overrides;

  void read(std::vector<std::string> words) {
    Arguments arguments("test", "a test", std::move(words));
    arguments.flag("--quick", quick, "small");
    arguments.option("--seeds", seeds, "runs", kPositive);
    arguments.option("--alpha", alpha, "spread", {0, 100});
    arguments.option("library", library, "which");
    arguments.option("--kernel", kernel, "which", {"arccosine", "tanimoto"});
    arguments.list("--problems", problems, "to run");
    arguments.repeated("--set", overrides, "key=value");
    arguments.parse();
  }

  // What is said when these words are wrong; empty when they are not.
  static std::string complaint(std::vector<std::string> words) {
    try {
      Bound().read(std::move(words));
    } catch (const Usage& usage) {
      EXPECT_EQ(usage.status, 2);
      return usage.text;
    }
    return "";
  }
};

TEST(Arguments, WithoutWordsVariablesKeepTheirDefaults) {
  Bound bound;
  bound.read({});
  EXPECT_FALSE(bound.quick);
  EXPECT_EQ(bound.seeds, 3);
  EXPECT_EQ(bound.alpha, 1.5);
  EXPECT_EQ(bound.library, "cep");
  EXPECT_EQ(bound.problems, std::vector<std::string>{"shekel"});
}

TEST(Arguments, WordsReachTheirVariables) {
  Bound bound;
  bound.read(
      {"zinc", "--quick", "--seeds", "7", "--alpha=0.5", "--problems", "levy3,branin", "--set", "a=[1,2]", "--set", "b=3"});
  EXPECT_TRUE(bound.quick);
  EXPECT_EQ(bound.seeds, 7);
  EXPECT_EQ(bound.alpha, 0.5);
  EXPECT_EQ(bound.library, "zinc");
  EXPECT_EQ(bound.problems, (std::vector<std::string>{"levy3", "branin"}));
  EXPECT_EQ(bound.overrides, (std::vector<std::string>{"a=[1,2]", "b=3"}));
}

TEST(Arguments, WrongWordsAreNamed) {
  EXPECT_NE(Bound::complaint({"--seeds", "0"}).find("--seeds"), std::string::npos);
  EXPECT_NE(Bound::complaint({"--alpha", "200"}).find("--alpha"), std::string::npos);
  EXPECT_NE(Bound::complaint({"--kernel", "linear"}).find("--kernel"), std::string::npos);
  EXPECT_NE(Bound::complaint({"--sedes", "1"}).find("--sedes"), std::string::npos);
}

TEST(Arguments, HelpIsNoFailure) {
  try {
    Bound().read({"--help"});
    FAIL() << "went on after --help";
  } catch (const Usage& usage) {
    EXPECT_EQ(usage.status, 0);
    EXPECT_NE(usage.text.find("--alpha"), std::string::npos);
  }
}

TEST(Arguments, TheCommandIsWhatWasTyped) {
  EXPECT_EQ(Arguments("costs", "", {"--repeats", "3"}).command(), "experiments costs --repeats 3");
}

}  // namespace
}  // namespace salvo::experiments
