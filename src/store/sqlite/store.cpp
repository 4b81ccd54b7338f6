#include "store/sqlite/store.h"

#include <fmt/format.h>
#include <salvo/error.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "space/json.h"
#include "store/outcome.h"
#include "store/owner.h"
#include "store/sqlite/file.h"
#include "store/sqlite/schema.h"
#include "text/json.h"
#include "text/leftovers.h"

namespace salvo {
namespace {

constexpr std::int64_t kCheckedBytes = 16 << 20;  // a file of this size is checked whole in some 20 ms

}  // namespace

void SqliteStore::damaged(const std::string& what, const std::string& problem) const { say_damaged(*database_, what, problem); }

SqliteStore::Tally SqliteStore::tally() {
  const Tally known = any_tally();
  require_current(known);
  return known;
}

// Of the table "study": how often was asked and told, how many trials there are.
SqliteStore::Tally SqliteStore::any_tally() {
  static const std::string sql = fmt::format(
      "SELECT {}, asks, tells, trials, (SELECT coalesce(max(id), 0) FROM space_change) FROM study", kStudyRow.is_whole());
  auto row = database_->query(sql);
  return reading(*database_, "the table \"study\"", [&] {
    if (!row.next()) throw std::invalid_argument("it is empty");
    require_whole(row, 0);
    const Tally out{row.integer(1), row.integer(2), row.integer(3), row.integer(4)};
    stale_ = out.changes != definition_.changes;
    if (out.asks < 0 || out.tells < 0 || out.trials < out.tells)
      throw std::invalid_argument(
          fmt::format("expected counts that agree, got {} asks, {} trials, {} outcomes", out.asks, out.trials, out.tells));
    return out;
  });
}

void SqliteStore::write(const Tally& now) {
  database_->query("UPDATE study SET asks = ?, tells = ?, trials = ?", now.asks, now.tells, now.trials).run();
  seal(kStudyRow);
}

const std::string& SqliteStore::read_trial_columns() {
  static const std::string columns =
      fmt::format("id, {}, params, origin, asked_at, told_at, state, value, measured, error, owner", kTrialRow.is_whole());
  return columns;
}

Trial SqliteStore::read_trial(const Query& row) const {
  require_whole(row, 1);
  if (!std::isfinite(row.real(4)) || !std::isfinite(row.real(5))) throw std::invalid_argument("expected times that are finite");
  Kept point = read_point(row.text(2));
  return Trial{.id = row.integer(0),
               .params = std::move(point.params),
               .source = parse<Source>(row.text(3)),
               .outcome = outcome(row, 6),
               .asked_at = row.real(4),
               .told_at = row.real(5),
               .outside = point.outside,
               .owner = row.text(10)};
}

std::int64_t SqliteStore::number(std::string_view sql) {
  auto row = database_->query(sql);
  return row.next() ? row.integer(0) : 0;
}

std::optional<Learned> SqliteStore::learned(std::int64_t known) {
  static const std::string sql =
      fmt::format("SELECT ask, sequence, settings, document, arrays, {} FROM learned WHERE ask <> ?", kLearnedRow.is_whole());
  auto row = database_->query(sql, known);
  if (!row.next()) return std::nullopt;
  return reading(*database_, "what was learned (the table \"learned\")", [&] {
    require_whole(row, 5);
    const auto blob = row.blob(4);
    return Learned{row.integer(0), row.integer(1), row.text(2), row.text(3), {blob.begin(), blob.end()}};
  });
}

std::unique_ptr<SqliteStore> SqliteStore::create(const std::string& path, const Definition& definition) {
  create_whole_file(path, [&](const std::string& temporary) {
    Database database(temporary, Database::Mode::create);
    database.run(fmt::format("PRAGMA application_id = {}", kApplicationId));
    migrate(database);
    write_definition(database, definition);
    (void)database.pragma("journal_mode = WAL");  // stays with the file
    database.keep_log(false);
  });
  return open(path);
}

std::unique_ptr<SqliteStore> SqliteStore::open(const std::string& path) {
  inspect_study_file(path, schema_version());
  remove_leftovers(path);  // a process may die between giving the file its name and tidying up
  auto database = std::make_unique<Database>(path, Database::Mode::open);
  if (database->read_only()) throw StoreError(path + ": the file is read-only. Make it and its folder writable");
  const std::int64_t version = database->pragma("user_version");  // the header lacks what is still in the log
  {
    auto journal = database->query("PRAGMA journal_mode");
    if (journal.next() && journal.text(0) == "wal") database->watch_log();
  }
  if (version > schema_version()) {
    throw StoreError(
        fmt::format("{}: was written by a newer Salvo: its schema has version {}, this program knows up to {}. "
                    "Use the newer program",
                    path, version, schema_version()));
  }
  if (std::filesystem::file_size(path) <= kCheckedBytes) {
    auto report = database->query("PRAGMA quick_check(1)");
    if (report.next() && report.text(0) != "ok") {
      throw StoreError(
          fmt::format("{}: the file is damaged: {}. Restore a copy, or save what can be read: sqlite3 FILE "
                      ".recover | sqlite3 NEW",
                      path, report.text(0)));
    }
  }
  if (version < schema_version()) migrate(*database);
  Definition definition = reading(*database, "the table \"study\"", [&] {
    const Transaction one_moment(*database, Transaction::Kind::read);
    return read_definition(*database);
  });
  database->keep_log(false);
  return std::unique_ptr<SqliteStore>(new SqliteStore(std::move(database), std::move(definition)));
}

void SqliteStore::set_options(const std::string& options) {
  Transaction transaction(*database_, Transaction::Kind::write);
  (void)tally();  // what is damaged is not sealed again
  database_->query("UPDATE study SET options = ?", options).run();
  seal(kStudyRow);
  transaction.commit();
  definition_.options = options;
}

Store::Snapshot SqliteStore::snapshot(std::int64_t after, std::int64_t known_learned) {
  Transaction transaction(*database_, Transaction::Kind::read);
  const Tally known = tally();
  Snapshot out{.asks = known.asks,
               .num_initial = number("SELECT count(*) FROM trial WHERE origin = 'initial'"),
               .learned = learned(known_learned),
               .amendments = number("SELECT coalesce(max(id), 0) FROM amendment"),
               .priors = number("SELECT coalesce(max(id), 0) FROM prior")};
  static const std::string sql = fmt::format(
      "SELECT id, {}, sequence, params, origin, state, value, measured, error FROM trial WHERE sequence > ? ORDER BY sequence",
      kTrialRow.is_whole());
  auto told = database_->query(sql, after);
  std::int64_t last = after;
  while (told.next()) {
    out.records.push_back(of_trial(told, [&] {
      require_whole(told, 1);
      Kept point = read_point(told.text(3));
      return Record{
          told.integer(0), told.integer(2), std::move(point.params), outcome(told, 5).value(), parse<Source>(told.text(4)),
          point.outside};
    }));
    if (out.records.back().sequence != last + 1) break;
    ++last;
  }
  if (last != after + std::ssize(out.records) || last != std::max(after, known.tells))
    damaged("the table \"trial\"", fmt::format("outcome {} is not there, of {} that were told", last + 1, known.tells));
  for (Trial& trial : waiting(known)) out.pending.push_back(std::move(trial.params));
  out.queue = read_queue();
  return out;
}

// The pending trials; as many as the study says, or one has disappeared, and its point would be handed out again.
std::vector<Trial> SqliteStore::waiting(const Tally& known) {
  auto out = select("WHERE state <> 'done' AND state = 'pending' ORDER BY id");
  if (std::ssize(out) != known.trials - known.tells)
    damaged("the table \"trial\"",
            fmt::format("it has {} pending trials, and the study {}", out.size(), known.trials - known.tells));
  return out;
}

std::optional<std::vector<Trial>> SqliteStore::claim(std::int64_t ask, std::span<const NewTrial> points, const Learned* learned,
                                                     const std::string& owner, std::span<const std::int64_t> unqueued) {
  Transaction transaction(*database_, Transaction::Kind::write);
  Tally now = tally();
  if (now.asks != ask) return std::nullopt;
  (void)remove_queued(unqueued);
  if (learned) {
    database_
        ->query("INSERT OR REPLACE INTO learned (id, ask, sequence, settings, document, arrays) VALUES (1, ?, ?, ?, ?, ?)",
                learned->ask, learned->sequence, learned->settings, learned->document,
                std::span<const std::byte>(learned->arrays))
        .run();
    seal(kLearnedRow);
  }
  const double time = seconds_since_1970();
  const std::int64_t before = now.trials;
  std::vector<Trial> trials;
  for (const auto& [params, source] : points) {
    database_
        ->query("INSERT INTO trial (id, params, state, origin, asked_at, owner) VALUES (?, ?, 'pending', ?, ?, ?)", ++now.trials,
                params_to_json(definition_.space, params), to_string(source), time, owner)
        .run();
    trials.push_back({.id = now.trials, .params = params, .source = source, .asked_at = time, .owner = owner});
  }
  seal(kTrialRow, "WHERE id > ?", before);
  ++now.asks;
  write(now);
  transaction.commit();
  return trials;
}

void SqliteStore::tell(std::span<const Told> outcomes) {
  Transaction transaction(*database_, Transaction::Kind::write);
  Tally now = any_tally();  // what was evaluated is told, whatever became of the space
  const std::int64_t before = now.tells;
  for (const Told& told : outcomes) {
    validate(told, definition_.outputs);
    require_pending(find(told.id, now), told.id, now.trials);
    const auto* values = std::get_if<Values>(&told.outcome);
    const auto* failure = std::get_if<Failure>(&told.outcome);
    const auto state = values ? TrialState::done : failure ? TrialState::failed : TrialState::abandoned;
    database_
        ->query("UPDATE trial SET state = ?, value = ?, measured = ?, error = ?, told_at = ?, sequence = ? WHERE id = ?",
                to_string(state), values ? std::optional(values->outputs[0]) : std::nullopt, values ? measured(*values) : "",
                failure ? failure->reason : "", seconds_since_1970(), ++now.tells, told.id)
        .run();
    seal(kTrialRow, "WHERE id = ?", told.id);  // at once: the same trial may come again in this call, and is read again
  }
  if (now.tells != before) write(now);
  transaction.commit();
}

std::vector<std::int64_t> SqliteStore::add_all(std::span<const Params> points, std::span<const Outcome> outcomes,
                                               bool tells_pending) {
  Transaction transaction(*database_, Transaction::Kind::write);
  Tally now = tally();
  const std::int64_t before = now.tells;
  const double time = seconds_since_1970();
  std::vector<std::int64_t> ids;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::string params = params_to_json(definition_.space, points[i]);
    const auto* values = std::get_if<Values>(&outcomes[i]);
    const auto state = to_string(Trial{.outcome = outcomes[i]}.state());
    const std::optional<double> value = values ? std::optional(values->outputs[0]) : std::nullopt;
    const std::string others = values ? measured(*values) : "", error = Trial{.outcome = outcomes[i]}.error();
    if (tells_pending) {
      const auto found = select("WHERE state <> 'done' AND state = 'pending' AND params = ? LIMIT 1", params);
      if (!found.empty()) {
        ids.push_back(found[0].id);
        database_
            ->query("UPDATE trial SET state = ?, value = ?, measured = ?, error = ?, told_at = ?, sequence = ? WHERE id = ?",
                    state, value, others, error, time, ++now.tells, ids.back())
            .run();
        continue;
      }
    }
    database_
        ->query(
            "INSERT INTO trial (id, params, state, origin, value, measured, error, asked_at, told_at, sequence) "
            "VALUES (?, ?, ?, 'told', ?, ?, ?, ?, ?, ?)",
            ++now.trials, params, state, value, others, error, time, time, ++now.tells)
        .run();
    ids.push_back(now.trials);
  }
  seal(kTrialRow, "WHERE sequence > ?", before);
  write(now);
  transaction.commit();
  return ids;
}

