#include "space/json.h"
#include "store/outcome.h"
#include "store/sqlite/store.h"

namespace salvo {

std::vector<Queued> SqliteStore::read_queue() {
  static const std::string sql = fmt::format("SELECT id, {}, params FROM queue ORDER BY id", kQueueRow.is_whole());
  std::vector<Queued> out;
  auto row = database_->query(sql);
  while (row.next()) {
    out.push_back(reading(*database_, fmt::format("point {} of the queue", row.integer(0)), [&] {
      require_whole(row, 1);
      return Queued{row.integer(0), params_from_json(definition_.space, row.text(2))};
    }));
  }
  return out;
}

std::vector<Queued> SqliteStore::queue() {
  Transaction transaction(*database_, Transaction::Kind::read);
  (void)tally();  // the space is the one that was opened
  return read_queue();
}

std::int64_t SqliteStore::enqueue(std::span<const Params> points) {
  Transaction transaction(*database_, Transaction::Kind::write);
  (void)tally();
  std::int64_t added = 0;
  for (const Params& point : points) {
    const std::string params = params_to_json(definition_.space, point);
    auto known = database_->query("SELECT 1 FROM queue WHERE params = ?", params);
    if (known.next()) continue;
    database_->query("INSERT INTO queue (params, at) VALUES (?, ?)", params, seconds_since_1970()).run();
    seal(kQueueRow, "WHERE params = ?", params);
    ++added;
  }
  transaction.commit();
  return added;
}

std::int64_t SqliteStore::remove_queued(std::span<const std::int64_t> ids) {
  std::int64_t removed = 0;
  for (const std::int64_t id : ids) {
    database_->query("DELETE FROM queue WHERE id = ?", id).run();
    removed += number("SELECT changes()");
  }
  return removed;
}

std::int64_t SqliteStore::unqueue(std::span<const std::int64_t> ids) {
  Transaction transaction(*database_, Transaction::Kind::write);
  Tally now = tally();
  const std::int64_t removed = remove_queued(ids);
  if (removed > 0) {
    ++now.asks;  // one that is being computed would hand them out
    write(now);
  }
  transaction.commit();
  return removed;
}

}  // namespace salvo
