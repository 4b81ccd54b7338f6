#pragma once
#include <span>
#include <string>

namespace salvo {

// The store that a file of this name belongs to, empty when it is nobody's: the database of a study, or the log that SQLite
// keeps beside it (-wal, -shm, -journal), also by other spellings and links. `stores`: databases whose files count although
// they may not exist yet.
[[nodiscard]] std::string store_of_file(const std::string& path, std::span<const std::string> stores = {});

// Throws InputError when a result at `path` would be written over a file of a store. Every writer calls it first.
void check_not_in_store(const std::string& path, std::span<const std::string> stores = {});

}  // namespace salvo
