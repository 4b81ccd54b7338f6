#include "store/sqlite/store.h"

namespace salvo {
namespace {

// After every key that begins with the prefix, so that the index finds them: no byte of UTF-8 is this one.
std::string behind(const std::string& prefix) { return prefix + "\xff"; }

}  // namespace

void SqliteStore::set_notes(const std::map<std::string, std::string>& texts) {
  Transaction transaction(*database_, Transaction::Kind::write);
  write_notes(texts);
  transaction.commit();
}

void SqliteStore::write_notes(const std::map<std::string, std::string>& texts) {
  for (const auto& [key, text] : texts) {
    database_->query("INSERT OR REPLACE INTO note (key, value) VALUES (?, ?)", key, text).run();
    seal(kNoteRow, "WHERE key = ?", key);
  }
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

std::map<std::string, std::string> SqliteStore::notes(const std::string& prefix) {
  Transaction transaction(*database_, Transaction::Kind::read);
  std::map<std::string, std::string> out;
  auto row = database_->query(
      fmt::format("SELECT key, value, {} FROM note WHERE key >= ?1 AND substr(key, 1, length(?1)) = ?1 AND key < ?2",
                  kNoteRow.is_whole()),
      prefix, behind(prefix));
  while (row.next()) {
    out.insert(reading(*database_, fmt::format("the note \"{}\"", row.text(0)), [&] {
      require_whole(row, 2);
      return std::pair(row.text(0), row.text(1));
    }));
  }
  return out;
}

}  // namespace salvo
