#pragma once
#include <optional>

#include "search/box_searcher.h"
#include "search/failures.h"
#include "search/locality.h"
#include "search/posterior.h"
#include "search/prior.h"

namespace salvo {

// Searches a space of parameters: a sparse GP over its encoding, and one of the methods of src/acquire.
class SpaceSearcher : public BoxSearcher {
 public:
  explicit SpaceSearcher(const StudyOptions& options);

  void observe(std::span<const Record> records) override;
  [[nodiscard]] std::int64_t num_observed() const override { return data_.size(); }
  [[nodiscard]] std::string prior_of(std::span<const Params> points, std::span<const Values> values,
                                     const std::string& from) const override;
  void set_prior(const std::string& document) override;
  void fit(const Ask& ask, const Learned* known, Purpose purpose) override;
  void check(const Learned& known) override;
  [[nodiscard]] bool learns_first(const Learned* known) override;
  [[nodiscard]] std::vector<Choice> choose(const Ask& ask, int count, Seconds& seconds) override;
  [[nodiscard]] std::vector<Estimate> predict(std::span<const Params> points) override;
  [[nodiscard]] Recommended recommend(std::span<const double> weights) override;
  [[nodiscard]] double expected_gain(const Ask& ask) override;
  [[nodiscard]] std::int64_t learned_by() const override { return posterior_->learned().ask; }
  [[nodiscard]] Learned learned() const override { return posterior_->learned().stored(); }
  [[nodiscard]] ModelReport report() const override;
  [[nodiscard]] FittedModel fitted() const override;

 private:
  [[nodiscard]] bool learns_failures() const;
  [[nodiscard]] const Success* success() const { return success_ ? &*success_ : nullptr; }
  [[nodiscard]] const SpaceLearned* recall(const Learned* stored);
  [[nodiscard]] std::optional<ModelReport::Local> local_report() const;
  [[nodiscard]] std::optional<ModelReport::Prior> prior_report() const;
  [[nodiscard]] std::optional<ModelReport::Failing> failing_report() const;
  [[nodiscard]] std::map<int, Params> expected_best(const Ask& ask, int count, std::vector<Params>& taken) const override;
  [[nodiscard]] ModelOptions model_now() const;
  [[nodiscard]] std::vector<Estimate> estimates(const Matrix& X) const;
  [[nodiscard]] Vector targets() const;
  [[nodiscard]] Matrix for_other_choices(const Ask& ask, const Encoding& space, const Matrix& taken, int size,
                                         Seconds& seconds) const;
  [[nodiscard]] Estimate in_users_units(const Anchor& units, double mean, double variance) const;

  double sign_;
  std::optional<Prior> prior_;
  Observations data_;
  Failures failures_;
  std::optional<Success> success_;                 // where they were, of the latest fit for a batch
  std::optional<SpaceLearned> known_;              // what the store has, unless the posterior has it
  std::optional<Posterior> posterior_;             // the latest that was computed
  std::optional<Locality> locality_;               // where the method looks around the best point as well
  std::int64_t recommended_row_ = -1;              // of the posterior and data at hand, as …
  std::optional<Locality::Recommendation> local_;  // … the neighbourhood's own model has it, or none that is better there
};

}  // namespace salvo
