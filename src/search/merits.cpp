#include "search/merits.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace salvo {
namespace {

constexpr double kSoft = 0.05;        // a share that is more by this hardly counts in the least
constexpr double kLeastPart = 0.05;   // of a direction, that every objective has
constexpr double kEachCounts = 0.01;  // so much each share counts by itself: of equal ones the better

}  // namespace

ObjectiveScale objective_scale(const Standing& all, int k, const Anchor& units, double unit) {
  const double span = span_of(all, k);
  const double wide = span > 1e-9 * unit ? span : unit;
  double least = std::max(all.worst(k) - 0.1 * wide, std::numeric_limits<double>::lowest());
  if (all.told[static_cast<std::size_t>(k)]) least = std::max(least, all.reference(k));
  return {units, least, wide};
}

double far_below(const Standing& all, int k, const ObjectiveScale& scale) {
  if (all.told[static_cast<std::size_t>(k)]) return all.reference(k);
  return std::max(all.worst(k) - scale.span, std::numeric_limits<double>::lowest());
}

Matrix random_directions(int num_searchs, int num_objectives, Key key) {
  Matrix out(num_searchs, num_objectives);
  key.fill_normal({out.data(), static_cast<std::size_t>(out.size())});
  for (Eigen::Index b = 0; b < out.rows(); ++b) {
    out.row(b) = (out.row(b).cwiseAbs() / out.row(b).norm()).cwiseMax(kLeastPart);
    out.row(b) /= out.row(b).norm();
  }
  return out;
}

double Scalarised::of_shares(int search, std::span<double> shares) const {
  const auto K = shares.size();
  double least = std::numeric_limits<double>::infinity(), sum = 0, each = 0;
  for (std::size_t k = 0; k < K; ++k) {
    each += kEachCounts * shares[k];
    shares[k] /= directions_(search, static_cast<Eigen::Index>(k));
    least = std::min(least, shares[k]);
  }
  for (double& share : shares) sum += (share = std::exp((least - share) / kSoft));
  for (std::size_t k = 0; k < K; ++k)
    shares[k] = shares[k] / sum / directions_(search, static_cast<Eigen::Index>(k)) + kEachCounts;
  return least - kSoft * std::log(sum) + each;
}

double Scalarised::moved(int search, double share, std::size_t k) const {
  return search % 2 == 0 ? share : share - scales_[k].share_of(far_(static_cast<Eigen::Index>(k)));
}

double Scalarised::value(int search, std::span<const double> f, std::span<double> slope) const {
  std::array<double, kMostObjectives> shares{};
  for (std::size_t k = 0; k < f.size(); ++k) shares[k] = moved(search, scales_[k].share(f[k]), k);
  const double out = of_shares(search, {shares.data(), f.size()});
  for (std::size_t k = 0; k < slope.size(); ++k) slope[k] = shares[k] * scales_[k].slope(f[k]);
  return out;
}

double Scalarised::of_values(int search, std::span<const double> values) const {
  std::array<double, kMostObjectives> shares{};
  for (std::size_t k = 0; k < values.size(); ++k) shares[k] = moved(search, scales_[k].share_of(values[k]), k);
  return of_shares(search, {shares.data(), values.size()});
}

double Gained::value(int member, std::span<const double> f, std::span<double> slope) const {
  const auto at = static_cast<std::size_t>(member);
  const auto K = static_cast<Eigen::Index>(f.size());
  Eigen::RowVectorXd shares(K), gradient(K);
  for (std::size_t k = 0; k < f.size(); ++k) shares(static_cast<Eigen::Index>(k)) = scales_[k].share(f[k]);
  const double out = improvement(left_[at], shares, slope.empty() ? nullptr : &gradient) / units_[at];
  for (std::size_t k = 0; k < slope.size(); ++k)
    slope[k] = gradient(static_cast<Eigen::Index>(k)) * scales_[k].slope(f[k]) / units_[at];
  return out;
}

Eigen::Index Gained::next_member(const Matrix& shares, const std::vector<Eigen::Index>& chosen,
                                 const std::vector<bool>& allowed) {
  Matrix known(front_.rows() + std::ssize(chosen), shares.cols());
  known.topRows(front_.rows()) = front_;
  known.bottomRows(std::ssize(chosen)) = shares(chosen, Eigen::all);
  left_.push_back(undominated(known, left_.size() % 2 == 0 ? Vector(reference_.cwiseMax(0.0)) : reference_));
  Eigen::Index best = -1;
  double most = -1;
  for (Eigen::Index i = 0; i < shares.rows(); ++i) {
    if (!allowed[static_cast<std::size_t>(i)]) continue;
    const double gain = improvement(left_.back(), shares.row(i));
    if (gain > most) {
      most = gain;
      best = i;
    }
  }
  units_.push_back(most > 0 ? most : 1.0);
  return best;
}

}  // namespace salvo
