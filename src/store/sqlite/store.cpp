#include "store/sqlite/store.h"

#include <fmt/format.h>
#include <salvo/error.h>

#include <algorithm>
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

// What is read from a trial's row, whose first column is its id.
template <class Read>
auto SqliteStore::of_trial(const Query& row, Read read) const {
  return reading(*database_, fmt::format("trial {}", row.integer(0)), read);
}

template <class... Args>
std::vector<Trial> SqliteStore::select(std::string_view rest, const Args&... args) {
  std::vector<Trial> trials;
  auto row = database_->query(
      fmt::format("SELECT id, params, origin, asked_at, told_at, state, value, measured, error FROM trial {}", rest), args...);
  while (row.next()) {
    trials.push_back(of_trial(row, [&] {
      return Trial{.id = row.integer(0),
                   .params = params_from_json(definition_.space, row.text(1)),
                   .source = parse<Source>(row.text(2)),
                   .outcome = outcome(row, 5),
                   .asked_at = row.real(3),
                   .told_at = row.real(4)};
    }));
  }
  return trials;
}

std::optional<Outcome> SqliteStore::outcome(const Query& row, int first) const {
  switch (parse<TrialState>(row.text(first))) {
    case TrialState::pending:
      return std::nullopt;
    case TrialState::failed:
      return Failure{row.text(first + 3)};
    case TrialState::abandoned:
      return Abandoned{};
    case TrialState::done:
      break;
  }
  Values values{{row.real(first + 1)}};
  const std::string text = row.text(first + 2);
  if (text.empty()) return values;
  const Tree measured = parse_json(text);
  const std::vector<std::string>& names = definition_.outputs;
  for (std::size_t i = 1; i < names.size(); ++i) values.outputs.push_back(number_of(measured, names[i]));
  for (const std::string& name : measured.keys)
    if (std::find(names.begin(), names.end(), name) == names.end()) values.others[name] = number_of(measured, name);
  return values;
}

// All but the first output, by name; empty when there is nothing else.
std::string SqliteStore::measured(const Values& values) const {
  Tree out;
  for (std::size_t i = 1; i < values.outputs.size(); ++i) out.add(definition_.outputs[i], Tree::of(values.outputs[i]));
  for (const auto& [name, value] : values.others) out.add(name, Tree::of(value));
  return out.items.empty() ? "" : to_json(out);
}

std::int64_t SqliteStore::number(std::string_view sql) {
  auto row = database_->query(sql);
  return row.next() ? row.integer(0) : 0;
}

std::optional<Learned> SqliteStore::learned(std::int64_t known) {
  auto row = database_->query("SELECT ask, sequence, settings, document, arrays FROM learned WHERE ask <> ?", known);
  if (!row.next()) return std::nullopt;
  const auto blob = row.blob(4);
  return Learned{row.integer(0), row.integer(1), row.text(2), row.text(3), {blob.begin(), blob.end()}};
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
  Definition definition = reading(*database, "the table \"study\"", [&] { return read_definition(*database); });
  database->keep_log(false);
  return std::unique_ptr<SqliteStore>(new SqliteStore(std::move(database), std::move(definition)));
}

void SqliteStore::set_options(const std::string& options) {
  database_->query("UPDATE study SET options = ?", options).run();
  definition_.options = options;
}

Store::Snapshot SqliteStore::snapshot(std::int64_t after, std::int64_t known_learned) {
  Transaction transaction(*database_, Transaction::Kind::read);
  Snapshot out{.asks = number("SELECT asks FROM study"),
               .num_initial = number("SELECT count(*) FROM trial WHERE origin = 'initial'"),
               .learned = learned(known_learned)};
  auto told = database_->query(
      "SELECT id, sequence, params, origin, state, value, measured, error FROM trial WHERE sequence > ? ORDER BY sequence",
      after);
  while (told.next()) {
    out.records.push_back(of_trial(told, [&] {
      return Record{told.integer(0), told.integer(1), params_from_json(definition_.space, told.text(2)), outcome(told, 4).value(),
                    parse<Source>(told.text(3))};
    }));
  }
  auto row = database_->query("SELECT id, params FROM trial WHERE state <> 'done' AND state = 'pending' ORDER BY id");
  while (row.next()) out.pending.push_back(of_trial(row, [&] { return params_from_json(definition_.space, row.text(1)); }));
  return out;
}

std::optional<std::vector<Trial>> SqliteStore::claim(std::int64_t ask, std::span<const NewTrial> points, const Learned* learned,
                                                     const std::string& owner) {
  Transaction transaction(*database_, Transaction::Kind::write);
  if (number("SELECT asks FROM study") != ask) return std::nullopt;
  database_->query("UPDATE study SET asks = asks + 1").run();
  if (learned) {
    database_
        ->query("INSERT OR REPLACE INTO learned (id, ask, sequence, settings, document, arrays) VALUES (1, ?, ?, ?, ?, ?)",
                learned->ask, learned->sequence, learned->settings, learned->document,
                std::span<const std::byte>(learned->arrays))
        .run();
  }
  std::int64_t id = number("SELECT max(id) FROM trial");
  const double time = seconds_since_1970();
  std::vector<Trial> trials;
  for (const auto& [params, source] : points) {
    database_
        ->query("INSERT INTO trial (id, params, state, origin, asked_at, owner) VALUES (?, ?, 'pending', ?, ?, ?)", ++id,
                params_to_json(definition_.space, params), to_string(source), time, owner)
        .run();
    trials.push_back({.id = id, .params = params, .source = source, .asked_at = time});
  }
  transaction.commit();
  return trials;
}

