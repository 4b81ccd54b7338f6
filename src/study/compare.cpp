#include "study/compare.h"

#include <fmt/format.h>
#include <salvo/error.h>

namespace salvo {
namespace {

[[noreturn]] void refuse(const std::string& path, std::string_view what, std::string_view stored, std::string_view wanted) {
  throw InputError(
      fmt::format("{}: {} differs: {} in the database, {} now, and what was learned would not hold. Go on with what the database "
                  "has, or keep the changed study in another file",
                  path, what, stored, wanted));
}

}  // namespace

void require_same_study(const StudyOptions& stored, const StudyOptions& wanted, const std::string& path) {
  const Pool *before = stored.pool(), *now = wanted.pool();
  if ((before == nullptr) != (now == nullptr))
    refuse(path, "what is searched", before ? "a pool" : "a space", now ? "a pool" : "a space");
  if (before && before->checksum() != now->checksum())
    refuse(path, "the pool", "checksum " + before->checksum(), "checksum " + now->checksum());
  if (stored.direction() != wanted.direction())
    refuse(path, "direction", to_string(stored.direction()), to_string(wanted.direction()));
  if (stored.outputs != wanted.outputs) refuse(path, "outputs", stored.outputs[0].name, wanted.outputs[0].name);
  if (stored.seed != wanted.seed) refuse(path, "seed", std::to_string(stored.seed), std::to_string(wanted.seed));
}

StudyOptions going_on(const StudyOptions& stored, StudyOptions wanted) {
  auto* search = std::get_if<SpaceSearch>(&wanted.search);
  const bool older = stored.method() == Method::thompson || stored.method() == Method::turbo;  // than what "auto" is now
  if (search && search->method == Method::automatic && older) search->method = stored.method();
  const auto* before = std::get_if<SpaceSearch>(&stored.search);
  if (search && before && search->model.transform == Transform::automatic && before->model.transform == Transform::none)
    search->model.transform = Transform::none;
  return wanted;
}

}  // namespace salvo
