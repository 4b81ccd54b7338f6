#include "study/compare.h"

#include <fmt/format.h>
#include <salvo/error.h>

#include <algorithm>

namespace salvo {
namespace {

[[noreturn]] void refuse(const std::string& path, std::string_view what, std::string_view stored, std::string_view wanted) {
  throw InputError(
      fmt::format("{}: {} differs: {} in the database, {} now, and what was learned would not hold. Go on with what the database "
                  "has, or keep the changed study in another file",
                  path, what, stored, wanted));
}

// What is measured, and what it is for: the direction of an objective, and whether a constraint is told as passed or failed.
bool same_kind(const Output& before, const Output& now) {
  if (before.name != now.name || before.role.index() != now.role.index()) return false;
  if (const auto* objective = std::get_if<Objective>(&before.role))
    return objective->direction == std::get<Objective>(now.role).direction;
  return std::get<Constraint>(before.role).passed == std::get<Constraint>(now.role).passed;
}

// Bounds, probabilities and references may change: they are read anew by each ask.
void require_same_outputs(const std::vector<Output>& before, const std::vector<Output>& now, const std::string& path) {
  if (std::equal(before.begin(), before.end(), now.begin(), now.end(), same_kind)) return;
  std::string lines;
  for (const std::string& line : changed_outputs(before, now)) lines += fmt::format("  {}\n", line);
  throw InputError(fmt::format(
      "{}: the outputs are not those that the study began with:\n{}What is measured, and whether it is an objective "
      "or a constraint, cannot change: what was told would mean something else. Bounds, probabilities and references "
      "may. Go on with the outputs that the database has, or keep the changed study in another file; \"salvo import\" "
      "brings values of this one there. Nothing was changed",
      path, lines));
}

// A file may list the same outputs in another order.
std::vector<Output> in_order_of(const std::vector<Output>& stored, const std::vector<Output>& wanted) {
  std::vector<Output> out;
  for (const Output& output : stored)
    if (const int place = find_output(wanted, output.name); place >= 0) out.push_back(wanted[static_cast<std::size_t>(place)]);
  return out.size() == wanted.size() ? out : wanted;
}

}  // namespace

void require_same_study(const StudyOptions& stored, const StudyOptions& wanted, const std::string& path) {
  const Pool *before = stored.pool(), *now = wanted.pool();
  if ((before == nullptr) != (now == nullptr))
    refuse(path, "what is searched", before ? "a pool" : "a space", now ? "a pool" : "a space");
  if (before && before->checksum() != now->checksum())
    refuse(path, "the pool", "checksum " + before->checksum(), "checksum " + now->checksum());
  if (!has_names(stored.outputs) && !has_names(wanted.outputs) && stored.direction() != wanted.direction())
    refuse(path, "direction", to_string(stored.direction()), to_string(wanted.direction()));
  require_same_outputs(stored.outputs, wanted.outputs, path);
  if (stored.seed != wanted.seed) refuse(path, "seed", std::to_string(stored.seed), std::to_string(wanted.seed));
}

StudyOptions going_on(const StudyOptions& stored, StudyOptions wanted) {
  wanted.outputs = in_order_of(stored.outputs, wanted.outputs);
  auto* search = std::get_if<SpaceSearch>(&wanted.search);
  const bool older = stored.method() == Method::thompson || stored.method() == Method::turbo;  // than what "auto" is now
  if (search && search->method == Method::automatic && older) search->method = stored.method();
  const auto* before = std::get_if<SpaceSearch>(&stored.search);
  if (search && before && search->model.transform == Transform::automatic && before->model.transform == Transform::none)
    search->model.transform = Transform::none;
  return wanted;
}

}  // namespace salvo