std::vector<Trial> SqliteStore::claim_orphans(const std::string& owner) {
  Transaction transaction(*database_, Transaction::Kind::write);
  std::vector<std::string> dead;
  {
    auto row = database_->query("SELECT DISTINCT owner FROM trial WHERE state <> 'done' AND state = 'pending' AND owner <> ''");
    while (row.next()) {
      if (is_dead(row.text(0))) dead.push_back(row.text(0));
    }
  }
  (void)waiting(tally());  // what is damaged is not sealed again
  for (const std::string& gone : dead) {
    database_->query("UPDATE trial SET owner = ? WHERE state <> 'done' AND state = 'pending' AND owner = ?", owner, gone).run();
  }
  if (!dead.empty()) seal(kTrialRow, "WHERE state <> 'done' AND state = 'pending' AND owner = ?", owner);
  auto trials = select("WHERE state <> 'done' AND state = 'pending' AND owner = ? ORDER BY id", owner);
  transaction.commit();
  return trials;
}

Counts SqliteStore::counts() {
  Transaction transaction(*database_, Transaction::Kind::read);
  const Tally known = any_tally();
  Counts counts;
  auto row = database_->query("SELECT state, count(*) FROM trial WHERE state <> 'done' GROUP BY state");
  while (row.next()) {
    const auto state = parse<TrialState>(row.text(0));
    (state == TrialState::pending  ? counts.pending
     : state == TrialState::failed ? counts.failed
                                   : counts.abandoned) = row.integer(1);
  }
  if (counts.pending != known.trials - known.tells)
    damaged("the table \"trial\"",
            fmt::format("it has {} pending trials, and the study {}", counts.pending, known.trials - known.tells));
  counts.done = known.trials - counts.total();
  return counts;
}

