#include "paper/library.h"

#include <fmt/core.h>
#include <salvo/error.h>
#include <salvo/random.h>
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <unordered_set>

#include "math/parallel.h"
#include "paper/fingerprints.h"
#include "support/lookalike.h"
#include "support/made_library.h"

namespace salvo::experiments {
namespace {

constexpr int kBits = 512;

struct Source {
  const char *name, *file, *text, *value;  // columns; no value: the objective is planted
  bool minimise;
  const char* letters;  // of a sequence; empty: SMILES
  const char* remark;
};
constexpr Source kSources[] = {
    {"cep", "cep_pce_30k.csv.gz", "smiles", "PCE", false, "", "equal molecules are candidates of their own"},
    {"enamine", "enamine10k_docking_scores.csv.gz", "smiles", "score", true, "",
     "scores have one decimal: all that tie with the last of the top count as top"},
    {"gb1", "gb1_149k.csv.gz", "Variants", "Fitness", false, "ACDEFGHIKLMNPQRSTVWY", "four sites of twenty letters as 80 bits"},
    {"tfbind8", "tfbind8_65k.csv.gz", "sequence", "score", false, "ACGT",
     "eight sites of four letters as 32 bits; repeats left out"},
    {"zinc", "zinc250k_smiles.csv.gz", "smiles", "", false, "", ""},
};

// Rows of a CSV file without quotes, packed or not: two of its columns, or one and zeros.
std::vector<std::pair<std::string, double>> read_columns(const std::string& path, const std::string& text,
                                                         const std::string& value) {
  const gzFile file = gzopen(path.c_str(), "rb");
  if (!file) throw Error(fmt::format("{}: cannot be opened", path));
  std::string content;
  char buffer[1 << 16];
  for (int n; (n = gzread(file, buffer, sizeof buffer)) > 0;) content.append(buffer, static_cast<std::size_t>(n));
  gzclose(file);
  std::vector<std::pair<std::string, double>> out;
  std::size_t text_at = std::string::npos, value_at = text_at, line_number = 0;
  for (std::size_t begin = 0; begin < content.size();) {
    const std::size_t end = std::min(content.find('\n', begin), content.size());
    std::vector<std::string> cells(1);
    for (std::size_t i = begin; i < end; ++i) {
      if (content[i] == ',')
        cells.emplace_back();
      else if (content[i] != '\r')
        cells.back() += content[i];
    }
    begin = end + 1;
    if (++line_number == 1) {
      text_at = static_cast<std::size_t>(std::find(cells.begin(), cells.end(), text) - cells.begin());
      value_at = value.empty() ? text_at : static_cast<std::size_t>(std::find(cells.begin(), cells.end(), value) - cells.begin());
      if (text_at == cells.size() || value_at == cells.size())
        throw Error(fmt::format("{}: expected a column {}{}", path, text, value.empty() ? "" : " and a column " + value));
    } else if (cells.size() > std::max(text_at, value_at)) {
      try {
        out.emplace_back(cells[text_at], value.empty() ? 0.0 : std::stod(cells[value_at]));
      } catch (const std::exception&) {
        throw Error(fmt::format("{}, line {}: expected a number in {}, got \"{}\"", path, line_number, value, cells[value_at]));
      }
    }
  }
  return out;
}

// Each place of a sequence takes a bit for each letter.
Pool one_hot(const std::vector<std::pair<std::string, double>>& rows, const std::string& letters, const std::string& path) {
  const std::size_t length = rows.front().first.size(), bits = length * letters.size(), words = (bits + 63) / 64;
  std::vector<std::uint64_t> out(rows.size() * words);
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < length; ++j) {
      const std::size_t letter = j < rows[i].first.size() ? letters.find(rows[i].first[j]) : std::string::npos;
      if (letter == std::string::npos)
        throw Error(fmt::format("{}: \"{}\" is not a sequence of {}", path, rows[i].first, letters));
      const std::size_t bit = j * letters.size() + letter;
      out[i * words + bit / 64] |= std::uint64_t{1} << (bit % 64);
    }
  return Pool::from_bits(std::move(out), static_cast<int>(bits), {});
}

// A fixed random two-layer function of hidden groups of bits, and noise with a standard deviation of a third of its spread.
// The ranking that counts is that of the function without the noise.
std::vector<double> planted(const Pool& pool, Key key) {
  constexpr int kHidden = 40, kGroup = 10;
  std::vector<double> weights(kHidden);
  key.fold("weights").fill_normal(weights);
  std::vector<int> inputs;
  for (std::uint64_t i = 0; i < kHidden * kGroup; ++i)
    inputs.push_back(static_cast<int>(key.fold("inputs").at(i).below(static_cast<std::uint64_t>(pool.num_features()))));
  std::vector<double> out(static_cast<std::size_t>(pool.size()));
  parallel_blocks(pool.size(), 4096, [&](std::int64_t a, std::int64_t b) {
    for (std::int64_t row = a; row < b; ++row) {
      double f = 0;
      for (int h = 0; h < kHidden; ++h) {
        int active = 0;
        for (int j = 0; j < kGroup; ++j) {
          const int bit = inputs[static_cast<std::size_t>(h * kGroup + j)];
          active += static_cast<int>((pool.bits(row)[bit / 64] >> (bit % 64)) & 1U) * (j % 3 == 0 ? -1 : 1);
        }
        f += weights[static_cast<std::size_t>(h)] * std::max(active, 0);
      }
      out[static_cast<std::size_t>(row)] = f;
    }
  });
  return out;
}

Library with_planted(const std::string& name, Pool pool, const std::string& remark) {
  std::vector<double> values = planted(pool, Key(72));
  return {name, std::move(pool), std::move(values), remark + "the ranking without the noise counts", 0.001};
}

// Every so many of the sample's rows: their bits are counted, and more rows change the counts' third digit.
Library like_zinc(const std::vector<std::pair<std::string, double>>& rows, std::int64_t size) {
  constexpr std::size_t kSample = 50'000;
  std::vector<std::pair<std::string, double>> some;
  const std::size_t step = std::max<std::size_t>(1, rows.size() / kSample);
  for (std::size_t i = 0; i < rows.size(); i += step) some.push_back(rows[i]);
  const Pool sample = fingerprints(some, 3, kBits);
  Pool pool = lookalike(sample, size, Key(73));
  const Likeness like = likeness(sample, pool);
  return with_planted("zinc", std::move(pool),
                      fmt::format("bits' densities and correlations as of {} molecules up to {:.4f} and {:.4f} (root mean "
                                  "squares; correlations themselves {:.3f}); ",
                                  some.size(), like.density, like.correlation, like.spread));
}

}  // namespace

