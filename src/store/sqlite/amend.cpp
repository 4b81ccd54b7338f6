#include <fmt/format.h>

#include "store/outcome.h"
#include "store/sqlite/store.h"

namespace salvo {
namespace {

TrialState state_of(const std::optional<Outcome>& outcome) { return Trial{.outcome = outcome}.state(); }

}  // namespace

void SqliteStore::amend(std::span<const Correction> corrections) {
  if (corrections.empty()) return;
  Transaction transaction(*database_, Transaction::Kind::write);
  Tally now = tally();
  for (const Correction& correction : corrections) amend(correction, now);
  now.asks += std::ssize(corrections);  // one that is being computed goes by what was wrong
  write(now);
  transaction.commit();
}

void SqliteStore::amend(const Correction& correction, Tally& now) {
  const auto* values = correction.outcome ? std::get_if<Values>(&*correction.outcome) : nullptr;
  if (values) validate(*values, definition_.outputs, fmt::format("trial {}", correction.id));
  const std::optional<Trial> trial = find(correction.id, now);
  require_correctable(trial, correction, now.trials);
  if (comes_back(*trial, correction)) require_free(*trial, waiting(now));
  const auto* failure = correction.outcome ? std::get_if<Failure>(&*correction.outcome) : nullptr;
  const auto state = to_string(state_of(correction.outcome));
  const std::optional<double> value = values ? std::optional(values->outputs[0]) : std::nullopt;
  const std::string others = values ? measured(*values) : "", error = failure ? failure->reason : "";
  database_
      ->query(
          "INSERT INTO amendment (trial, at, reason, old_state, old_value, old_measured, old_error, state, value, measured, "
          "error) "
          "SELECT id, ?, ?, state, value, measured, error, ?, ?, ?, ? FROM trial WHERE id = ?",
          seconds_since_1970(), correction.reason, state, value, others, error, correction.id)
      .run();
  seal(kAmendmentRow, "WHERE id = (SELECT max(id) FROM amendment)");
  // What was learned before an outcome came knows nothing of it; but one that goes away gives its number to another.
  const char* seen = correction.outcome ? "DELETE FROM learned WHERE sequence >= (SELECT sequence FROM trial WHERE id = ?)"
                                        : "DELETE FROM learned WHERE ? > 0";
  database_->query(seen, correction.id).run();
  if (!correction.outcome) return revive(correction.id, now);
  database_
      ->query("UPDATE trial SET state = ?, value = ?, measured = ?, error = ? WHERE id = ?", state, value, others, error,
              correction.id)
      .run();
  seal(kTrialRow, "WHERE id = ?", correction.id);
}

// It has no outcome any more, and numbers of outcomes have no gaps: the last one takes its place.
void SqliteStore::revive(std::int64_t id, Tally& now) {
  std::int64_t place = 0;
  {
    auto row = database_->query("SELECT sequence FROM trial WHERE id = ?", id);
    if (row.next()) place = row.integer(0);
  }
  database_
      ->query(
          "UPDATE trial SET state = 'pending', value = NULL, measured = '', error = '', told_at = 0, sequence = NULL WHERE id = "
          "?",
          id)
      .run();
  seal(kTrialRow, "WHERE id = ?", id);
  if (place != now.tells) {
    (void)select("WHERE sequence = ?", now.tells);  // what is damaged is not sealed again
    database_->query("UPDATE trial SET sequence = ? WHERE sequence = ?", place, now.tells).run();
    seal(kTrialRow, "WHERE sequence = ?", place);
  }
  --now.tells;
}

std::vector<Amendment> SqliteStore::amendments() {
  Transaction transaction(*database_, Transaction::Kind::read);
  std::vector<Amendment> out;
  auto row =
      database_->query(fmt::format("SELECT {}, {} FROM amendment ORDER BY id", kAmendmentRow.columns, kAmendmentRow.is_whole()));
  while (row.next()) {
    out.push_back(reading(*database_, fmt::format("amendment {}", row.integer(0)), [&] {
      require_whole(row, 12);
      return Amendment{row.integer(1), row.real(2), row.text(3), outcome(row, 4).value(), outcome(row, 8)};
    }));
  }
  return out;
}

}  // namespace salvo