std::vector<Trial> SqliteStore::trials() {
  Transaction transaction(*database_, Transaction::Kind::read);
  const Tally known = tally();
  auto out = select("ORDER BY id");
  for (std::int64_t id = 1; id <= known.trials; ++id)
    if (id > std::ssize(out) || out[static_cast<std::size_t>(id - 1)].id != id)
      damaged(fmt::format("trial {}", id), fmt::format("it is not there, of {} trials", known.trials));
  if (std::ssize(out) != known.trials)
    damaged("the table \"trial\"", fmt::format("it has {} rows, and the study {} trials", out.size(), known.trials));
  return out;
}

std::vector<Trial> SqliteStore::pending() {
  Transaction transaction(*database_, Transaction::Kind::read);
  return waiting(tally());
}

std::vector<Trial> SqliteStore::told_last(int count) {
  Transaction transaction(*database_, Transaction::Kind::read);
  return select("WHERE sequence IS NOT NULL ORDER BY sequence DESC LIMIT ?", std::int64_t{count});
}

std::optional<Trial> SqliteStore::trial(std::int64_t id) {
  Transaction transaction(*database_, Transaction::Kind::read);
  return find(id, tally());
}

std::optional<Trial> SqliteStore::find(std::int64_t id, const Tally& known) {
  auto found = select("WHERE id = ?", id);
  if (!found.empty()) return std::move(found[0]);
  if (id >= 1 && id <= known.trials)
    damaged(fmt::format("trial {}", id), fmt::format("it is not there, of {} trials", known.trials));
  return std::nullopt;
}

void SqliteStore::backup(const std::string& path) {
  for (const char* part : {"-wal", "-shm", "-journal"}) {
    if (path.ends_with(part))
      throw StoreError(fmt::format("{}: SQLite takes a file of this name for its own. Name another", path));
    if (!std::filesystem::exists(path) && std::filesystem::exists(path + part))
      throw StoreError(fmt::format("{0}: {0}{1} is there, left of a study that was {0}. Name another file", path, part));
  }
  create_whole_file(path, [&](const std::string& temporary) {
    database_->query("VACUUM INTO ?", temporary).run();  // all at one moment
    Database copy(temporary, Database::Mode::open);
    (void)copy.pragma("journal_mode = WAL");
    copy.keep_log(false);
  });
}

}  // namespace salvo
