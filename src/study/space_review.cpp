#include <fmt/format.h>
#include <salvo/space_review.h>

#include <algorithm>

#include "space/domain.h"
#include "space/json.h"
#include "space/value.h"
#include "store/filled_in.h"
#include "study/study_impl.h"
#include "text/text.h"

namespace salvo {
namespace {

struct DomainWords {
  [[nodiscard]] static std::string range(const std::string& low, const std::string& high, Scale scale) {
    return fmt::format("{} … {}{}", low, high, scale == Scale::log ? " (log scale)" : "");
  }
  [[nodiscard]] static std::string list(const std::vector<Value>& choices) {
    std::string text;
    for (const Value& choice : choices) text += (text.empty() ? "" : ", ") + quoted(choice);
    return text;
  }
  std::string operator()(const Float& d) const {
    return range(to_string(Value(d.low)), to_string(Value(d.high)), d.scale) + grid_in_words(d);
  }
  std::string operator()(const Int& d) const {
    return "whole numbers " + range(to_string(Value(d.low)), to_string(Value(d.high)), d.scale) + grid_in_words(d);
  }
  std::string operator()(const Categorical& d) const { return "one of " + list(d.choices); }
  std::string operator()(const Ordinal& d) const { return "one of, in this order, " + list(d.choices); }
  std::string operator()(const Fixed& d) const { return "fixed at " + quoted(d.value); }
  std::string operator()(const Candidate&) const { return "the candidates of a pool"; }
};

std::string words_of(const Domain& domain) { return std::visit(DomainWords{}, domain); }

std::vector<Value> without(const std::vector<Value>& all, const std::vector<Value>& others) {
  std::vector<Value> out;
  for (const Value& value : all)
    if (std::none_of(others.begin(), others.end(), [&](const Value& other) { return same_value(value, other); }))
      out.push_back(value);
  return out;
}

// "catalyst: "Pt" is gone, "Ni" is new" where only choices come and go.
std::string difference(const Parameter& before, const Parameter& after) {
  const auto *old_choices = choices_of(before.domain), *choices = choices_of(after.domain);
  if (old_choices && choices && before.domain.index() == after.domain.index()) {
    const std::vector<Value> gone = without(*old_choices, *choices), fresh = without(*choices, *old_choices);
    std::string text;
    if (!gone.empty()) text += fmt::format("{} {} gone", DomainWords::list(gone), gone.size() == 1 ? "is" : "are");
    if (!fresh.empty())
      text += fmt::format("{}{} {} new", text.empty() ? "" : ", ", DomainWords::list(fresh), fresh.size() == 1 ? "is" : "are");
    const auto *old_category = std::get_if<Categorical>(&before.domain), *category = std::get_if<Categorical>(&after.domain);
    if (old_category && category && old_category->numbers != category->numbers)
      text += std::string(text.empty() ? "" : ", ") + "the numbers that describe its choices change";
    return text.empty() ? "its choices are in another order" : text;
  }
  return fmt::format("{} becomes {}", words_of(before.domain), words_of(after.domain));
}

bool same_domain(const Parameter& a, const Parameter& b) { return parameter_to_json(a) == parameter_to_json(b); }

std::string counted(std::int64_t n, const char* one) { return fmt::format("{} {}{}", n, one, n == 1 ? "" : "s"); }

}  // namespace

std::string as_toml(const Domain& domain, const std::string& more) {
  const auto text = [](const Value& value) {
    return std::holds_alternative<std::string>(value) ? fmt::format("\"{}\"", shown(std::get<std::string>(value)))
                                                      : to_string(value);
  };
  const auto range = [&](const auto& d, const char* type) {
    return fmt::format("low = {}, high = {}{}{}", text(d.low), text(d.high), d.scale == Scale::log ? ", scale = \"log\"" : "",
                       type);
  };
  std::string inside;
  if (const auto* d = std::get_if<Float>(&domain)) {
    inside = range(*d, "");
    if (d->step != 0) inside += ", step = " + text(d->step);
    if (d->digits != 0) inside += fmt::format(", digits = {}", d->digits);
  }
  if (const auto* d = std::get_if<Int>(&domain)) {
    inside = range(*d, ", type = \"int\"");
    if (d->step != 1) inside += fmt::format(", step = {}", d->step);
  }
  if (const auto* d = std::get_if<Categorical>(&domain); d && d->described()) {
    for (std::size_t i = 0; i < d->choices.size(); ++i)
      inside +=
          fmt::format("{}\"{}\" = [{}]", i == 0 ? "" : ", ", shown(to_string(d->choices[i])), fmt::join(d->numbers[i], ", "));
    inside = fmt::format("choices = {{ {} }}", inside);
  } else if (const auto* choices = choices_of(domain)) {
    for (const Value& choice : *choices) inside += (inside.empty() ? "" : ", ") + text(choice);
    inside = fmt::format("choices = [{}]{}", inside, std::holds_alternative<Ordinal>(domain) ? ", ordered = true" : "");
  }
  if (const auto* d = std::get_if<Fixed>(&domain)) inside = "value = " + text(d->value);
  return fmt::format("{{ {}{}{} }}", inside, inside.empty() || more.empty() ? "" : ", ", more);
}

std::vector<std::string> in_words(const SpaceReview& review) {
  std::vector<std::string> out = review.changes;
  if (!review.possible()) return out;
  if (review.num_outside > 0)
    out.push_back(fmt::format(
        "{} of {} outside the new space: kept as history, without a say in the model, and never "
        "recommended",
        review.num_outside,
        review.num_outside == 1 ? counted(review.num_trials, "trial") + " lies" : counted(review.num_trials, "trial") + " lie"));
  if (!review.abandoned.empty())
    out.push_back(review.abandoned.size() == 1
                      ? fmt::format("pending trial {} lies outside and is abandoned", review.abandoned[0])
                      : fmt::format("pending trials {} lie outside and are abandoned", fmt::join(review.abandoned, ", ")));
  if (review.num_unqueued > 0)
    out.push_back(fmt::format("{} of the queue {} outside and {} it", counted(review.num_unqueued, "point"),
                              review.num_unqueued == 1 ? "lies" : "lie", review.num_unqueued == 1 ? "leaves" : "leave"));
  out.push_back("the model learns anew");
  return out;
}

namespace {

class Reviewer {
 public:
  Reviewer(Store& store, const Space& after, const ByName& before) : store_(store), after_(after), before_(before) {}

