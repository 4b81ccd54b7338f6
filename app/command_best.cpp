#include <fmt/core.h>
#include <salvo/error.h>
#include <salvo/front.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "arguments.h"
#include "front_report.h"
#include "json.h"
#include "numbers.h"
#include "output.h"
#include "report.h"
#include "source.h"
#include "tagged.h"
#include "text.h"
#include "text/csv.h"
#include "text/formula.h"
#include "text/numbers.h"
#include "text/text.h"

namespace salvo::app {
namespace {

// The recommended point, then the others by their posterior means, those that keep to the constraints first; a point evaluated
// twice is shown once.
std::vector<ShownPoint> top_points(Study& study, ShownPoint recommended, int top, const Tagged& tagged) {
  const Outputs& outputs = study.options().outputs;
  std::vector<Trial> done;
  for (Trial& trial : study.trials()) {
    if (trial.value() && !trial.outside && tagged(trial)) done.push_back(std::move(trial));
  }
  if (done.empty()) return {};
  std::vector<Params> points;
  for (const Trial& trial : done) points.push_back(trial.params);
  const std::vector<std::vector<Estimate>> model = study.predict_outputs(points);
  std::vector<std::size_t> order(done.size());
  std::iota(order.begin(), order.end(), 0);
  const double sign = study.options().direction() == Direction::maximize ? -1 : 1;
  std::vector<double> shortfall(done.size(), 0.0);  // 0: allowed
  for (std::size_t i = 0; i < done.size(); ++i)
    if (!allowed(model[i], outputs)) shortfall[i] = 1 - probability_feasible(model[i], outputs);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return shortfall[a] != shortfall[b] ? shortfall[a] < shortfall[b] : sign * model[a][0].mean < sign * model[b][0].mean;
  });

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
    best.push_back({fmt::format("{}.", best.size() + 1), done[i], model[i][0].mean, model[i][0].stddev, model[i],
                    probability_feasible(model[i], outputs), shortfall[i] == 0});
  }
  return best;
}

// By their values, where there is no model.
std::vector<ShownPoint> top_values(Study& study, int top, const Tagged& tagged) {
  std::vector<Trial> done;
  for (Trial& trial : study.trials())
    if (is_feasible(trial, study.options().outputs) && !trial.outside && tagged(trial)) done.push_back(std::move(trial));
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

// What --format csv has: a row for each point, with what the model thinks of each output and what was seen.
void print_csv(const std::vector<ShownPoint>& points, const StudyOptions& options) {
  std::string text = "rank,trial";
  for (const Parameter& parameter : options.space().parameters()) text += "," + parameter.name;
  for (const salvo::Output& output : options.outputs) text += fmt::format(",{0},mean.{0},sd.{0}", output.name);
  text += ",feasible,allowed\n";
  const auto cell = [](double value) { return std::isnan(value) ? std::string() : shortest(value); };
  for (std::size_t i = 0; i < points.size(); ++i) {
    const ShownPoint& point = points[i];
    text += fmt::format("{},{}", i + 1, point.trial.id);
    for (const Value& value : point.trial.params) text += fmt::format(",{}", csv_cell(guarded(to_string(value))));
    const auto& seen = std::get<Values>(*point.trial.outcome).outputs;
    for (std::size_t k = 0; k < options.outputs.size(); ++k) {
      const bool known = k < point.outputs.size() && is_known(point.outputs[k]);
      const Estimate there = known ? point.outputs[k] : Estimate{std::nan(""), std::nan("")};
      text += fmt::format(",{},{},{}", cell(seen[k]), cell(there.mean), cell(there.stddev));
    }
    text += point.outputs.empty() ? ",,\n" : fmt::format(",{},{}\n", cell(point.feasible), point.allowed);
  }
  print(text);
}

// "yield=0.7,cost=0.3"
Weights weights_from(const std::string& text, const Outputs& outputs) {
  Weights out;
  std::vector<std::string_view> names;
  for (const salvo::Output& output : outputs)
    if (std::holds_alternative<Objective>(output.role)) names.push_back(output.name);
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t end = std::min(text.find(',', from), text.size());
    const std::string part(trimmed(std::string_view(text).substr(from, end - from)));
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos)
      throw InputError(fmt::format("--weights: expected NAME=NUMBER,…, got \"{}\"", one_line(part)));
    const std::string name(trimmed(std::string_view(part).substr(0, equals)));
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw InputError(fmt::format("--weights: no objective is called \"{}\"{}", one_line(name), hint(name, names)));
    const double weight = finite_number("--weights", std::string(trimmed(std::string_view(part).substr(equals + 1))));
    if (weight < 0) throw InputError(fmt::format("--weights: {}: expected a number that is not negative, got {}", name, weight));
    if (!out.emplace(name, weight).second) throw InputError(fmt::format("--weights: {} is there twice", name));
    from = end + 1;
  }
  const bool any = std::any_of(out.begin(), out.end(), [](const auto& each) { return each.second > 0; });
  if (!any) throw InputError("--weights: expected one above 0, got none");
  return out;
}

// The front, or the point of it that suits the weights.
std::vector<ShownPoint> points_of_front(Study& study, const Front& front, const BestArgs& args, const Tagged& tagged) {
  std::vector<ShownPoint> out;
  if (!args.weights.empty()) {
    const auto found = study.recommend(weights_from(args.weights, study.options().outputs));
    if (found && tagged(found->trial)) out.push_back(shown_point("recommended", *found));
    return out;
  }
  for (const Recommendation& point : front.points)
    if (tagged(point.trial) && (args.top <= 1 || std::ssize(out) < args.top))
      out.push_back(shown_point(fmt::format("{}.", out.size() + 1), point));
  return out;
}

