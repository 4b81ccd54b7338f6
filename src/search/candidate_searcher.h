#pragma once
#include <vector>

#include "search/searcher.h"

namespace salvo {

// What every search of a pool has in common: candidates and their rows, who has had which, the first random batch.
class CandidateSearcher : public Searcher {
 public:
  explicit CandidateSearcher(const StudyOptions& options);

  [[nodiscard]] Params canonical(const Params& params) const override;  // by its first id
  [[nodiscard]] double num_left(std::span<const Params> pending) const override;
  [[nodiscard]] int admitted(int size, const Ask& ask) const override;
  [[nodiscard]] bool may_be_tried(const Params& params) const override;
  [[nodiscard]] std::vector<Params> design(const Ask& ask, int count) override;
  [[nodiscard]] FittedModel fitted() const override;

 protected:
  // Who had the candidate; its values, if it has any.
  const Values* note(const Record& record, std::int64_t& row);
  [[nodiscard]] std::int64_t row_of(const Params& params) const;
  [[nodiscard]] std::vector<std::int64_t> rows_of(std::span<const Params> points) const;
  [[nodiscard]] std::vector<Params> candidates(const std::vector<std::int64_t>& rows) const;
  [[nodiscard]] std::vector<std::int64_t> taken(std::span<const Params> pending) const;  // distinct rows, in their order
  [[nodiscard]] double growth_for(Purpose purpose) const;

  PoolSearch search_;
  std::uint64_t seed_;

 private:
  [[nodiscard]] std::vector<std::int64_t> random(int count, const std::vector<std::int64_t>& taken, Key key) const;
  double num_planned_;           // candidates of the first, random batch
  std::vector<bool> evaluated_;  // by row, with a value or without
  std::int64_t num_evaluated_ = 0, num_told_ = 0;
};

}  // namespace salvo
