#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "acquire/acquire.h"
#include "acquire/scouts.h"
#include "study/design.h"
#include "study/study_impl.h"

namespace salvo {
namespace {

void append(Matrix& rows, const Matrix& more) {
  rows.conservativeResize(rows.rows() + more.rows(), more.cols());
  rows.bottomRows(more.rows()) = more;
}

// Points of the initial design. A method that asks for one point at a time begins with d + 4 all the same.
int num_initial(const StudyOptions& options) {
  if (options.num_initial > 0) return options.num_initial;
  const bool exact = info(options.method).model == ModelUse::exact;
  return exact ? std::max(options.batch, options.space.num_free() + 4) : options.batch;
}

// The exact GP holds some five n × n matrices.
void check_exact_room(const StudyOptions& options, std::int64_t n) {
  constexpr double kBytes = 8e9;
  const double needed = 5 * 8.0 * static_cast<double>(n) * static_cast<double>(n);
  if (info(options.method).model != ModelUse::exact || needed <= kBytes) return;
  throw std::invalid_argument(fmt::format(
      "ask: method \"{}\" keeps an exact GP: with {} observations it would need {:.0f} GB, and {:.0f} GB is the limit. "
      "Go on with method = \"auto\", which has none",
      to_string(options.method), n, needed / 1e9, kBytes / 1e9));
}

}  // namespace

StudyOptions for_method(StudyOptions options) {
  if (info(options.method).model == ModelUse::exact) {
    options.model.num_inducing = std::numeric_limits<int>::max();
    options.model.type = ModelType::inducing_points;
    options.model.fit = FitMethod::collapsed;
    options.model.refit_growth = 0;
  }
  return options;
}

// Fit, choose, claim; the initial design comes first. Choosing leads to src/acquire: with few parameters to thompson.cpp, which
// draws sample paths and maximises them. When another process asked meanwhile nothing is claimed,
// and all is computed again from what is known then: no point is handed out twice.
std::vector<Trial> Study::ask(int size, const std::string& owner) {
  while (true) {
    Ask ask = impl_->begin(size);
    Matrix X = impl_->initial_points(ask);
    if (X.rows() < ask.size) {
      append(ask.taken, X);
      impl_->fit(ask.number, impl_->growth());
      append(X, impl_->choose(ask));
    }
    if (auto trials = impl_->claim(ask, X, owner)) return std::move(*trials);
  }
}

Ask Study::Impl::begin(int size) {
  if (size < 1) throw std::invalid_argument(fmt::format("ask: expected a size of at least 1, got {}", size));
  auto known = refresh();
  const Space& space = options().space;
  Matrix taken(std::ssize(known.pending), space.num_dims());
  for (Eigen::Index i = 0; i < taken.rows(); ++i) taken.row(i) = encode(known.pending[static_cast<std::size_t>(i)]).transpose();
  if (campaign) taken = campaign->taken(known.pending);
  const auto left = space.num_points() - static_cast<double>(taken.rows());
  if (campaign && left > 0) size = static_cast<int>(std::min<double>(size, left));  // the last batch may be smaller
  if (size > left && campaign) {
    throw std::invalid_argument(
        fmt::format("ask: no candidate is left: all {} of the pool have been handed out", space.num_points()));
  }
  if (size > left) {
    throw std::invalid_argument(
        fmt::format("ask: expected at most {} points, got {}: the space has {} and {} are pending. Tell "
                    "or abandon pending trials, or ask for fewer",
                    left, size, space.num_points(), known.pending.size()));
  }
  const double planned = num_initial(options());
  double due = std::max(0.0, std::min(planned, space.num_points()) - static_cast<double>(known.num_initial));
  // Points evaluated elsewhere do for the model what the design would have done.
  if (due > 0) due = std::max(0.0, due - static_cast<double>(store.num_told()));
  Ask ask{.number = known.asks,
          .size = size,
          .first_initial = static_cast<int>(known.num_initial),
          // Without data there is no model: then the design goes on. A method without a model is a design.
          .num_initial = data.size() < 2 || info(options().method).model == ModelUse::none
                             ? size
                             : static_cast<int>(std::min<double>(size, due)),
          .pending = std::move(known.pending),
          .taken = std::move(taken),
          .key = ask_key(known.asks)};
  return ask;
}

Matrix Study::Impl::initial_points(const Ask& ask) {
  if (campaign) return campaign->random(ask.num_initial, ask.taken, ask.key.fold("initial"));
  const Space& space = options().space;
  const Method method = options().method;
  const Initial how = method == Method::random ? Initial::uniform : method == Method::sobol ? Initial::sobol : options().initial;
  std::vector<Params> taken = ask.pending;
  // Where a space is finite, earlier points of the design are not repeated as long as there are others.
  if (std::isfinite(space.num_points()) && ask.num_initial > 0) {
    const auto earlier = store.initial_points();
    if (static_cast<double>(earlier.size() + taken.size()) + ask.num_initial <= space.num_points()) {
      taken.insert(taken.end(), earlier.begin(), earlier.end());
    }
  }
  return initial_design(space, how, ask.first_initial, ask.num_initial, taken, Key(options().seed).fold("initial"));
}

// The model given all data, learned afresh when the data has grown by the given share.
void Study::Impl::fit(std::int64_t ask, double growth) {
  const Timer timer(seconds.fit);
  check_exact_room(options(), data.size());
  const Learned* known = learned ? &*learned : nullptr;
  if (campaign) return campaign->fit(learning, data, known, ask, growth, ask_key(ask).fold("fit"));
  if (must_learn(learning, data, known, growth)) {
    const Learned wanted{.ask = ask, .sequence = data.last_sequence(), .settings = learning_settings(learning)};
    if (!posterior || !posterior->learned().same_as(wanted)) {
      Learned now = learn(learning, data, known, ask_key(ask).fold("fit"));
      now.ask = ask;
      posterior.emplace(std::move(now), data, learning.model);
      recommended_row = -1;
    }
  } else if (!posterior || !posterior->learned().same_as(*known)) {
    posterior.emplace(*known, data, learning.model);
    recommended_row = -1;
  }
  posterior->update(data);
}

Matrix Study::Impl::choose(const Ask& ask) {
  if (campaign) {
    const Timer timer(seconds.maximise);
    return campaign->choose(ask.size - ask.num_initial, ask.taken, ask.key);
  }
  const Vector y = targets();
  const Method method = this->method();
  const Matrix newest = data.newest(std::max(1000, options().batch));
  const ModelOptions model = resolved(learning.model, method, *posterior, step());
  const int size = ask.size - ask.num_initial;
  std::vector<std::int64_t> by_trial;  // a sort of all of them: for whom it is needed
  if (method == Method::turbo || num_scouts(model.scout_share, size, ask.key) > 0) by_trial = data.by_id(0, data.size());
  std::vector<bool> chosen;
  if (method == Method::turbo)
    for (const std::int64_t row : by_trial) chosen.push_back(data.chosen(row));
  return acquire(method, {.space = options().space,
                          .X = data.X(),
                          .y = y,
                          .newest = newest,
                          .by_trial = by_trial,
                          .chosen = chosen,
                          .gp = posterior->gp(),
                          .model = model,
                          .taken = ask.taken,
                          .size = size,
                          .batch = options().batch,
                          .key = ask.key,
                          .seconds = seconds});
}

std::optional<std::vector<Trial>> Study::Impl::claim(const Ask& ask, const Matrix& X, const std::string& owner) {
  const Timer timer(seconds.store);
  std::vector<Store::NewTrial> points;
  for (Eigen::Index i = 0; i < X.rows(); ++i) {
    points.push_back(
        {campaign ? campaign->decode(X(i, 0)) : options().space.decode({X.row(i).data(), static_cast<std::size_t>(X.cols())}),
         i < ask.num_initial ? Origin::initial : Origin::model});
  }
  const bool learned_now = ask.num_initial < ask.size && fitted().ask == ask.number;
  auto trials = store.claim(ask.number, points, learned_now ? &fitted() : nullptr, owner);
  if (trials && learned_now) learned = fitted();
  return trials;
}

}  // namespace salvo
