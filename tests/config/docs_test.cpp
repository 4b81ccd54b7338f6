#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "config/fields_docs.h"

namespace salvo {
namespace {

constexpr const char* kDocument = "docs/study-file.md";

std::string read(const char* path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// SALVO_WRITE_DOCS=1 build/test_config --gtest_filter='Docs.*' brings the document up to date.
TEST(Docs, TablesOfOptionsSayWhatTheFieldsSay) {
  const std::string there = read(kDocument);
  ASSERT_FALSE(there.empty());
  const std::string wanted = with_tables(there);
  if (std::getenv("SALVO_WRITE_DOCS")) std::ofstream(kDocument, std::ios::binary) << wanted;
  EXPECT_EQ(there, wanted);
}

TEST(Docs, EveryKeyHasARow) {
  const std::string table = model_table();
  for (const char* key : {"kernel", "near_share", "alpha", "exact_until"})
    EXPECT_NE(table.find("| `" + std::string(key) + "` |"), std::string::npos) << key;
  EXPECT_THROW((void)with_tables("<!-- fields: nothing -->\n<!-- end -->"), std::invalid_argument);
  EXPECT_THROW((void)with_tables("<!-- fields: model -->\n"), std::invalid_argument);
}

}  // namespace
}  // namespace salvo
