#pragma once
#include <salvo/diagnose_options.h>
#include <salvo/encoding.h>
#include <salvo/fitted_model.h>
#include <salvo/paths.h>
#include <salvo/plan.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace salvo {

// Means and standard deviations at some points.
struct Comparison {
  Vector exact_mean, exact_stddev;
  Vector sparse_mean, sparse_stddev;
  Vector path_stddev;  // of the sample paths at α = 1, over all their draws
};

// The exact GP, the sparse one and its sample paths, given the same data and hyperparameters. Model's units.
class ModelComparison {
 public:
  // Of `gp` its hyperparameters and inducing variables; of `paths` all but their number and α.
  ModelComparison(const SparseGp& gp, const Matrix& X, const Vector& y, PathOptions paths, Key key);
  ~ModelComparison();
  ModelComparison(ModelComparison&&) noexcept;
  ModelComparison& operator=(ModelComparison&&) noexcept;
  [[nodiscard]] Comparison at(const Matrix& X) const;
  [[nodiscard]] double theta_over_tau() const;
  [[nodiscard]] double jitter() const;  // the larger of the two models'
  // 1 − ‖Φ(x)‖²/k(x,x) at the rows of X: the share of the prior's variance that its features lose there.
  [[nodiscard]] Vector lost_variance(const Matrix& X) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Assumptions 1 and 2 as measured: the least constants for which they hold at the points compared.
struct MeasuredQuality {
  double a_low = 1, a_high = 1;  // max σ/σˢ, max σˢ/σ, at least 1
  double c = 0;                  // max |μˢ − μ|/σ
  double epsilon = 0;            // max |σ̃ − σˢ|, in units of the kernel's standard deviation
};
// `share` of the points: 1 for the worst, 0.95 to leave out the worst twentieth of each.
[[nodiscard]] MeasuredQuality measure(const Comparison& comparison, double kernel_stddev, double share = 1);

enum class Trust { yes, mostly, no };
template <>
struct Names<Trust> {
  static constexpr std::string_view what = "trust";
  static constexpr NameList<Trust, 3> list{{{Trust::yes, "yes"}, {Trust::mostly, "mostly"}, {Trust::no, "no"}}};
};

struct Diagnosis {
  struct Place {
    std::string where;  // "anywhere", "at observations", "near the best"
    int num_points = 0;
    MeasuredQuality worst, usual;  // of all points, of 95% of them
  };
  std::int64_t num_observations = 0;
  std::int64_t num_compared = 0;  // observations that both models were given here
  ModelType type = ModelType::inducing_points;
  int num_inducing = 0, num_features = 0;
  double theta_over_tau = 0;
  Approximation promised;  // by Proposition 1 from θ/τ: κ = 2θ/τ
  double jitter = 0;
  double lost_mean = 0, lost_worst = 0;  // share of the prior's variance lost to truncation; negative: too much
  std::string sizes;                     // how automatic sizes and a k-DPP's points were found, in words
  std::vector<Place> places;
  Trust trust = Trust::yes;
  std::string verdict;              // in words
  std::vector<std::string> advice;  // what to change, if anything

  // Both models at points of the study's space, in the user's units and direction.
  [[nodiscard]] Comparison at(std::span<const Params> points) const;
  std::shared_ptr<const ModelComparison> models;
  Encoding space;
  double sign = 1, centre = 0, scale = 1;
};

// Throws std::invalid_argument for a study without two values. Stores nothing.
[[nodiscard]] Diagnosis diagnose(Study& study, const DiagnoseOptions& options = {});

}  // namespace salvo
