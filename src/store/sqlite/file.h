#pragma once
#include <cstdint>
#include <functional>
#include <string>

// What is done with a study's file outside SQLite.
namespace salvo {

inline constexpr std::uint32_t kApplicationId = 0x53416c76;  // "SAlv", in the header of every study's database

// Reads the header, before SQLite may touch the file; throws StoreError when it cannot be a study of a version up to
// `newest_version` that this process may write.
void inspect_study_file(const std::string& path, std::int64_t newest_version);

// Lets `build` make a database under a temporary name and gives it its name when it is complete, so that nobody ever
// sees half a study. Throws StoreError when there is something at `path` already.
void create_whole_file(const std::string& path, const std::function<void(const std::string& temporary)>& build);

}  // namespace salvo
