#include <fmt/format.h>
#include <salvo/error.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "math/parallel.h"
#include "pool/fingerprint.h"
#include "pool/library.h"
#include "pool/library_file.h"
#include "pool/table.h"
#include "space/value.h"
#include "text/text.h"

namespace salvo {
namespace {

constexpr std::int64_t kRowsPerTask = 32;

// The rows of a CSV file, or of an SMI file (a SMILES, white space, an id) as if they were one's.
class Rows {
 public:
  Rows(LibraryFile& file, bool smi) : file_(file), smi_(smi) {
    if (smi) {
      header_ = {"smiles", "id"};
      buffer_.resize(1 << 16);
    } else {
      csv_.emplace(file.reader(), file.path());
      header_ = csv_->header();
    }
  }
  const std::vector<std::string>& header() const { return header_; }
  const std::vector<std::string>& cells() { return smi_ ? cells_ : csv_->cells(); }
  std::size_t line() const { return smi_ ? line_ : csv_->line(); }
  bool next() { return smi_ ? next_smi() : csv_->next(); }

 private:
  bool next_smi() {
    std::string text;
    while (text.find_first_not_of(" \t\r") == std::string::npos) {
      text.clear();
      if (!next_line(text)) return false;
    }
    if (text.find('\0') != std::string::npos || first_bad_utf8_line(text) != 0)
      throw InputError(fmt::format("{}:{}: expected text in UTF-8, got other bytes", file_.path(), line_));
    const auto begin = text.find_first_not_of(" \t"), end = std::min(text.find_first_of(" \t\r", begin), text.size());
    const auto id = text.find_first_not_of(" \t\r", end);
    cells_ = {text.substr(begin, end - begin),
              id == std::string::npos ? "" : text.substr(id, text.find_last_not_of(" \t\r") - id + 1)};
    if (cells_[1].empty()) cells_[1] = cells_[0];  // without an id the molecule is its own
    return true;
  }

  bool next_line(std::string& text) {
    constexpr std::size_t kMaxLine = 1 << 20;
    bool any = false;
    while (true) {
      if (at_ == filled_) {
        at_ = 0;
        filled_ = file_.read(buffer_.data(), buffer_.size());
        if (filled_ == 0) break;
      }
      any = true;
      const auto end = std::min(filled_, buffer_.find('\n', at_));
      text.append(buffer_, at_, end - at_);
      if (text.size() > kMaxLine) throw InputError(fmt::format("{}:{}: a line of more than 1 MiB", file_.path(), line_ + 1));
      at_ = end;
      if (end < filled_) {
        ++at_;
        break;
      }
    }
    line_ += any;
    return any;
  }

  LibraryFile& file_;
  bool smi_;
  std::optional<CsvStream> csv_;
  std::vector<std::string> header_, cells_;
  std::string buffer_;
  std::size_t at_ = 0, filled_ = 0, line_ = 0;
};

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

class CsvLibrary : public Library {
 public:
  explicit CsvLibrary(const PoolBuildOptions& options)
      : options_(options), file_(options.library, options.called()), rows_(file_, is_smi(options.library)) {
    if (!rows_.next()) throw InputError(fmt::format("{}: expected candidates, got none: the library is empty", file_.path()));
    have_row_ = true;
    choose_features();
    choose_id_and_kept();
  }

  const LibraryLayout& layout() const override { return layout_; }
  double share() const override { return file_.share(); }

