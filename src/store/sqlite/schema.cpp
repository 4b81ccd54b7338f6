#include "store/sqlite/schema.h"

#include <array>

#include "space/json.h"
#include "store/outcome.h"
#include "store/sqlite/legacy.h"
#include "text/json.h"

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
)sql",
    // What a study is and what was learned become documents of their writers' own; a trial may have several numbers.
    R"sql(
ALTER TABLE study RENAME TO old_study;
ALTER TABLE learned RENAME TO old_learned;
ALTER TABLE trial ADD COLUMN measured TEXT NOT NULL DEFAULT '';  -- JSON: all numbers but the first output, by name
CREATE TABLE study (                       -- one row
  id INTEGER PRIMARY KEY CHECK (id = 1),
  space TEXT NOT NULL,                     -- JSON: the parameters
  outputs TEXT NOT NULL,                   -- JSON: the names of the outputs; a trial's value is the first one's
  options TEXT NOT NULL,                   -- JSON: all else, as the study writes it
  created_at REAL NOT NULL,                -- seconds since 1970
  asks INTEGER NOT NULL DEFAULT 0,         -- asks so far: each has its own random key
  tells INTEGER NOT NULL DEFAULT 0         -- outcomes so far
) STRICT;
CREATE TABLE learned (                     -- at most one row: what the latest learning ask learned
  id INTEGER PRIMARY KEY CHECK (id = 1) REFERENCES study (id),
  ask INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  settings TEXT NOT NULL,                  -- the options it depends on
  document TEXT NOT NULL,                  -- JSON, and
  arrays BLOB NOT NULL                     -- numbers of this machine, as the study's model writes them
) STRICT;
)sql",
    // More parts of a search choose points, and a later one needs no new table: who reads an origin checks it.
    R"sql(
ALTER TABLE trial RENAME TO old_trial;
DROP INDEX trial_unfinished;
DROP INDEX trial_initial;
CREATE TABLE trial (
  id INTEGER PRIMARY KEY,                  -- 1, 2, … without gaps
  params TEXT NOT NULL,                    -- JSON: {"name": value, …}
  state TEXT NOT NULL CHECK (state IN ('pending', 'done', 'failed', 'abandoned')),
  origin TEXT NOT NULL,                    -- which part of the study chose it
  value REAL,                              -- in the user's own direction
  error TEXT NOT NULL DEFAULT '',
  asked_at REAL NOT NULL,
  told_at REAL NOT NULL DEFAULT 0,
  sequence INTEGER UNIQUE,                 -- the order of telling
  owner TEXT NOT NULL DEFAULT '',          -- who evaluates it: host pid starttime
  measured TEXT NOT NULL DEFAULT '',       -- JSON: all numbers but the first output, by name
  CHECK ((state = 'done') = (value IS NOT NULL)),
  CHECK ((state = 'pending') = (sequence IS NULL))
) STRICT;
INSERT INTO trial SELECT id, params, state, origin, value, error, asked_at, told_at, sequence, owner, measured FROM old_trial;
DROP TABLE old_trial;
CREATE INDEX trial_unfinished ON trial (state) WHERE state <> 'done';
CREATE INDEX trial_initial ON trial (id) WHERE origin = 'initial';
)sql",
    // A bit that a disk has turned over is noticed, and so is a row that is not there any more.
    R"sql(
ALTER TABLE study ADD COLUMN trials INTEGER NOT NULL DEFAULT 0;      -- rows of the table "trial"
ALTER TABLE study ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;    -- of the other columns, here and below
ALTER TABLE trial ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE learned ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE note ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
UPDATE study SET trials = (SELECT coalesce(max(id), 0) FROM trial);
)sql",
    // Outcomes can be put right, and what they were is kept.
    R"sql(
CREATE TABLE amendment (
  id INTEGER PRIMARY KEY,                  -- 1, 2, … without gaps
  trial INTEGER NOT NULL REFERENCES trial (id),
  at REAL NOT NULL,                        -- seconds since 1970
  reason TEXT NOT NULL,
  old_state TEXT NOT NULL, old_value REAL, old_measured TEXT NOT NULL, old_error TEXT NOT NULL,  -- as in the table "trial"
  state TEXT NOT NULL, value REAL, measured TEXT NOT NULL, error TEXT NOT NULL,
  checksum INTEGER NOT NULL DEFAULT 0
) STRICT;
)sql",
    // Points that people want tried.
    R"sql(
CREATE TABLE queue (
  id INTEGER PRIMARY KEY AUTOINCREMENT,    -- those that came before have smaller ones, and none is used twice
  params TEXT NOT NULL UNIQUE,             -- JSON: {"name": value, …}
  at REAL NOT NULL,                        -- seconds since 1970
  checksum INTEGER NOT NULL DEFAULT 0
) STRICT;
)sql",
    // What is searched can change. Trials keep the values of parameters that are gone.
    R"sql(
CREATE TABLE space_change (
  id INTEGER PRIMARY KEY,                  -- 1, 2, … without gaps
  at REAL NOT NULL,                        -- seconds since 1970
  old_space TEXT NOT NULL,                 -- JSON, as in the table "study"
  space TEXT NOT NULL,                     -- JSON, what it became
  removed TEXT NOT NULL,                   -- JSON: {"name": value, …} of the parameters that are gone by then
  words TEXT NOT NULL,                     -- what changed, a line each
  checksum INTEGER NOT NULL DEFAULT 0
) STRICT;
)sql",
    // What is expected before anything is observed.
    R"sql(
