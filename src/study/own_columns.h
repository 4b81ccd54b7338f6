#pragma once
#include <cstddef>
#include <optional>
#include <string_view>

#include "text/csv.h"

// What people keep in a sheet for themselves: columns whose names are none of ours, and of which nothing may be wrong.
namespace salvo {

inline constexpr std::size_t kMostOwn = 100, kLongestOwn = 100;  // columns, and bytes of a name

enum class OwnKind { empty, numbers, texts };

class OwnCells {
 public:
  explicit OwnCells(const Sheet& sheet);
  // Numbers where every cell that is filled in is one. 007 and what has more digits than a number keeps are names of things.
  [[nodiscard]] OwnKind kind(int column) const;
  [[nodiscard]] std::optional<double> number(std::string_view cell) const;

 private:
  const Sheet& sheet_;
  bool commas_ = false;  // the file's numbers have decimal commas
};

}  // namespace salvo
