#pragma once
#include <salvo/kinds.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace salvo {

// How large must m and M be, what does it cost, and what does the theory promise then? (docs/theory.md)
// The kernel has variance 1 on the unit cube; noise is measured in that unit.
struct PlanOptions {
  KernelType kernel = KernelType::matern52;
  int num_dims = 2;                 // d
  std::int64_t steps = 50;          // T
  std::int64_t batch = 100;         // B
  double noise = 0.1;               // τ
  double lengthscale = 0.3;         // of every coordinate
  double norm = 1;                  // 𝓑, a bound on the objective's RKHS norm
  double subgaussian = 0;           // R of the noise; 0: √τ
  double delta = 0;                 // Proposition 1 may fail with this probability; 0: 1/T
  double epsilon0 = 0;              // how close to a k-DPP Z is drawn; 0: 1/(T² log T), or less where that is too much
  double kappa = 1.0 / 12;          // wanted; a̲ = √2 there. The bound exists below 1/3
  int num_inducing = 500;           // the m and M to be judged
  int num_features = 1000;          //
  std::int64_t num_candidates = 0;  // N of the costs; 0: 500 per dimension
  int design = 1024;                // points among which the information gain is maximised
  void validate() const;            // throws std::invalid_argument
};

// Assumptions 1 and 2 as Proposition 1 promises them.
struct Approximation {
  double kappa = 0;
  double a_low = 1, a_high = 1;  // a̲, ā: σ/a̲ − ε ≤ σ̃ ≤ ā σ + ε
  double c = 0;                  // |μ̃ − μ| ≤ c σ
  double epsilon = 0;
  [[nodiscard]] bool speaks() const { return kappa < 1.0 / 3; }  // otherwise a̲ does not exist
};
[[nodiscard]] Approximation proposition1(double kappa, double epsilon);

// Theorem 1 for the cumulative regret of T steps of B.
struct RegretBound {
  double alpha = 0, b = 0, beta = 0;  // at step T
  double exploring = 0;               // 30 ā β B √(2Tγ_T/log(1 + 1/τ))
  double approximating = 0;           // (31β + α) ε T B
  double constant = 0;                // 15B𝓑 + 2B
  [[nodiscard]] double total() const { return exploring + approximating + constant; }
};
struct RegretTerms {
  int num_dims = 1;
  std::int64_t steps = 1, batch = 1;
  double noise = 0.1, norm = 1, subgaussian = 1;
  double gamma_steps = 0;  // γ_T
  double gamma_all = 0;    // γ_TB
};
[[nodiscard]] RegretBound theorem1(const RegretTerms& terms, const Approximation& approximation);

// γ_n three ways. `value`, which the bound uses, is the least of the upper ones.
struct GainBound {
  double greedy = 0;          // reached by a greedy choice among the design's points: γ is no less
  double over_guarantee = 0;  // greedy/(1 − 1/e): among these points γ is no more
  double spectral = 0;        // min over m of ½ m log(1 + n/(mτ)) + n δ_m/2τ: γ is no more
  double value = 0;
};

struct RulePlan {
  std::string rule{};             // "inducing points", "inducing features", "vanilla GP-TS"
  double m = 0, M = 0;            // needed; infinity: no number is enough. Vanilla: m = n, M = 0
  bool more_than_data = false;    // m > n
  Approximation approximation{};  // at these m and M
  double cost = 0;                // operations of T steps by Table 1's formula, constants left out
  std::optional<RegretBound> bound{};
  std::string m_order{}, M_order{}, cost_order{};  // Table 1; empty where it has none
  // The m and M given.
  Approximation given{};
  double m_to_speak = 0;  // the least m with κ < 1/3; infinity: none
  std::optional<RegretBound> given_bound{};
};

struct Plan {
  PlanOptions options{};                 // with what stood for 0 filled in
  std::int64_t num_observations = 0;     // n = TB
  GainBound gamma_steps{}, gamma_all{};  // γ_T, γ_TB
  double inverse_norm = 0;               // C₁ = 1 + max |Kzz⁻¹|, of a greedy Z with the jitter Salvo adds
  double trivial = 0;                    // 2𝓑TB: no regret is larger
  std::vector<RulePlan> rules{};         // points, features, vanilla
  std::vector<std::string> notes{};      // where the theory asks for the impossible, in words
};

[[nodiscard]] Plan plan(const PlanOptions& options);

}  // namespace salvo