CREATE TABLE prior (
  id INTEGER PRIMARY KEY,                  -- 1, 2, … without gaps; the last one holds
  at REAL NOT NULL,                        -- seconds since 1970
  document TEXT NOT NULL,                  -- JSON, as the study's model writes it; empty: none from then on
  checksum INTEGER NOT NULL DEFAULT 0
) STRICT;
)sql",
    // An evaluation may end before the first output is known: then there is no value, and others are among what was measured.
    // Amendments refer to trials, so both tables are made anew.
    R"sql(
ALTER TABLE amendment RENAME TO old_amendment;
ALTER TABLE trial RENAME TO old_trial;
DROP INDEX trial_unfinished;
DROP INDEX trial_initial;
CREATE TABLE trial (
  id INTEGER PRIMARY KEY,                  -- 1, 2, … without gaps
  params TEXT NOT NULL,                    -- JSON: {"name": value, …}
  state TEXT NOT NULL CHECK (state IN ('pending', 'done', 'failed', 'abandoned')),
  origin TEXT NOT NULL,                    -- which part of the study chose it
  value REAL,                              -- of the first output, in the user's own direction; none: it was not measured
  error TEXT NOT NULL DEFAULT '',
  asked_at REAL NOT NULL,
  told_at REAL NOT NULL DEFAULT 0,
  sequence INTEGER UNIQUE,                 -- the order of telling
  owner TEXT NOT NULL DEFAULT '',          -- who evaluates it: host pid starttime
  measured TEXT NOT NULL DEFAULT '',       -- JSON: all numbers but the first output, by name
  checksum INTEGER NOT NULL DEFAULT 0,
  CHECK (state = 'done' OR value IS NULL),
  CHECK ((state = 'pending') = (sequence IS NULL))
) STRICT;
INSERT INTO trial (id, params, state, origin, value, error, asked_at, told_at, sequence, owner, measured, checksum)
  SELECT id, params, state, origin, value, error, asked_at, told_at, sequence, owner, measured, checksum FROM old_trial;
CREATE TABLE amendment (
  id INTEGER PRIMARY KEY,                  -- 1, 2, … without gaps
  trial INTEGER NOT NULL REFERENCES trial (id),
  at REAL NOT NULL,                        -- seconds since 1970
  reason TEXT NOT NULL,
  old_state TEXT NOT NULL, old_value REAL, old_measured TEXT NOT NULL, old_error TEXT NOT NULL,  -- as in the table "trial"
  state TEXT NOT NULL, value REAL, measured TEXT NOT NULL, error TEXT NOT NULL,
  checksum INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO amendment
  (id, trial, at, reason, old_state, old_value, old_measured, old_error, state, value, measured, error, checksum)
  SELECT id, trial, at, reason, old_state, old_value, old_measured, old_error, state, value, measured, error, checksum
  FROM old_amendment;
DROP TABLE old_amendment;
DROP TABLE old_trial;
CREATE INDEX trial_unfinished ON trial (state) WHERE state <> 'done';
CREATE INDEX trial_initial ON trial (id) WHERE origin = 'initial';
)sql"};
constexpr std::int64_t kDocuments = 5, kChecksums = 7;  // the versions with them

}  // namespace

std::int64_t schema_version() { return std::ssize(kSteps); }

void migrate(Database& database) {
  Transaction transaction(database, Transaction::Kind::write);
  const std::int64_t before = database.pragma("user_version");
  for (std::int64_t version = before; version < schema_version(); ++version) {
    database.run(kSteps[static_cast<std::size_t>(version)]);
    if (version + 1 == kDocuments) move_to_documents(database);
  }
  if (before < kChecksums)  // otherwise there are some, and what is damaged is not sealed again
    for (const Sealed& table : kSealed) seal(database, table);
  database.run(fmt::format("PRAGMA user_version = {}", schema_version()));
  transaction.commit();
}

void seal(Database& database, const Sealed& table) {
  database.run(fmt::format("UPDATE {} SET checksum = row_hash({})", table.name, table.columns));
}

void say_damaged(const Database& database, const std::string& what, const std::string& problem) {
  throw StoreError(fmt::format(
      "{}: {} is damaged: {}. Restore a copy of the file; \"salvo check\" says what else is wrong and saves what is whole",
      database.path(), what, problem));
}

Definition read_definition(Database& database) {
  auto row = database.query(fmt::format("SELECT space, outputs, options, {} FROM study", kStudyRow.is_whole()));
  if (!row.next()) throw std::invalid_argument("it is empty");
  require_whole(row, 3);
  Definition out{.space = space_from_json(row.text(0)), .outputs = {}, .options = row.text(2)};
  for (const Tree& name : parse_json(row.text(1)).items) out.outputs.push_back(name.text);
  auto change =
      database.query(fmt::format("SELECT removed, {}, id FROM space_change ORDER BY id DESC LIMIT 1", kSpaceRow.is_whole()));
  if (change.next()) {
    require_whole(change, 1);
    out.removed = named_from_json(change.text(0));
    out.changes = change.integer(2);
  }
  return out;
}

void write_definition(Database& database, const Definition& definition) {
  Tree outputs = Tree::list();
  for (const std::string& name : definition.outputs) outputs.items.push_back(Tree::of(name));
  database
      .query("INSERT INTO study (id, space, outputs, options, created_at) VALUES (1, ?, ?, ?, ?)",
             space_to_json(definition.space), to_json(outputs), definition.options, seconds_since_1970())
      .run();
  seal(database, kStudyRow);
}

}  // namespace salvo
