#include "search/pool_output.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace salvo {
namespace {

constexpr double kQuietCandidate = 1e-3;  // noise in the model's units below which a value tells as much as the model

}  // namespace

PoolOutput::PoolOutput(Output output, const PoolSearch& search, std::uint64_t seed, std::int64_t num_anchored,
                       std::string settings)
    : seen_(std::move(output)), campaign_(search, seed, num_anchored, std::move(settings), seen_.sign()) {
  if (std::isfinite(seen_.low())) campaign_.data().set_bound(seen_.low());
}

void PoolOutput::observe(const Record& record, std::int64_t row, double value) {
  if (std::isnan(value)) return;
  results_[record.id] = size();
  seen_.add(value);
  campaign_.observe(record, row, seen_.seen(seen_.size() - 1));
}

void PoolOutput::choose_warp(std::int64_t num_rows) {
  if (!seen_.choose_warp(num_rows)) return;
  Results& data = campaign_.data();
  if (std::isfinite(seen_.low())) data.set_bound(seen_.warp().seen(seen_.low()));
  for (std::int64_t row = 0; row < data.size(); ++row) data.set_y(row, seen_.seen(row));
}

// Warped in another way it is another function: then it is learned from nothing, by whoever learns it.
void PoolOutput::learn(const CampaignLearned* known, std::int64_t ask, std::int64_t sequence, Key key) {
  choose_warp(known ? known->num_observations : 0);
  const double width = seen_.warp().width;
  choose_warp(size());  // what is stored says that it is learned from all
  campaign_.learn(seen_.warp().width == width ? known : nullptr, ask, sequence, key);
}

void PoolOutput::go_on_from(const CampaignLearned& known) {
  choose_warp(known.num_observations);
  campaign_.go_on_from(known);
}

bool PoolOutput::quiet() const { return learned() && learned()->model.noise < kQuietCandidate; }

OutputColumn PoolOutput::column(std::span<const std::int64_t> ids, std::span<const std::int64_t> rows) const {
  OutputColumn out{&seen_};
  out.learned = learned().has_value();
  if (!out.learned) return out;
  const Anchor& anchor = units();
  const Warp& warp = seen_.warp();
  constexpr double kMost = std::numeric_limits<double>::max();
  const Prediction there = model().predict(rows);
  const auto n = std::ssize(ids);
  out.unit = anchor.unit();
  out.mean.resize(n);
  out.sd.resize(n);
  out.holds.resize(n);
  out.missed.setZero(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const auto found = results_.find(ids[static_cast<std::size_t>(i)]);
    out.measured.push_back(found != results_.end());
    if (out.measured.back() && quiet()) {
      out.mean(i) = seen_.value(found->second);
      out.sd(i) = 0;
      out.holds(i) = seen_.chance(seen_.low(), seen_.high(), out.mean(i), 0);
    } else {
      const double z = anchor.from_model(there.mean(i)), sd = std::sqrt(std::max(0.0, there.variance(i)));
      out.mean(i) = std::clamp(warp.meant(z), -kMost, kMost);
      out.sd(i) = std::min(sd * anchor.unit() * warp.slope(z), kMost);
      out.holds(i) = seen_.holds(anchor, there.mean(i), sd, out.mean(i), out.sd(i));
    }
    if (is_constraint()) out.missed(i) = seen_.missed(out.mean(i), anchor);
  }
  return out;
}

std::vector<Estimate> PoolOutput::predict(std::span<const std::int64_t> rows) const {
  std::vector<Estimate> out;
  if (!learned()) return {rows.size(), {0, std::numeric_limits<double>::infinity()}};
  const Prediction there = model().predict(rows);
  for (Eigen::Index i = 0; i < there.mean.size(); ++i) {
    const double z = units().from_model(there.mean(i)), sd = std::sqrt(std::max(0.0, there.variance(i)));
    out.push_back({seen_.sign() * seen_.warp().meant(z), sd * units().unit() * seen_.warp().slope(z)});
  }
  return out;
}

ModelReport PoolOutput::report() const {
  ModelReport out;
  if (learned()) out = campaign_.report();
  out.output = seen_.output().name;
  return out;
}

}  // namespace salvo
