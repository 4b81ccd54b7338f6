#include "search/searcher.h"

#include <algorithm>

#include "search/pool_searcher.h"
#include "search/space_searcher.h"

namespace salvo {

bool agrees(const Params& params, const std::map<int, Value>& fixed) {
  return std::all_of(fixed.begin(), fixed.end(),
                     [&](const auto& each) { return params[static_cast<std::size_t>(each.first)] == each.second; });
}

std::unique_ptr<Searcher> make_searcher(const StudyOptions& options) {
  if (options.pool()) return std::make_unique<PoolSearcher>(options);
  return std::make_unique<SpaceSearcher>(options);
}

}  // namespace salvo
