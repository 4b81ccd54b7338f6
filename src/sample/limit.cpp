#include "sample/limit.h"

namespace salvo {
namespace {

using Index = Eigen::Index;
constexpr double kRounded = 0.1;  // short of the limit by less, the loss is quadratic: a kink would stop a climb along it

}  // namespace

Limit::Limit(Paths g, Vector least, double height)
    : g_(std::move(g)), functions_(g_), least_(std::move(least)), height_(height) {}

Limit::Loss Limit::loss(double g, double least) const {
  const double missing = least - g;
  if (missing <= 0) return {};
  if (missing < kRounded) return {height_ * missing * missing / (2 * kRounded), -height_ * missing / kRounded};
  return {height_ * (missing - kRounded / 2), -height_};
}

void Limit::lower(const Matrix& X, const std::vector<int>& index, Vector& values, Matrix* gradients) const {
  Vector g;
  Matrix slopes;
  functions_.evaluate(X, index, g, gradients ? &slopes : nullptr);
  for (Index i = 0; i < g.size(); ++i) {
    const Loss lost = loss(g(i), least_(index[static_cast<std::size_t>(i)]));
    values(i) -= lost.value;
    if (gradients) gradients->row(i) -= lost.slope * slopes.row(i);
  }
}

void Limit::lower(const Matrix& X, Matrix& values) const {
  const Matrix G = functions_.values(X);
  for (Index i = 0; i < G.rows(); ++i)
    for (Index b = 0; b < G.cols(); ++b) values(i, b) -= loss(G(i, b), least_(b)).value;
}

void Limit::lower_changed(const Encoding& space, int function, std::span<const double> x, std::span<const Change> changes,
                          std::span<double> values) const {
  std::vector<double> g(changes.size());
  functions_.changed(space, function, x, changes, g);
  for (std::size_t i = 0; i < g.size(); ++i) values[i] -= loss(g[i], least_(function)).value;
}

void LimitedFunctions::evaluate(const Matrix& X, const std::vector<int>& index, Vector& values, Matrix* gradients) const {
  functions_.evaluate(X, index, values, gradients);
  if (limit_) limit_->lower(X, index, values, gradients);
}

Matrix LimitedFunctions::values(const Matrix& X) const {
  Matrix out = functions_.values(X);
  if (limit_) limit_->lower(X, out);
  return out;
}

std::vector<int> LimitedFunctions::best_candidates(const std::vector<int>& members, const Matrix& C, int num_blocks) const {
  if (!limit_) return functions_.best_candidates(members, C, num_blocks);
  if (static_cast<int>(members.size()) < size()) return Functions::best_candidates(members, C, num_blocks);
  const Index block = C.rows() / num_blocks;
  std::vector<int> rows;
  for (int k = 0; k < num_blocks; ++k) {
    const Matrix V = values(C.middleRows(k * block, block));  // [block,B]
    for (const int member : members) {
      Index best = 0;
      V.col(member).maxCoeff(&best);
      rows.push_back(static_cast<int>(k * block + best));
    }
  }
  return rows;
}

void LimitedFunctions::changed(const Encoding& space, int function, std::span<const double> x, std::span<const Change> changes,
                               std::span<double> values) const {
  functions_.changed(space, function, x, changes, values);
  if (limit_) limit_->lower_changed(space, function, x, changes, values);
}

void LimitedFunctions::along(int function, std::span<const double> x, int e, std::span<const double> places,
                             std::span<double> values) const {
  functions_.along(function, x, e, places, values);
  if (!limit_) return;
  Vector f = Eigen::Map<const Vector>(values.data(), std::ssize(values));
  limit_->lower(moved_along(x, e, places), std::vector<int>(places.size(), function), f);
  std::copy(f.begin(), f.end(), values.begin());
}

}  // namespace salvo
