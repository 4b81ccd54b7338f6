#include "store/kept.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "space/value.h"

namespace salvo {

Kept kept_in(const Definition& now, const ByName& values) {
  Kept out;
  for (int i = 0; i < static_cast<int>(now.space.parameters().size()); ++i) {
    const std::string& name = now.space.parameters()[static_cast<std::size_t>(i)].name;
    const auto found = values.find(name);
    if (found == values.end()) throw std::invalid_argument(fmt::format("expected a value of \"{}\", got none", name));
    try {
      out.params.push_back(now.space.check(i, found->second));
    } catch (const std::invalid_argument&) {
      out.params.push_back(found->second);
      out.outside = true;
    }
  }
  if (!out.outside) {
    try {
      (void)now.space.check(out.params);
    } catch (const std::invalid_argument&) {
      out.outside = true;
    }
  }
  for (const auto& [name, value] : now.removed) {
    const auto found = values.find(name);
    out.outside = out.outside || (found != values.end() && !same_value(found->second, value));
  }
  return out;
}

ByName named(const Space& space, const Params& params) {
  ByName out;
  for (std::size_t i = 0; i < params.size(); ++i) out.emplace(space.parameters()[i].name, params[i]);
  return out;
}

void require_before(const Definition& now, const Store::NewSpace& wanted) {
  for (const Parameter& parameter : wanted.space.parameters())
    if (now.space.find(parameter.name) < 0 && !wanted.before.contains(parameter.name))
      throw std::invalid_argument(
          fmt::format("set_space: \"{}\" is new: expected the value that earlier trials had, got none", parameter.name));
}

Definition with_space(Definition now, const Space& space) {
  for (const Parameter& parameter : now.space.parameters()) {
    if (space.find(parameter.name) >= 0) continue;
    const auto* fixed = std::get_if<Fixed>(&parameter.domain);
    if (!fixed)
      throw std::invalid_argument(fmt::format(
          "set_space: \"{}\" is gone, and it varied: expected a value that it has from now on. Make it a fixed one first",
          parameter.name));
    now.removed[parameter.name] = fixed->value;
  }
  for (const Parameter& parameter : space.parameters()) now.removed.erase(parameter.name);
  now.space = space;
  ++now.changes;
  return now;
}

}  // namespace salvo
