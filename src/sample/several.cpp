#include "sample/several.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace salvo {
namespace {

using Index = Eigen::Index;
constexpr double kTolerance = 1e-6;  // a step of a climb that gains less is its last
constexpr double kSteep = 30;        // price of a square that is missed, in the first round …
constexpr double kSteeper = 10;      // … and how much higher it is in each of the next
constexpr double kHolds = 1e-3;      // missed by less, a path keeps to its constraint
constexpr double kWorse = 1e6;       // for each unit missed, what does not hold ranks lower

std::vector<int> members_of(const std::vector<int>& index, int num_members) {
  std::vector<int> out(index.size());
  for (std::size_t i = 0; i < index.size(); ++i) out[i] = index[i] % num_members;
  return out;
}

}  // namespace

SeveralFunctions::SeveralFunctions(std::vector<const Functions*> objectives, std::vector<Bounded> constraints, const Merit& merit,
                                   std::vector<std::unique_ptr<Limit>> limits, int searches)
    : Functions(objectives.front()->size() * searches, objectives.front()->kernel(), kTolerance),
      objectives_(std::move(objectives)),
      constraints_(std::move(constraints)),
      merit_(&merit),
      limits_(std::move(limits)),
      num_members_(objectives_.front()->size()),
      price_(Matrix::Zero(std::ssize(constraints_), size())),
      steepness_(kSteep) {}

double SeveralFunctions::missed(std::size_t constraint, int member, double g) const {
  const double low = constraints_[constraint].low(member), high = constraints_[constraint].high(member);
  return g < low ? g - low : g > high ? g - high : 0.0;
}

// max over the two sides of (λ + μ m), which pulls inside before the bound is reached once a price was paid there.
SeveralFunctions::Price SeveralFunctions::price(std::size_t constraint, int search, double g) const {
  const int member = search % num_members_;
  const double price = price_(static_cast<Index>(constraint), search);
  const double low = constraints_[constraint].low(member), high = constraints_[constraint].high(member);
  const double side = price < 0 ? g - low : price > 0 ? g - high : missed(constraint, member, g);
  double pull = price + steepness_ * side;
  if ((price < 0 && pull > 0) || (price > 0 && pull < 0)) pull = steepness_ * missed(constraint, member, g);
  return {(pull * pull - price * price) / (2 * steepness_), pull};
}

bool SeveralFunctions::is_sum() const {
  return std::any_of(objectives_.begin(), objectives_.end(), [](const Functions* f) { return f->is_sum(); });
}

void SeveralFunctions::along(int search, std::span<const double> x, int e, std::span<const double> places,
                             std::span<double> values) const {
  const int member = search % num_members_;
  const auto K = objectives_.size(), n = places.size();
  std::vector<std::vector<double>> f(K, std::vector<double>(n));
  for (std::size_t k = 0; k < K; ++k) objectives_[k]->along(member, x, e, places, f[k]);
  std::vector<double> there(K), g(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < K; ++k) there[k] = f[k][i];
    values[i] = merit_->value(search, there, {});
  }
  for (std::size_t j = 0; j < constraints_.size(); ++j) {
    constraints_[j].g->along(member, x, e, places, g);
    for (std::size_t i = 0; i < n; ++i) values[i] -= price(j, search, g[i]).value;
  }
  if (limits_.empty()) return;
  const Matrix X = moved_along(x, e, places);
  Vector lowered = Eigen::Map<const Vector>(values.data(), std::ssize(values));
  for (const auto& limit : limits_) limit->lower(X, std::vector<int>(n, member), lowered);
  std::copy(lowered.begin(), lowered.end(), values.begin());
}

void SeveralFunctions::evaluate(const Matrix& X, const std::vector<int>& index, Vector& values, Matrix* gradients) const {
  const std::vector<int> of = members_of(index, num_members_);
  const auto K = objectives_.size();
  std::vector<Vector> f(K);
  std::vector<Matrix> slopes(K);
  for (std::size_t k = 0; k < K; ++k) objectives_[k]->evaluate(X, of, f[k], gradients ? &slopes[k] : nullptr);
  values.resize(X.rows());
  if (gradients) gradients->setZero(X.rows(), X.cols());
  std::vector<double> there(K), share(gradients ? K : 0);
  for (Index i = 0; i < X.rows(); ++i) {
    for (std::size_t k = 0; k < K; ++k) there[k] = f[k](i);
    values(i) = merit_->value(index[static_cast<std::size_t>(i)], there, share);
    for (std::size_t k = 0; k < share.size(); ++k) gradients->row(i) += share[k] * slopes[k].row(i);
  }
  for (std::size_t j = 0; j < constraints_.size(); ++j) {
    Vector g;
    Matrix slope;
    constraints_[j].g->evaluate(X, of, g, gradients ? &slope : nullptr);
    for (Index i = 0; i < X.rows(); ++i) {
      const Price to_pay = price(j, index[static_cast<std::size_t>(i)], g(i));
      values(i) -= to_pay.value;
      if (gradients) gradients->row(i) -= to_pay.pull * slope.row(i);
    }
  }
  for (const auto& limit : limits_) limit->lower(X, of, values, gradients);
}

