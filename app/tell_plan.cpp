#include "tell_plan.h"

#include <fmt/chrono.h>
#include <fmt/core.h>
#include <salvo/error.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <map>
#include <optional>

#include "output.h"
#include "text.h"
#include "text/numbers.h"
#include "text/text.h"
#include "told_values.h"

namespace salvo::app {
namespace {

std::string outcome_words(const Outcome& outcome, const Outputs& outputs) {
  if (const auto* values = std::get_if<Values>(&outcome)) return in_words(*values, outputs);
  if (const auto* failure = std::get_if<Failure>(&outcome)) return fmt::format("a failure (\"{}\")", shown(failure->reason));
  return "abandoned";
}

class Planner {
 public:
  Planner(Study& study, const TellRules& rules, Mistakes& mistakes) : study_(study), rules_(rules), mistakes_(mistakes) {}

  TellPlan plan(const ToldFile& file) {
    for (const ToldRow& row : file.rows) {
      if (row.id.has_value() != file.rows[0].id.has_value()) {
        mistakes_.add(row.line,
                      fmt::format("rows with and without a trial are mixed (line {} is the other kind); tell them apart, "
                                  "so that each file is taken whole or not at all",
                                  file.rows[0].line));
        break;
      }
      row.id ? trial_row(row) : point_row(row);
    }
    for (const auto& [row, point] : fresh_) fresh_point(*row, point);
    mistakes_.raise(advice());
    if (plan_.points.empty() && plan_.outcomes.empty() && plan_.num_told_before > 0 && !file.rows[0].id && !pool() &&
        plan_.tags.empty() && plan_.notes.empty())
      throw InputError(fmt::format(
          "{}: {} told before, with the same values; nothing was taken. Points that were measured a second time: "
          "salvo tell {} {} --again",
          rules_.file, plan_.num_told_before == 1 ? "its row was" : fmt::format("all {} rows were", plan_.num_told_before),
          shell_word(rules_.study), shell_word(rules_.file)));
    return std::move(plan_);
  }

 private:
  [[nodiscard]] const Pool* pool() const { return study_.options().pool(); }
  [[nodiscard]] const Outputs& outputs() const { return study_.options().outputs; }

  void trial_row(const ToldRow& row) {
    const auto [first, is_new] = line_of_.emplace(*row.id, row.line);
    if (!is_new) {
      mistakes_.add(row.line, fmt::format("trial {} is there twice, first in line {}; expected one outcome for each", *row.id,
                                          first->second));
      return;
    }
    const std::optional<Trial> trial = study_.trial(*row.id);
    if (!trial) {
      mistakes_.add(row.line, fmt::format("there is no trial {}; the study has {}", *row.id, study_.counts().total()));
      return;
    }
    const std::size_t before = mistakes_.size();
    const Params measured = point_of(row, *trial);
    if (mistakes_.size() > before) return;
    if (measured != trial->params) {
      move(row, *trial, measured);
    } else if (!trial->outcome) {
      plan_.outcomes.push_back({*row.id, row.outcome});
      say(*row.id, row);
    } else if (says_same(row, *trial->outcome)) {
      ++plan_.num_told_before;
      say(*row.id, row);
    } else {
      differs(row, *trial);
    }
  }

  // The trial's point, but for those parameters where the row says another value.
  Params point_of(const ToldRow& row, const Trial& trial) {
    const Space& space = study_.space();
    Params point = trial.params;
    const std::size_t before = mistakes_.size();
    for (std::size_t i = 0; i < row.written.size(); ++i) {
      const std::string& written = row.written[i];
      if (written.empty() || says_same(space, static_cast<int>(i), written, trial.params[i])) continue;
      const std::string& name = space.parameters()[i].name;
      if (!rules_.as_measured) {
        if (moved_.empty()) moved_ = fmt::format("trial {}", trial.id);
        mistakes_.add(row.line, fmt::format("{}: trial {} was asked for at {}, the file has {}", name, trial.id,
                                            to_string(trial.params[i]), shown(written)));
        continue;
      }
      try {
        point[i] = space.parse(static_cast<int>(i), written);
        if (pool()) point = candidate(point);
      } catch (const std::invalid_argument& error) {
        mistakes_.add(row.line, error.what());
      }
    }
    if (point == trial.params || pool() || mistakes_.size() > before) return point;
    try {
      return moved_along(row, point);
    } catch (const std::invalid_argument& error) {
      mistakes_.add(row.line, error.what());
      return point;
    }
  }

  // What follows from the others and is not written moves along with them.
  [[nodiscard]] Params moved_along(const ToldRow& row, const Params& point) const {
    const Space& space = study_.space();
    std::vector<std::optional<Value>> values(point.begin(), point.end());
    for (std::size_t i = 0; i < values.size(); ++i)
      if (space.follows(static_cast<int>(i)) && (i >= row.written.size() || row.written[i].empty())) values[i].reset();
    return space.check(space.completed(values));
  }

