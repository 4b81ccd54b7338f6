#pragma once
#include <salvo/pool_build.h>

#include <string>
#include <string_view>

#include "arguments.h"

namespace salvo::app {

// library.csv.gz → library.pool
[[nodiscard]] std::string pool_path_for(const std::string& library);

// An option of a library as it is typed: --hex, or --hex COLUMN.
[[nodiscard]] std::string library_flag(std::string_view option, std::string_view value);

// Builds a pool with a progress line, and tells about SMILES that were left out; they are listed in PATH.bad.csv.
PoolBuildSummary build_pool_showing(PoolBuildOptions options, const std::string& path, const Common& common);

// "29,966 candidates from 29,978 rows, 12 duplicates, 0.9 s"
[[nodiscard]] std::string build_text(const PoolBuildSummary& built);

}  // namespace salvo::app
