#pragma once
#include <salvo/study.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "study/campaign.h"
#include "study/learned.h"
#include "study/store.h"

namespace salvo {

// A method that wants the exact GP gets it: every distinct observation is an inducing point, and every ask learns afresh.
StudyOptions for_method(StudyOptions options);

// One ask: what is known at this moment, and the random key of everything it draws.
struct Ask {
  std::int64_t number = 0;  // of the study's asks
  int size = 0;
  int first_initial = 0, num_initial = 0;  // points of the initial design that it hands out
  std::vector<Params> pending;
  Matrix taken;  // [k,d] encoded: pending points, and those of this ask
  Key key{0};
};

struct Study::Impl {
  Store store;
  Observations data;
  std::optional<Learned> learned;      // in the store
  std::optional<Posterior> posterior;  // the latest that was computed
  std::optional<Campaign> campaign;    // instead of it, in a study over a pool
  std::int64_t recommended_row = -1;   // of the posterior and data at hand
  Seconds seconds;
  StudyOptions learning;  // the options, as the method wants its model learned

  explicit Impl(Store opened)
      : store(std::move(opened)), data(store.options().space.num_dims()), learning(for_method(store.options())) {
    if (options().pool) campaign.emplace(options());
  }

  const StudyOptions& options() const { return store.options(); }
  double sign() const { return options().direction == Direction::minimize ? -1.0 : 1.0; }
  double step() const { return 1 + static_cast<double>(data.size()) / options().batch; }  // the number of the batch
  Key ask_key(std::int64_t number) const { return Key(options().seed).fold("ask").fold(static_cast<std::uint64_t>(number)); }

  Vector encode(const Params& params) const { return campaign ? campaign->encode(params) : options().space.encode(params); }
  // Choosing inducing points anew costs a fraction of a fit, and they must follow the data: that comes more often.
  double growth() const { return campaign ? learning.model.refit_growth : std::min(0.04, learning.model.refit_growth); }
  const Learned& fitted() const { return campaign ? campaign->learned() : posterior->learned(); }

  [[nodiscard]] Method method() const {
    return method_for(options().method, static_cast<int>(options().space.continuous_dims().size()));
  }
  Store::Snapshot refresh();
  Vector targets() const;

  // The steps of an ask, in ask.cpp.
  Ask begin(int size);
  Matrix initial_points(const Ask& ask);
  void fit(std::int64_t ask, double growth);
  Matrix choose(const Ask& ask);
  std::optional<std::vector<Trial>> claim(const Ask& ask, const Matrix& X, const std::string& owner);

  // For questions, in study.cpp.
  bool bring_up_to_date();
  Prediction predict(const Matrix& X);
};

}  // namespace salvo
