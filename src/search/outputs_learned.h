#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "search/learned.h"

namespace salvo {

// What an ask has learned of several outputs.
struct OutputsLearned {
  std::int64_t ask = -1, sequence = 0;
  std::string settings{};
  std::vector<std::optional<SpaceLearned>> outputs{};  // none: it had not been measured yet

  // Throws std::logic_error when it cannot have been learned, in a space of so many coordinates, from so many values of each.
  static OutputsLearned from(const Learned& stored, int num_dims, std::span<const std::int64_t> num_known);
};

// One Learned of those of all outputs, and back; none: it had not been measured. header: ask, sequence and settings.
[[nodiscard]] Learned join(const Learned& header, std::span<const std::optional<Learned>> outputs);
[[nodiscard]] std::vector<std::optional<Learned>> parts_of(const Learned& joined, std::size_t num_outputs);

}  // namespace salvo
