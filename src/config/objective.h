#pragma once
#include <salvo/study_file.h>

#include <string>
#include <string_view>
#include <vector>

namespace salvo {

// What a command may have in braces besides {trial}: the parameters; over a pool {candidate} and {id}, which are the same,
// and the columns that the pool keeps as text.
[[nodiscard]] std::vector<std::string> placeholder_names(const StudyOptions& study);
[[nodiscard]] std::vector<std::string> placeholder_names(const Pool& pool);

// The columns of a pool that answer for a study's outputs: of one the column that objective.lookup names, of several those of
// their own names, which it says as "outputs".
inline constexpr std::string_view kLookupOfOutputs = "outputs";
[[nodiscard]] std::vector<std::string> lookup_columns(const ObjectiveOptions& objective, const std::vector<Output>& outputs);
// What is wrong with that for this pool; empty: nothing.
[[nodiscard]] std::string lookup_problem(const ObjectiveOptions& objective, const std::vector<Output>& outputs, const Pool& pool);

// The kernels over a kind of pool, in words.
[[nodiscard]] std::string pool_kernels(PoolKind kind);

// What is wrong with the placeholders of a command, empty when nothing is: {name} must name a parameter or be {trial},
// and {{ and }} stand for braces.
[[nodiscard]] std::string placeholder_problem(std::string_view command, const std::vector<std::string_view>& names);

}  // namespace salvo
