#include "search/box_searcher.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "search/design.h"

namespace salvo {
namespace {

// A method that wants the exact GP gets it: every distinct observation is an inducing point, and every ask learns afresh.
ModelOptions for_method(ModelOptions model, Method method) {
  if (info(method).model == ModelUse::exact) {
    model.num_inducing = std::numeric_limits<int>::max();
    model.type = ModelType::inducing_points;
    model.fit = FitMethod::collapsed;
    model.refit_growth = 0;
  }
  return model;
}

}  // namespace

// The exact GP holds some five n × n matrices.
void check_exact_room(Method method, std::int64_t n) {
  constexpr double kBytes = 8e9;
  const double needed = 5 * 8.0 * static_cast<double>(n) * static_cast<double>(n);
  if (info(method).model != ModelUse::exact || needed <= kBytes) return;
  throw std::invalid_argument(fmt::format(
      "ask: method \"{}\" keeps an exact GP: with {} observations it would need {:.0f} GB, and {:.0f} GB is the limit. "
      "Go on with method = \"auto\", which has none",
      to_string(method), n, needed / 1e9, kBytes / 1e9));
}

BoxSearcher::BoxSearcher(const StudyOptions& options)
    : search_(std::get<SpaceSearch>(options.search)),
      seed_(options.seed),
      batch_(options.batch),
      num_initial_(options.num_initial),
      space_(search_.space),
      learning_{space_, for_method(search_.model, search_.method), num_anchored(options.num_initial, options.batch)} {}

Params BoxSearcher::canonical(const Params& params) const { return search_.space.check(params); }

void BoxSearcher::note(const Record& record) {
  if (chosen_by_people(record.source)) ++num_told_;
  if (record.source == Source::repeat) repeats_.push_back(record.params);
  if (record.source == Source::initial && std::isfinite(space_.num_points())) designed_.push_back(record.params);
}

double BoxSearcher::num_left(std::span<const Params> pending) const {
  return space_.num_points() - static_cast<double>(pending.size());
}

int BoxSearcher::admitted(int size, const Ask& ask) const {
  const double all = space_for(ask).num_points();
  const std::vector<Params> pending = taken_for(ask);
  const double left = all - static_cast<double>(pending.size());
  if (size <= left) return size;
  throw std::invalid_argument(fmt::format(
      "ask: expected at most {} points, got {}: the space has {}{} and {} are pending. Tell or abandon pending trials, or ask "
      "for fewer",
      left, size, all, ask.fixed.empty() ? "" : " with what is fixed", pending.size()));
}

Encoding BoxSearcher::space_for(const Ask& ask) const { return ask.fixed.empty() ? space_ : space_.pinned(ask.fixed); }

// Of the points that are taken those that this ask could choose.
std::vector<Params> BoxSearcher::taken_for(const Ask& ask) const {
  std::vector<Params> out;
  for (const Params& params : ask.taken)
    if (agrees(params, ask.fixed)) out.push_back(params);
  return out;
}

// A method that asks for one point at a time begins with d + 4 all the same. Points evaluated elsewhere do for the model what
// the design would have done. Without data there is no model: then the design goes on. A method without a model is a design.
int BoxSearcher::num_due(const Ask& ask, int count) const {
  const ModelUse use = info(search_.method).model;
  if (num_observed() < 2 || use == ModelUse::none) return count;
  double planned = num_initial_ > 0 ? num_initial_ : batch_;
  if (num_initial_ == 0 && use == ModelUse::exact) planned = std::max(batch_, space_.num_free() + 4);
  const double due = std::min(planned, space_.num_points()) - static_cast<double>(ask.num_designed + num_told_);
  return static_cast<int>(std::clamp<double>(due, 0, count));
}

std::vector<Params> BoxSearcher::design(const Ask& ask, int count) {
  const Method method = search_.method;
  const Initial how = method == Method::random ? Initial::uniform : method == Method::sobol ? Initial::sobol : search_.initial;
  const int due = num_due(ask, count);
  const Encoding space = space_for(ask);
  std::vector<Params> taken = taken_for(ask);
  // Where a space is finite, earlier points of the design are not repeated as long as there are others.
  if (ask.fixed.empty() && static_cast<double>(ask.num_designed) + static_cast<double>(taken.size()) + due <= space_.num_points())
    taken.insert(taken.end(), designed_.begin(), designed_.end());
  const std::map<int, Params> expected = expected_best(ask, due, taken);
  std::vector<Params> out =
      decoded(space, initial_design(space, how, static_cast<int>(ask.num_designed), due, taken, Key(seed_).fold("initial")));
  for (const auto& [i, params] : expected) out[static_cast<std::size_t>(i)] = params;
  return out;
}

// Choosing inducing points anew costs a fraction of a fit, and they must follow the data: that comes more often. For a question
// the model is learned when there is nothing yet, when the options changed, or when what was learned has half of the data at
// most.
double BoxSearcher::growth_for(Purpose purpose) const {
  const double refit = learning_.model.refit_growth;
  return purpose == Purpose::batch ? std::min(0.04, refit) : std::max(1.0, refit);
}

// Sample paths are what knows where it may not go.
bool BoxSearcher::heeds_failures() const {
  const Method method = search_.method;
  return search_.model.failures == FailureUse::learn &&
         search_.model.alpha_rule != AlphaRule::theory &&  // which is about samples of one model
         (method == Method::automatic || method == Method::thompson || method == Method::thompson_exact);
}

Matrix BoxSearcher::encoded(std::span<const Params> points) const {
  Matrix X(std::ssize(points), space_.num_dims());
  for (Eigen::Index i = 0; i < X.rows(); ++i) {
    const std::span<double> row(X.row(i).data(), static_cast<std::size_t>(X.cols()));
    space_.encode(points[static_cast<std::size_t>(i)], row);
  }
  return X;
}

std::vector<Params> BoxSearcher::decoded(const Encoding& space, Matrix X) {
  std::vector<Params> out;
  for (Eigen::Index i = 0; i < X.rows(); ++i) out.push_back(space.decode({X.row(i).data(), static_cast<std::size_t>(X.cols())}));
  return out;
}

}  // namespace salvo