  SpaceReview review() {
    const FilledByName wrong = filled_otherwise(store_, after_, before_);
    if (wrong.empty() && space_to_json(old()) == space_to_json(after_)) return {};  // of a million trials none is read for that
    trials_ = store_.trials();
    for (const Trial& trial : trials_) values_.push_back(named(old(), trial.params));
    out_.num_trials = std::ssize(trials_);
    for (const auto& [name, filled] : wrong) put_right(name, filled);
    for (const Parameter& parameter : old().parameters())
      if (after_.find(parameter.name) < 0) gone(parameter);
    for (const Parameter& parameter : after_.parameters()) {
      const int i = old().find(parameter.name);
      i < 0 ? fresh(parameter) : changed(old().parameters()[static_cast<std::size_t>(i)], parameter);
    }
    if (old().where() != after_.where()) conditions();
    if (out_.changes.empty() && reordered()) out_.changes.push_back("the parameters are in another order");
    if (out_.possible() && !out_.changes.empty()) count_outside();
    return std::move(out_);
  }

 private:
  [[nodiscard]] const Space& old() const { return store_.definition().space; }

  // What earlier trials were said to have had of a parameter that was new then.
  void put_right(const std::string& name, const FilledIn& filled) {
    const Value& value = before_.at(name);
    for (std::size_t i = 0; i < trials_.size(); ++i)
      if (filled.has(trials_[i].id)) values_[i][name] = value;
    const bool one = filled.size() == 1;
    out_.changes.push_back(fmt::format("{}: {} {} {}; {} {}", name, counted(filled.size(), "earlier trial"), one ? "has" : "have",
                                       quoted(filled.value), one ? "it becomes" : "they become", quoted(value)));
  }

  void gone(const Parameter& parameter) {
    const auto* fixed = std::get_if<Fixed>(&parameter.domain);
    if (!fixed) out_.still_varying.push_back(parameter);
    out_.changes.push_back(fixed ? fmt::format("{} is gone; it was fixed at {}", parameter.name, quoted(fixed->value))
                                 : fmt::format("{} is gone, and it varied ({}): expected the value that it has from now on",
                                               parameter.name, words_of(parameter.domain)));
  }

  void fresh(const Parameter& parameter) {
    const auto value = before_.find(parameter.name);
    const std::string is_new = fmt::format("{} is new: {}", parameter.name, words_of(parameter.domain));
    if (trials_.empty() && store_.queue().empty()) {
      out_.changes.push_back(is_new);
    } else if (value != before_.end()) {
      out_.changes.push_back(
          fmt::format("{}; {} had {}", is_new, counted(out_.num_trials, "earlier trial"), quoted(value->second)));
    } else {
      out_.without_before.push_back(parameter);
      out_.changes.push_back(
          fmt::format("{}; expected the value that {} had", is_new, counted(out_.num_trials, "earlier trial")));
    }
  }

