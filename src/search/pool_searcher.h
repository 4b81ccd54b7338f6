#pragma once
#include <salvo/pool_model.h>

#include <optional>
#include <vector>

#include "search/known_noise.h"
#include "search/searcher.h"

namespace salvo {

// What an ask has learned over a pool.
struct CampaignLearned {
  std::int64_t ask = -1, sequence = 0, num_observations = 0;  // as of SpaceLearned
  std::string settings{};
  Anchor anchor{};
  PoolLearned model{};

  [[nodiscard]] Learned stored() const;
  // Throws std::logic_error when it cannot have been learned from so many values.
  static CampaignLearned from(const Learned& stored, std::int64_t num_known);
  [[nodiscard]] bool same_as(const CampaignLearned& other) const {
    return ask == other.ask && sequence == other.sequence && settings == other.settings;
  }
};

// Searches the candidates of a pool: a sparse GP over them, and Thompson sampling among those that nobody has had.
class PoolSearcher : public Searcher {
 public:
  explicit PoolSearcher(const StudyOptions& options);

  [[nodiscard]] Params canonical(const Params& params) const override;  // by its first id
  void observe(std::span<const Record> records) override;
  [[nodiscard]] std::int64_t num_observed() const override { return data_.size(); }
  [[nodiscard]] double num_left(std::span<const Params> pending) const override;
  [[nodiscard]] int admitted(int size, const Ask& ask) const override;
  [[nodiscard]] bool may_be_tried(const Params& params) const override;
  [[nodiscard]] std::vector<Params> design(const Ask& ask, int count) override;
  void fit(const Ask& ask, const Learned* known, Purpose purpose) override;
  void check(const Learned& known) override;
  [[nodiscard]] bool learns_first(const Learned* known) override;
  [[nodiscard]] std::vector<Choice> choose(const Ask& ask, int count, Seconds& seconds) override;
  [[nodiscard]] std::vector<Estimate> predict(std::span<const Params> points) override;
  [[nodiscard]] Recommended recommend(std::span<const double> weights) override;
  [[nodiscard]] std::int64_t learned_by() const override { return learned_->ask; }
  [[nodiscard]] Learned learned() const override { return learned_->stored(); }
  [[nodiscard]] ModelReport report() const override;
  [[nodiscard]] FittedModel fitted() const override;

 private:
  [[nodiscard]] std::int64_t row_of(const Params& params) const;
  [[nodiscard]] std::vector<Params> candidates(const std::vector<std::int64_t>& rows) const;
  [[nodiscard]] std::vector<std::int64_t> taken(std::span<const Params> pending) const;  // distinct rows, in their order
  [[nodiscard]] std::vector<std::int64_t> random(int count, const std::vector<std::int64_t>& taken, Key key) const;
  void recall(const Learned* stored);
  [[nodiscard]] double growth_for(Purpose purpose) const;
  void restore(const CampaignLearned& known);
  void add(std::int64_t begin, std::int64_t end);
  [[nodiscard]] KnownNoise known_noise(std::optional<double> floor) const;  // as it was learned with
  [[nodiscard]] Estimate in_users_units(double mean, double variance) const;

  PoolSearch search_;
  std::uint64_t seed_;
  double num_planned_;  // candidates of the first, random batch
  double sign_;
  std::int64_t num_anchored_;
  std::string settings_;
  PoolModel model_;
  Results data_;
  std::vector<std::int64_t> rows_;  // of the pool, for each result
  std::vector<bool> evaluated_;     // by row, with a value or without
  std::int64_t num_evaluated_ = 0, num_told_ = 0;
  std::optional<CampaignLearned> known_, learned_;  // what the store has; what the model has
  std::int64_t num_added_ = 0;  // observations in the model: those learned from by id, then those told since by id
  std::int64_t last_id_ = 0;    // the largest of the latter
  std::int64_t recommended_row_ = -1;
};

}  // namespace salvo
