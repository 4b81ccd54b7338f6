#pragma once
#include <salvo/pool_model.h>

#include <span>
#include <vector>

#include "compute/pool_worth.h"
#include "pool/paths.h"

namespace salvo {

// Samples of several outputs, a model of each over the same pool, for the members of a batch: each member has one of each output.
// The models must live as long.
class PoolTogether {
 public:
  PoolTogether(std::span<const PoolModel* const> models, int num_members, Key key);

  // A candidate for each of the first `count` members: its best by what its samples are worth, neither in `taken` nor another
  // member's.
  [[nodiscard]] PoolChoice choose(const compute::PoolWorth& worth, std::span<const std::int64_t> taken, int count) const;
  // The best of each member, `depth` or fewer, best first: members may want the same.
  [[nodiscard]] std::vector<std::vector<std::int64_t>> best(const compute::PoolWorth& worth, int depth,
                                                            std::span<const std::int64_t> taken) const;
  // One output's samples at these candidates [rows,B].
  [[nodiscard]] Matrix values(std::size_t output, std::span<const std::int64_t> rows) const;
  // The same for one member and candidate, bit by bit, from what its samples are made of there: where only some are needed.
  [[nodiscard]] std::vector<double> features(std::size_t output, std::int64_t row) const;
  [[nodiscard]] double value(std::size_t output, int member, const std::vector<double>& features) const;
  [[nodiscard]] int num_members() const { return num_members_; }

 private:
  int num_members_;
  PoolModelOptions options_;
  [[nodiscard]] std::vector<const compute::Samples*> probes() const;
  std::vector<PoolPaths> paths_, probes_;  // of each output
  Key key_;
};

}  // namespace salvo
