#include <fmt/format.h>
#include <salvo/space.h>

#include <algorithm>
#include <limits>
#include <map>
#include <stdexcept>

#include "space/domain.h"
#include "space/value.h"
#include "space/where.h"

namespace salvo {
namespace {

// Names that differ only in case or in '.', '-', '_' would be one environment variable.
std::string folded(std::string name) {
  for (char& c : name) {
    if (c == '.' || c == '-') c = '_';
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return name;
}

}  // namespace

Space::Space(std::vector<Parameter> parameters, std::vector<std::string> where)
    : parameters_(std::move(parameters)), where_(std::move(where)) {
  std::map<std::string, std::string> names;
  for (int i = 0; i < static_cast<int>(parameters_.size()); ++i) {
    const auto& [name, domain] = parameters_[i];
    parameters_[i].validate();
    const auto [other, is_new] = names.emplace(folded(name), name);
    if (!is_new && other->second == name) throw std::invalid_argument(fmt::format("parameter \"{}\" is there twice", name));
    if (!is_new)
      throw std::invalid_argument(fmt::format(
          "parameter \"{}\": too like \"{}\"; names must differ in more than case, '.', '-' and '_'", name, other->second));

    if (std::holds_alternative<Candidate>(domain) && parameters_.size() > 1)
      throw std::invalid_argument("a candidate of a pool is a space by itself: expected no other parameter");
  }
  if (!where_.empty()) conditions_ = std::make_shared<const Where>(parameters_, where_);
  for (int i = 0; i < static_cast<int>(parameters_.size()); ++i) {
    const Domain& domain = parameters_[static_cast<std::size_t>(i)].domain;
    if (std::holds_alternative<Fixed>(domain) || follows(i)) continue;
    ++num_free_;
    num_points_ *= num_values(domain);
  }
  if (num_free_ == 0)
    throw std::invalid_argument(parameters_.empty() ? "the search space is empty: expected at least one parameter"
                                : where_.empty()
                                    ? "every parameter is fixed: expected at least one that varies"
                                    : "every parameter is fixed or follows from the others: expected at least one that varies");
}

bool Space::follows(int parameter) const { return conditions_ && conditions_->follows(parameter); }

int Space::num_continuous() const {
  const auto is_float = [](const Parameter& parameter) { return std::holds_alternative<Float>(parameter.domain); };
  return static_cast<int>(std::count_if(parameters_.begin(), parameters_.end(), is_float));
}

int Space::find(std::string_view name) const {
  for (std::size_t i = 0; i < parameters_.size(); ++i)
    if (parameters_[i].name == name) return static_cast<int>(i);
  return -1;
}

Value Space::check(int parameter, const Value& value) const {
  const Parameter& p = parameters_.at(parameter);
  if (const auto* d = std::get_if<Float>(&p.domain)) {
    const auto x = number(value);
    if (!x || !(*x >= d->low && *x <= d->high)) refuse_value(p, quoted(value));
    return *x;
  }
  if (const auto* d = std::get_if<Int>(&p.domain)) {
    const auto* whole = std::get_if<std::int64_t>(&value);
    const auto* real = std::get_if<double>(&value);
    const auto x = whole ? *whole : real ? to_int64(*real) : std::nullopt;
    if (!x || *x < d->low || *x > d->high) refuse_value(p, quoted(value));
    return *x;
  }
  if (std::holds_alternative<Candidate>(p.domain)) {  // whether it is in the pool is the study's to say
    const std::string id = to_string(value);
    if (id.empty() || id.find('\0') != std::string::npos) refuse_value(p, quoted(value));
    return id;
  }
  if (const auto* d = std::get_if<Fixed>(&p.domain)) {
    if (!same_value(d->value, value)) refuse_value(p, quoted(value));
    return d->value;
  }
  return (*choices_of(p.domain))[choice_index(p, value)];
}

Value Space::check_offered(int parameter, const Value& value) const {
  const Parameter& p = parameters_.at(parameter);
  Value typed = check(parameter, value);
  if (const auto nearest = nearest_offered(p.domain, typed); !same_value(nearest, typed))
    throw std::invalid_argument(fmt::format("parameter \"{}\": expected {}, got {}; {} is the nearest", p.name, offered(p.domain),
                                            quoted(value), quoted(nearest)));
  return typed;
}

namespace {

template <class Check>
Params each_of(const std::vector<Parameter>& parameters, const Params& params, Check check) {
  if (params.size() != parameters.size())
    throw std::invalid_argument(fmt::format("expected {} parameter values, got {}", parameters.size(), params.size()));
  Params typed;
  typed.reserve(params.size());
  for (std::size_t i = 0; i < params.size(); ++i) typed.push_back(check(static_cast<int>(i), params[i]));
  return typed;
}

}  // namespace

Params Space::check(const Params& params) const {
  Params out = each_of(parameters_, params, [&](int i, const Value& value) { return check(i, value); });
  if (conditions_) conditions_->check(out, false);
  return out;
}

Params Space::check_offered(const Params& params) const {
  Params out = each_of(parameters_, params, [&](int i, const Value& value) { return check_offered(i, value); });
  if (conditions_) conditions_->check(out, true);
  return out;
}

Value Space::parse(int parameter, std::string_view text) const {
  const Parameter& p = parameters_.at(parameter);
  const auto as_text = Value(std::string(text));
  if (std::holds_alternative<Candidate>(p.domain)) return check(parameter, as_text);
  const auto* choices = choices_of(p.domain);
  const auto* fixed = std::get_if<Fixed>(&p.domain);
  if (choices || fixed) {
    for (const Value& choice : choices ? *choices : std::vector{fixed->value})
      if (to_string(choice) == text) return choice;
  } else if (const auto whole = to_int64(text)) {
    return check(parameter, *whole);
  }
  if (const auto real = to_double(text)) return check(parameter, *real);
  refuse_value(p, quoted(as_text));
}

Space candidate_space(std::int64_t count) { return Space({{"candidate", Candidate{count}}}); }

}  // namespace salvo
