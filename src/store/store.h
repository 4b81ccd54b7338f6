#pragma once
#include <salvo/check.h>
#include <salvo/space.h>
#include <salvo/trial.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "text/learned.h"

namespace salvo {

// What a study is, as a store keeps it: what its trials' parameters and outputs are called, and its options as a document of
// their writer's own.
struct Definition {
  Space space;
  std::vector<std::string> outputs;
  std::string options;  // JSON
  // Parameters that the study had once, and the values that they have since: trials with others are outside.
  std::map<std::string, Value> removed{};
  std::int64_t changes = 0;  // of the space, so far
};

// What a study was told to expect before it began to look, as its searcher writes it.
struct KeptPrior {
  double at = 0;           // seconds since 1970
  std::string document{};  // JSON; empty: nothing from then on
};

// While it lives it is somebody's turn to ask.
class Turn {
 public:
  virtual ~Turn() = default;
};

// Where a study lives: its trials, its asks, and texts by name. It knows nothing of models. Every call happens whole or not at
// all, and what it returned from is kept. Throws StoreError with the place, the system's own words and what to do.
class Store {
 public:
  virtual ~Store() = default;

  [[nodiscard]] virtual const std::string& url() const = 0;
  [[nodiscard]] virtual const Definition& definition() const = 0;
  virtual void set_options(const std::string& options) = 0;  // what is measured never changes

  // Another space, with the same trials. `before` has values for parameters that are new, of trials that have none; one that is
  // gone must have been fixed, or std::invalid_argument. Pending trials that are outside now are abandoned, such points leave the
  // queue, what was learned is forgotten, and an ask that is being computed must be computed again. Who opened the store before
  // may tell outcomes, and gets a StoreError from all else that speaks of points.
  struct NewSpace {
    Space space{};
    std::map<std::string, Value> before{};
    std::vector<std::string> words{};  // for the history
  };
  struct Moved {
    std::vector<std::int64_t> abandoned{};  // trials
    std::int64_t unqueued = 0;              // points
  };
  virtual Moved set_space(const NewSpace& wanted) = 0;
  [[nodiscard]] virtual std::vector<SpaceChange> space_changes() = 0;  // in the order they were made

  // What an ask needs to know, read at one moment.
  struct Snapshot {
    std::int64_t asks = 0;             // so far
    std::int64_t num_initial = 0;      // trials of the initial design so far
    std::optional<Learned> learned{};  // by the latest ask that learned, when that is not `known_learned`
    std::vector<Record> records{};     // whose outcome came after number `after`, in the order they came
    std::vector<Params> pending{};
    std::vector<Queued> queue{};
    std::int64_t amendments = 0;  // so far: with another one than before, all that was read before is void
    std::int64_t priors = 0;      // so far, in the same sense
  };
  [[nodiscard]] virtual Snapshot snapshot(std::int64_t after, std::int64_t known_learned) = 0;

  // Asks take turns, from snapshot to claim: otherwise a long one would be computed again and again beside short ones. Waits
  // for those that came before, in their order, looking for Ctrl-C; not for ever, and not where there is no way to wait: then
  // there is no turn, and claim alone keeps asks apart. Only asks wait.
  [[nodiscard]] virtual std::unique_ptr<Turn> take_turn() = 0;

  struct NewTrial {
    Params params;
    Source source = Source::initial;
  };
  // Hands out the points as trials of ask number `ask` and keeps what that ask learned, in one step. None when another process
  // has asked meanwhile: then nothing was changed, and the ask must be computed again from a new snapshot. `unqueued` are the
  // numbers of points that leave the queue with it.
  [[nodiscard]] virtual std::optional<std::vector<Trial>> claim(std::int64_t ask, std::span<const NewTrial> points,
                                                                const Learned* learned, const std::string& owner,
                                                                std::span<const std::int64_t> unqueued = {}) = 0;

  // The queue: points that people want tried next, in the order they came. Those that are in it already are left out; how many
  // came in.
  virtual std::int64_t enqueue(std::span<const Params> points) = 0;
  // Takes them out again; numbers that are not there any more are passed over. How many there were.
  virtual std::int64_t unqueue(std::span<const std::int64_t> ids) = 0;
  [[nodiscard]] virtual std::vector<Queued> queue() = 0;

  // Throws std::invalid_argument, and changes nothing, when a trial is unknown or has an outcome, or a value is not finite.
  virtual void tell(std::span<const Told> outcomes) = 0;
  // Puts outcomes right; see require_correctable. What was learned from them is forgotten, and an ask that is being computed
  // meanwhile must be computed again.
  virtual void amend(std::span<const Correction> corrections) = 0;
  [[nodiscard]] virtual std::vector<Amendment> amendments() = 0;  // in the order they were made
  // Another prior takes the place of the one before, or nothing does. What was learned is forgotten, and an ask that is being
  // computed meanwhile must be computed again.
  virtual void set_prior(const std::string& document) = 0;
  [[nodiscard]] virtual std::vector<KeptPrior> priors() = 0;  // in the order they came; the last one holds
  // Points evaluated elsewhere, with values or failures: their ids. With `tells_pending` a point that is pending is told by it.
  virtual std::vector<std::int64_t> add_all(std::span<const Params> points, std::span<const Outcome> outcomes,
                                            bool tells_pending) = 0;
  std::vector<std::int64_t> add(std::span<const Params> points, std::span<const Values> values, bool tells_pending) {
    return add_all(points, std::vector<Outcome>(values.begin(), values.end()), tells_pending);
  }
  // Gives the pending trials of dead owners (see owner.h) to this one; returns all that it has.
  virtual std::vector<Trial> claim_orphans(const std::string& owner) = 0;

  [[nodiscard]] virtual Counts counts() = 0;
  [[nodiscard]] virtual std::vector<Trial> trials() = 0;              // by id
  [[nodiscard]] virtual std::vector<Trial> pending() = 0;             // by id
  [[nodiscard]] virtual std::vector<Trial> told_last(int count) = 0;  // the newest outcomes, the latest first
  [[nodiscard]] virtual std::optional<Trial> trial(std::int64_t id) = 0;
  // A copy of all of it at one moment, as a file of its own, while others go on. Throws StoreError when something is there.
  virtual void backup(const std::string& path) = 0;
  void set_note(const std::string& key, const std::string& value) { set_notes({{key, value}}); }
  virtual void set_notes(const std::map<std::string, std::string>& texts) = 0;
  [[nodiscard]] virtual std::optional<std::string> note(const std::string& key) = 0;
  [[nodiscard]] virtual std::map<std::string, std::string> notes(const std::string& prefix) = 0;  // whose keys begin with it
};

inline constexpr std::string_view kInMemory = ":memory:";

// A url is the path of a file, or ":memory:". Each appears complete or not at all; throws StoreError when something is there.
[[nodiscard]] std::unique_ptr<Store> create_store(const std::string& url, const Definition& definition);
// Brings an older version up to date. Leaves a file that it refuses byte by byte as it was.
[[nodiscard]] std::unique_ptr<Store> open_store(const std::string& url);
[[nodiscard]] StudyCheck check_store(const std::string& url);  // see check.h
// store_exists(url) and names_store(url) are public: study.h.

void check_url(const std::string& url);  // throws std::invalid_argument: empty, or with a NUL byte

}  // namespace salvo
