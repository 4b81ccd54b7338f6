#pragma once
#include <optional>

#include "search/failures.h"
#include "search/locality.h"
#include "search/posterior.h"
#include "search/prior.h"
#include "search/searcher.h"

namespace salvo {

// Searches a space of parameters: a sparse GP over its encoding, and one of the methods of src/acquire.
class SpaceSearcher : public Searcher {
 public:
  explicit SpaceSearcher(const StudyOptions& options);

  [[nodiscard]] Params canonical(const Params& params) const override;
  void observe(std::span<const Record> records) override;
  [[nodiscard]] std::int64_t num_observed() const override { return data_.size(); }
  [[nodiscard]] double num_left(std::span<const Params> pending) const override;
  [[nodiscard]] int admitted(int size, const Ask& ask) const override;
  [[nodiscard]] bool may_be_tried(const Params&) const override { return true; }
  [[nodiscard]] std::string prior_of(std::span<const Params> points, std::span<const Values> values,
                                     const std::string& from) const override;
  void set_prior(const std::string& document) override;
  [[nodiscard]] std::vector<Params> design(const Ask& ask, int count) override;
  void fit(const Ask& ask, const Learned* known, Purpose purpose) override;
  void check(const Learned& known) override;
  [[nodiscard]] bool learns_first(const Learned* known) override;
  [[nodiscard]] std::vector<Choice> choose(const Ask& ask, int count, Seconds& seconds) override;
  [[nodiscard]] std::vector<Estimate> predict(std::span<const Params> points) override;
  [[nodiscard]] Recommended recommend(std::span<const double> weights) override;
  [[nodiscard]] std::int64_t learned_by() const override { return posterior_->learned().ask; }
  [[nodiscard]] Learned learned() const override { return posterior_->learned().stored(); }
  [[nodiscard]] ModelReport report() const override;
  [[nodiscard]] FittedModel fitted() const override;

 private:
  [[nodiscard]] bool learns_failures() const;
  [[nodiscard]] const Success* success() const { return success_ ? &*success_ : nullptr; }
  [[nodiscard]] int num_due(const Ask& ask, int count) const;
  [[nodiscard]] const SpaceLearned* recall(const Learned* stored);
  [[nodiscard]] double growth_for(Purpose purpose) const;
  [[nodiscard]] std::optional<ModelReport::Local> local_report() const;
  [[nodiscard]] std::optional<ModelReport::Prior> prior_report() const;
  [[nodiscard]] std::optional<ModelReport::Failing> failing_report() const;
  [[nodiscard]] std::map<int, Params> expected_best(const Ask& ask, int count, std::vector<Params>& taken) const;
  [[nodiscard]] ModelOptions model_now() const;
  [[nodiscard]] std::vector<Estimate> estimates(const Matrix& X) const;
  [[nodiscard]] Vector targets() const;
  [[nodiscard]] Estimate in_users_units(const Anchor& units, double mean, double variance) const;
  [[nodiscard]] Matrix encoded(std::span<const Params> points) const;
  [[nodiscard]] static std::vector<Params> decoded(const Encoding& space, Matrix X);
  [[nodiscard]] Encoding space_for(const Ask& ask) const;
  [[nodiscard]] std::vector<Params> taken_for(const Ask& ask) const;

  SpaceSearch search_;
  std::uint64_t seed_;
  int batch_, num_initial_;
  double sign_;
  Encoding space_;
  Learning learning_;  // the model's options, as the method wants it learned
  std::optional<Prior> prior_;
  Observations data_;
  Failures failures_;
  std::optional<Success> success_;                 // where they were, of the latest fit for a batch
  std::vector<Params> designed_;                   // of a finite space: points of the initial design that have an outcome
  std::vector<Params> repeats_;                    // points that were handed out a second time and have an outcome
  std::int64_t num_told_ = 0;                      // points evaluated elsewhere
  std::optional<SpaceLearned> known_;              // what the store has, unless the posterior has it
  std::optional<Posterior> posterior_;             // the latest that was computed
  std::optional<Locality> locality_;               // where the method looks around the best point as well
  std::int64_t recommended_row_ = -1;              // of the posterior and data at hand, as …
  std::optional<Locality::Recommendation> local_;  // … the neighbourhood's own model has it, or none that is better there
};

}  // namespace salvo
