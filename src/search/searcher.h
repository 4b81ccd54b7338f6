#pragma once
#include <salvo/options.h>
#include <salvo/random.h>
#include <salvo/study.h>
#include <salvo/trial.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "text/learned.h"

namespace salvo {

// One ask: what is known at this moment, and the random key of everything it draws.
struct Ask {
  std::int64_t number = 0;        // of the study's asks
  std::int64_t num_designed = 0;  // points of the initial design that were handed out before
  std::vector<Params> taken{};    // pending points, and those that this ask has chosen already
  Key key{0};
  std::map<int, Value> fixed{};  // parameters, by their number, that have these values in every point it chooses
};

// Whether a point has the values that are fixed.
[[nodiscard]] bool agrees(const Params& params, const std::map<int, Value>& fixed);

// Why a model is wanted: for a batch it is learned afresh when the data has grown a little; a question stores nothing, and
// learns only what the next ask would learn as well.
enum class Purpose { batch, question };

// A point, and which part of the search wants it.
struct Choice {
  Params params;
  Source source = Source::model;
};

struct Recommended {
  std::int64_t id = 0;              // the best evaluated trial
  std::vector<Estimate> outputs{};  // the model's, of each output there
  bool noise_free = false;          // its values tell as much
  double feasible = 1;              // the probability that every constraint holds there
  bool allowed = true;              // each with the probability it asks for
};

struct RecommendedFront {
  std::vector<Recommended> points{};  // by the first objective, the best first
  std::vector<double> reference{};    // of each objective, in the user's units
  double hypervolume = 0;
};

// What learns from a study's records and chooses where to look next. It speaks of parameters and records alone: coordinates,
// rows of a pool and units of a model stay inside. The same records give the same answers, whoever told them when.
class Searcher {
 public:
  virtual ~Searcher() = default;

  // The same point as this study names it; throws std::invalid_argument when it is none of its points.
  [[nodiscard]] virtual Params canonical(const Params& params) const = 0;
  // What became known since the last call, in the order of its sequence: values, failures, abandoned trials.
  virtual void observe(std::span<const Record> records) = 0;
  [[nodiscard]] virtual std::int64_t num_observed() const = 0;  // values
  // Points that may still be asked for; infinity where a float varies.
  [[nodiscard]] virtual double num_left(std::span<const Params> pending) const = 0;
  // How many of `size` points an ask hands out; throws std::invalid_argument when there are too few.
  [[nodiscard]] virtual int admitted(int size, const Ask& ask) const = 0;
  // Whether a point that is not pending may be handed out, be it again.
  [[nodiscard]] virtual bool may_be_tried(const Params& params) const = 0;

  // What values of another function at these points lead one to expect of this one, as a document that a store keeps …
  [[nodiscard]] virtual std::string prior_of(std::span<const Params> points, std::span<const Values> values,
                                             const std::string& from) const;
  // … and goes by from then on; to be called before all others. Throws std::logic_error when it is no such document.
  virtual void set_prior(const std::string& document);

  // The points of the initial design that are due, `count` at most: all of them where there is no model to choose.
  [[nodiscard]] virtual std::vector<Params> design(const Ask& ask, int count) = 0;
  // The model given all records; `known` is what the store has of earlier asks.
  virtual void fit(const Ask& ask, const Learned* known, Purpose purpose) = 0;
  // Throws std::logic_error when an ask of this study cannot have learned it.
  virtual void check(const Learned& known) = 0;
  // Whether a fit for a question would learn anew rather than go by what is known.
  [[nodiscard]] virtual bool learns_first(const Learned* known) = 0;
  // These need a fit: distinct new points, none of them taken …
  [[nodiscard]] virtual std::vector<Choice> choose(const Ask& ask, int count, Seconds& seconds) = 0;
  // … estimates of the first output in the user's units, and of every one: [points][outputs] …
  [[nodiscard]] virtual std::vector<Estimate> predict(std::span<const Params> points) = 0;
  [[nodiscard]] virtual std::vector<std::vector<Estimate>> predict_outputs(std::span<const Params> points);
  // … the best trial; of several objectives, by the weight of each; and those that no other beats in all of them …
  [[nodiscard]] virtual Recommended recommend(std::span<const double> weights) = 0;
  [[nodiscard]] virtual RecommendedFront front();
  // … how much better the best point there is may be expected to be than the recommended one, in the user's units: one output …
  [[nodiscard]] virtual double expected_gain(const Ask& ask);
  // … what was learned, by which ask and how it looks to people.
  [[nodiscard]] virtual std::int64_t learned_by() const = 0;
  [[nodiscard]] virtual Learned learned() const = 0;
  [[nodiscard]] virtual ModelReport report() const = 0;  // of the first output
  [[nodiscard]] virtual std::vector<ModelReport> reports() const { return {report()}; }
  [[nodiscard]] virtual FittedModel fitted() const = 0;  // throws std::invalid_argument where there is no such model
};

[[nodiscard]] std::unique_ptr<Searcher> make_searcher(const StudyOptions& options);

}  // namespace salvo