  // Measured, but not where the trial asked for it: that point is added, and the trial is nobody's any more. When a first try was
  // cut off in between, the point is known and the trial still open.
  void move(const ToldRow& row, const Trial& trial, const Params& measured) {
    if (!std::holds_alternative<Values>(row.outcome)) {
      mistakes_.add(row.line,
                    fmt::format("--as-measured: trial {} has no value at the point that was measured; a trial that failed "
                                "is told without its parameters",
                                trial.id));
      return;
    }
    if (!rules_.again && take_known(row, measured)) {
      ++plan_.num_told_before;
      close(trial);
      return;
    }
    if (trial.outcome && trial.state() != TrialState::abandoned) {
      if (elsewhere_.empty())
        elsewhere_ = fmt::format(
            " If trial {0} was measured at the file's point: salvo forget {1} --trial {0}, salvo revive {1} "
            "--trial {0}, and this again.",
            trial.id, shell_word(rules_.study));
      mistakes_.add(row.line, fmt::format("--as-measured: trial {} {}, at the point that was asked for; the file has another one",
                                          trial.id, told_words(trial, outputs())));
      return;
    }
    if (trial.outcome && !rules_.again) {
      mistakes_.add(row.line,
                    fmt::format("--as-measured: trial {} {}: what was measured in its place has a number of its own by which "
                                "it is corrected (salvo export shows it, salvo amend takes it); one more point: --again",
                                trial.id, told_words(trial, outputs())));
      return;
    }
    ++plan_.num_moved;
    add(row, measured);
    close(trial);
  }

  void close(const Trial& trial) {
    if (trial.outcome) return;
    plan_.outcomes.push_back({trial.id, Abandoned{}});
    ++plan_.num_closed;
  }

  void point_row(const ToldRow& row) {
    Params point = *row.params;
    if (pool()) {
      try {
        point = candidate(point);
      } catch (const std::invalid_argument& error) {
        mistakes_.add(row.line, error.what());
        return;
      }
    }
    if (!rules_.again && take_known(row, point)) {
      ++plan_.num_told_before;
    } else {
      fresh_.emplace_back(&row, std::move(point));
    }
  }

  // After all rows that were told before have found their trials, in whatever order the file has them.
  void fresh_point(const ToldRow& row, const Params& point) {
    const Trial* other = rules_.again ? nullptr : told_otherwise(point, std::get<Values>(row.outcome));
    other ? differs(row, *other) : add(row, point);
  }

  void add(const ToldRow& row, const Params& point) {
    plan_.points.push_back(point);
    plan_.values.push_back(std::get<Values>(row.outcome));
    plan_.point_tags.push_back(row.tags);
    plan_.point_notes.push_back(row.note);
  }

  // Beside the outcome. What was said of a trial before stays.
  void say(std::int64_t id, const ToldRow& row) {
    if (!row.note.empty()) {
      if (!notes_) notes_ = study_.annotations();
      if (!notes_->contains(id)) plan_.notes.emplace(id, row.note);
    }
    if (row.tags.empty()) return;
    if (!tags_) tags_ = study_.tags();
    const std::vector<std::string>& carried = (*tags_)[id];
    for (const std::string& name : row.tags)
      if (std::find(carried.begin(), carried.end(), name) == carried.end()) plan_.tags[id].push_back(name);
  }

  // By the first of its ids, as the study keeps it.
  [[nodiscard]] Params candidate(const Params& given) const {
    const std::string id = to_string(given.at(0));
    const std::int64_t row = pool()->find(id);
    if (row < 0) throw std::invalid_argument(fmt::format("candidate: expected an id of the pool, got \"{}\"", shown(id)));
    return {std::string(pool()->id(row))};
  }

  // The trials that a row without a number may mean: of a box what was added before; of a pool all of a candidate.
  std::vector<Trial>& known(const Params& point) {
    if (!loaded_) {
      loaded_ = true;
      for (Trial& trial : study_.trials())
        if (pool() ? trial.state() != TrialState::abandoned : trial.source == salvo::Source::told)
          known_[trial.params].push_back(std::move(trial));
    }
    return known_[point];
  }

  // Each trial answers for one row: a point that was measured twice with one value has two rows.
  bool take_known(const ToldRow& row, const Params& point) {
    std::vector<Trial>& trials = known(point);
    const auto found = std::find_if(trials.begin(), trials.end(),
                                    [&](const Trial& trial) { return trial.outcome && says_same(row, *trial.outcome); });
    if (found == trials.end()) return false;
    say(found->id, row);
    trials.erase(found);
    return true;
  }