void SqliteStore::tell(std::span<const Told> outcomes) {
  Transaction transaction(*database_, Transaction::Kind::write);
  std::int64_t sequence = number("SELECT tells FROM study");
  for (const Told& told : outcomes) {
    validate(told, definition_.outputs);
    auto found = select("WHERE id = ?", told.id);
    require_pending(found.empty() ? std::nullopt : std::optional(std::move(found[0])), told.id,
                    number("SELECT max(id) FROM trial"));
    const auto* values = std::get_if<Values>(&told.outcome);
    const auto* failure = std::get_if<Failure>(&told.outcome);
    const auto state = values ? TrialState::done : failure ? TrialState::failed : TrialState::abandoned;
    database_
        ->query("UPDATE trial SET state = ?, value = ?, measured = ?, error = ?, told_at = ?, sequence = ? WHERE id = ?",
                to_string(state), values ? std::optional(values->outputs[0]) : std::nullopt, values ? measured(*values) : "",
                failure ? failure->reason : "", seconds_since_1970(), ++sequence, told.id)
        .run();
  }
  database_->query("UPDATE study SET tells = ?", sequence).run();
  transaction.commit();
}

std::vector<std::int64_t> SqliteStore::add(std::span<const Params> points, std::span<const Values> values, bool tells_pending) {
  Transaction transaction(*database_, Transaction::Kind::write);
  std::int64_t id = number("SELECT max(id) FROM trial");
  std::int64_t sequence = number("SELECT tells FROM study");
  const double time = seconds_since_1970();
  std::vector<std::int64_t> ids;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::string params = params_to_json(definition_.space, points[i]);
    if (tells_pending) {
      auto waiting = database_->query("SELECT id FROM trial WHERE state <> 'done' AND state = 'pending' AND params = ?", params);
      if (waiting.next()) {
        ids.push_back(waiting.integer(0));
        database_
            ->query("UPDATE trial SET state = 'done', value = ?, measured = ?, told_at = ?, sequence = ? WHERE id = ?",
                    values[i].outputs[0], measured(values[i]), time, ++sequence, ids.back())
            .run();
        continue;
      }
    }
    database_
        ->query(
            "INSERT INTO trial (id, params, state, origin, value, measured, asked_at, told_at, sequence) "
            "VALUES (?, ?, 'done', 'told', ?, ?, ?, ?, ?)",
            ++id, params, values[i].outputs[0], measured(values[i]), time, time, ++sequence)
        .run();
    ids.push_back(id);
  }
  database_->query("UPDATE study SET tells = ?", sequence).run();
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
  for (const std::string& gone : dead) {
    database_->query("UPDATE trial SET owner = ? WHERE state <> 'done' AND state = 'pending' AND owner = ?", owner, gone).run();
  }
  auto trials = select("WHERE state <> 'done' AND state = 'pending' AND owner = ? ORDER BY id", owner);
  transaction.commit();
  return trials;
}

Counts SqliteStore::counts() {
  Transaction transaction(*database_, Transaction::Kind::read);
  Counts counts;
  auto row = database_->query("SELECT state, count(*) FROM trial WHERE state <> 'done' GROUP BY state");
  while (row.next()) {
    const auto state = parse<TrialState>(row.text(0));
    (state == TrialState::pending  ? counts.pending
     : state == TrialState::failed ? counts.failed
                                   : counts.abandoned) = row.integer(1);
  }
  counts.done = number("SELECT max(id) FROM trial") - counts.total();  // ids have no gaps
  return counts;
}

std::vector<Trial> SqliteStore::trials() { return select("ORDER BY id"); }
std::vector<Trial> SqliteStore::pending() { return select("WHERE state <> 'done' AND state = 'pending' ORDER BY id"); }

std::optional<Trial> SqliteStore::trial(std::int64_t id) {
  auto found = select("WHERE id = ?", id);
  return found.empty() ? std::nullopt : std::optional(std::move(found[0]));
}

void SqliteStore::set_note(const std::string& key, const std::string& value) {
  database_->query("INSERT OR REPLACE INTO note (key, value) VALUES (?, ?)", key, value).run();
}

std::optional<std::string> SqliteStore::note(const std::string& key) {
  auto row = database_->query("SELECT value FROM note WHERE key = ?", key);
  return row.next() ? std::optional(row.text(0)) : std::nullopt;
}

}  // namespace salvo
