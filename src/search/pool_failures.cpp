#include "search/pool_failures.h"

#include <algorithm>
#include <limits>

#include "acquire/success.h"
#include "model/left_out.h"

namespace salvo {
namespace {

using Index = Eigen::Index;
constexpr int kLabelsKept = 300;       // trials that its kernel is learned from, and its inducing points
constexpr int kSuccessFeatures = 500;  // of the prior
constexpr double kHighestLevel = 1;    // what works is not expected to be more than that: above it only the safest would be left

PoolModelOptions success_options(PoolModelOptions options) {
  options.inducing = PoolInducing::uniform;
  options.num_inducing = kLabelsKept;
  options.num_features = kSuccessFeatures;
  options.alpha = 1;  // with less than the whole spread nothing that nobody has tried would be allowed
  options.floor.reset();
  options.min_variance = 0.3;
  options.max_variance = 4;
  options.min_noise = 1e-3;
  options.max_noise = 1;
  options.max_mean = 0;
  if (kind_of(options.kernel) == PoolKind::numbers) options.kernel = PoolKernelType::matern32;  // the edge of what works is sharp
  return options;
}

struct CandidateLabels {
  std::vector<std::int64_t> rows;
  Vector y;  // less what is expected
};

CandidateLabels labels_of(std::span<const FailureLabel> labels) {
  CandidateLabels out{{}, Vector(std::ssize(labels))};
  for (const FailureLabel& label : labels) {
    out.y(std::ssize(out.rows)) = (label.works ? 1.0 : -1.0) - kRatherWorks;
    out.rows.push_back(label.row);
  }
  return out;
}

// The newest half of them, which lie where the search is, and as many of the others in steps through all; then the rest.
std::pair<std::vector<FailureLabel>, std::vector<FailureLabel>> parted(const std::vector<FailureLabel>& labels) {
  const auto n = std::ssize(labels);
  if (n <= kLabelsKept) return {labels, {}};
  const std::ptrdiff_t newest = kLabelsKept / 2, older = n - newest;
  std::vector<bool> taken(labels.size());
  for (std::ptrdiff_t k = 0; k < kLabelsKept - newest; ++k)
    taken[static_cast<std::size_t>(k * older / (kLabelsKept - newest))] = true;
  std::fill(taken.end() - newest, taken.end(), true);
  std::pair<std::vector<FailureLabel>, std::vector<FailureLabel>> out;
  for (std::size_t i = 0; i < labels.size(); ++i) (taken[i] ? out.first : out.second).push_back(labels[i]);
  return out;
}

}  // namespace

PoolFailures::PoolFailures(const StudyOptions& options)
    : search_(std::get<PoolSearch>(options.search)), seed_(Key(options.seed).fold("success").bits(0)) {}

void PoolFailures::observe(const Record& record, std::int64_t row) {
  const bool works = std::holds_alternative<Values>(record.outcome);
  labels_.push_back({record.id, row, works, chosen_by_search(record.source)});
  num_failures_ += works ? 0 : 1;
}

bool PoolFailures::heeds() const { return num_failures_ > 0 && search_.model.failures == FailureUse::learn; }

std::vector<FailureLabel> PoolFailures::labels() const {
  std::vector<FailureLabel> out = labels_;
  std::sort(out.begin(), out.end(), [](const FailureLabel& a, const FailureLabel& b) { return a.id < b.id; });
  return out;
}

PoolSuccess PoolFailures::success() const {
  const std::vector<FailureLabel> all = labels();
  const auto [some, rest] = parted(all);
  const CandidateLabels first = labels_of(some), later = labels_of(rest);
  PoolSuccess out{.model = PoolModel(search_.pool, success_options(search_.model), seed_)};
  (void)out.model.learn(first.rows, first.y, Key(seed_).fold("fit"));
  const Vector others_say = left_out_means(out.model.predict(first.rows), first.y, out.model.learned().noise);
  out.weight = weight_of_failures(all, told_by_the_place(others_say, first.y));
  if (!rest.empty()) out.model.add(later.rows, later.y);
  const double care = care_after(all);
  out.least = std::min(out.least + care, kHighestLevel);
  out.most = std::min(out.most + care, kHighestLevel);
  return out;
}

std::optional<PoolSuccess> PoolFailures::learn() const {
  if (!heeds()) return {};
  PoolSuccess out = success();
  if (out.weight == 0) return {};
  return out;
}

std::optional<ModelReport::Failing> PoolFailures::report() const {
  constexpr std::int64_t kPlaces = 2000;
  if (!heeds()) return {};
  const PoolSuccess now = success();
  const std::int64_t count = std::min(search_.pool.size(), kPlaces);
  std::vector<std::int64_t> rows;
  for (std::int64_t k = 0; k < count; ++k) rows.push_back(k * search_.pool.size() / count);
  const Vector mean = now.model.predict(rows).mean;
  return ModelReport::Failing{.num_failures = num_failures_,
                              .share = static_cast<double>((mean.array() < -kRatherWorks).count()) / static_cast<double>(count),
                              .anywhere = now.weight == 0};
}

void add_success(const PoolSuccess& success, Key key, compute::PoolWorth& worth) {
  constexpr double unbounded = std::numeric_limits<double>::infinity();
  const Index C = worth.low.rows();
  const int B = worth.num_members();
  Vector levels = draw_levels(success.least, success.most, B, key);
  for (int b = 0; b < B; ++b)
    if (!(key.fold("minds").uniform(static_cast<std::uint64_t>(b)) < success.weight)) levels(b) = -unbounded;
  worth.low.conservativeResize(C + 1, B);
  worth.high.conservativeResize(C + 1, B);
  worth.low.row(C) = levels.array() - kRatherWorks;
  worth.high.row(C).setConstant(unbounded);
}

}  // namespace salvo
