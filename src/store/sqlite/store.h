#pragma once
#include <memory>

#include "store/filled_in.h"
#include "store/sqlite/schema.h"
#include "store/sqlite/sqlite.h"
#include "store/sqlite/turn.h"
#include "store/store.h"

namespace salvo {

// A study in one SQLite file. Every call is one transaction, and it is on disk when the call returns.
class SqliteStore : public Store {
 public:
  // Appears at `path` complete or not at all; throws StoreError when something is there.
  static std::unique_ptr<SqliteStore> create(const std::string& path, const Definition& definition);
  // Brings an older schema up to date. Leaves a file that it refuses byte by byte as it was.
  static std::unique_ptr<SqliteStore> open(const std::string& path);

  static StudyCheck check(const std::string& path);

  [[nodiscard]] const std::string& url() const override { return database_->path(); }
  [[nodiscard]] const Definition& definition() const override { return definition_; }
  void set_options(const std::string& options) override;
  Moved set_space(const NewSpace& wanted) override;
  [[nodiscard]] std::vector<SpaceChange> space_changes() override;
  [[nodiscard]] Snapshot snapshot(std::int64_t after, std::int64_t known_learned) override;
  [[nodiscard]] std::unique_ptr<Turn> take_turn() override { return take_file_turn(database_->file()); }
  [[nodiscard]] std::optional<std::vector<Trial>> claim(std::int64_t ask, std::span<const NewTrial> points,
                                                        const Learned* learned, const std::string& owner,
                                                        std::span<const std::int64_t> unqueued) override;
  std::int64_t enqueue(std::span<const Params> points) override;
  std::int64_t unqueue(std::span<const std::int64_t> ids) override;
  [[nodiscard]] std::vector<Queued> queue() override;
  void tell(std::span<const Told> outcomes) override;
  std::vector<std::int64_t> add_all(std::span<const Params> points, std::span<const Outcome> outcomes,
                                    bool tells_pending) override;
  void amend(std::span<const Correction> corrections) override;
  [[nodiscard]] std::vector<Amendment> amendments() override;
  void set_prior(const std::string& document) override;
  [[nodiscard]] std::vector<KeptPrior> priors() override;
  std::vector<Trial> claim_orphans(const std::string& owner) override;
  [[nodiscard]] Counts counts() override;
  [[nodiscard]] std::vector<Trial> trials() override;
  [[nodiscard]] std::vector<Trial> pending() override;
  [[nodiscard]] std::vector<Trial> told_last(int count) override;
  [[nodiscard]] std::optional<Trial> trial(std::int64_t id) override;
  void backup(const std::string& path) override;
  void set_notes(const std::map<std::string, std::string>& texts) override;
  [[nodiscard]] std::optional<std::string> note(const std::string& key) override;
  [[nodiscard]] std::map<std::string, std::string> notes(const std::string& prefix) override;

 private:
  SqliteStore(std::unique_ptr<Database> database, Definition definition)
      : database_(std::move(database)), definition_(std::move(definition)) {}

  // Asked of the database with the text that follows "FROM trial".
  template <class... Args>
  std::vector<Trial> select(std::string_view rest, const Args&... args);
  template <class Read>
  auto of_trial(const Query& row, Read read) const;
  static const std::string& read_trial_columns();
  [[nodiscard]] Trial read_trial(const Query& row) const;  // of these columns; throws std::logic_error
  void check_trials(StudyCheck& out);
  [[nodiscard]] std::optional<Outcome> outcome(const Query& row, int first) const;  // of state, value, measured, error
  [[nodiscard]] std::string measured(const Values& values) const;
  std::int64_t number(std::string_view sql);
  std::optional<Learned> learned(std::int64_t known);

  struct Tally {
    std::int64_t asks = 0, tells = 0, trials = 0, changes = 0;
  };
  void amend(const Correction& correction, Tally& now);
  void revive(std::int64_t id, Tally& now);
  Tally tally();      // throws StoreError when the space is not the one that was opened
  Tally any_tally();  // goes on without the points: see read_point
  void require_current(const Tally& known);
  [[nodiscard]] Kept read_point(const std::string& text) const;
  void fill_in(const ByName& values, const Space& space, const FilledByName& wrong, FilledByName filled);
  void write_notes(const std::map<std::string, std::string>& texts);
  std::int64_t move_queue(const Definition& before, const ByName& values);
  void write(const Tally& now);
  template <class... Args>
  void seal(const Sealed& table, std::string_view where = "", const Args&... args);
  std::vector<Trial> waiting(const Tally& known);
  std::vector<Queued> read_queue();
  std::int64_t remove_queued(std::span<const std::int64_t> ids);
  std::optional<Trial> find(std::int64_t id, const Tally& known);
  [[noreturn]] void damaged(const std::string& what, const std::string& problem) const;

  std::unique_ptr<Database> database_;
  Definition definition_;
  bool stale_ = false;  // another process has changed the space: points cannot be read
};

// What is read from a trial's row, whose first column is its id.
template <class Read>
auto SqliteStore::of_trial(const Query& row, Read read) const {
  return reading(*database_, fmt::format("trial {}", row.integer(0)), read);
}

// Writes the checksums of the rows that were changed, before the transaction ends.
template <class... Args>
void SqliteStore::seal(const Sealed& table, std::string_view where, const Args&... args) {
  database_->query(fmt::format("UPDATE {} SET checksum = row_hash({}) {}", table.name, table.columns, where), args...).run();
}

template <class... Args>
std::vector<Trial> SqliteStore::select(std::string_view rest, const Args&... args) {
  std::vector<Trial> trials;
  auto row = database_->query(fmt::format("SELECT {} FROM trial {}", read_trial_columns(), rest), args...);
  while (row.next()) trials.push_back(of_trial(row, [&] { return read_trial(row); }));
  return trials;
}

}  // namespace salvo
