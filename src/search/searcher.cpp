#include "search/searcher.h"

#include <algorithm>
#include <stdexcept>

#include "search/outputs_searcher.h"
#include "search/pool_outputs_searcher.h"
#include "search/pool_searcher.h"
#include "search/space_searcher.h"

namespace salvo {

bool agrees(const Params& params, const std::map<int, Value>& fixed) {
  return std::all_of(fixed.begin(), fixed.end(),
                     [&](const auto& each) { return params[static_cast<std::size_t>(each.first)] == each.second; });
}

std::string Searcher::prior_of(std::span<const Params>, std::span<const Values>, const std::string&) const {
  throw std::invalid_argument("set_prior: expected a study of parameters, got one over a pool, whose model has no prior mean");
}

void Searcher::set_prior(const std::string&) { throw std::logic_error("a study over a pool has no prior"); }

double Searcher::expected_gain(const Ask&) { throw std::logic_error("there is no expected gain of several outputs or a pool"); }

std::vector<std::vector<Estimate>> Searcher::predict_outputs(std::span<const Params> points) {
  std::vector<std::vector<Estimate>> out;
  for (const Estimate& estimate : predict(points)) out.push_back({estimate});
  return out;
}

RecommendedFront Searcher::front() { return {.points = {recommend({})}}; }

std::unique_ptr<Searcher> make_searcher(const StudyOptions& options) {
  if (options.pool() && options.one_output()) return std::make_unique<PoolSearcher>(options);
  if (options.pool()) return std::make_unique<PoolOutputsSearcher>(options);
  if (!options.one_output()) return std::make_unique<OutputsSearcher>(options);
  return std::make_unique<SpaceSearcher>(options);
}

}  // namespace salvo
