#include "import_plan.h"

#include <fmt/format.h>
#include <salvo/error.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "assignments.h"
#include "front_report.h"
#include "text.h"
#include "text/numbers.h"
#include "text/tags.h"
#include "text/text.h"

namespace salvo::app {
namespace {

class Importer {
 public:
  Importer(Study& study, const OldStudy& old, const ImportArgs& args) : study_(study), old_(old), args_(args) {}

  ImportPlan plan() {
    match_outputs();
    match();
    leave_out();
    if (!problems_.empty()) {
      std::string text;
      for (const std::string& problem : problems_) text += fmt::format("  {}\n", problem);
      throw InputError(fmt::format("{}: its parameters are not those of the study in {}:\n{}Nothing was imported.", old_.from,
                                   study_.path(), text));
    }
    read_known();
    for (const OldTrial& trial : old_.trials) take(trial);
    if (!problems_.empty()) throw InputError(fmt::format("{}\nNothing was imported.", fmt::join(problems_, "\n")));
    return std::move(plan_);
  }

 private:
  [[nodiscard]] const Space& space() const { return study_.space(); }

  [[nodiscard]] const Outputs& outputs() const { return study_.options().outputs; }

  // What is called alike is the same and must be for the same; the one value of a study without names is the one objective.
  void match_outputs() {
    const Outputs& old = old_.outputs;
    for (std::size_t k = 0; k < outputs().size(); ++k) {
      int place = find_output(old, outputs()[k].name);
      const bool one = old.size() == 1 && (!has_names(old) || !has_names(outputs())) && study_.options().num_objectives() == 1;
      if (place < 0 && k == 0 && one) place = 0;
      places_.push_back(place);
      if (place >= 0) check_role(old[static_cast<std::size_t>(place)], outputs()[k]);
    }
    const auto is_there = [&](std::size_t k) { return places_[k] >= 0 || measured(outputs()[k].name); };
    bool any = false;
    for (std::size_t k = 0; k < outputs().size(); ++k) any = any || is_there(k);
    if (!any)
      throw InputError(fmt::format("{}: none of its outputs is one of the study in {}, which has {}. Nothing was imported",
                                   old_.from, study_.path(), aims(outputs())));
  }

  // As one of those numbers that came with the value.
  [[nodiscard]] bool measured(const std::string& name) const {
    return std::any_of(old_.trials.begin(), old_.trials.end(), [&](const OldTrial& trial) {
      const auto* values = std::get_if<Values>(&trial.outcome);
      return values && values->others.contains(name);
    });
  }

  void check_role(const salvo::Output& old, const salvo::Output& here) const {
    const auto *before = std::get_if<Objective>(&old.role), *now = std::get_if<Objective>(&here.role);
    if (!before || !now || before->direction == now->direction) return;
    throw InputError(
        fmt::format("{}: its values are to be {}d, those of the study in {} {}d: {}. Nothing was imported", old_.from,
                    to_string(before->direction), study_.path(), to_string(now->direction),
                    args_.prior ? "what was good there is not expected to be good here" : "they are not of one objective"));
  }

  // The values as this study's outputs; those that it does not have are kept as what else was measured.
  [[nodiscard]] Outcome renamed(const Outcome& outcome) const {
    const auto* old = std::get_if<Values>(&outcome);
    if (!old) return outcome;
    Values out{std::vector<double>(outputs().size(), std::numeric_limits<double>::quiet_NaN()), old->others, old->said};
    for (std::size_t k = 0; k < outputs().size(); ++k) {
      const auto other = out.others.find(outputs()[k].name);
      if (places_[k] >= 0) out.outputs[k] = old->outputs.at(static_cast<std::size_t>(places_[k]));
      if (places_[k] < 0 && other != out.others.end()) out.outputs[k] = other->second;
      if (other != out.others.end()) out.others.erase(other);
    }
    for (std::size_t i = 0; i < old->outputs.size(); ++i) {
      const bool used = std::find(places_.begin(), places_.end(), static_cast<int>(i)) != places_.end();
      if (!used && !std::isnan(old->outputs[i])) out.others.emplace(old_.outputs[i].name, old->outputs[i]);
    }
    if (outputs().size() > 1) out.others.erase(kStandardError);
    return out;
  }

  // The old name of a parameter: in a sheet letters may be large or small.
  [[nodiscard]] std::string find(const std::string& name) const {
    for (const std::string& other : old_.names)
      if (other == name) return other;
    for (const std::string& other : old_.names)
      if (lower_case(other) == lower_case(name)) return other;
    return "";
  }

