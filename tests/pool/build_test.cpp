#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <salvo/error.h>
#include <salvo/pool.h>
#include <salvo/pool_build.h>
#include <salvo/threads.h>
#include <sys/resource.h>
#include <unistd.h>
#include <zlib.h>

#include <bit>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "pool/fingerprint.h"
#include "pool/library_file.h"
#include "text/csv_stream.h"

namespace salvo {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class PoolBuild : public ::testing::Test {
 protected:
  PoolBuild() : folder_(fs::temp_directory_path() / fmt::format("salvo-build-{}", getpid())) { fs::create_directories(folder_); }
  ~PoolBuild() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }
  Pool build(const PoolBuildOptions& options, PoolBuildSummary* summary = nullptr) const {
    const PoolBuildSummary built = build_pool(options, path("out.pool"));
    if (summary) *summary = built;
    return Pool::open(path("out.pool"));
  }
  std::string mistake(const PoolBuildOptions& options) const {
    try {
      build_pool(options, path("out.pool"));
    } catch (const std::invalid_argument& error) {
      EXPECT_FALSE(fs::exists(path("out.pool")));
      return error.what();
    }
    return "built";
  }

  fs::path folder_;
};

long most_kilobytes() {
  rusage spent{};
  getrusage(RUSAGE_SELF, &spent);
  return spent.ru_maxrss;
}

