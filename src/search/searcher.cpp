#include "search/searcher.h"

#include "search/pool_searcher.h"
#include "search/space_searcher.h"

namespace salvo {

std::unique_ptr<Searcher> make_searcher(const StudyOptions& options) {
  if (options.pool()) return std::make_unique<PoolSearcher>(options);
  return std::make_unique<SpaceSearcher>(options);
}

}  // namespace salvo
