#pragma once
#include <salvo/study.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "study/learned.h"

namespace salvo {

// The study on disk. Every call is one transaction: it happens whole or not at all, and it is on disk when the call
// returns. Throws StoreError with the path, SQLite's own words and what to do.
class Store {
 public:
  // Appears at `path` complete or not at all; throws StoreError when something is there. ":memory:" keeps it in memory.
  static Store create(const std::string& path, const StudyOptions& options);
  // Brings an older schema up to date. Leaves a file that it refuses byte by byte as it was.
  // A study over a pool opens the pool as well, or takes `pool` for it, and refuses one that has changed since.
  static Store open(const std::string& path, const std::optional<Pool>& pool = std::nullopt);
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  ~Store();

  [[nodiscard]] const std::string& path() const;
  [[nodiscard]] const StudyOptions& options() const;
  void set_options(const StudyOptions& options);  // name, batch, initial design, model; the rest never changes

  struct Observation {
    std::int64_t id = 0, sequence = 0;
    Params params;
    double value = 0;
    bool chosen = true;  // by a model, rather than by the design or somebody else
  };
  // What an ask needs to know, read at one moment.
  struct Snapshot {
    std::int64_t asks = 0;                  // so far
    std::int64_t num_initial = 0;           // trials of the initial design so far
    std::optional<Learned> learned;         // by the latest ask that learned, when that is not `known_learned`
    std::vector<Observation> observations;  // told after number `after`, in the order told
    std::vector<Params> pending{};
    std::vector<Params> failed{};  // of a study over a pool, told after number `after`
  };
  [[nodiscard]] Snapshot snapshot(std::int64_t after, std::int64_t known_learned);

  struct NewTrial {
    Params params;
    Origin origin = Origin::initial;
  };
  // Hands out trials as ask number `ask`, with what it learned (or null). None when another process asked meanwhile:
  // then nothing has changed, and the ask must be computed again from a new snapshot.
  [[nodiscard]] std::optional<std::vector<Trial>> claim(std::int64_t ask, std::span<const NewTrial> points,
                                                        const Learned* learned, const std::string& owner);

  void tell(std::span<const Outcome> outcomes);
  // Over a pool, a point that is pending is told by it.
  std::vector<std::int64_t> add(std::span<const Params> points, std::span<const double> values);
  std::vector<Trial> claim_orphans(const std::string& owner);

  [[nodiscard]] Counts counts();
  [[nodiscard]] std::vector<Trial> trials();
  [[nodiscard]] std::vector<Trial> pending();
  [[nodiscard]] std::int64_t num_told();               // trials evaluated elsewhere and handed in; looks at every trial
  [[nodiscard]] std::vector<Params> initial_points();  // of all trials of the initial design
  [[nodiscard]] std::optional<Trial> trial(std::int64_t id);
  void set_note(const std::string& key, const std::string& value);
  [[nodiscard]] std::optional<std::string> note(const std::string& key);

 private:
  struct Impl;
  explicit Store(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace salvo
