#include "store/outcome.h"
#include "store/sqlite/store.h"

namespace salvo {

void SqliteStore::set_prior(const std::string& document) {
  Transaction transaction(*database_, Transaction::Kind::write);
  Tally now = tally();
  database_->query("INSERT INTO prior (at, document) VALUES (?, ?)", seconds_since_1970(), document).run();
  seal(kPriorRow, "WHERE id = (SELECT max(id) FROM prior)");
  database_->query("DELETE FROM learned").run();
  ++now.asks;  // one that is being computed goes by the one before
  write(now);
  transaction.commit();
}

std::vector<KeptPrior> SqliteStore::priors() {
  Transaction transaction(*database_, Transaction::Kind::read);
  std::vector<KeptPrior> out;
  auto row = database_->query(fmt::format("SELECT at, document, {} FROM prior ORDER BY id", kPriorRow.is_whole()));
  while (row.next()) {
    out.push_back(reading(*database_, "the table \"prior\"", [&] {
      require_whole(row, 2);
      return KeptPrior{row.real(0), row.text(1)};
    }));
  }
  return out;
}

}  // namespace salvo
