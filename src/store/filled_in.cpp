#include "store/filled_in.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "space/json.h"
#include "space/value.h"
#include "text/numbers.h"

namespace salvo {
namespace {

std::string key_of(const std::string& name) { return "filled in " + name; }

// "1-17,20-20", or nothing when it is none.
std::optional<FilledIn> filled_of(const std::optional<std::string>& note) {
  if (!note) return std::nullopt;
  try {
    const ByName fields = named_from_json(*note);
    FilledIn out{.value = fields.at("value")};
    std::string_view rest = std::get<std::string>(fields.at("trials"));
    while (!rest.empty()) {
      const std::string_view run = rest.substr(0, rest.find(','));
      const std::size_t dash = std::min(run.find('-'), run.size() - 1);
      out.trials.emplace_back(to_int64(run.substr(0, dash)).value(), to_int64(run.substr(dash + 1)).value());
      rest.remove_prefix(std::min(run.size() + 1, rest.size()));
    }
    return out;
  } catch (const std::exception&) {  // somebody's own note of that name
    return std::nullopt;
  }
}

}  // namespace

void FilledIn::add(std::int64_t id) {
  if (!trials.empty() && trials.back().second == id - 1)
    trials.back().second = id;
  else
    trials.emplace_back(id, id);
}

bool FilledIn::has(std::int64_t id) const {
  return std::any_of(trials.begin(), trials.end(), [&](const auto& run) { return run.first <= id && id <= run.second; });
}

std::int64_t FilledIn::size() const {
  std::int64_t count = 0;
  for (const auto& [first, last] : trials) count += last - first + 1;
  return count;
}

std::map<std::string, std::string> to_notes(const FilledByName& filled) {
  std::map<std::string, std::string> out;
  for (const auto& [name, each] : filled) {
    std::string trials;
    for (const auto& [first, last] : each.trials) trials += fmt::format("{}{}-{}", trials.empty() ? "" : ",", first, last);
    out[key_of(name)] = named_to_json({{"value", each.value}, {"trials", trials}});
  }
  return out;
}

FilledByName filled_otherwise(Store& store, const Space& after, const ByName& before) {
  FilledByName out;
  for (const auto& [name, value] : before) {
    if (store.definition().space.find(name) < 0 || after.find(name) < 0) continue;
    std::optional<FilledIn> filled = filled_of(store.note(key_of(name)));
    if (filled && !same_value(filled->value, value)) out.emplace(name, std::move(*filled));
  }
  return out;
}

FilledByName filled_alike(Store& store, const ByName& before) {
  FilledByName out;
  for (const auto& [name, value] : before) {
    if (store.definition().space.find(name) >= 0) continue;
    std::optional<FilledIn> filled = filled_of(store.note(key_of(name)));
    if (filled && same_value(filled->value, value)) out.emplace(name, std::move(*filled));
  }
  return out;
}

ByName to_fill_in(std::int64_t id, const ByName& point, const ByName& before, const FilledByName& wrong, FilledByName& filled) {
  ByName out;
  for (const auto& [name, value] : before) {
    const auto was_wrong = wrong.find(name);
    const bool corrected = was_wrong != wrong.end() && was_wrong->second.has(id);
    if (point.contains(name) && !corrected) continue;
    out.emplace(name, value);
    filled[name].value = value;
    filled[name].add(id);
  }
  return out;
}

}  // namespace salvo