  // A candidate is evaluated once, unless somebody says that this was again.
  const Trial* told_otherwise(const Params& point, const Values& values) {
    const std::vector<Trial>& trials = known(point);
    if (!pool()) {  // the same values with another standard error, or more of them, are no second measurement
      const auto same = std::find_if(trials.begin(), trials.end(), [&](const Trial& trial) { return agree(trial, values); });
      return same == trials.end() ? nullptr : &*same;
    }
    if (trials.empty()) return nullptr;
    const bool waits = std::any_of(trials.begin(), trials.end(), [](const Trial& trial) { return !trial.outcome; });
    return waits ? nullptr : &trials.front();
  }

  // In every output that both have, and there is one.
  static bool agree(const Trial& trial, const Values& values) {
    const auto* told = trial.outcome ? std::get_if<Values>(&*trial.outcome) : nullptr;
    bool common = false;
    for (std::size_t i = 0; told && i < values.outputs.size(); ++i) {
      const double a = told->outputs[i], b = values.outputs[i];
      if (std::isnan(a) || std::isnan(b)) continue;
      if (a != b) return false;
      common = true;
    }
    return common;
  }

  void differs(const ToldRow& row, const Trial& trial) {
    if (amend_.empty()) amend_ = amend_advice(rules_.study, trial.id, row.outcome, outputs());
    again_ = again_ || !row.id;
    const std::string which =
        pool() ? fmt::format("trial {} ({})", trial.id, shown(to_string(trial.params.at(0)))) : fmt::format("trial {}", trial.id);
    mistakes_.add(row.line, fmt::format("{} {}, the file has {}", which, told_words(trial, outputs()),
                                        outcome_words(row.outcome, outputs())));
  }

  [[nodiscard]] std::string advice() const {
    std::string text = "Nothing of the file was taken.";
    if (!amend_.empty()) text += " " + amend_;
    if (again_) text += " A second measurement: --again.";
    text += elsewhere_;
    if (!moved_.empty())
      text += fmt::format(
          " If {} was measured at the file's point: salvo tell {} {} --as-measured. If the number of the trial is enough, "
          "leave the parameters' columns out.",
          moved_, shell_word(rules_.study), shell_word(rules_.file));
    return text;
  }

  Study& study_;
  const TellRules& rules_;
  Mistakes& mistakes_;
  TellPlan plan_;
  std::map<std::int64_t, std::size_t> line_of_;
  bool loaded_ = false, again_ = false;
  std::map<Params, std::vector<Trial>> known_;
  std::optional<Tags> tags_;                                  // that trials carry
  std::optional<std::map<std::int64_t, std::string>> notes_;  // that they have
  std::vector<std::pair<const ToldRow*, Params>> fresh_;
  std::string amend_, moved_, elsewhere_;  // for the first of each kind
};

}  // namespace

TellPlan plan_tell(Study& study, const ToldFile& file, const TellRules& rules, Mistakes& mistakes) {
  return Planner(study, rules, mistakes).plan(file);
}

void note_own(const std::vector<std::string>& kept, const std::vector<std::string>& left_out, const char* what) {
  const auto joined = [](const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + one_line(name);
    return text;
  };
  if (!kept.empty()) print_error(fmt::format("salvo: note: {} of your own are kept beside the values: {}\n", what, joined(kept)));
  if (!left_out.empty())
    print_error(
        fmt::format("salvo: note: {} left out: {} (expected numbers or texts, 100 at most, with names of up to 100 bytes)\n",
                    what, joined(left_out)));
}

std::string told_words(const Trial& trial, const Outputs& outputs) {
  const auto when = fmt::gmtime(static_cast<std::time_t>(trial.told_at));
  const std::string what = trial.state() == TrialState::abandoned ? "was abandoned"
                           : trial.state() == TrialState::failed
                               ? fmt::format("has failed (\"{}\")", shown(trial.error()))
                               : fmt::format("was told with the {} {}", has_names(outputs) ? "values" : "value",
                                             in_words(std::get<Values>(*trial.outcome), outputs));
  return fmt::format("{} on {:%Y-%m-%d at %H:%M} UTC", what, when);
}

std::string amend_advice(const std::string& study, std::int64_t trial, const Outcome& outcome, const Outputs& outputs) {
  if (std::holds_alternative<Abandoned>(outcome))
    return fmt::format("To take back what was told: salvo forget {} --trial {} --reason …", shell_word(study), trial);
  const auto* failure = std::get_if<Failure>(&outcome);
  const auto sd = failure ? std::nullopt : standard_error(std::get<Values>(outcome));
  return fmt::format(
      "To correct what was told: salvo amend {} --trial {} {}{} --reason …", shell_word(study), trial,
      failure ? "--fail " + shell_word(failure->reason) : "--value " + as_arguments(std::get<Values>(outcome), outputs),
      sd ? " --sd " + shortest(*sd) : "");
}

}  // namespace salvo::app
