#include "compute/pool_several.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <stdexcept>

#include "compute/clones.h"
#include "compute/cpu/pool_rounds.h"
#include "compute/cpu/screen.h"

namespace salvo::compute {
namespace {

constexpr double kAnything = -std::numeric_limits<double>::infinity();

// The most that each member's share can be, and with it the least of them and their sum so far.
SALVO_CLONES void add_shares(const float* scores, const float* slope, const float* constant, double factor, const double* scale,
                             const double* shift, int B, double* least, double* sum) {
  for (int b = 0; b < B; ++b) {
    const double high =
        static_cast<double>(scores[b]) + static_cast<double>(slope[b]) * factor + static_cast<double>(constant[b]);
    const double share = scale[b] * high + shift[b];
    least[b] = share < least[b] ? share : least[b];
    sum[b] += share;
  }
}

// The least that each member's sample can miss of a constraint.
SALVO_CLONES void add_missed(const float* scores, const float* slope, const float* constant, double factor, const double* low,
                             const double* high, int B, double* missed) {
  for (int b = 0; b < B; ++b) {
    const double s = static_cast<double>(scores[b]),
                 error = static_cast<double>(slope[b]) * factor + static_cast<double>(constant[b]);
    const double below = low[b] - (s + error), above = (s - error) - high[b];
    const double off = below > above ? below : above;
    missed[b] += off > 0 ? off : 0.0;
  }
}

// The same where all members' samples of an output lie within one range.
SALVO_CLONES void add_shares_below(double highest, const double* scale, const double* shift, int B, double* least, double* sum) {
  for (int b = 0; b < B; ++b) {
    const double share = scale[b] * highest + shift[b];
    least[b] = share < least[b] ? share : least[b];
    sum[b] += share;
  }
}

SALVO_CLONES void add_missed_within(double lowest, double highest, const double* low, const double* high, int B, double* missed) {
  for (int b = 0; b < B; ++b) {
    const double below = low[b] - highest, above = lowest - high[b];
    const double off = below > above ? below : above;
    missed[b] += off > 0 ? off : 0.0;
  }
}

// What one thread keeps from chunk to chunk.
struct Work {
  std::vector<std::vector<double>> lowest, highest;           // of each output, of any sample at each row
  std::vector<std::vector<float>> scores, factors, features;  // of each output
  std::vector<double> least, sum, missed, low, high;
  std::vector<std::int64_t> rows;
};

class SeveralChunks {
 public:
  SeveralChunks(std::span<const Samples* const> outputs, std::span<const Samples* const> probes, const PoolWorth& worth,
                const RowSet& blocked, const ScoreOptions& options)
      : outputs_(outputs), worth_(worth), blocked_(blocked), options_(options), B_(worth.num_members()) {
    for (std::size_t o = 0; o < outputs.size(); ++o) {
      singles_.push_back(std::make_unique<FloatSamples>(*outputs[o]));
      screens_.push_back(options.screen ? byte_screen(*outputs[o], probes.empty() ? nullptr : probes[o], options.key.fold(o))
                                        : float_screen(*singles_[o]));
    }
  }

  // `looks`: at which rows some member may want at all, before all samples are scored.
  [[nodiscard]] Chunk score(const std::vector<double>& floor, bool looks, std::int64_t begin, std::int64_t end) const {
    static thread_local Work work;
    work.rows.clear();
    for (std::int64_t row = begin; row < end; ++row)
      if (!blocked_.contains(row)) work.rows.push_back(row);
    Chunk out;
    out.num_rows = std::ssize(work.rows);
    if (looks) narrow(work, floor);
    out.num_kept = std::ssize(work.rows);
    screen(work);
    std::vector<Pair> open;
    std::vector<std::int64_t> open_rows;
    for (std::size_t k = 0; k < work.rows.size(); ++k) {
      bound(work, k);
      const std::size_t before = open.size();
      bool have_features = false;
      for (int b = 0; b < B_; ++b) {
        const auto i = static_cast<std::size_t>(b);
        if (!(worth_of(work.least[i], work.sum[i], work.missed[i]) >= floor[i])) continue;
        if (!options_.subsets.empty() && !options_.subsets[i].contains(work.rows[k])) continue;
        if (!have_features)
          for (std::size_t o = 0; o < outputs_.size(); ++o) singles_[o]->features(work.rows[k], work.features[o].data());
        have_features = true;
        ++out.num_refined;
        if (reaches(work, k, b, floor[i])) open.push_back({b, open_rows.size()});
      }
      if (open.size() > before) open_rows.push_back(work.rows[k]);
    }
    settle(open, open_rows, floor, out);
    return out;
  }

