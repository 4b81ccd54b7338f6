#include "text/csv.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <salvo/error.h>

namespace salvo {
namespace {

std::string csv_error(const std::string& text) {
  try {
    (void)parse_csv(text, "in.csv");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Csv, ReadsQuotesLineBreaksAndMarks) {
  const Csv csv = parse_csv(
      "\xEF\xBB\xBF"
      "a,b\r\n1,\"x, \"\"y\"\"\nz\"\r\n\r\n,\n",
      "in.csv");
  EXPECT_EQ(csv.header, (std::vector<std::string>{"a", "b"}));
  ASSERT_EQ(csv.rows.size(), 2U);
  EXPECT_EQ(csv.rows[0].cells[1], "x, \"y\"\nz");
  EXPECT_EQ(csv.rows[0].line, 2U);
  EXPECT_EQ(csv.rows[1].line, 5U);
  EXPECT_EQ(csv.rows[1].cells, (std::vector<std::string>{"", ""}));
  EXPECT_EQ(parse_csv("a", "x").rows.size(), 0U);
  EXPECT_EQ(parse_csv("a\n\"\"", "x").rows.size(), 1U);
}

TEST(Csv, MistakesHaveTheirLine) {
  EXPECT_EQ(csv_error(""), "in.csv: expected CSV with a header line, got nothing");
  EXPECT_EQ(csv_error("\n\n"), "in.csv: expected CSV with a header line, got nothing");
  EXPECT_EQ(csv_error("a,a\n"), "in.csv:1: the column \"a\" is there twice");
  EXPECT_EQ(csv_error("a,\n"), "in.csv:1: column 2 has no name");
  EXPECT_EQ(csv_error("a,b\n1,2\n1,2,3\n"), "in.csv:3: expected 2 cells, as in the header, got 3");
  EXPECT_EQ(csv_error("a,b\n1,2\n\n1"), "in.csv:4: expected 2 cells, as in the header, got 1");
  EXPECT_EQ(csv_error("a\n\"x\ny"), "in.csv:2: a cell begins with a double quote that is never closed");
  EXPECT_NE(csv_error("a\nx\"y"), "");
  EXPECT_NE(csv_error("a\n\"x\"y"), "");
  EXPECT_NE(csv_error(std::string("a\n\0", 3)), "");
  EXPECT_NE(csv_error("a\n\xff"), "");
  EXPECT_NE(csv_error("a\nb\rc\n"), "");
}

TEST(Csv, ASheetIsSeparatedAsItsHeaderSays) {
  EXPECT_EQ(parse_sheet("a;b\n1,5;2", "x").table.rows.at(0).cells, (std::vector<std::string>{"1,5", "2"}));
  EXPECT_EQ(parse_sheet("a\tb;c\td\n1\t2\t3", "x").separator, '\t');
  EXPECT_EQ(parse_sheet("\"a;b;c\",d\n1,2", "x").separator, ',') << "quoted ones separate nothing";
  const Sheet said = parse_sheet("sep=;\na;\"b,c,d\"\n1;2", "x");
  EXPECT_EQ(said.table.header, (std::vector<std::string>{"a", "b,c,d"}));
  EXPECT_EQ(said.table.rows.at(0).line, 3U);
  EXPECT_EQ(parse_sheet("a;;b;b\n1\n1;2;3;4;5", "x").table.rows.size(), 2U) << "whatever the names and lengths are";
}

RC_GTEST_PROP(Csv, CellsSurviveTheRoundTrip, ()) {
  const auto cells = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::string>>(
      rc::gen::container<std::string>(rc::gen::element('a', ',', '"', '\n', '\r', ' ', '\t', '7'))));
  std::string header, row;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    header += fmt::format("{}c{}", i == 0 ? "" : ",", i);
    row += fmt::format("{}{}", i == 0 ? "" : ",", csv_cell(cells[i]));
  }
  const Csv csv = parse_csv(header + "\n" + (row.empty() ? "\"\"" : row) + "\n", "x");
  RC_ASSERT(csv.rows.size() == 1U);
  RC_ASSERT(csv.rows[0].cells == cells);
}

}  // namespace
}  // namespace salvo
