#pragma once
#include <map>
#include <mutex>

#include "store/store.h"

namespace salvo {

// A study that lives as long as its process: for trying things out, and what every other kind of store is measured against.
class MemoryStore : public Store {
 public:
  explicit MemoryStore(Definition definition) : definition_(std::move(definition)) {}

  [[nodiscard]] const std::string& url() const override;
  [[nodiscard]] const Definition& definition() const override { return definition_; }
  void set_options(const std::string& options) override { definition_.options = options; }
  Moved set_space(const NewSpace& wanted) override;
  [[nodiscard]] std::vector<SpaceChange> space_changes() override { return space_changes_; }
  [[nodiscard]] Snapshot snapshot(std::int64_t after, std::int64_t known_learned) override;
  [[nodiscard]] std::unique_ptr<Turn> take_turn() override;
  [[nodiscard]] std::optional<std::vector<Trial>> claim(std::int64_t ask, std::span<const NewTrial> points,
                                                        const Learned* learned, const std::string& owner,
                                                        std::span<const std::int64_t> unqueued) override;
  std::int64_t enqueue(std::span<const Params> points) override;
  std::int64_t unqueue(std::span<const std::int64_t> ids) override;
  [[nodiscard]] std::vector<Queued> queue() override { return queue_; }
  void tell(std::span<const Told> outcomes) override;
  std::vector<std::int64_t> add_all(std::span<const Params> points, std::span<const Outcome> outcomes,
                                    bool tells_pending) override;
  void amend(std::span<const Correction> corrections) override;
  [[nodiscard]] std::vector<Amendment> amendments() override { return amendments_; }
  void set_prior(const std::string& document) override;
  [[nodiscard]] std::vector<KeptPrior> priors() override { return priors_; }
  std::vector<Trial> claim_orphans(const std::string& owner) override;
  [[nodiscard]] Counts counts() override { return counts_; }
  [[nodiscard]] std::vector<Trial> trials() override { return trials_; }
  [[nodiscard]] std::vector<Trial> pending() override;
  [[nodiscard]] std::vector<Trial> told_last(int count) override;
  [[nodiscard]] std::optional<Trial> trial(std::int64_t id) override;
  void backup(const std::string& path) override;
  void set_notes(const std::map<std::string, std::string>& texts) override {
    for (const auto& [key, text] : texts) notes_[key] = text;
  }
  [[nodiscard]] std::optional<std::string> note(const std::string& key) override;
  [[nodiscard]] std::map<std::string, std::string> notes(const std::string& prefix) override;

 private:
  void finish(Trial& trial, Outcome outcome, double time);
  void amend(const Correction& correction);
  [[nodiscard]] std::int64_t& counted(TrialState state);

  std::mutex asking_;
  Definition definition_;
  std::vector<Trial> trials_;                    // [id − 1]
  std::map<std::int64_t, std::string> waiting_;  // pending trials with their owners
  std::vector<std::int64_t> told_;               // ids in the order of their outcomes: number i + 1 is told_[i]
  std::int64_t asks_ = 0, num_initial_ = 0;
  Counts counts_;
  std::optional<Learned> learned_;
  std::map<std::string, std::string> notes_;
  std::vector<Amendment> amendments_;
  std::vector<SpaceChange> space_changes_;
  std::vector<KeptPrior> priors_;
  std::map<std::int64_t, std::map<std::string, Value>> former_;  // values of parameters that are gone, by trial
  std::vector<Queued> queue_;
  std::int64_t num_queued_ = 0;                 // ever: no number is used twice
  std::map<std::int64_t, std::string> owners_;  // of trials that ended without a value
};

}  // namespace salvo
