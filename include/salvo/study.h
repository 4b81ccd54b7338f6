#pragma once
#include <salvo/options.h>
#include <salvo/space_review.h>
#include <salvo/trial.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace salvo {

struct Estimate {  // of the objective at a point, without the noise, in the user's units
  double mean = 0, stddev = 0;
};

struct Recommendation {
  Trial trial;      // the evaluated point with the best posterior mean
  double mean = 0;  // posterior mean and standard deviation of the objective there, in the user's units
  double stddev = 0;
  bool noise_free = false;          // the study's values show hardly any noise: the trial's own value is the objective's
  std::vector<Estimate> outputs{};  // of every output there; the first is the mean and deviation above
  double feasible = 1;              // the probability that every constraint holds there
  bool allowed = true;              // each holds with the probability it asks for; false: no trial is known to do better
};

// How much each objective of several counts, by name, in shares of what the front spans of it; those left out count for nothing,
// and none at all: all alike.
using Weights = std::map<std::string, double>;

// The trials that no other allowed one beats in every objective, as the model knows them.
struct Front {
  std::vector<Recommendation> points{};  // by the first objective, the best of it first
  std::vector<double> reference{};       // of each objective, in the user's units; as it was told or else learned
  double hypervolume = 0;                // of what the points' means dominate, down to the reference
};

struct Seconds {  // spent by this process
  double fit = 0, draw = 0, maximise = 0, store = 0;
};

// What the model has learned so far, in the user's units where that makes sense.
struct ModelReport {
  std::string output{};  // what it is a model of
  std::int64_t num_observations = 0;
  int num_inducing = 0;
  std::string kernel;                                    // its name
  std::vector<double> lengthscales;                      // per coordinate of the encoding, in the unit box
  std::vector<std::string> coordinates;                  // what these are called: "rate", "kind=Pd"
  double signal_stddev = 0, noise_stddev = 0, mean = 0;  // in the user's units
  double theta_over_tau = 0;                             // KL bound to the exact posterior
  double jitter = 0;
  int num_features = 0;  // M of the next ask's paths
  double alpha = 0;      // their spread
  ModelType type = ModelType::inducing_points;
  double captured = 1;  // share of the prior's variance that the M eigenfunctions of its paths carry
  struct Fit {          // how the last learning ended
    int num_evaluations = 0;
    double bound = 0;
    double jitter = 0;  // the largest it used
    std::string message{};
  } fit{};
  std::string sizes{};                    // how automatic sizes and a k-DPP's points were found, in words
  Transform transform = Transform::none;  // how it sees the values; deviations are those of values better than the median
  struct Local {                          // the search around the best point
    double share = 0;                     // of the next batch that goes there
    double length = 0;                    // of the sides of its region, as a share of the parameters' ranges
    bool turned = false;                  // its axes are those of the best points, not the parameters'
    double noise = 0;                     // share of noise in the values around it
  };
  std::optional<Local> local{};  // none: only the whole space is searched
  struct Prior {                 // what another study lets one expect; see Study::set_prior
    std::string from{};
    int num_points = 0;    // of it that lie in the space as it is; 0: it has no say
    double slope = 0;      // of the values here for one of the other study's
    double explained = 0;  // share of the variance of the values so far that it explains
  };
  std::optional<Prior> prior{};  // none: nothing is expected
  struct Failing {               // evaluations that failed, which the search learns from
    std::int64_t num_failures = 0;
    double share = 0;       // of the space, where it expects failures
    bool anywhere = false;  // whatever the point: then the search goes on as if nothing had been tried at those that failed
  };
  std::optional<Failing> failing{};  // none: nothing failed, or it is not to be learned from
};

// Values of another study that this one takes for its expectation: where they came from and how many there were.
struct PriorChange {
  double at = 0;       // seconds since 1970
  std::string from{};  // empty: nothing is expected from then on
  std::int64_t num_trials = 0;
};

struct FittedModel;  // fitted_model.h

using Tags = std::map<std::int64_t, std::vector<std::string>>;  // by the trials' numbers

struct AskOptions {
  int size = 1;
  std::string owner{};                   // marks trials that a runner will evaluate itself (see claim_orphans)
  std::map<std::string, Value> fixed{};  // parameters that have these values in the whole batch; the others are chosen for them
};

// Who evaluates a trial: "host pid starttime". The start time (of /proc/PID/stat) tells a process from a later one
// that was given the same number. Words that follow it tell the runs of one process apart.
[[nodiscard]] std::string owner_of_this_process();
// True only when it is certain: the owner ran on this host and is gone.
[[nodiscard]] bool owner_is_gone(const std::string& owner);