Library load_library(const std::string& name, const std::string& folder, std::int64_t size) {
  if (name == "made")
    return with_planted(
        name, made_library(size, kBits, static_cast<int>(std::clamp<std::int64_t>(size / 100, 50, 20'000)), Key(71)), "");
  for (const Source& source : kSources) {
    if (name != source.name) continue;
    const std::string path = (std::filesystem::path(folder) / source.file).string();
    if (folder.empty() || !std::filesystem::exists(path))
      throw Error(
          fmt::format("{}: needs {}, looked for it at \"{}\"; give its folder by --data or SALVO_DATA", name, source.file, path));
    auto rows = read_columns(path, source.text, source.value);
    if (*source.letters != '\0') {
      std::unordered_set<std::string> seen;
      std::erase_if(rows, [&](const auto& row) { return !seen.insert(row.first).second; });
    }
    if (rows.empty()) throw Error(fmt::format("{}: no rows", path));
    if (*source.value == '\0') return like_zinc(rows, size);
    Pool pool = *source.letters != '\0' ? one_hot(rows, source.letters, path) : fingerprints(rows, 3, kBits);
    std::vector<double> values;
    for (const auto& row : rows) values.push_back(source.minimise ? -row.second : row.second);
    return {name, std::move(pool), std::move(values), source.remark};
  }
  throw Error(fmt::format("library: expected cep, enamine, gb1, tfbind8, zinc or made; got \"{}\"", name));
}

}  // namespace salvo::experiments
