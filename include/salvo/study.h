#pragma once
#include <salvo/method.h>
#include <salvo/paths.h>
#include <salvo/pool.h>
#include <salvo/pool_model.h>
#include <salvo/space.h>
#include <salvo/sparse_gp.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace salvo {

enum class Direction { minimize, maximize };
enum class Initial { sobol, uniform };
enum class TrialState { pending, done, failed, abandoned };
enum class Origin { initial, model, told };  // told: evaluated elsewhere and handed in

[[nodiscard]] std::string_view to_string(Direction);
[[nodiscard]] std::string_view to_string(Initial);
[[nodiscard]] std::string_view to_string(TrialState);
[[nodiscard]] std::string_view to_string(Origin);

enum class ModelType { inducing_points, inducing_features };
inline constexpr ModelType kModelTypes[] = {ModelType::inducing_points, ModelType::inducing_features};
enum class FitMethod { collapsed, stochastic };
inline constexpr FitMethod kFitMethods[] = {FitMethod::collapsed, FitMethod::stochastic};
enum class AlphaRule { constant, theory };

[[nodiscard]] std::string_view to_string(ModelType);
[[nodiscard]] std::string_view to_string(FitMethod);
// ModelOptions::kernel: the name of a kernel, or "auto".
[[nodiscard]] std::string_view kernel_choice(std::optional<KernelType> kernel);
[[nodiscard]] std::optional<KernelType> kernel_choice(std::string_view name);  // throws std::invalid_argument

struct ModelOptions {
  ModelType type = ModelType::inducing_points;
  std::optional<KernelType> kernel{};    // none: Matérn 5/2 or 3/2, whichever the values speak for
  FitMethod fit = FitMethod::collapsed;  // stochastic: mini-batches, where there are too many values to sweep often
  int minibatch = 1000;                  // of fit = stochastic: rows of a mini-batch; up to as many values it is collapsed
  int num_inducing = 500;                // m; 0: automatic, the fewest for which θ/τ ≤ max_kl
  int exact_until = 1000;                // observations up to which Z is all of them, the exact GP, whatever m
  double max_kl = 1.0;                   // of automatic m: nats between the sparse posterior and the exact one
  int max_inducing = 2000;               // of automatic m
  int num_features = 1000;               // M; 0: automatic, the fewest that keep the paths' spread right
  double max_variance_error = 0.05;      // of automatic M: relative error of the paths' standard deviation
  int max_features = 8000;               // of automatic M
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
  double max_grid_gib = 2;                     // of method = thompson-grid: memory of a joint draw
  void validate() const;                       // throws std::invalid_argument
};

struct StudyOptions {
  std::string name = "study";
  Space space{};
  Direction direction = Direction::maximize;
  std::uint64_t seed = 0;
  int batch = 100;      // the usual ask; sets the size of the initial design when num_initial is 0
  int num_initial = 0;  // points of the initial design; 0: batch
  Initial initial = Initial::sobol;
  Method method = Method::automatic;
  ModelOptions model{};
  // A study over a pool: its candidates are the space, which is left empty here. Of `model` it uses refit_growth alone.
  std::optional<Pool> pool{};
  PoolModelOptions pool_model{};
  void validate() const;  // throws std::invalid_argument
};

struct Trial {
  std::int64_t id = 0;  // 1, 2, …
  Params params{};
  TrialState state = TrialState::pending;
  Origin origin = Origin::initial;
  std::optional<double> value{};  // in the user's own direction
  std::string error{};            // why it failed
  double asked_at = 0;            // seconds since 1970
  double told_at = 0;             // 0 while pending
};

// The outcome of one trial, as tell() takes it. value and failure exclude each other.
struct Outcome {
  std::int64_t id = 0;
  std::optional<double> value{};
  std::string error{};     // with no value: the trial failed, and why
  bool abandoned = false;  // with no value: nobody will evaluate it
};

struct Recommendation {
  Trial trial;      // the evaluated point with the best posterior mean
  double mean = 0;  // posterior mean and standard deviation of the objective there, in the user's units
  double stddev = 0;
};

struct Counts {
  std::int64_t pending = 0, done = 0, failed = 0, abandoned = 0;
  [[nodiscard]] std::int64_t total() const { return pending + done + failed + abandoned; }
};

struct Seconds {  // spent by this process
  double fit = 0, draw = 0, maximise = 0, store = 0;
};