void print_json(const std::vector<ShownPoint>& points, const StudyOptions& options) {
  for (std::size_t i = 0; i < points.size(); ++i)
    print(JsonObject().add("event", "best").add("rank", i + 1).raw("point", point_json(points[i], options)).line());
}

std::string not_feasible(const StudyOptions& options, const ShownPoint& first) {
  if (first.allowed) return "";
  std::string names;
  for (const salvo::Output& output : options.outputs)
    if (std::holds_alternative<Constraint>(output.role)) names += fmt::format("{}{}", names.empty() ? "" : ", ", output.name);
  const std::string which = names.empty() ? "" : fmt::format(" ({})", shorten(names, 80));
  return fmt::format("  note     {}{}\n", nothing_allowed(options.outputs), which);
}

// "no value of cost yet": objectives that no trial has, where trials have something else.
std::string never_measured(Study& study) {
  const Outputs& outputs = study.options().outputs;
  if (!has_names(outputs) && study.counts().done > 0) return "no value yet that lies within the parameters as they are now";
  std::string names;
  for (std::size_t k = 0; k < outputs.size() && study.counts().done > 0; ++k) {
    const std::vector<Trial> trials = study.trials();
    const auto measured = [&](const Trial& trial) {
      const auto* values = trial.outcome ? std::get_if<Values>(&*trial.outcome) : nullptr;
      return values && !trial.outside && !std::isnan(values->outputs[k]);
    };
    if (std::holds_alternative<Objective>(outputs[k].role) && std::none_of(trials.begin(), trials.end(), measured))
      names += (names.empty() ? " of " : " or ") + outputs[k].name;
  }
  return fmt::format("no value{} yet", names);
}

// An edited bound is what somebody wants to know about: it is taken over here as by an ask, unless more has changed than may.
Source open_for_answers(const Common& common) {
  Common quiet = common;
  quiet.quiet = true;
  Source source = open_to_look(quiet);
  const bool edited = source.file && !changed_outputs(source.study.options().outputs, source.file->study.outputs).empty();
  if (edited) try {
      return open_for_work(common);
    } catch (const std::exception&) {  // the study as it is, and the note that says so
    }
  return open_to_look(common);
}

int show_front(const Common& common, const BestArgs& args, Source& source, const Tagged& tagged) {
  Study& study = source.study;
  const StudyOptions& options = study.options();
  if (!args.model && study.learning_is_long()) throw Error(fmt::format("{}, and so does --model", kNotLearned));
  const auto found = front_of(study, study.trials());
  if (!found) throw Error(fmt::format("{} has {}, so there is no front", study.path(), never_measured(study)));
  const std::vector<ShownPoint> points = points_of_front(study, found->front, args, tagged);
  if (points.empty()) throw Error("none of the points of the front carries the tag");
  if (args.format == Format::csv) {
    print_csv(points, options);
  } else if (common.json || args.format) {
    print_json(points, options);
    if (args.weights.empty())
      print(JsonObject().add("event", "front").raw("front", front_json(found->front, options.outputs)).line());
  } else if (!args.weights.empty()) {
    print(points_table(points, options, source.file) + not_feasible(options, points[0]));
  } else {
    Front shown = found->front;
    std::erase_if(shown.points, [&](const Recommendation& point) { return !tagged(point.trial); });
    print(fmt::format("{}\n  front    {}\n{}",
                      front_table(shown, options, source.file, args.top > 1 ? static_cast<std::size_t>(args.top) : 0),
                      front_words(found->front, options.outputs), not_feasible(options, points[0])));
  }
  return 0;
}

}  // namespace

int execute(const Common& common, const BestArgs& args) {
  Source source = open_for_answers(common);
  const StudyOptions& options = source.study.options();
  const Tagged tagged(source.study, args.tags);
  if (options.num_objectives() > 1) return show_front(common, args, source, tagged);
  if (!args.weights.empty())
    throw InputError("--weights: expected a study with several objectives, of which they choose a point of the front, got one");
  const bool unlearned = !args.model && source.study.learning_is_long();
  std::vector<ShownPoint> points = unlearned ? raw_best(source.study) : best_points(source.study);
  if (points.empty() && unlearned && source.study.counts().done > 0)
    throw Error(fmt::format("no trial of {} is known to keep to all constraints; {}, and so does --model", source.study.path(),
                            kNotLearned));
  if (points.empty())
    throw Error(fmt::format("{} has {}, so there is no best point", source.study.path(), never_measured(source.study)));
  if (unlearned && !common.quiet)
    print_error(fmt::format("salvo: note: {}, and so does --model; until then the best is the best value told\n", kNotLearned));
  if (unlearned && (args.top > 1 || tagged.any())) {
    points = top_values(source.study, args.top, tagged);
  } else if (args.top > 1 || tagged.any()) {
    points = top_points(source.study, points[0], args.top, tagged);
  } else if (common.json || args.format) {
    points.resize(1);
  }
  if (points.empty()) throw Error("none of the trials that carry the tag has a value, so there is no best point");
  if (args.format == Format::csv) {
    print_csv(points, options);
    return 0;
  }
  if (common.json || args.format) {
    print_json(points, options);
    return 0;
  }
  // As many columns as fit a page; a long list goes on below. Candidates are rows, and go on anyway.
  const std::size_t across = source.study.options().pool() ? points.size() : 5;
  std::string text;
  for (std::size_t from = 0; from < points.size(); from += across) {
    const auto first = points.begin() + static_cast<std::ptrdiff_t>(from);
    const auto last = points.begin() + static_cast<std::ptrdiff_t>(std::min(points.size(), from + across));
    text += fmt::format("{}{}", from ? "\n" : "", points_table({first, last}, options, source.file));
  }
  print(text + not_feasible(options, points[0]));
  return 0;
}

}  // namespace salvo::app
