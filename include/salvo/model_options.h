#pragma once
#include <salvo/kinds.h>

#include <cstdint>
#include <optional>

namespace salvo {

// How a study over a space models its objective. fields.h says of every option what it is and may be.
struct ModelOptions {
  ModelType type = ModelType::inducing_points;
  std::optional<KernelType> kernel{};          // none: Matérn 5/2 or 3/2, whichever the values speak for
  Transform transform = Transform::automatic;  // of the values: none or squeeze, whichever they speak for
  FitMethod fit = FitMethod::collapsed;        // stochastic: mini-batches, where there are too many values to sweep often
  int minibatch = 1000;                        // of fit = stochastic: rows of a mini-batch; up to as many values it is collapsed
  int num_inducing = 500;                      // m; 0: automatic, the fewest for which θ/τ ≤ max_kl
  int exact_until = 1000;                      // observations up to which Z is all of them, the exact GP, whatever m
  double max_kl = 1.0;                         // of automatic m: nats between the sparse posterior and the exact one
  int max_inducing = 2000;                     // of automatic m
  int num_features = 1000;                     // M; 0: automatic, the fewest that keep the paths' spread right
  double max_variance_error = 0.05;            // of automatic M: relative error of the paths' standard deviation
  int max_features = 8000;                     // of automatic M
  Inducing inducing = Inducing::automatic;
  int kdpp_steps = 0;  // of inducing = kdpp: exchange steps, no more than its bound asks for; 0: see kdpp_chain
  FeatureType features = FeatureType::fourier;      // of the prior, with inducing points
  EigenType eigenfunctions = EigenType::automatic;  // of inducing features, and of features = eigen
  std::optional<double> alpha{};  // exploration: the spread of the sample paths; none: 1 while the model is exact, 1.5 then
  AlphaRule alpha_rule = AlphaRule::constant;  // theory: Theorem 1's, which grows
  double rkhs_norm = 0;                        // of alpha_rule = theory; 0: estimated
  double noise_bound = 1;                      // of alpha_rule = theory: R in units of the noise's deviation
  double max_lengthscale = 0.7;                // of the unit box
  double refit_growth = 0.15;                  // fit hyperparameters again when the data has grown by this share
  int num_starts = 10;                         // local searches per sample path
  int num_candidates = 0;                      // 0: 500 per dimension
  double max_share = 0.5;                      // of a batch that may go to one basin; 1: all of it
  double near_share = 0.5;                     // of those near the best point, looking around it, once the model is sparse
  double scout_share = 0.1;                    // of a batch sent where little was looked at
  double choice_share = 0.2;                   // of a batch for other choices of categories than the best point's; 0: none
  double summit_share = 0.03;                  // of a batch at the top of the mean, where values are noisy; 0: none
  double local_share = 0.85;                   // the most of a batch that goes to the best point's neighbourhood; 0: none
  int num_repeats = 4;                         // of the best points that are evaluated a second time, early on; 0: none
  FailureUse failures = FailureUse::learn;     // keep away from where evaluations failed
  double max_grid_gib = 2;                     // of method = thompson-grid: memory of a joint draw
  void validate() const;                       // throws std::invalid_argument
};

// How a study over a pool does.
struct PoolModelOptions {
  PoolKernelType kernel = PoolKernelType::tanimoto;
  PoolInducing inducing = PoolInducing::uniform;
  int num_inducing = 0;     // m; 0: automatic_inducing
  int num_features = 1000;  // M, of the prior
  // Spread of the samples; 0: the best of the mean. Among so many candidates the best of a full sample is one of those that
  // the model knows least about: on CEP 0.1 finds more than 0.3, and that over a quarter more than 1 (docs/results/pools.md).
  double alpha = 0.1;
  // Values below it count as it, in the units of y: a study's are centred on its first batch, so 0 is the average candidate.
  // What is not well above that need not be told apart, and a model that tries has less left for the best
  // (docs/results/pools.md). Where fewer than a tenth of the values are above it, 0 takes its place. None: all.
  std::optional<double> floor = 0.5;
  FailureUse failures = FailureUse::learn;  // keep away from candidates like those that failed
  std::int64_t subset = 0;                  // candidates looked at for each sample, drawn anew each time; 0: all
  double refit_growth = 0.02;               // of a study: learn again when the data has grown by this share
  bool screen = true;                       // scores in 8 bits first and settles by double precision what that leaves open
  std::int64_t byte_budget = std::int64_t{512} << 20;  // of work space beside the pool itself
  // Bounds on what is learned, in the units of y, and on its search.
  double min_variance = 0.05, max_variance = 1e3;
  double min_noise = 1e-4, max_noise = 2.0;
  double max_mean = 5.0;
  void validate() const;  // throws std::invalid_argument
};

}  // namespace salvo
