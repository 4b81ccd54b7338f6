#include "tagged.h"

#include <fmt/core.h>
#include <salvo/error.h>

#include <algorithm>
#include <string_view>

#include "text/text.h"

namespace salvo::app {

Tagged::Tagged(Study& study, const std::vector<std::string>& wanted) : tags_(study.tags()), wanted_(wanted) {
  const std::map<std::string, std::int64_t> known = num_tagged(tags_);
  std::vector<std::string_view> names;
  for (const auto& [name, count] : known) names.emplace_back(name);
  for (const std::string& name : wanted_)
    if (!known.contains(name))
      throw InputError(fmt::format("--tag: no trial carries \"{}\"{}", shown(name),
                                   names.empty() ? "; the study has no tags" : hint(name, names)));
}

bool Tagged::operator()(const Trial& trial) const {
  const auto found = tags_.find(trial.id);
  return std::all_of(wanted_.begin(), wanted_.end(), [&](const std::string& name) {
    return found != tags_.end() && std::find(found->second.begin(), found->second.end(), name) != found->second.end();
  });
}

std::map<std::string, std::int64_t> num_tagged(const Tags& tags) {
  std::map<std::string, std::int64_t> out;
  for (const auto& [id, names] : tags)
    for (const std::string& name : names) ++out[name];
  return out;
}

}  // namespace salvo::app
