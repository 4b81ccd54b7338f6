#pragma once
// Options of studies whose models fit in milliseconds.
#include <salvo/options.h>

namespace salvo::test {

[[nodiscard]] Space mixed_space();  // float, log float, int, ordinal, categorical, fixed
[[nodiscard]] StudyOptions small_options(Space space, std::uint64_t seed = 0);  // to be maximised
[[nodiscard]] StudyOptions small_branin(std::uint64_t seed = 7);                // over branin's box, to be minimised

// What these options search, where it is known which kind it is.
[[nodiscard]] SpaceSearch& search_of(StudyOptions& options);
[[nodiscard]] const SpaceSearch& search_of(const StudyOptions& options);
[[nodiscard]] ModelOptions& model_of(StudyOptions& options);
[[nodiscard]] const ModelOptions& model_of(const StudyOptions& options);

}  // namespace salvo::test