// True when a study is kept there; ":memory:" holds none.
[[nodiscard]] bool store_exists(const std::string& url);
// Whether this names a place where studies are kept, rather than a study file: by what is there, or by its name.
[[nodiscard]] bool names_store(const std::string& url);

// A study: what may vary, what has been tried, and what to try next. A store holds all of it: one SQLite file, which several
// processes (or threads, each with a Study of its own: one object serves one thread) may use at once, or memory.
// What a call returned from is on disk, and a call that throws has changed nothing.
class Study {
 public:
  // `url` is the path of a file; ":memory:" keeps the study in memory.
  static Study create(const StudyOptions& options, const std::string& url);  // throws StoreError when the file exists
  // Throws StoreError: missing, not a study, newer, damaged. The pool, where it is given, instead of looking for its file.
  static Study open(const std::string& url, const std::optional<Pool>& pool = {});
  // Opens the file and checks that it is the same study (outputs, seed, a pool; throws InputError that says what differs), or
  // creates it. A pool in memory must be given here; one in a file is found again by itself. Name, batch, initial design and
  // model of an existing study follow `options` from here on; so does its space when `update` accepts that (see set_space), and
  // SpaceDiffers otherwise.
  static Study open_or_create(const StudyOptions& options, const std::string& url, const SpaceUpdate& update = {});
  Study(Study&&) noexcept;
  Study& operator=(Study&&) noexcept;
  ~Study();

  // Hands out `size` new distinct points, none of them pending: first those of the queue (with the values that are fixed; others
  // wait), then the initial design, then what the method chooses. Throws
  // std::invalid_argument when a finite space has too few points left. The points depend on the seed and the recorded trials
  // alone. `owner` marks trials a runner will evaluate itself (see claim_orphans). Over a pool no candidate is handed out twice
  // unless it was abandoned, the first batch is random, and the last one may be smaller than asked for; throws
  // std::invalid_argument when none is left.
  std::vector<Trial> ask(const AskOptions& options);
  std::vector<Trial> ask(int size, const std::string& owner = "");
  // Points that somebody wants tried next: asks hand them out first, in this order. How many came in: those that wait already,
  // are pending or have a value are left out; with `again` a value is no hindrance (over a pool it is). Throws
  // std::invalid_argument when one is no point of the study.
  std::int64_t enqueue(std::span<const Params> points, bool again = false);
  std::int64_t unqueue(std::span<const std::int64_t> ids);  // how many of these numbers were still there
  [[nodiscard]] std::vector<Queued> queue();
  // All or nothing; throws std::invalid_argument when a trial is unknown or already told, or a value is not finite.
  void tell(std::span<const Told> outcomes);
  void tell(std::int64_t id, double value);
  void fail(std::int64_t id, const std::string& reason);
  void abandon(std::int64_t id);
  // Puts outcomes right that were told: another value, a failure, abandoned (as if it had never been told), or none, and a trial
  // that failed or was abandoned is pending again. All or nothing; each change stays in the history with its reason. The next
  // ask learns anew, whoever asks. Throws std::invalid_argument: no such trial, one that is pending, one with a value that is to
  // be pending, one whose point is pending as another trial.
  void amend(std::span<const Correction> corrections);
  void amend(std::int64_t id, double value, const std::string& reason);  // what else was measured stays
  void forget(std::int64_t id, const std::string& reason);
  void forget(std::span<const std::int64_t> ids, const std::string& reason);
  void revive(std::int64_t id, const std::string& reason);
  void revive(std::span<const std::int64_t> ids, const std::string& reason);
  [[nodiscard]] std::vector<Amendment> amendments();  // in the order they were made
  // Another space takes the place of the study's: bounds, scales and choices change, parameters come (`before` has the value that
  // earlier trials had) or go (those that are fixed). Trials keep their points; those outside the new space are history: the
  // model does not learn from them, and they are never recommended. Pending ones outside are abandoned, points of the queue leave
  // it. The next ask learns anew. Other processes that have the study open may still tell outcomes, all else throws StoreError
  // until they open it again. Another value `before` of a parameter that came so puts right what those trials were given. Throws
  // SpaceDiffers, and changes nothing, when something is missing.
  SpaceReview set_space(const Space& space, const std::map<std::string, Value>& before = {});
  [[nodiscard]] SpaceReview review_space(const Space& space,
                                         const std::map<std::string, Value>& before = {});  // what it would do
  [[nodiscard]] std::vector<SpaceChange> space_changes();                                   // in the order they were made
  // Points evaluated elsewhere: returns their new ids. Over a pool, a candidate that is pending is thereby told.
  std::vector<std::int64_t> add(std::span<const Params> points, std::span<const double> values);
  std::vector<std::int64_t> add(std::span<const Params> points, std::span<const Values> values);
  std::vector<std::int64_t> add(std::span<const Params> points, std::span<const Outcome> outcomes);  // values and failures

