// An option is written once. These options are nobody's but this test's: a struct, its each_field, and all else follows.
#include <gtest/gtest.h>
#include <salvo/error.h>
#include <salvo/fields.h>

#include "config/fields_table.h"
#include "config/fields_tree.h"
#include "support/message.h"
#include "text/check_fields.h"
#include "text/json.h"
#include "text/toml.h"

namespace salvo {
namespace {

enum class Colour { red, pale_blue };

struct KilnOptions {
  std::string label = "kiln";
  Colour colour = Colour::red;
  std::optional<Colour> glaze{};
  int shelves = 3;
  std::int64_t bricks = 0;
  int num_shelves = 0;  // 0: automatic
  double heat = 900;
  double share = 0.5;
  double hours = 3600;
  std::optional<double> limit{};
  std::optional<double> draught = 0.25;
};

}  // namespace

template <>
struct Names<Colour> {
  static constexpr std::string_view what = "colour";
  static constexpr NameList<Colour, 2> list{{{Colour::red, "red"}, {Colour::pale_blue, "pale-blue"}}};
};

namespace {

template <OptionsOf<KilnOptions> Options, class Visit>
void each_field(Options& o, Visit&& visit) {
  visit("label", o.label, Text{}, Says{"what it is called"});
  visit("colour", o.colour, Word{}, Says{"of the door"});
  visit("glaze", o.glaze, WordOrAuto{}, Says{"of the pots"});
  visit("shelves", o.shelves, Whole{1, 9}, Says{"shelves"});
  visit("bricks", o.bricks, Whole{0}, Says{"of its wall"});
  visit("num_shelves", o.num_shelves, Size{}, Says{"shelves in use"});
  visit("heat", o.heat, Real{0, true}, Says{"degrees"});
  visit("share", o.share, Share{}, Says{"of the time"});
  visit("hours", o.hours, Duration{}, Says{"of a firing"});
  visit("limit", o.limit, NumberOr{"", Real{0}}, Says{"of gas", false, "", "–"});
  visit("draught", o.draught, NumberOr{"none"}, Says{"of air"});
}

KilnOptions from_tree(const Tree& tree, const std::string& file) {
  KilnOptions options;
  FileErrors errors(file);
  Section section(&tree, "kiln", errors);
  each_field(options, ReadFields(section));
  section.finish();
  errors.raise();
  return options;
}

KilnOptions from_toml(const std::string& text) { return from_tree(parse_toml(text, "kiln.toml"), "kiln.toml"); }
std::string kiln_error(const std::string& text) {
  return test::message<InputError>([&] { (void)from_toml(text); });
}

std::string to_json(const KilnOptions& options) {
  Tree tree;
  each_field(options, WriteFields(tree));
  return salvo::to_json(tree);
}

std::string refusal_of(const KilnOptions& options) {
  return test::message<std::invalid_argument>([&] { each_field(options, CheckFields("kiln.")); });
}

const std::string kEverything = R"(label = "Ofen"
colour = "pale-blue"
glaze = "red"
shelves = 4
bricks = 5_000_000_000
num_shelves = 2
heat = 1e3
share = 1
hours = "1h30m"
limit = 2.5
draught = "none"
)";

TEST(Fields, AreReadFromAStudyFile) {
  const KilnOptions options = from_toml(kEverything);
  EXPECT_EQ(options.label, "Ofen");
  EXPECT_EQ(options.colour, Colour::pale_blue);
  EXPECT_EQ(options.glaze, Colour::red);
  EXPECT_EQ(options.shelves, 4);
  EXPECT_EQ(options.bricks, 5'000'000'000);
  EXPECT_EQ(options.num_shelves, 2);
  EXPECT_EQ(options.heat, 1000);
  EXPECT_EQ(options.share, 1);
  EXPECT_EQ(options.hours, 5400);
  EXPECT_EQ(options.limit, 2.5);
  EXPECT_EQ(options.draught, std::nullopt);
}

TEST(Fields, ThatAreLeftOutKeepTheirDefaultAndWordsStandForNone) {
  EXPECT_EQ(to_json(from_toml("")), to_json(KilnOptions{}));
  const KilnOptions options = from_toml("glaze = \"auto\"\nnum_shelves = \"auto\"\ndraught = 0.5");
  EXPECT_EQ(options.glaze, std::nullopt);
  EXPECT_EQ(options.num_shelves, 0);
  EXPECT_EQ(options.draught, 0.5);
}

TEST(Fields, AreWrittenAndReadBackAsJson) {
  EXPECT_EQ(to_json(KilnOptions{}),
            R"({"label":"kiln","colour":"red","glaze":"auto","shelves":3,"bricks":0,"num_shelves":"auto","heat":900.0,)"
            R"("share":0.5,"hours":3600.0,"draught":0.25})");
  for (const KilnOptions& options : {KilnOptions{}, from_toml(kEverything), KilnOptions{.heat = 0.1 + 0.2, .limit = 1e-300}}) {
    const std::string written = to_json(options);
    EXPECT_EQ(to_json(from_tree(parse_json(written), "document")), written);
  }
}

TEST(Fields, MistakesHaveTheirPlaceTheirRuleAndWhatCame) {
  EXPECT_EQ(kiln_error("\nshelves = 10"), "kiln.toml:2:11: kiln.shelves: expected a whole number from 1 to 9, got 10");
  EXPECT_EQ(kiln_error("bricks = 1.5"), "kiln.toml:1:10: kiln.bricks: expected a whole number, 0 or more, got 1.5");
  EXPECT_EQ(kiln_error("num_shelves = \"many\""),
            "kiln.toml:1:15: kiln.num_shelves: expected a whole number, 1 or more, or \"auto\", got \"many\"");
  EXPECT_EQ(kiln_error("heat = 0"), "kiln.toml:1:8: kiln.heat: expected a finite number > 0, got 0");
  EXPECT_EQ(kiln_error("share = 2"), "kiln.toml:1:9: kiln.share: expected a number from 0 to 1, got 2");
  EXPECT_EQ(kiln_error("limit = \"none\""), "kiln.toml:1:9: kiln.limit: expected a finite number ≥ 0, got \"none\"");
  EXPECT_EQ(kiln_error("draught = true"), "kiln.toml:1:11: kiln.draught: expected a finite number or \"none\", got true");
  EXPECT_EQ(kiln_error("colour = \"rd\""),
            "kiln.toml:1:10: kiln.colour: expected \"red\" or \"pale-blue\", got \"rd\"; did you mean \"red\"?");
  EXPECT_EQ(kiln_error("glaze = \"pale\""),
            "kiln.toml:1:9: kiln.glaze: expected \"auto\", \"red\" or \"pale-blue\", got \"pale\"; did you mean \"pale-blue\"?");
  EXPECT_EQ(kiln_error("hours = \"soon\""),
            "kiln.toml:1:9: kiln.hours: expected seconds or a duration like \"90s\", \"10m\" or \"1h30m\", got \"soon\"");
  EXPECT_EQ(kiln_error("label = 3"), "kiln.toml:1:9: kiln.label: expected a text in quotes, got 3");
  EXPECT_EQ(kiln_error("shelfs = 3"), "kiln.toml:1:1: kiln.shelfs: unknown key; did you mean \"shelves\"?");
}

TEST(Fields, HaveTheirRowsInTheDocuments) {
  EXPECT_EQ(fields_table<KilnOptions>(),
            "| key | type | default | what it is |\n|---|---|---|---|\n"
            "| `label` | text | `\"kiln\"` | what it is called |\n"
            "| `colour` | `\"red\"`, `\"pale-blue\"` | `\"red\"` | of the door |\n"
            "| `glaze` | `\"auto\"`, `\"red\"`, `\"pale-blue\"` | `\"auto\"` | of the pots |\n"
            "| `shelves` | whole number from 1 to 9 | `3` | shelves |\n"
            "| `bricks` | whole number ≥ 0 | `0` | of its wall |\n"
            "| `num_shelves` | whole number ≥ 1 or `\"auto\"` | `\"auto\"` | shelves in use |\n"
            "| `heat` | number > 0 | `900` | degrees |\n"
            "| `share` | 0 ≤ number ≤ 1 | `0.5` | of the time |\n"
            "| `hours` | duration | `3600` | of a firing |\n"
            "| `limit` | number ≥ 0 | – | of gas |\n"
            "| `draught` | number or `\"none\"` | `0.25` | of air |\n");
}

TEST(Fields, AreCheckedInOptionsThatNoFileHasSeen) {
  EXPECT_EQ(refusal_of({}), "(nothing was thrown)");
  EXPECT_EQ(refusal_of({.shelves = 10}), "kiln.shelves: expected a whole number from 1 to 9, got 10");
  EXPECT_EQ(refusal_of({.bricks = -1}), "kiln.bricks: expected a whole number, 0 or more, got -1");
  EXPECT_EQ(refusal_of({.num_shelves = -1}),
            "kiln.num_shelves: expected a whole number from 1 to 1000000, or \"auto\" (0), got -1");
  EXPECT_EQ(refusal_of({.heat = 0}), "kiln.heat: expected a finite number > 0, got 0");
  EXPECT_EQ(refusal_of({.share = 1.5}), "kiln.share: expected a number from 0 to 1, got 1.5");
  EXPECT_EQ(refusal_of({.limit = -1}), "kiln.limit: expected a finite number ≥ 0, got -1");
  EXPECT_EQ(refusal_of({.hours = -1}).substr(0, 39), "kiln.hours: expected seconds or a durat");
}

}  // namespace
}  // namespace salvo
