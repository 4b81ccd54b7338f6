#include "study/compare.h"

#include <fmt/format.h>
#include <salvo/error.h>

#include "study/json.h"

namespace salvo {
namespace {

[[noreturn]] void refuse(const std::string& path, std::string_view what, std::string_view stored, std::string_view wanted) {
  throw InputError(
      fmt::format("{}: {} differs: {} in the database, {} now. Go on with what the database has, or keep the changed "
                  "study in another file",
                  path, what, stored, wanted));
}

}  // namespace

void check_path(const std::string& path) {
  if (path.empty()) throw std::invalid_argument("path: expected the name of a file or \":memory:\", got an empty text");
  if (path.find('\0') != std::string::npos) throw std::invalid_argument("path: expected a name without NUL bytes, got one with");
}

void require_same_study(const StudyOptions& stored, const StudyOptions& wanted, const std::string& path) {
  if (stored.pool.has_value() != wanted.pool.has_value())
    refuse(path, "what is searched", stored.pool ? "a pool" : "a space", wanted.pool ? "a pool" : "a space");
  if (stored.pool && stored.pool->checksum() != wanted.pool->checksum())
    refuse(path, "the pool", "checksum " + stored.pool->checksum(), "checksum " + wanted.pool->checksum());
  const auto& old_parameters = stored.space.parameters();
  const auto& new_parameters = wanted.space.parameters();
  for (std::size_t i = 0; i < std::max(old_parameters.size(), new_parameters.size()); ++i) {
    const auto text = [i](const auto& parameters) {
      return i < parameters.size() ? parameter_to_json(parameters[i]) : std::string("nothing");
    };
    if (text(old_parameters) == text(new_parameters)) continue;
    const auto& name = i < old_parameters.size() ? old_parameters[i].name : new_parameters[i].name;
    refuse(path, fmt::format("parameter {} (\"{}\")", i + 1, name), text(old_parameters), text(new_parameters));
  }
  if (stored.direction != wanted.direction) refuse(path, "direction", to_string(stored.direction), to_string(wanted.direction));
  if (stored.seed != wanted.seed) refuse(path, "seed", std::to_string(stored.seed), std::to_string(wanted.seed));
}

bool same_settings(const StudyOptions& a, const StudyOptions& b) {
  return a.name == b.name && a.batch == b.batch && a.num_initial == b.num_initial && a.initial == b.initial &&
         a.method == b.method && model_to_json(a.model) == model_to_json(b.model) &&
         pool_model_to_json(a.pool_model) == pool_model_to_json(b.pool_model);
}

}  // namespace salvo