  bool next(LibraryRows& rows) override {
    rows = {};
    cells_.clear();
    const std::size_t most = std::clamp<std::size_t>(400'000 / feature_columns_.size(), 16, 4096);
    while (rows.size() < most && (have_row_ || rows_.next())) {
      have_row_ = false;
      ++num_rows_;
      const std::vector<std::string>& cells = rows_.cells();
      rows.lines.push_back(rows_.line());
      rows.ids.push_back(id_column_ < 0 ? fmt::to_string(num_rows_) : cells[static_cast<std::size_t>(id_column_)]);
      if (rows.ids.back().empty()) fail(rows_.line(), "expected an id, got an empty cell");
      for (const int column : kept_columns_) rows.kept.push_back(cells[static_cast<std::size_t>(column)]);
      for (const int column : feature_columns_) cells_.push_back(cells[static_cast<std::size_t>(column)]);
    }
    if (rows.size() == 0) return false;
    read_features(rows);
    return true;
  }

 private:
  static bool is_smi(const std::string& path) {
    return path.ends_with(".smi") || path.ends_with(".smiles") || path.ends_with(".smi.gz") || path.ends_with(".smiles.gz");
  }

  [[noreturn]] void fail(std::size_t line, const std::string& problem) const {
    throw InputError(fmt::format("{}:{}: {}", file_.path(), line, problem));
  }

  int column(const std::string& name, std::string_view option) const {
    const auto& header = rows_.header();
    const auto found = std::find(header.begin(), header.end(), name);
    if (found != header.end()) return static_cast<int>(found - header.begin());
    const std::vector<std::string_view> known(header.begin(), header.end());
    throw InputError(
        fmt::format("{}: {}: there is no column \"{}\"{}", file_.path(), options_.spelt(option), shown(name), hint(name, known)));
  }

  void choose_features() {
    std::string smiles = options_.smiles;
    if (smiles.empty() && is_smi(options_.library)) smiles = "smiles";
    if (!smiles.empty()) {
      smiles_column_ = column(smiles, "smiles");
      layout_.num_features = options_.bits > 0 ? options_.bits : 512;
      morgan_.emplace(options_.radius, layout_.num_features);
      layout_.made_by = fmt::format("Morgan fingerprints of radius {} by RDKit {} from the column \"{}\"", options_.radius,
                                    Morgan::version(), smiles);
      feature_columns_ = {smiles_column_};
    } else if (!options_.hex.empty()) {
      feature_columns_ = {column(options_.hex, "hex")};
      const std::size_t digits = rows_.cells()[static_cast<std::size_t>(feature_columns_[0])].size();
      layout_.num_features =
          options_.bits > 0 ? options_.bits : static_cast<int>(std::min<std::size_t>(4 * digits, kMaxFeatures));
      if (layout_.num_features == 0)
        fail(rows_.line(), fmt::format("{}: expected hexadecimal digits, got nothing", options_.hex));
      layout_.made_by = fmt::format("fingerprints in hexadecimal from the column \"{}\"", options_.hex);
    } else {
      layout_.kind = PoolKind::numbers;
      choose_numbers();
      layout_.num_features = static_cast<int>(feature_columns_.size());
      layout_.made_by = "numbers";
    }
  }

  void choose_numbers() {
    const auto& header = rows_.header();
    for (const std::string& name : options_.features) {
      feature_columns_.push_back(column(name, "features"));
      layout_.columns.push_back(name);
    }
    if (!options_.features.empty()) return;
    for (std::size_t i = 0; i < header.size(); ++i) {
      std::string lower = header[i];
      std::transform(lower.begin(), lower.end(), lower.begin(),
                     [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
      if (lower == "smiles") {
        throw InputError(fmt::format("{}: there is a column \"{}\": say {} for fingerprints of it, or {} for columns of numbers",
                                     file_.path(), header[i], options_.spelt("smiles", header[i]),
                                     options_.spelt("features", "A,B,…")));
      }
      const bool other = header[i] == options_.id || (options_.id.empty() && header[i] == "id") ||
                         std::find(options_.keep.begin(), options_.keep.end(), header[i]) != options_.keep.end();
      if (other || !to_double(rows_.cells()[i])) continue;
      feature_columns_.push_back(static_cast<int>(i));
      layout_.columns.push_back(header[i]);
    }
    if (feature_columns_.empty()) {
      throw InputError(fmt::format("{}: no column begins with a number: say {}, {} or {}", file_.path(),
                                   options_.spelt("smiles", "COLUMN"), options_.spelt("hex", "COLUMN"),
                                   options_.spelt("features", "A,B,…")));
    }
  }

  void choose_id_and_kept() {
    const auto& header = rows_.header();
    const auto id = std::find(header.begin(), header.end(), "id");
    id_column_ = !options_.id.empty() ? column(options_.id, "id")
                 : id != header.end() ? static_cast<int>(id - header.begin())
                                      : smiles_column_;
    const auto keep = [&](int column) {
      if (std::find(kept_columns_.begin(), kept_columns_.end(), column) != kept_columns_.end()) return;
      if (column == id_column_) layout_.id_kept = static_cast<int>(kept_columns_.size());
      kept_columns_.push_back(column);
      layout_.kept.push_back(header[static_cast<std::size_t>(column)]);
    };
    if (smiles_column_ >= 0) keep(smiles_column_);
    for (const std::string& name : options_.keep) keep(column(name, "keep"));
  }

  // On all threads; of several mistakes the first row's is told.
  void read_features(LibraryRows& rows) const {
    const auto size = static_cast<std::int64_t>(rows.size());
    const auto d = feature_columns_.size(), width = static_cast<std::size_t>((layout_.num_features + 63) / 64);
    std::vector<std::string> mistakes(rows.size());
    rows.problems.resize(rows.size());
    if (layout_.kind == PoolKind::bits) {
      rows.words.assign(rows.size() * width, 0);
    } else {
      rows.numbers.resize(rows.size() * d);
    }
    parallel_blocks(size, kRowsPerTask, [&](std::int64_t begin, std::int64_t end) {
      for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
        if (morgan_) {
          rows.problems[i] = morgan_->fingerprint(cells_[i], std::span(rows.words).subspan(i * width, width));
        } else if (layout_.kind == PoolKind::bits) {
          mistakes[i] = read_hex(cells_[i], std::span(rows.words).subspan(i * width, width));
        } else {
          mistakes[i] = read_numbers(std::span(cells_).subspan(i * d, d), std::span(rows.numbers).subspan(i * d, d));
        }
      }
    });
    for (std::size_t i = 0; i < mistakes.size(); ++i)
      if (!mistakes[i].empty()) fail(rows.lines[i], mistakes[i]);
  }

  std::string read_hex(const std::string& text, std::span<std::uint64_t> words) const {
    const auto num_bits = static_cast<std::size_t>(layout_.num_features), digits = (num_bits + 7) / 8 * 2;
    if (text.size() != digits)
      return fmt::format("{}: expected {} hexadecimal digits for {} bits, got {}", options_.hex, digits, num_bits, text.size());
    for (std::size_t byte = 0; byte < digits / 2; ++byte) {
      const int high = hex_digit(text[2 * byte]), low = hex_digit(text[2 * byte + 1]);
      if (high < 0 || low < 0) return fmt::format("{}: expected hexadecimal digits, got \"{}\"", options_.hex, shown(text));
      const auto value = static_cast<std::uint64_t>(high) * 16 + static_cast<std::uint64_t>(low);
      if (8 * byte + 8 > num_bits && value >> (num_bits - 8 * byte) != 0)
        return fmt::format("{}: a bit is set past the last of {}", options_.hex, num_bits);
      words[byte / 8] |= value << (byte % 8 * 8);
    }
    return "";
  }

  std::string read_numbers(std::span<const std::string> cells, std::span<float> numbers) const {
    for (std::size_t j = 0; j < cells.size(); ++j) {
      const auto value = to_double(cells[j]);
      numbers[j] = static_cast<float>(value.value_or(NAN)) + 0.0F;  // −0 and 0 are the same candidate
      if (!std::isfinite(numbers[j]))
        return fmt::format("{}: expected a finite number, got \"{}\"", layout_.columns[j], shown(cells[j]));
    }
    return "";
  }

  const PoolBuildOptions& options_;
  LibraryFile file_;
  Rows rows_;
  bool have_row_ = false;  // rows_ stands on one that was not given out yet
  LibraryLayout layout_;
  int smiles_column_ = -1, id_column_ = -1;
  std::vector<int> feature_columns_, kept_columns_;
  std::optional<Morgan> morgan_;
  std::int64_t num_rows_ = 0;
  std::vector<std::string> cells_;  // of the features of the rows at hand
};

}  // namespace

std::unique_ptr<Library> open_csv_library(const PoolBuildOptions& options) { return std::make_unique<CsvLibrary>(options); }

}  // namespace salvo
