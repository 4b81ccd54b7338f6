#include <fmt/format.h>
#include <salvo/encoding.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <stdexcept>

#include "space/allowed.h"
#include "space/described.h"
#include "space/domain.h"
#include "space/grid.h"
#include "space/scale.h"
#include "space/value.h"
#include "space/where.h"

namespace salvo {
namespace {

// Level k of n on one coordinate, and back.
double place(std::int64_t k, std::int64_t n) { return static_cast<double>(k) / static_cast<double>(n - 1); }
std::int64_t nearest_level(double u, std::int64_t n) {
  if (!(u > 0)) return 0;
  return static_cast<std::int64_t>(std::nearbyint(std::min(u, 1.0) * static_cast<double>(n - 1)));
}

}  // namespace

Encoding::Encoding(Space space) : space_(std::move(space)), where_(space_.shared_conditions()) {
  for (int i = 0; i < static_cast<int>(space_.parameters().size()); ++i) {
    const Domain& domain = space_.parameters()[i].domain;
    if (std::holds_alternative<Candidate>(domain))
      throw std::invalid_argument("Encoding: expected a space of parameters, got the candidates of a pool");
    offsets_.push_back(num_dims_);
    if (!varies(i)) continue;
    const std::int64_t levels = num_levels(domain);
    if (std::holds_alternative<Float>(domain) && (levels == 0 || levels > kManyLevels)) {
      if (levels > 0) grids_.push_back({.parameter = i, .offset = num_dims_, .num_levels = levels});
      continuous_.push_back(num_dims_++);
      continue;
    }
    Discrete discrete{.parameter = i, .offset = num_dims_, .num_levels = levels};
    if (const auto* category = std::get_if<Categorical>(&domain)) {
      discrete.kind = category->described() ? Discrete::Kind::described : Discrete::Kind::one_hot;
      if (category->described()) described_.emplace(i, std::make_shared<const Described>(*category));
      discrete.width = category->described() ? described_.at(i)->width() : static_cast<int>(levels);
    }
    discretes_.push_back(discrete);
    num_dims_ += discrete.width;
  }
  count();
  allow();
}

bool Encoding::varies(int parameter) const {
  return !std::holds_alternative<Fixed>(space_.parameters()[static_cast<std::size_t>(parameter)].domain) &&
         !(where_ && where_->follows(parameter));
}

void Encoding::count() {
  num_free_ = 0;
  num_points_ = 1;
  for (int i = 0; i < static_cast<int>(space_.parameters().size()); ++i) {
    if (!varies(i)) continue;
    ++num_free_;
    num_points_ *= num_values(space_.parameters()[static_cast<std::size_t>(i)].domain);
  }
}

// Of this encoding as it is, without conditions.
void Encoding::allow() {
  allowed_.reset();
  if (!where_) return;
  auto allowed = std::make_shared<const Allowed>(*this, where_);
  if (allowed->any()) allowed_ = std::move(allowed);
}

double Encoding::num_points() const { return allowed_ ? allowed_->num_points() : num_points_; }

bool Encoding::allows(std::span<const double> x) const { return !allowed_ || allowed_->holds(x); }

Encoding Encoding::pinned(const std::map<int, Value>& values) const {
  std::vector<Parameter> parameters = space_.parameters();
  Params at = decode(std::vector<double>(static_cast<std::size_t>(num_dims_)));
  for (const auto& [i, value] : values) {
    if (where_ && where_->follows(i))
      throw std::invalid_argument(fmt::format("parameter \"{}\" follows from the others; fix those instead",
                                              parameters[static_cast<std::size_t>(i)].name));
    at[static_cast<std::size_t>(i)] = space_.check(i, value);
    parameters[static_cast<std::size_t>(i)].domain = Fixed{at[static_cast<std::size_t>(i)]};
  }
  const Vector x = encode(at);
  Encoding out = *this;
  out.space_ = Space(std::move(parameters));
  for (const auto& [i, value] : values) {
    const int begin = offsets_[static_cast<std::size_t>(i)],
              end = i + 1 < std::ssize(offsets_) ? offsets_[static_cast<std::size_t>(i) + 1] : num_dims_;
    for (int e = begin; e < end; ++e) out.pins_.emplace_back(e, x(e));
    std::erase_if(out.continuous_, [&](int e) { return e >= begin && e < end; });
    for (std::vector<Discrete>* list : {&out.discretes_, &out.grids_})
      std::erase_if(*list, [parameter = i](const Discrete& discrete) { return discrete.parameter == parameter; });
  }
  out.count();
  out.allow();
  return out;
}

bool Encoding::is_finite() const { return continuous_.size() == grids_.size(); }

const Described* Encoding::described(int parameter) const {
  const auto found = described_.find(parameter);
  return found == described_.end() ? nullptr : found->second.get();
}

void Encoding::pin(std::span<double> x) const {
  for (const auto& [e, value] : pins_) x[static_cast<std::size_t>(e)] = value;
}

std::vector<std::string> Encoding::coordinate_names() const {
  std::vector<std::string> names;
  for (int i = 0; i < static_cast<int>(space_.parameters().size()); ++i) {
    const Parameter& parameter = space_.parameters()[static_cast<std::size_t>(i)];
    if (const auto described = described_.find(i); described != described_.end()) {
      for (int e = 1; e <= described->second->width(); ++e) names.push_back(fmt::format("{}[{}]", parameter.name, e));
    } else if (const auto* category = std::get_if<Categorical>(&parameter.domain)) {
      for (const Value& choice : category->choices) names.push_back(parameter.name + "=" + to_string(choice));
    } else if (varies(i)) {
      names.push_back(parameter.name);
    }
  }
  return names;
}

void Encoding::encode(const Params& params, std::span<double> x) const {
  if (params.size() != space_.parameters().size() || x.size() != static_cast<std::size_t>(num_dims_))
    throw std::invalid_argument(fmt::format("Encoding::encode: expected {} values and {} coordinates, got {} and {}",
                                            space_.parameters().size(), num_dims_, params.size(), x.size()));
  for (std::size_t i = 0; i < params.size(); ++i) {
    const Parameter& p = space_.parameters()[i];
    if (!varies(static_cast<int>(i))) continue;
    double* const at = x.data() + offsets_[i];
    if (const auto* d = std::get_if<Float>(&p.domain)) {
      const auto value = number(params[i]);
      if (!value) refuse_value(p, quoted(params[i]));
      *at = encode_number(*d, *value);
    } else if (const auto* i_domain = std::get_if<Int>(&p.domain)) {
      const auto* value = std::get_if<std::int64_t>(&params[i]);
      if (!value) refuse_value(p, quoted(params[i]));
      *at = encode_number(*i_domain, *value);
    } else if (const auto* o = std::get_if<Ordinal>(&p.domain)) {
      *at = place(choice_index(p, params[i]), static_cast<std::int64_t>(o->choices.size()));
    } else if (const auto described = described_.find(static_cast<int>(i)); described != described_.end()) {
      std::ranges::copy(described->second->at(choice_index(p, params[i])), at);
    } else if (const auto* c = std::get_if<Categorical>(&p.domain)) {
      std::fill(at, at + c->choices.size(), 0.0);
      at[choice_index(p, params[i])] = 1;
    }
  }
  pin(x);
}

Vector Encoding::encode(const Params& params) const {
  Vector x(num_dims_);
  encode(params, std::span(x.data(), static_cast<std::size_t>(num_dims_)));
  return x;
}

Params Encoding::decode(std::span<const double> x) const {
  if (x.size() != static_cast<std::size_t>(num_dims_))
    throw std::invalid_argument(fmt::format("Encoding::decode: expected {} coordinates, got {}", num_dims_, x.size()));
  Params params;
  params.reserve(space_.parameters().size());
  for (std::size_t i = 0; i < space_.parameters().size(); ++i) {
    const Domain& domain = space_.parameters()[i].domain;
    const double* const at = x.data() + offsets_[i];
    if (where_ && where_->follows(static_cast<int>(i))) {
      params.emplace_back(0.0);  // below
    } else if (const auto* d = std::get_if<Float>(&domain)) {
      params.emplace_back(decode_number(*d, *at));
    } else if (const auto* n = std::get_if<Int>(&domain)) {
      params.emplace_back(decode_number(*n, *at));
    } else if (const auto* o = std::get_if<Ordinal>(&domain)) {
      params.push_back(o->choices[nearest_level(*at, num_levels(domain))]);
    } else if (const auto* c = std::get_if<Categorical>(&domain)) {
      params.push_back(c->choices[static_cast<std::size_t>(choice(static_cast<int>(i), x))]);
    } else {
      params.push_back(std::get<Fixed>(domain).value);
    }
  }
  if (where_) where_->fill_in(params);
  return params;
}

void Encoding::snap(std::span<double> x) const {
  if (x.size() != static_cast<std::size_t>(num_dims_))
    throw std::invalid_argument(fmt::format("Encoding::snap: expected {} coordinates, got {}", num_dims_, x.size()));
  if (!allowed_) return round(x);
  const std::vector<double> wanted(x.begin(), x.end());
  round(x);
  if (allowed_->holds(x)) return;
  std::copy(wanted.begin(), wanted.end(), x.begin());
  allowed_->repair(x);
}

void Encoding::round(std::span<double> x) const {
  for (std::size_t i = 0; i < space_.parameters().size(); ++i)
    if (const auto* d = std::get_if<Float>(&space_.parameters()[i].domain); d && varies(static_cast<int>(i))) {
      double& u = x[offsets_[i]];
      u = encode_number(*d, decode_number(*d, u));
    }
  for (const Discrete& discrete : discretes_) set_level(discrete, level(discrete, x), x);
  pin(x);
}

std::int64_t Encoding::choice(int parameter, std::span<const double> x) const {
  const double* const at = x.data() + offset(parameter);
  if (const auto described = described_.find(parameter); described != described_.end())
    return described->second->nearest({at, static_cast<std::size_t>(described->second->width())});
  const auto& domain = std::get<Categorical>(space_.parameters()[static_cast<std::size_t>(parameter)].domain);
  return std::max_element(at, at + domain.choices.size()) - at;
}

std::int64_t Encoding::level(const Discrete& discrete, std::span<const double> x) const {
  const double* const at = x.data() + discrete.offset;
  if (!discrete.is_ordered()) return choice(discrete.parameter, x);
  const Domain& domain = space_.parameters()[discrete.parameter].domain;
  if (const auto* d = std::get_if<Int>(&domain)) return (decode_number(*d, *at) - d->low) / d->step;
  if (const auto* d = std::get_if<Float>(&domain)) return Grid(*d).nearest(decode_number(*d, *at));
  return nearest_level(*at, discrete.num_levels);
}

void Encoding::set_level(const Discrete& discrete, std::int64_t level, std::span<double> x) const {
  assert(level >= 0 && level < discrete.num_levels);
  double* const at = x.data() + discrete.offset;
  const Domain& domain = space_.parameters()[discrete.parameter].domain;
  if (discrete.kind == Discrete::Kind::described) {
    std::ranges::copy(described_.at(discrete.parameter)->at(level), at);
  } else if (discrete.is_one_hot()) {
    std::fill(at, at + discrete.width, 0.0);
    at[level] = 1;
  } else if (const auto* d = std::get_if<Int>(&domain)) {
    *at = encode_number(*d, d->low + level * d->step);
  } else if (const auto* f = std::get_if<Float>(&domain)) {
    *at = encode_number(*f, Grid(*f).value(level));
  } else {
    *at = place(level, discrete.num_levels);
  }
}

bool Encoding::next(std::span<double> x) const {
  constexpr double kMostTurns = 1e6;  // then it stays: the allowed ones are too few among too many
  const std::vector<double> here(x.begin(), x.end());
  const double most = std::min(num_points_, kMostTurns);
  for (double tried = 0; tried < most; ++tried) {
    if (!turn(x)) {  // before the first that is allowed
      for (; tried < most && !allows(x); ++tried) (void)turn(x);
      if (!allows(x)) std::copy(here.begin(), here.end(), x.begin());
      return false;
    }
    if (allows(x)) return true;
  }
  std::copy(here.begin(), here.end(), x.begin());
  return false;
}

bool Encoding::turn(std::span<double> x) const {
  for (const auto* levels : {&discretes_, &grids_})
    for (const Discrete& discrete : *levels) {
      const std::int64_t up = level(discrete, x) + 1;
      set_level(discrete, up < discrete.num_levels ? up : 0, x);
      if (up < discrete.num_levels) return true;
    }
  return false;
}

void Encoding::from_unit(std::span<const double> u, std::span<double> x) const {
  if (u.size() != static_cast<std::size_t>(num_free()) || x.size() != static_cast<std::size_t>(num_dims_))
    throw std::invalid_argument(fmt::format("Encoding::from_unit: expected {} numbers and {} coordinates, got {} and {}",
                                            num_free(), num_dims_, u.size(), x.size()));
  std::size_t next = 0;
  for (std::size_t i = 0; i < space_.parameters().size(); ++i) {
    const Domain& domain = space_.parameters()[i].domain;
    if (!varies(static_cast<int>(i))) continue;
    const double unit = std::clamp(u[next++], 0.0, 1.0);
    if (const auto* d = std::get_if<Float>(&domain)) {
      x[offsets_[i]] = encode_number(*d, pick_number(*d, unit));
    } else if (const auto* n = std::get_if<Int>(&domain)) {
      x[offsets_[i]] = encode_number(*n, pick_number(*n, unit));
    } else {
      const auto discrete = std::find_if(discretes_.begin(), discretes_.end(),
                                         [&](const Discrete& each) { return each.parameter == static_cast<int>(i); });
      const auto levels = discrete->num_levels;
      set_level(*discrete, std::min(levels - 1, static_cast<std::int64_t>(unit * static_cast<double>(levels))), x);
    }
  }
  pin(x);
}

}  // namespace salvo
