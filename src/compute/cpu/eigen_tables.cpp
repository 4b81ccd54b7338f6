#include "compute/eigen_tables.h"

#include <numbers>

#include "math/parallel.h"

namespace salvo {

EigenTables::EigenTables(const Eigenfunctions& functions) : functions_(functions), dims_(functions.num_dims()) {
  int total = 0;
  for (Eigen::Index d = 0; d < dims_; ++d) {
    offset_.push_back(total);
    count_.push_back(functions.index.rows() > 0 ? functions.index.col(d).maxCoeff() + 1 : 0);
    total += count_.back();
  }
  value_.resize(static_cast<std::size_t>(total));
  slope_.resize(value_.size());
}

void EigenTables::at(const double* x, Derivative derivative) {
  for (Eigen::Index d = 0; d < dims_; ++d)
    functions_.type == EigenType::gaussian ? hermites(d, x[d], derivative) : sines(d, x[d], derivative);
}

double EigenTables::sum(const double* x, const double* w, double* gradient) {
  at(x, gradient ? Derivative::by_x : Derivative::none);
  const Eigen::Index M = functions_.size();
  double value = 0;
  for (Eigen::Index j = 0; j < M; ++j) value += w[j] * functions_.scale(j) * product(j);
  if (gradient)
    for (Eigen::Index d = 0; d < dims_; ++d) {
      gradient[d] = 0;
      for (Eigen::Index j = 0; j < M; ++j) gradient[d] += w[j] * functions_.scale(j) * product_derivative(j, d);
    }
  return value;
}

// φ_k(x) = sin((k+1) t)/√w with t = π(x − centre + w)/2w, all k from sin t and cos t.
void EigenTables::sines(Eigen::Index d, double x, Derivative derivative) {
  const double w = functions_.width(d), t = std::numbers::pi * (x - functions_.centre(d) + w) / (2 * w);
  const double s = std::sin(t), c = std::cos(t), norm = 1 / std::sqrt(w);
  double* value = value_.data() + offset_[static_cast<std::size_t>(d)];
  double* slope = slope_.data() + offset_[static_cast<std::size_t>(d)];
  double sk = s, ck = c;  // of (k+1) t
  for (int k = 0; k < count_[static_cast<std::size_t>(d)]; ++k) {
    value[k] = norm * sk;
    slope[k] = derivative == Derivative::by_x ? norm * ck * (k + 1) * std::numbers::pi / (2 * w) : 0;
    const double next = sk * c + ck * s;
    ck = ck * c - sk * s;
    sk = next;
  }
}

void EigenTables::hermites(Eigen::Index d, double x, Derivative derivative) {
  const Hermite h(functions_.kernel.lengthscales(d), functions_.width(d));
  const double r = x - functions_.centre(d), t = std::sqrt(2 * h.c) * r;
  double* value = value_.data() + offset_[static_cast<std::size_t>(d)];
  double* slope = slope_.data() + offset_[static_cast<std::size_t>(d)];
  double before = 0, now = std::pow(h.c / h.a, 0.25) * std::exp(-(h.c - h.a) * r * r);
  for (int k = 0; k < count_[static_cast<std::size_t>(d)]; ++k) {
    value[k] = now;
    const double lower = std::sqrt(2.0 * k) * before;  // H_k' = 2k H_{k−1}
    if (derivative == Derivative::by_x) slope[k] = -2 * (h.c - h.a) * r * now + std::sqrt(2 * h.c) * lower;
    if (derivative == Derivative::by_log_lengthscale)  // through c alone: ∂c/∂log ℓ = −2ab/c
      slope[k] = (now * (1 / (4 * h.c) - r * r) + t / (2 * h.c) * lower) * (-2 * h.a * h.b / h.c);
    const double next = (t * std::sqrt(2.0) * now - std::sqrt(static_cast<double>(k)) * before) / std::sqrt(k + 1.0);
    before = now;
    now = next;
  }
}

Matrix Eigenfunctions::features(const Matrix& X) const {
  Matrix out(X.rows(), size());
  parallel_blocks(X.rows(), 64, [&](Eigen::Index a, Eigen::Index b) {
    EigenTables tables(*this);
    for (Eigen::Index i = a; i < b; ++i) {
      tables.at(X.row(i).data(), Derivative::none);
      for (Eigen::Index j = 0; j < size(); ++j) out(i, j) = tables.product(j) * scale(j);
    }
  });
  return out;
}

Matrix Eigenfunctions::shape_gradient(const Matrix& X, int d) const {
  if (type != EigenType::gaussian) return Matrix::Zero(X.rows(), size());
  Matrix out(X.rows(), size());
  parallel_blocks(X.rows(), 64, [&](Eigen::Index a, Eigen::Index b) {
    EigenTables tables(*this);
    for (Eigen::Index i = a; i < b; ++i) {
      tables.at(X.row(i).data(), Derivative::by_log_lengthscale);
      for (Eigen::Index j = 0; j < size(); ++j) out(i, j) = tables.product_derivative(j, d) * scale(j);
    }
  });
  return out;
}

}  // namespace salvo
