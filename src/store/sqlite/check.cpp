#include <fmt/format.h>
#include <salvo/error.h>

#include <functional>

#include "store/owner.h"
#include "store/sqlite/file.h"
#include "store/sqlite/store.h"

namespace salvo {
namespace {

// What cannot be read is damage, too, and the rest is looked at all the same.
void attempt(StudyCheck& out, const std::string& what, const std::function<void()>& look) {
  try {
    look();
  } catch (const StoreError& error) {  // SQLite's words
    out.damage.push_back(fmt::format("{}: {}", what, error.what()));
  } catch (const std::logic_error& error) {
    out.damage.push_back(fmt::format("{}: {}", what, error.what()));
  }
}

void check_pages(Database& database, StudyCheck& out) {
  auto report = database.query("PRAGMA integrity_check(20)");
  while (report.next())
    if (report.text(0) != "ok") out.damage.push_back("SQLite: " + report.text(0));
}

void check_seals(Database& database, const Sealed& table, const std::string& key, StudyCheck& out) {
  auto row = database.query(fmt::format("SELECT {}, {} FROM {}", key, table.is_whole(), table.name));
  while (row.next())
    if (row.integer(1) != 1)
      out.damage.push_back(fmt::format("the table \"{}\", row {}: its checksum is wrong", table.name, row.text(0)));
}

void check_owners(Database& database, StudyCheck& out) {
  auto row = database.query("SELECT owner, count(*) FROM trial WHERE state = 'pending' AND owner <> '' GROUP BY owner");
  while (row.next()) {
    if (!is_dead(row.text(0))) continue;
    const bool one = row.integer(1) == 1;
    out.notes.push_back(fmt::format("{} pending {} to a run that has ended ({}): the next run takes {} over", row.integer(1),
                                    one ? "trial belongs" : "trials belong", row.text(0), one ? "it" : "them"));
  }
}

// "trials 5 to 9 are not there" for each gap.
void check_gaps(const std::vector<std::int64_t>& ids, std::int64_t num_trials, StudyCheck& out) {
  std::int64_t expected = 1;
  const auto gap = [&](std::int64_t end) {
    if (expected + 1 == end) out.damage.push_back(fmt::format("trial {}: it is not there", expected));
    if (expected + 1 < end) out.damage.push_back(fmt::format("trials {} to {}: they are not there", expected, end - 1));
  };
  for (const std::int64_t id : ids) {
    gap(id);
    expected = id + 1;
  }
  gap(num_trials + 1);
  if (expected > num_trials + 1)
    out.damage.push_back(fmt::format("trial {}: the study has {} trials only", expected - 1, num_trials));
}

}  // namespace

StudyCheck SqliteStore::check(const std::string& path) {
  inspect_study_file(path, schema_version());
  auto opened = std::make_unique<Database>(path, Database::Mode::open);
  Database& database = *opened;
  std::unique_ptr<SqliteStore> store;
  const Transaction one_moment(database, Transaction::Kind::read);  // others may go on writing
  StudyCheck out;
  attempt(out, "SQLite", [&] { check_pages(database, out); });
  std::int64_t version = 0;
  attempt(out, "SQLite", [&] { version = database.pragma("user_version"); });
  if (version < schema_version()) {
    out.notes.push_back("an earlier version of Salvo wrote it, without checksums; they come when it is used next");
    return out;
  }
  Definition definition;
  attempt(out, "the table \"study\"", [&] {
    definition = read_definition(database);
    out.space = definition.space;
    out.outputs = definition.outputs;
  });
  attempt(out, "the table \"learned\"", [&] { check_seals(database, kLearnedRow, "id", out); });
  attempt(out, "the table \"note\"", [&] { check_seals(database, kNoteRow, "key", out); });
  attempt(out, "the table \"space_change\"", [&] { check_seals(database, kSpaceRow, "id", out); });
  attempt(out, "the table \"queue\"", [&] { check_seals(database, kQueueRow, "id", out); });
  attempt(out, "the table \"prior\"", [&] { check_seals(database, kPriorRow, "id", out); });
  attempt(out, "the table \"amendment\"", [&] {
    check_seals(database, kAmendmentRow, "id", out);
    auto row = database.query("SELECT count(*), coalesce(max(id), 0) FROM amendment");
    if (row.next() && row.integer(0) != row.integer(1))
      out.damage.push_back(fmt::format("the table \"amendment\": {} are there, of {}", row.integer(0), row.integer(1)));
  });
  if (!out.space) return out;
  store.reset(new SqliteStore(std::move(opened), std::move(definition)));
  attempt(out, "the table \"trial\"", [&] { store->check_trials(out); });
  attempt(out, "the table \"trial\"", [&] { check_owners(database, out); });
  return out;
}

void SqliteStore::check_trials(StudyCheck& out) {
  Tally known;
  attempt(out, "the table \"study\"", [&] { known = tally(); });
  out.num_trials = known.trials;
  std::vector<std::int64_t> ids;
  attempt(out, "the table \"trial\"", [&] {
    auto row = database_->query(fmt::format("SELECT {} FROM trial ORDER BY id", read_trial_columns()));
    while (row.next()) {
      ids.push_back(row.integer(0));
      attempt(out, fmt::format("trial {}", row.integer(0)), [&] { out.whole.push_back(read_trial(row)); });
    }
  });
  check_gaps(ids, known.trials, out);
  const std::int64_t told = number("SELECT count(*) FROM trial WHERE sequence > 0");
  if (told != known.tells) out.damage.push_back(fmt::format("{} outcomes are there, of {} that were told", told, known.tells));
}

}  // namespace salvo
