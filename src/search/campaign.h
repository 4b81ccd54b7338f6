#pragma once
#include <salvo/options.h>
#include <salvo/pool_model.h>
#include <salvo/study.h>

#include <optional>
#include <string>
#include <vector>

#include "search/known_noise.h"
#include "text/learned.h"

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

// The values of one output over a pool and what is learned from them: the sparse GP is the same to the last bit whether values
// came in one by one or, after a restart, at once.
class Campaign {
 public:
  // settings: what learning depends on, in words; direction: +1 or −1, which turns a value for people.
  Campaign(const PoolSearch& search, std::uint64_t seed, std::int64_t num_anchored, std::string settings, double direction);

  void observe(const Record& record, std::int64_t row, double y);  // larger is better
  [[nodiscard]] Results& data() { return data_; }
  [[nodiscard]] const Results& data() const { return data_; }
  [[nodiscard]] const std::vector<std::int64_t>& rows() const { return rows_; }  // of the pool, for each result

  // `known` is what the store has.
  [[nodiscard]] bool must_learn(const CampaignLearned* known, double growth) const;
  // From all values, those up to `sequence`. Both say whether the model is another one now.
  bool learn(const CampaignLearned* known, std::int64_t ask, std::int64_t sequence, Key key);
  // By what an ask has learned, and all that was told since.
  bool go_on_from(const CampaignLearned& known);
  void check(const CampaignLearned& known) const { model_.check(known.model); }

  [[nodiscard]] const std::optional<CampaignLearned>& learned() const { return learned_; }
  [[nodiscard]] const PoolModel& model() const { return model_; }
  [[nodiscard]] Estimate in_users_units(double mean, double variance) const;
  [[nodiscard]] ModelReport report() const;

 private:
  void restore(const CampaignLearned& known);
  void add(std::int64_t begin, std::int64_t end);
  [[nodiscard]] KnownNoise known_noise(std::optional<double> floor) const;  // as it was learned with

  PoolSearch search_;
  std::uint64_t seed_;
  std::int64_t num_anchored_;
  std::string settings_;
  double sign_;
  PoolModel model_;
  Results data_;
  std::vector<std::int64_t> rows_;
  std::optional<CampaignLearned> learned_;  // what the model has
  std::int64_t num_added_ = 0;              // observations in the model: those learned from by id, then those told since by id
  std::int64_t last_id_ = 0;                // the largest of the latter
};

}  // namespace salvo
