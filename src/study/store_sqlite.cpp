#include <fmt/format.h>
#include <salvo/error.h>

#include <cstring>
#include <filesystem>

#include "study/json.h"
#include "study/outcome.h"
#include "study/owner.h"
#include "study/schema.h"
#include "study/sqlite.h"
#include "study/store.h"
#include "study/store_file.h"

namespace salvo {
namespace {

constexpr std::int64_t kCheckedBytes = 16 << 20;  // a file of this size is checked whole in some 20 ms

TrialState state_from(std::string_view name) {
  for (const auto state : {TrialState::pending, TrialState::done, TrialState::failed})
    if (name == to_string(state)) return state;
  return TrialState::abandoned;
}

Origin origin_from(std::string_view name) {
  for (const auto origin : {Origin::initial, Origin::model})
    if (name == to_string(origin)) return origin;
  return Origin::told;
}

}  // namespace

struct Store::Impl {
  std::string path;
  std::unique_ptr<Database> database;
  StudyOptions options;

  // Asked of the database with the text that follows "FROM trial".
  template <class... Args>
  std::vector<Trial> select(std::string_view rest, const Args&... args) {
    std::vector<Trial> trials;
    auto row = database->query(
        fmt::format("SELECT id, params, state, origin, value, error, asked_at, told_at FROM trial {}", rest), args...);
    while (row.next()) {
      trials.push_back({.id = row.integer(0),
                        .params = params(row, 0, 1),
                        .state = state_from(row.text(2)),
                        .origin = origin_from(row.text(3)),
                        .value = row.null(4) ? std::nullopt : std::optional(row.real(4)),
                        .error = row.text(5),
                        .asked_at = row.real(6),
                        .told_at = row.real(7)});
    }
    return trials;
  }

  Params params(const Query& row, int id, int column) const {
    return reading(*database, fmt::format("trial {}", row.integer(id)),
                   [&] { return params_from_json(options.space, row.text(column)); });
  }

  std::int64_t number(std::string_view sql) {
    auto row = database->query(sql);
    return row.next() ? row.integer(0) : 0;
  }

  std::vector<Observation> observations(std::int64_t after) {
    std::vector<Observation> out;
    auto row = database->query(
        "SELECT id, sequence, params, value, origin FROM trial WHERE sequence > ? AND state = 'done' ORDER BY sequence", after);
    while (row.next())
      out.push_back({row.integer(0), row.integer(1), params(row, 0, 2), row.real(3), row.text(4) == to_string(Origin::model)});
    return out;
  }

  std::optional<Learned> learned(std::int64_t known) {
    auto row = database->query(
        "SELECT ask, sequence, num_observations, settings, centre, scale, lowest, hyper, num_inducing, inducing FROM learned "
        "WHERE ask <> ?",
        known);
    if (!row.next()) return std::nullopt;
    const bool pool = options.pool.has_value();
    Learned out{.ask = row.integer(0),
                .sequence = row.integer(1),
                .num_observations = row.integer(2),
                .settings = row.text(3),
                .anchor = {row.real(4), row.real(5), row.real(6)}};
    if (!pool) reading(*database, "the table \"learned\"", [&] { learned_from_json(row.text(7), out); });
    const auto blob = row.blob(9);
    if (pool) {
      out.pool = reading(*database, "the table \"learned\"", [&] { return pool_learned_from_json(row.text(7)); });
      out.pool->inducing.resize(blob.size() / sizeof(std::int64_t));
      std::memcpy(out.pool->inducing.data(), blob.data(), out.pool->inducing.size() * sizeof(std::int64_t));
      return out;
    }
    out.Z.resize(row.integer(8), options.space.num_dims());
    if (blob.size() != static_cast<std::size_t>(out.Z.size()) * sizeof(double)) {
      reading(*database, "the table \"learned\"", [] { throw std::invalid_argument("inducing points of the wrong size"); });
    }
    if (!blob.empty()) std::memcpy(out.Z.data(), blob.data(), blob.size());
    return out;
  }

