#pragma once
#include <fmt/format.h>
#include <salvo/error.h>

#include <stdexcept>
#include <string>

#include "store/sqlite/sqlite.h"
#include "store/store.h"

namespace salvo {

// The tables of a study's file, and its one row of the table "study".

std::int64_t schema_version();     // the newest, which this program writes
void migrate(Database& database);  // from any older version; a new file has version 0

Definition read_definition(Database& database);
void write_definition(Database& database, const Definition& definition);

// Text of ours that cannot be read is damage.
template <class Read>
auto reading(const Database& database, const std::string& what, Read read) try {
  return read();
} catch (const std::logic_error& error) {
  throw StoreError(fmt::format("{}: {} is damaged: {}. Restore a copy of the file", database.path(), what, error.what()));
}

}  // namespace salvo
