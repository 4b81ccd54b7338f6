// Choices that are described by numbers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <salvo/random.h>
#include <salvo/study.h>

#include <cmath>

#include "support/folder.h"
#include "support/message.h"
#include "support/studies.h"

namespace salvo {
namespace {

using test::message;
using ::testing::HasSubstr;

Categorical solvents(int count) {
  Categorical out;
  for (int i = 0; i < count; ++i) {
    const Key key = Key(3).fold(static_cast<std::uint64_t>(i));
    out.choices.emplace_back("s" + std::to_string(i));
    out.numbers.push_back({key.uniform(0), 300 * key.uniform(1), -key.uniform(2)});
  }
  return out;
}

double worth(const Categorical& all, const Params& at) {
  const auto i = static_cast<std::size_t>(std::stoi(std::get<std::string>(at[1]).substr(1)));
  const std::vector<double>& n = all.numbers[i];
  const double a = n[0] - 0.3, b = n[1] / 300 - 0.6, c = n[2] + 0.5, x = std::get<double>(at[0]) - n[0];
  return -(a * a + b * b + c * c + x * x);
}

StudyOptions options_over(const Categorical& all) {
  StudyOptions options = test::small_options(Space({{"x", Float{0, 1}}, {"solvent", all}}), 5);
  options.batch = 10;
  return options;
}

// Of five thousand, none looked at twice, the numbers lead to one of the best: of 150 drawn at random the best would be among the
// best thirty about every second time.
TEST(DescribedStudy, FindsOneOfTheBestOfThousands) {
  const Categorical all = solvents(5000);
  Study study = Study::create(options_over(all), ":memory:");
  for (int round = 0; round < 15; ++round)
    for (const Trial& trial : study.ask(10)) study.tell(trial.id, worth(all, trial.params));
  std::vector<double> heights;
  for (std::size_t i = 0; i < all.choices.size(); ++i) heights.push_back(worth(all, {all.numbers[i][0], all.choices[i]}));
  std::sort(heights.rbegin(), heights.rend());
  EXPECT_GT(worth(all, study.recommend()->trial.params), heights[5] - 1e-3);
}

TEST(DescribedStudy, GoesOnExactlyAfterAStop) {
  const test::Folder folder;
  const Categorical all = solvents(40);
  const auto run = [&](const std::string& path, bool stop) {
    std::vector<Params> out;
    Study study = Study::create(options_over(all), path);
    for (int round = 0; round < 3; ++round) {
      if (stop) study = Study::open(path);
      const std::vector<Trial> trials = study.ask(10);
      for (const Trial& trial : trials) {
        out.push_back(trial.params);
        study.tell(trial.id, worth(all, trial.params));
      }
    }
    return out;
  };
  EXPECT_EQ(run(folder.path("a.db"), false), run(folder.path("b.db"), true));
}

TEST(DescribedStudy, SaysWhatIsWrongWithTheNumbers) {
  const auto refusal = [](const Categorical& category) {
    return message<std::invalid_argument>([&] { (void)Space({{"s", category}}); });
  };
  EXPECT_THAT(refusal({{std::string("a"), std::string("b")}, {{1}}}), HasSubstr("expected numbers for each of 2 choices, got 1"));
  EXPECT_THAT(refusal({{std::string("a"), std::string("b")}, {{1}, {1, 2}}}),
              HasSubstr("the choice \"b\" has 2 numbers, expected 1"));
  EXPECT_THAT(refusal({{std::string("a"), std::string("b")}, {{}, {}}}),
              HasSubstr("the choice \"a\" has 0 numbers, expected 1 to 64"));
  EXPECT_THAT(refusal({{std::string("a"), std::string("b")}, {{1, 2}, {1, 2}}}),
              HasSubstr("the choices \"a\" and \"b\" have the same numbers; they would be one"));
  EXPECT_THAT(refusal({{std::string("a"), std::string("b")}, {{1}, {std::nan("")}}}),
              HasSubstr("the choice \"b\": expected finite"));
  EXPECT_THAT(refusal({{std::string("a"), std::string("b"), std::string("c")}, {{1}, {2}, {1e300}}}),
              HasSubstr("the numbers of \"a\" and \"b\" are too close to tell beside those of the other choices"));
}

}  // namespace
}  // namespace salvo
