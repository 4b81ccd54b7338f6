#pragma once
#include <map>

#include "search/learned.h"
#include "search/searcher.h"

namespace salvo {

// What every search of a space of parameters has in common: points and their coordinates, the initial design, room.
class BoxSearcher : public Searcher {
 public:
  explicit BoxSearcher(const StudyOptions& options);

  [[nodiscard]] Params canonical(const Params& params) const override;
  [[nodiscard]] double num_left(std::span<const Params> pending) const override;
  [[nodiscard]] int admitted(int size, const Ask& ask) const override;
  [[nodiscard]] bool may_be_tried(const Params&) const override { return true; }
  [[nodiscard]] std::vector<Params> design(const Ask& ask, int count) override;

 protected:
  void note(const Record& record);  // what the design goes by
  // Points of the design that are not spread like the others, by their place among `count`; they are then taken.
  [[nodiscard]] virtual std::map<int, Params> expected_best(const Ask&, int, std::vector<Params>&) const { return {}; }

  [[nodiscard]] double growth_for(Purpose purpose) const;
  [[nodiscard]] bool heeds_failures() const;
  [[nodiscard]] Matrix encoded(std::span<const Params> points) const;
  [[nodiscard]] static std::vector<Params> decoded(const Encoding& space, Matrix X);
  [[nodiscard]] Encoding space_for(const Ask& ask) const;
  [[nodiscard]] std::vector<Params> taken_for(const Ask& ask) const;

  SpaceSearch search_;
  std::uint64_t seed_;
  int batch_, num_initial_;
  Encoding space_;
  Learning learning_;            // the model's options, as the method wants it learned
  std::vector<Params> repeats_;  // points that were handed out a second time and have an outcome

 private:
  [[nodiscard]] int num_due(const Ask& ask, int count) const;

  std::vector<Params> designed_;  // of a finite space: points of the initial design that have an outcome
  std::int64_t num_told_ = 0;     // points evaluated elsewhere
};

// Throws std::invalid_argument when a method that keeps an exact GP would need too much memory for so many values.
void check_exact_room(Method method, std::int64_t n);

}  // namespace salvo
