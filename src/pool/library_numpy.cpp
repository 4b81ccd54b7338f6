#include <fmt/format.h>
#include <salvo/error.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "pool/library.h"
#include "pool/library_file.h"
#include "pool/npy.h"
#include "pool/table.h"

namespace salvo {
namespace {

// An array [N,d] of NumPy: booleans are bits, bytes are bits when they are packed, everything else is numbers.
class NumpyLibrary : public Library {
 public:
  NumpyLibrary(const PoolBuildOptions& options, const std::string& folder) : options_(options), folder_(folder) {
    if (!options.smiles.empty() || !options.hex.empty() || !options.features.empty() || !options.keep.empty())
      fail(fmt::format("an array of NumPy has no columns with names: leave {}, {}, {} and {} out", options.spelt("smiles"),
                       options.spelt("hex"), options.spelt("features"), options.spelt("keep")));
    if (options.library.ends_with(".npz")) {
      npz_.emplace(options.library);
      array_.emplace(npz_->open(choose_array()), options.library, folder);
      if (!options.id.empty()) ids_.emplace(npz_->open(options.id), options.library, folder);
    } else {
      if (!options.array.empty() || !options.id.empty())
        fail(fmt::format("{} and {} are for NPZ files, which hold several arrays", options.spelt("array"), options.spelt("id")));
      file_.emplace(options.library, options.called());
      array_.emplace(file_->reader(), file_->path(), folder);
    }
    check_ids();
    choose_features();
  }

  const LibraryLayout& layout() const override { return layout_; }
  double share() const override { return static_cast<double>(at_) / static_cast<double>(array_->num_rows()); }

  bool next(LibraryRows& rows) override {
    rows = {};
    const std::int64_t end =
        std::min(array_->num_rows(), at_ + std::clamp<std::int64_t>(kNumbers / layout_.num_features, 1, kRows));
    if (at_ == end) {
      array_->finish();
      return false;
    }
    const auto count = static_cast<std::size_t>(end - at_);
    rows.problems.resize(count);
    if (layout_.kind == PoolKind::bits)
      rows.words.assign(count * words(), 0);
    else
      rows.numbers.resize(count * static_cast<std::size_t>(layout_.num_features));
    for (std::size_t i = 0; at_ < end; ++at_, ++i) {
      rows.lines.push_back(static_cast<std::size_t>(at_) + 1);
      rows.ids.push_back(ids_ ? ids_->text(ids_->next_row()) : fmt::to_string(at_ + 1));
      if (rows.ids.back().empty()) fail(fmt::format("row {}: expected an id, got an empty text", at_ + 1));
      const auto row = array_->next_row();
      if (layout_.kind == PoolKind::bits)
        read_bits(row, rows.words.data() + i * words());
      else
        read_numbers(row, rows.numbers.data() + i * static_cast<std::size_t>(layout_.num_features));
    }
    return true;
  }

 private:
  static constexpr std::int64_t kRows = 4096, kNumbers = std::int64_t{1} << 24;  // read at a time

  [[noreturn]] void fail(const std::string& problem) const {
    throw InputError(fmt::format("{}: {}", options_.called(), problem));
  }
  std::size_t words() const { return static_cast<std::size_t>((layout_.num_features + 63) / 64); }

  std::string choose_array() const {
    if (!options_.array.empty()) return options_.array;
    std::vector<std::string> tables;
    for (const std::string& name : npz_->names())
      if (NpyArray(npz_->open(name), options_.library, folder_).shape().size() == 2) tables.push_back(name);
    if (tables.size() == 1) return tables[0];
    if (tables.empty()) fail(fmt::format("there is no array of two dimensions among {}", fmt::join(npz_->names(), ", ")));
    for (std::string& name : tables) name = options_.spelt("array", name);
    fail(fmt::format("there are several arrays: say which by {}", fmt::join(tables, " or ")));
  }

