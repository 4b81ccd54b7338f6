#pragma once
#include <span>
#include <unordered_map>

#include "search/campaign.h"
#include "search/seen_output.h"
#include "search/standing.h"

namespace salvo {

// One of several outputs over a pool: its values as its model sees them, and the model.
class PoolOutput {
 public:
  PoolOutput(Output output, const PoolSearch& search, std::uint64_t seed, std::int64_t num_anchored, std::string settings);

  void observe(const Record& record, std::int64_t row, double value);  // NaN: it was not measured
  [[nodiscard]] const SeenOutput& seen() const { return seen_; }
  [[nodiscard]] bool is_constraint() const { return seen_.is_constraint(); }
  [[nodiscard]] std::int64_t size() const { return campaign_.data().size(); }

  [[nodiscard]] bool must_learn(const CampaignLearned* known, double growth) const { return campaign_.must_learn(known, growth); }
  void learn(const CampaignLearned* known, std::int64_t ask, std::int64_t sequence, Key key);
  void go_on_from(const CampaignLearned& known);
  void check(const CampaignLearned& known) const { campaign_.check(known); }
  [[nodiscard]] const std::optional<CampaignLearned>& learned() const { return campaign_.learned(); }
  [[nodiscard]] const PoolModel& model() const { return campaign_.model(); }
  [[nodiscard]] const Anchor& units() const { return campaign_.learned()->anchor; }

  // Its values tell as much as the model: what this takes for noise, misfit included, is that little.
  [[nodiscard]] bool quiet() const;
  // At these trials and their rows of the pool.
  [[nodiscard]] OutputColumn column(std::span<const std::int64_t> ids, std::span<const std::int64_t> rows) const;
  [[nodiscard]] std::vector<Estimate> predict(std::span<const std::int64_t> rows) const;  // in the user's units
  [[nodiscard]] ModelReport report() const;

 private:
  void choose_warp(std::int64_t num_rows);
  SeenOutput seen_;
  Campaign campaign_;
  std::unordered_map<std::int64_t, std::int64_t> results_;  // by the trial's id
};

}  // namespace salvo
