#include "pool/together.h"

#include <algorithm>
#include <set>

#include "math/parallel.h"
#include "pool/choose.h"
#include "pool/pool_state.h"

namespace salvo {

// Outputs whose kernels agree have one prior: its features are the same functions, with weights of their own.
PoolTogether::PoolTogether(std::span<const PoolModel* const> models, int num_members, Key key)
    : num_members_(num_members), options_(models[0]->options()), key_(key) {
  std::vector<PoolModel::State*> owners;  // of each output's prior: the first that has the same
  for (const PoolModel* model : models) {
    const auto same = std::find_if(models.begin(), models.end(),
                                   [&](const PoolModel* other) { return other->state_->has_prior_of(model->learned()); });
    owners.push_back((*same)->state_.get());
  }
  const std::set<PoolModel::State*> distinct(owners.begin(), owners.end());
  const std::int64_t room = owners[0]->room_for_features() / std::ssize(distinct);
  for (std::size_t o = 0; o < models.size(); ++o) {
    const PoolModel::State& state = *models[o]->state_;
    paths_.push_back(
        draw_pool_paths(state.model("choose"), owners[o]->prior, num_members, state.options.alpha, key.fold("draw").fold(o)));
    paths_.back().feature_table = owners[o]->features(room);
    if (&state != owners[o]) (void)models[o]->state_->features(0);  // of an earlier prior of its own
    if (state.options.screen && state.options.alpha > 0)
      probes_.push_back(
          draw_pool_paths(*state.gp, owners[o]->prior, compute::kNumProbes, state.options.alpha, key.fold("probes").fold(o)));
  }
}

std::vector<const compute::Samples*> PoolTogether::probes() const {
  std::vector<const compute::Samples*> out;
  for (const PoolPaths& each : probes_) out.push_back(&each);
  return out;
}

PoolChoice PoolTogether::choose(const compute::PoolWorth& worth, std::span<const std::int64_t> taken, int count) const {
  const std::vector<const compute::Samples*> others = probes();
  return choose_rows(scored(paths_, others, worth), count, taken,
                     {.subset = options_.subset, .screen = options_.screen, .byte_budget = options_.byte_budget},
                     key_.fold("subsets"));
}

std::vector<std::vector<std::int64_t>> PoolTogether::best(const compute::PoolWorth& worth, int depth,
                                                          std::span<const std::int64_t> taken) const {
  const std::int64_t N = paths_[0].kernel->rows.size();
  compute::RowSet blocked(N);
  for (const std::int64_t row : taken) blocked.insert(row);
  std::vector<compute::RandomSubset> subsets;
  if (options_.subset > 0 && options_.subset < N)
    for (int b = 0; b < num_members_; ++b)
      subsets.emplace_back(N, options_.subset, key_.fold("lists").fold(static_cast<std::uint64_t>(b)));
  std::vector<const compute::Samples*> samples;
  for (const PoolPaths& paths : paths_) samples.push_back(&paths);
  const compute::Scores scores =
      score_pool(samples, probes(), worth, blocked,
                 {.depth = depth, .screen = options_.screen, .key = key_.fold("list screen"), .subsets = subsets});
  std::vector<std::vector<std::int64_t>> out;
  for (const std::vector<compute::Ranked>& list : scores.best) {
    out.emplace_back();
    for (const compute::Ranked& at : list) out.back().push_back(at.row);
  }
  return out;
}

Matrix PoolTogether::values(std::size_t output, std::span<const std::int64_t> rows) const {
  const PoolPaths& paths = paths_[output];
  Matrix out(std::ssize(rows), num_members_);
  parallel_blocks(out.rows(), 32, [&](Eigen::Index begin, Eigen::Index end) {
    std::vector<double> features(static_cast<std::size_t>(paths.width()));
    for (Eigen::Index i = begin; i < end; ++i) {
      path_features(paths, rows[static_cast<std::size_t>(i)], features.data());
      for (int b = 0; b < num_members_; ++b) out(i, b) = path_value(paths, b, features.data());
    }
  });
  return out;
}

std::vector<double> PoolTogether::features(std::size_t output, std::int64_t row) const {
  const PoolPaths& paths = paths_[output];
  std::vector<double> out(static_cast<std::size_t>(paths.width()));
  path_features(paths, row, out.data());
  return out;
}

double PoolTogether::value(std::size_t output, int member, const std::vector<double>& features) const {
  return path_value(paths_[output], member, features.data());
}

}  // namespace salvo
