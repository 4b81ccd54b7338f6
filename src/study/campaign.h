#pragma once
#include <salvo/pool_model.h>
#include <salvo/study.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "study/learned.h"

namespace salvo {

// What a study over a pool needs beside its records: the model of the candidates, and which of them are taken. As a
// point, a candidate has one coordinate: its row.
class Campaign {
 public:
  explicit Campaign(const StudyOptions& options);

  [[nodiscard]] const Pool& pool() const { return pool_; }
  // Throws std::invalid_argument for an id that is not in the pool.
  [[nodiscard]] Vector encode(const Params& params) const;  // [1]
  [[nodiscard]] Params decode(double row) const;            // its first id

  void take(const Params& params);                                             // evaluated, with a value or without
  [[nodiscard]] Matrix taken(const std::vector<Params>& pending) const;        // [k,1] distinct rows
  [[nodiscard]] Matrix random(int count, const Matrix& taken, Key key) const;  // [count,1] at most

  // The model given all data, learned afresh when the data has grown by the given share (see must_learn).
  void fit(const StudyOptions& options, const Observations& data, const Learned* known, std::int64_t ask, double growth, Key key);
  [[nodiscard]] const Learned& learned() const { return *learned_; }
  [[nodiscard]] Matrix choose(int count, const Matrix& taken, Key key) const;
  [[nodiscard]] Prediction predict(const Matrix& X) const;  // in the model's units
  [[nodiscard]] ModelReport report(double sign) const;

 private:
  void restore(const Learned& learned, const Observations& data);
  void add(const Observations& data, std::int64_t begin, std::int64_t end);

  Pool pool_;
  PoolModel model_;
  std::vector<bool> taken_;  // by row
  std::int64_t num_taken_ = 0;
  std::optional<Learned> learned_;
  std::int64_t num_added_ = 0;  // observations in the model: those learned from by id, then those told since by id
  std::int64_t last_id_ = 0;    // the largest of the latter
};

}  // namespace salvo
