#include "sample/maximise.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "sample/candidates.h"
#include "sample/exchange.h"
#include "sample/path_functions.h"
#include "sample/spread.h"
#include "sample/summits.h"
#include "sample/taken.h"

namespace salvo {
namespace {

// All that the searches of one function found is taken: the best of fresh random points, or in a finite space that is
// nearly used up the next free point.
void take_another(const Functions& functions, const Encoding& space, int member, Taken& taken, Key key,
                  Eigen::Ref<Eigen::RowVectorXd> out) {
  Matrix X = random_points(space, 1000, key);
  Vector f;
  functions.evaluate(X, std::vector<int>(static_cast<std::size_t>(X.rows()), member), f);
  if (!take_best(X, f, taken, out)) out = next_free_point(space, taken, X.topRows(1));
}

void check_room(const Encoding& space, const Taken& taken, int wanted) {
  const double left = space.num_points() - static_cast<double>(taken.size());
  if (left < wanted)
    throw std::invalid_argument(
        fmt::format("{} new points were asked for, but the space has {:.0f} distinct points and {} of them are pending: at most "
                    "{:.0f} can be handed out now. Tell the results of pending trials first, or ask for fewer.",
                    wanted, space.num_points(), taken.size(), std::max(0.0, left)));
}

}  // namespace

void MaximiseOptions::validate() const {
  if (num_candidates < 0)
    throw std::invalid_argument(fmt::format("MaximiseOptions: num_candidates must not be negative, got {}", num_candidates));
  if (num_starts < 1)
    throw std::invalid_argument(fmt::format("MaximiseOptions: num_starts must be at least 1, got {}", num_starts));
  if (max_iterations < 0)
    throw std::invalid_argument(fmt::format("MaximiseOptions: max_iterations must not be negative, got {}", max_iterations));
  if (!(max_share > 0 && max_share <= 1))
    throw std::invalid_argument(fmt::format("MaximiseOptions: max_share must be above 0 and at most 1, got {}", max_share));
  if (!(reach >= 0)) throw std::invalid_argument(fmt::format("MaximiseOptions: reach must not be negative, got {}", reach));
}

Matrix maximise(const Functions& functions, const Encoding& space, const Matrix& taken_points, const MaximiseOptions& options,
                Key key) {
  options.validate();
  const Eigen::Index num_inputs = functions.kernel().lengthscales.size();
  if (num_inputs != space.num_dims())
    throw std::invalid_argument(
        fmt::format("maximise: the functions have {} inputs but the space has {} coordinates", num_inputs, space.num_dims()));
  const int B = functions.size();
  Taken taken(taken_points);
  check_room(space, taken, B);
  Matrix out(B, space.num_dims());

  if (space.num_points() <= kEnumerate) {
    const Matrix X = enumerate_points(space);
    const Matrix V = functions.values(X);
    for (int b = 0; b < B; ++b) (void)take_best(X, V.col(b), taken, out.row(b));  // check_room saw to it that there is one
    return out;
  }

  // Shared candidates; the best of each of num_starts runs of them starts a search.
  const int wanted = options.num_candidates > 0 ? options.num_candidates : default_candidates(space);
  const Matrix C = random_points(space, std::max(wanted, options.num_starts), key.fold("candidates"));
  std::vector<int> members(static_cast<std::size_t>(B));
  std::iota(members.begin(), members.end(), 0);
  std::vector<Summits> found = find_summits(functions, members, space, C, options.num_starts, options.max_iterations);
  if (options.max_share < 1) spread(functions, space, C, taken_points, options, found);

  for (int b = 0; b < B; ++b) {
    Summits& mine = found[static_cast<std::size_t>(b)];
    if (take_best(mine.X, mine.f, taken, out.row(b))) continue;
    Eigen::Index best = 0;
    mine.f.maxCoeff(&best);
    if (!take_beside(functions, space, b, mine.X.row(best), taken, out.row(b)))
      take_another(functions, space, b, taken, key.fold("another").fold(static_cast<std::uint64_t>(b)), out.row(b));
  }
  return out;
}

Matrix maximise(const Paths& paths, const Encoding& space, const Matrix& taken, const MaximiseOptions& options, Key key) {
  return maximise(PathFunctions(paths), space, taken, options, key);
}

}  // namespace salvo
