#pragma once
#include <vector>

#include "search/observations.h"

namespace salvo {

// Rows of the best values that are due to be evaluated again in an ask for `count` points (docs/how-it-works.md, "The
// recommendation"): `wanted` points a second time, one of 25 evaluations at most. Where values of such a point differ it goes on:
// a third value for those with two, then the next best a second one, one of 50 evaluations, up to 100. `taken` are pending
// points, repeats among them count; `tried` are repeats whatever came of them: where one failed none is asked for again.
[[nodiscard]] std::vector<std::int64_t> due_repeats(const Observations& data, const Matrix& taken, const Matrix& tried,
                                                    int wanted, int count);

// What points that were evaluated more than once say of the noise. The first value of a point is often why it was chosen to be
// evaluated again, and lucky: where there are enough values after it, it does not count.
struct RepeatedNoise {
  double degrees = 0;                                                        // of freedom: values beyond the first at a point
  double variance = 0;                                                       // in the user's units
  [[nodiscard]] bool none() const { return degrees >= 2 && variance == 0; }  // one difference may vanish by chance
  [[nodiscard]] double at_least() const;                                     // too high in one of twenty cases
  [[nodiscard]] double at_most() const;                                      // too low in one of twenty cases
};
// r: the noise of each value over what is usual, which the variance is then of; empty: 1 for all.
[[nodiscard]] RepeatedNoise repeated_noise(const Matrix& X, const Vector& y, const Vector& r = {});

// For every row the mean of the values at its point, and how many they are; where their noise differs by r, weighed by it.
struct Averages {
  Vector mean;
  Vector count;
};
[[nodiscard]] Averages averages(const Matrix& X, const Vector& y, const Vector& r = {});

}  // namespace salvo
