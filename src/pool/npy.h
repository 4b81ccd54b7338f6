#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "pool/mapped_file.h"
#include "text/csv_stream.h"

namespace salvo {

// An array that NumPy wrote, from its header on. Throws InputError with the path: not one, of a type that is no number
// or text, of more than two dimensions, cut off.
class NpyArray {
 public:
  NpyArray(ReadBytes read, std::string path, const std::string& spill_folder);

  enum class Type { real, integer, natural, boolean, bytes, unicode };
  [[nodiscard]] Type type() const { return type_; }
  [[nodiscard]] std::size_t item_size() const { return item_size_; }
  [[nodiscard]] const std::vector<std::int64_t>& shape() const { return shape_; }
  [[nodiscard]] std::int64_t num_rows() const { return shape_[0]; }
  [[nodiscard]] std::int64_t num_columns() const { return shape_.size() == 2 ? shape_[1] : 1; }

  // The next row of a C-ordered array, or one gathered from a Fortran-ordered one: num_columns() items, in this
  // machine's byte order.
  std::span<const char> next_row();
  [[nodiscard]] double number(std::span<const char> row, std::int64_t column) const;
  [[nodiscard]] std::string text(std::span<const char> row) const;  // the row's first item, of any type
  void finish();                                                    // reads to the end, so that damage is noticed

 private:
  void read_header();
  [[nodiscard]] std::size_t row_size() const { return static_cast<std::size_t>(num_columns()) * item_size_; }
  void spill(const std::string& folder);

  ReadBytes read_;
  std::string path_;
  Type type_ = Type::real;
  std::size_t item_size_ = 0;
  bool swap_ = false, fortran_ = false;
  std::vector<std::int64_t> shape_;
  std::vector<char> row_;
  std::int64_t at_ = 0;
  std::unique_ptr<MappedFile> mapped_;  // of a Fortran-ordered array
};

// The arrays of an NPZ file: a ZIP archive of NPY files.
class NpzFile {
 public:
  explicit NpzFile(const std::string& path);
  [[nodiscard]] std::vector<std::string> names() const;
  [[nodiscard]] ReadBytes open(const std::string& name) const;  // while this object lives

 private:
  struct Member {
    std::string name;  // without .npy
    int method = 0;    // 0: stored, 8: deflated
    std::uint32_t crc = 0;
    std::uint64_t packed = 0, size = 0, offset = 0;
  };
  void read_directory();
  [[nodiscard]] std::uint64_t number(std::uint64_t at, int num_bytes) const;
  [[noreturn]] void fail(const std::string& problem) const;

  std::string path_;
  OpenFile file_;
  std::unique_ptr<MappedFile> mapped_;
  std::vector<Member> members_;
};

}  // namespace salvo
