#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <salvo/error.h>
#include <salvo/pool.h>
#include <salvo/random.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace salvo {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class PoolFile : public ::testing::Test {
 protected:
  PoolFile() : folder_(fs::temp_directory_path() / fmt::format("salvo-pool-{}", getpid())) { fs::create_directories(folder_); }
  ~PoolFile() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  static std::string read(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::stringstream out;
    out << in.rdbuf();
    return out.str();
  }
  static void write(const std::string& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }
  static std::string refusal(const std::string& path) {
    try {
      (void)Pool::open(path);
    } catch (const StoreError& error) {
      return error.what();
    }
    return "opened";
  }

  fs::path folder_;
};

Pool some_bits(int size) {
  std::vector<std::uint64_t> words;
  std::vector<std::string> ids;
  for (int i = 0; i < 2 * size; ++i) words.push_back(Key(7).bits(static_cast<std::uint64_t>(i)) & (i % 2 ? 0xffff : ~0ULL));
  for (int i = 0; i < size; ++i) ids.push_back(fmt::format("molecule {}", i));
  return Pool::from_bits(std::move(words), 80, std::move(ids));
}

TEST_F(PoolFile, ReadsBackTheSame) {
  const Pool pool = some_bits(100);
  pool.save(path("a.pool"));
  const Pool again = Pool::open(path("a.pool"));
  ASSERT_EQ(again.size(), pool.size());
  EXPECT_EQ(again.kind(), pool.kind());
  EXPECT_EQ(again.num_features(), pool.num_features());
  EXPECT_EQ(again.checksum(), pool.checksum());
  EXPECT_EQ(again.num_bytes(), pool.num_bytes());
  EXPECT_EQ(again.path(), path("a.pool"));
  for (std::int64_t row = 0; row < pool.size(); ++row) {
    EXPECT_EQ(again.id(row), pool.id(row));
    EXPECT_EQ(again.find(pool.id(row)), row);
    EXPECT_TRUE(std::equal(again.bits(row), again.bits(row) + 2, pool.bits(row)));
  }
}

TEST_F(PoolFile, ReadsBackNumbers) {
  const Pool pool = Pool::from_numbers({1, -2.5F, 3e30F, 0}, {"a", "a column, with a comma"}, {});
  pool.save(path("n.pool"));
  const Pool again = Pool::open(path("n.pool"));
  EXPECT_EQ(again.columns(), pool.columns());
  EXPECT_EQ(again.numbers(1)[0], 3e30F);
  EXPECT_EQ(again.checksum(), pool.checksum());
}

// Wherever a bit flips and wherever a file ends, it is refused.
TEST_F(PoolFile, IsRefusedWhenAnyByteChangedOrIsMissing) {
  some_bits(6).save(path("a.pool"));
  const std::string whole = read(path("a.pool"));
  constexpr std::size_t kDirectory = 9 * 48;  // every byte of it, and every fifth of the rest
  for (std::size_t i = 0; i < whole.size(); i += i < kDirectory ? 1 : 5) {
    std::string changed = whole;
    changed[i] = static_cast<char>(changed[i] ^ (1 << (i % 8)));
    write(path("b.pool"), changed);
    // Bytes between sections are zeros that nobody reads.
    if (refusal(path("b.pool")) == "opened") {
      ASSERT_EQ(whole[i], 0);
      ASSERT_EQ(Pool::open(path("b.pool")).checksum(), Pool::open(path("a.pool")).checksum());
    }
    write(path("b.pool"), whole.substr(0, i));
    ASSERT_NE(refusal(path("b.pool")), "opened") << "cut off after " << i;
  }
  write(path("b.pool"), whole + "x");
  EXPECT_THAT(refusal(path("b.pool")), HasSubstr("damaged"));
}

TEST_F(PoolFile, SaysWhatItIsNot) {
  write(path("empty"), "");
  write(path("csv"), "smiles,value\nCCO,1\n");
  fs::create_directories(path("folder"));
  EXPECT_THAT(refusal(path("missing")), HasSubstr("No such file"));
  EXPECT_THAT(refusal(path("empty")), HasSubstr("is empty"));
  EXPECT_THAT(refusal(path("csv")), HasSubstr("is not a pool"));
  EXPECT_THAT(refusal(path("folder")), HasSubstr("not a regular file"));
  some_bits(3).save(path("a.pool"));
  std::string newer = read(path("a.pool"));
  newer[8] = 9;
  write(path("newer"), newer);
  EXPECT_THAT(refusal(path("newer")), HasSubstr("newer Salvo: its layout has version 9"));
}

TEST_F(PoolFile, IsReplacedWholeAndStaysMappedForWhoHasIt) {
  some_bits(10).save(path("a.pool"));
  const Pool old = Pool::open(path("a.pool"));
  some_bits(20).save(path("a.pool"));
  EXPECT_EQ(Pool::open(path("a.pool")).size(), 20);
  EXPECT_EQ(old.id(9), "molecule 9");
  EXPECT_THROW(some_bits(3).save(path("no/such/folder.pool")), Error);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);  // nothing is left behind
}

}  // namespace
}  // namespace salvo
