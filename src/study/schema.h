#pragma once
#include <fmt/format.h>
#include <salvo/error.h>
#include <salvo/study.h>

#include <optional>
#include <stdexcept>
#include <string>

#include "study/sqlite.h"

namespace salvo {

// The tables of a study's file, and its one row of the table "study".

std::int64_t schema_version();     // the newest, which this program writes
void migrate(Database& database);  // from any older version; a new file has version 0
double seconds_since_1970();       // as the tables keep times

// A pool is looked for where the file says, unless it is given.
StudyOptions read_options(Database& database, const std::optional<Pool>& pool);
void write_study(Database& database, const StudyOptions& options);
void update_study(Database& database, const StudyOptions& options);  // but for what a study keeps for good

// Text of ours that cannot be read is damage.
template <class Read>
auto reading(const Database& database, const std::string& what, Read read) try {
  return read();
} catch (const std::logic_error& error) {
  throw StoreError(fmt::format("{}: {} is damaged: {}. Restore a copy of the file", database.path(), what, error.what()));
}

}  // namespace salvo
