#pragma once
#include <salvo/encoding.h>
#include <salvo/forecast.h>
#include <salvo/random.h>
#include <salvo/study.h>

#include <optional>

namespace salvo {

// A smooth function with noise over what a study searches: nothing depends on it but how a model of something is learned.
class MadeUp {
 public:
  explicit MadeUp(const StudyOptions& options);
  [[nodiscard]] double value(const Params& params, std::uint64_t number) const;
  // Some points: half of them anywhere, half around the best one, as a search leaves them.
  [[nodiscard]] std::vector<Params> points(std::int64_t count, const Params& best, std::uint64_t number) const;

 private:
  [[nodiscard]] double height(const Params& params) const;
  const StudyOptions& options_;
  std::optional<Encoding> space_{};  // none: a pool
  Key key_;
};

// A study in memory that asks as a run would, and notes what each ask took.
class Rehearsal {
 public:
  explicit Rehearsal(const StudyOptions& options);
  Rehearsal(const Rehearsal&) = delete;  // made_up_ looks at options_
  Rehearsal& operator=(const Rehearsal&) = delete;
  // The next batch: asked for and told.
  MeasuredAsk batch();
  // Values from elsewhere, until there are so many.
  void fill(std::int64_t observations);
  [[nodiscard]] std::int64_t observations() const { return observations_; }
  [[nodiscard]] MeasuredAsk::Kind next_kind(std::int64_t observations) const;
  [[nodiscard]] bool has_room(std::int64_t more);  // a pool may be used up
  [[nodiscard]] Study& study() { return study_; }

 private:
  StudyOptions options_;
  MadeUp made_up_;
  Study study_;
  std::int64_t observations_ = 0, fitted_ = 0, learned_ = 0;  // with how many the last ones happened
};

// When a run learns what (search/space_searcher.cpp, search/learn.cpp): by how much the data has grown.
struct Growths {
  double points = 0.04, fit = 0.15;
  bool learns = true;  // otherwise there is no model
  static Growths of(const StudyOptions& options);
};
[[nodiscard]] MeasuredAsk::Kind kind_at(const Growths& growths, std::int64_t observations, std::int64_t learned,
                                        std::int64_t fitted);

}  // namespace salvo
