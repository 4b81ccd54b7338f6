#pragma once
#include <salvo/options.h>

#include <optional>
#include <string>

namespace salvo {

// A study's options as the document that its store keeps beside the space and the names of its outputs.
// Where a pool given in memory was in a file before, it stays known by that file: `earlier` is the document until now.
[[nodiscard]] std::string options_to_json(const StudyOptions& options, const std::string& earlier = "");
// A pool is looked for where the document says, or beside the study, unless it is given; `study` names it in messages.
// Throws std::invalid_argument when the document is damaged, StoreError when the pool is missing or another.
[[nodiscard]] StudyOptions options_from_json(const std::string& document, const Space& space, const std::string& study,
                                             const std::optional<Pool>& pool);

}  // namespace salvo
