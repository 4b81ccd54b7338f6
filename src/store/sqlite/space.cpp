#include <fmt/chrono.h>

#include <ctime>

#include "space/json.h"
#include "store/kept.h"
#include "store/outcome.h"
#include "store/sqlite/store.h"
#include "text/json.h"

namespace salvo {

// Where the space never changed, what does not fit is damage.
Kept SqliteStore::read_point(const std::string& text) const {
  if (stale_) return {};
  if (definition_.changes == 0) return {params_from_json(definition_.space, text), false};
  return kept_in(definition_, named_from_json(text));
}

void SqliteStore::require_current(const Tally& known) {
  stale_ = known.changes != definition_.changes;
  if (!stale_) return;
  auto row = database_->query("SELECT max(at) FROM space_change");
  const double at = row.next() ? row.real(0) : 0;
  throw StoreError(fmt::format(
      "{}: another process has changed the parameters of the study, on {:%Y-%m-%d at %H:%M:%S} UTC. Outcomes of trials "
      "can still be told; for all else open the study again (or start the same command again)",
      url(), fmt::gmtime(static_cast<std::time_t>(at))));
}

Store::Moved SqliteStore::set_space(const NewSpace& wanted) {
  const FilledByName wrong = filled_otherwise(*this, wanted.space, wanted.before);
  const FilledByName alike = filled_alike(*this, wanted.before);
  Transaction transaction(*database_, Transaction::Kind::write);
  Tally now = tally();  // who has changed what was filled in meanwhile has changed the space
  const Definition before = definition_;
  const Definition after = with_space(definition_, wanted.space);
  const std::vector<Trial> trials = select("ORDER BY id");  // what is damaged is not sealed again
  if (!trials.empty() || !read_queue().empty()) require_before(definition_, wanted);
  fill_in(wanted.before, after.space, wrong, alike);
  Tree words = Tree::list();
  for (const std::string& line : wanted.words) words.items.push_back(Tree::of(line));
  Moved out;
  definition_ = after;
  try {
    // What was handed out cannot be recorded any more when it is no point of the study.
    for (const Trial& trial : waiting(now))
      if (trial.outside) out.abandoned.push_back(trial.id);
    for (const std::int64_t id : out.abandoned) {
      database_
          ->query("UPDATE trial SET state = 'abandoned', told_at = ?, sequence = ? WHERE id = ?", seconds_since_1970(),
                  ++now.tells, id)
          .run();
      seal(kTrialRow, "WHERE id = ?", id);
    }
    out.unqueued = move_queue(before, wanted.before);
    database_->query("DELETE FROM learned").run();
    database_->query("UPDATE study SET space = ?", space_to_json(after.space)).run();
    database_
        ->query("INSERT INTO space_change (id, at, old_space, space, removed, words) VALUES (?, ?, ?, ?, ?, ?)", after.changes,
                seconds_since_1970(), space_to_json(before.space), space_to_json(after.space), named_to_json(after.removed),
                to_json(words))
        .run();
    seal(kSpaceRow, "WHERE id = ?", after.changes);
    ++now.asks;  // one that is being computed would hand out points of the old space
    write(now);
    transaction.commit();
  } catch (...) {
    definition_ = before;
    throw;
  }
  return out;
}

// Trials that have no value of a parameter get one, and those that got a wrong one another; those that it was taken from once
// have theirs still.
void SqliteStore::fill_in(const ByName& values, const Space& space, const FilledByName& wrong, FilledByName filled) {
  ByName wanted = values;
  std::erase_if(wanted, [&](const auto& each) { return space.find(each.first) < 0; });
  if (wanted.empty()) return;
  std::vector<std::pair<std::int64_t, std::string>> rows;
  {
    auto row = database_->query("SELECT id, params FROM trial ORDER BY id");
    while (row.next()) rows.emplace_back(row.integer(0), row.text(1));
  }
  for (const auto& [id, text] : rows) {
    const ByName missing = to_fill_in(id, named_from_json(text), wanted, wrong, filled);
    if (!missing.empty()) database_->query("UPDATE trial SET params = ? WHERE id = ?", with_values(text, missing), id).run();
  }
  seal(kTrialRow);
  write_notes(to_notes(filled));
}

// In the new space's words, in the same order and with the same numbers, without those outside.
std::int64_t SqliteStore::move_queue(const Definition& before, const ByName& values) {
  std::int64_t gone = 0;
  std::vector<std::pair<std::int64_t, std::string>> rows;
  {
    auto row = database_->query(fmt::format("SELECT id, params, {} FROM queue ORDER BY id", kQueueRow.is_whole()));
    while (row.next()) {
      reading(*database_, fmt::format("point {} of the queue", row.integer(0)), [&] { require_whole(row, 2); });
      ByName point = named(before.space, params_from_json(before.space, row.text(1)));
      point.insert(values.begin(), values.end());
      const Kept kept = kept_in(definition_, point);
      rows.emplace_back(row.integer(0), kept.outside ? "" : params_to_json(definition_.space, kept.params));
    }
  }
  for (const auto& [id, text] : rows) {
    if (text.empty()) {
      database_->query("DELETE FROM queue WHERE id = ?", id).run();
      ++gone;
    } else {
      database_->query("UPDATE queue SET params = ? WHERE id = ?", text, id).run();
      seal(kQueueRow, "WHERE id = ?", id);
    }
  }
  return gone;
}

std::vector<SpaceChange> SqliteStore::space_changes() {
  Transaction transaction(*database_, Transaction::Kind::read);
  std::vector<SpaceChange> out;
  auto row = database_->query(
      fmt::format("SELECT id, at, old_space, space, words, {} FROM space_change ORDER BY id", kSpaceRow.is_whole()));
  while (row.next()) {
    out.push_back(reading(*database_, fmt::format("change {} of the space", row.integer(0)), [&] {
      require_whole(row, 5);
      SpaceChange change{row.real(1), space_from_json(row.text(2)), space_from_json(row.text(3))};
      for (const Tree& line : parse_json(row.text(4)).items) change.words.push_back(line.text);
      return change;
    }));
  }
  return out;
}

}  // namespace salvo