  void check_ids() const {
    if (array_->shape().size() != 2) fail("expected an array of two dimensions: a row for each candidate");
    if (array_->num_rows() == 0) fail("expected candidates, got none: the array is empty");
    if (array_->type() == NpyArray::Type::bytes || array_->type() == NpyArray::Type::unicode)
      fail("expected an array of numbers or booleans, got text");
    if (!ids_) return;
    if (ids_->shape().size() != 1) fail(fmt::format("{}: expected an array of one dimension", options_.spelt("id", options_.id)));
    if (ids_->num_rows() != array_->num_rows())
      fail(fmt::format("{}: expected {} ids, one for each row, got {}", options_.spelt("id", options_.id), array_->num_rows(),
                       ids_->num_rows()));
  }

  void choose_features() {
    const std::int64_t d = array_->num_columns();
    packed_ = options_.packed;
    if (packed_ && (array_->type() != NpyArray::Type::natural || array_->item_size() != 1))
      fail(fmt::format("{}: expected an array of uint8, as numpy.packbits makes it", options_.spelt("packed")));
    const bool bits = packed_ || array_->type() == NpyArray::Type::boolean;
    if (!bits && options_.bits > 0)
      fail(fmt::format("{}: expected booleans or {}, got an array of numbers", options_.spelt("bits"), options_.spelt("packed")));
    const std::int64_t there = packed_ ? 8 * d : d, wanted = options_.bits > 0 ? options_.bits : there;
    if (d < 1 || there > kMaxFeatures) fail(fmt::format("expected 1 to {} features, got {}", kMaxFeatures, there));
    if (wanted > there || (packed_ ? there - wanted >= 8 : wanted != there))
      fail(fmt::format("{}: the array has {} in a row", options_.spelt("bits", fmt::to_string(wanted)), there));
    layout_.kind = bits ? PoolKind::bits : PoolKind::numbers;
    layout_.num_features = static_cast<int>(wanted);
    layout_.made_by = packed_ ? "packed bits of NumPy" : bits ? "booleans of NumPy" : "numbers of NumPy";
    if (!bits)
      for (std::int64_t j = 0; j < d; ++j) layout_.columns.push_back(fmt::format("x{}", j + 1));
  }

  void read_bits(std::span<const char> row, std::uint64_t* words) const {
    const auto set = [&](std::size_t bit) { words[bit / 64] |= std::uint64_t{1} << (bit % 64); };
    if (!packed_) {
      for (std::size_t j = 0; j < row.size(); ++j)
        if (row[j] != 0) set(j);
      return;
    }
    for (std::size_t byte = 0; byte < row.size(); ++byte) {
      for (std::size_t k = 0; k < 8; ++k) {  // numpy.packbits puts the first bit highest
        if ((static_cast<unsigned char>(row[byte]) >> (7 - k) & 1) == 0) continue;
        if (8 * byte + k >= static_cast<std::size_t>(layout_.num_features))
          fail(fmt::format("row {}: a bit is set past the last of {}", at_ + 1, layout_.num_features));
        set(8 * byte + k);
      }
    }
  }

  void read_numbers(std::span<const char> row, float* numbers) const {
    for (std::int64_t j = 0; j < array_->num_columns(); ++j) {
      const double value = array_->number(row, j);
      numbers[j] = static_cast<float>(value) + 0.0F;  // −0 and 0 are the same candidate
      if (!std::isfinite(numbers[j]))
        fail(fmt::format("row {}, column {}: expected a finite number, got {}", at_ + 1, j + 1, value));
    }
  }

  const PoolBuildOptions& options_;
  std::string folder_;
  std::optional<NpzFile> npz_;
  std::optional<LibraryFile> file_;
  std::optional<NpyArray> array_, ids_;
  LibraryLayout layout_;
  bool packed_ = false;
  std::int64_t at_ = 0;
};

}  // namespace

std::unique_ptr<Library> open_numpy_library(const PoolBuildOptions& options, const std::string& folder) {
  return std::make_unique<NumpyLibrary>(options, folder);
}

}  // namespace salvo
