#include "store/sqlite/sqlite.h"

#include <fmt/format.h>
#include <salvo/error.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstring>

namespace salvo {
namespace {

// Longer than any write takes; only a process that hangs inside one holds the lock for so long.
constexpr int kBusyMilliseconds = 60'000;

std::string_view advice(int code, int system) {
  if (system == EMFILE || system == ENFILE)
    return "Nothing was changed. Close some files, or allow more of them (ulimit -n), and try again";
  if (system == EFBIG)
    return "The file may not grow further here: allow larger ones (ulimit -f) and try again; what was acknowledged before is "
           "safe";
  switch (code & 0xff) {
    case SQLITE_FULL:
      return "Nothing was changed. Free some space and try again";
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
      return "Make the file and its folder readable and writable: SQLite keeps its log (-wal, -shm) beside the file";
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return "The file is damaged. Restore a copy, or save what can be read: sqlite3 FILE .recover | sqlite3 NEW";
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return "Another process has been writing to the study for a minute. Nothing was changed; end that process and try again";
    case SQLITE_IOERR:
      return "Check the disk (and its quota), then try again; what was acknowledged before is safe";
    default:
      return "Nothing was changed";
  }
}

// The system's error behind an I/O error. A failed commit leaves it with the file, which is the log as a rule.
int system_error(sqlite3* handle) {
  int code = sqlite3_system_errno(handle);
  sqlite3_file* log = nullptr;
  if (code == 0 && sqlite3_file_control(handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log) == SQLITE_OK && log &&
      log->pMethods) {
    log->pMethods->xFileControl(log, SQLITE_FCNTL_LAST_ERRNO, &code);
  }
  return code;
}

// FNV-1a of the arguments, each with its type and length: what is written beside a row and compared when it is read.
class RowHash {
 public:
  void add(const void* data, std::size_t size) {
    const auto* bytes = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < size; ++i) hash_ = (hash_ ^ bytes[i]) * 0x100000001b3U;
  }
  void add(sqlite3_value* value) {
    const int type = sqlite3_value_type(value);
    add(&type, sizeof type);
    if (type == SQLITE_INTEGER) {
      const sqlite3_int64 number = sqlite3_value_int64(value);
      add(&number, sizeof number);
    } else if (type == SQLITE_FLOAT) {
      const double number = sqlite3_value_double(value);
      add(&number, sizeof number);
    } else if (type != SQLITE_NULL) {
      const void* data = type == SQLITE_TEXT ? static_cast<const void*>(sqlite3_value_text(value)) : sqlite3_value_blob(value);
      const auto size = static_cast<std::size_t>(sqlite3_value_bytes(value));
      add(&size, sizeof size);
      if (data) add(data, size);
    }
  }
  [[nodiscard]] sqlite3_int64 value() const { return static_cast<sqlite3_int64>(hash_); }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325U;
};

void hash_of_arguments(sqlite3_context* context, int count, sqlite3_value** values) {
  RowHash hash;
  for (int i = 0; i < count; ++i) hash.add(values[i]);
  sqlite3_result_int64(context, hash.value());
}

// SQLite reads "", ":memory:…" and "file:…" in its own ways; any other spelling of a path is plain.
std::string plain(const std::string& path) {
  if (path == ":memory:") return path;
  return path.starts_with(':') || path.starts_with("file:") ? "./" + path : path;
}

}  // namespace

Head head_of(const std::string& path, std::size_t size) {
  sqlite3* handle = nullptr;
  const int opened = sqlite3_open_v2(plain(path).c_str(), &handle, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nullptr);
  const std::unique_ptr<sqlite3, int (*)(sqlite3*)> owned(handle, sqlite3_close_v2);
  sqlite3_file* file = nullptr;
  sqlite3_int64 length = 0;
  if (opened != SQLITE_OK || sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK || !file ||
      !file->pMethods || file->pMethods->xFileSize(file, &length) != SQLITE_OK)
    throw StoreError(fmt::format("{}: cannot be read: {}. {}", path, handle ? sqlite3_errmsg(handle) : "out of memory",
                                 advice(opened, handle ? sqlite3_system_errno(handle) : 0)));
  Head out{.bytes = std::string(std::min(size, static_cast<std::size_t>(length)), '\0'), .size = length};
  if (!out.bytes.empty() && file->pMethods->xRead(file, out.bytes.data(), static_cast<int>(out.bytes.size()), 0) != SQLITE_OK)
    throw StoreError(fmt::format("{}: cannot be read. Check the disk", path));
  return out;
}

