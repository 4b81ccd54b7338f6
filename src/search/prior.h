#pragma once
#include <salvo/trial.h>

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/trend_fit.h"
#include "search/learned.h"

namespace salvo {

// What another study has found out, as this one expects it: the other's posterior mean at some points, in units of its own and
// larger where better. It goes by the names of the parameters, so that it outlives a change of the space.
struct Prior {
  std::string from{};           // in words
  std::int64_t num_trials = 0;  // that it was learned from
  double unit = 1;              // of the other study's values in one of `means`
  std::vector<std::map<std::string, Value>> points{};
  Vector means{};                       // at these, without the constant
  std::string space{};                  // JSON: in which
  Kernel kernel{};                      // connects them
  std::map<std::string, Value> gone{};  // parameters that were removed, and at what: points elsewhere wait for their return

  [[nodiscard]] std::string document() const;
  static Prior from_document(std::string_view text);  // throws std::invalid_argument: not what document() makes

  // As a function over the space as it is now, from those of the points that lie in it; empty when there are none. In another
  // space than its own it finds the kernel anew.
  [[nodiscard]] Trend trend(const Learning& learning) const;
};

// From values (larger is better) of another study at `points` of this space, in the order of `old`.
[[nodiscard]] Prior learn_prior(const Learning& learning, const Observations& old, std::span<const Params> points,
                                const std::string& from);

// A document for another space: with more parameters, whose values these were, and without those that were fixed at these.
[[nodiscard]] std::string moved_prior(std::string_view document, const Space& to, const std::map<std::string, Value>& before,
                                      const std::map<std::string, Value>& gone);

// How much the values show of what was expected at the same points, t; from some of many.
[[nodiscard]] TrendFit fit_slope(const Hyperparameters& hyper, const Block& all, const Vector& t);

// Where the trend is highest, best first, none of them within half a length-scale of another: rows of its Z.
[[nodiscard]] Matrix favourites(const Trend& trend, int count);

}  // namespace salvo