  // What was found on another machine, another material or in a simulation: values of another function that is expected to be
  // alike, at points of this study, in the same direction. Its posterior mean becomes the prior mean of this one, with an offset
  // and a scale that are learned, and every third point of the initial design is one that was good there. It takes the place of
  // an earlier one; the next ask learns anew. `from` says where it came from. Throws std::invalid_argument: fewer than two
  // values, a study over a pool, a method without a model.
  void set_prior(std::span<const Params> points, std::span<const Values> values, const std::string& from);
  void set_prior(std::span<const Params> points, std::span<const double> values, const std::string& from);
  bool remove_prior();  // false when there was none; one that cannot be read is removed as well
  [[nodiscard]] std::optional<PriorChange> prior();
  // All that there were, in the order they came; of one that cannot be read no values.
  [[nodiscard]] std::vector<PriorChange> priors();

  // None before the first value. With constraints the best of the trials that keep to them, or the one that comes nearest; of
  // several objectives the point of the front that suits the weights. Throws std::invalid_argument: weights that make no sense.
  [[nodiscard]] std::optional<Recommendation> recommend(const Weights& weights = {});
  [[nodiscard]] Front front();  // of one objective the recommendation alone
  // Best raw value, of the trials whose raw values keep to the constraints; none with several objectives.
  [[nodiscard]] std::optional<Trial> observed_best();
  [[nodiscard]] std::vector<Estimate> predict(std::span<const Params> points);  // of the first output
  // Of every output: [points][outputs].
  [[nodiscard]] std::vector<std::vector<Estimate>> predict_outputs(std::span<const Params> points);
  // How much better the best point there is may be expected to be than the recommended one, as the model has it: what going on
  // can bring at most. None before the first value. Throws std::invalid_argument: several outputs, a pool.
  [[nodiscard]] std::optional<double> expected_gain();
  [[nodiscard]] std::optional<ModelReport> model_report();  // of the first output
  [[nodiscard]] std::vector<ModelReport> model_reports();   // one for each output; none before the first value
  [[nodiscard]] std::optional<FittedModel> fitted_model();  // a copy; none before the first value

  // Whether these would first have to learn a model from very many values, which takes minutes; the next ask learns it as well.
  [[nodiscard]] bool learning_is_long();

  [[nodiscard]] double num_left();  // points that may still be asked for; infinity where a float varies

  [[nodiscard]] const StudyOptions& options() const;
  [[nodiscard]] const Space& space() const;  // what a trial's parameters are: over a pool, one candidate
  [[nodiscard]] std::string path() const;    // the url it was opened with
  [[nodiscard]] Counts counts();
  [[nodiscard]] std::vector<Trial> trials();  // by id
  [[nodiscard]] std::optional<Trial> trial(std::int64_t id);
  [[nodiscard]] std::vector<Trial> pending();
  [[nodiscard]] std::vector<Trial> told_last(int count);  // the newest outcomes, the latest first
  // Pending trials for `owner` to evaluate: those it has already, and those of runners of this host that are dead, which
  // become its own. Trials of another host stay that host's (abandon() frees them), and those without an owner are
  // nobody's to take.
  std::vector<Trial> claim_orphans(const std::string& owner);
  [[nodiscard]] Seconds seconds() const;
  // A copy of all of it at this moment, a study of its own, while others go on. Throws StoreError when something is there.
  void backup(const std::string& path);
  // Runs `work` while no other process asks or works so: what it looks up stays true until it has written.
  void exclusively(const std::function<void()>& work);
  // What people say about trials, in their own words; "" takes it back. Throws std::invalid_argument when there is no such trial.
  void annotate(std::int64_t id, const std::string& text);
  [[nodiscard]] std::map<std::int64_t, std::string> annotations();
  // Short words on trials, by which people find them again; the search never reads them. All or nothing; throws
  // std::invalid_argument: there is no such trial, or no such word (blanks, commas, semicolons, quotes, over 64 bytes).
  void tag(const Tags& names);
  void untag(const Tags& names);  // those that are not there are passed over
  [[nodiscard]] Tags tags();      // of the trials that carry any
  [[nodiscard]] std::vector<std::string> tags(std::int64_t id);
  // Free-form text kept with the study (the study file's [objective], for instance).
  void set_note(const std::string& key, const std::string& value);
  [[nodiscard]] std::optional<std::string> note(const std::string& key);

 private:
  struct Impl;
  explicit Study(std::unique_ptr<Impl> impl);
  void correct(const char* what, std::span<const Correction> corrections);
  void follow(const Space& space, const SpaceUpdate& update);
  void set_tags(const Tags& names, bool carried);
  std::unique_ptr<Impl> impl_;
};

}  // namespace salvo