Matrix SeveralFunctions::values(const Matrix& X) const { return first_values(X, 0); }

// Of searches begin … begin + B − 1, as a climb begins.
Matrix SeveralFunctions::first_values(const Matrix& X, int begin) const {
  const auto K = objectives_.size();
  std::vector<Matrix> f(K);
  for (std::size_t k = 0; k < K; ++k) f[k] = objectives_[k]->values(X);
  Matrix out(X.rows(), num_members_);
  std::vector<double> there(K);
  for (Index i = 0; i < out.rows(); ++i)
    for (int b = 0; b < num_members_; ++b) {
      for (std::size_t k = 0; k < K; ++k) there[k] = f[k](i, b);
      out(i, b) = merit_->value(begin + b, there, {});
    }
  for (std::size_t j = 0; j < constraints_.size(); ++j) {
    const Matrix g = constraints_[j].g->values(X);
    for (Index i = 0; i < out.rows(); ++i)
      for (int b = 0; b < num_members_; ++b) {
        const double off = missed(j, b, g(i, b));
        out(i, b) -= 0.5 * kSteep * off * off;
      }
  }
  for (const auto& limit : limits_) limit->lower(X, out);
  return out;
}

std::vector<int> SeveralFunctions::best_candidates(const std::vector<int>& members, const Matrix& C, int num_blocks) const {
  const Index block = C.rows() / num_blocks;
  std::vector<int> rows;
  for (int k = 0; k < num_blocks; ++k) {
    const Matrix V = first_values(C.middleRows(k * block, block), k * num_members_);  // [block,B]
    for (const int member : members) {
      Index best = 0;
      V.col(member % num_members_).maxCoeff(&best);
      rows.push_back(static_cast<int>(k * block + best));
    }
  }
  return rows;
}

Matrix SeveralFunctions::missed_in_all(const Matrix& X) const {
  Matrix out = Matrix::Zero(X.rows(), num_members_);
  for (std::size_t j = 0; j < constraints_.size(); ++j) {
    const Matrix g = constraints_[j].g->values(X);
    for (Index i = 0; i < out.rows(); ++i)
      for (int b = 0; b < num_members_; ++b) out(i, b) += std::max(0.0, std::abs(missed(j, b, g(i, b))) - kHolds);
  }
  for (const auto& limit : limits_) {
    Matrix lowered = Matrix::Zero(X.rows(), num_members_);
    limit->lower(X, lowered);
    out -= lowered;
  }
  return out;
}

void SeveralFunctions::press(const Matrix& X, const std::vector<int>& index) {
  const std::vector<int> of = members_of(index, num_members_);
  Vector g;
  for (std::size_t j = 0; j < constraints_.size(); ++j) {
    constraints_[j].g->evaluate(X, of, g);
    for (std::size_t i = 0; i < index.size(); ++i) {
      double& price = price_(static_cast<Index>(j), index[i]);
      const double value = g(static_cast<Index>(i));
      const double low = constraints_[j].low(of[i]), high = constraints_[j].high(of[i]);
      const double side = price < 0 ? value - low : price > 0 ? value - high : missed(j, of[i], value);
      const double next = price + steepness_ * side;
      price = (price < 0 && next > 0) || (price > 0 && next < 0) ? 0.0 : next;
    }
  }
  steepness_ *= kSteeper;
}

Vector SeveralFunctions::settled(const Matrix& X, const std::vector<int>& index) const {
  const std::vector<int> of = members_of(index, num_members_);
  const auto K = objectives_.size();
  Matrix f(X.rows(), static_cast<Index>(K));
  Vector column;
  for (std::size_t k = 0; k < K; ++k) {
    objectives_[k]->evaluate(X, of, column);
    f.col(static_cast<Index>(k)) = column;
  }
  Vector out(X.rows()), off = Vector::Zero(X.rows());
  for (Index i = 0; i < out.size(); ++i) out(i) = merit_->value(index[static_cast<std::size_t>(i)], {f.row(i).data(), K}, {});
  for (std::size_t j = 0; j < constraints_.size(); ++j) {
    constraints_[j].g->evaluate(X, of, column);
    for (Index i = 0; i < off.size(); ++i)
      off(i) += std::max(0.0, std::abs(missed(j, of[static_cast<std::size_t>(i)], column(i))) - kHolds);
  }
  out -= kWorse * off;
  for (const auto& limit : limits_) limit->lower(X, of, out);
  return out;
}

}  // namespace salvo