  void store(const Learned& learned) {
    database
        ->query(
            "INSERT OR REPLACE INTO learned (id, ask, sequence, num_observations, settings, centre, scale, lowest, hyper, "
            "num_inducing, inducing) VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            learned.ask, learned.sequence, learned.num_observations, learned.settings, learned.anchor.centre,
            learned.anchor.scale, learned.anchor.lowest,
            learned.pool ? pool_learned_to_json(*learned.pool) : learned_to_json(learned),
            learned.pool ? std::ssize(learned.pool->inducing) : static_cast<std::int64_t>(learned.Z.rows()),
            learned.pool ? std::as_bytes(std::span<const std::int64_t>(learned.pool->inducing))
                         : std::as_bytes(std::span(learned.Z.data(), static_cast<std::size_t>(learned.Z.size()))))
        .run();
  }
};

Store::Store(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

const std::string& Store::path() const { return impl_->path; }
const StudyOptions& Store::options() const { return impl_->options; }

Store Store::create(const std::string& path, const StudyOptions& options) {
  const auto build = [&](const std::string& at) {
    auto database = std::make_unique<Database>(at, Database::Mode::create);
    database->run(fmt::format("PRAGMA application_id = {}", kApplicationId));
    migrate(*database);
    write_study(*database, options);
    (void)database->pragma("journal_mode = WAL");  // stays with the file
    database->keep_log(false);
    return database;
  };
  if (path == ":memory:") return Store(std::unique_ptr<Impl>(new Impl{path, build(path), options}));
  create_whole_file(path, [&](const std::string& temporary) { build(temporary); });
  return open(path, options.pool);
}

Store Store::open(const std::string& path, const std::optional<Pool>& pool) {
  inspect_study_file(path, schema_version());
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
  auto options = reading(*database, "the table \"study\"", [&] { return read_options(*database, pool); });
  database->keep_log(false);
  return Store(std::unique_ptr<Impl>(new Impl{path, std::move(database), std::move(options)}));
}

void Store::set_options(const StudyOptions& options) {
  update_study(*impl_->database, options);
  impl_->options = options;
}

Store::Snapshot Store::snapshot(std::int64_t after, std::int64_t known_learned) {
  Transaction transaction(*impl_->database, Transaction::Kind::read);
  Snapshot out{.asks = impl_->number("SELECT asks FROM study"),
               .num_initial = impl_->number("SELECT count(*) FROM trial WHERE origin = 'initial'"),
               .learned = impl_->learned(known_learned),
               .observations = impl_->observations(after)};
  auto row = impl_->database->query("SELECT id, params FROM trial WHERE state <> 'done' AND state = 'pending' ORDER BY id");
  while (row.next()) out.pending.push_back(impl_->params(row, 0, 1));
  if (impl_->options.pool) {
    auto failed =
        impl_->database->query("SELECT id, params FROM trial WHERE state <> 'done' AND state = 'failed' AND sequence > ?", after);
    while (failed.next()) out.failed.push_back(impl_->params(failed, 0, 1));
  }
  return out;
}

std::optional<std::vector<Trial>> Store::claim(std::int64_t ask, std::span<const NewTrial> points, const Learned* learned,
                                               const std::string& owner) {
  Database& database = *impl_->database;
  Transaction transaction(database, Transaction::Kind::write);
  if (impl_->number("SELECT asks FROM study") != ask) return std::nullopt;
  database.query("UPDATE study SET asks = asks + 1").run();
  if (learned) impl_->store(*learned);
  std::int64_t id = impl_->number("SELECT max(id) FROM trial");
  const double time = seconds_since_1970();
  std::vector<Trial> trials;
  for (const auto& [params, origin] : points) {
    database
        .query("INSERT INTO trial (id, params, state, origin, asked_at, owner) VALUES (?, ?, 'pending', ?, ?, ?)", ++id,
               params_to_json(impl_->options.space, params), to_string(origin), time, owner)
        .run();
    trials.push_back({.id = id, .params = params, .origin = origin, .asked_at = time});
  }
  transaction.commit();
  return trials;
}

void Store::tell(std::span<const Outcome> outcomes) {
  Database& database = *impl_->database;
  Transaction transaction(database, Transaction::Kind::write);
  std::int64_t sequence = impl_->number("SELECT tells FROM study");
  for (const Outcome& outcome : outcomes) {
    validate(outcome);
    const auto found = impl_->select("WHERE id = ?", outcome.id);
    if (found.empty()) {
      throw std::invalid_argument(fmt::format("tell: there is no trial {}; the study has {}. Nothing was changed", outcome.id,
                                              impl_->number("SELECT max(id) FROM trial")));
    }
    if (found[0].state != TrialState::pending) refuse_second(found[0]);
    const auto state = outcome.value ? TrialState::done : outcome.abandoned ? TrialState::abandoned : TrialState::failed;
    database
        .query("UPDATE trial SET state = ?, value = ?, error = ?, told_at = ?, sequence = ? WHERE id = ?", to_string(state),
               outcome.value, outcome.error, seconds_since_1970(), ++sequence, outcome.id)
        .run();
  }
  database.query("UPDATE study SET tells = ?", sequence).run();
  transaction.commit();
}

std::vector<std::int64_t> Store::add(std::span<const Params> points, std::span<const double> values) {
  Database& database = *impl_->database;
  Transaction transaction(database, Transaction::Kind::write);
  std::int64_t id = impl_->number("SELECT max(id) FROM trial");
  std::int64_t sequence = impl_->number("SELECT tells FROM study");
  const double time = seconds_since_1970();
  std::vector<std::int64_t> ids;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (impl_->options.pool) {
      auto waiting = database.query("SELECT id FROM trial WHERE state <> 'done' AND state = 'pending' AND params = ?",
                                    params_to_json(impl_->options.space, points[i]));
      if (waiting.next()) {
        ids.push_back(waiting.integer(0));
        database
            .query("UPDATE trial SET state = 'done', value = ?, told_at = ?, sequence = ? WHERE id = ?", values[i], time,
                   ++sequence, ids.back())
            .run();
        continue;
      }
    }
    database
        .query(
            "INSERT INTO trial (id, params, state, origin, value, asked_at, told_at, sequence) "
            "VALUES (?, ?, 'done', 'told', ?, ?, ?, ?)",
            ++id, params_to_json(impl_->options.space, points[i]), values[i], time, time, ++sequence)
        .run();
    ids.push_back(id);
  }
  database.query("UPDATE study SET tells = ?", sequence).run();
  transaction.commit();
  return ids;
}

std::vector<Trial> Store::claim_orphans(const std::string& owner) {
  Database& database = *impl_->database;
  Transaction transaction(database, Transaction::Kind::write);
  std::vector<std::string> dead;
  {
    auto row = database.query("SELECT DISTINCT owner FROM trial WHERE state <> 'done' AND state = 'pending' AND owner <> ''");
    while (row.next()) {
      if (is_dead(row.text(0))) dead.push_back(row.text(0));
    }
  }
  for (const std::string& gone : dead) {
    database.query("UPDATE trial SET owner = ? WHERE state <> 'done' AND state = 'pending' AND owner = ?", owner, gone).run();
  }
  auto trials = impl_->select("WHERE state <> 'done' AND state = 'pending' AND owner = ? ORDER BY id", owner);
  transaction.commit();
  return trials;
}

Counts Store::counts() {
  Transaction transaction(*impl_->database, Transaction::Kind::read);
  Counts counts;
  auto row = impl_->database->query("SELECT state, count(*) FROM trial WHERE state <> 'done' GROUP BY state");
  while (row.next()) {
    const auto state = state_from(row.text(0));
    (state == TrialState::pending  ? counts.pending
     : state == TrialState::failed ? counts.failed
                                   : counts.abandoned) = row.integer(1);
  }
  counts.done = impl_->number("SELECT max(id) FROM trial") - counts.total();  // ids have no gaps
  return counts;
}

std::vector<Trial> Store::trials() { return impl_->select("ORDER BY id"); }
std::vector<Trial> Store::pending() { return impl_->select("WHERE state <> 'done' AND state = 'pending' ORDER BY id"); }

std::int64_t Store::num_told() { return impl_->number("SELECT count(*) FROM trial WHERE origin = 'told'"); }

std::vector<Params> Store::initial_points() {
  std::vector<Params> points;
  for (Trial& trial : impl_->select("WHERE origin = 'initial' ORDER BY id")) points.push_back(std::move(trial.params));
  return points;
}

std::optional<Trial> Store::trial(std::int64_t id) {
  auto found = impl_->select("WHERE id = ?", id);
  return found.empty() ? std::nullopt : std::optional(std::move(found[0]));
}

void Store::set_note(const std::string& key, const std::string& value) {
  impl_->database->query("INSERT OR REPLACE INTO note (key, value) VALUES (?, ?)", key, value).run();
}

std::optional<std::string> Store::note(const std::string& key) {
  auto row = impl_->database->query("SELECT value FROM note WHERE key = ?", key);
  return row.next() ? std::optional(row.text(0)) : std::nullopt;
}

}  // namespace salvo