std::optional<FileId> file_id(const std::string& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) return std::nullopt;
  return FileId{info.st_dev, info.st_ino};
}

Query::~Query() {
  if (!statement_) return;
  sqlite3_reset(statement_);
  sqlite3_clear_bindings(statement_);
}

bool Query::next() {
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  database_->fail();
}

void Query::run() {
  while (next()) continue;
}

bool Query::null(int column) const { return sqlite3_column_type(statement_, column) == SQLITE_NULL; }
std::int64_t Query::integer(int column) const { return sqlite3_column_int64(statement_, column); }
double Query::real(int column) const { return sqlite3_column_double(statement_, column); }

std::string Query::text(int column) const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  return text ? std::string(text, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))) : std::string();
}

std::span<const std::byte> Query::blob(int column) const {
  const auto* data = static_cast<const std::byte*>(sqlite3_column_blob(statement_, column));
  return {data, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}

void Query::bind(int index, std::int64_t value) {
  if (sqlite3_bind_int64(statement_, index, value) != SQLITE_OK) database_->fail();
}

void Query::bind(int index, double value) {
  if (sqlite3_bind_double(statement_, index, value) != SQLITE_OK) database_->fail();
}

void Query::bind(int index, const std::optional<double>& value) {
  if (value) return bind(index, *value);
  if (sqlite3_bind_null(statement_, index) != SQLITE_OK) database_->fail();
}

void Query::bind(int index, std::string_view text) {
  const char* data = text.data() ? text.data() : "";  // a null pointer would be NULL
  if (sqlite3_bind_text64(statement_, index, data, text.size(), SQLITE_TRANSIENT, SQLITE_UTF8) != SQLITE_OK) database_->fail();
}

void Query::bind(int index, std::span<const std::byte> blob) {
  // An empty one without an address would be NULL.
  const int code = blob.empty() ? sqlite3_bind_zeroblob(statement_, index, 0)
                                : sqlite3_bind_blob64(statement_, index, blob.data(), blob.size(), SQLITE_TRANSIENT);
  if (code != SQLITE_OK) database_->fail();
}

Database::Database(const std::string& path, Mode mode) : path_(path) {
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | (mode == Mode::create ? SQLITE_OPEN_CREATE : 0);
  try {
    if (sqlite3_open_v2(plain(path).c_str(), &handle_, flags, nullptr) != SQLITE_OK) fail();
    sqlite3_extended_result_codes(handle_, 1);
    sqlite3_busy_timeout(handle_, kBusyMilliseconds);
    keep_log(true);
    constexpr int kTraits = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
    if (sqlite3_create_function_v2(handle_, "row_hash", -1, kTraits, nullptr, hash_of_arguments, nullptr, nullptr, nullptr) !=
        SQLITE_OK)
      fail();
    run("PRAGMA synchronous = FULL");
    run("PRAGMA foreign_keys = ON");
  } catch (...) {
    sqlite3_close_v2(handle_);
    throw;
  }
}

Database::~Database() {
  for (const auto& [sql, statement] : statements_) sqlite3_finalize(statement);
  sqlite3_close_v2(handle_);
}

sqlite3_stmt* Database::prepared(std::string_view sql) {
  const auto found = statements_.find(sql);
  if (found != statements_.end()) {
    assert(!sqlite3_stmt_busy(found->second));
    return found->second;
  }
  sqlite3_stmt* statement = nullptr;
  const int length = static_cast<int>(sql.size());
  if (sqlite3_prepare_v3(handle_, sql.data(), length, SQLITE_PREPARE_PERSISTENT, &statement, nullptr) != SQLITE_OK) fail();
  statements_.emplace(sql, statement);
  return statement;
}

void Database::run(const std::string& sql) {
  if (sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail();
}

std::int64_t Database::pragma(const std::string& name) {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(handle_, ("PRAGMA " + name).c_str(), -1, &statement, nullptr) != SQLITE_OK) fail();
  const std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> owned(statement, sqlite3_finalize);
  const int code = sqlite3_step(statement);
  if (code != SQLITE_ROW && code != SQLITE_DONE) fail();
  return sqlite3_column_int64(statement, 0);
}

bool Database::read_only() const { return sqlite3_db_readonly(handle_, "main") == 1; }

std::string Database::file() const {
  const char* name = sqlite3_db_filename(handle_, "main");
  return name && *name != '\0' ? name : path_;
}

void Database::keep_log(bool keep) { sqlite3_db_config(handle_, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keep ? 1 : 0, nullptr); }

void Database::fail() const {
  if (!handle_) throw StoreError(path_ + ": out of memory");
  const int code = sqlite3_extended_errcode(handle_);
  const int kind = code & 0xff;
  const bool of_system = kind == SQLITE_IOERR || kind == SQLITE_CANTOPEN || kind == SQLITE_FULL;
  const int system = of_system ? system_error(handle_) : 0;
  throw StoreError(fmt::format("{}: {}{} (SQLite code {}). {}.", path_, sqlite3_errmsg(handle_),
                               system != 0 ? fmt::format(": {}", std::strerror(system)) : "", code, advice(code, system)));
}

void Database::watch_log() {
  for (const char* suffix : {"-wal", "-shm"}) {
    const std::string name = file() + suffix;
    const auto id = file_id(name);
    if (!id) lost_log(name);
    log_[name] = *id;
  }
}

// A file that was removed is still written to, by us alone: what it acknowledges would be lost.
void Database::require_place() {
  int moved = 0;
  if (sqlite3_file_control(handle_, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved != 0)
    throw StoreError(path_ + ": was removed, moved or replaced while in use. Nothing was changed; put it back and try again");
  for (const auto& [name, id] : log_)
    if (file_id(name) != id) lost_log(name);
}

// Where nobody has begun another log, what is in ours can still go into the file. Where somebody has, it would be mixed up
// with what that one wrote: it must not, not even on closing.
void Database::lost_log(const std::string& name) {
  const bool replaced = file_id(file() + "-wal").has_value() && name.ends_with("-wal");
  if (!sqlite3_get_autocommit(handle_)) sqlite3_exec(handle_, "ROLLBACK", nullptr, nullptr, nullptr);
  int frames = -1, moved = -1;
  const bool saved = !replaced &&
                     sqlite3_wal_checkpoint_v2(handle_, "main", SQLITE_CHECKPOINT_PASSIVE, &frames, &moved) == SQLITE_OK &&
                     frames == moved;
  keep_log(true);
  throw StoreError(fmt::format(
      "{}: the log of the study was removed, moved or replaced while in use. Nothing was changed now, and {}. End all programs "
      "that use the study, {}and look at it with \"salvo check\". SQLite's files (-wal, -shm) belong to the study and go when it "
      "is closed",
      name, saved ? "what was recorded before is in the study's file" : "what was recorded since the log began may be lost",
      saved ? "" : "put the log back where there is a copy, "));
}

Transaction::Transaction(Database& database, Kind kind) : database_(database) {
  database_.require_place();
  database_.query(kind == Kind::write ? "BEGIN IMMEDIATE" : "BEGIN").run();
}

Transaction::~Transaction() {
  // After some errors SQLite has rolled back by itself.
  if (open_ && !sqlite3_get_autocommit(database_.handle_)) sqlite3_exec(database_.handle_, "ROLLBACK", nullptr, nullptr, nullptr);
}

void Transaction::commit() {
  database_.require_place();
  database_.query("COMMIT").run();
  open_ = false;
}

}  // namespace salvo
