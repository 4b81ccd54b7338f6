#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace salvo {

// 64 bits of the bytes and the seed, the same on every machine. It finds damage and orders ids; it keeps no secrets.
[[nodiscard]] std::uint64_t hash_bytes(const void* bytes, std::size_t size, std::uint64_t seed = 0);
[[nodiscard]] inline std::uint64_t hash_text(std::string_view text) { return hash_bytes(text.data(), text.size()); }

// The same for a long array, in blocks on all threads. It differs from hash_bytes.
[[nodiscard]] std::uint64_t hash_blocks(const void* bytes, std::size_t size);
inline constexpr std::size_t kHashBlock = std::size_t{1} << 20;

}  // namespace salvo
