// How fast a library of SMILES becomes a pool, beside RDKit's own single thread on the same molecules in the same run.
// The goal: at least 80% of RDKit's single-thread rate times the threads, reading, duplicates and writing included.
#include <fmt/format.h>
#include <salvo/pool_build.h>
#include <salvo/threads.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>

#include "experiments.h"
#include "pool/fingerprint.h"
#include "pool/library_file.h"
#include "text/csv_stream.h"

namespace salvo::experiments {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::vector<std::string> read_smiles(const std::string& path, const std::string& column, std::size_t most) {
  LibraryFile file(path, path);
  CsvStream rows(file.reader(), path);
  const auto found = std::find(rows.header().begin(), rows.header().end(), column);
  if (found == rows.header().end()) throw std::invalid_argument(fmt::format("{}: there is no column {}", path, column));
  const auto at = static_cast<std::size_t>(found - rows.header().begin());
  std::vector<std::string> smiles;
  while (smiles.size() < most && rows.next()) smiles.push_back(rows.cells()[at]);
  return smiles;
}

int run(const std::string& path, const std::string& column, std::size_t most) {
  const std::vector<std::string> smiles = read_smiles(path, column, most);
  const auto folder = std::filesystem::temp_directory_path() / fmt::format("salvo-fingerprints-{}", getpid());
  std::filesystem::create_directories(folder);
  const std::string csv = (folder / "library.csv").string();
  {
    std::ofstream out(csv);
    out << "id,smiles\n";
    for (std::size_t i = 0; i < smiles.size(); ++i) out << i << ",\"" << smiles[i] << "\"\n";
  }
  // Three rounds, one after the other each time, so that what else runs on the machine slows both alike.
  double alone = 0, all = 0;
  constexpr int kRounds = 3;
  for (int round = 0; round < kRounds; ++round) {
    auto start = std::chrono::steady_clock::now();
    const Morgan morgan(3, 512);
    std::size_t read = 0;
    for (const std::string& text : smiles) {
      std::uint64_t words[8] = {};
      read += morgan.fingerprint(text, words).empty();
    }
    if (read == 0) throw std::invalid_argument(fmt::format("{}: no SMILES in {}", path, column));
    alone += seconds_since(start);
    start = std::chrono::steady_clock::now();
    build_pool({.library = csv, .smiles = "smiles"}, (folder / "library.pool").string());
    all += seconds_since(start);
  }
  std::filesystem::remove_all(folder);
  const double rows = kRounds * static_cast<double>(smiles.size());
  const double ratio = alone / all / num_threads();
  fmt::print("{} molecules, radius 3, 512 bits\n", smiles.size());
  fmt::print("RDKit on one thread                {:9.0f} a second\n", rows / alone);
  fmt::print("salvo pool build on {} threads      {:9.0f} a second, {:.0f}% of RDKit times threads (goal: 80%)\n", num_threads(),
             rows / all, 100 * ratio);
  return ratio >= 0.8 ? 0 : 1;
}

}  // namespace

int run_fingerprints(Arguments& arguments) {
  std::string library, column;
  std::int64_t rows = 20000;
  arguments.required("library", library, "CSV file, packed or not");
  arguments.required("column", column, "its column of SMILES");
  arguments.option("rows", rows, "how many of its rows", kPositive);
  arguments.parse();
  return run(library, column, static_cast<std::size_t>(rows));
}

}  // namespace salvo::experiments
