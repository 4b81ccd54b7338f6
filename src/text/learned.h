#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace salvo {

// What an ask has learned and later asks go by, as a store keeps it, so that a resumed study goes on alike. What the document
// and the numbers beside it mean is its writer's own.
struct Learned {
  std::int64_t ask = -1;      // the ask that learned it
  std::int64_t sequence = 0;  // of the last value learned from
  std::string settings{};     // the options it depends on
  std::string document{};     // JSON
  std::vector<std::byte> arrays{};

  [[nodiscard]] bool same_as(const Learned& other) const {
    return ask == other.ask && sequence == other.sequence && settings == other.settings;
  }
};

}  // namespace salvo
