#pragma once
#include <salvo/matrix.h>
#include <salvo/random.h>

#include <span>
#include <vector>

namespace salvo::experiments {

struct BnnOptions {
  int num_hidden = 100;
  int num_epochs = 10;         // passes over the data
  double shape = 6, rate = 6;  // of the Gamma priors on the precisions of weights and noise
};

// A network of one hidden layer of ReLU over bits, learned by probabilistic back-propagation (Hernández-Lobato & Adams 2015;
// docs/math.md §13): every weight has a mean and a variance of its own. It is what the paper compares with on molecules.
// The precision of the noise is learned; that of the weights stays at its prior's mean.
class Bnn {
 public:
  Bnn(int num_inputs, const BnnOptions& options, Key key);

  // One observation y of an input whose bits `on` are set: moments are matched, each weight by the gradient of log Z.
  void update(std::span<const int> on, double y);
  void train(const std::vector<std::vector<int>>& inputs, const Vector& y, Key key);

  struct Moments {
    double mean = 0, variance = 0;  // of the output
  };
  [[nodiscard]] Moments predict(std::span<const int> on) const;
  [[nodiscard]] double log_evidence(std::span<const int> on, double y) const;  // log Z
  [[nodiscard]] double noise() const { return beta_ / (alpha_ - 1); }

  // A weight's place: layer 0 by (input, hidden), the last input being the bias; layer 1 by (hidden, 0), the last the bias.
  struct Layer {
    int rows = 0, columns = 0;
    std::vector<double> mean, variance;  // [rows, columns]
  };
  [[nodiscard]] const Layer& layer(int which) const { return which == 0 ? first_ : second_; }
  Layer& layer(int which) { return which == 0 ? first_ : second_; }

  // A network with drawn weights, or with their means.
  struct Network {
    int num_hidden = 0;
    std::vector<float> first, second;
    [[nodiscard]] double value(std::span<const int> on) const;
  };
  [[nodiscard]] Network draw(Key key) const;
  [[nodiscard]] Network means() const;

 private:
  struct Forward;
  [[nodiscard]] Forward forward(std::span<const int> on) const;
  BnnOptions options_;
  Layer first_, second_;
  double alpha_, beta_;  // Gamma of the noise's precision
};

}  // namespace salvo::experiments
