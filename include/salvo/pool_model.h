#pragma once
#include <salvo/matrix.h>
#include <salvo/model_options.h>
#include <salvo/pool.h>
#include <salvo/random.h>
#include <salvo/sparse_gp.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace salvo {

// An automatic m: what keeps a pass over N candidates at 10⁹ kernels a sample, within 500 and 2000. Up to m observations the
// model is exact, and among molecules that finds more.
[[nodiscard]] int automatic_inducing(std::int64_t num_candidates);

// Everything that was learned; with the pool, the options and the data it makes the same model again.
struct PoolLearned {
  double variance = 1;                 // σ²
  double noise = 0.1;                  // τ
  double mean = 0;                     // c₀
  double bias = 1;                     // b of the arc-cosine kernel
  int power = 1;                       // p of the Tanimoto kernel: 1, 2, 4 or 8
  Vector lengthscales;                 // of the kernels over numbers, in units of each column's range in the pool
  std::vector<std::int64_t> inducing;  // rows of the pool
  std::uint64_t features = 0;          // seed of the prior's features, kept for a whole campaign
  std::optional<double> floor{};       // the options', or the mean where hardly a value was above that
};

struct PoolFit {
  double bound = 0;         // the collapsed bound there
  double theta = 0;         // Tr(Kxx − Qxx)
  double jitter = 0;        // relative to the variance
  int num_evaluations = 0;  // of the evidence, or of its bound, in search of the scales
};

struct PoolChoice {
  std::vector<std::int64_t> rows;  // distinct, none of them taken; fewer than asked for when fewer are left
  Vector values;                   // what each one's own sample says of it
  std::int64_t num_scored = 0;     // candidates times samples
  std::int64_t num_kept = 0;       // of them one by one, since a bound for all samples at once left it open
  std::int64_t num_refined = 0;    // in single precision, where 8 bits did
  std::int64_t num_rescored = 0;   // and in double, where single did
  int num_passes = 0;              // over the pool
};

// A sparse GP over the candidates of a pool, and batches by Thompson sampling from it. y is in the units of the model:
// larger is better, and about 1 in size.
class PoolModel {
 public:
  PoolModel(const Pool& pool, PoolModelOptions options, std::uint64_t seed);
  ~PoolModel();
  PoolModel(PoolModel&&) noexcept;
  PoolModel& operator=(PoolModel&&) noexcept;

  // Chooses the inducing points, learns the hyperparameters, and takes in all data: O(n m²). r, here and in add(): where values
  // are known to be of different precision, the noise of each over τ; empty: 1 for all.
  // noise: what the values' own errors say of τ, which is then believed within a factor of nine; 0: nothing.
  PoolFit learn(std::span<const std::int64_t> rows, const Vector& y, Key key, const Vector& r = {}, double noise = 0);
  [[nodiscard]] std::optional<double> floor_for(const Vector& y) const;  // what learn() would count smaller values as
  // Goes back to what was learned earlier, without data.
  void restore(PoolLearned learned);
  void check(const PoolLearned& learned) const;  // throws std::invalid_argument: it cannot be restored
  // Takes in more data: O(n m²) for n new ones. The same bits whether they come at once or one by one.
  void add(std::span<const std::int64_t> rows, const Vector& y, const Vector& r = {});

  [[nodiscard]] bool ready() const;  // learn or restore was called
  [[nodiscard]] const PoolLearned& learned() const;
  [[nodiscard]] std::int64_t num_observations() const;
  [[nodiscard]] const Pool& pool() const;
  [[nodiscard]] const PoolModelOptions& options() const;

  // One candidate for each of `count` samples: its best that is neither in `taken` nor another sample's.
  [[nodiscard]] PoolChoice choose(int count, std::span<const std::int64_t> taken, Key key) const;
  [[nodiscard]] Prediction predict(std::span<const std::int64_t> rows) const;
  [[nodiscard]] double bound() const;
  [[nodiscard]] double theta() const;   // Tr(Kxx − Qxx); θ/τ bounds the KL to the exact posterior
  [[nodiscard]] double jitter() const;  // relative to the variance

 private:
  friend class PoolTogether;
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace salvo
