#pragma once
#include <optional>

#include "search/batch_climb.h"
#include "search/box_searcher.h"
#include "search/failures.h"
#include "search/merits.h"
#include "search/output_paths.h"
#include "search/outputs_learned.h"
#include "search/progress.h"
#include "search/standing.h"

namespace salvo {

// Searches a space of parameters where an evaluation gives several numbers: objectives, and constraints to keep to. Each output
// has a sparse GP of its own. Every member of a batch has a path of each: it goes where its objectives' paths are best among the
// points that its constraints' paths allow (docs/math.md §19).
class OutputsSearcher : public BoxSearcher {
 public:
  explicit OutputsSearcher(const StudyOptions& options);

  void observe(std::span<const Record> records) override;
  [[nodiscard]] std::int64_t num_observed() const override;
  [[nodiscard]] std::string prior_of(std::span<const Params> points, std::span<const Values> values,
                                     const std::string& from) const override;
  void set_prior(const std::string& document) override;
  void fit(const Ask& ask, const Learned* known, Purpose purpose) override;
  void check(const Learned& known) override;
  [[nodiscard]] bool learns_first(const Learned* known) override;
  [[nodiscard]] std::vector<Choice> choose(const Ask& ask, int count, Seconds& seconds) override;
  [[nodiscard]] std::vector<Estimate> predict(std::span<const Params> points) override;
  [[nodiscard]] std::vector<std::vector<Estimate>> predict_outputs(std::span<const Params> points) override;
  [[nodiscard]] Recommended recommend(std::span<const double> weights) override;
  [[nodiscard]] RecommendedFront front() override;
  [[nodiscard]] std::int64_t learned_by() const override { return header_.ask; }
  [[nodiscard]] Learned learned() const override;
  [[nodiscard]] ModelReport report() const override { return report_of(outputs_.front()); }
  [[nodiscard]] std::vector<ModelReport> reports() const override;
  [[nodiscard]] FittedModel fitted() const override;

 private:
  [[nodiscard]] const OutputsLearned* recall(const Learned* stored);
  [[nodiscard]] bool must_learn_any(const OutputsLearned* known, Purpose purpose) const;
  void learn_shapes();
  void survey();
  [[nodiscard]] std::vector<std::int64_t> near_best(const Standing& standing) const;  // ids
  [[nodiscard]] bool noise_free() const;
  [[nodiscard]] Eigen::Index best_of(const std::vector<Eigen::Index>& rows, std::span<const double> weights) const;
  enum class By { mean, seen };
  [[nodiscard]] Observations ordered(By by = By::mean) const;
  [[nodiscard]] Progress progress() const;
  // In outputs_choose.cpp.
  [[nodiscard]] Matrix search_everywhere(const Encoding& space, Taken& taken, int count, Key key) const;
  [[nodiscard]] Matrix search_near(Taken& taken, int count, double length, Key key) const;
  [[nodiscard]] Matrix search(const Encoding& space, const OutputPaths& paths, const Starts& starts, const Scalarised* along,
                              const Vector& care, int searches, double first_step, Taken& taken, Key key) const;
  [[nodiscard]] Gained spread_out(const OutputPaths& paths, const SeveralFunctions& functions, BatchClimb& climb) const;
  [[nodiscard]] std::vector<Eigen::Index> suited(const Scalarised& along, int num_directions) const;
  [[nodiscard]] std::vector<ObjectiveScale> scales(const OutputPaths* paths) const;  // null: of the models of everything
  [[nodiscard]] Vector far() const;
  [[nodiscard]] Matrix bridges(const Encoding& space, Taken& taken, int most) const;
  void close_known(Taken& taken, int wanted) const;
  [[nodiscard]] ModelReport report_of(const OutputModel& output) const;

  int num_objectives_;
  std::vector<OutputModel> outputs_;
  Observations points_;                  // of every trial with values; their y says nothing
  std::vector<std::int64_t> sequences_;  // of these
  Failures failures_;
  std::optional<Success> success_;                   // where they were, of the latest fit for a batch
  std::optional<OutputsLearned> known_;              // what the store has
  Learned header_;                                   // of what the outputs have learned: ask, sequence and settings
  std::int64_t shaped_by_ = -1, shaped_until_ = -1;  // ask and sequence that the shapes are of
  Standing standing_;                                // of all trials
};

}  // namespace salvo
