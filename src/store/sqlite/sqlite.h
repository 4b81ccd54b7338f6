#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

struct sqlite3;
struct sqlite3_stmt;

// A thin cover over SQLite's C interface: statements prepared once, errors as StoreError with the path, SQLite's own
// words and what to do. No SQL of the study lives here.
namespace salvo {

class Database;

// A prepared statement in use; it goes back to its database when this dies.
class Query {
 public:
  Query(Database& database, sqlite3_stmt* statement) : database_(&database), statement_(statement) {}
  Query(Query&& other) noexcept : database_(other.database_), statement_(std::exchange(other.statement_, nullptr)) {}
  Query& operator=(Query&&) = delete;
  ~Query();

  bool next();  // steps to the next row; false: no more
  void run();   // for statements without rows

  [[nodiscard]] bool null(int column) const;
  [[nodiscard]] std::int64_t integer(int column) const;
  [[nodiscard]] double real(int column) const;
  [[nodiscard]] std::string text(int column) const;
  [[nodiscard]] std::span<const std::byte> blob(int column) const;  // until the next step

 private:
  friend class Database;
  void bind(int index, std::int64_t value);
  void bind(int index, int value) { bind(index, static_cast<std::int64_t>(value)); }
  void bind(int index, double value);
  void bind(int index, const std::optional<double>& value);
  void bind(int index, std::string_view text);
  void bind(int index, const std::string& text) { bind(index, std::string_view(text)); }
  void bind(int index, const char* text) { bind(index, std::string_view(text)); }
  void bind(int index, std::span<const std::byte> blob);

  Database* database_;
  sqlite3_stmt* statement_;
};

// The first bytes of a file, `size` at most, and how many there are in all. Read by SQLite: when this process has the study
// open, closing a descriptor of our own would drop its locks on the file, and another process would take the log away.
struct Head {
  std::string bytes;
  std::int64_t size = 0;
};
[[nodiscard]] Head head_of(const std::string& path, std::size_t size);

// Which file it is, whatever it is called; none when there is nothing.
using FileId = std::pair<std::uint64_t, std::uint64_t>;
[[nodiscard]] std::optional<FileId> file_id(const std::string& path);

// Statements may use row_hash(…), a checksum of its arguments.
class Database {
 public:
  enum class Mode { create, open };
  // Changes nothing: what WAL an earlier process left stays there until keep_log(false).
  Database(const std::string& path, Mode mode);
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database();

  // A statement, prepared at its first use, with its parameters bound.
  template <class... Args>
  [[nodiscard]] Query query(std::string_view sql, const Args&... args) {
    Query q(*this, prepared(sql));
    int index = 0;
    (q.bind(++index, args), ...);
    return q;
  }
  void run(const std::string& sql);  // one or more statements without parameters and rows
  [[nodiscard]] std::int64_t pragma(const std::string& name);
  [[nodiscard]] bool read_only() const;
  void keep_log(bool keep);  // on closing, do not move the write-ahead log into the file
  void watch_log();          // from here on every transaction makes sure that the log is where it was

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string file() const;  // the path as SQLite found it, behind links: its log lies beside that
  [[noreturn]] void fail() const;          // throws StoreError for SQLite's latest error

 private:
  friend class Transaction;
  sqlite3_stmt* prepared(std::string_view sql);
  void require_place();  // throws StoreError when the file, or its log, is not where it was opened
  [[noreturn]] void lost_log(const std::string& name);

  std::string path_;
  sqlite3* handle_ = nullptr;
  std::map<std::string, sqlite3_stmt*, std::less<>> statements_;  // by their text
  std::map<std::string, FileId> log_;                             // -wal and -shm, by their paths
};

// All or nothing: rolled back when it dies without commit(). `write` takes the write lock at once, waiting for it.
class Transaction {
 public:
  enum class Kind { read, write };
  Transaction(Database& database, Kind kind);
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction();
  void commit();

 private:
  Database& database_;
  bool open_ = true;
};

}  // namespace salvo