// An array as numpy.save writes it.
std::string npy(const std::string& type, const std::string& shape, const std::string& data, bool fortran = false) {
  std::string header =
      fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': {}, }}", type, fortran ? "True" : "False", shape);
  while ((10 + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';
  const auto size = static_cast<std::uint16_t>(header.size());
  return std::string("\x93NUMPY\x01\x00", 8) + std::string(reinterpret_cast<const char*>(&size), 2) + header + data;
}

template <class T>
std::string raw(std::initializer_list<T> values) {
  std::string out(values.size() * sizeof(T), 0);
  std::memcpy(out.data(), values.begin(), out.size());
  return out;
}

std::vector<std::vector<std::string>> rows_of(const std::string& path) {
  LibraryFile file(path, path);
  CsvStream stream(file.reader(), path);
  std::vector<std::vector<std::string>> rows;
  while (stream.next()) rows.push_back(stream.cells());
  return rows;
}

std::vector<float> numbers(const Pool& pool) { return {pool.numbers(0), pool.numbers(0) + pool.size() * pool.num_features()}; }

TEST_F(PoolBuild, WithoutAFileIsTheSamePoolInMemory) {
  const PoolBuildOptions options{.library = write("a.csv", "id,x,y,note\na,1,2,first\nb,3,4,second\nc,1,2,third\n"),
                                 .keep = {"note"}};
  const Pool pool = read_pool(options);
  EXPECT_EQ(pool.path(), "");
  EXPECT_EQ(pool.checksum(), build(options).checksum());
  EXPECT_THAT(pool.all_ids(0), ElementsAre("a", "c"));
  EXPECT_EQ(pool.text(1, pool.find_text("note")), "second");
  EXPECT_EQ(pool.numbers(1)[1], 4.0F);
  EXPECT_THROW((void)read_pool({.library = path("missing.csv")}), std::exception);
}

TEST_F(PoolBuild, TakesTheColumnsOfNumbersAndKeepsTheOthersAsText) {
  const std::string csv = write("a.csv", "name,x,y,price\nfirst,1,2.5,7\nsecond,-3e2,0,8\n\"third, one\",+4,1e-3,9\n");
  const Pool pool = build({.library = csv, .id = "name", .keep = {"price"}});
  EXPECT_THAT(pool.columns(), ElementsAre("x", "y"));
  EXPECT_EQ(numbers(pool), (std::vector<float>{1, 2.5, -300, 0, 4, 0.001F}));
  EXPECT_EQ(pool.id(2), "third, one");
  EXPECT_THAT(pool.texts(), ElementsAre("price"));
  EXPECT_EQ(pool.text(1, pool.find_text("price")), "8");
  EXPECT_EQ(pool.find_text("x"), -1);
  const Pool chosen = build({.library = csv, .features = {"price", "x"}});
  EXPECT_EQ(numbers(chosen), (std::vector<float>{7, 1, 8, -300, 9, 4}));
  EXPECT_EQ(chosen.id(2), "3");
}

TEST_F(PoolBuild, RowsWithEqualFeaturesAreOneCandidateWithAllItsIds) {
  PoolBuildSummary built;
  const Pool pool = build({.library = write("a.csv", "id,x\na,1\nb,2\nc,1\nd,-0\ne,1\nb,2\nf,0\n")}, &built);
  EXPECT_EQ(built.num_rows, 7);
  EXPECT_EQ(built.num_candidates, 3);
  EXPECT_EQ(built.num_duplicates, 4);
  EXPECT_EQ(numbers(pool), (std::vector<float>{1, 2, 0}));
  EXPECT_THAT(pool.all_ids(0), ElementsAre("a", "c", "e"));
  EXPECT_THAT(pool.all_ids(1), ElementsAre("b"));
  EXPECT_THAT(pool.all_ids(2), ElementsAre("d", "f"));
  EXPECT_EQ(pool.num_ids(), 6);
  EXPECT_EQ(pool.find("e"), 0);
  EXPECT_EQ(pool.find("f"), 2);
}

TEST_F(PoolBuild, ManyRowsAreTheSameOnAnyNumberOfThreadsAndPackedByGzip) {
  std::string text = "x,y\n";
  for (int i = 0; i < 20'000; ++i) text += fmt::format("{},{}\n", i % 9000, (i * i) % 7);
  const std::string csv = write("a.csv", text);
  const Pool pool = build({.library = csv});
  EXPECT_LT(pool.size(), 20'000);
  EXPECT_EQ(pool.num_ids(), 20'000);
  set_num_threads(1);
  EXPECT_EQ(build({.library = csv}).checksum(), pool.checksum());
  set_num_threads(0);
  gzFile file = gzopen(path("a.csv.gz").c_str(), "wb");
  gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
  gzclose(file);
  EXPECT_EQ(build({.library = path("a.csv.gz")}).checksum(), pool.checksum());
  fs::resize_file(path("a.csv.gz"), fs::file_size(path("a.csv.gz")) / 2);
  fs::remove(path("out.pool"));
  EXPECT_THAT(mistake({.library = path("a.csv.gz")}), HasSubstr("cut off"));
}

TEST_F(PoolBuild, ReadsHexadecimalWithTheLowBitFirst) {
  const Pool pool = build({.library = write("a.csv", "id,fp\nu,0180FF\nv,000001\n"), .hex = "fp"});
  EXPECT_EQ(pool.num_features(), 24);
  EXPECT_EQ(pool.bits(0)[0], 0xFF8001U);
  EXPECT_EQ(pool.bits(1)[0], 0x010000U);
  EXPECT_EQ(build({.library = path("a.csv"), .hex = "fp", .bits = 24}).checksum(), pool.checksum());
  fs::remove(path("out.pool"));
  EXPECT_THAT(mistake({.library = path("a.csv"), .hex = "fp", .bits = 20}),
              HasSubstr(":2: fp: a bit is set past the last of 20"));
  EXPECT_THAT(mistake({.library = write("b.csv", "fp\n00\n0\n"), .hex = "fp"}),
              HasSubstr(":3: fp: expected 2 hexadecimal digits"));
  EXPECT_THAT(mistake({.library = write("b.csv", "fp\n0g\n"), .hex = "fp"}), HasSubstr("\"0g\""));
}

TEST_F(PoolBuild, ReadsArraysOfNumPyOfAnyTypeAndOrder) {
  const std::vector<float> expected{1, 2, 3, 4, 5, 6};
  const auto from = [&](const std::string& bytes) { return numbers(build({.library = write("a.npy", bytes)})); };
  EXPECT_EQ(from(npy("<f8", "(3, 2)", raw<double>({1, 2, 3, 4, 5, 6}))), expected);
  EXPECT_EQ(from(npy("<f4", "(3, 2)", raw<float>({1, 2, 3, 4, 5, 6}))), expected);
  EXPECT_EQ(from(npy("<i8", "(3, 2)", raw<std::int64_t>({1, 2, 3, 4, 5, 6}))), expected);
  EXPECT_EQ(from(npy("|u1", "(3, 2)", raw<std::uint8_t>({1, 2, 3, 4, 5, 6}))), expected);
  EXPECT_EQ(from(npy("<f4", "(3, 2)", raw<float>({1, 3, 5, 2, 4, 6}), true)), expected);
  EXPECT_EQ(from(npy(">i2", "(3, 2)", raw<std::uint8_t>({0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6}))), expected);
}

TEST_F(PoolBuild, ReadsBitsOfNumPy) {
  const Pool flags = build({.library = write("a.npy", npy("|b1", "(2, 3)", raw<std::uint8_t>({1, 0, 1, 0, 1, 1})))});
  EXPECT_EQ(flags.num_features(), 3);
  EXPECT_EQ(flags.bits(0)[0], 0b101U);
  EXPECT_EQ(flags.bits(1)[0], 0b110U);
  // numpy.packbits of the same rows.
  const std::string packed = npy("|u1", "(2, 1)", raw<std::uint8_t>({0b10100000, 0b01100000}));
  const Pool same = build({.library = write("b.npy", packed), .packed = true, .bits = 3});
  EXPECT_EQ(same.bits(0)[0], flags.bits(0)[0]);
  EXPECT_EQ(same.bits(1)[0], flags.bits(1)[0]);
  EXPECT_EQ(build({.library = path("b.npy"), .packed = true}).num_features(), 8);
}

TEST_F(PoolBuild, MistakesNameTheFileAndTheRow) {
  const auto csv = [&](const std::string& text) { return mistake({.library = write("a.csv", text)}); };
  EXPECT_THAT(csv(""), HasSubstr("got nothing"));
  EXPECT_THAT(csv("x\n"), HasSubstr("the library is empty"));
  EXPECT_THAT(csv("x,y\n1,2\n3\n"), HasSubstr("a.csv:3: expected 2 cells"));
  EXPECT_THAT(csv("x,y\n1,2\n3,nan\n"), HasSubstr("a.csv:3: y: expected a finite number, got \"nan\""));
  EXPECT_THAT(csv("x,y\n1,2\n3,\n"), HasSubstr("a.csv:3: y: expected a finite number, got \"\""));
  EXPECT_THAT(csv("x\n1\n1e300\n"), HasSubstr("a.csv:3: x: expected a finite number"));
  EXPECT_THAT(csv("id,x\na,1\n,2\n"), HasSubstr("a.csv:3: expected an id"));
  EXPECT_THAT(csv("id,x\na,1\nb,3\na,2\n"), HasSubstr("a.csv:4: the id \"a\" is also in line 2"));
  EXPECT_THAT(csv("a,b\nx,y\n"), HasSubstr("no column begins with a number"));
  EXPECT_THAT(csv("Smiles,y\nCC,1\n"), HasSubstr("say smiles = Smiles for fingerprints"));
  EXPECT_THAT(mistake({.library = path("a.csv"), .smiles = "smile"}), HasSubstr("smiles: there is no column \"smile\""));
  EXPECT_THAT(mistake({.library = path("a.csv"), .smiles = "smile"}), HasSubstr("did you mean \"Smiles\""));
  PoolBuildOptions called{.library = path("a.csv"), .hex = "h"};
  called.name = "my library";
  called.spelling = [](std::string_view option, std::string_view) { return fmt::format("<{}>", option); };
  EXPECT_THAT(mistake(called), HasSubstr("my library: <hex>: there is no column"));
  EXPECT_THAT(mistake({.library = path("missing.csv")}), HasSubstr("No such file"));
  EXPECT_THAT(mistake({.library = folder_.string()}), HasSubstr("Is a directory"));
  EXPECT_THAT(mistake({.library = path("a.csv"), .smiles = "a", .hex = "b"}), HasSubstr("several"));
  const auto array = [&](const std::string& bytes) { return mistake({.library = write("a.npy", bytes)}); };
  EXPECT_THAT(array("text"), HasSubstr("cut off"));
  EXPECT_THAT(array("text that is long enough"), HasSubstr("not an array of NumPy"));
  EXPECT_THAT(array(npy("<c16", "(1, 1)", std::string(16, 0))), HasSubstr("got the type"));
  // An item of any other width than its kind has would be read past its end, or past the row's.
  for (const char* type : {"|b19", "|b2", "|b0", "|b1x", "<f2", "<f16", "<i3", "<u16", "|S0", "<U1048576"})
    EXPECT_THAT(array(npy(type, "(2, 9)", std::string(2 * 9 * 19, 1))), HasSubstr("got the type")) << type;
  EXPECT_THAT(array(npy("<f8", "(2, 2, 2)", std::string(64, 0))), HasSubstr("two dimensions"));
  EXPECT_THAT(array(npy("<f8", "(0, 2)", "")), HasSubstr("empty"));
  // What a header of a hundred bytes claims is not allocated: 2²⁷ columns, 4096 rows of 2²⁰ numbers.
  const long before = most_kilobytes();
  EXPECT_THAT(array(npy("<f8", "(3, 134217728)", "")), HasSubstr("expected 1 to 1048576 features"));
  EXPECT_THAT(array(npy("<f8", "(4096, 1048576)", "")), HasSubstr("cut off"));
#ifndef __SANITIZE_THREAD__  // which keeps several words for each
  EXPECT_LT(most_kilobytes() - before, 300'000);
#endif
  EXPECT_THAT(array(npy("<f8", "(2, 1)", raw<double>({1}))), HasSubstr("cut off"));
  EXPECT_THAT(array(npy("<f8", "(1, 1)", raw<double>({1, 2}))), HasSubstr("more bytes"));
  EXPECT_THAT(array(npy("<f8", "(2, 1)", raw<double>({1, NAN}))), HasSubstr("row 2, column 1"));
  EXPECT_THAT(mistake({.library = write("a.npz", "not a zip")}), HasSubstr("not an NPZ file"));
}

// ---- Molecules -------------------------------------------------------------------------------------------------------

TEST_F(PoolBuild, FingerprintsEqualThoseOfRdkitInPython) {
  if (!has_rdkit()) GTEST_SKIP() << "built without RDKit";
  const auto list = rows_of(SALVO_TEST_SOURCES "/pool/data/morgan.csv");
  ASSERT_GT(list.size(), 100u);
  for (const auto& row : list) {
    const int num_bits = std::stoi(row[2]);
    std::vector<std::uint64_t> words(static_cast<std::size_t>((num_bits + 63) / 64));
    EXPECT_EQ(Morgan(std::stoi(row[1]), num_bits).fingerprint(row[0], words), "");
    std::string hex;
    for (int byte = 0; byte < (num_bits + 7) / 8; ++byte) {
      hex += fmt::format("{:02x}", words[static_cast<std::size_t>(byte) / 8] >> (byte % 8 * 8) & 0xFF);
    }
    EXPECT_EQ(hex, row[3]) << row[0] << " radius " << row[1];
  }
}

TEST_F(PoolBuild, BadSmilesAreListedAndLeftOut) {
  if (!has_rdkit()) GTEST_SKIP() << "built without RDKit";
  PoolBuildSummary built;
  const std::string csv = write("a.csv", "smiles,y\nCCO,1\nnonsense,2\nC1CC,3\nOCC,4\nc1ccccc1,5\n\"\",6\n");
  EXPECT_THAT(mistake({.library = csv, .smiles = "smiles"}), HasSubstr("a.csv:7: expected an id"));
  const std::string smi = write("a.smi", "CCO one\nnonsense two\nC1CC three\nOCC four\n\nC(C)(C)(C)(C)C\tfive\nc1ccccc1 six\n");
  const Pool pool = build({.library = smi, .bits = 128, .bad_rows = path("bad.csv")}, &built);
  EXPECT_EQ(built.num_rows, 6);
  EXPECT_EQ(built.num_bad, 3);
  EXPECT_THAT(pool.all_ids(0), ElementsAre("one", "four"));
  EXPECT_EQ(pool.id(1), "six");
  EXPECT_EQ(pool.text(1, pool.find_text("smiles")), "c1ccccc1");
  const auto bad = rows_of(path("bad.csv"));
  ASSERT_EQ(bad.size(), 3u);
  EXPECT_EQ(bad[0][0], "2");
  EXPECT_EQ(bad[2][1], "five");
  EXPECT_THAT(bad[2][2], HasSubstr("valence"));
  fs::remove(path("out.pool"));
  EXPECT_THAT(mistake({.library = write("b.smi", "xx a\nyy b\n")}), HasSubstr("none of its 2 SMILES"));
}

}  // namespace
}  // namespace salvo
