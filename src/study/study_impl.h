#pragma once
#include <salvo/study.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "search/searcher.h"
#include "store/store.h"

namespace salvo {

struct Study::Impl {
  std::unique_ptr<Store> store;
  StudyOptions options;
  std::unique_ptr<Searcher> searcher;
  std::optional<Learned> learned{};  // in the store
  std::int64_t last_sequence = 0;    // of the records that the searcher has seen
  std::int64_t amendments = 0;       // of outcomes, before it saw them
  std::int64_t priors = 0;           // that there were, when it was given the last one
  struct {
    std::int64_t id = 0;
    double value = 0;
  } best{};  // single value so far, and its trial; 0: none
  Seconds seconds{};

  Impl(std::unique_ptr<Store> opened, StudyOptions how)
      : store(std::move(opened)), options(std::move(how)), searcher(make_searcher(options)) {}

  Store::Snapshot refresh();
  void start_over();
  // In prior.cpp.
  void give_prior();  // that of the store to the searcher
  void move_prior(const Space& space, const std::map<std::string, Value>& before);
  void check_learned(const Learned& known) const;
  void remember_best(const Record& record);
  [[nodiscard]] Recommendation shown(const Recommended& found) const;
  [[nodiscard]] std::vector<double> weights_of(const Weights& weights) const;
  [[nodiscard]] std::vector<Params> points_to_predict(std::span<const Params> points);
  [[nodiscard]] Ask ask_of(const Store::Snapshot& known) const;

  // The last step of an ask, in ask.cpp.
  struct Batch {
    std::vector<Store::NewTrial> points{};
    std::vector<std::int64_t> unqueued{};  // numbers in the queue, of those and of others that need no trial any more
    bool learned = false;                  // for them
  };
  void take_queued(const Store::Snapshot& known, int size, Ask& ask, Batch& batch) const;
  [[nodiscard]] std::map<int, Value> fixed_of(const AskOptions& wanted) const;
  std::optional<std::vector<Trial>> claim(const Ask& ask, const Batch& batch, const std::string& owner);
  bool bring_up_to_date();  // for questions, in study.cpp
};

}  // namespace salvo
