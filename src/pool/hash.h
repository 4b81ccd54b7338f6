#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace salvo {

// 64 bits of the bytes and the seed, the same on every machine. It finds damage and orders ids; it keeps no secrets.
[[nodiscard]] std::uint64_t hash_bytes(const void* bytes, std::size_t size, std::uint64_t seed = 0);
[[nodiscard]] inline std::uint64_t hash_text(std::string_view text) { return hash_bytes(text.data(), text.size()); }

// The same for a long array, in blocks on all threads. It differs from hash_bytes.
[[nodiscard]] std::uint64_t hash_blocks(const void* bytes, std::size_t size);
// The same for one that is read block by block: read(begin, size, room) gives a pointer to these bytes.
using ReadBlock = std::function<const void*(std::size_t begin, std::size_t size, std::vector<char>& room)>;
[[nodiscard]] std::uint64_t hash_blocks(std::size_t size, const ReadBlock& read);

}  // namespace salvo
