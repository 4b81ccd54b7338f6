#include "search/failure_labels.h"

#include <algorithm>
#include <cmath>

namespace salvo {
namespace {

constexpr double kLately = 50;                                 // trials that tell whether too many fail
constexpr double kUsual = 0.04;                                // share of failures that is no reason to take more care …
constexpr double kCare = 6;                                    // … and how much the levels rise for each above it
constexpr double kMostCare = 1;                                // beyond it nothing but the distance from failures would count
constexpr std::int64_t kFewestLabels = 20, kFewestOfEach = 5;  // trials, of either outcome, that tell chance from place
constexpr double kByChance = 0.15, kByPlace = 0.3;             // shares that the place foretells: failures are chance up to the
                                                               // one, and the limit holds in full from the other on

}  // namespace

double care_after(std::span<const FailureLabel> labels) {
  double looked = 0, bad = 0;
  for (auto label = labels.rbegin(); label != labels.rend() && looked < kLately; ++label) {
    if (!label->chosen) continue;
    ++looked;
    bad += label->works ? 0 : 1;
  }
  const double failed_lately = looked > 0 ? bad / looked : 0;
  return std::min(kMostCare, kCare * std::max(0.0, failed_lately - kUsual));
}

double weight_of_failures(std::span<const FailureLabel> labels, double told) {
  const auto failed = std::count_if(labels.begin(), labels.end(), [](const FailureLabel& label) { return !label.works; });
  if (std::ssize(labels) < kFewestLabels || std::min(failed, std::ssize(labels) - failed) < kFewestOfEach) return 1;
  return std::clamp((told - kByChance) / (kByPlace - kByChance), 0.0, 1.0);
}

double told_by_the_place(const Vector& left_out, const Vector& y) {
  const double model = (y - left_out).squaredNorm();
  const auto n = static_cast<double>(y.size());
  const double mean = (y.array() - y.mean()).square().sum() * std::pow(n / (n - 1), 2);
  return mean > 0 ? 1 - model / mean : 0;
}

}  // namespace salvo
