#include <fmt/core.h>
#include <salvo/error.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "arguments.h"
#include "json.h"
#include "output.h"
#include "report.h"
#include "source.h"
#include "tagged.h"

namespace salvo::app {
namespace {

// The recommended point, then the others by their posterior means; a point evaluated twice is shown once.
std::vector<ShownPoint> top_points(Study& study, ShownPoint recommended, int top, const Tagged& tagged) {
  std::vector<Trial> done;
  for (Trial& trial : study.trials()) {
    if (trial.value() && !trial.outside && tagged(trial)) done.push_back(std::move(trial));
  }
  if (done.empty()) return {};
  std::vector<Params> points;
  for (const Trial& trial : done) points.push_back(trial.params);
  const std::vector<Estimate> model = study.predict(points);
  std::vector<std::size_t> order(done.size());
  std::iota(order.begin(), order.end(), 0);
  const double sign = study.options().direction() == Direction::maximize ? -1 : 1;
  const auto mean = [&](std::size_t i) { return model[i].mean; };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return sign * mean(a) < sign * mean(b); });

  recommended.title = "1.";
  std::vector<ShownPoint> best;
  std::set<Params> seen;
  if (tagged(recommended.trial)) {
    seen.insert(recommended.trial.params);
    best.push_back(std::move(recommended));
  }
  for (const std::size_t i : order) {
    if (static_cast<int>(best.size()) == top) break;
    if (!seen.insert(done[i].params).second) continue;
    best.push_back({fmt::format("{}.", best.size() + 1), done[i], mean(i), model[i].stddev});
  }
  return best;
}

// By their values, where there is no model.
std::vector<ShownPoint> top_values(Study& study, int top, const Tagged& tagged) {
  std::vector<Trial> done;
  for (Trial& trial : study.trials())
    if (trial.value() && !trial.outside && tagged(trial)) done.push_back(std::move(trial));
  const double sign = study.options().direction() == Direction::maximize ? -1 : 1;
  std::stable_sort(done.begin(), done.end(),
                   [&](const Trial& a, const Trial& b) { return sign * *a.value() < sign * *b.value(); });
  std::vector<ShownPoint> best;
  std::set<Params> seen;
  for (Trial& trial : done) {
    if (static_cast<int>(best.size()) == top) break;
    if (seen.insert(trial.params).second)
      best.push_back({fmt::format("{}.", best.size() + 1), std::move(trial), std::nullopt, std::nullopt});
  }
  return best;
}

}  // namespace

int execute(const Common& common, const BestArgs& args) {
  Source source = open_to_look(common);
  const Space& space = source.study.options().space();
  const Tagged tagged(source.study, args.tags);
  const bool unlearned = !args.model && source.study.learning_is_long();
  std::vector<ShownPoint> points = unlearned ? raw_best(source.study) : best_points(source.study);
  if (points.empty()) throw Error(fmt::format("{} has no value yet, so there is no best point", source.study.path()));
  if (unlearned && !common.quiet)
    print_error(fmt::format("salvo: note: {}, and so does --model; until then the best is the best value told\n", kNotLearned));
  if (unlearned && (args.top > 1 || tagged.any())) {
    points = top_values(source.study, args.top, tagged);
  } else if (args.top > 1 || tagged.any()) {
    points = top_points(source.study, points[0], args.top, tagged);
  } else if (common.json) {
    points.resize(1);
  }
  if (points.empty()) throw Error("none of the trials that carry the tag has a value, so there is no best point");
  if (common.json) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      print(JsonObject().add("event", "best").add("rank", i + 1).raw("point", point_json(points[i], space)).line());
    }
    return 0;
  }
  // As many columns as fit a page; a long list goes on below. Candidates are rows, and go on anyway.
  const std::size_t across = source.study.options().pool() ? points.size() : 5;
  std::string text;
  for (std::size_t from = 0; from < points.size(); from += across) {
    const auto first = points.begin() + static_cast<std::ptrdiff_t>(from);
    const auto last = points.begin() + static_cast<std::ptrdiff_t>(std::min(points.size(), from + across));
    text += fmt::format("{}{}", from ? "\n" : "", points_table({first, last}, space, source.file));
  }
  print(text);
  return 0;
}

}  // namespace salvo::app