  void changed(const Parameter& before, const Parameter& after) {
    if (same_domain(before, after)) return;
    std::string text = fmt::format("{}: {}", after.name, difference(before, after));
    const int i = after_.find(after.name);
    std::int64_t outside = 0;
    for (const ByName& values : values_) {
      try {
        (void)after_.check(i, values.at(after.name));
      } catch (const std::invalid_argument&) {
        ++outside;
      }
    }
    const std::int64_t inside = out_.num_trials - outside;
    if (out_.num_trials > 0 && outside == 0)
      text += fmt::format("; {} keep{} {}", counted(inside, "trial"), inside == 1 ? "s" : "",
                          inside == 1 ? "its point" : "their points");
    if (outside > 0)
      text += fmt::format("; {} of {} {} outside", outside, counted(out_.num_trials, "trial"), outside == 1 ? "lies" : "lie");
    out_.changes.push_back(text);
  }

  void conditions() {
    const auto added = [](const std::vector<std::string>& from, const std::vector<std::string>& to) {
      std::vector<std::string> out;
      for (const std::string& each : to)
        if (std::find(from.begin(), from.end(), each) == from.end()) out.push_back(each);
      return out;
    };
    for (const std::string& gone : added(after_.where(), old().where()))
      out_.changes.push_back(fmt::format("the condition \"{}\" is gone", gone));
    for (const std::string& fresh : added(old().where(), after_.where()))
      out_.changes.push_back(fmt::format("a new condition: \"{}\"", fresh));
  }

  [[nodiscard]] bool reordered() const {
    for (std::size_t i = 0; i < after_.parameters().size(); ++i)
      if (after_.parameters()[i].name != old().parameters()[i].name) return true;
    return false;
  }

  void count_outside() {
    const Definition now = with_space(store_.definition(), after_);
    const auto is_outside = [&](ByName values) {
      values.insert(before_.begin(), before_.end());
      return kept_in(now, values).outside;
    };
    for (std::size_t i = 0; i < trials_.size(); ++i) {
      if (!is_outside(values_[i]) && !by_the_past(i)) continue;
      trials_[i].outcome ? static_cast<void>(++out_.num_outside) : out_.abandoned.push_back(trials_[i].id);
    }
    for (const Queued& each : store_.queue()) out_.num_unqueued += is_outside(named(old(), each.params)) ? 1 : 0;
  }

  // Outside by the value of a parameter that is gone, and stays so unless that comes back.
  [[nodiscard]] bool by_the_past(std::size_t i) const {
    const Definition& now = store_.definition();
    const bool comes_back =
        std::any_of(now.removed.begin(), now.removed.end(), [&](const auto& each) { return after_.find(each.first) >= 0; });
    return trials_[i].outside && !comes_back && !kept_in(now, named(old(), trials_[i].params)).outside;
  }

  Store& store_;
  const Space& after_;
  const ByName& before_;
  SpaceReview out_;
  std::vector<Trial> trials_;
  std::vector<ByName> values_;  // of these, by name
};

}  // namespace

SpaceReview Study::review_space(const Space& space, const std::map<std::string, Value>& before) {
  return Reviewer(*impl_->store, space, before).review();
}

SpaceReview Study::set_space(const Space& space, const std::map<std::string, Value>& before) {
  if (options().pool())
    throw std::invalid_argument(
        "set_space: expected a study of parameters, got one over a pool, whose candidates are what they are");
  SpaceReview review = review_space(space, before);
  if (review.changes.empty()) return review;
  if (!review.possible()) {
    const std::string message = fmt::format("set_space: {}", fmt::join(review.changes, "; "));
    throw SpaceDiffers(message, std::move(review));
  }
  impl_->move_prior(space, before);
  const Store::Moved moved = impl_->store->set_space({space, before, review.changes});
  review.abandoned = moved.abandoned;
  review.num_unqueued = moved.unqueued;
  std::get<SpaceSearch>(impl_->options.search).space = space;
  impl_->start_over();
  return review;
}

void Study::follow(const Space& space, const SpaceUpdate& update) {
  SpaceReview review = review_space(space, update.before);
  if (review.changes.empty()) return;
  if (!update.accept || !review.possible()) {
    const char* next = review.possible()
                           ? "Open the study with these changes accepted, or with the space that it has"
                           : "Say what is missing: a value before for each that is new; make one that is gone a fixed "
                             "one first";
    const std::string message = fmt::format("{}: the space is not the one that the study has:\n  {}\n{}", path(),
                                            fmt::join(in_words(review), "\n  "), next);
    throw SpaceDiffers(message, std::move(review));
  }
  (void)set_space(space, update.before);
}

std::vector<SpaceChange> Study::space_changes() { return impl_->store->space_changes(); }

}  // namespace salvo