  void match() {
    const auto fill = filled();
    for (int i = 0; i < static_cast<int>(space().parameters().size()); ++i) {
      const Parameter& parameter = space().parameters()[static_cast<std::size_t>(i)];
      const std::string other = find(parameter.name);
      const auto given = fill.find(parameter.name);
      const auto* fixed = std::get_if<Fixed>(&parameter.domain);
      const bool follows = space().follows(i);
      if (!other.empty() && given != fill.end()) {
        problems_.push_back(fmt::format("{}: --fill is for what {} does not have, and it has it", parameter.name, old_.from));
      } else if (!other.empty()) {
        used_.insert(other);
        sources_.push_back({.name = other});
      } else if (given != fill.end()) {
        sources_.push_back({.value = given->second});
        plan_.notes.push_back(fmt::format("{} is taken to have been {}", parameter.name, given->second));
      } else if (fixed) {
        sources_.push_back({.value = to_string(fixed->value)});
        plan_.notes.push_back(
            fmt::format("{} is taken to have been {}, as it is fixed here", parameter.name, to_string(fixed->value)));
      } else if (follows) {
        sources_.push_back({.follows = true});
        plan_.notes.push_back(fmt::format("{} is computed from the others, as it follows from them here", parameter.name));
      } else {
        problems_.push_back(
            fmt::format("{} is not in {}: say what it was, --fill {}=VALUE", parameter.name, old_.from, parameter.name));
      }
    }
  }

  std::map<std::string, std::string> filled() {
    std::map<std::string, std::string> out;
    for (const auto& [name, value] : assignments("--fill", args_.fill, space())) out[name] = to_string(value);
    return out;
  }

  // What the old study has beside: a constant told nothing, and of the rest somebody must say that it does not matter.
  void leave_out() {
    for (const auto& [option, names] : {std::pair("--drop", &args_.drop), std::pair("--keep", &args_.keep)})
      for (const std::string& name : *names) {
        if (std::find(old_.names.begin(), old_.names.end(), name) == old_.names.end())
          throw InputError(fmt::format("{}: {} has no \"{}\"{}", option, old_.from, one_line(name),
                                       hint(name, std::vector<std::string_view>(old_.names.begin(), old_.names.end()))));
        if (used_.contains(name))
          problems_.push_back(fmt::format("{}: {} is for what the study does not have, and it has it", name, option));
      }
    for (const std::string& name : old_.names) {
      if (used_.contains(name)) continue;
      const std::string lower = lower_case(name);  // a sheet's columns beside its parameters
      if (old_.storage.empty() && lower == kStandardError && !told_to_drop(name)) sd_column_ = name;
      if (old_.storage.empty() && (lower == kStandardError || lower == kTags) && !told_to_drop(name)) continue;
      std::set<std::string> values;
      for (const OldTrial& trial : old_.trials)
        if (const auto found = trial.params.find(name); found != trial.params.end()) values.insert(found->second);
      const bool keep = std::find(args_.keep.begin(), args_.keep.end(), name) != args_.keep.end();
      if (keep && told_to_drop(name))
        problems_.push_back(fmt::format("{}: expected --keep or --drop, got both", name));
      else if (told_to_drop(name))
        plan_.notes.push_back(fmt::format("{} is left out", name));
      else if (keep)
        plan_.notes.push_back(
            fmt::format("{} is kept as {}{}", name, kept_[name] = are_numbers(values) ? "measured." : "said.", name));
      else if (values.size() <= 1)
        plan_.notes.push_back(fmt::format("{} is left out: it was {} throughout", name,
                                          values.empty() || values.begin()->empty() ? "empty" : *values.begin()));
      else
        problems_.push_back(fmt::format(
            "{0} is not in the study, and had {1} values: if it does not matter, --keep {0} beside the values, or --drop {0}",
            name, values.size()));
    }
  }

  static bool are_numbers(const std::set<std::string>& cells) {
    return std::all_of(cells.begin(), cells.end(), [](const std::string& cell) { return cell.empty() || to_double(cell); });
  }

  void keep(const OldTrial& trial, Values& values) const {
    for (const auto& [name, kind] : kept_) {
      const auto found = trial.params.find(name);
      if (found == trial.params.end() || found->second.empty()) continue;
      if (kind == "measured.")
        values.others.emplace(name, *to_double(found->second));
      else if (!values.others.contains(name))
        values.said.emplace(name, beginning(found->second, kLongestSaid));
    }
  }

  [[nodiscard]] bool told_to_drop(const std::string& name) const {
    return std::find(args_.drop.begin(), args_.drop.end(), name) != args_.drop.end();
  }