// What the model has learned so far, in the user's units where that makes sense.
struct ModelReport {
  std::int64_t num_observations = 0;
  int num_inducing = 0;
  std::string kernel;                                    // its name
  Vector lengthscales;                                   // per coordinate of the encoding, in the unit box
  double signal_stddev = 0, noise_stddev = 0, mean = 0;  // in the user's units
  double theta_over_tau = 0;                             // KL bound to the exact posterior
  double jitter = 0;
  int num_features = 0;  // M of the next ask's paths
  double alpha = 0;      // their spread
  ModelType type = ModelType::inducing_points;
  double captured = 1;  // share of the prior's variance that the M eigenfunctions of its paths carry
  FitSummary fit{};     // how the last learning ended; jitter: the largest it used
  std::string sizes{};  // how automatic sizes and a k-DPP's points were found, in words
};

// The model itself with the data it has, in the model's units: the encoded unit cube, and y = (sign · value − centre)/scale
// (values far below all the first ones count as less far).
struct FittedModel {
  SparseGp gp;
  Matrix X;  // [n,d]
  Vector y;  // [n]
  double sign = 1, centre = 0, scale = 1;
  int num_features = 0;  // M of its paths
};

// Who evaluates a trial: "host pid starttime". The start time (of /proc/PID/stat) tells a process from a later one
// that was given the same number. Words that follow it tell the runs of one process apart.
[[nodiscard]] std::string owner_of_this_process();

// A study: what may vary, what has been tried, and what to try next. One SQLite file holds all of it; several
// processes (or threads, each with a Study of its own: one object serves one thread) may use the same file at once.
// What a call returned from is on disk, and a call that throws has changed nothing.
class Study {
 public:
  // ":memory:" keeps the study in memory.
  static Study create(const StudyOptions& options, const std::string& path);  // throws StoreError when the file exists
  // Throws StoreError: missing, not a study, newer, damaged. The pool, where it is given, instead of looking for its file.
  static Study open(const std::string& path, const std::optional<Pool>& pool = {});
  // Opens the file and checks that it is the same study (space, direction, seed; throws InputError that says what
  // differs), or creates it. A pool in memory must be given here; one in a file is found again by itself. Name, batch, initial
  // design and model of an existing study follow `options` from here on.
  static Study open_or_create(const StudyOptions& options, const std::string& path);
  Study(Study&&) noexcept;
  Study& operator=(Study&&) noexcept;
  ~Study();

  // Hands out `size` new distinct points, none of them pending: first the initial design, then what the method chooses. Throws
  // std::invalid_argument when a finite space has too few points left. The points depend on the seed and the recorded trials
  // alone. `owner` marks trials a runner will evaluate itself (see claim_orphans). Over a pool no candidate is handed out twice
  // unless it was abandoned, the first batch is random, and the last one may be smaller than asked for; throws
  // std::invalid_argument when none is left.
  std::vector<Trial> ask(int size, const std::string& owner = "");
  // All or nothing; throws std::invalid_argument when a trial is unknown or already told, or a value is not finite.
  void tell(std::span<const Outcome> outcomes);
  void tell(std::int64_t id, double value);
  void fail(std::int64_t id, const std::string& error);
  void abandon(std::int64_t id);
  // Points evaluated elsewhere: returns their new ids. Over a pool, a candidate that is pending is thereby told.
  std::vector<std::int64_t> add(std::span<const Params> points, std::span<const double> values);

  [[nodiscard]] std::optional<Recommendation> recommend();  // none before the first value
  [[nodiscard]] std::optional<Trial> observed_best();       // best raw value
  // Posterior of the objective at given points, in the user's units.
  [[nodiscard]] Prediction predict(std::span<const Params> points);
  [[nodiscard]] std::optional<ModelReport> model_report();
  [[nodiscard]] std::optional<FittedModel> fitted_model();  // a copy; none before the first value

  [[nodiscard]] double num_left();  // points that may still be asked for; infinity where a float varies

  [[nodiscard]] const StudyOptions& options() const;
  [[nodiscard]] std::string path() const;
  [[nodiscard]] Counts counts();
  [[nodiscard]] std::vector<Trial> trials();  // by id
  [[nodiscard]] std::optional<Trial> trial(std::int64_t id);
  [[nodiscard]] std::vector<Trial> pending();
  // Pending trials for `owner` to evaluate: those it has already, and those of runners of this host that are dead, which
  // become its own. Trials of another host stay that host's (abandon() frees them), and those without an owner are
  // nobody's to take.
  std::vector<Trial> claim_orphans(const std::string& owner);
  [[nodiscard]] Seconds seconds() const;
  // Free-form text kept with the study (the study file's [objective], for instance).
  void set_note(const std::string& key, const std::string& value);
  [[nodiscard]] std::optional<std::string> note(const std::string& key);

 private:
  struct Impl;
  explicit Study(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace salvo
