#pragma once
#include "fields.h"

namespace salvo::python {

// The options of a study that is to go on, or to begin with what is given: { name, direction, seed, batch, …, model: {…} }.
// `stored`: those it has, which stay where nothing else is given; none: it is new, and TypeError without a direction.
[[nodiscard]] StudyOptions to_options(const Dict& given, const Space& space, const Pool* pool,
                                      const std::optional<StudyOptions>& stored);
[[nodiscard]] Dict from_options(const StudyOptions& options);

// The model of a pool, with a kernel that suits it where none is given; errors begin with the prefix.
[[nodiscard]] PoolModelOptions to_pool_model(const Dict& given, const std::string& prefix, const Pool& pool);

[[nodiscard]] List from_outputs(const std::vector<Output>& outputs);  // a dictionary each

}  // namespace salvo::python
