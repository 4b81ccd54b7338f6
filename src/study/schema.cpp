#include "study/schema.h"

#include <array>
#include <chrono>
#include <filesystem>

#include "study/json.h"

namespace salvo {
namespace {

// Step k brings a database of version k to version k + 1. A step that was released is never edited: the next change
// of the schema is a step of its own.
constexpr std::array kSteps{
    R"sql(
CREATE TABLE study (                       -- one row
  id INTEGER PRIMARY KEY CHECK (id = 1),
  name TEXT NOT NULL,
  direction TEXT NOT NULL CHECK (direction IN ('minimize', 'maximize')),
  seed TEXT NOT NULL,                      -- 0 … 2^64 − 1
  batch INTEGER NOT NULL,
  num_initial INTEGER NOT NULL,
  initial TEXT NOT NULL CHECK (initial IN ('sobol', 'uniform')),
  space TEXT NOT NULL,                     -- JSON: the parameters
  model TEXT NOT NULL,                     -- JSON: the model's options
  created_at REAL NOT NULL,                -- seconds since 1970
  asks INTEGER NOT NULL DEFAULT 0,         -- asks so far: each has its own random key
  tells INTEGER NOT NULL DEFAULT 0         -- outcomes so far
) STRICT;
CREATE TABLE trial (
  id INTEGER PRIMARY KEY,                  -- 1, 2, … without gaps
  params TEXT NOT NULL,                    -- JSON: {"name": value, …}
  state TEXT NOT NULL CHECK (state IN ('pending', 'done', 'failed', 'abandoned')),
  origin TEXT NOT NULL CHECK (origin IN ('initial', 'model', 'told')),
  value REAL,                              -- in the user's own direction
  error TEXT NOT NULL DEFAULT '',
  asked_at REAL NOT NULL,
  told_at REAL NOT NULL DEFAULT 0,
  sequence INTEGER UNIQUE,                 -- the order of telling
  CHECK ((state = 'done') = (value IS NOT NULL)),
  CHECK ((state = 'pending') = (sequence IS NULL))
) STRICT;
CREATE INDEX trial_unfinished ON trial (state) WHERE state <> 'done';
CREATE INDEX trial_initial ON trial (id) WHERE origin = 'initial';
CREATE TABLE learned (                     -- at most one row: what the latest learning ask learned
  id INTEGER PRIMARY KEY CHECK (id = 1) REFERENCES study (id),
  ask INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  num_observations INTEGER NOT NULL,
  settings TEXT NOT NULL,
  centre REAL NOT NULL,
  scale REAL NOT NULL,
  lowest REAL NOT NULL,                    -- worse values count as this one
  hyper TEXT NOT NULL,                     -- JSON: kernel, variance, length-scales, noise, mean
  num_inducing INTEGER NOT NULL,
  inducing BLOB NOT NULL                   -- Z by rows, as doubles of this machine
) STRICT;
)sql",
    R"sql(
ALTER TABLE trial ADD COLUMN owner TEXT NOT NULL DEFAULT '';  -- who evaluates it: host pid starttime
CREATE TABLE note (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
)sql",
    R"sql(
ALTER TABLE study ADD COLUMN method TEXT NOT NULL DEFAULT 'thompson';
)sql",
    R"sql(
ALTER TABLE study ADD COLUMN pool TEXT NOT NULL DEFAULT '';           -- path of the pool's file
ALTER TABLE study ADD COLUMN pool_checksum TEXT NOT NULL DEFAULT '';  -- empty: no pool
ALTER TABLE study ADD COLUMN pool_model TEXT NOT NULL DEFAULT '';     -- JSON: the options of its model
)sql"};

// Where it was, or beside the study: the two may have been moved together.
Pool find_pool(const std::string& path, const std::string& study) {
  if (path.empty()) {
    throw StoreError(study + ": it is over a pool that was in memory only. Make the same pool again and open the study with it");
  }
  const auto beside = std::filesystem::path(study).parent_path() / std::filesystem::path(path).filename();
  return Pool::open(!std::filesystem::exists(path) && std::filesystem::exists(beside) ? beside.string() : path);
}

[[noreturn]] void refuse_pool(const std::string& study, const Pool& pool, const std::string& checksum) {
  throw StoreError(
      fmt::format("{}: the pool {} has changed since the study began: its checksum was {}, now it is {}. Restore the old "
                  "file, or begin another study",
                  study, pool.path().empty() ? "in memory" : pool.path(), checksum, pool.checksum()));
}

std::string absolute(const std::string& path) {
  return path.empty() ? path : std::filesystem::absolute(path).lexically_normal().string();
}

}  // namespace

std::int64_t schema_version() { return std::ssize(kSteps); }

double seconds_since_1970() {
  using namespace std::chrono;
  return duration<double>(system_clock::now().time_since_epoch()).count();
}

void migrate(Database& database) {
  Transaction transaction(database, Transaction::Kind::write);
  for (std::int64_t version = database.pragma("user_version"); version < schema_version(); ++version) {
    database.run(kSteps[static_cast<std::size_t>(version)]);
  }
  database.run(fmt::format("PRAGMA user_version = {}", schema_version()));
  transaction.commit();
}

StudyOptions read_options(Database& database, const std::optional<Pool>& pool) {
  auto row = database.query(
      "SELECT name, direction, seed, batch, num_initial, initial, space, model, method, pool, pool_checksum, pool_model FROM "
      "study");
  if (!row.next()) throw std::invalid_argument("the table \"study\" is empty");
  StudyOptions options{.name = row.text(0),
                       .space = space_from_json(row.text(6)),
                       .direction = row.text(1) == "minimize" ? Direction::minimize : Direction::maximize,
                       .seed = std::stoull(row.text(2)),
                       .batch = static_cast<int>(row.integer(3)),
                       .num_initial = static_cast<int>(row.integer(4)),
                       .initial = row.text(5) == "uniform" ? Initial::uniform : Initial::sobol,
                       .method = method(row.text(8)),
                       .model = model_from_json(row.text(7))};
  if (const std::string checksum = row.text(10); !checksum.empty()) {
    options.pool = pool ? *pool : find_pool(row.text(9), database.path());
    if (options.pool->checksum() != checksum) refuse_pool(database.path(), *options.pool, checksum);
    options.pool_model = pool_model_from_json(row.text(11));
  }
  options.validate();
  return options;
}

void write_study(Database& database, const StudyOptions& options) {
  Transaction transaction(database, Transaction::Kind::write);
  database
      .query(
          "INSERT INTO study (id, name, direction, seed, batch, num_initial, initial, space, model, method, created_at, pool, "
          "pool_checksum, pool_model) VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
          options.name, to_string(options.direction), std::to_string(options.seed), options.batch, options.num_initial,
          to_string(options.initial), space_to_json(options.space), model_to_json(options.model), to_string(options.method),
          seconds_since_1970(), options.pool ? absolute(options.pool->path()) : "", options.pool ? options.pool->checksum() : "",
          options.pool ? pool_model_to_json(options.pool_model) : "")
      .run();
  transaction.commit();
}

void update_study(Database& database, const StudyOptions& options) {
  Transaction transaction(database, Transaction::Kind::write);
  database
      .query("UPDATE study SET name = ?, batch = ?, num_initial = ?, initial = ?, model = ?, method = ?, pool_model = ?",
             options.name, options.batch, options.num_initial, to_string(options.initial), model_to_json(options.model),
             to_string(options.method), options.pool ? pool_model_to_json(options.pool_model) : "")
      .run();
  transaction.commit();
}

}  // namespace salvo