 private:
  void narrow(Work& work, const std::vector<double>& floor) const {
    const std::size_t n = outputs_.size();
    work.lowest.resize(n);
    work.highest.resize(n);
    for (std::size_t o = 0; o < n; ++o) {
      work.lowest[o].resize(work.rows.size());
      work.highest[o].resize(work.rows.size());
      screens_[o]->ranges(work.rows, work.lowest[o].data(), work.highest[o].data());
    }
    std::size_t kept = 0;
    for (std::size_t k = 0; k < work.rows.size(); ++k) {
      begin_row(work);
      for (std::size_t o = 0; o < n; ++o) {
        const Eigen::Index objective = static_cast<Eigen::Index>(o), constraint = objective - worth_.num_objectives();
        if (constraint < 0)
          add_shares_below(work.highest[o][k], worth_.scale.row(objective).data(), worth_.shift.row(objective).data(), B_,
                           work.least.data(), work.sum.data());
        else
          add_missed_within(work.lowest[o][k], work.highest[o][k], worth_.low.row(constraint).data(),
                            worth_.high.row(constraint).data(), B_, work.missed.data());
      }
      if (any_reaches_floor(work, floor)) work.rows[kept++] = work.rows[k];
    }
    work.rows.resize(kept);
  }

  void begin_row(Work& work) const {
    const auto B = static_cast<std::size_t>(B_);
    work.least.assign(B, std::numeric_limits<double>::infinity());
    work.sum.assign(B, 0);
    work.missed.assign(B, 0);
  }

  [[nodiscard]] bool any_reaches_floor(const Work& work, const std::vector<double>& floor) const {
    for (std::size_t b = 0; b < floor.size(); ++b)
      if (worth_of(work.least[b], work.sum[b], work.missed[b]) >= floor[b]) return true;
    return false;
  }

  void screen(Work& work) const {
    const std::size_t n = outputs_.size(), B = static_cast<std::size_t>(B_);
    work.scores.resize(n);
    work.factors.resize(n);
    work.features.resize(n);
    for (std::size_t o = 0; o < n; ++o) {
      work.scores[o].resize(work.rows.size() * B);
      work.factors[o].resize(work.rows.size());
      work.features[o].resize(static_cast<std::size_t>(outputs_[o]->width()));
      (void)screens_[o]->score(work.rows, kAnything, work.scores[o].data(), work.factors[o].data());
    }
    work.low.resize(n);
    work.high.resize(n);
  }

  // Of row k of the chunk, for every member.
  void bound(Work& work, std::size_t k) const {
    const auto B = static_cast<std::size_t>(B_);
    const auto K = static_cast<std::size_t>(worth_.num_objectives());
    begin_row(work);
    for (std::size_t o = 0; o < outputs_.size(); ++o) {
      const float *scores = work.scores[o].data() + k * B, *slope = screens_[o]->slope().data(),
                  *constant = screens_[o]->constant().data();
      const auto factor = static_cast<double>(work.factors[o][k]);
      if (o < K) {
        const auto at = static_cast<Eigen::Index>(o);
        add_shares(scores, slope, constant, factor, worth_.scale.row(at).data(), worth_.shift.row(at).data(), B_,
                   work.least.data(), work.sum.data());
      } else {
        const auto at = static_cast<Eigen::Index>(o - K);
        add_missed(scores, slope, constant, factor, worth_.low.row(at).data(), worth_.high.row(at).data(), B_,
                   work.missed.data());
      }
    }
  }

