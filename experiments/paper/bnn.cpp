#include "paper/bnn.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "compute/clones.h"

namespace salvo::experiments {
namespace {

double density(double x) { return std::exp(-0.5 * x * x) / std::sqrt(2 * std::numbers::pi); }
double cumulative(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

double log_normal(double residual, double variance) {
  return -0.5 * (std::log(2 * std::numbers::pi * variance) + residual * residual / variance);
}

// sums [H] += the rows of w [inputs,H] that are set.
SALVO_CLONES void add_rows(const float* w, std::size_t H, std::span<const int> on, float* sums) {
  for (const int input : on) {
    const float* row = w + static_cast<std::size_t>(input) * H;
    for (std::size_t h = 0; h < H; ++h) sums[h] += row[h];
  }
}

}  // namespace

// Moments on the way through the network, and what their derivatives need.
struct Bnn::Forward {
  std::vector<double> before_mean, before_variance;  // [H] of the sums into the hidden units
  std::vector<double> mean, variance;                // [H + 1] of what they give, the last being the bias
  std::vector<double> share, slope;                  // Φ(μ/σ), φ(μ/σ)
  Moments out;
};

Bnn::Bnn(int num_inputs, const BnnOptions& options, Key key) : options_(options), alpha_(options.shape), beta_(options.rate) {
  const double prior = options.rate / (options.shape - 1);
  const auto layer_of = [&](int rows, int columns, Key from) {
    Layer layer{rows, columns, std::vector<double>(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns)), {}};
    from.fill_normal(layer.mean);  // apart from each other, or all hidden units would stay the same
    layer.variance.assign(layer.mean.size(), prior);
    return layer;
  };
  first_ = layer_of(num_inputs + 1, options.num_hidden, key.fold("first"));
  second_ = layer_of(options.num_hidden + 1, 1, key.fold("second"));
}

Bnn::Forward Bnn::forward(std::span<const int> on) const {
  const auto H = static_cast<std::size_t>(options_.num_hidden);
  Forward f{std::vector<double>(H),
            std::vector<double>(H),
            std::vector<double>(H + 1),
            std::vector<double>(H + 1),
            std::vector<double>(H),
            std::vector<double>(H),
            {}};
  const auto add = [&](int input) {
    const double* m = first_.mean.data() + static_cast<std::size_t>(input) * H;
    const double* v = first_.variance.data() + static_cast<std::size_t>(input) * H;
    for (std::size_t h = 0; h < H; ++h) f.before_mean[h] += m[h];
    for (std::size_t h = 0; h < H; ++h) f.before_variance[h] += v[h];
  };
  for (const int input : on) add(input);
  add(first_.rows - 1);
  // The sums are divided by the root of how many inputs are set, as in the original by that of how many there are.
  const double inputs = static_cast<double>(on.size()) + 1, units = static_cast<double>(H) + 1;
  for (std::size_t h = 0; h < H; ++h) {
    const double mu = f.before_mean[h] /= std::sqrt(inputs), s = f.before_variance[h] /= inputs, sigma = std::sqrt(s);
    const double phi = f.slope[h] = density(mu / sigma), Phi = f.share[h] = cumulative(mu / sigma);
    f.mean[h] = mu * Phi + sigma * phi;
    f.variance[h] = std::max((mu * mu + s) * Phi + mu * sigma * phi - f.mean[h] * f.mean[h], 0.0);
  }
  f.mean[H] = 1;
  for (std::size_t k = 0; k <= H; ++k) {
    const double m = second_.mean[k], v = second_.variance[k];
    f.out.mean += m * f.mean[k] / std::sqrt(units);
    f.out.variance += (f.variance[k] * m * m + (f.mean[k] * f.mean[k] + f.variance[k]) * v) / units;
  }
  return f;
}

Bnn::Moments Bnn::predict(std::span<const int> on) const { return forward(on).out; }

double Bnn::log_evidence(std::span<const int> on, double y) const {
  const Moments out = predict(on);
  return log_normal(y - out.mean, out.variance + noise());
}

void Bnn::update(std::span<const int> on, double y) {
  const auto H = static_cast<std::size_t>(options_.num_hidden);
  const Forward f = forward(on);
  const double residual = y - f.out.mean, total = f.out.variance + noise();
  const double to_mean = residual / total, to_variance = 0.5 * (residual * residual / total - 1) / total;  // of log Z
  const double inputs = static_cast<double>(on.size()) + 1, units = static_cast<double>(H) + 1;
  const auto move = [](double& m, double& v, double by_mean, double by_variance) {
    const double mean = m + v * by_mean, variance = v - v * v * (by_mean * by_mean - 2 * by_variance);
    if (!std::isfinite(mean) || !(variance > 1e-12) || !std::isfinite(variance)) return;  // as in the original: left as it was
    m = mean;
    v = variance;
  };

  std::vector<double> by_mean(H), by_variance(H);  // of log Z with respect to the sums into the hidden units
  for (std::size_t h = 0; h < H; ++h) {
    const double m = second_.mean[h], v = second_.variance[h];
    const double to_b = to_mean * m / std::sqrt(units) + to_variance * 2 * f.mean[h] * v / units;
    const double to_bv = to_variance * (m * m + v) / units;
    const double sigma = std::sqrt(f.before_variance[h]);
    by_mean[h] = (to_b * f.share[h] + to_bv * 2 * f.mean[h] * (1 - f.share[h])) / std::sqrt(inputs);
    by_variance[h] = (to_b * f.slope[h] / (2 * sigma) + to_bv * (f.share[h] - f.mean[h] * f.slope[h] / sigma)) / inputs;
  }
  for (std::size_t k = 0; k <= H; ++k)
    move(second_.mean[k], second_.variance[k],
         to_mean * f.mean[k] / std::sqrt(units) + to_variance * 2 * second_.mean[k] * f.variance[k] / units,
         to_variance * (f.mean[k] * f.mean[k] + f.variance[k]) / units);
  const auto learn = [&](int input) {
    double* m = first_.mean.data() + static_cast<std::size_t>(input) * H;
    double* v = first_.variance.data() + static_cast<std::size_t>(input) * H;
    for (std::size_t h = 0; h < H; ++h) move(m[h], v[h], by_mean[h], by_variance[h]);
  };
  for (const int input : on) learn(input);
  learn(first_.rows - 1);

  // The Gamma of the noise's precision: its first two moments after this observation.
  const auto evidence = [&](double alpha) { return log_normal(residual, f.out.variance + beta_ / (alpha - 1)); };
  const double z0 = evidence(alpha_), z1 = evidence(alpha_ + 1), z2 = evidence(alpha_ + 2);
  const double alpha = 1 / (std::exp(z2 - 2 * z1 + z0) * (alpha_ + 1) / alpha_ - 1);
  const double beta = 1 / (std::exp(z2 - z1) * (alpha_ + 1) / beta_ - std::exp(z1 - z0) * alpha_ / beta_);
  if (std::isfinite(alpha) && std::isfinite(beta) && alpha > 1 && beta > 0) {
    alpha_ = alpha;
    beta_ = beta;
  }
}

void Bnn::train(const std::vector<std::vector<int>>& inputs, const Vector& y, Key key) {
  std::vector<std::size_t> order(inputs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (int epoch = 0; epoch < options_.num_epochs; ++epoch) {
    const Key shuffle = key.fold(static_cast<std::uint64_t>(epoch));
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[shuffle.at(i).below(i)]);
    for (const std::size_t i : order) update(inputs[i], y(static_cast<Eigen::Index>(i)));
  }
}

Bnn::Network Bnn::draw(Key key) const {
  Network out{options_.num_hidden, {}, {}};
  const auto draw_layer = [](const Layer& layer, Key from, std::vector<float>& to) {
    std::vector<double> eps(layer.mean.size());
    from.fill_normal(eps);
    for (std::size_t i = 0; i < eps.size(); ++i)
      to.push_back(static_cast<float>(layer.mean[i] + std::sqrt(layer.variance[i]) * eps[i]));
  };
  draw_layer(first_, key.fold("first"), out.first);
  draw_layer(second_, key.fold("second"), out.second);
  return out;
}

Bnn::Network Bnn::means() const {
  return {options_.num_hidden, {first_.mean.begin(), first_.mean.end()}, {second_.mean.begin(), second_.mean.end()}};
}

double Bnn::Network::value(std::span<const int> on) const {
  const auto H = static_cast<std::size_t>(num_hidden);
  static thread_local std::vector<float> sums;
  sums.assign(first.end() - static_cast<std::ptrdiff_t>(H), first.end());
  add_rows(first.data(), H, on, sums.data());
  const float scale = 1.0F / std::sqrt(static_cast<float>(on.size()) + 1);
  float out = second[H];
  for (std::size_t h = 0; h < H; ++h) out += second[h] * std::max(sums[h] * scale, 0.0F);
  return static_cast<double>(out / std::sqrt(static_cast<float>(H) + 1));
}

}  // namespace salvo::experiments
