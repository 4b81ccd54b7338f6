#include <fmt/format.h>
#include <salvo/space.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>

#include "space/scale.h"
#include "space/value.h"

namespace salvo {
namespace {

[[noreturn]] void refuse(const Parameter& parameter, const std::string& got) {
  throw std::invalid_argument(
      fmt::format("parameter \"{}\": expected {}, got {}", parameter.name, expectation(parameter.domain), got));
}

// Names that differ only in case or in '.', '-', '_' would be one environment variable.
std::string folded(std::string name) {
  for (char& c : name) {
    if (c == '.' || c == '-') c = '_';
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return name;
}

const std::vector<Value>* choices_of(const Domain& domain) {
  if (const auto* d = std::get_if<Categorical>(&domain)) return &d->choices;
  if (const auto* d = std::get_if<Ordinal>(&domain)) return &d->choices;
  return nullptr;
}

std::int64_t num_levels(const Domain& domain) {
  if (const auto* d = std::get_if<Int>(&domain)) return d->high - d->low + 1;
  const auto* choices = choices_of(domain);
  return choices ? static_cast<std::int64_t>(choices->size()) : 0;
}

std::int64_t choice_index(const Parameter& parameter, const Value& value) {
  const auto& choices = *choices_of(parameter.domain);
  for (std::size_t i = 0; i < choices.size(); ++i)
    if (same_value(choices[i], value)) return static_cast<std::int64_t>(i);
  refuse(parameter, quoted(value));
}

// Level k of n on one coordinate, and back.
double place(std::int64_t k, std::int64_t n) { return static_cast<double>(k) / static_cast<double>(n - 1); }
std::int64_t nearest_level(double u, std::int64_t n) {
  if (!(u > 0)) return 0;
  return static_cast<std::int64_t>(std::nearbyint(std::min(u, 1.0) * static_cast<double>(n - 1)));
}

}  // namespace

Space::Space(std::vector<Parameter> parameters) : parameters_(std::move(parameters)) {
  std::map<std::string, std::string> names;
  for (int i = 0; i < static_cast<int>(parameters_.size()); ++i) {
    const auto& [name, domain] = parameters_[i];
    parameters_[i].validate();
    const auto [other, is_new] = names.emplace(folded(name), name);
    if (!is_new && other->second == name) throw std::invalid_argument(fmt::format("parameter \"{}\" is there twice", name));
    if (!is_new)
      throw std::invalid_argument(fmt::format(
          "parameter \"{}\": too like \"{}\"; names must differ in more than case, '.', '-' and '_'", name, other->second));

    offsets_.push_back(num_dims_);
    if (std::holds_alternative<Fixed>(domain)) continue;
    ++num_free_;
    if (std::holds_alternative<Float>(domain)) {
      continuous_.push_back(num_dims_++);
      num_points_ = std::numeric_limits<double>::infinity();
      continue;
    }
    if (const auto* candidate = std::get_if<Candidate>(&domain)) {
      if (parameters_.size() > 1)
        throw std::invalid_argument("a candidate of a pool is a space by itself: expected no other parameter");
      ++num_dims_;
      num_points_ = static_cast<double>(candidate->count);
      continue;
    }
    const std::int64_t levels = num_levels(domain);
    const int width = std::holds_alternative<Categorical>(domain) ? static_cast<int>(levels) : 1;
    discretes_.push_back({.parameter = i, .offset = num_dims_, .width = width, .num_levels = levels});
    num_dims_ += width;
    num_points_ *= static_cast<double>(levels);
  }
  if (num_free_ == 0)
    throw std::invalid_argument(parameters_.empty() ? "the search space is empty: expected at least one parameter"
                                                    : "every parameter is fixed: expected at least one that varies");
}

bool Space::is_pool() const { return !parameters_.empty() && std::holds_alternative<Candidate>(parameters_[0].domain); }

int Space::find(std::string_view name) const {
  for (std::size_t i = 0; i < parameters_.size(); ++i)
    if (parameters_[i].name == name) return static_cast<int>(i);
  return -1;
}

Value Space::check(int parameter, const Value& value) const {
  const Parameter& p = parameters_.at(parameter);
  if (const auto* d = std::get_if<Float>(&p.domain)) {
    const auto x = number(value);
    if (!x || !(*x >= d->low && *x <= d->high)) refuse(p, quoted(value));
    return *x;
  }
  if (const auto* d = std::get_if<Int>(&p.domain)) {
    const auto* whole = std::get_if<std::int64_t>(&value);
    const auto* real = std::get_if<double>(&value);
    const auto x = whole ? *whole : real ? to_int64(*real) : std::nullopt;
    if (!x || *x < d->low || *x > d->high) refuse(p, quoted(value));
    return *x;
  }
  if (std::holds_alternative<Candidate>(p.domain)) {  // whether it is in the pool is the study's to say
    const std::string id = to_string(value);
    if (id.empty() || id.find('\0') != std::string::npos) refuse(p, quoted(value));
    return id;
  }
  if (const auto* d = std::get_if<Fixed>(&p.domain)) {
    if (!same_value(d->value, value)) refuse(p, quoted(value));
    return d->value;
  }
  return (*choices_of(p.domain))[choice_index(p, value)];
}

Params Space::check(const Params& params) const {
  if (params.size() != parameters_.size())
    throw std::invalid_argument(fmt::format("expected {} parameter values, got {}", parameters_.size(), params.size()));
  Params typed;
  typed.reserve(params.size());
  for (std::size_t i = 0; i < params.size(); ++i) typed.push_back(check(static_cast<int>(i), params[i]));
  return typed;
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
  refuse(p, quoted(as_text));
}

void Space::encode(const Params& params, std::span<double> x) const {
  if (params.size() != parameters_.size() || x.size() != static_cast<std::size_t>(num_dims_))
    throw std::invalid_argument(fmt::format("Space::encode: expected {} values and {} coordinates, got {} and {}",
                                            parameters_.size(), num_dims_, params.size(), x.size()));
  if (is_pool()) throw std::invalid_argument("Space::encode: expected a space of parameters, got the candidates of a pool");
  for (std::size_t i = 0; i < params.size(); ++i) {
    const Parameter& p = parameters_[i];
    double* const at = x.data() + offsets_[i];
    if (const auto* d = std::get_if<Float>(&p.domain)) {
      const auto value = number(params[i]);
      if (!value) refuse(p, quoted(params[i]));
      *at = encode_number(*d, *value);
    } else if (const auto* i_domain = std::get_if<Int>(&p.domain)) {
      const auto* value = std::get_if<std::int64_t>(&params[i]);
      if (!value) refuse(p, quoted(params[i]));
      *at = encode_number(*i_domain, *value);
    } else if (const auto* o = std::get_if<Ordinal>(&p.domain)) {
      *at = place(choice_index(p, params[i]), static_cast<std::int64_t>(o->choices.size()));
    } else if (const auto* c = std::get_if<Categorical>(&p.domain)) {
      std::fill(at, at + c->choices.size(), 0.0);
      at[choice_index(p, params[i])] = 1;
    }
  }
}

Vector Space::encode(const Params& params) const {
  Vector x(num_dims_);
  encode(params, std::span(x.data(), static_cast<std::size_t>(num_dims_)));
  return x;
}

Params Space::decode(std::span<const double> x) const {
  if (x.size() != static_cast<std::size_t>(num_dims_))
    throw std::invalid_argument(fmt::format("Space::decode: expected {} coordinates, got {}", num_dims_, x.size()));
  if (is_pool()) throw std::invalid_argument("Space::decode: expected a space of parameters, got the candidates of a pool");
  Params params;
  params.reserve(parameters_.size());
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const Domain& domain = parameters_[i].domain;
    const double* const at = x.data() + offsets_[i];
    if (const auto* d = std::get_if<Float>(&domain)) {
      params.emplace_back(decode_number(*d, *at));
    } else if (const auto* n = std::get_if<Int>(&domain)) {
      params.emplace_back(decode_number(*n, *at));
    } else if (const auto* o = std::get_if<Ordinal>(&domain)) {
      params.push_back(o->choices[nearest_level(*at, num_levels(domain))]);
    } else if (const auto* c = std::get_if<Categorical>(&domain)) {
      params.push_back(c->choices[std::max_element(at, at + c->choices.size()) - at]);
    } else {
      params.push_back(std::get<Fixed>(domain).value);
    }
  }
  return params;
}

void Space::snap(std::span<double> x) const {
  if (x.size() != static_cast<std::size_t>(num_dims_))
    throw std::invalid_argument(fmt::format("Space::snap: expected {} coordinates, got {}", num_dims_, x.size()));
  for (std::size_t i = 0; i < parameters_.size(); ++i)
    if (const auto* d = std::get_if<Float>(&parameters_[i].domain)) {
      double& u = x[offsets_[i]];
      u = encode_number(*d, decode_number(*d, u));
    }
  for (const Discrete& discrete : discretes_) set_level(discrete, level(discrete, x), x);
}

std::int64_t Space::level(const Discrete& discrete, std::span<const double> x) const {
  const double* const at = x.data() + discrete.offset;
  if (discrete.width > 1) return std::max_element(at, at + discrete.width) - at;
  if (const auto* d = std::get_if<Int>(&parameters_[discrete.parameter].domain)) return decode_number(*d, *at) - d->low;
  return nearest_level(*at, discrete.num_levels);
}

void Space::set_level(const Discrete& discrete, std::int64_t level, std::span<double> x) const {
  assert(level >= 0 && level < discrete.num_levels);
  double* const at = x.data() + discrete.offset;
  if (discrete.width > 1) {
    std::fill(at, at + discrete.width, 0.0);
    at[level] = 1;
  } else if (const auto* d = std::get_if<Int>(&parameters_[discrete.parameter].domain)) {
    *at = encode_number(*d, d->low + level);
  } else {
    *at = place(level, discrete.num_levels);
  }
}

void Space::from_unit(std::span<const double> u, std::span<double> x) const {
  if (u.size() != static_cast<std::size_t>(num_free_) || x.size() != static_cast<std::size_t>(num_dims_))
    throw std::invalid_argument(fmt::format("Space::from_unit: expected {} numbers and {} coordinates, got {} and {}", num_free_,
                                            num_dims_, u.size(), x.size()));
  if (is_pool()) throw std::invalid_argument("Space::from_unit: expected a space of parameters, got the candidates of a pool");
  std::size_t next = 0;
  auto discrete = discretes_.begin();
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const Domain& domain = parameters_[i].domain;
    if (std::holds_alternative<Fixed>(domain)) continue;
    const double unit = std::clamp(u[next++], 0.0, 1.0);
    if (const auto* d = std::get_if<Float>(&domain)) {
      x[offsets_[i]] = encode_number(*d, decode_number(*d, unit));
      continue;
    }
    if (const auto* n = std::get_if<Int>(&domain)) {
      x[offsets_[i]] = encode_number(*n, pick_number(*n, unit));
    } else {
      const auto levels = discrete->num_levels;
      set_level(*discrete, std::min(levels - 1, static_cast<std::int64_t>(unit * static_cast<double>(levels))), x);
    }
    ++discrete;
  }
}

Space candidate_space(std::int64_t count) { return Space({{"candidate", Candidate{count}}}); }

}  // namespace salvo