  // Whether one member's worth may reach its floor still, as its outputs are looked at in single precision one after another.
  [[nodiscard]] bool reaches(Work& work, std::size_t k, int b, double floor) const {
    const auto i = static_cast<std::size_t>(b);
    for (std::size_t o = 0; o < outputs_.size(); ++o) {
      const auto at = static_cast<double>(work.scores[o][k * static_cast<std::size_t>(B_) + i]);
      const auto error = static_cast<double>(screens_[o]->slope()[i]) * static_cast<double>(work.factors[o][k]) +
                         static_cast<double>(screens_[o]->constant()[i]);
      work.low[o] = at - error;
      work.high[o] = at + error;
    }
    for (std::size_t o = 0; o < outputs_.size(); ++o) {
      const double value = singles_[o]->value(b, work.features[o].data()), error = singles_[o]->errors[i];
      work.low[o] = value - error;
      work.high[o] = value + error;
      if (!(worth_.most(b, work.low, work.high) >= floor)) return false;
    }
    return true;
  }

  // What is open still in double precision, member by member: each one's weights are fetched once.
  void settle(std::vector<Pair>& open, const std::vector<std::int64_t>& rows, const std::vector<double>& floor,
              Chunk& out) const {
    std::vector<Matrix> features;
    for (const Samples* samples : outputs_) {
      Matrix& mine = features.emplace_back(std::ssize(rows), samples->width());
      for (Eigen::Index i = 0; i < mine.rows(); ++i)
        path_features(*samples, rows[static_cast<std::size_t>(i)], mine.row(i).data());
    }
    std::stable_sort(open.begin(), open.end(), [](const Pair& a, const Pair& b) { return a.sample < b.sample; });
    std::vector<double> values(outputs_.size());
    for (const Pair& at : open) {
      for (std::size_t o = 0; o < outputs_.size(); ++o)
        values[o] = path_value(*outputs_[o], at.sample, features[o].row(static_cast<Eigen::Index>(at.row)).data());
      const double value = worth_.value(at.sample, values);
      if (value >= floor[static_cast<std::size_t>(at.sample)]) out.found.push_back({at.sample, {rows[at.row], value}});
    }
    out.num_rescored = std::ssize(open);
  }

  std::span<const Samples* const> outputs_;
  const PoolWorth& worth_;
  const RowSet& blocked_;
  const ScoreOptions& options_;
  int B_;
  std::vector<std::unique_ptr<FloatSamples>> singles_;
  std::vector<std::unique_ptr<Screen>> screens_;
};

void check_alike(std::span<const Samples* const> outputs, const PoolWorth& worth) {
  if (static_cast<int>(outputs.size()) != worth.num_outputs())
    throw std::invalid_argument(
        fmt::format("score_pool: expected samples of {} outputs, got {}", worth.num_outputs(), outputs.size()));
  for (const Samples* samples : outputs)
    if (samples->size() != worth.num_members() || samples->kernel->rows.size() != outputs[0]->kernel->rows.size())
      throw std::invalid_argument(fmt::format("score_pool: expected {} samples of each output over the same rows, got {}",
                                              worth.num_members(), samples->size()));
}

}  // namespace

Scores score_pool(std::span<const Samples* const> outputs, std::span<const Samples* const> probes, const PoolWorth& worth,
                  const RowSet& blocked, const ScoreOptions& options) {
  check_alike(outputs, worth);
  if (!probes.empty() && probes.size() != outputs.size())
    throw std::invalid_argument(
        fmt::format("score_pool: probes: expected those of {} outputs or none, got {}", outputs.size(), probes.size()));
  const SeveralChunks chunks(outputs, probes, worth, blocked, options);
  return score_in_rounds(outputs[0]->kernel->rows.size(), worth.num_members(), options.depth,
                         [&](const std::vector<double>& floor, double bar, std::int64_t begin, std::int64_t end) {
                           return chunks.score(floor, !probes.empty() && bar > kAnything, begin, end);
                         });
}

}  // namespace salvo::compute
