#pragma once
#include <string>

namespace salvo {

// The name under which this process builds a file before it gets its own: "study.db.new-4711-1", another one at each call.
[[nodiscard]] std::string temporary_name(const std::string& path);

// Removes what processes that died while they built `path` left beside it, with SQLite's logs. Those of processes that live,
// ours among them, stay.
void remove_leftovers(const std::string& path);

}  // namespace salvo
