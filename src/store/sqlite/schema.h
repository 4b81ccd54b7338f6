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

// A table whose rows carry a checksum, the hash of their other columns.
struct Sealed {
  const char* name;
  const char* columns;
  [[nodiscard]] std::string is_whole() const { return fmt::format("checksum = row_hash({})", columns); }  // of a row: 1 or 0
};
inline constexpr Sealed kStudyRow{"study", "id, space, outputs, options, created_at, asks, tells, trials"},
    kTrialRow{"trial", "id, params, state, origin, value, error, asked_at, told_at, sequence, owner, measured"},
    kLearnedRow{"learned", "id, ask, sequence, settings, document, arrays"}, kNoteRow{"note", "key, value"},
    kAmendmentRow{"amendment",
                  "id, trial, at, reason, old_state, old_value, old_measured, old_error, state, value, measured, error"},
    kQueueRow{"queue", "id, params, at"}, kSpaceRow{"space_change", "id, at, old_space, space, removed, words"},
    kPriorRow{"prior", "id, at, document"};
inline constexpr Sealed kSealed[] = {kStudyRow, kTrialRow, kLearnedRow, kNoteRow, kAmendmentRow, kQueueRow, kSpaceRow, kPriorRow};
void seal(Database& database, const Sealed& table);  // all its rows

// `column` holds what is_whole() says; throws std::invalid_argument.
inline void require_whole(const Query& row, int column) {
  if (row.integer(column) != 1) throw std::invalid_argument("its checksum is wrong");
}

Definition read_definition(Database& database);
void write_definition(Database& database, const Definition& definition);

[[noreturn]] void say_damaged(const Database& database, const std::string& what, const std::string& problem);

// Text of ours that cannot be read is damage.
template <class Read>
auto reading(const Database& database, const std::string& what, Read read) try {
  return read();
} catch (const std::logic_error& error) {
  say_damaged(database, what, error.what());
}

}  // namespace salvo
