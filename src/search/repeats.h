#pragma once
#include <vector>

#include "search/observations.h"

namespace salvo {

// Rows of the best values that are due to be evaluated a second time in an ask for `count` points, so that one of 25
// evaluations at most is a repeat, and `wanted` points in all have one (docs/how-it-works.md, "The recommendation"). None of
// them was, nor is in `taken`: pending points, repeats among them count. `tried` are repeats whatever came of them: one that
// failed is not asked for again.
[[nodiscard]] std::vector<std::int64_t> due_repeats(const Observations& data, const Matrix& taken, const Matrix& tried,
                                                    int wanted, int count);

// What points that were evaluated more than once say of the noise.
struct RepeatedNoise {
  double degrees = 0;                                                        // of freedom: values beyond the first at a point
  double variance = 0;                                                       // in the user's units
  [[nodiscard]] bool none() const { return degrees >= 2 && variance == 0; }  // one difference may vanish by chance
  [[nodiscard]] double at_least() const;                                     // too high in one of twenty cases
  [[nodiscard]] double at_most() const;                                      // too low in one of twenty cases
};
[[nodiscard]] RepeatedNoise repeated_noise(const Matrix& X, const Vector& y);

}  // namespace salvo