  void read_known() {
    for (const Trial& trial : study_.trials())
      if (trial.outcome) known_[trial.params].push_back(*trial.outcome);
  }

  // Throws std::invalid_argument where it is none of this study's.
  [[nodiscard]] Params point_of(const OldTrial& trial) const {
    std::vector<std::optional<Value>> values;
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      const auto found = trial.params.find(sources_[i].name);
      const std::string text = sources_[i].value ? *sources_[i].value : found == trial.params.end() ? "" : found->second;
      const bool left_out = sources_[i].follows || (text.empty() && space().follows(static_cast<int>(i)));
      values.push_back(left_out ? std::nullopt : std::optional(space().parse(static_cast<int>(i), text)));
    }
    return space().check(space().completed(values));
  }

  void take(const OldTrial& trial) {
    Params point;
    try {
      point = point_of(trial);
    } catch (const std::invalid_argument& error) {
      plan_.left_out.push_back(fmt::format("{}: {}", trial.where, error.what()));
      return;
    }
    if (const auto sd = trial.params.find(sd_column_); sd != trial.params.end() && !sd->second.empty() && !to_double(sd->second))
      problems_.push_back(fmt::format("{}: {}: expected the standard error of the value, a number, got \"{}\"", trial.where,
                                      sd_column_, shown(sd->second)));
    Outcome outcome = renamed(trial.outcome);
    if (const auto* values = std::get_if<Values>(&outcome);
        values && std::all_of(values->outputs.begin(), values->outputs.end(), [](double value) { return std::isnan(value); })) {
      plan_.left_out.push_back(fmt::format("{}: it has no value of this study's outputs", trial.where));
      return;
    }
    if (auto* values = std::get_if<Values>(&outcome)) {
      keep(trial, *values);
      if (old_.storage.empty() && (used_.contains(kStandardError) || told_to_drop(kStandardError)))
        values->others.erase(kStandardError);  // a parameter's column, or of no interest
      if (const auto sd = standard_error(*values); sd && *sd < 0) {
        plan_.left_out.push_back(
            fmt::format("{}: {}: expected a standard error, which is not negative, got {}", trial.where, kStandardError, *sd));
        return;
      }
    }
    if (args_.prior) {
      if (const auto* values = std::get_if<Values>(&outcome); values && std::isnan(values->outputs[0])) {
        plan_.left_out.push_back(fmt::format("{}: it has no value of {}", trial.where, outputs()[0].name));
        return;
      }
      if (std::holds_alternative<Failure>(outcome)) {
        ++plan_.num_failed;
        return;
      }
      plan_.points.push_back(std::move(point));
      plan_.outcomes.push_back(std::move(outcome));
      return;
    }
    // Each trial that is known answers for one: a point may have been measured twice with one value.
    std::vector<Outcome>& known = known_[point];
    const auto same = std::find(known.begin(), known.end(), outcome);
    if (same != known.end()) {
      known.erase(same);
      ++plan_.num_known;
      return;
    }
    plan_.points.push_back(std::move(point));
    plan_.outcomes.push_back(std::move(outcome));
    plan_.tags.push_back(tags_of(trial));
    plan_.remarks.push_back(trial.note);
  }

  std::vector<std::string> tags_of(const OldTrial& trial) {
    if (old_.storage.empty() && (used_.contains(kTags) || told_to_drop(kTags))) return {};  // a parameter's column, as above
    std::vector<std::string> names = split_tags(trial.tags);
    for (const std::string& name : names)
      if (const std::string problem = tag_problem(name); !problem.empty())
        problems_.push_back(fmt::format("{}: tags: {}", trial.where, problem));
    return names;
  }

  static constexpr const char* kTags = "tags";
  struct From {
    std::string name{};                  // of the old study's parameter, or
    std::optional<std::string> value{};  // what all of its trials had, or
    bool follows = false;                // computed
  };
  Study& study_;
  const OldStudy& old_;
  const ImportArgs& args_;
  ImportPlan plan_;
  std::vector<int> places_;  // of this study's outputs among the old ones; −1: it is not there
  std::vector<std::string> problems_;
  std::vector<From> sources_;
  std::set<std::string> used_;
  std::string sd_column_;                    // of a file, as it is written there; empty: it has none
  std::map<std::string, std::string> kept_;  // what --keep names, and whether as "measured." or "said."
  std::map<Params, std::vector<Outcome>> known_;
};

}  // namespace

ImportPlan plan_import(Study& study, const OldStudy& old, const ImportArgs& args) { return Importer(study, old, args).plan(); }

}  // namespace salvo::app
