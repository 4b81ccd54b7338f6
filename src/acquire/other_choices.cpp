#include "acquire/other_choices.h"

#include <salvo/paths.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <stdexcept>

#include "acquire/success.h"
#include "sample/maximise.h"
#include "sample/path_functions.h"

namespace salvo {
namespace {

using Index = Eigen::Index;
constexpr double kEnough = 10;  // observations of a choice for each parameter: with more of them it is looked at less often

struct Other {
  Encoding::Discrete category;
  Index level;
  double count;  // observations and pending points
};

// Every choice but those of the best mean among the newest observations.
std::vector<Other> others(const Situation& now) {
  Index best = 0;
  now.gp.predict_mean(now.newest).maxCoeff(&best);
  std::vector<Other> out;
  for (const Encoding::Discrete& category : now.space.discretes()) {
    if (!category.is_one_hot()) continue;
    for (Index level = 0; level < category.width; ++level) {
      const Index e = category.offset + level;
      if (now.newest(best, e) == 0) out.push_back({category, level, now.X.col(e).sum() + now.taken.col(e).sum()});
    }
  }
  return out;
}

// How many members each of them gets.
std::map<std::size_t, int> shares(const Situation& now, std::vector<Other>& all, Key key) {
  std::map<std::size_t, int> out;
  const double enough = kEnough * now.space.num_free();
  for (int b = 0; b < now.size; ++b) {
    const auto least =
        std::min_element(all.begin(), all.end(), [](const Other& one, const Other& two) { return one.count < two.count; });
    const double share = now.model.choice_share * std::min(1.0, enough / std::max(1.0, least->count));
    if (key.uniform(static_cast<std::uint64_t>(b)) >= share) continue;
    ++out[static_cast<std::size_t>(least - all.begin())];
    ++least->count;
  }
  return out;
}

// None where the space's conditions leave no point with that choice.
std::optional<Encoding> pinned(const Encoding& space, const Other& other) {
  const auto parameter = static_cast<std::size_t>(other.category.parameter);
  const auto& choices = std::get<Categorical>(space.space().parameters()[parameter].domain).choices;
  try {
    return space.pinned({{other.category.parameter, choices[static_cast<std::size_t>(other.level)]}});
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
}

}  // namespace

bool has_choices(const Encoding& space) {
  const auto is_category = [](const Encoding::Discrete& each) { return each.is_one_hot(); };
  return space.num_free() > 1 && std::any_of(space.discretes().begin(), space.discretes().end(), is_category);
}

Matrix other_choices(const Situation& now) {
  Matrix out(0, now.space.num_dims());
  if (!has_choices(now.space)) return out;
  std::vector<Other> all = others(now);
  const Timer timer(now.seconds.maximise);
  const Key key = now.key.fold("choices");
  for (const auto& [at, count] : shares(now, all, key.fold("share"))) {
    const std::optional<Encoding> fixed = pinned(now.space, all[at]);
    if (!fixed) continue;
    const Encoding& space = *fixed;
    Matrix taken(now.taken.rows() + out.rows(), out.cols());
    taken << now.taken, out;
    if (space.num_points() < 2 * static_cast<double>(taken.rows() + count)) continue;  // nearly all of it was handed out
    const Key mine = key.fold("draw").fold(at);
    const Paths paths = draw_paths(now.gp,
                                   {.num_paths = count,
                                    .num_features = now.model.num_features,
                                    .alpha = now.model.alpha.value(),
                                    .features = now.model.features,
                                    .eigenfunctions = now.model.eigenfunctions},
                                   mine);
    const PathFunctions free(paths);
    const std::unique_ptr<Limit> limit =
        draw_limit(now.success, count, std::sqrt(now.gp.hyper().kernel.variance), mine.fold("success"));
    const Matrix found =
        maximise(LimitedFunctions(free, limit.get()), space, taken,
                 {.num_candidates = now.model.num_candidates, .num_starts = now.model.num_starts}, mine.fold("maximise"));
    out.conservativeResize(out.rows() + count, Eigen::NoChange);
    out.bottomRows(count) = found;
  }
  return out;
}

}  // namespace salvo
