#pragma once
#include <optional>
#include <vector>

#include "search/candidate_searcher.h"
#include "search/pool_failures.h"
#include "search/pool_output.h"
#include "search/pool_spread.h"

namespace salvo {

// Searches a pool where an evaluation gives several numbers: objectives, and constraints to keep to. Each output has a model of
// its own; every member of a batch has a sample of each, and takes the candidate where these are worth most (docs/math.md §19).
class PoolOutputsSearcher : public CandidateSearcher {
 public:
  explicit PoolOutputsSearcher(const StudyOptions& options);

  void observe(std::span<const Record> records) override;
  [[nodiscard]] std::int64_t num_observed() const override;  // of the objective that was measured least
  void fit(const Ask& ask, const Learned* known, Purpose purpose) override;
  void check(const Learned& known) override;
  [[nodiscard]] bool learns_first(const Learned* known) override;
  [[nodiscard]] std::vector<Choice> choose(const Ask& ask, int count, Seconds& seconds) override;
  [[nodiscard]] std::vector<Estimate> predict(std::span<const Params> points) override;
  [[nodiscard]] std::vector<std::vector<Estimate>> predict_outputs(std::span<const Params> points) override;
  [[nodiscard]] Recommended recommend(std::span<const double> weights) override;
  [[nodiscard]] RecommendedFront front() override;
  [[nodiscard]] std::int64_t learned_by() const override { return header_.ask; }
  [[nodiscard]] Learned learned() const override;
  [[nodiscard]] ModelReport report() const override;
  [[nodiscard]] std::vector<ModelReport> reports() const override;

 private:
  struct Known {
    Learned header;  // ask, sequence and settings
    std::vector<std::optional<CampaignLearned>> outputs;
  };
  const Known* recall(const Learned* stored);
  [[nodiscard]] bool must_learn(const Known* known, double growth) const;
  [[nodiscard]] compute::PoolWorth worth_of(int count, Key key) const;
  [[nodiscard]] KnownFront known_front() const;
  [[nodiscard]] const Standing& standing();
  [[nodiscard]] bool noise_free() const;

  int num_objectives_;
  std::string settings_;
  std::vector<PoolOutput> outputs_;
  PoolFailures failures_;
  // Trials that have values, by id, and their candidates.
  std::vector<std::int64_t> ids_, rows_;
  std::vector<Source> sources_;
  std::int64_t last_sequence_ = 0;
  std::optional<Known> known_;  // what the store has
  Learned header_;              // of what the outputs have learned
  std::optional<Standing> standing_;
};

}  // namespace salvo
