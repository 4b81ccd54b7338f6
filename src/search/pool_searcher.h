#pragma once
#include <optional>
#include <vector>

#include "search/campaign.h"
#include "search/candidate_searcher.h"
#include "search/pool_failures.h"

namespace salvo {

// Searches the candidates of a pool: a sparse GP over them, and Thompson sampling among those that nobody has had.
class PoolSearcher : public CandidateSearcher {
 public:
  explicit PoolSearcher(const StudyOptions& options);

  void observe(std::span<const Record> records) override;
  [[nodiscard]] std::int64_t num_observed() const override { return campaign_.data().size(); }
  void fit(const Ask& ask, const Learned* known, Purpose purpose) override;
  void check(const Learned& known) override;
  [[nodiscard]] bool learns_first(const Learned* known) override;
  [[nodiscard]] std::vector<Choice> choose(const Ask& ask, int count, Seconds& seconds) override;
  [[nodiscard]] std::vector<Estimate> predict(std::span<const Params> points) override;
  [[nodiscard]] Recommended recommend(std::span<const double> weights) override;
  [[nodiscard]] std::int64_t learned_by() const override { return campaign_.learned()->ask; }
  [[nodiscard]] Learned learned() const override { return campaign_.learned()->stored(); }
  [[nodiscard]] ModelReport report() const override;

 private:
  [[nodiscard]] std::vector<std::int64_t> chosen(const Ask& ask, int count) const;
  const CampaignLearned* recall(const Learned* stored);

  double sign_;
  Campaign campaign_;
  PoolFailures failures_;
  std::optional<CampaignLearned> known_;  // what the store has
  std::int64_t recommended_row_ = -1;
};

}  // namespace salvo
