#include "store/sqlite/store.h"

namespace salvo {

void SqliteStore::set_note(const std::string& key, const std::string& value) {
  Transaction transaction(*database_, Transaction::Kind::write);
  database_->query("INSERT OR REPLACE INTO note (key, value) VALUES (?, ?)", key, value).run();
  seal(kNoteRow, "WHERE key = ?", key);
  transaction.commit();
}

std::optional<std::string> SqliteStore::note(const std::string& key) {
  Transaction transaction(*database_, Transaction::Kind::read);
  auto row = database_->query(fmt::format("SELECT value, {} FROM note WHERE key = ?", kNoteRow.is_whole()), key);
  if (!row.next()) return std::nullopt;
  return reading(*database_, fmt::format("the note \"{}\"", key), [&] {
    require_whole(row, 1);
    return row.text(0);
  });
}

}  // namespace salvo
